"""One hard puzzle for many processes: a tree of positions here, whose leaves jobs search."""
