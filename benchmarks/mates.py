"""The time to a verdict, against Fairy-Stockfish's announcements of mate in Breakthrough.

Run it with: python benchmarks/mates.py [--positions N] [--time SECONDS] [--seed N]

Fairy-Stockfish plays games against itself after random plies. A position counts if it announces a
mate in 3 to 12 there, once for each game. Then both programs get the position anew, with one
thread. Its time is that of its first announcement of a mate. Ours are the times until ``solve``
knows that the win is forced, and until the whole answer: the least distance, all keys and a line.
An announcement proves neither; a distance above an announced one is reported as a contradiction.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import time
from collections.abc import Iterator

import aspgames
from aspgames.puzzle.problem import Puzzle
from aspgames.puzzle.solution import Solution
from aspgames.runtime.budget import Budget
from aspgames.solver.search.puzzle_search import Search
from fairy import Engine

LEAST, MOST = 3, 12
RANDOM_PLIES = 8
LOOK = 100_000
"""The nodes of the engine's search for each move of a game."""
UNIT = 0.001
"""The least time that counts, the engine's unit [s]."""


def announced(engine: Engine, seed: int) -> Iterator[tuple[aspgames.State, int]]:
    """For each game, the first position with an announced mate, and its number of moves."""
    rng = random.Random(seed)
    game = aspgames.load("breakthrough")
    while True:
        state, ply = game.initial, 0
        while not state.is_terminal:
            if ply < RANDOM_PLIES:
                state = state.play(rng.choice(list(state.legal_moves)).term)
            else:
                engine.forget()
                thought = engine.think(str(state.fen), f"nodes {LOOK}")
                if thought.mate is not None and LEAST <= thought.mate <= MOST:
                    yield state, thought.mate
                    break
                state = state.play(f"{thought.move[:2]}-{thought.move[2:]}")
            ply += 1


def solved(state: aspgames.State, seconds: float) -> tuple[Solution, float, float]:
    """The solution, and the times until the verdict and the whole answer, net included [s]."""
    begun, verdict = time.perf_counter(), math.inf

    def note(text: str) -> None:
        nonlocal verdict
        if text.startswith("Forced"):
            verdict = min(verdict, time.perf_counter() - begun)

    puzzle = Puzzle.of(state, state.to_move, "win")
    solution = Search(puzzle, Budget(seconds), note, threads=1).run()
    whole = time.perf_counter() - begun
    return solution, min(verdict, whole), whole


def mean(times: list[float]) -> float:
    """The geometric mean of times."""
    return statistics.geometric_mean(max(UNIT, each) for each in times)


def main() -> None:
    """Measure, and print a row for each position and the means."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--time", type=float, default=60, help="seconds for each position")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    engine, theirs, ours, wholes = Engine("breakthrough"), [], [], []
    games = announced(engine, given.seed)
    for (state, mate), _ in zip(games, range(given.positions), strict=False):
        engine.forget()
        thought = engine.think(str(state.fen), f"nodes {5 * LOOK}")
        found, verdict, whole = solved(state, given.time)
        theirs.append(thought.seconds)
        ours += [verdict] if found.verdict == "forced" else []
        wholes += [whole] if found.is_complete else []
        number = found.distance if found.is_complete else f"({found.not_within}, {found.at_most}]"
        wrong = " CONTRADICTION" * (
            found.verdict == "not_forced" or mate <= (found.not_within or 0)
        )
        print(
            f"{state.fen}  mate {mate} after {thought.seconds:.3f} s; {found.verdict} in {number} "
            f"turns, verdict {verdict:.2f} s, all {whole:.2f} s{wrong}",
            flush=True,
        )
    print(
        f"verdict: {len(ours)} of {given.positions} in {mean(ours):.2f} s, Fairy-Stockfish "
        f"{mean(theirs):.3f} s; whole answers: {len(wholes)} in {mean(wholes):.2f} s"
    )


if __name__ == "__main__":
    main()
