"""The positions to compare, and the differences between two answers."""
