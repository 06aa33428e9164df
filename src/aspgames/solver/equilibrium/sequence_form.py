"""The sequence form of a game of two players (von Stengel 1996).

A *view* is what a player has seen: its own choices and its percepts, ply by ply. All states with
the same view of the player on move are an *information set*. A *sequence* is the choices of a
player on the way to a state: the last of them, in its information set, says it all. The size of the
form is that of the game's tree, while the number of plans is exponential.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from ...game.game import Game
from ...game.state import State
from ...gdl.predicates import CHANCE
from ...gdl.reasoner import without_a_move
from ...propnet.lanes import Array, Rows
from ...propnet.percept_net import JointSteps, PerceptNet
from ...runtime.arguments import counted
from ...runtime.budget import Budget
from ...runtime.errors import BadRequest, LimitReached, RulesError

MOST_HISTORIES = 1_000_000
"""The most histories of a game."""

Pair = tuple[int, int]
"""A number for each player."""


@dataclass(frozen=True, slots=True)
class InformationSet:
    """The states that look alike to a player on move."""

    view: str
    """What the player has seen: a text for each ply, ``.`` for nothing, with `` / `` between."""
    parent: int
    """The player's sequence that leads here."""
    moves: tuple[str, ...]
    """Its moves, as terms."""
    first: int
    """The number of the sequence that ends with the first move; the others follow."""

    def sequences(self) -> range:
        """The sequences that end here, one for each move."""
        return range(self.first, self.first + len(self.moves))


@dataclass(slots=True)
class Side:
    """The information sets of a player, each after the one that leads to it."""

    role: str
    sets: list[InformationSet] = field(default_factory=list)
    sequences: int = 1
    """The number of sequences; number 0 is the empty one."""
    _by_view: dict[int, InformationSet] = field(default_factory=dict)

    def at(self, view: int, text: str, parent: int, moves: tuple[str, ...]) -> InformationSet:
        """The information set with a view. Raises ``RulesError`` if states there differ."""
        found = self._by_view.get(view)
        if found is None:
            found = InformationSet(text, parent, moves, self.sequences)
            self._by_view[view] = found
            self.sets.append(found)
            self.sequences += len(moves)
        elif found.moves != moves:
            differ = sorted({*moves} ^ {*found.moves})[0]
            raise RulesError(
                f"{self.role} can't know its own legal moves: having seen {text}, {differ} is "
                "sometimes legal"
            )
        return found


@dataclass(slots=True)
class SequenceForm:
    """The sequence form of a game."""

    sides: tuple[Side, Side]
    payoffs: dict[Pair, Fraction] = field(default_factory=dict)
    """The first player's payoffs, each times its chance, by the last sequences of both."""
    total: Fraction = Fraction(0)
    """The sum of both players' payoffs."""
    histories: int = 0
    """The number of histories."""
    ends: int = 0
    """How many of them are at the end of the game."""


class _Views:
    """Views by number; number 0 has seen nothing."""

    def __init__(self) -> None:
        self.texts = [""]
        self._numbers: dict[tuple[int, str], int] = {}

    def after(self, view: int, seen: str) -> int:
        """The view after a ply."""
        number = self._numbers.setdefault((view, seen), len(self.texts))
        if number == len(self.texts):
            before = self.texts[view]
            self.texts.append(f"{before} / {seen or '.'}" if view else seen or ".")
        return number


@dataclass(frozen=True, slots=True)
class _Layer:
    """Histories of the same length; their states are rows of the net."""

    rows: Rows
    views: list[Pair]
    last: list[Pair]
    chances: list[Fraction]


def sequence_form(start: State, budget: Budget, progress: Callable[[int], None]) -> SequenceForm:
    """The sequence form of play from a state that both players know.

    Raises:
        BadRequest: There are not two players, or their payoffs don't add up to the same number.
        RulesError: A player can't know its own legal moves, play can't go on, or the rules have no
            net.
        LimitReached: There are too many histories, or the budget runs out.
    """
    game = start.game
    if len(game.players) != 2:
        players = ", ".join(game.players) or f"{CHANCE} alone"
        instead = {1: "'solve' has its best plan", 0: "'playout' plays it"}.get(
            len(game.players), "'playout' and 'match' play it"
        )
        raise BadRequest(f"an equilibrium is of two players; {game.name} has {players}: {instead}")
    one, other = game.players
    kinds = ["hidden"] * game.hidden + ["weighted"] * game.vocabulary.weighted
    net = PerceptNet(game.rules, start.facts, kinds, budget=budget)
    tree = _Tree(game, net, SequenceForm((Side(one), Side(other))))
    layer = _Layer(net.start, [(0, 0)], [(0, 0)], [Fraction(1)])
    while len(layer.rows):
        tree.form.histories += len(layer.rows)
        progress(tree.form.histories)
        try:
            budget.spend(len(layer.rows))
        except LimitReached as error:
            known = f"{counted(tree.form.histories, 'history', 'histories')}, and there are more"
            raise type(error)(f"{error}: {known}") from None
        layer = tree.after(layer, budget)
    return tree.form


