"""Monte-Carlo tree search: the kernel plays hundreds of random games at a time.

The tree follows UCT (Kocsis and Szepesvári 2006, "Bandit Based Monte-Carlo Planning"). Proven
wins and losses are settled as in MCTS-Solver (Winands, Björnsson and Saito 2008, "Monte-Carlo Tree
Search Solver"). Pending games count as visits, much like a virtual loss (Chaslot, Winands and Van
den Herik 2008, "Parallel Monte-Carlo Tree Search"), so the leaves of one round differ.

A round selects leaves, plays some games from each, and adds their results. A leaf with enough games
gets its children. Children that end the game are settled at once, with the ancestors that they
decide.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...propnet.gate_tables import Tables
from ...propnet.lanes import Array, Ints, Lanes, LegalScope, Rows
from ...propnet.random_play import phases_of, play_from
from ...propnet.successors import ENDED, Successors
from ...runtime.budget import Budget
from .tree_arrays import Nodes, Tree

_GAMES_TOGETHER = 512  # games that the kernel plays as fast as one
_LEAST_GAMES = 4  # games from each leaf of a large tree
_GAMES_A_LEAF = 64  # games in the tree for each leaf of a round
_LEAST_SPREAD = 0.1
_RIPE_GAMES = 0.25  # a leaf gets children after this many games for each move of its parent


@dataclass(frozen=True)
class PlayerOptions:
    """Options of a ``Player``: of the tree search and the solver beside it."""

    exploration: float = 0.6
    """The preference for uncertain moves over moves with a better mean. It holds for goals of 0
    and 100; the search lowers it if goals are closer together."""
    settles: bool = True
    """Whether the search skips moves whose result is proven."""
    solver: bool = True
    """Whether the solver searches beside the tree."""
    games: int | None = None
    """The games of a round; by default the number that the kernel plays side by side."""
    threads: int = 1
    """The threads that share a round."""
    memory: float = 256 * 2.0**20
    """The memory for the tree [bytes]."""
    seed: int = 0
    value: bool = True
    """Whether a learned value replaces random games, where there is one."""


def spread_of(sums: Array, most: float) -> float:
    """Twice the standard deviation of goals from 0 to ``most``, as a part of it, and at least 0.1.

    It is 1 for as many lowest as highest goals. ``sums`` are the number of games, the sum of their
    goals, and that of the squared goals.
    """
    games, goals, squares = sums
    if not games:
        return 1.0
    variance = squares / games - (goals / games) ** 2
    return float(max(_LEAST_SPREAD, 2 * math.sqrt(max(0.0, variance)) / most))


class TreeSearch:
    """Searches the states of a net; only one role at a time may have a choice."""

    def __init__(self, tables: Tables, settings: PlayerOptions) -> None:
        """``tables`` belong to a closed net. Raises ``MemoryError``."""
        self._tables, self._settings = tables, settings
        self._successors = Successors(tables)
        self._lanes = Lanes(tables)
        self._games = settings.games or _GAMES_TOGETHER * settings.threads
        self._played = 0
        self._sums = np.zeros(3)
        self._tree: Tree | None = None

    @property
    def tree(self) -> Tree:
        """The tree; ``go_to`` must be called first."""
        assert self._tree is not None
        return self._tree

    def go_to(self, row: bytes) -> None:
        """Make a state the root, and keep its existing subtree.

        Raises ``RulesError`` for invalid goals, ``BadRequest`` if several roles have a choice, and
        ``LimitReached`` or ``MemoryError`` for too many moves.
        """
        root: Rows = np.frombuffer(row, np.uint64)
        if self._tree is not None:
            tree = self._tree
            same = np.flatnonzero((tree.rows == root).all(axis=1) & (tree.firsts >= 0))
            if len(same):
                node = int(same[tree.games[same].argmax()])
                if node:
                    tree.descend(node)
                return
        settings = self._settings
        self._sums = np.zeros(3)
        self._tree = Tree(
            root, self._tables.roles, settings.memory, settings.exploration, settings.settles
        )
        self._grow(np.zeros(1, np.int32))

    def round(self, most_games: float, budget: Budget) -> int:
        """Play a round of at most ``most_games`` games; returns their number.

        Raises ``LimitReached``, ``Interrupted`` and ``RulesError``; the tree stays valid.
        """
        tree = self.tree
        games = int(max(1, min(self._games, most_games)))
        leaves = max(int(tree.games[0]) // _GAMES_A_LEAF, len(tree.children(0)))
        count = max(1, min(leaves, games // _LEAST_GAMES))
        each = games // count
        selected = tree.select(count, each)
        try:
            goals = self._play(selected, each, budget)
        except BaseException:
            tree.forget_pending()
            raise
        tree.update(selected, each, goals)
        tree.kernel.exploration = self._settings.exploration * spread_of(self._sums, 100)
        self._grow(self._ripe(selected))
        return count * each

    def _play(self, leaves: Nodes, each: int, budget: Budget) -> Ints:
        """The goals of games from leaves, ``(leaves, each * roles)``; 0 for settled leaves."""
        goals = np.zeros((len(leaves), each * self._tables.roles), np.int32)
        where = np.flatnonzero(self.tree.settled[leaves] == 0)
        if len(where):
            rows = self.tree.rows[leaves[where]]
            order = np.argsort(phases_of(self._tables, rows), kind="stable")
            seed, first = self._settings.seed, self._played
            found = play_from(
                self._tables, rows[order], each, seed, first, budget, self._settings.threads
            )
            self._played += len(found)
            self._sums += (
                len(found),
                found.sum(axis=0).mean(),
                np.square(found).sum(axis=0).mean(),
            )
            goals[where[order]] = found.reshape(len(where), -1)
        return goals

    def _ripe(self, leaves: Nodes) -> Nodes:
        tree = self.tree
        nodes = np.unique(leaves)
        open_ = (tree.settled[nodes] == 0) & (tree.firsts[nodes] < 0)
        nodes = nodes[open_]
        width = tree.degrees[np.maximum(tree.parents[nodes], 0)]
        found: Nodes = nodes[tree.games[nodes] >= _RIPE_GAMES * width]
        return found

    def _grow(self, nodes: Nodes) -> None:
        tree = self.tree
        if not len(nodes) or tree.fullness >= 1:
            return
        found = self._successors.of(np.ascontiguousarray(tree.rows[nodes]))
        total = int(found.degrees.sum(dtype=np.int64))
        if tree.size + total > tree.most:
            return
        children = np.concatenate(found.parts) if len(found.parts) > 1 else found.parts[0]
        if found.order is not None:
            children = children[found.order]
        children = np.ascontiguousarray(children)
        new = tree.grow(nodes, found.movers, found.degrees.astype(np.int32), children)
        ended = found.movers == ENDED
        if ended.any():
            tree.settle(nodes[ended], found.goals[ended])
        if len(new):
            over, goals = self._ends(children)
            if over.any():
                tree.settle(np.flatnonzero(over) + new.start, goals[over])

    def _ends(self, rows: Rows) -> tuple[npt.NDArray[np.bool_], Ints]:
        over = np.empty(len(rows), np.bool_)
        goals = np.empty((len(rows), self._tables.roles), np.int32)
        self._lanes.fill(rows, {"terminal": over, "goals": goals}, LegalScope.AS_THE_RULES_SAY)
        return over, goals

    def lose(self, place: int, role: int, plies: int) -> None:
        """Settle the root's child number ``place`` as a loss of ``role``."""
        child = self.tree.children(0)[place]
        if not self.tree.settled[child]:
            goals = np.full((1, self._tables.roles), 100, np.int32)
            goals[0, role] = 0
            self.tree.settle(np.array([child], np.int32), goals, plies)

    # --- results ----------------------------------------------------------------------------------

    def decided(self) -> bool:
        """Whether more games would change nothing.

        The root is settled, or all moves but one are proven losses.
        """
        tree, children = self.tree, self.tree.children(0)
        if tree.settled[0]:
            return True
        if not self._settings.settles:
            return False
        settled = tree.settled[children.start : children.stop] > 0
        if settled.sum() < len(children) - 1:
            return False
        worst = self.means(np.array(children)[settled], int(tree.movers[0]))
        return bool((worst <= 0).all())

    def means(self, nodes: range | Nodes, role: int) -> npt.NDArray[np.float64]:
        """A role's mean goal at some nodes, from 0 to 1; 0 for open nodes without games."""
        tree = self.tree
        nodes = np.asarray(nodes)
        goals, games = tree.goals[nodes, role], tree.games[nodes]
        known = tree.settled[nodes] > 0
        found: npt.NDArray[np.float64] = np.where(known, goals, goals / np.maximum(games, 1)) / 100
        return found

    def best_first(self, node: int) -> list[int]:
        """The children of a node, the best one first.

        A settled child whose goal is at least the mean of the most played open child comes before
        all open children, a worse one after them. Quicker wins and later losses come first. Open
        children are sorted by a lower confidence bound: the mean of a few games is unreliable.
        """
        tree, children = self.tree, self.tree.children(node)
        if len(children) < 2:
            return list(children)
        role = int(tree.movers[node])
        means = self.means(children, role)
        games = tree.games[children.start : children.stop]
        settled = tree.settled[children.start : children.stop] > 0
        plies = tree.plies[children.start : children.stop]
        open_ = np.flatnonzero(~settled & (games > 0))
        doubt = spread_of(self._sums, 100)
        likely = float(means[open_[games[open_].argmax()]]) if len(open_) else -1.0

        def rank(place: int) -> tuple[float, ...]:
            mean = float(means[place])
            if settled[place]:
                way = -plies[place] if mean >= 1 else plies[place]
                return (2.0 if mean >= likely else 0.0), mean, float(way), 0.0
            if tree.peaks is not None:
                return 1.0, float(tree.peaks[children[place]]), mean, 0.0
            return 1.0, mean - doubt / math.sqrt(max(games[place], 1)), 0.0, 0.0

        if tree.peaks is not None and likely >= 0:  # a single role can repeat a game
            likely = float(tree.peaks[children.start : children.stop].max()) / 100
        return [children[place] for place in sorted(range(len(children)), key=rank, reverse=True)]

    def line(self, node: int) -> list[int]:
        """The best children from a node on, until one without games."""
        found: list[int] = []
        while children := self.tree.children(node):
            node = self.best_first(node)[0] if len(children) > 1 else children[0]
            if not (self.tree.games[node] or self.tree.settled[node]):
                break
            found.append(node)
        return found
