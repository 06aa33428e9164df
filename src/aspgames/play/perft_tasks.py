"""Splits a perft count into pieces for an executor: the paths from some states of one ply."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from ..game.loading import SentGame
from ..game.state import State
from ..gdl.reasoner.reference_perft import StateByState
from ..gdl.rules import Facts, Joint
from ..runtime.budget import Budget
from ..runtime.workers.task_runner import TaskRunner

if TYPE_CHECKING:
    from ..propnet.counting import PerftWalk

# The pieces don't depend on the executor, so any other run can resume.
_FEWEST_STATES = 1024
"""The fewest states at the pieces' first ply, unless the pieces would be too short."""
_FEWEST_PIECES = 256  # the fewest pieces, if there are enough states


@dataclass(frozen=True)
class Piece:
    """Some states, and the depth of the count from them."""

    game: SentGame
    start: Facts
    """The first state of the whole count."""
    ply: int
    """The number of plies from there to ``states``."""
    states: tuple[Facts, ...]
    depth: int
    reasoner: str
    threads: int = field(repr=False)


def count_in_pieces(
    counter: PerftWalk | StateByState, state: State, depth: int, runner: TaskRunner, threads: int
) -> Iterator[tuple[Joint, int, bool]]:
    """Yield a first joint move, paths behind it, and whether this is the move's last part."""
    ply, spread = counter.spread(state.facts, depth, _FEWEST_STATES)
    game = SentGame.of(state.game)
    reasoner = "grounder" if isinstance(counter, StateByState) else "propnet"
    share = max(1, _FEWEST_PIECES // max(1, len(spread)))
    pieces: list[Piece] = []
    of: list[tuple[Joint, bool]] = []
    for joint, states in spread:
        parts = list(_split(states, share))
        for part in parts:
            pieces.append(
                Piece(game, state.facts, ply, tuple(part), depth - ply, reasoner, threads)
            )
            of.append((joint, part is parts[-1]))
    here = partial(count, budget=runner.budget)
    for (joint, last), future in zip(of, runner.map(count, pieces, here), strict=True):
        yield joint, future.result(), last


def count(piece: Piece, budget: Budget | None = None) -> int:
    """The number of paths from the states of a piece."""
    game = piece.game.load()
    budget = budget or Budget()
    counter: PerftWalk | StateByState
    if piece.reasoner == "propnet":
        from ..propnet.counting import PerftWalk

        counter = PerftWalk(game.rules, budget, threads=piece.threads)
    else:
        counter = StateByState(game.grounder, game.encoding, budget, lambda _nodes: None)
    return counter.count_from(piece.start, piece.ply, piece.states, piece.depth)


def _split(states: Sequence[Facts], parts: int) -> Iterator[Sequence[Facts]]:
    """Split states into ``parts`` parts of similar size, or fewer if there are fewer states."""
    parts = max(1, min(parts, len(states)))
    for part in range(parts):
        yield states[len(states) * part // parts : len(states) * (part + 1) // parts]
