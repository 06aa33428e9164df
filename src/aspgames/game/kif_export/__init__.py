"""Rules written as a rule sheet in KIF."""
