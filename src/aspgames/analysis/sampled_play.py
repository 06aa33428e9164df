"""Random games, which show whether each role has a move, play ends, and goal values are unique.

All states and moves are recorded, so that each finding has a witness.
"""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

from ..asp.grounding import Query
from ..asp.symbols import known_symbol
from ..asp.terms import shape
from ..game.game import Game
from ..game.state import State
from ..gdl.predicates import CHANCE
from ..gdl.reasoner import Consequences
from ..gdl.rules import HIGHEST_GOAL
from ..propnet.transitions import Transition
from ..runtime.budget import Budget
from ..runtime.errors import LimitReached, RulesError
from .check_report import ERROR, NOTE, WARNING, Finding, Witness
from .deriving_rules import DerivingRules
from .static_findings import refused

_NOOP = "noop"


@dataclass
class SampledGame:
    """A random game: its states, and the joint moves between them."""

    states: list[State]
    joints: list[Mapping[str, str]] = field(default_factory=list)
    ended: bool = False
    """Whether it reached a terminal state."""

    @property
    def witness(self) -> Witness:
        """The last state, with the moves that lead to it."""
        last = self.states[-1]
        return Witness(tuple(self.joints), last.facts, last.fen)


class Sample:
    """Random games from the start of a game."""

    def __init__(self, game: Game, seed: int, most_plies: int) -> None:
        self._game, self._most_plies = game, most_plies
        self._random = random.Random(seed)
        self.lines: list[SampledGame] = []
        self.highest = dict.fromkeys(game.players, -1)
        """Each player's highest goal value at an end; -1 without an end."""
        self.moves_seen: set[tuple[str, str]] = set()
        """The moves that were legal, by role and shape."""
        self.rolls = 0
        """The number of states in which chance has a choice."""
        self.out_of_time = False
        self._found: dict[tuple[str, str], Finding] = {}
        self._wrong_goals: dict[str, set[str]] = defaultdict(set)  # roles by kind of error

    @property
    def games(self) -> int:
        """The number of games that ended."""
        return sum(line.ended for line in self.lines)

    @property
    def states(self) -> int:
        """The number of states visited."""
        return sum(len(line.states) for line in self.lines)

    @property
    def longest(self) -> int:
        """The plies of the longest game that ended."""
        return max((len(line.joints) for line in self.lines if line.ended), default=0)

    def steps(self) -> Iterator[Transition]:
        """The states before and after each joint move, with all fluents."""
        for line in self.lines:
            facts = [frozenset(state.facts) for state in line.states]
            for before, after in pairwise(facts):
                yield Transition(before, after)

    def findings(self) -> list[Finding]:
        """The findings, each once."""
        return list(self._found.values())

    def only_seen(self, kind: str, severity: str, sentence: str, place: str = "") -> Finding:
        """A finding that the games show and don't prove, with the place of a rule."""
        file, _, line = place.rpartition(":")
        about = file or None, int(line) if line else None, self.games, self.states
        return Finding(kind, severity, sentence, False, *about)

    def play(self, games: int, budget: Budget) -> None:
        """Play ``games`` games; fewer if the time runs out."""
        try:
            for _ in range(games):
                if "unsettled" in self.kinds:
                    return  # play is impossible
                line = SampledGame([self._game.initial])
                self.lines.append(line)
                self._play(line, budget)
        except LimitReached:
            self.out_of_time = True

    def _play(self, line: SampledGame, budget: Budget) -> None:
        known = {line.states[0].facts: 0}
        while True:
            budget.check()
            state = line.states[-1]
            try:
                consequences = state.consequences
                if consequences.terminal:
                    self._end(line)
                    return
                if not (joint := self._choose(line, consequences)):
                    return
                self.rolls += len(state.chance) > 1  # raises for senseless weights
            except RulesError as error:
                self._unsettled(line, error)
                return
            if len(line.joints) == self._most_plies:
                if "endless" not in self.kinds:
                    text = f"a game wasn't over after {self._most_plies:,} plies"
                    self._add(line, "long", "", WARNING, text, proved=False)
                return
            try:
                after = state.play(joint)
                _ = after.facts
            except RulesError as error:
                self._unsettled(line, error)
                return
            line.states.append(after)
            line.joints.append(joint)
            if (since := known.setdefault(after.facts, len(line.joints))) != len(line.joints):
                plies = "1 ply" if len(line.joints) == 1 else f"{len(line.joints)} plies"
                text = f"play need not end: the position after {plies} is the same as after {since}"
                self._add(line, "endless", "", WARNING, text)

    def replay(self, moves: Iterable[Mapping[str, str]]) -> SampledGame:
        """Play given moves from the start, and add the findings about the last state."""
        line = SampledGame([self._game.initial])
        try:
            for joint in moves:
                line.states.append(line.states[-1].play(joint))
                line.joints.append(joint)
            consequences = line.states[-1].consequences
            if consequences.terminal:
                self._end(line)
            else:
                self._choose(line, consequences)
        except RulesError as error:
            self._unsettled(line, error)
        return line

    def _choose(self, line: SampledGame, consequences: Consequences) -> dict[str, str] | None:
        stuck = False
        for role in self._game.roles:
            moves = consequences.legal[role]
            self.moves_seen.update((role, shape(move)) for move in moves)
            if not moves:
                stuck = True
                text = f"{role} has no legal move, and the game isn't over"
                text += self._idle(consequences.legal)
                if any(consequences.legal.values()) and (role, _NOOP) not in self.moves_seen:
                    text += f"; who waits has the move {_NOOP}, as in shared/alternating.lp"
                self._add(line, "stuck", role, ERROR, text)
        if stuck:
            return None
        legal = consequences.legal
        return {role: self._random.choice(legal[role]) for role in self._game.roles}

    @cached_property
    def _goals(self) -> Query:
        base = self._game.encoding.statements("base")
        return Query(base, self._game.constants, [("goal", 2)])

    @cached_property
    def goal_rules(self) -> DerivingRules:
        """The rules that give goals."""
        return DerivingRules(self._game, ("goal", 2))

    def _idle(self, legal: Mapping[str, Iterable[str]]) -> str:
        """Which rules give nobody a move but to wait; empty if somebody has one."""
        if any(move != _NOOP for moves in legal.values() for move in moves):
            return ""
        places = DerivingRules(self._game, ("legal", 2)).places
        return f"; nobody has a move: no rule of {places} fires" if places else ""

    def _end(self, line: SampledGame) -> None:
        line.ended = True
        if not line.joints:
            places = DerivingRules(self._game, ("terminal", 0)).of_any(line.states[-1])
            text = "the game is over at its start, before anybody has moved"
            text += f" ({', '.join(places)})" if places else ""
            text += self._idle(line.states[-1].consequences.legal)
            self._add(line, "over_at_start", "", ERROR, text)
        values: dict[str, list[str]] = {role: [] for role in self._game.roles}
        facts = [known_symbol(fact) for fact in line.states[-1].facts]
        for atom in self._goals(facts)["goal", 2]:
            values.setdefault(str(atom.arguments[0]), []).append(str(atom.arguments[1]))
        wrong: dict[tuple[str, str], dict[str, str]] = {}  # by role
        for role, found in values.items():
            if problem := self._value(role, sorted(found)):
                kind, severity, text = problem
                wrong.setdefault((kind, severity), {})[role] = text
        for (kind, severity), by_role in wrong.items():
            if kind == "goal_missing":
                text = f": none of these rules fires: {self.goal_rules.places}"
                by_role[next(reversed(by_role))] += text
            elif kind == "goal_several":
                places = [
                    place
                    for value, its in self.goal_rules.of(line.states[-1]).items()
                    if any(value in values[role] for role in by_role)
                    for place in its
                ]
                by_role[next(reversed(by_role))] += f" ({', '.join(dict.fromkeys(places))})"
            if not self._wrong_goals[kind].issuperset(by_role):
                self._wrong_goals[kind].update(by_role)
                self._add(line, kind, " ".join(by_role), severity, "; ".join(by_role.values()))

    def _value(self, role: str, found: Sequence[str]) -> tuple[str, str, str] | None:
        """The kind, the severity and the sentence of what is wrong with a role's goal values."""
        if role not in self._game.roles:
            text = f"{role} has a goal value but isn't a role, so the value is ignored"
            return "not_a_role", WARNING, text
        if role == CHANCE:
            text = f"{role} has a goal value, which counts for nothing: it moves by chance"
            return ("chance_goal", NOTE, text) if found else None
        if not found:
            text = f"{role} has no goal when the game is over, which counts as 0"
            return "goal_missing", WARNING, text
        if len(found) > 1:
            text = f"{role} has {len(found)} goals when the game is over: {', '.join(found)}"
            return "goal_several", ERROR, text
        if not (found[0].isdecimal() and int(found[0]) <= HIGHEST_GOAL):
            text = f"the goal of {role} is {found[0]}, not a whole number from 0 to {HIGHEST_GOAL}"
            return "goal_range", ERROR, text
        self.highest[role] = max(self.highest[role], int(found[0]))
        return None

    def _unsettled(self, line: SampledGame, error: RulesError) -> None:
        if "unsettled" not in self.kinds:
            found = refused(error, "unsettled")
            self._found["unsettled", ""] = replace(found, witness=line.witness)

    @property
    def kinds(self) -> set[str]:
        """The kinds of the findings."""
        return {kind for kind, _ in self._found}

    def _add(
        self,
        line: SampledGame,
        kind: str,
        about: str,
        severity: str,
        text: str,
        proved: bool = True,
    ) -> None:
        if (kind, about) not in self._found:
            games, states = (None, None) if proved else (1, len(line.states))
            seen = Finding(kind, severity, text, proved, None, None, games, states, line.witness)
            self._found[kind, about] = seen
