"""Cross-checks of other engines: whether their rules are those of the encoding."""
