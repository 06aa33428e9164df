"""Reading ground terms without clingo's traps."""

from __future__ import annotations

import re

import clingo

_STRING = re.compile(r'"(?:\\.|[^"\\])*"')
_NUMBER = re.compile(r"(?<![\w'])[0-9]\w*")
_LARGEST = 2**31 - 1


def parse_symbol(text: str) -> clingo.Symbol | None:
    """The ground term that a text is; None if it isn't one, or has a number beyond clingo's.

    (clingo would wrap such a number round without a word, and stop reading at a NUL.)
    """
    outside = _STRING.sub('""', text)
    if "\0" in text or any(_value(number) > _LARGEST for number in _NUMBER.findall(outside)):
        return None
    try:
        return clingo.parse_term(text, logger=lambda *_: None)
    except (RuntimeError, UnicodeError):  # clingo quotes single bytes of what it can't read
        return None


def _value(number: str) -> int:
    """A number as clingo writes them, also ``0x1F``, ``0o17``, ``0b11``; what is none is 0."""
    try:
        return int(number, 0) if len(number) < 40 else _LARGEST + 1
    except ValueError:
        return int(number) if number.isdecimal() else 0
