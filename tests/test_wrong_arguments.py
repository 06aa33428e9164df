"""A public function raises an ``AspgamesError`` with a sentence for any invalid argument."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import aspgames
from aspgames import AspgamesError, Batch, Move
from aspgames.puzzle.problem import Puzzle
from aspgames.runtime.budget import Budget
from aspgames.solver.search.puzzle_search import Search

WRONG: list[Any] = [
    *(None, 5, -1, 2.5, b"a", True, object(), float("nan"), 10**30, type, print),
    *([], [None], (3,), {}, {"a": 1}, set(), ["startpos"]),
    *("?", "a=b", "a\nb=c", "white=a2-a3,\nx", "=", "", "\0", "é", "(" * 999),
]
GAME = aspgames.load("breakthrough", width=3, height=4)
START = GAME.initial
BATCH = Batch(GAME, 2)
ORDER = aspgames.Order.of(GAME.roles, "win", 1)

# Each takes one argument that may be wrong, and accepts some of the values above.
CALLS: dict[str, Callable[[Any], object]] = {
    "load": lambda wrong: aspgames.load(wrong),
    "load, constant": lambda wrong: aspgames.load("breakthrough", width=wrong),
    "Game": lambda wrong: aspgames.Game(wrong, {}),
    "position": lambda wrong: GAME.position(wrong),
    "from_facts": lambda wrong: GAME.from_facts(wrong),
    "state": lambda wrong: GAME.state(wrong).goals,
    "parse_move": lambda wrong: GAME.parse_move(wrong),
    "State": lambda wrong: aspgames.State(wrong, START.facts).goals,
    "State, facts": lambda wrong: aspgames.State(GAME, wrong).goals,
    "play": lambda wrong: START.play(wrong),
    "play, joint": lambda wrong: START.play({"white": wrong}),
    "play, second": lambda wrong: START.play("a2-a3", wrong),
    "is_legal": lambda wrong: START.is_legal(wrong),
    "piece_at": lambda wrong: START.piece_at(wrong),
    "with_piece": lambda wrong: START.with_piece(wrong, "white"),
    "with_piece, content": lambda wrong: START.with_piece("a1", wrong),
    "without_piece": lambda wrong: START.without_piece(wrong),
    "play, role": lambda wrong: START.play({str(wrong): "a2-a3"}),
    "Move": lambda wrong: START.play(Move("white", wrong, None)),
    "Move, role": lambda wrong: START.play(Move(wrong, "move(1,2,1,3)", None)),
    "Move, text": lambda wrong: str(Move("white", "move(1,2,1,3)", wrong)),
    "move_text": lambda wrong: START.move_text(wrong),
    "joint": lambda wrong: START.joint(wrong),
    "legal_move": lambda wrong: START.legal_move("white", wrong),
    "legal_move, role": lambda wrong: START.legal_move(wrong, "a2-a3"),
    "why": lambda wrong: START.why(wrong),
    "why_moves": lambda wrong: list(START.why_moves([wrong])),
    "why_each": lambda wrong: START.why_each(wrong),
    "why_each, move": lambda wrong: START.why_each({"white": wrong}),
    "why, role": lambda wrong: START.why("a2-a3", role=wrong),
    "why_goal": lambda wrong: START.why_goal(wrong),
    "why_next": lambda wrong: START.why_next(wrong, "control(white)"),
    "why_next, fluent": lambda wrong: START.why_next("a2-a3", wrong),
    "svg, last_move": lambda wrong: START.svg(last_move=wrong),
    "svg, arrows": lambda wrong: START.svg(arrows=wrong),
    "svg, arrow": lambda wrong: START.svg(arrows=[wrong]),
    "svg, marked": lambda wrong: START.svg(marked=wrong),
    "svg, square": lambda wrong: START.svg(marked=[wrong]),
    "svg, theme": lambda wrong: START.svg(theme=wrong),
    "svg, size": lambda wrong: START.svg(size=wrong),
    "svg, bottom": lambda wrong: START.svg(bottom=wrong),
    "perft": lambda wrong: aspgames.perft(wrong, 2),
    "perft, depth": lambda wrong: aspgames.perft(START, wrong if wrong != 5 else 2),
    "perft, reasoner": lambda wrong: aspgames.perft(START, 1, reasoner=wrong),
    "perft, threads": lambda wrong: aspgames.perft(START, 1, threads=wrong),
    "perft, budget": lambda wrong: aspgames.perft(START, 1, budget=wrong),
    "perft, progress": lambda wrong: aspgames.perft(START, 2, progress=wrong),
    "divide": lambda wrong: aspgames.divide(wrong, 2),
    "divide, depth": lambda wrong: aspgames.divide(START, wrong if wrong != 5 else 2),
    "playouts": lambda wrong: aspgames.playouts(wrong, 2),
    "playouts, games": lambda wrong: aspgames.playouts(START, wrong),
    "playouts, seed": lambda wrong: aspgames.playouts(START, 1, wrong),
    "playouts, reasoner": lambda wrong: aspgames.playouts(START, 1, reasoner=wrong),
    "playouts, threads": lambda wrong: aspgames.playouts(START, 1, threads=wrong),
    "playouts, budget": lambda wrong: aspgames.playouts(START, 1, budget=wrong),
    "playouts, progress": lambda wrong: aspgames.playouts(START, 1, progress=wrong),
    "solve": lambda wrong: aspgames.solve(wrong, attacker="white", goal="win", within=1),
    "solve, attacker": lambda wrong: aspgames.solve(START, attacker=wrong, goal="win", within=1),
    "solve, goal": lambda wrong: aspgames.solve(START, attacker="white", goal=wrong, within=1),
    "solve, within": lambda wrong: aspgames.solve(
        START, attacker="white", goal="win", within=wrong if wrong is not None else 1
    ),
    "solve, budget": lambda wrong: aspgames.solve(
        START, attacker="white", goal="win", within=1, budget=wrong
    ),
    "solve, threads": lambda wrong: aspgames.solve(
        START, attacker="white", goal="win", within=1, threads=wrong
    ),
    "Batch": lambda wrong: Batch(wrong, 2),
    "Batch, number": lambda wrong: Batch(GAME, wrong),
    "Batch, start": lambda wrong: Batch(GAME, 2, start=wrong),
    "Batch, step": lambda wrong: BATCH.copy().step(wrong),
    "Batch, set": lambda wrong: BATCH.copy().set(0, wrong),
    "Batch, where": lambda wrong: BATCH.copy().set(wrong, "startpos"),
    "Batch, states": lambda wrong: BATCH.states(wrong),
    "Batch, take": lambda wrong: BATCH.take(wrong),
    "Batch, reset": lambda wrong: BATCH.copy().reset(wrong),
    "certificate": lambda wrong: aspgames.certificate(wrong, goal="win"),
    "certificate, goal": lambda wrong: aspgames.certificate(START, attacker="white", goal=wrong),
    "verify": lambda wrong: aspgames.verify(wrong),
    "Puzzle": lambda wrong: Puzzle.of(wrong, "white", "win"),
    "judge": lambda wrong: aspgames.judge(wrong),
    "Order": lambda wrong: aspgames.Order.of(GAME.roles, wrong, 1),
    "compose": lambda wrong: aspgames.compose(wrong, ORDER, 1),
    "compose, order": lambda wrong: aspgames.compose(GAME, wrong, 1),
    "compose, number": lambda wrong: aspgames.compose(GAME, ORDER, wrong, budget=Budget(0.1)),
    "Player": lambda wrong: aspgames.Player(wrong),
    "Player, choose": lambda wrong: aspgames.Player(GAME).choose(wrong, games=1),
    "Player, games": lambda wrong: aspgames.Player(GAME).choose(START, games=wrong),
}


@pytest.mark.parametrize("name", CALLS)
def test_what_is_wrong_is_said(name: str) -> None:
    refused = 0
    for wrong in WRONG:
        if wrong == 10**30 and name.endswith((" games", " threads", " depth")):
            continue
        try:
            CALLS[name](wrong)
        except AspgamesError as error:
            refused += 1
            about_values = isinstance(error, ValueError | aspgames.LimitReached)
            if not about_values or not str(error) or "\n" in str(error):
                pytest.fail(f"{name} of {wrong!r}: {error!r}")
        except Exception as error:
            pytest.fail(f"{name} of {wrong!r}: {error!r}")
    assert refused > len(WRONG) / 3, refused


HUGE = 10**30


@pytest.mark.parametrize(
    "ask",
    [
        lambda _: aspgames.perft(START, HUGE),
        lambda _: aspgames.divide(START, HUGE),
        lambda _: aspgames.playouts(START, HUGE, budget=Budget(0.1)),
        lambda _: aspgames.playouts(START, 3, seed=-HUGE),
        lambda _: Search(
            Puzzle.of(START, "white", "win", HUGE), Budget(9, HUGE), memory=1e300
        ).run(),
        lambda folder: aspgames.make_table(START, folder / "table", most_bytes=1e300),
    ],
)
def test_numbers_beyond_those_of_c(ask: Callable[[Path], object], tmp_path: Path) -> None:
    """They limit nothing, or the error is ours."""
    with suppress(aspgames.LimitReached):
        ask(tmp_path)
