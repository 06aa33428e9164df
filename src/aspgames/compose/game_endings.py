"""The ends of random games, where games are decided and puzzles occur."""

from __future__ import annotations

from ..game.game import Game, State
from ..play.batch import Batch
from ..runtime.budget import Budget

_LONGEST = 2000  # plies; a longer game is cut off there


def endings(
    game: Game, games: int, plies: int, seed: int, budget: Budget, threads: int = 1
) -> list[list[State]]:
    """The last states of random games.

    Args:
        game: The game.
        games: The number of games.
        plies: The number of states of each game, before its end.
        seed: The seed of the games.
        budget: The time.
        threads: The number of threads; the states are the same.

    Raises:
        BadRequest: The game can't be played in batches.
        LimitReached: The budget is over.
    """
    lengths = _lengths(Batch(game, games, seed=seed, threads=threads), budget)
    found: list[list[State]] = [[] for _ in range(games)]
    # The same seed plays the same games again.
    batch = Batch(game, games, seed=seed, threads=threads)
    for ply in range(max(lengths)):
        budget.check()
        late = [number for number, length in enumerate(lengths) if 0 < length - ply <= plies]
        for number, state in zip(late, batch.states(late) if late else [], strict=True):
            found[number].append(state)
        batch.step(batch.sample())
    return found


def _lengths(batch: Batch, budget: Budget) -> list[int]:
    """The length of each game [plies]."""
    lengths = [0] * len(batch)
    for ply in range(_LONGEST):
        budget.check()
        over = batch.terminal
        for number in (~over).nonzero()[0].tolist():
            lengths[number] = ply + 1
        if over.all():
            break
        batch.step(batch.sample())
    return lengths
