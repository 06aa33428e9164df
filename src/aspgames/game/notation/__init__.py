"""Notations, read and written: facts, FEN, moves as text, KIF, UCI."""
