"""The predicates with a meaning in encodings, by name, with arguments as messages show them."""

GAME = {
    "role": ("R",),
    "init": ("F",),
    "legal": ("R", "M"),
    "next": ("F",),
    "terminal": (),
    "goal": ("R", "N"),
    "to_move": ("R",),
}
"""The predicates of a game's base part, with their arguments."""

GIVEN = {
    "true": ("F",),
    "does": ("R", "M"),
    "holds": ("C",),
    "fails": ("C",),
    "never": ("C",),
}
"""The predicates that rules receive as input."""

TELLING = {
    "title": ("S",),
    "board": ("W", "H"),
    "hole": ("X", "Y"),
    "glyph": ("C", "S"),
    "empty_square": ("C",),
    "placed": ("F", "X", "Y", "C"),
    "belongs_to": ("C", "R"),
    "kif_name": ("C", "S"),
    "kif_relation": ("P", "S"),
    "picture": ("C", "S"),
    "label": ("C", "S"),
    "cell_shape": ("S",),
    "at": ("S", "X", "Y"),
    "line": ("S", "T"),
    "border": ("R", "S", "T"),
    "colour": ("R", "S"),
    "marked": ("F", "X", "Y"),
    "base": ("F",),
    "in_words": ("F", "S", "A"),
    "fen_field": ("N", "T", "F"),
    "fen_ignored": ("S",),
    "square_number": ("N", "X", "Y"),
    "listed": ("C", "S", "T"),
    "notation": ("M", "S"),
    "short": ("M", "S", "A"),
    "allowed": ("S", "V"),
    "board_constants": ("S", "T"),
    "refused": ("S", "A"),
    "default": ("F",),
    "because": ("C", "S", "A"),
    "called": ("C", "S"),
    "better_said": ("X", "Y"),
}
"""The predicates for boards, positions and explanations."""
