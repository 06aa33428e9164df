"""Views of states, legal moves and successors, from clingo's grounder.

Each grounding step answers many questions: each question is a situation of the step (see
``situations``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from ...asp.canonical import canonical
from ...asp.clingo_api import Function, Number, Symbol
from ...asp.clingo_c import arguments_of
from ...asp.symbols import known_symbol
from ...asp.terms import shorten
from ...runtime.budget import Budget
from ...runtime.errors import BadRequest, Rejected, RulesError
from ..question import HasFacts, PuzzleQuestion
from .situations import Given, Grounding, States

State = int
"""A state as a set of fluents: a bit for each, in the order of their first occurrence."""

_PREDICATES = {
    "unsettled": 1, "reached": 1, "over": 1, "attacks": 1, "rolls": 1, "weighs": 3, "edge": 2,
    "gains": 3, "loses": 3, "worth": 2,
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
    worth: str | None
    """If the goal is reached, and is ``score``: the attacker's value there."""


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


class OpenSteps:
    """A grounding that is kept open for many steps, and what each of them says."""

    def __init__(
        self, puzzle: PuzzleQuestion[HasFacts], most: int, parts: Sequence[str], only: str | None
    ) -> None:
        """``most`` questions are asked of one grounding; a new one follows, for less memory."""
        self._most, self._parts = most, ("situations", "states", *parts)
        self._new: Callable[[], Grounding] = lambda: Grounding(puzzle, solves=False, only=only)
        self._grounding = self._new()
        self._asked = 0
        self._known: dict[str, int] = {}  # the number of atoms read so far, by predicate

    def ask(self, questions: int, given: Given, states: States) -> None:
        """Ground a step for so many questions about states."""
        if self._asked + questions > self._most and self._asked:
            self._grounding, self._asked = self._new(), 0
            self._known.clear()
        self._asked += questions
        self._grounding.step((), self._parts, {"situations": [*states], **given}, states)

    def read(self, name: str, arity: int) -> list[list[int]]:
        """A predicate's atoms in the last step, as clingo's numbers for their arguments.

        All of them are facts after grounding. The step is left out.
        """
        known = self._known.get(name, 0)
        atoms = arguments_of(self._grounding.control, name, arity + 1, known)
        if atoms is None:
            raise RulesError("the rules don't settle what follows from a state")
        self._known[name] = known + len(atoms)
        return [atom[:arity] for atom in atoms]


class StateBits:
    """States as sets of fluents, and the texts of clingo's terms."""

    def __init__(self) -> None:
        self._fluents: list[Symbol] = []
        self._bits: dict[int, State] = {}  # the bits of fluents, by clingo's number for the fluent
        self._texts: dict[int, str] = {}  # terms as text, by clingo's number for the term

    def fluents(self, state: State) -> list[Symbol]:
        """The fluents of a state."""
        bits = bin(state)[:1:-1]
        return [fluent for fluent, bit in zip(self._fluents, bits, strict=False) if bit == "1"]

    def state_of(self, facts: Iterable[str]) -> State:
        """The state in which some facts hold."""
        return sum({self.bit(known_symbol(fact)._rep) for fact in facts})

    def bit(self, fluent: int) -> State:
        """The bit of a fluent."""
        if fluent not in self._bits:
            self._bits[fluent] = 1 << len(self._fluents)
            self._fluents.append(symbol_of(fluent))
        return self._bits[fluent]

    def text(self, term: int) -> str:
        """The text of a term."""
        if term not in self._texts:
            self._texts[term] = str(symbol_of(term))
        return self._texts[term]


class Stepper(StateBits):
    """Answers probes about the states that are reachable from a puzzle's state."""

    def __init__(
        self, puzzle: PuzzleQuestion[HasFacts], budget: Budget, fluents: Iterable[str] = ()
    ) -> None:
        """``fluents`` get the first bits of states."""
        super().__init__()
        self._puzzle, self.budget = puzzle, budget
        self._steps = OpenSteps(puzzle, _BATCH, ("moves", "changes"), None)
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

    def turns_of_line(self, line: Sequence[str], keys: Sequence[str]) -> int:
        """The turns that the attacker begins in a line.

        Raises ``Rejected`` unless it begins with a key, if there are keys, is legal, and comes to
        the goal at its end. A turn goes on through the moves of ``random``.
        """
        state, goes_on, turns = self.start, False, 0
        if keys and (not line or line[0] not in keys):
            raise Rejected("line: it doesn't begin with a key")
        for place, term in enumerate(line):
            answer = self.ask(Probe(state, move=term))
            if answer.view.reached:
                raise Rejected(f"line[{place}]: the goal stands before")
            if term not in answer.after:
                raise Rejected(f"line[{place}]: {shorten(term)!r} is not legal there")
            turns += self._puzzle.begins_turn(goes_on, answer.view.attacks)
            goes_on = answer.view.attacks or (answer.view.rolls and goes_on)
            state = answer.after[term]
        if not self.look(state).reached:
            raise Rejected("line: it doesn't come to the goal")
        return turns

    def forget(self) -> None:
        """Drop all answers."""
        self._answers.clear()

    def _answer(self, states: Sequence[State], probes: Sequence[Probe]) -> None:
        """Ground a step for some probes, and read the answers."""
        places = {state: Number(number) for number, state in enumerate(states)}
        given = {
            "open": [places[probe.state] for probe in probes if probe.moves],
            "asked": [
                Function("", [places[probe.state], known_symbol(probe.move)])
                for probe in probes
                if probe.move is not None and canonical(probe.move) == probe.move
            ],
        }
        fluents = {place: self.fluents(state) for state, place in places.items()}
        self._steps.ask(len(states), given, fluents)
        said = {name: self._steps.read(name, arity) for name, arity in _PREDICATES.items()}
        if said["unsettled"]:
            raise BadRequest("puzzles are for games in which one side moves at a time")
        numbers = {place._rep: number for number, place in enumerate(places.values())}
        reached, over, attacks, rolls = (
            {numbers[place] for (place,) in said[name]}
            for name in ("reached", "over", "attacks", "rolls")
        )
        worth = dict.fromkeys(reached, "0")
        worth |= {numbers[place]: self.text(value) for value, place in said["worth"]}
        after: list[dict[str, State]] = [{} for _ in states]
        for place, move in said["edge"]:
            after[numbers[place]][self.text(move)] = states[numbers[place]]
            self.edges += 1
        for fluent, place, move in (*said["gains"], *said["loses"]):
            after[numbers[place]][self.text(move)] ^= self.bit(fluent)
        for n, state in enumerate(states):
            view = Sight(n in reached, n in over, n in attacks, n in rolls, worth.get(n))
            self._answers.setdefault(state, Expansion(view)).after.update(after[n])
        new = {n for n, state in enumerate(states) if not self._answers[state].weights}
        for move, number, place in said["weighs"]:
            if (n := numbers[place]) in new:
                weights = self._answers[states[n]].weights
                weights.setdefault(self.text(move), []).append(symbol_of(number))
        for probe in probes:
            self._answers[probe.state].asked.add(probe)


def symbol_of(number: int) -> Symbol:
    """The term that clingo has under a number."""
    return Symbol(number)  # type: ignore[no-untyped-call]
