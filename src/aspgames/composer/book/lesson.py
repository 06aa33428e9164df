"""A lesson from a puzzle: all moves of the solver, right and wrong, and the other side's replies.

The solver is the side that the verdict favours: the attacker who forces the goal, or the defender
who prevents it. The nodes have the format of a strategy's, with one more kind: if the solver is on
move, each edge has a third number, which tells whether the move is right. A right move keeps the
verdict and loses no turn. The other side has one reply in each position: the one that holds out
longest after a right move, and a refutation after a wrong one. If many moves are right in many
positions, some lead to ``AS_WELL`` instead of a node: the book continues with the first right move.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from typing import Any

from ...puzzle.solution import Cooperation, Solution
from ...puzzle.solved import Position, Solved, first_of
from ...runtime.errors import BadRequest, LimitReached
from .page_steps import ANSWER, LEAVES, Steps, leaf_of
from .threats import Reason, Threats

TRY = 6
"""The solver's moves."""

AS_WELL = -4
"""The target of a right move that the book doesn't follow."""

_MOST_EDGES = 40_000
_MOST_FOLLOWED = 500  # the number of edges from which on the book follows only one right move

_MOST_REFUTING = 1_500
"""The limit of edges after wrong moves and their replies; the nearest ones are kept."""

_MOST_THREATS = 60  # the limit of wrong moves whose threat is searched for
_MOST_REASONS = 400  # the limit of wrong moves with a reason; the nearest to the beginning have one

_TRIED_REPLIES = 6  # replies to choose the hardest from
_MOST_POSITIONS = 50_000  # the limit of positions in the search for other lines to the goal


@dataclass(frozen=True, slots=True)
class _Place:
    """A position, and the number of turns that the attacker may still begin."""

    position: Position
    turns: float
    lost: bool  # whether the solver has made a wrong move

    def forced_after(self, child: Position) -> bool:
        return self.position.forced_after(child, self.turns)


class Lesson:
    """Makes the nodes of one solved puzzle."""

    def __init__(self, steps: Steps, solved: Solved, solution: Solution) -> None:
        """Raises ``BadRequest`` for a puzzle without a move to find."""
        self._steps, self._solved = steps, solved
        self._attacking = solution.verdict == "forced"
        if solution.distance == 0:
            raise BadRequest("the goal stands already, so there is no move to find")
        if solved.puzzle.defender is None and not self._attacking:
            raise BadRequest("the goal can't be reached, so there is no move to find")
        root = solved.root
        left = solved.turns_left if solution.distance is None else solution.distance - root.attacks
        self._root = _Place(root, left, False)
        self._main = dict(self._line(solution.line))
        self._nodes: list[list[int]] = []
        self._known: dict[_Place, int] = {}
        self._right: deque[tuple[int, _Place]] = deque()
        self._wrong: deque[tuple[int, _Place]] = deque()
        self._edges = 0
        self._threats = Threats(steps, solved)
        self._reasons: dict[int, Reason] = {}

    def build(self) -> dict[str, Any]:
        """The lesson as JSON. Raises ``LimitReached`` if it is too large, or the time is over."""
        root = self._target(self._root)
        while self._right:
            self._expand(*self._right.popleft())
            if self._edges > _MOST_EDGES:
                raise LimitReached(f"there would be more than {_MOST_EDGES:,} moves to choose from")
        most = self._edges + _MOST_REFUTING
        while self._wrong:
            number, place = self._wrong.popleft()
            if self._edges < most or not self._solves(place.position):
                self._expand(number, place)
            else:
                self._nodes[number] = [TRY]
        solver = self._steps.attacker if self._attacking else 1 - self._steps.attacker
        return {"root": root, "nodes": self._nodes, "solver": solver, "reasons": self._reasons}

    def _line(self, line: Iterable[str]) -> Iterable[tuple[Position, str]]:
        position = self._solved.root
        for move in line:
            yield position, move
            position = dict(position.children())[move]

    def _solves(self, position: Position) -> bool:
        return position.attacks == self._attacking

    def _target(self, place: _Place) -> int:
        position = place.position
        if (leaf := leaf_of(position, place.turns < 0)) is not None:
            return leaf
        if place not in self._known:
            self._known[place] = len(self._nodes)
            self._nodes.append([])
            (self._wrong if place.lost else self._right).append((self._known[place], place))
        return self._known[place]

    def _after(self, place: _Place, child: Position, lost: bool) -> _Place:
        return _Place(child, place.position.turns_after(child, place.turns), lost)

    def _expand(self, number: int, place: _Place) -> None:
        self._solved.budget.check()
        self._solved.progress(f"{self._edges:,} moves in the book")
        node = self._nodes[number]
        position = place.position
        if not self._solves(position):
            move, child = self._reply(number, place)
            target = self._target(self._after(place, child, place.lost))
            node += [ANSWER, self._steps.step(position, move, child), target]
            self._edges += 1
            return
        node.append(TRY)
        if not self._attacking and number and not place.lost and place.turns == float("inf"):
            return  # play could continue forever: one right move is enough
        main = self._main.get(position)
        follows = True
        for move, child in sorted(position.children(), key=lambda child: child[0] != main):
            right = not place.lost and place.forced_after(child) == self._attacking
            after = self._after(place, child, not right)
            followed = not right or follows or after in self._known
            target = self._target(after) if followed else AS_WELL
            follows = follows and (not right or self._edges < _MOST_FOLLOWED)
            node += [self._steps.step(position, move, child), target, int(right)]
            self._edges += 1

    # --- replies ----------------------------------------------------------------------------------

    def _reply(self, number: int, place: _Place) -> tuple[str, Position]:
        position, children = place.position, place.position.children()
        if self._attacking and place.lost:
            found = self._holding(place)
            if why := self._why_wrong(place, *found):
                self._reasons[number] = why
            return found
        if self._attacking:
            main = self._main.get(position)
            return first_of(
                (move, child)
                for move, child in (
                    *((m, c) for m, c in children if m == main),
                    *position.best_moves(place.turns),
                )
            )
        if place.lost:
            turns = next(t for t in count() if position.forced(t))
            quick = _Place(position, turns, True)
            self._reasons[number] = {"turns": turns + position.attacks}
            return first_of((m, c) for m, c in children if quick.forced_after(c))
        return self._hardest(place)

    def _why_wrong(self, place: _Place, answer: str, held: Position) -> Reason | None:
        """Why the solver's last move is wrong, if it is among those that are explained."""
        position, known = place.position, len(self._reasons)
        threat = None
        if known < _MOST_THREATS:
            threat = self._threats.reason(position, place.turns, answer)
        if (threat and "nothing" not in threat) or known >= _MOST_REASONS:
            return threat
        left = position.turns_after(held, place.turns)
        attempt = None if left < 0 or held.over else self._threats.attempt(held, left)
        return {**(threat or {}), **(attempt or {})} or None

    def _holding(self, place: _Place) -> tuple[str, Position]:
        """A defence that holds; known results come before searches."""
        children = place.position.children()
        for move, child in children:
            if child.over or child.known(place.position.turns_after(child, place.turns)) is False:
                return move, child
        return first_of((m, c) for m, c in children if not place.forced_after(c))

    def _hardest(self, place: _Place) -> tuple[str, Position]:
        """The attack, among some, that leaves the fewest replies that hold."""
        some = sorted(place.position.children(), key=lambda child: len(child[1].children()))
        alive = [pair for pair in some if pair[1].children()][:_TRIED_REPLIES]

        def holding(child: Position) -> int:
            after = self._after(place, child, False)
            if after.turns < 0 or not self._solves(child):
                return len(child.children())
            return sum(not after.forced_after(reply) for _, reply in child.children())

        return min(alive, key=lambda pair: holding(pair[1])) if alive else some[0]


