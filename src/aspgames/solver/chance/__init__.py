"""Puzzles with chance: the exact best probability with which the attacker reaches its goal."""
