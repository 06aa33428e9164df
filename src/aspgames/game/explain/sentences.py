"""The sentences of an encoding for conditions: see ``encodings/README.md``."""

from collections.abc import Iterable, Mapping

import clingo

from ...asp.grounding import Query, parse_statements
from ...asp.symbols import known_symbol
from ...asp.terms import Constants
from ...gdl.encoding import Encoding
from ...gdl.reasoner import Facts
from ..phrases import sentence

_BECAUSE = ("because", 3)
# The conditions are passed in as a joint move: pairs of a predicate below and a condition.
_GIVEN = """
holds(C) :- does(holds,C).
fails(C) :- does(fails,C).
never(C) :- does(never,C).
"""


class Sentences:
    """The sentences of one game for conditions that hold or fail."""

    def __init__(self, encoding: Encoding, constants: Constants) -> None:
        self._query: Query | None = None
        if encoding.sentences or "why" in encoding.parts:
            rules, given = encoding.statements("base", "board", "why"), parse_statements(_GIVEN)
            self._query = Query([*rules, *encoding.sentences, *given], constants, [_BECAUSE])

    def __call__(
        self, facts: Facts, stated: Iterable[tuple[str, clingo.Symbol]]
    ) -> Mapping[clingo.Symbol, list[str]]:
        """The sentences for some conditions, each given with ``holds``, ``fails`` or ``never``.

        Raises ``RulesError`` for a sentence whose arguments don't fit.
        """
        if self._query is None:
            return {}
        does = [clingo.Tuple_([clingo.Function(word), atom]) for word, atom in stated]
        found: dict[clingo.Symbol, list[str]] = {}
        for symbol in sorted(self._query([known_symbol(fact) for fact in facts], does)[_BECAUSE]):
            found.setdefault(symbol.arguments[0], []).append(sentence(symbol))
        return found
