"""The ends of random games: where most of a game is decided, there are puzzles."""

from __future__ import annotations

from ..game.game import Game, State
from ..play.batch import Batch
from ..runtime.budget import Budget

_LONGEST = 2000  # plies; a game that is longer counts as ended there


def endings(
    game: Game, games: int, plies: int, seed: int, budget: Budget, threads: int = 1
) -> list[list[State]]:
    """The last states of so many random games, of each its last so many plies without the end.

    Raises as ``Batch`` does, and what the budget does.
    """
    lengths = _lengths(Batch(game, games, seed=seed, threads=threads), budget)
    found: list[list[State]] = [[] for _ in range(games)]
    # What is chosen is settled by the seed, so the same games can be played once more.
    batch = Batch(game, games, seed=seed, threads=threads)
    for ply in range(max(lengths)):
        budget.check()
        late = [number for number, length in enumerate(lengths) if 0 < length - ply <= plies]
        for number, state in zip(late, batch.states(late) if late else [], strict=True):
            found[number].append(state)
        batch.step(batch.sample())
    return found


def _lengths(batch: Batch, budget: Budget) -> list[int]:
    """How many plies each game lasts."""
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
