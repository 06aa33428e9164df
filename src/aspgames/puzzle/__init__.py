"""Puzzles: can a side force a goal within so many of its own turns?"""
