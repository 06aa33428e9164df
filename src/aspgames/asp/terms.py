"""Ground terms as text, such as fluents and moves: their shape and depth."""

import re
from collections.abc import Mapping

DEEPEST = 64  # nested parentheses; clingo's parser is recursive
LARGEST = 2**31 - 1  # number; larger numbers overflow in clingo

Constants = Mapping[str, int | str]
"""The constants of an encoding: each name's value."""


def shape(fluent: str) -> str:
    """A fluent without its numbers: ``cell(_,_,white)``."""
    return re.sub(r"\b\d+", "_", fluent)


def depth(text: str) -> int:
    """The nesting depth of a text's parentheses."""
    now = deepest = 0
    for parenthesis in re.findall("[()]", text):
        now += 1 if parenthesis == "(" else -1
        deepest = max(now, deepest)
    return deepest


def shorten(text: str) -> str:
    """A text shortened for a message, to at most 60 characters."""
    return text if len(text) <= 60 else text[:57] + "..."
