"""The positions that a game can have.

What is no position is said in the encoding: ``base/1`` lists the fluents there are; ``refused/2``
has the sentences for what doesn't go together, and ``default/1`` what may be left out (both in
``#program position``).
"""

from __future__ import annotations

from difflib import get_close_matches

import clingo

from ..asp.grounding import Query
from ..asp.symbols import known_symbol
from ..asp.terms import Constants, shorten
from ..gdl.encoding import Encoding
from ..gdl.reasoner import Facts
from ..runtime.errors import BadPosition
from .board import Vocabulary, square_name
from .fluents import Fluents
from .phrases import sentence

_REFUSED = ("refused", 2)
_DEFAULT = ("default", 1)


class Possible:
    """Says of facts whether one game can have them as a position."""

    def __init__(self, encoding: Encoding, constants: Constants, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        statements = encoding.statements("base", "board", "position")
        self._check = Query(statements, constants, (_REFUSED, _DEFAULT))
        self._fluents = Fluents(encoding, constants, vocabulary)

    def complete(self, facts: Facts) -> Facts:
        """The facts, sorted, with missing counters filled in. Raises ``BadPosition``."""
        self._check_vocabulary(facts)
        atoms = self._check([known_symbol(fact) for fact in facts])
        refusals = sorted(sentence(symbol) for symbol in atoms[_REFUSED])
        if refusals:
            raise BadPosition(refusals[0])
        missing = {str(symbol.arguments[0]) for symbol in atoms[_DEFAULT]}
        return tuple(sorted(missing.union(facts)))

    def _check_vocabulary(self, facts: Facts) -> None:
        for fact in facts:
            if not self._fluents.may_be(fact):
                raise BadPosition(self._why_not_a_fluent(fact))

    def _why_not_a_fluent(self, fact: str) -> str:
        board = self._vocabulary.board
        placed = board.placement(fact) if board else None
        if board and placed:
            square, content = placed
            if not board.has(square):
                return f"{fact} is off the board, which is {board.size}"
            if square in board.holes:
                return f"{fact}: {square_name(square)} is off limits"
            return (
                f"{fact}: {content} is none of {', '.join(sorted([*board.glyphs, *board.empty]))}"
            )
        symbol = clingo.parse_term(fact)
        if symbol.type is not clingo.SymbolType.Function:
            return f"the game has no fluent {shorten(fact)}"
        alike = [
            fluent.arguments
            for fluent in map(clingo.parse_term, self._vocabulary.base)
            if fluent.match(symbol.name, len(symbol.arguments))
        ]
        for place, value in enumerate(symbol.arguments):
            known = sorted({arguments[place] for arguments in alike})
            if known and value not in known:
                return f"{shorten(fact)}: {shorten(str(value))} is not among {_listed(known)}"
        names = {fluent.partition("(")[0] for fluent in self._vocabulary.base}
        near = [] if symbol.name in names else get_close_matches(symbol.name, sorted(names), n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        return f"the game has no fluent {shorten(fact)}{hint}"


def _listed(values: list[clingo.Symbol]) -> str:
    numbers = [v.number for v in values if v.type is clingo.SymbolType.Number]
    if len(numbers) == len(values) > 2 and numbers[-1] - numbers[0] == len(values) - 1:
        return f"{numbers[0]}..{numbers[-1]}"
    return ", ".join(str(value) for value in values[:8]) + (", …" if len(values) > 8 else "")
