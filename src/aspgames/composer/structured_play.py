"""The play of a problem with a structured stipulation, by rules of reference."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice

from ..game.state import State
from ..puzzle.structured_stipulation import Both, Branch, Leaf, Node, Not, is_test
from ..runtime.budget import Budget
from .lookahead import Place
from .lookahead_play import LookaheadPlay, Task, shown_sign
from .problem_play import Line

_Step = tuple[str, Place | None]
"""A half-move's term with the place after it; or a goal that it reaches."""


class StructuredPlay(LookaheadPlay):
    """The play of a problem with a structured stipulation."""

    def __init__(
        self,
        state: State,
        root: Node,
        budget: Budget,
        no_threats: bool,
        options: Mapping[str, str] | None = None,
    ) -> None:
        """``options`` are as for ``LookaheadPlay``. Raises ``RulesError`` and ``LimitReached``."""
        self.waits = False
        """Whether the side that would begin passes first."""
        self._root = root
        if isinstance(root, Branch) and root.turned:
            self.waits, self._root = not root.battles, replace(root, turned=False)
        self._unsolved: set[tuple[Branch, int, int, bytes, int]] = set()
        self._signs: dict[int, str] = {}
        self._sign = ""  # of the goals that the last half-move reaches
        self._played: dict[int, int] = {}
        self._number = 0  # of the half-move that is looked at
        battle = self.battle
        turns = (battle.most + 1 + (battle.letters == "da")) // 2 if battle else 0
        task = Task(False, "", battle is None, "", 0 if battle else 1, turns)
        after_key = bool(battle and battle.letters == "da")
        super().__init__(state, task, budget, no_threats, after_key=after_key, options=options)
        if self.waits:
            self.root = self._shown(self._look.turned(self._first))

    @property
    def battle(self) -> Branch | None:
        """The play if all of it is against the other side, without parries."""
        root = self._root if isinstance(self._root, Branch) else None
        return root if root and root.battles and not root.parries else None

    @property
    def passed_root(self) -> State | None:
        """The problem's position with the other side on move, one half-move later."""
        return self._counted(super().passed_root, 1)

    def passed(self, state: State) -> State | None:
        """A state with the other side on move; the null move counts as a half-move."""
        return self._counted(super().passed(state), self._played.get(id(state), 0) + 1)

    def _counted(self, state: State | None, played: int) -> State | None:
        if state is not None:
            self._played[id(state)] = played
        return state

    def sign(self, state: State, goal: str) -> str:
        """The signs of the goals that the move to this state reaches."""
        if self.battle and not self.reached(state) and self.mated(state):
            return "#"  # too early
        return self._signs.get(id(state), goal if self.reached(state) else "")

    def lines(self, state: State, plies: int, most: int) -> Iterator[Line]:  # noqa: ARG002
        """All lines to the goal, the short ones first."""
        yield from islice(self._shown_lines(self._root, self._place(state)), most)

    def series_set_play(self) -> list[Line]:
        """The play that is left if the side that begins passes."""
        root, start = self._root, self.passed_root
        if (
            start
            and isinstance(root, Branch)
            and root.parries
            and isinstance(root.forks[0], Branch)
        ):
            return list(self._shown_lines(root.forks[0], self._place(start)))
        if start is None or not isinstance(root, Branch) or root.letters != "hh" or root.most < 2:
            return []
        rest = replace(
            root,
            least=max(root.least - 1, 0),
            most=root.most - 1,
            forks=root.forks[::-1],
            limits=root.limits[::-1],
        )
        return list(self._shown_lines(rest, self._place(start)))

    def _shown_lines(self, node: Node, start: Place) -> Iterator[Line]:
        for steps in self._lines(node, start, -1):
            line: list[tuple[str, State]] = []
            for (term, place), (sign, later) in zip(steps, [*steps[1:], ("", None)], strict=True):
                if place is not None:
                    goal = sign if later is None else ""
                    line.append((term, self._shown(place, bool(goal))))
                    self._signs[id(line[-1][1])] = shown_sign(goal)
            yield tuple(line)

    # --- the search -------------------------------------------------------------------------------

    def children(self, state: State) -> Iterator[tuple[str, State]]:
        """The moves of a state as terms, each with the state after it, which counts half-moves."""
        played = self._played.get(id(state), 0) + 1
        found = super().children(state)
        while True:
            self._number = played
            child = next(found, None)
            if child is None:
                return
            self._played[id(child[1])] = played
            if self.reached(child[1]):
                self._signs[id(child[1])] = self._sign
            yield child

    def _ends(self, before: Place, move: int, place: Place) -> bool:
        battle = self.battle
        assert battle is not None
        if self._number < battle.least - 1:
            return False
        letter = "a" if before.mover == self._attacker else "d"
        fork = battle.forks[battle.letters.index(letter)]
        self._sign = " ".join(self._reached_signs(fork, place, move)) if fork else ""
        return fork is not None and self._holds(fork, place, move)

    def _reached_signs(self, node: Node, place: Place, move: int) -> Iterator[str]:
        """The signs of the goals that a half-move reaches; of two where one suffices, the first."""
        if isinstance(node, Leaf) and self._holds(node, place, move):
            yield shown_sign(node.goal)
        elif isinstance(node, Both):
            left = [*self._reached_signs(node.left, place, move)]
            yield from left
            if node.sign == "&" or not left:
                yield from self._reached_signs(node.right, place, move)

    def _forced(self, place: Place, turns: int) -> bool:
        battle = self.battle
        assert battle is not None
        attacks = place.mover == self._attacker
        last = battle.letters[(battle.most - 1) % 2]
        left = 2 * turns - (attacks and last == "a") + (not attacks and last == "d")
        return self._wins_within(battle, place, left)

    def _holds(self, node: Node, place: Place, move: int) -> bool:
        """Whether a part of the stipulation is fulfilled after a half-move."""
        if isinstance(node, Leaf):
            return self._is_goal(node.goal, move, place)
        if isinstance(node, Not):
            return not self._holds(node.node, place, move)
        if isinstance(node, Both):
            tests = (self._holds(part, place, move) for part in (node.left, node.right))
            return all(tests) if node.sign == "&" else any(tests)
        if not node.battles:
            return next(self._lines(node, place, move), None) is not None
        begun = self._begun(node, place)
        return begun is not None and self._wins_within(node, begun, node.most)

    def _begun(self, branch: Branch, place: Place) -> Place | None:
        turned = self._look.turned(place) if branch.turned else place
        return turned if self._look.is_lawful(turned) else None

    def _wins_within(self, branch: Branch, place: Place, left: int) -> bool:
        """Whether the attacker of a branch reaches its goals within so many half-moves."""
        which = (branch.most - left) % 2
        limit, fork = branch.limits[1 - which], branch.forks[which]
        counted = branch.most - left + 1 >= branch.least - 1
        if left <= 0 or not (limit is None or self._holds(limit, place, -1)):
            return False
        if self._passes(branch, place, which):
            turned = self._look.turned(place)
            return self._look.is_lawful(turned) and self._wins_within(branch, turned, left - 1)
        return self._settled(
            (branch, left, place.row, place.mover),
            place,
            branch.letters[which] == "a",
            lambda move, after: (
                (counted and fork is not None and self._holds(fork, after, move))
                or (left > 1 and self._wins_within(branch, after, left - 1))
            ),
        )

    @staticmethod
    def _passes(branch: Branch, place: Place, played: int) -> bool:
        """Whether the side that only parries passes after so many half-moves."""
        return branch.parries and played % 2 == 1 and not place.checked

    def _lines(self, node: Node, place: Place, move: int) -> Iterator[tuple[_Step, ...]]:
        """All lines that fulfil a part of the stipulation; that of a goal has only the goal."""
        if isinstance(node, Leaf | Not) or (isinstance(node, Branch) and node.silent):
            if self._holds(node, place, move):
                yield ((node.goal if isinstance(node, Leaf) else "", None),)
            return
        if isinstance(node, Both):
            if node.sign == "|" or self._holds(node, place, move):
                yield from self._lines(node.left, place, move)
                yield from self._lines(node.right, place, move)
            return
        assert isinstance(node, Branch)
        begun = self._begun(node, place)
        if begun is None:
            return
        start: tuple[_Step, ...] = (("pass", begun),) if node.turned else ()
        if move >= 0 and node.letters in ("ad", "ss") and node.most > 1:
            start += (("begin", begun),)
        if node.battles:
            found = self._battle_lines(node, begun, node.most)
        else:
            first = node.least or 1 if node.letters == "ss" else max(node.least - 1, 0)
            lengths = range(first, node.most + 1)
            found = (
                line for length in lengths for line in self._walk(node, begun, move, 0, length)
            )
        yield from ((*start, *line) for line in found)

    def _walk(
        self, branch: Branch, place: Place, move: int, played: int, length: int
    ) -> Iterator[tuple[_Step, ...]]:
        """All lines of a branch of help play or of a series with so many half-moves."""
        fork = branch.forks[(played - 1) % 2]
        limit = branch.limits[(played - 1) % 2]
        series = branch.letters == "ss"
        if limit and (played or not series) and not self._holds(limit, place, move):
            return
        if played == length:
            if fork is not None and (played or not is_test(fork)):
                yield from self._lines(fork, place, move)
            return
        key = branch, played, length, place.row, place.mover
        if key in self._unsolved:
            return
        early = isinstance(fork, Branch) and fork.early
        ends = (early and not series) or (is_test(fork) and played >= branch.least - 1)
        if ends and fork and played and self._holds(fork, place, move):
            return
        if self._passes(branch, place, played):
            turned = self._look.turned(place)
            if self._look.is_lawful(turned):
                for rest in self._walk(branch, turned, move, played + 1, length):
                    yield (("pass", turned), *rest)
            return
        found = False
        for played_move, after in self._look.allowed(place):
            passed: tuple[_Step, ...] = ()
            goes_on = after
            if series and played + 1 < length:
                goes_on = self._look.turned(after)
                passed = (("pass", goes_on),)
                if after.checked or not self._look.is_lawful(goes_on):
                    continue
                if early and fork and self._holds(fork, after, played_move):
                    continue
            term = self._look.parts[played_move].term
            for rest in self._walk(branch, goes_on, played_move, played + 1, length):
                found = True
                yield ((term, after), *passed, *rest)
        if not found:
            self._unsolved.add(key)

    def _battle_lines(self, branch: Branch, place: Place, left: int) -> Iterator[tuple[_Step, ...]]:
        """The attacker's quickest half-moves, with all of the defender's.

        Where the other side only parries, all first half-moves that win.
        """
        which = (branch.most - left) % 2
        if self._passes(branch, place, which):
            turned = self._look.turned(place)
            if self._wins_within(branch, place, left):
                for rest in self._battle_lines(branch, turned, left - 1):
                    yield (("pass", turned), *rest)
            return
        if branch.letters[which] == "a" and not (branch.parries and left == branch.most):
            enough = range(left % 2 or 2, left + 1, 2)
            left = next((n for n in enough if self._wins_within(branch, place, n)), 0)
        if not left or not self._wins_within(branch, place, left):
            return
        fork = branch.forks[which]
        for move, after in self._look.allowed(place):
            step = self._look.parts[move].term, after
            if fork is not None and self._holds(fork, after, move):
                yield from ((step, *rest) for rest in self._lines(fork, after, move))
            elif left > 1 and self._wins_within(branch, after, left - 1):
                yield from ((step, *rest) for rest in self._battle_lines(branch, after, left - 1))
