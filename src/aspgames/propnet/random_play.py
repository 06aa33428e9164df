"""Random games: every choice is uniform and independent of all others.

The draws of a game depend only on the seed and the game's number (``native/games.inc.c``). So the
same seed gives the same games, for any number of threads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

from ..gdl.predicates import CHANCE
from ..gdl.reasoner import UNSETTLED, unsettled_goals
from ..runtime.budget import Budget
from ..runtime.errors import Interrupted, LimitReached, RulesError
from .gate_tables import Tables
from .kernel import Pointer, kernel
from .threads import number_of, run

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from .lanes import Ints, Rows
    from .weighted_rolls import WeightedRolls

_GAMES_OF_A_ROUND = 1 << 18  # whose results are stored one by one
_PLIES_OF_A_STEP = 16  # in one step ...
_STEP_SECONDS = 0.004  # ... or fewer, if they take longer than this [s]
_UNDER_WAY = -1  # in place of a game's plies

MOST_PLIES = 1000
"""The plies after which a random game is broken off, unless the user sets another limit."""
BROKEN_OFF, NO_ROLL = -2, -3
"""In place of a game's plies: it was broken off; ``random`` has no move, and it isn't over."""


@dataclass(frozen=True)
class Ending:
    """An end that some games have in common."""

    goals: tuple[int, ...]
    """Each role's goal, or ``UNSETTLED``, in the order of the roles."""
    plies: int
    """The plies of each game, ``BROKEN_OFF`` or ``NO_ROLL``."""
    games: int
    example: int
    """The number of one of the games, the first if it isn't known how they ended."""


class _Round:
    """Some games, and their results."""

    def __init__(self, first: int, end: int, roles: int) -> None:
        self.first, self.end = first, end
        ffi = kernel().ffi
        self.next = ffi.new("int64_t *", first)
        self.lengths = ffi.new("int32_t[]", end - first)
        ffi.buffer(self.lengths)[:] = b"\xff" * ffi.sizeof(self.lengths)  # _UNDER_WAY
        self.goals = ffi.new("int32_t[]", (end - first) * max(1, roles))

    @property
    def begun(self) -> int:
        """The number of games that have begun."""
        return min(int(self.next[0]), self.end) - self.first

    def endings(self, roles: int, stride: int) -> Iterator[Ending]:
        """Yield each distinct end of games."""
        unpack = kernel().ffi.unpack
        goals = unpack(self.goals, len(self.goals))
        lengths = unpack(self.lengths, len(self.lengths))
        values = zip(*(goals[role::stride] for role in range(roles)), strict=True)
        ends = zip(values, lengths, strict=True)
        for end, games in Counter(ends).items():
            if end[1] != _UNDER_WAY:
                example = self.first
                if UNSETTLED in end[0] or end[1] == NO_ROLL:
                    again = zip(*(goals[role::stride] for role in range(roles)), strict=True)
                    example += list(zip(again, lengths, strict=True)).index(end)
                yield Ending(*end, games, example)


