"""The sequence form of a game of two players (von Stengel 1996).

A *view* is what a player has seen: its own choices and its percepts, ply by ply. All states with
the same view of the player on move are an *information set*. A *sequence* is the choices of a
player on the way to a state: the last of them, in its information set, says it all. The size of the
form is that of the game's tree, while the number of plans is exponential.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

from ...game.game import Game, State
from ...gdl.predicates import CHANCE
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
class _History:
    state: State
    views: Pair
    last: Pair
    chance: Fraction


def sequence_form(start: State, budget: Budget, progress: Callable[[int], None]) -> SequenceForm:
    """The sequence form of play from a state that both players know.

    Raises:
        BadRequest: There are not two players, or their payoffs don't add up to the same number.
        RulesError: A player can't know its own legal moves, or play can't go on.
        LimitReached: There are too many histories, or the budget runs out.
    """
    game = start.game
    game.refuse_unsupported(chance=True, hidden=True)
    if len(game.players) != 2:
        raise BadRequest(
            f"an equilibrium is of two players; {game.name} has {', '.join(game.players)}"
        )
    one, other = game.players
    form, views = SequenceForm((Side(one), Side(other))), _Views()
    stack = [_History(start, (0, 0), (0, 0), Fraction(1))]
    while stack:
        history = stack.pop()
        try:
            budget.spend()
        except LimitReached as error:
            raise type(error)(
                f"{error}: {form.histories:,} histories, and there are more"
            ) from None
        form.histories += 1
        if not form.histories % 100:
            progress(form.histories)
        if form.histories > MOST_HISTORIES:
            raise LimitReached(f"{game.name} has more than {MOST_HISTORIES:,} histories")
        if history.state.is_terminal:
            _end(form, history, game)
        else:
            stack += _after(form, views, history)
    return form


def _end(form: SequenceForm, history: _History, game: Game) -> None:
    goals = history.state.goals
    worth = game.vocabulary.payoffs
    one, other = (Fraction(worth.get(goals[s.role], goals[s.role])) for s in form.sides)
    if not form.ends:
        form.total = one + other
    elif form.total != one + other:
        raise BadRequest(
            f"{game.name} isn't zero-sum: both payoffs add up to {form.total} at one end, to "
            f"{one + other} at another"
        )
    form.ends += 1
    if gain := one * history.chance:
        form.payoffs[history.last] = form.payoffs.get(history.last, Fraction(0)) + gain


def _after(form: SequenceForm, views: _Views, history: _History) -> Iterator[_History]:
    """The histories after one more ply."""
    state, game = history.state, history.state.game
    legal: Mapping[str, tuple[str, ...]] = {
        role: tuple(move.term for move in moves) for role, moves in state.legal.items()
    }
    if not all(legal.values()):
        stuck = next(role for role, moves in legal.items() if not moves)
        raise RulesError(f"{game.name}: {stuck} has no legal move, and the game isn't over")
    chances = {move.term: chance for move, chance in state.chance}
    choices = {role: moves for role, moves in legal.items() if len(moves) > 1}
    sets = [
        side.at(view, views.texts[view], last, choices[side.role]) if side.role in choices else None
        for side, view, last in zip(form.sides, history.views, history.last, strict=True)
    ]
    for moves in product(*legal.values()):
        joint = dict(zip(legal, moves, strict=True))
        chosen = {role: joint[role] for role in choices}
        percepts = state.sees(joint) if game.hidden else {}
        seen, last = [0, 0], list(history.last)
        for number, (side, each) in enumerate(zip(form.sides, sets, strict=True)):
            own = [chosen[side.role]] if each else []
            if each:
                last[number] = each.first + each.moves.index(own[0])
            others = [move for role, move in chosen.items() if role != side.role]
            told = percepts[side.role] if game.hidden else others
            seen[number] = views.after(history.views[number], " ".join([*own, *told]))
        yield _History(
            state.play(joint),
            (seen[0], seen[1]),
            (last[0], last[1]),
            history.chance * chances.get(joint.get(CHANCE, ""), 1),
        )
