"""Encodings of games: reading them, checking them, and asking clingo what follows."""
