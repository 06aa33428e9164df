"""Turns as UCI engines write them: by their squares, ``a2a3`` or ``d1d7,d7g7``.

``d1d7,d7g7`` (Fairy-Stockfish), ``d1-d7/g7`` and the two plies ``d1-d7``, ``/g7`` all name the
squares d1, d7 and g7, the turn's label. Separators and the ``x`` of captures are ignored, and a
square that is named twice in a row counts once. A letter after the last square is a promotion:
``a7a8q`` is ``a7 a8=q``.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise

from ..board import square_name
from .move_text import named_squares


def turn_label(forms: Mapping[str, str], terms: Sequence[str]) -> str:
    """The label of a turn, given by the terms of its plies; empty if they name no squares."""
    squares = (square for term in terms for square in named_squares(forms, term))
    names = " ".join(name for name, _ in groupby(map(square_name, squares)))
    _, equals, promotion = forms.get(terms[-1].partition("(")[0], "").partition("=")
    return names + equals + promotion


def label(text: str) -> str:
    """The squares in an engine's text, separated by blanks, and a promotion."""
    squares = " ".join(name for name, _ in groupby(re.findall(r"[a-z][1-9][0-9]*", text)))
    promotion = re.search(r"[0-9]=?([a-z])\Z", text)
    return f"{squares}={promotion[1]}" if promotion else squares


def coordinates(label: str) -> str:
    """A label as UCI engines write a turn: ``a2a3``, or ``d1d7,d7g7`` (Fairy-Stockfish's)."""
    squares, _, promotion = label.partition("=")
    names = squares.split()
    return ",".join(map("".join, pairwise(names))) + promotion if len(names) > 1 else label
