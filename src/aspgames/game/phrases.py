"""Terms and atoms as phrases for people."""

import clingo

from ..runtime.errors import RulesError
from .board import square_name


def text_of(symbol: clingo.Symbol) -> str:
    """A term for people: strings without quotes, pairs of numbers as squares."""
    if symbol.type is clingo.SymbolType.String:
        return symbol.string
    if symbol.type is clingo.SymbolType.Function and not symbol.name:
        parts = symbol.arguments
        if len(parts) == 2 and all(p.type is clingo.SymbolType.Number for p in parts):
            return square_name((parts[0].number, parts[1].number))
    return str(symbol)


def sentence(atom: clingo.Symbol) -> str:
    """The sentence of an atom such as ``refused(S,A)``: the tuple ``A`` fills each ``{}`` in ``S``.

    ``S`` and ``A`` are the last arguments of the atom. Raises ``RulesError`` if they don't fit.
    """
    form, arguments = atom.arguments[-2:]
    try:
        return form.string.format(*map(text_of, arguments.arguments))
    except (RuntimeError, LookupError, ValueError):
        raise RulesError(
            f"{atom}: its last arguments must be a sentence and a tuple with a term for each {{}}"
        ) from None
