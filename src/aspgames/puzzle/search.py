"""The answer to a puzzle: AND/OR search, deepened one attacker's turn at a time.

Depth-first with a transposition table that keeps, for each state, the fewest turns known to suffice
and the most known not to. Iterative deepening makes the distance minimal. The rules are asked state
by state, so what counts is to ask for few states: the attacker tries first what leaves the fewest
replies, and each side what worked in the last round. In a game that can go on for ever, a goal that
isn't forced within more turns than states were met is never forced: the defender can go round.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ..budget import Budget
from ..errors import BadRequest, LimitReached, RulesError
from ..reasoner import Facts, Reasoner
from ..state import State
from .problem import Puzzle


@dataclass(frozen=True, slots=True)
class Solution:
    """A verdict and what belongs to it. Moves are terms; the ``_text`` fields are for people."""

    verdict: str
    """``forced``, ``not_forced`` or ``unknown``."""
    distance: int | None
    """The fewest attacker's turns that force the goal; None unless forced."""
    keys: tuple[str, ...]
    """Every move playable now that forces the goal in exactly that distance."""
    line: tuple[str, ...]
    """A line in which the defender holds out for the whole distance."""
    keys_text: tuple[str, ...]
    line_text: tuple[str, ...]
    seconds: float
    positions: int
    """States that were looked at."""
    not_within: int | None = None
    """For ``unknown``: the largest number of turns that is known not to suffice."""


