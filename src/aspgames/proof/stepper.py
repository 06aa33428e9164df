"""From state to state: what clingo says of a state, its legal moves and what each leads to.

Questions are put many at a time: each is a situation of one step (see ``situated``), which clingo's
grounder answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

import clingo

from ..budget import Budget
from ..clingo_c import facts_of
from ..errors import BadRequest, RulesError
from ..puzzle.problem import Puzzle
from ..symbols import known_symbol
from ..terms import canonical
from .situated import Grounding

State = int
"""A state as the set of its fluents: a bit for each, in the order in which they came up."""

_SAID = {
    "unsettled": 1, "reached": 1, "over": 1, "attacks": 1, "edge": 2, "gains": 3, "loses": 3
}  # fmt: skip
"""What is read of a step, with the arities."""
_BATCH = 150  # questions for which memory is kept


@dataclass(frozen=True, slots=True)
class View:
    """What a puzzle needs to know of a state."""

    reached: bool
    """Whether the goal stands."""
    over: bool
    """Whether there is nothing to play: a terminal state, or the side on move is stuck."""
    attacks: bool
    """Whether the attacker is on move, or would be."""


@dataclass(frozen=True, slots=True)
class Question:
    """What to ask of a state: what it is, and where its moves lead, or one of them."""

    state: State
    moves: bool = False
    """Whether to ask for all moves of the side on move."""
    move: str | None = None
    """The one move to ask for."""


@dataclass(slots=True)
class Answer:
    """What a state is, and the states after the moves that were asked for, if they are legal."""

    view: View
    after: dict[str, State] = field(default_factory=dict)


class Stepper:
    """Answers for the states that can follow from a puzzle's."""

    def __init__(self, puzzle: Puzzle, budget: Budget) -> None:
        self.budget = budget
        self._puzzle = puzzle
        self._grounding = Grounding(puzzle, solves=False)
        self._asked = 0
        """The questions that the grounding has answered."""
        self._read: dict[str, int] = {}
        """How many atoms of a predicate were read already."""
        self._fluents: list[clingo.Symbol] = []
        self._bits: dict[clingo.Symbol, State] = {}
        self._answers: dict[Question, Answer] = {}
        self.edges = 0
        """The moves that were looked at."""
        self.start = sum(self._bit(known_symbol(fact)) for fact in puzzle.state.facts)

    def look(self, state: State) -> View:
        """What the state is."""
        return self.ask(Question(state)).view

    def ask(self, question: Question) -> Answer:
        """The answer to a question. Raises ``BadRequest`` if no puzzle is for such a state."""
        self.prepare([question])
        return self._answers[question]

    def prepare(self, questions: Iterable[Question]) -> None:
        """Have answers at hand for many questions."""
        wanted = iter({question: None for question in questions if question not in self._answers})
        while batch := list(islice(wanted, _BATCH)):
            self.budget.check()
            self._answer(batch)

    def forget(self) -> None:
        """Drop the answers at hand."""
        self._answers.clear()

    def fluents(self, state: State) -> list[clingo.Symbol]:
        """The fluents of a state."""
        bits = bin(state)[:1:-1]
        return [fluent for fluent, bit in zip(self._fluents, bits, strict=False) if bit == "1"]

    def _bit(self, fluent: clingo.Symbol) -> State:
        if fluent not in self._bits:
            self._bits[fluent] = 1 << len(self._fluents)
            self._fluents.append(fluent)
        return self._bits[fluent]

    def _answer(self, batch: Sequence[Question]) -> None:
        """Ground a step for some questions, and read the answers."""
        if self._asked + len(batch) > _BATCH:
            self._grounding, self._asked = Grounding(self._puzzle, solves=False), 0
            self._read.clear()
        self._asked += len(batch)
        places = [clingo.Number(number) for number in range(len(batch))]
        given = {
            "situations": places,
            "states": places,
            "open": [places[n] for n, question in enumerate(batch) if question.moves],
            "asked": [
                clingo.Function("", [places[n], known_symbol(question.move)])
                for n, question in enumerate(batch)
                if question.move is not None and canonical(question.move) == question.move
            ],
        }
        states = {
            place: self.fluents(question.state)
            for place, question in zip(places, batch, strict=True)
        }
        self._grounding.step("moves", given, states)
        said = {name: self._new(name, arity) for name, arity in _SAID.items()}
        if said["unsettled"]:
            raise BadRequest("puzzles are for games in which one side moves at a time")
        reached, over, attacks = (
            {place.number for (place,) in said[name]} for name in ("reached", "over", "attacks")
        )
        answers = [Answer(View(n in reached, n in over, n in attacks)) for n in range(len(batch))]
        for place, move in said["edge"]:
            answers[place.number].after[str(move)] = batch[place.number].state
            self.edges += 1
        for fluent, place, move in (*said["gains"], *said["loses"]):
            answers[place.number].after[str(move)] ^= self._bit(fluent)
        self._answers.update(zip(batch, answers, strict=True))

    def _new(self, name: str, arity: int) -> list[list[clingo.Symbol]]:
        """What the last step says: a predicate's atoms, as their arguments without the step.

        The grounder settles them all.
        """
        known = self._read.get(name, 0)
        atoms = facts_of(self._grounding.control, name, arity + 1, known)
        if atoms is None:
            raise RulesError("the rules don't settle what follows from a state")
        self._read[name] = known + len(atoms)
        return [atom.arguments[:arity] for atom in atoms]
