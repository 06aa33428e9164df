"""A game or a puzzle played against an opponent, without the terminal."""
