"""Cross-checks of other engines: whether their rules agree with the encoding."""
