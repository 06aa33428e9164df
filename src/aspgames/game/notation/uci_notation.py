"""Turns as UCI engines write them: by their squares, ``a2a3`` or ``d1d7,d7g7``.

``d1d7,d7g7`` (Fairy-Stockfish), ``d1-d7/g7`` and the two plies ``d1-d7``, ``/g7`` all name the
squares d1, d7 and g7, the turn's label. Separators and the ``x`` of captures are ignored, and a
square that is named twice in a row counts once.
"""

from __future__ import annotations

import re
from itertools import groupby, pairwise


def label(text: str) -> str:
    """The squares in an engine's text, separated by blanks."""
    return " ".join(name for name, _ in groupby(re.findall(r"[a-z][1-9][0-9]*", text)))


def coordinates(label: str) -> str:
    """A label as UCI engines write a turn: ``a2a3``, or ``d1d7,d7g7`` (Fairy-Stockfish's)."""
    squares = label.split()
    return ",".join(map("".join, pairwise(squares))) if len(squares) > 1 else label
