"""The sentences of a game for the conditions of an explanation."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...asp.clingo_api import Function, Symbol, Tuple_
from ...asp.grounding import Query, parse_statements
from ...asp.statements import Signature
from ...asp.symbols import known_symbol
from ...asp.terms import Constants
from ...gdl.encoding import Encoding
from ...gdl.rules import Facts
from ..phrases import sentence

_BECAUSE: Signature = ("because", 3)
_OTHERWISE: Signature = ("otherwise", 3)
# The conditions are passed in as a joint move: pairs of a predicate below and a condition.
_GIVEN = """
holds(C) :- does(holds,C).
fails(C) :- does(fails,C).
never(C) :- does(never,C).
"""


@dataclass(frozen=True)
class Said:
    """The sentences for the conditions of one explanation."""

    because: Mapping[Symbol, Sequence[str]]
    otherwise: Mapping[Symbol, Sequence[str]]
    """General sentences, for conditions that would have none."""


class Sentences:
    """The sentences of one game for conditions that hold or fail."""

    def __init__(self, encoding: Encoding, constants: Constants) -> None:
        self._query: Query | None = None
        if encoding.sentences or "why" in encoding.parts:
            rules, given = encoding.statements("base", "board", "why"), parse_statements(_GIVEN)
            every = [*rules, *encoding.sentences, *given]
            self._query = Query(every, constants, [_BECAUSE, _OTHERWISE])

    def __call__(self, facts: Facts, stated: Iterable[tuple[str, Symbol]]) -> Said:
        """The sentences for some conditions, each given with ``holds``, ``fails`` or ``never``.

        Raises ``RulesError`` for a sentence whose arguments don't fit.
        """
        found: dict[Signature, dict[Symbol, list[str]]] = {_BECAUSE: {}, _OTHERWISE: {}}
        if self._query is not None:
            does = [Tuple_([Function(word), atom]) for word, atom in stated]
            atoms = self._query([known_symbol(fact) for fact in facts], does)
            for kind, texts in found.items():
                for symbol in sorted(atoms[kind]):
                    texts.setdefault(symbol.arguments[0], []).append(sentence(symbol))
        return Said(found[_BECAUSE], found[_OTHERWISE])
