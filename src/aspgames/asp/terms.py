"""Ground terms as text, such as fluents and moves: what they look like, and how deep they are."""

from __future__ import annotations

import re
from collections.abc import Mapping

DEEPEST = 64  # parentheses in one another; clingo's parser recurs
LARGEST = 2**31 - 1  # number; clingo lets what is larger wrap round

Constants = Mapping[str, int | str]
"""The constants of an encoding: each name's value."""


def shape(fluent: str) -> str:
    """What a fluent looks like without its numbers: ``cell(_,_,white)``."""
    return re.sub(r"\b\d+", "_", fluent)


def depth(text: str) -> int:
    """How deep the parentheses of a text are nested."""
    now = deepest = 0
    for parenthesis in re.findall("[()]", text):
        now += 1 if parenthesis == "(" else -1
        deepest = max(now, deepest)
    return deepest


def shorten(text: str) -> str:
    """A text as a message quotes it: 60 characters at most."""
    return text if len(text) <= 60 else text[:57] + "..."
