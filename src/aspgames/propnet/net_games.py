"""Random games on a net with all their states, for recordings, samples and weighted rolls.

The games are those of ``random_play``, whose kernel keeps no states and knows no ``weight/2``.
"""

from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..gdl.predicates import CHANCE
from ..runtime.budget import Budget
from ..runtime.errors import LimitReached, RulesError
from .batch_states import keys
from .gate_tables import Tables
from .lanes import Flags, Ints, Lanes, LegalScope, Rows
from .weighted_rolls import WeightedRolls

_MOST_STATES = 1 << 24  # states of the games that are played side by side


@dataclass(frozen=True)
class NetGames:
    """All states of some games, game by game, and the moves played."""

    rows: Rows
    moves: Ints
    """The move's number for each state and role, ``(n, roles)``; -1 in a game's last state."""
    counts: Ints
    """The number of moves to choose from, ``(n, roles)``; 0 where a game is over."""
    movers: Ints
    """The role on move in each state, ``(n,)``; -1 if several are, and where a game is over."""
    lengths: npt.NDArray[np.int64]
    """The plies of each game."""
    goals: Ints
    """The goals, or ``UNSETTLED``, in the last state of each game, ``(games, roles)``."""
    ended: Flags
    """Whether each game ended, and wasn't broken off."""
    unrolled: Flags
    """Whether it ended because ``random`` has no move."""


def play(
    tables: Tables,
    start: bytes | Rows,
    numbers: range,
    seed: int,
    budget: Budget,
    most_plies: int,
    rolls: WeightedRolls | None = None,
) -> NetGames:
    """Play the games with these numbers; a game is broken off after ``most_plies`` plies.

    ``start`` is the row of the first state of all games, or an array with a row for each.
    ``rolls`` is for a game with ``weight/2``.

    Raises:
        LimitReached: The budget runs out, or the games have too many states.
    """
    games = len(numbers)
    lanes = Lanes(tables, rolls=rolls)
    rows = start
    if isinstance(rows, bytes):
        rows = np.repeat(np.frombuffer(rows, np.uint64)[None, :], games, axis=0)
    randoms = keys(seed & (1 << 64) - 1, np.array(numbers, np.uint64))
    playing = np.arange(games)
    lengths, states = np.zeros(games, np.int64), 0
    roller = [place for place, role in enumerate(tables.names.roles) if role == CHANCE]
    ended, unrolled = np.zeros((2, games), np.bool_)
    steps: list[tuple[npt.NDArray[np.int64], Rows, Ints, Ints, Ints]] = []
    last = np.empty_like(rows)
    while len(playing):
        count = len(playing)
        budget.spend(count)
        states += count
        if states > _MOST_STATES:
            raise LimitReached(
                f"games {numbers[0]} to {numbers[-1]} have more than {_MOST_STATES:,} states "
                f"together, and {count:,} of them go on after {len(steps):,} plies"
            )
        over = np.empty(count, np.bool_)
        movers = np.empty(count, np.int32)
        moves, counts = (np.empty((count, tables.roles), np.int32) for _ in range(2))
        answers = {"terminal": over, "mover": movers, "choices": moves, "counts": counts}
        lanes.fill(rows, answers | {"keys": randoms}, LegalScope.ALL_PLAYABLE, len(steps))
        unrolled[playing] = ~over & (counts[:, roller] == 0).any(axis=1)
        over |= (counts == 0).any(axis=1)
        ended[playing[over]] = True
        movers[over] = -1
        counts[over] = 0
        over |= len(steps) == most_plies
        moves[over] = -1
        steps.append((playing, rows, moves, counts, movers))
        lengths[playing[over]] = len(steps) - 1
        last[playing[over]] = rows[over]
        going = ~over
        playing, randoms = playing[going], randoms[going]
        rows = lanes.play(rows[going], moves[going])
    goals = np.empty((games, tables.roles), np.int32)
    with suppress(RulesError):  # the array has the unsettled goals, too
        lanes.fill(last, {"goals": goals}, LegalScope.ALL_PLAYABLE)
    return _by_games(steps, lengths, goals, ended, unrolled)


def _by_games(
    steps: list[tuple[npt.NDArray[np.int64], Rows, Ints, Ints, Ints]],
    lengths: npt.NDArray[np.int64],
    goals: Ints,
    ended: Flags,
    unrolled: Flags,
) -> NetGames:
    """Sort the arrays of each ply by games."""
    ends = np.cumsum(lengths + 1)
    begins, states = ends - (lengths + 1), int(ends[-1])
    moves, counts = (np.empty((states, goals.shape[1]), np.int32) for _ in range(2))
    found = NetGames(
        rows=np.empty((states, steps[0][1].shape[1]), np.uint64),
        moves=moves,
        counts=counts,
        movers=np.empty(states, np.int32),
        lengths=lengths,
        goals=goals,
        ended=ended,
        unrolled=unrolled,
    )
    for ply, (games, rows, moves, counts, movers) in enumerate(steps):
        places = begins[games] + ply
        found.rows[places], found.moves[places] = rows, moves
        found.counts[places], found.movers[places] = counts, movers
    return found
