"""Views of states, legal moves and successors, from clingo's grounder.

Each grounding step answers many questions: each question is a situation of the step (see
``situations``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from ...asp.canonical import canonical
from ...asp.clingo_api import Function, Number, Symbol
from ...asp.clingo_c import arguments_of
from ...asp.symbols import known_symbol
from ...runtime.budget import Budget
from ...runtime.errors import BadRequest, RulesError
from ..question import HasFacts, PuzzleQuestion
from .situations import Grounding

State = int
"""A state as a set of fluents: a bit for each, in the order of their first occurrence."""

_SAID = {
    "unsettled": 1, "reached": 1, "over": 1, "attacks": 1, "rolls": 1, "weighs": 3, "edge": 2,
    "gains": 3, "loses": 3,
}  # fmt: skip
"""The predicates to read after a step, with their arities."""
_BATCH = 150  # states kept in memory


@dataclass(frozen=True, slots=True)
class Sight:
    """A state as a puzzle sees it."""

    reached: bool
    """Whether the state reaches the goal."""
    over: bool
    """Whether there is no move: the state is terminal, or the side on move is stuck."""
    attacks: bool
    """Whether the attacker is on move, or would be."""
    rolls: bool
    """Whether the role ``random`` is on move, or would be."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A question about a state: its view, and the successors by all moves or by one."""

    state: State
    moves: bool = False
    """Whether to ask for all moves of the side on move."""
    move: str | None = None
    """The one move to ask for."""


@dataclass(slots=True)
class Expansion:
    """A state's view and successors; may hold more than a probe asked for."""

    view: Sight
    after: dict[str, State] = field(default_factory=dict)
    """The states after legal moves."""
    weights: dict[str, list[Symbol]] = field(default_factory=dict)
    """The weights by ``weight/2`` of the moves of ``random``, if it is on move."""
    asked: set[Probe] = field(default_factory=set)
    """The probes that the expansion answers."""

    def answers(self, probe: Probe) -> bool:
        """Whether the expansion answers a probe."""
        everything, nothing = Probe(probe.state, moves=True), Probe(probe.state)
        return probe == nothing or probe in self.asked or everything in self.asked


class Stepper:
    """Answers probes about the states that are reachable from a puzzle's state."""

    def __init__(
        self, puzzle: PuzzleQuestion[HasFacts], budget: Budget, fluents: Iterable[str] = ()
    ) -> None:
        """``fluents`` get the first bits of states."""
        self.budget = budget
        self._puzzle = puzzle
        self._grounding = Grounding(puzzle, solves=False)
        self._grounded = 0  # the number of states that the grounding has examined
        self._read: dict[str, int] = {}  # the number of atoms read so far, by predicate
        self._fluents: list[Symbol] = []
        self._bits: dict[int, State] = {}  # the bits of fluents, by clingo's number for the fluent
        self._texts: dict[int, str] = {}  # moves as text, by clingo's number for the move
        self._answers: dict[State, Expansion] = {}
        self.edges = 0
        """The number of moves examined."""
        self.state_of(fluents)
        self.start = self.state_of(puzzle.state.facts)

    def look(self, state: State) -> Sight:
        """The view of a state."""
        return self.ask(Probe(state)).view

    def ask(self, probe: Probe) -> Expansion:
        """The answer to a probe. Raises ``BadRequest`` for a state that puzzles can't have."""
        self.prepare([probe])
        return self._answers[probe.state]

    def prepare(self, probes: Iterable[Probe]) -> None:
        """Compute the answers to many probes."""
        wanted: dict[State, list[Probe]] = {}
        for probe in probes:
            known = self._answers.get(probe.state)
            if known is None or not known.answers(probe):
                wanted.setdefault(probe.state, []).append(probe)
        states = iter(wanted)
        while batch := list(islice(states, _BATCH)):
            self.budget.check()
            self._answer(batch, [probe for state in batch for probe in wanted[state]])

    def forget(self) -> None:
        """Drop all answers."""
        self._answers.clear()

    def fluents(self, state: State) -> list[Symbol]:
        """The fluents of a state."""
        bits = bin(state)[:1:-1]
        return [fluent for fluent, bit in zip(self._fluents, bits, strict=False) if bit == "1"]

    def state_of(self, facts: Iterable[str]) -> State:
        """The state in which some facts hold."""
        return sum({self._bit(known_symbol(fact)._rep) for fact in facts})

    def _bit(self, fluent: int) -> State:
        if fluent not in self._bits:
            self._bits[fluent] = 1 << len(self._fluents)
            self._fluents.append(_symbol(fluent))
        return self._bits[fluent]

    def _text(self, move: int) -> str:
        if move not in self._texts:
            self._texts[move] = str(_symbol(move))
        return self._texts[move]

    def _answer(self, states: Sequence[State], probes: Sequence[Probe]) -> None:
        """Ground a step for some probes, and read the answers."""
        if self._grounded + len(states) > _BATCH:
            self._grounding, self._grounded = Grounding(self._puzzle, solves=False), 0
            self._read.clear()
        self._grounded += len(states)
        places = {state: Number(number) for number, state in enumerate(states)}
        given = {
            "situations": [*places.values()],
            "open": [places[probe.state] for probe in probes if probe.moves],
            "asked": [
                Function("", [places[probe.state], known_symbol(probe.move)])
                for probe in probes
                if probe.move is not None and canonical(probe.move) == probe.move
            ],
        }
        fluents = {place: self.fluents(state) for state, place in places.items()}
        self._grounding.step((), ("situations", "states", "moves", "changes"), given, fluents)
        said = {name: self._new(name, arity) for name, arity in _SAID.items()}
        if said["unsettled"]:
            raise BadRequest("puzzles are for games in which one side moves at a time")
        numbers = {place._rep: number for number, place in enumerate(places.values())}
        reached, over, attacks, rolls = (
            {numbers[place] for (place,) in said[name]}
            for name in ("reached", "over", "attacks", "rolls")
        )
        after: list[dict[str, State]] = [{} for _ in states]
        for place, move in said["edge"]:
            after[numbers[place]][self._text(move)] = states[numbers[place]]
            self.edges += 1
        for fluent, place, move in (*said["gains"], *said["loses"]):
            after[numbers[place]][self._text(move)] ^= self._bit(fluent)
        for n, state in enumerate(states):
            view = Sight(n in reached, n in over, n in attacks, n in rolls)
            self._answers.setdefault(state, Expansion(view)).after.update(after[n])
        new = {n for n, state in enumerate(states) if not self._answers[state].weights}
        for move, number, place in said["weighs"]:
            if (n := numbers[place]) in new:
                weights = self._answers[states[n]].weights
                weights.setdefault(self._text(move), []).append(_symbol(number))
        for probe in probes:
            self._answers[probe.state].asked.add(probe)

    def _new(self, name: str, arity: int) -> list[list[int]]:
        """A predicate's atoms in the last step, as clingo's numbers for their arguments.

        All of them are facts after grounding. The step is left out.
        """
        known = self._read.get(name, 0)
        atoms = arguments_of(self._grounding.control, name, arity + 1, known)
        if atoms is None:
            raise RulesError("the rules don't settle what follows from a state")
        self._read[name] = known + len(atoms)
        return [atom[:arity] for atom in atoms]


def _symbol(number: int) -> Symbol:
    return Symbol(number)  # type: ignore[no-untyped-call]
