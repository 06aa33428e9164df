"""Play without search: perft, random games, batches of states and game records."""
