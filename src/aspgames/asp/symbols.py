"""Reads ground terms as clingo's symbols, without the traps of clingo's parser."""

import re
from functools import lru_cache

import clingo

from .terms import DEEPEST, LARGEST, depth

_STRING = re.compile(r'"(?:\\.|[^"\\])*"')
_PLAIN = re.compile(r"""(?:[\w(),"']|(?:(?<=[(,])|^)-)*\Z""", re.ASCII)  # no blanks, no operators
_NUMBER = re.compile(r"\b[0-9]\w*")
_KEYWORD = re.compile(r"\bnot\b")


def parse_symbol(text: str) -> clingo.Symbol | None:
    """The ground term of a text; None for other texts and for numbers beyond clingo's.

    Nothing is computed: clingo's own parser reads ``1+1`` as 2, lets numbers overflow, stops at a
    NUL, and crashes on a division by zero or on deep nesting.
    """
    outside = _STRING.sub('""', text)
    if "\0" in text or not _PLAIN.match("".join(outside.split())) or depth(outside) > DEEPEST:
        return None
    if _KEYWORD.search(outside):  # clingo's parser of terms takes it, that of programs doesn't
        return None
    for number in _NUMBER.findall(outside):
        if not number.isdecimal() or len(number) > 10 or int(number) > LARGEST:
            return None
    try:
        return clingo.parse_term(text, logger=lambda *_: None)
    except (RuntimeError, UnicodeError):  # clingo's message quotes single bytes of the text
        return None


@lru_cache(maxsize=1 << 17)
def known_symbol(text: str) -> clingo.Symbol:
    """The symbol of a text that is known to be a valid term, such as a state's fluent."""
    return clingo.parse_term(text)
