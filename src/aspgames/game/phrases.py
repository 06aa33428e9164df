"""Terms and atoms as phrases for people."""

from __future__ import annotations

import clingo

from ..runtime.errors import RulesError
from .board import square_name


def text_of(symbol: clingo.Symbol) -> str:
    """A term as people read it: strings without quotes, pairs of numbers as squares."""
    if symbol.type is clingo.SymbolType.String:
        return symbol.string
    if symbol.type is clingo.SymbolType.Function and not symbol.name:
        parts = symbol.arguments
        if len(parts) == 2 and all(p.type is clingo.SymbolType.Number for p in parts):
            return square_name((parts[0].number, parts[1].number))
    return str(symbol)


def sentence(atom: clingo.Symbol) -> str:
    """The sentence of an atom such as ``refused(S,A)``: each ``{}`` in ``S`` is one of a tuple.

    The two stand last in the atom. Raises ``RulesError`` if they don't fit.
    """
    form, arguments = atom.arguments[-2:]
    try:
        return form.string.format(*map(text_of, arguments.arguments))
    except (RuntimeError, LookupError, ValueError):
        raise RulesError(
            f"{atom} of the encoding is no sentence with a tuple of arguments"
        ) from None
