"""Terms and atoms as phrases for people."""

from ..asp.clingo_api import Symbol, SymbolType
from ..runtime.errors import RulesError
from .board import square_name


def text_of(symbol: Symbol) -> str:
    """A term for people: strings without quotes, pairs of numbers as squares.

    A pair of a sentence and a tuple is a sentence in a sentence.
    """
    if symbol.type is SymbolType.String:
        return symbol.string
    if symbol.type is SymbolType.Function and not symbol.name:
        parts = symbol.arguments
        if len(parts) == 2 and all(p.type is SymbolType.Number for p in parts):
            return square_name((parts[0].number, parts[1].number))
        if len(parts) == 2 and parts[0].type is SymbolType.String:
            return sentence(symbol)
    return str(symbol)


def sentence(atom: Symbol) -> str:
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
