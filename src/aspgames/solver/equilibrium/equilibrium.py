"""Equilibria: what each player can be sure of, whatever the other one does.

A linear program over the sequence form finds both strategies (Koller, Megiddo and von Stengel
1994). Its numbers are floating-point and prove nothing: the strategies are rounded to fractions,
and the best reply to each is computed exactly. So the value's interval is certain.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import itemgetter

from ...game.game import Game
from ...game.state import State, check_state
from ...gdl.rules import HIGHEST_GOAL
from ...puzzle.verdict_text import interval_text
from ...runtime.budget import Budget, resume
from ...runtime.call_arguments import check_budget, optional_package
from ...runtime.errors import Interrupted, LimitReached, OutOfTime, TooLarge
from ...runtime.json_lines import JsonObject
from .sequence_form import Pair, Side, sequence_form

_DENOMINATORS = (60, 10**4, 10**7)
"""The largest denominators of probabilities, tried in this order."""
_DIGITS = 10**12  # the denominator of the ends of an interval
_SMALLEST_PROBABILITY = 1e-9  # a smaller probability of the linear program is 0

Chances = list[list[Fraction]]
"""The probabilities of the moves in each information set."""
Strategy = Mapping[str, Mapping[str, Fraction]]
"""For each view the probabilities of the moves, which are terms."""


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """The value of a game for two players, and strategies that prove it."""

    game: str
    value: Mapping[str, tuple[Fraction, Fraction]]
    """For each player what its strategy guarantees, and what the other one's strategy allows."""
    strategies: Mapping[str, Strategy]
    """For each player and each of its views, the probabilities of its moves."""
    histories: int
    """The number of histories from the start."""
    seconds: float

    @property
    def is_exact(self) -> bool:
        """Whether the value is known exactly."""
        return all(low == high for low, high in self.value.values())


def equilibrium(
    state: State,
    *,
    budget: Budget | None = None,
    progress: Callable[[int], None] = lambda _histories: None,
) -> Equilibrium:
    """The value of a small zero-sum game of two players, and optimal strategies.

    Chance, hidden information and simultaneous moves may be in it. A goal value counts as its
    ``goal_payoff/2``, if the encoding gives one.

    >>> import aspgames
    >>> found = aspgames.equilibrium(aspgames.load("kuhn_poker").initial)
    >>> found.value["white"], found.is_exact
    ((Fraction(-1, 18), Fraction(-1, 18)), True)

    Args:
        state: Where play starts; both players know it.
        budget: The limits on time and histories.
        progress: Takes the number of histories so far.

    Raises:
        BadRequest: There aren't two players, they aren't opponents in all, or scipy is missing.
        RulesError: A player can't know its own legal moves, or play can't go on.
        LimitReached: The game is too large, or the budget runs out before the linear programs are
            solved; it tells bounds, as a note of ``Interrupted`` does.
    """
    budget = check_budget(budget)
    try:
        form = sequence_form(check_state(state), budget, progress)
    except TooLarge:
        raise
    except (LimitReached, Interrupted) as error:
        raise _stopped(error, trivial_value(state.game)) from None
    one, other = form.sides
    turned = {(b, a): -gain for (a, b), gain in form.payoffs.items()}
    sides = [(one, other, form.payoffs), (other, one, turned)]
    best: list[tuple[Fraction, Chances]] = []
    stopped = None
    try:
        plans = [_linear_program(*side, budget) for side in sides]
    except (LimitReached, Interrupted) as error:  # all moves alike prove bounds, too
        resume()  # after Ctrl-C; a second one ends this, too
        stopped, plans = error, [[0.0] * side.sequences for side in form.sides]
    for most in _DENOMINATORS:
        rounded = [_rounded(side[0], plan, most) for side, plan in zip(sides, plans, strict=True)]
        found = [(_worst(c, *side), c) for side, c in zip(sides, rounded, strict=True)]
        best = [max(pair, key=itemgetter(0)) for pair in zip(best or found, found, strict=True)]
        if best[0][0] == -best[1][0]:  # exact
            break
        try:
            budget.check()
        except OutOfTime:
            break
    (low, strategy), (least, reply) = best
    if stopped:
        raise _stopped(stopped, _value_text(one.role, *_short(low, -least)))
    return Equilibrium(
        state.game.name,
        {one.role: _short(low, -least), other.role: _short(form.total + least, form.total - low)},
        {one.role: _by_view(one, strategy), other.role: _by_view(other, reply)},
        form.histories,
        budget.seconds,
    )


def trivial_value(game: Game) -> str:
    """The value of a game of which only the payoffs are known, for people."""
    worth = game.vocabulary.payoffs
    payoffs = [Fraction(worth.get(goal, goal)) for goal in range(HIGHEST_GOAL + 1)]
    return _value_text(game.players[0], min(payoffs), max(payoffs))


