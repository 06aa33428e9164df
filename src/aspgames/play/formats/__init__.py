"""Formats of files with records of games or with positions, behind one registry."""
