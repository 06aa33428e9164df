"""Random play: many games from a state on, each move chosen uniformly among the legal ones."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from .arguments import check_budget, check_progress, told
from .budget import MOST_RULES, Budget
from .engine.threads import number_of
from .errors import BadRequest, LimitReached, RulesError
from .game import State, check_state
from .reasoner import check_choice

_RULES_A_GAME = 150_000  # of a net that takes about as long to make as the grounder for a game
_SHARE = 0.5  # of the time, for a net that nobody asked for


@dataclass
class Playouts:
    """What became of random games."""

    roles: tuple[str, ...]
    """The roles of the game."""
    results: Counter[tuple[int, ...]] = field(default_factory=Counter)
    """The games that ended with these goal values, in the order of the roles."""
    lengths: Counter[int] = field(default_factory=Counter)
    """The games that took so many plies."""
    seconds: float = 0.0
    """The time the games took, without that for making a net."""

    @property
    def games(self) -> int:
        """The number of games."""
        return self.lengths.total()

    @property
    def states(self) -> int:
        """The states met: one a ply, and the last one of each game."""
        return sum((length + 1) * games for length, games in self.lengths.items())

    @property
    def mean_length(self) -> float:
        """Plies a game."""
        return (self.states - self.games) / self.games if self.games else 0.0


def playouts(
    state: State,
    games: int,
    seed: int = 0,
    *,
    reasoner: str | None = None,
    threads: int | None = None,
    budget: Budget | None = None,
    progress: Callable[[int], None] = lambda _games: None,
    into: Playouts | None = None,
) -> Playouts:
    """Play random games from a state to their ends.

    Every choice is uniform among the legal moves, and independent of all others. The same seed
    gives the same games. ``reasoner`` is ``"propnet"`` (thousands of games at a time),
    ``"grounder"`` (one by one) or None for the faster of the two that the rules allow; their games
    differ. ``threads`` is how many threads share the games, one a core unless given; the games are
    the same. ``progress`` is called with the number of games ended so far. ``into`` is what is
    returned, if given: it has the games that ended before a limit was reached, too. Long games are
    missing among those, more than short ones.

    Raises ``BadRequest`` for a negative number of games, an unknown reasoner or no threads,
    ``LimitReached`` when the budget runs out.
    """
    check_state(state)
    check_progress(progress)
    if isinstance(games, bool) or not isinstance(games, int) or games < 0:
        raise BadRequest(f"the number of games must be a whole number from 0 on, not {told(games)}")
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise BadRequest(f"the seed must be a whole number, not {told(seed)}")
    check_choice(reasoner)
    threads = number_of(threads)
    budget = check_budget(budget)
    found = Playouts(state.game.roles) if into is None else into

    def ended(goals: tuple[int, ...], length: int, number: int = 1) -> None:
        found.results[goals] += number
        found.lengths[length] += number
        progress(found.games)

    if reasoner != "grounder":
        from .engine.random_play import play_games

        try:
            most = min(MOST_RULES, _RULES_A_GAME * games)
            trial = budget if reasoner else _part(budget)
            tables = state.game.nets.tables_from(state.facts, most, trial)
        except (RulesError, LimitReached):
            if reasoner:
                raise
        else:
            start = budget.seconds
            row = tables.row(state.facts) or b""
            try:
                play_games(tables, row, len(found.roles), games, seed, budget, ended, threads)
            finally:
                found.seconds = budget.seconds - start
            return found
    try:
        _one_by_one(state, games, random.Random(seed), budget, ended)
    finally:
        found.seconds = budget.seconds
    return found


def _part(budget: Budget) -> Budget:
    """That for a net that may come to nothing: something is left for the grounder then."""
    budget.check()
    left = budget.seconds_left
    return budget if left == math.inf else Budget(max(1e-9, _SHARE * left))


def _one_by_one(
    state: State,
    games: int,
    rng: random.Random,
    budget: Budget,
    ended: Callable[[tuple[int, ...], int], None],
) -> None:
    """Play with the game's reference reasoner, a state at a time."""
    reasoner = state.game.reasoner
    for _ in range(games):
        facts, length = state.facts, 0
        while True:
            try:
                budget.spend()
            except LimitReached as error:
                raise type(error)(f"{error}: a game goes on after {length:,} plies") from None
            consequences = reasoner.consequences(facts)
            moves = {role: consequences.playable(role) for role in state.game.roles}
            if not all(moves.values()):
                break
            joint = {role: rng.choice(terms) for role, terms in moves.items()}
            facts, length = reasoner.successor(facts, joint), length + 1
        ended(tuple(consequences.goals[role] for role in state.game.roles), length)
