"""The search for answers to puzzles. Nothing here needs to be trusted."""
