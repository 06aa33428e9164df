"""A game or a puzzle played out against an opponent, without the terminal it is played at."""