class _Tree:
    """Builds the form, layer by layer."""

    def __init__(self, game: Game, net: PerceptNet, form: SequenceForm) -> None:
        self.form = form
        self._game, self._net, self._views = game, net, _Views()
        self._roles = [net.roles.index(side.role) for side in form.sides]
        self._seen: dict[tuple[bytes, str], str] = {}

    def after(self, layer: _Layer, budget: Budget) -> _Layer:
        """The histories with one more ply, and the payoffs of those that end here."""
        answers = self._net.answers(layer.rows)
        going = np.flatnonzero(~answers.terminal)
        for place in np.flatnonzero(answers.terminal).tolist():
            budget.check()
            self._end(layer, place, answers.goals[place].tolist())
        for place, number in np.argwhere(answers.counts[going] == 0):
            facts = self._net.facts(layer.rows[going[place]])
            raise without_a_move(self._game.encoding, self._net.roles[number], facts)
        most = MOST_HISTORIES - self.form.histories
        try:
            steps = self._net.joint_moves(layer.rows[going], most=most)
        except LimitReached:
            raise LimitReached(
                f"{self._game.name} has more than {MOST_HISTORIES:,} histories"
            ) from None
        found = _Layer(steps.rows, [], [], [])
        ends = np.searchsorted(steps.parents, np.arange(len(going)), "right").tolist()
        begin = 0
        for place, end in zip(going.tolist(), ends, strict=True):
            budget.check()
            self._add(found, layer, place, steps, slice(begin, end))
            begin = end
        return found

    def _add(
        self, found: _Layer, layer: _Layer, place: int, steps: JointSteps, where: slice
    ) -> None:
        """Add the histories after one, which are ``where`` in the steps."""
        terms, moves = self._net.tables.names.terms, steps.moves[where]
        legal = [sorted(set(column)) for column in moves.T.tolist()]
        chooses = [len(each) > 1 for each in legal]
        views, last, chance = layer.views[place], layer.last[place], layer.chances[place]
        sets = [
            side.at(view, self._views.texts[view], before, tuple(terms[m] for m in legal[role]))
            if chooses[role]
            else None
            for side, role, view, before in zip(
                self.form.sides, self._roles, views, last, strict=True
            )
        ]
        weights = zip(steps.weights[where].tolist(), steps.totals[where].tolist(), strict=True)
        for percepts, joint, (weight, total) in zip(
            steps.percepts[where], moves.tolist(), weights, strict=True
        ):
            chosen = {r: terms[move] for r, move in enumerate(joint) if chooses[r]}
            seen, after = [0, 0], list(last)
            for number, (role, each) in enumerate(zip(self._roles, sets, strict=True)):
                news = [self._percepts(percepts, role)] if self._game.hidden else []
                if each:
                    after[number] = each.first + each.moves.index(chosen[role])
                    news.insert(0, chosen[role])
                if not self._game.hidden:
                    news += [move for other, move in chosen.items() if other != role]
                seen[number] = self._views.after(views[number], " ".join(filter(None, news)))
            found.views.append((seen[0], seen[1]))
            found.last.append((after[0], after[1]))
            found.chances.append(chance * Fraction(weight, total))

    def _percepts(self, percepts: Array, role: int) -> str:
        key = percepts.tobytes(), self._net.roles[role]
        if key not in self._seen:
            self._seen[key] = " ".join(self._net.terms_of(percepts, key[1]))
        return self._seen[key]

    def _end(self, layer: _Layer, place: int, goals: Sequence[int]) -> None:
        form, worth = self.form, self._game.vocabulary.payoffs
        one, other = (Fraction(worth.get(goals[r], goals[r])) for r in self._roles)
        if not form.ends:
            form.total = one + other
        elif form.total != one + other:
            raise BadRequest(
                f"{self._game.name} isn't zero-sum: both payoffs add up to {form.total} at one "
                f"end, to {one + other} at another; goal_payoff/2 can say what the goals are worth"
            )
        form.ends += 1
        if gain := one * layer.chances[place]:
            last = layer.last[place]
            form.payoffs[last] = form.payoffs.get(last, Fraction(0)) + gain
