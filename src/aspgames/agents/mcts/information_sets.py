"""Tree search over what each role knows, for games with chance or hidden information.

It is MO-ISMCTS (Cowling, Powley and Whitehouse 2012, "Information Set Monte Carlo Tree Search"):
each role has a tree of its own, whose nodes are what the role knows: its moves and percepts. Each
game begins in a state that fits the view of the thinking role, drawn by its probability, and goes
down all trees at once. Moves compete with those that were legal at the same time (subset-armed
bandits). Chance moves are drawn. In a game without ``sees/2`` all roles see each new state.
"""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np

from ...game.game import Game
from ...game.view import View, percept_net
from ...gdl.predicates import CHANCE
from ...play.playout import rolls_of
from ...propnet.lanes import Array, LegalScope, Rows
from ...propnet.percept_net import PerceptNet
from ...propnet.random_play import phases_of, play_from
from ...propnet.weighted_rolls import WeightedRolls
from ...runtime.budget import Budget
from ...runtime.errors import AspgamesError, BadRequest, Interrupted, LimitReached
from .thoughts import Thought
from .tree_search import PlayerOptions, spread_of

_SAMPLE_STATES = 2000  # states that fit, with what the others know
_GAMES_TOGETHER = 64  # games side by side
_ROLLOUTS = 4  # random games from each new node
_MOST_JOINT_MOVES = 2_000_000
_DRAW_ATTEMPTS = 4  # to draw states that fit

Key = tuple[object, ...]


@dataclass(slots=True)
class _Edge:
    visits: int = 0
    available: int = 0
    """The number of games in which the move was legal here."""
    total: float = 0.0
    """The sum of the mover's goals, from 0 to 1."""


@dataclass(slots=True)
class _Node:
    """What a role knows at some point, and the moves that it tried there."""

    edges: dict[int, _Edge] = field(default_factory=dict)
    after: dict[Key, _Node] = field(default_factory=dict)

    def child(self, key: Key) -> _Node:
        """The node after a ply."""
        return self.after.setdefault(key, _Node())

    def select(self, legal: Sequence[int], exploration: float, rng: random.Random) -> _Edge:
        """Count a visit of the move with the highest upper confidence bound."""
        edges = [self.edges.setdefault(move, _Edge()) for move in legal]
        for edge in edges:
            edge.available += 1
        new = [edge for edge in edges if not edge.visits]
        if new:
            chosen = rng.choice(new)
        else:
            chosen = max(
                edges,
                key=lambda e: (
                    e.total / e.visits + exploration * math.sqrt(math.log(e.available) / e.visits)
                ),
            )
        chosen.visits += 1
        return chosen


@dataclass(frozen=True)
class _Sample:
    """States that fit a view, each with what every role knows there."""

    rows: Rows
    known: list[tuple[_Node, ...]]
    """The node of each player."""
    weights: Array
    """Probabilities, if the other players move at random."""


