"""The search at work: a table that grows, asked whether states are forced within so many turns."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..budget import Budget
from ..engine.net import Net, net_for
from ..engine.open_grounding import MOST_RULES
from ..errors import BadRequest
from ..puzzle.problem import Puzzle
from ..reasoner import Facts
from .beam import find_plan, new_beam
from .expand import TOGETHER, VAGUE, expand, judge, new_family
from .gates import LANES, Words
from .machine import ATTACKER, DEFENDER, machine_for
from .proof_numbers import (
    DECIDED,
    DEEP,
    DEEPEST,
    FULL,
    MIXED,
    PAUSED,
    PLAN,
    UNSURE,
    prove,
)
from .table import NEVER, grown, new_table, node_of

_SLICE = 0.1  # seconds of search between looks at the clock
_MEMORY = 4 << 30  # bytes, unless something else is asked for
_NARROWEST = 8  # beginnings of plans that are kept at first


class Cyclic(Exception):
    """A line of play is so long that it must go round in circles."""


@dataclass(frozen=True, slots=True)
class Place:
    """A state in the search."""

    key: tuple[int, ...]
    reached: bool
    over: bool
    """Whether the game ends here without the goal, or nobody can move."""
    attacks: bool
    """Whether the attacker is on move."""


def turns_after(place: Place, child: Place, turns: int) -> int:
    """The turns left after a move: the attacker who comes on move begins one."""
    begins = child.attacks and not place.attacks
    return turns - 1 if begins and turns < NEVER else turns


class Prover:
    """Answers for one puzzle's states; what it learns from one answer serves the next."""

    def __init__(
        self,
        puzzle: Puzzle,
        budget: Budget,
        memory: float | None = None,
        progress: Callable[[str], None] | None = None,
        net: Net | None = None,
    ) -> None:
        """Make the net, unless one is given. Raises as ``net_for``; ``memory`` is in bytes."""
        self._puzzle = puzzle
        self.budget = budget
        """What the questions may use from now on."""
        self._memory = memory or _MEMORY
        self._progress = progress or (lambda _text: None)
        self.net = net or net_for(puzzle.state.game.rules, puzzle.state.facts, MOST_RULES)
        self._words = max(1, (len(self.net.fluents) + 63) // 64)
        self._table = new_table(self._words, len(self.net.moves))
        self._stack = np.zeros((DEEPEST, 5), dtype=np.int64)
        self._counted = 0
        self._slice = 200
        self.cyclic = False
        """Whether play may go on for ever; then the defender's plans aren't used."""
        self._make_machine(general=False)

    def start_anew(self, cyclic: bool) -> None:
        """Forget what was found."""
        self.cyclic = cyclic
        self._table = new_table(self._words, len(self.net.moves))
        self._counted = 0

    def _make_machine(self, general: bool) -> None:
        self._machine = machine_for(self._puzzle, self.net, general)
        self._family = new_family(self._machine, self._words)
        self._beam = new_beam(self._machine, self._words)

    def place_of(self, facts: Facts) -> Place:
        """The place of a state that the puzzle's position can lead to."""
        held = set(facts)
        words = [0] * self._words
        for number, fluent in enumerate(self.net.fluents):
            if fluent in held:
                words[number >> 6] |= 1 << (number & 63)
        key = np.array(words, dtype=np.uint64)
        found = judge(self._machine, key, self._family)
        if found < 0:
            self._make_machine(general=True)
            found = judge(self._machine, key, self._family)
        if found & 8:
            raise BadRequest("puzzles are for games in which one side moves at a time")
        return Place(tuple(words), bool(found & 1), bool(found & 2), bool(found & 4))

    def children(self, place: Place) -> list[tuple[str, Place]]:
        """The moves of the side on move, sorted, each with the place it leads to."""
        if place.reached or place.over:
            return []
        family = self._family
        expand(self._machine, self._key(place), family)
        if family.numbers[1] == VAGUE:
            self._make_machine(general=True)
            return self.children(place)
        if family.numbers[1] == TOGETHER:
            raise BadRequest("puzzles are for games in which one side moves at a time")
        count = int(family.numbers[0])
        flags = zip(
            family.keys[:count].tolist(),
            family.reached[:count].tolist(),
            family.over[:count].tolist(),
            family.attacks[:count].tolist(),
            strict=True,
        )
        places = [Place(tuple(k), bool(r), bool(o), bool(a)) for k, r, o, a in flags]
        moves = [self.net.moves[move][1] for move in family.moves[:count].tolist()]
        return sorted(zip(moves, places, strict=True), key=lambda child: child[0])

    def _key(self, place: Place) -> Words:
        return np.array(place.key, dtype=np.uint64)

    def _node(self, place: Place) -> int:
        self._make_room(1, 0)
        return int(node_of(self._table, self._key(place), place.attacks, 1))

    def _make_room(self, nodes: int, edges: int) -> None:
        used = self._table.used
        if used[0] + nodes > len(self._table.nodes) or used[1] + edges > len(self._table.edges):
            self._table = grown(self._table, nodes, edges, self._memory)

    def bounds(self, place: Place) -> tuple[int, int]:
        """The most turns known not to suffice, and the fewest known to suffice.

        -1 and ``NEVER`` stand for none, ``NEVER`` as the first for any number, and any number above
        ``NEVER`` as the second for none.
        """
        record = self._table.nodes[self._node(place)]
        return int(record["short"]), int(record["enough"])

    @property
    def states(self) -> int:
        """How many states the table holds."""
        return int(self._table.used[0])

    def work(self, place: Place, turns: int, expansions: float, depth_first: bool = False) -> bool:
        """Search on for so many expansions; returns whether it is decided for so many turns.

        Raises ``LimitReached``, ``Cyclic``, and ``BadRequest`` where the sides turn out not to
        alternate.
        """
        node = self._node(place)
        while expansions >= 1:
            self.budget.check()
            # An expansion evaluates up to some thousand positions.
            part = int(min(expansions, self._slice, max(1, self.budget.positions_left / 1000)))
            start = time.monotonic()
            status = prove(
                self._machine,
                self._table,
                node,
                turns,
                depth_first,
                part,
                self._family,
                self._stack,
                self._beam.states,
            )
            spent = time.monotonic() - start
            self._count()
            if status == DECIDED:
                return True
            at, turns_there, left = self._stack[-1, :3].tolist()
            expansions -= part - left
            if status == PAUSED:
                if part == self._slice:
                    self._slice = max(20, int(part * min(2.0, max(0.5, _SLICE / (spent + 1e-9)))))
                self._report(node, turns)
            elif status == PLAN:
                self._try_plans(at, turns_there)
            elif status == FULL:
                most = len(self._family.moves)
                self._make_room(most, most)
            elif status == UNSURE:
                self._make_machine(general=True)
            elif status == MIXED:
                raise BadRequest("puzzles are for games in which one side moves at a time")
            else:
                assert status == DEEP
                raise Cyclic
        return False

    def _try_plans(self, node: int, turns: int) -> None:
        """Try to settle a node by a plan, the more widely the more effort went into it."""
        record = self._table.nodes[node]
        width = min(_NARROWEST << (2 * int(record["planned"])), LANES)
        record["planned"] += 1
        key = self._table.keys[node]
        if not self.cyclic and self._find_plan(key, DEFENDER, turns, width):
            record["short"] = max(int(record["short"]), turns)
        elif self._find_plan(key, ATTACKER, turns, width):
            record["enough"] = min(int(record["enough"]), int(self._beam.length[1]))

    def _find_plan(self, key: Words, side: int, turns: int, width: int) -> bool:
        return find_plan(self._machine, key, side, turns, width, self._beam)

    def _count(self) -> None:
        evaluated = int(self._table.used[2])
        self.budget.spend(evaluated - self._counted)
        self._counted = evaluated

    def _report(self, node: int, turns: int) -> None:
        record = self._table.nodes[node]
        seconds = max(self.budget.seconds, 1e-9)
        within = "any number" if turns >= NEVER else f"{turns + bool(record['attacks'])}"
        self._progress(
            f"within {within}: proof number {record['proof']:,}, "
            f"disproof number {record['disproof']:,}, "
            f"{self._counted:,} positions, {self._counted / seconds:,.0f}/s"
        )

    def forces(self, place: Place, turns: int) -> bool:
        """Whether the attacker forces the goal from a place, beginning so many more turns."""
        if place.reached or place.over or turns < 0:
            return place.reached
        turns = min(turns, NEVER)
        node = self._node(place)
        while True:
            record = self._table.nodes[node]
            if record["enough"] <= turns or record["short"] >= turns:
                return bool(record["enough"] <= turns)
            self.work(place, turns, float("inf"))

    def plan(self, place: Place, attack: bool, turns: int, width: int) -> list[str | None] | None:
        """A plan for one side from a place, by ply, with None for the other side's; or None."""
        side = ATTACKER if attack else DEFENDER
        if not self._find_plan(self._key(place), side, turns, width):
            return None
        moves = self._beam.plan[: self._beam.length[0]].tolist()
        return [self.net.moves[move][1] if move >= 0 else None for move in moves]