def search(
    puzzle: Puzzle,
    budget: Budget | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Solution:
    """Solve a puzzle.

    ``progress`` is called with the number of turns being tried and the positions looked at. Where
    the budget runs out, the verdict is ``unknown``. Raises ``BadRequest`` if the game turns out not
    to be one of two roles that alternate.
    """
    return _Search(puzzle, budget or Budget(), progress or (lambda _turns, _positions: None)).run()


def _reasoner(state: State) -> Reasoner:
    """A net for the position where the rules allow one, else the game's reference reasoner."""
    from ..reasoner.propnet import Propnet  # numpy is loaded only where it is needed

    try:
        return Propnet(state.game.rules, state.facts)
    except (RulesError, LimitReached):
        return state.game.reasoner


@dataclass(slots=True, eq=False)
class _Node:
    """A state in the search. Turns are counted as those the attacker may still begin after it."""

    facts: Facts
    attacks: bool
    """Whether the attacker is on move."""
    reached: bool
    failed: bool
    """Whether the game ends here without the goal."""
    moves: tuple[str, ...]
    """What the side on move can do."""
    joint: dict[str, str]
    """What the other side does meanwhile; a move of the side on move makes it a joint move."""
    mover: str
    children: list[_Node] = field(default_factory=list)
    """The states after the first moves, as many as were needed so far."""
    best: _Node | None = None
    """The child that decided the last visit."""
    enough: float = math.inf
    """The fewest turns known to suffice."""
    short: float = -1
    """The most turns known not to suffice; infinite if no number does."""


class _Search:
    def __init__(
        self, puzzle: Puzzle, budget: Budget, progress: Callable[[int, int], None]
    ) -> None:
        self.puzzle = puzzle
        self.budget = budget
        self.progress = progress
        self.reasoner = _reasoner(puzzle.state)
        self.nodes: dict[Facts, _Node] = {}
        self.turns = 0
        """The distance being tried."""

    def run(self) -> Solution:
        refuted = -1
        try:
            root = self.node(self.puzzle.state.facts)
            limit = math.inf if self.puzzle.within is None else self.puzzle.within
            while refuted < limit and not self.hopeless(root) and refuted <= len(self.nodes):
                distance = refuted + 1
                self.turns = distance
                # The attacker on move has begun a turn: it is not one of those still to begin.
                turns = distance - root.attacks
                if self.forces(root, turns):
                    keys = self.keys(root, turns) if root.attacks and not root.reached else []
                    return self.solution("forced", distance, keys, self.line(root, turns))
                refuted = distance
            return self.solution("not_forced")
        except (LimitReached, RecursionError):
            return self.solution("unknown", not_within=refuted if refuted >= 0 else None)

    def solution(
        self,
        verdict: str,
        distance: int | None = None,
        keys: list[str] | None = None,
        line: list[str] | None = None,
        not_within: int | None = None,
    ) -> Solution:
        state = self.puzzle.state
        return Solution(
            verdict,
            distance,
            tuple(keys or ()),
            tuple(line or ()),
            tuple(state.move_text(key) for key in keys or ()),
            tuple(_texts(state, line or [])),
            self.budget.seconds,
            self.budget.positions,
            not_within,
        )

    # --- the tree ---------------------------------------------------------------------------------

    def node(self, facts: Facts) -> _Node:
        known = self.nodes.get(facts)
        if known is None:
            known = self.nodes[facts] = self.look_at(facts)
        return known

    def look_at(self, facts: Facts) -> _Node:
        self.budget.spend()
        self.progress(self.turns, self.budget.positions)
        consequences = self.reasoner.consequences(facts)
        reached = self.puzzle.goal.holds(consequences, self.puzzle.attacker)
        mover = consequences.to_move
        moves = consequences.playable(mover) if mover else ()
        waiting = {role: consequences.legal[role] for role in consequences.legal if role != mover}
        if not consequences.terminal and any(len(passes) != 1 for passes in waiting.values()):
            raise BadRequest("puzzles are for games in which one side moves at a time")
        return _Node(
            facts,
            attacks=mover == self.puzzle.attacker,
            reached=reached,
            failed=not reached and not moves,
            moves=moves,
            joint={role: passes[0] for role, passes in waiting.items() if moves},
            mover=mover or "",
        )

    def successors(self, node: _Node) -> Iterator[_Node]:
        """The children, in the order of the moves; those not met yet are made one by one."""
        yield from node.children
        for move in node.moves[len(node.children) :]:
            joint = node.joint | {node.mover: move}
            child = self.node(self.reasoner.successor(node.facts, joint))
            node.children.append(child)
            yield child

    # --- the search -------------------------------------------------------------------------------

    def forces(self, node: _Node, turns: float) -> bool:
        """Whether the attacker forces the goal, beginning at most so many more turns."""
        if node.reached or turns >= node.enough:
            return True
        if node.failed or turns <= node.short or turns < 0:
            return False
        self.budget.check()
        forced = not node.attacks
        for child in self.ordered(node):
            if self.forces_after(node, child, turns) != forced:
                node.best = child
                forced = not forced
                break
        if forced:
            node.enough = turns
        else:
            node.short = math.inf if self.is_final(node) else turns
        return forced

    def forces_after(self, node: _Node, child: _Node, turns: float) -> bool:
        """``forces`` for a child: the attacker who comes on move must begin a turn."""
        begins = child.attacks and not node.attacks
        return self.forces(child, turns - begins)

    def ordered(self, node: _Node) -> Iterator[_Node]:
        """The children, the one that decided the last visit first."""
        if node.best is not None:
            yield node.best
        if node.attacks:
            children = list(self.successors(node))
            yield from sorted(children, key=lambda c: (not c.reached, c.attacks, len(c.moves)))
        else:
            yield from self.successors(node)

    def hopeless(self, node: _Node) -> bool:
        """Whether no number of turns suffices."""
        return node.failed or node.short == math.inf

    def is_final(self, node: _Node) -> bool:
        """Whether a failure just found would be one with any number of turns."""
        if node.attacks:
            return all(self.hopeless(child) for child in node.children)
        return node.best is not None and self.hopeless(node.best)

    # --- what belongs to the verdict --------------------------------------------------------------

    def keys(self, root: _Node, turns: int) -> list[str]:
        children = zip(root.moves, self.successors(root), strict=True)
        return [move for move, child in children if self.forces(child, turns)]

    def line(self, node: _Node, turns: float) -> list[str]:
        """A line from a node that is forced in ``turns`` and no fewer."""
        line: list[str] = []
        while not node.reached:
            children = list(zip(node.moves, self.successors(node), strict=True))
            if node.attacks:
                move, child = next(c for c in children if self.forces(c[1], turns))
            else:
                # Some reply holds out as long as the position does; without turns, all are alike.
                move, child = next(
                    c
                    for c in children
                    if turns == 0 or not self.forces_after(node, c[1], turns - 1)
                )
                if child.attacks:
                    turns -= 1
            line.append(move)
            node = child
        return line


def _texts(state: State, line: list[str]) -> Iterator[str]:
    for move in line:
        yield state.move_text(move)
        state = state.play(move)
