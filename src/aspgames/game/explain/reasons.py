"""Reasons made of the chosen conditions: those with sentences, or else rule by rule."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import clingo
from clingo import ast

from ...gdl.encoding import Encoding
from ...gdl.rulebook import line_of
from ..board import Square, square_name
from .explanation import Reason, merged
from .minimal_reasons import ReasonNode


class Reasons:
    """Makes the reasons of one explanation."""

    def __init__(
        self,
        encoding: Encoding,
        sentences: Mapping[clingo.Symbol, Sequence[str]],
        excluded_by: Callable[[str], str | None],
        instead: Callable[[str], str | None],
        piece: Callable[[str], tuple[Square, str] | None],
    ) -> None:
        """``excluded_by`` returns the state's fluent that excludes an absent one, if there is one.

        ``instead`` returns the one in its place, ``piece`` is ``Vocabulary.piece``.
        """
        self._encoding = encoding
        self._sentences, self._excluded_by = sentences, excluded_by
        self._instead, self._piece = instead, piece
        self._given: set[ReasonNode] = set()

    def of(self, nodes: Iterable[ReasonNode]) -> tuple[Reason, ...]:
        """The reasons for some atoms."""
        found: list[Reason] = []
        for node in nodes:
            found += self._told(node, ()) if node.atom in self._sentences else self._below(node)
        return merged(found)

    def _below(self, node: ReasonNode, covered: bool = False) -> Iterator[Reason]:
        """The reasons for an atom, each once; with ``covered`` only those with sentences."""
        asked: dict[ReasonNode, list[ast.AST]] = {}
        for ground in node.grounds:
            for condition in ground.conditions:
                asked.setdefault(condition, []).append(ground.rule)
        for condition, rules in asked.items():
            if condition in self._given:
                continue
            self._given.add(condition)
            if condition.atom in self._sentences:
                yield from self._told(condition, rules)
            elif any(part.atom in self._sentences for part in condition.parts()):
                yield from self._below(condition, covered)
            elif not covered:
                yield self._reason(condition, "", rules, merged(self._below(condition)))

    def _told(self, node: ReasonNode, rules: Sequence[ast.AST]) -> Iterator[Reason]:
        because = merged(self._below(node, covered=True))
        for sentence in self._sentences[node.atom]:
            yield self._reason(node, sentence, rules, because)

    def _reason(
        self, node: ReasonNode, sentence: str, rules: Sequence[ast.AST], because: tuple[Reason, ...]
    ) -> Reason:
        facts, absent = set[str](), set[str]()
        for part in node.parts():
            if fluent := part.fluent:
                present = fluent if part.holds else self._excluded_by(fluent)
                (facts if present else absent).add(present or fluent)
        return Reason(
            condition=node.text,
            holds=node.holds,
            value=node.value,
            sentence=sentence,
            lines=tuple(dict.fromkeys(line_of(self._encoding, rule) for rule in rules)),
            facts=tuple(sorted(facts)),
            absent=tuple(sorted(absent)),
            empty=tuple(
                (fluent, square_name(placed[0]))
                for fluent in sorted(absent)
                if not self._instead(fluent) and (placed := self._piece(fluent))
            ),
            instead=tuple((f, other) for f in sorted(absent) if (other := self._instead(f))),
            because=because,
        )
