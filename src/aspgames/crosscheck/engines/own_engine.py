"""``grounder`` and ``propnet``: one of aspgames' own reasoners, checked against the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...game.game import Game
from ...play.perft import divide
from ...runtime.budget import Budget
from ...runtime.errors import LimitReached, RulesError
from .engine import Answer, Engine, Question, Refusal
from .reference import Reference


class OwnEngine(Engine):
    """One of our reasoners; the rules' side uses the other one."""

    whole_turns = False
    plays_on = False

    def __init__(self, name: str, timeout: float = 10.0) -> None:
        """``name`` is ``"grounder"`` or ``"propnet"``; ``timeout`` is for each perft [s]."""
        self.name = name
        self._timeout = timeout
        self._rules: dict[Game, Reference] = {}

    def check(self, game: Game) -> None:
        """Prepare the reasoner. Raises ``RulesError`` and ``LimitReached``."""
        if game not in self._rules:
            self._rules[game] = Reference(game, whole_turns=False, reasoner=self.name)

    def answers(self, questions: Sequence[Question]) -> Iterator[Answer | Refusal]:
        """Its answers; it also computes the successors by itself."""
        if not questions:
            return
        self.check(questions[0].game)
        rules = self._rules[questions[0].game]
        plies = [tuple(question.plies) for question in questions]
        after = rules.play([question.facts for question in questions], plies)
        yield from (answer for answer, _ in rules.ask(after))

    def divide(self, question: Question, depth: int) -> Mapping[str, int] | None:
        """Its perft, if that ends in time."""
        budget = Budget(self._timeout)
        try:
            return divide(question.state, depth, reasoner=self.name, budget=budget)
        except (RulesError, LimitReached):
            return None
