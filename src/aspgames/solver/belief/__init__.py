"""Puzzles with hidden information: searches over sets of states that look alike to the attacker."""
