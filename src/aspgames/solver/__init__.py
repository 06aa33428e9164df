"""Solving puzzles and whole games."""
