"""The expressions of a KIF text, with the place of each.

The reader is written by hand: libraries for S-expressions lose the places, or recurse and fail on
deep nesting.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from ...asp.terms import shorten
from ...runtime.errors import AspgamesError

DEEPEST = 200  # nested lists
_TOKEN = re.compile(r"[()]|;[^\n]*|[^\s();]+")


@dataclass(frozen=True, slots=True)
class Word:
    """A symbol, a variable or a number, in lower case."""

    text: str
    at: int
    """Its first character's index in the text."""


@dataclass(frozen=True, slots=True)
class List:
    """Expressions in parentheses."""

    items: list[Expression]
    at: int


Expression = Word | List


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment between expressions, without its semicolons."""

    text: str
    at: int


class KifError(AspgamesError):
    """An error in a KIF text, with the index of the character."""

    def __init__(self, what: str, at: int) -> None:
        super().__init__(what)
        self.what, self.at = what, at


def expressions(text: str) -> Iterator[Expression | Comment]:
    """The expressions of a text, one after the other, and the comments between them.

    Comments within an expression come right before it. Raises ``KifError`` for unbalanced
    parentheses, and for nesting beyond ``DEEPEST``.
    """
    opened: list[List] = []
    for found in _TOKEN.finditer(text):
        token, at = found[0], found.start()
        if token == "(":
            if len(opened) == DEEPEST:
                raise KifError(f"parentheses are nested more than {DEEPEST} deep", at)
            opened.append(List([], at))
            continue
        if token[0] == ";":
            yield Comment(token.lstrip(";").strip(), at)
            continue
        done: Expression
        if token == ")":
            if not opened:
                raise KifError("a ) too many", at)
            done = opened.pop()
        else:
            done = Word(token.lower(), at)
        if opened:
            opened[-1].items.append(done)
        else:
            yield done
    if opened:
        raise KifError("this ( is never closed", opened[-1].at)


def without_comments(text: str) -> Iterator[Expression]:
    """The expressions of a text, without its comments. Raises as ``expressions`` does."""
    return (found for found in expressions(text) if not isinstance(found, Comment))


class Places:
    """Lines and columns of a text's characters."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def line(self, at: int) -> int:
        """The line of a character, the first being 1."""
        return bisect_right(self._starts, at)

    def place(self, at: int) -> str:
        """Line and column of a character, as messages name them: ``12:5``."""
        line = self.line(at)
        return f"{line}:{at - self._starts[line - 1] + 1}"


def shown(expression: Expression) -> str:
    """An expression as a message quotes it."""
    return shorten(kif(expression, 60))


def kif(expression: Expression, room: float = math.inf) -> str:
    """An expression as text with single blanks; at least the first ``room`` characters."""
    if isinstance(expression, Word):
        return expression.text
    parts: list[str] = []
    for item in expression.items:
        if room < 0:
            break
        parts.append(kif(item, room))
        room -= len(parts[-1]) + 1
    return f"({' '.join(parts)})"
