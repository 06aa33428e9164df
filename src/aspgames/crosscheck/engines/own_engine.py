"""``grounder`` and ``propnet``: aspgames itself, one of its reasoners against the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...game.game import Game
from ...play.perft import divide
from ...runtime.budget import Budget
from ...runtime.errors import LimitReached, RulesError
from .engine import Answer, Question, Refusal
from .reference import Reference


class OwnEngine:
    """See ``Engine``. The side of the rules must have the other reasoner."""

    whole_turns = False
    sets_up = True
    plays_on = False

    def __init__(self, name: str, timeout: float = 10.0) -> None:
        """``name`` is ``"grounder"`` or ``"propnet"``; a perft may take ``timeout`` seconds."""
        self.name = name
        self._timeout = timeout
        self._rules: dict[Game, Reference] = {}

    def check(self, game: Game) -> None:
        """Prepare the rules. Raises what ``BatchReasoner`` raises."""
        if game not in self._rules:
            self._rules[game] = Reference(game, whole_turns=False, reasoner=self.name)

    def answers(self, questions: Sequence[Question]) -> Iterator[Answer | Refusal]:
        """What it says of each question, whose successors are its own, too."""
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

    def close(self) -> None:
        """There is nothing to let go of."""