class CooperativeLesson:
    """Makes the nodes of one puzzle, in the format of ``Lesson``.

    A move is right if the goal stays in reach in the least number of turns. If there are too many
    positions to decide that, only the moves of the known line are right.
    """

    def __init__(self, steps: Steps, solved: Solved, found: Cooperation) -> None:
        """Raises ``BadRequest`` for a puzzle without a move to find."""
        if not found.distance:
            raise BadRequest("the goal stands already, so there is no move to find")
        self._steps, self._solved, self._line = steps, solved, found.line
        self._turns = found.distance - solved.root.attacks
        self._reaches: dict[tuple[Position, float], bool] = {}

    def build(self) -> dict[str, Any]:
        """The lesson as JSON."""
        try:
            self._reachable(self._solved.root, self._turns)
            nodes = self._all()
        except _TooMany:
            nodes = self._of_line()
        return {"root": 0, "nodes": nodes, "solver": self._steps.attacker, "helped": True}

    def _all(self) -> list[list[int]]:
        """The nodes of all positions on shortest lines."""
        root = (self._solved.root, float(self._turns))
        numbers, waiting, nodes = {root: 0}, [root], list[list[int]]()
        for position, turns in waiting:
            node = [TRY]
            for move, child in position.children():
                after = child, position.turns_after(child, turns)
                right = self._reachable(*after)
                target = leaf_of(child, not right)
                if target is None:
                    target = numbers.setdefault(after, len(numbers))
                    if target == len(waiting):
                        waiting.append(after)
                node += [self._steps.step(position, move, child), target, int(right)]
            nodes.append(node)
        return nodes

    def _of_line(self) -> list[list[int]]:
        position, nodes = self._solved.root, list[list[int]]()
        for number, right in enumerate(self._line, start=1):
            node, children = [TRY], position.children()
            for move, child in children:
                there = LEAVES["goal"] if child.goal_reached else number
                target = there if move == right else LEAVES["turns"]
                good = move == right or child.goal_reached
                node += [self._steps.step(position, move, child), target, int(good)]
            nodes.append(node)
            position = dict(children)[right]
        return nodes

    def _reachable(self, position: Position, turns: float) -> bool:
        """Whether both sides together reach the goal within ``turns`` more turns."""
        if position.goal_reached or position.over or turns < 0:
            return position.goal_reached
        key = position, turns
        if key not in self._reaches:
            if len(self._reaches) >= _MOST_POSITIONS:
                raise _TooMany
            self._solved.budget.check()
            self._reaches[key] = any(
                self._reachable(child, position.turns_after(child, turns))
                for _, child in position.children()
            )
        return self._reaches[key]


class _TooMany(Exception):
    """The limit of positions is exceeded."""
