"""Puzzles: can a side force a goal within a number of its own turns?"""