class _Games:
    """A thread's share of a round."""

    def __init__(
        self, tables: Tables, starts: Pointer, each: int, seed: int, most_plies: int, into: _Round
    ) -> None:
        """``each`` games begin from each of the rows at ``starts``."""
        roles = tables.names.roles
        roller = roles.index(CHANCE) if CHANCE in roles else -1
        numbers = each, seed & (1 << 64) - 1, into.first, into.end, most_plies, roller
        results = into.next, into.lengths, into.goals
        library = kernel()
        games = library.games_new(tables.address, starts, *numbers, *results)
        self._games = library.owned(games, "games_free", tables, into)
        self.states = 0
        self._plies = _PLIES_OF_A_STEP

    def step(self) -> bool:
        """Play some plies; returns whether there is more to do."""
        began = monotonic()
        status = kernel().check(kernel().games_run(self._games.pointer, self._plies))
        is_slow = monotonic() - began > _STEP_SECONDS
        self._plies = (
            max(1, self._plies // 2) if is_slow else min(_PLIES_OF_A_STEP, 2 * self._plies)
        )
        self.states = kernel().games_states(self._games.pointer)
        return bool(status)


def play_games(
    tables: Tables,
    start: bytes,
    roles: int,
    numbers: range,
    seed: int,
    budget: Budget,
    threads: int | None = None,
    most_plies: int = MOST_PLIES,
) -> Iterator[Ending]:
    """Play the games with these numbers from a state to their ends.

    A game is broken off after ``most_plies`` plies. The game's roles are the first ``roles`` of the
    net.

    Raises ``LimitReached`` when the budget runs out, after it has yielded the ended games.
    """
    threads, any_ended = number_of(threads), False
    for begin in range(numbers.start, numbers.stop, _GAMES_OF_A_ROUND):
        into = _Round(begin, min(begin + _GAMES_OF_A_ROUND, numbers.stop), tables.roles)
        row, each = kernel().array("uint64_t[]", start), into.end - into.first
        parts = [_Games(tables, row, each, seed, most_plies, into) for _ in range(threads)]
        spent = 0

        def check(parts: list[_Games] = parts) -> None:
            nonlocal spent
            now = sum(part.states for part in parts)
            budget.spend(now - spent)
            spent = now

        stopped = None
        try:
            run(parts, threads, check)
        except (LimitReached, Interrupted) as error:
            stopped = error
        for ending in into.endings(roles, tables.roles):
            yield ending
            any_ended = True
        if isinstance(stopped, LimitReached) and not any_ended:
            raise _after(into.begun, spent, stopped)
        if stopped:
            raise stopped


def play_from(
    tables: Tables,
    starts: Rows,
    each: int,
    seed: int,
    first: int,
    budget: Budget,
    threads: int = 1,
    rolls: WeightedRolls | None = None,
) -> Ints:
    """Play ``each`` games from each of some states; returns the goals of each game, role by role.

    A game of ``MOST_PLIES`` plies is broken off: its goals are those of its last state.

    States in the same phase should stand together. ``first`` is the number of the first game.
    ``rolls`` is for a game with ``weight/2``, whose games are played in one thread.
    """
    import numpy as np  # not needed to play from one state

    if rolls:
        from .net_games import play

        numbers = range(first, first + len(starts) * each)
        rows_of_games = np.repeat(starts, each, axis=0)
        return _settled(play(tables, rows_of_games, numbers, seed, budget, MOST_PLIES, rolls).goals)
    into = _Round(first, first + len(starts) * each, tables.roles)
    rows = kernel().array("uint64_t[]", starts)
    parts = [_Games(tables, rows, each, seed, MOST_PLIES, into) for _ in range(threads)]
    run(parts, threads, lambda: budget.spend(0))
    budget.spend(sum(part.states for part in parts))
    goals = np.frombuffer(kernel().ffi.buffer(into.goals), np.int32)
    return _settled(goals.reshape(-1, tables.roles))


def _settled(goals: Ints) -> Ints:
    if (goals == UNSETTLED).any():
        raise RulesError(unsettled_goals("a role"))
    return goals


def phases_of(tables: Tables, rows: Rows) -> npt.NDArray[np.uint8]:
    """The phase of each state: states with the same side on move have the same number."""
    import numpy as np

    found = np.empty(len(rows), np.uint8)
    array = kernel().array
    kernel().phases(tables.address, array("uint64_t[]", rows), len(rows), array("uint8_t[]", found))
    return found


def _after(games: int, states: int, stopped: LimitReached) -> LimitReached:
    """The error, with the plies of the games, none of which has ended."""
    if not games:
        return stopped
    plies = f"after {states // games:,} plies"
    if games == 1:
        return type(stopped)(f"{stopped}: the game goes on {plies}")
    return type(stopped)(
        f"{stopped}: all of {games:,} games go on {plies}; ask for fewer at a time"
    )