def _value_text(role: str, low: Fraction, high: Fraction) -> str:
    return f"the value for {role} is {interval_text(low, high)}"


def _stopped(error: LimitReached | Interrupted, known: str) -> LimitReached | Interrupted:
    """What ends a computation, with what is known by then."""
    if isinstance(error, LimitReached):
        return type(error)(f"{error}; {known}")
    error.add_note(known)
    return error


def equilibrium_report(found: Equilibrium) -> JsonObject:
    """An equilibrium as a JSON object; fractions are texts."""
    return {
        "game": found.game,
        "value": {role: [str(low), str(high)] for role, (low, high) in found.value.items()},
        "strategies": {
            role: {
                view: {move: str(chance) for move, chance in moves.items()}
                for view, moves in strategy.items()
            }
            for role, strategy in found.strategies.items()
        },
        "histories": found.histories,
        "seconds": found.seconds,
    }


def _short(low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """An interval whose ends have few digits, around the given one; an exact value stays."""
    if low == high:
        return low, high
    return Fraction(math.floor(low * _DIGITS), _DIGITS), Fraction(
        math.ceil(high * _DIGITS), _DIGITS
    )


def _linear_program(
    side: Side, other: Side, payoffs: Mapping[Pair, Fraction], budget: Budget
) -> Sequence[float]:
    """The weights of a side's sequences in an optimal plan, in floating-point numbers.

    The unknowns are these weights, then for each information set of the other side what the side
    gets from there on, and at last what it gets in all.
    """
    optimize = optional_package("scipy.optimize", "an equilibrium", "aspgames[equilibrium]")
    sparse = optional_package("scipy.sparse", "an equilibrium", "aspgames[equilibrium]")
    whole = side.sequences + len(other.sets)
    flow = sparse.lil_matrix((len(side.sets) + 1, whole + 1))
    flow[len(side.sets), 0] = 1
    for number, each in enumerate(side.sets):
        flow[number, each.parent] = -1
        for sequence in each.sequences():
            flow[number, sequence] = 1
    bound = sparse.lil_matrix((other.sequences, whole + 1))
    bound[0, whole] = 1
    for number, each in enumerate(other.sets, start=side.sequences):
        bound[each.parent, number] = -1
        for sequence in each.sequences():
            bound[sequence, number] = 1
    for (mine, theirs), gain in payoffs.items():
        bound[theirs, mine] = -float(gain)
    budget.check()  # HiGHS warns of a limit below 0
    objective = [0.0] * whole + [-1.0]
    found = optimize.linprog(
        objective,
        bound.tocsr(),
        [0.0] * other.sequences,
        flow.tocsr(),
        [0.0] * len(side.sets) + [1.0],
        [(0, None)] * side.sequences + [(None, None)] * (len(other.sets) + 1),
        method="highs",
        options={} if budget.seconds_left == math.inf else {"time_limit": budget.seconds_left},
    )
    budget.check()
    if found.x is None:
        raise LimitReached(f"the linear program has no solution: {found.message}")
    weights: Sequence[float] = found.x.tolist()
    return weights[: side.sequences]


def _rounded(side: Side, weights: Sequence[float], most: int) -> Chances:
    """The probabilities that weights mean, as fractions whose denominators are small."""
    chances = []
    for each in side.sets:
        parent = weights[each.parent]
        given = [weights[sequence] for sequence in each.sequences()]
        if parent < _SMALLEST_PROBABILITY:
            given, parent = [1.0] * len(given), float(len(given))
        near = [Fraction(max(0.0, w / parent)).limit_denominator(most) for w in given]
        near[near.index(max(near))] += 1 - sum(near)
        chances.append(near)
    return chances


def _worst(chances: Chances, side: Side, other: Side, payoffs: Mapping[Pair, Fraction]) -> Fraction:
    """What a side gains with some probabilities against the other's best reply, exactly."""
    plan = [Fraction(1)] * side.sequences
    for each, given in zip(side.sets, chances, strict=True):
        for sequence, chance in zip(each.sequences(), given, strict=True):
            plan[sequence] = plan[each.parent] * chance
    gains = [Fraction(0)] * other.sequences
    for (mine, theirs), gain in payoffs.items():
        gains[theirs] += gain * plan[mine]
    for each in reversed(other.sets):
        gains[each.parent] += min(gains[sequence] for sequence in each.sequences())
    return gains[0]


def _by_view(side: Side, chances: Chances) -> Strategy:
    return {
        each.view: dict(zip(each.moves, given, strict=True))
        for each, given in zip(side.sets, chances, strict=True)
    }