class InformationSetSearch:
    """Searches one match from the view of a role; it keeps its trees from move to move."""

    def __init__(self, game: Game, settings: PlayerOptions) -> None:
        """Raises the exceptions of a net when a search begins."""
        self._game, self._settings = game, settings
        self._random = random.Random(settings.seed)
        self._numpy = np.random.default_rng(settings.seed)
        self._played = 0
        self._sums = np.zeros(3)
        self._sampled: tuple[View, _Sample] | None = None
        self._net: PerceptNet | None = None
        self._rolls: WeightedRolls | None = None
        """Draws by ``weight/2``, if the game has it."""
        self._masks: list[tuple[int, Array]] = []
        """Each player's place among the roles, and the bits of its percepts."""

    def prepare(self, view: View) -> PerceptNet:
        """The net of a view. Raises the exceptions of a net."""
        row = self._net and self._net.tables.row(view.start.facts)
        if self._net is None or row is None:
            self._net, self._sampled = percept_net(self._game.initial), None
            if self._net.tables.row(view.start.facts) is None:
                self._net = percept_net(view.start)
            net = self._net
            start = self._game.state(net.facts(net.start[0]))
            self._rolls = rolls_of(start, net.tables)
            self._masks = [(net.roles.index(r), net.mask_of(r)) for r in self._game.players]
        return self._net

    def legal_moves(self, view: View) -> list[str]:
        """The moves that the role knows to be legal, as terms. Raises as ``think`` does."""
        net = self.prepare(view)
        rows = self._sample(view, net, _SAMPLE_STATES).rows
        first, end = net.bounds[net.roles.index(view.role)]
        legal, over = self._legal(net, rows)
        everywhere = legal[~over, first:end].all(0) if not over.all() else legal[0, first:end]
        return [net.tables.names.terms[first + n] for n in np.flatnonzero(everywhere).tolist()]

    def think(
        self, view: View, budget: Budget, games: int | None = None, among: Collection[str] = ()
    ) -> Iterator[Thought]:
        """Yield better and better moves: see ``Player.think``."""
        try:
            legal = self.legal_moves(view)
        except (AspgamesError, MemoryError):  # no net, or no state was found
            legal = [move.term for move in view.legal_moves]
        moves = [move for move in legal if not among or move in among]
        if not moves:
            raise BadRequest(f"no state fits what {view.role} knows, or it has no move")
        yield Thought(self._random.choice(moves), certain=len(moves) == 1)
        if len(moves) > 1:
            with suppress(AspgamesError, MemoryError, Interrupted):
                yield from self._search(view, budget, games or math.inf, moves)

    def _search(
        self, view: View, budget: Budget, most: float, among: Collection[str]
    ) -> Iterator[Thought]:
        net = self.prepare(view)
        sample = self._sample(view, net, _SAMPLE_STATES)
        me = self._game.players.index(view.role)
        terms, games = net.tables.names.terms, 0
        while games < most:
            games += self._round(sample, net, int(min(_GAMES_TOGETHER, most - games)), budget)
            edges = sample.known[0][me].edges  # the same node in all states of the sample
            if choices := [n for n in edges if terms[n] in among]:
                yield Thought(terms[max(choices, key=lambda n: edges[n].visits)], games)
            budget.check()

    # --- states that fit --------------------------------------------------------------------------

    def _sample(self, view: View, net: PerceptNet, count: int) -> _Sample:
        """States that fit a view; goes on from the last view if this one follows it."""
        known = self._sampled
        if known and known[0].start == view.start and known[0].role == view.role:
            before, length = known[0].history, len(known[0].history)
            if view.history[:length] == before and (
                found := self._follow(known[1], view, length, net, count)
            ):
                self._sampled = view, found
                return found
        row = np.frombuffer(net.tables.row(view.start.facts) or b"", np.uint64).reshape(1, -1)
        for more in range(_DRAW_ATTEMPTS):
            start = _Sample(row, [tuple(_Node() for _ in self._game.players)], np.ones(1))
            if found := self._follow(start, view, 0, net, count << 2 * more):
                self._sampled = view, found
                return found
        raise LimitReached("no state was found that fits what the role knows")

    def _follow(
        self, sample: _Sample, view: View, ply: int, net: PerceptNet, count: int
    ) -> _Sample | None:
        """A sample after the plies from one on; None if no state of it fits."""
        mask = net.mask_of(view.role)
        for move, percepts in view.history[ply:]:
            most = _MOST_JOINT_MOVES
            steps = net.joint_moves(sample.rows, (view.role, move), most)
            all_weights = np.bincount(steps.parents, steps.weights, len(sample.rows))
            weights = sample.weights[steps.parents] * steps.weights / all_weights[steps.parents]
            kinds, which = np.unique(steps.percepts & mask, axis=0, return_inverse=True)
            fits = np.array([net.terms_of(kind, view.role) == percepts for kind in kinds], np.bool_)
            chosen = np.flatnonzero(fits[which.reshape(-1)]) if len(kinds) else np.empty(0, int)
            if not len(chosen):
                return None
            weights = weights[chosen] / weights[chosen].sum()
            if len(chosen) > count:
                drawn = self._numpy.choice(len(chosen), count, p=weights)
                chosen, weights = chosen[drawn], np.full(count, 1 / count)
            known = [
                self._children(sample.known[parent], moves, seen, row)
                for parent, moves, seen, row in zip(
                    steps.parents[chosen].tolist(),
                    steps.moves[chosen].tolist(),
                    steps.percepts[chosen],
                    steps.rows[chosen],
                    strict=True,
                )
            ]
            sample = _Sample(steps.rows[chosen], known, weights)
        return sample

    def _children(
        self, nodes: Sequence[_Node], moves: list[int], seen: Array, row: Array
    ) -> tuple[_Node, ...]:
        """The players' nodes after a ply."""
        if not self._game.hidden:
            key = (row.tobytes(),)
            return tuple(node.child(key) for node in nodes)
        return tuple(
            node.child((moves[place], (seen & mask).tobytes()))
            for node, (place, mask) in zip(nodes, self._masks, strict=True)
        )

    # --- games ------------------------------------------------------------------------------------

    def _round(self, sample: _Sample, net: PerceptNet, count: int, budget: Budget) -> int:
        """Play games side by side; returns their number."""
        drawn = self._numpy.choice(len(sample.rows), count, p=sample.weights)
        rows = sample.rows[drawn]
        nodes = [sample.known[place] for place in drawn.tolist()]
        visited: list[list[tuple[int, _Edge]]] = [[] for _ in range(count)]
        goals = np.zeros((count, len(net.roles)))
        leaves, going = dict[int, Array](), np.arange(count)
        exploration = self._settings.exploration * spread_of(self._sums, 1)
        players = {place: number for number, (place, _) in enumerate(self._masks)}
        while len(going):
            states = np.ascontiguousarray(rows[going])
            legal, over = self._legal(net, states)
            goals[going[over]] = net.answers(states[over]).goals / 100 if over.any() else 0
            going, states, legal = going[~over], states[~over], legal[~over]
            if not len(going):
                break
            moves = np.empty((len(going), len(net.roles)), np.int32)
            grown = np.zeros(len(going), np.bool_)
            for lane, (game, flags) in enumerate(zip(going.tolist(), legal, strict=True)):
                for role, (first, end) in enumerate(net.bounds):
                    choices = (first + np.flatnonzero(flags[first:end])).tolist()
                    move = choices[0] if len(choices) == 1 else self._random.choice(choices)
                    if len(choices) > 1 and net.roles[role] != CHANCE:
                        node = nodes[game][players[role]]
                        edge = node.select(choices, exploration, self._random)
                        move = next(n for n in choices if node.edges[n] is edge)
                        visited[game].append((role, edge))
                        grown[lane] |= edge.visits == 1
                    moves[lane, role] = move
            if self._rolls:
                keys = self._numpy.integers(1 << 64, size=len(going), dtype=np.uint64)
                self._rolls.redraw(states, moves, keys, 0)
            after, percepts = net.play(states, moves)
            rows[going] = after
            for lane, game in enumerate(going.tolist()):
                if grown[lane]:
                    leaves[game] = after[lane]
                else:
                    nodes[game] = self._children(
                        nodes[game], moves[lane].tolist(), percepts[lane], after[lane]
                    )
            going = going[~grown]
        if leaves:
            places = list(leaves)
            goals[places] = self._random_games(net, np.array(list(leaves.values())), budget)
        won = goals[:, list(players)]
        self._sums += count, won.mean(1).sum(), np.square(won).mean(1).sum()
        for edges, result in zip(visited, goals.tolist(), strict=True):
            for role, edge in edges:
                edge.total += result[role]
        return count

    def _legal(self, net: PerceptNet, rows: Rows) -> tuple[Array, Array]:
        legal = np.empty((len(rows), net.tables.moves), np.bool_)
        over = np.empty(len(rows), np.bool_)
        net.lanes.fill(rows, {"legal": legal, "terminal": over}, LegalScope.ALL_PLAYABLE)
        return legal, over

    def _random_games(self, net: PerceptNet, rows: Rows, budget: Budget) -> Array:
        """The mean goals of random games from states, (n, roles), from 0 to 1."""
        order = np.argsort(phases_of(net.tables, rows), kind="stable")
        seed, first = self._settings.seed, self._played
        found = play_from(
            net.tables, rows[order], _ROLLOUTS, seed, first, budget, rolls=self._rolls
        )
        self._played += len(found)
        goals = np.empty((len(rows), len(net.roles)))
        goals[order] = found.reshape(len(rows), _ROLLOUTS, -1).mean(1) / 100
        return goals
