"""Ground terms as clingo's symbols: read without its traps, and as people read them."""

from __future__ import annotations

import re
from functools import lru_cache

import clingo

from .terms import DEEPEST, LARGEST, depth

_STRING = re.compile(r'"(?:\\.|[^"\\])*"')
_PLAIN = re.compile(r"""(?:[\w(),"']|(?:(?<=[(,])|^)-)*\Z""", re.ASCII)  # no blanks, no operators
_NUMBER = re.compile(r"\b[0-9]\w*")


def parse_symbol(text: str) -> clingo.Symbol | None:
    """The ground term that a text is; None if it isn't one, or has a number beyond clingo's.

    Nothing is computed: clingo's own parser would take ``1+1`` for 2, let a number that is too
    large wrap round, stop reading at a NUL, and die of a division by zero or of deep nesting.
    """
    outside = _STRING.sub('""', text)
    if "\0" in text or not _PLAIN.match("".join(outside.split())) or depth(outside) > DEEPEST:
        return None
    if any(not number.isdecimal() or _is_large(number) for number in _NUMBER.findall(outside)):
        return None
    try:
        return clingo.parse_term(text, logger=lambda *_: None)
    except (RuntimeError, UnicodeError):  # clingo quotes single bytes of what it can't read
        return None


@lru_cache(maxsize=1 << 17)
def known_symbol(text: str) -> clingo.Symbol:
    """The symbol of a term that was one before, such as a state's fluent."""
    return clingo.parse_term(text)


def _is_large(number: str) -> bool:
    return len(number) > 10 or int(number) > LARGEST
