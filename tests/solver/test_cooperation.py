"""Cooperative puzzles, compared with all lines of play, breadth first."""

import math
from pathlib import Path

import chess
import pytest

import aspgames
from aspgames import BadRequest, State
from aspgames.puzzle.problem import Puzzle
from aspgames.runtime.budget import Budget
from aspgames.solver.search import cooperative_search
from aspgames.solver.search.cooperative_search import together
from brute_force import Tree
from cli_helpers import ENDLESS
from engine_helpers import write
from helpers import draw


def shortest(puzzle: Puzzle) -> tuple[int, int] | None:
    """The fewest turns to the goal, and the fewest plies in lines with so many turns."""
    tree = Tree(puzzle)
    within = math.inf if puzzle.within is None else puzzle.within
    # A state, the turns begun so far, and whether the last move was the attacker's.
    level: set[tuple[State, int, bool]] = {(puzzle.state, 0, False)}
    met = set(level)
    found: list[tuple[int, int]] = []
    for ply in range(99):
        following: set[tuple[State, int, bool]] = set()
        for state, turns, attacked in level:
            seen = tree.see(state)
            begun = turns + (seen.attacks and not attacked)
            if seen.reached:
                found.append((turns, ply))
            elif begun <= within:
                following.update((child, begun, seen.attacks) for child in seen.moves.values())
        level = following - met
        met |= level
    return min(found, default=None)


def corner(ranks: str, size: int, fields: str) -> str:
    lower = [rank + "*" * (size - len(rank)) for rank in ranks.split()]
    return draw(" ".join(["*" * size] * (size - len(lower)) + lower), fields)


SMALL = {"width": 3, "height": 4}
QUESTIONS = [
    ("amazons", {}, corner("q.* .*. Q.*", 10, "w"), "white", "trap"),
    ("amazons", {}, corner("q.* .*. Q.*", 10, "w"), "black", "trap"),
    ("amazons", {}, corner("q* ** .Q", 10, "b"), "white", "trap"),
    ("amazons_8x8", {}, corner("q.* *.. Q**", 8, "b"), "white", "win"),
    ("amazons_8x8", {}, corner("q.* *.* Q.*", 8, "w fire a1"), "white", "trap"),
    ("amazons_8x8", {}, corner("q.* ..* Q**", 8, "w"), "black", "score>=100"),
    ("breakthrough", SMALL, "1p1/P1p/1pP/P2 w", "black", "win"),
    ("breakthrough", SMALL, "p2/1p1/3/1P1 b", "white", "win"),
    ("breakthrough", SMALL, "3/3/1p1/3 b", "white", "win"),
    ("breakthrough", SMALL, "1p1/3/P1p/3 w", "black", "win"),
    ("breakthrough", SMALL, "3/3/Pp1/3 w", "white", "lose"),
    ("breakthrough", SMALL, "p2/3/P1p/3 w", "white", "lose"),
    ("tictactoe", {}, "XO1/1X1/1O1 w", "black", "win"),
    ("tictactoe", {}, "X1O/1O1/2X b", "white", "win"),
    ("tictactoe", {}, "X1O/1O1/2X w", "white", "trap"),
]  # fmt: skip


@pytest.mark.parametrize("widest", [cooperative_search._WIDEST, (100, math.inf), (-1, math.inf)])
@pytest.mark.parametrize(("game", "constants", "position", "attacker", "goal"), QUESTIONS)
def test_the_shortest_line(
    game: str,
    constants: dict[str, int],
    position: str,
    attacker: str,
    goal: str,
    widest: tuple[float, float],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By the breadth-first search, by clingo's solver, and by both."""
    monkeypatch.setattr(cooperative_search, "_WIDEST", widest)
    state = aspgames.load(game, **constants).position(position)
    best = shortest(Puzzle.of(state, attacker, goal))
    for within in (None, 1):
        puzzle = Puzzle.of(state, attacker, goal, within)
        found = together(puzzle)
        if best is None or (within is not None and best[0] > within):
            assert (found.verdict, found.distance, found.line) == ("impossible", None, ())
            continue
        assert (found.verdict, found.distance, len(found.line)) == ("possible", *best)
        end = state
        for move, text in zip(found.line, found.line_text, strict=True):
            assert end.move_text(move) == text
            end = end.play(move)
        assert puzzle.goal.holds(end.consequences, attacker)


def test_the_questions_are_of_both_kinds() -> None:
    answers = [
        shortest(Puzzle.of(aspgames.load(game, **constants).position(position), attacker, goal))
        for game, constants, position, attacker, goal in QUESTIONS[2:3] + QUESTIONS[6:]
    ]
    assert {None, (0, 0)} <= set(answers)
    assert any(best and best[0] > 1 for best in answers)


def test_where_the_game_never_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start = write(ENDLESS, tmp_path).initial
    puzzle = Puzzle.of(start, "white", "win")
    assert together(puzzle).verdict == "impossible"
    # clingo's solver doesn't see repetitions
    monkeypatch.setattr(cooperative_search, "_WIDEST", (-1, math.inf))
    found = together(puzzle, Budget(seconds=0.1))
    assert (found.verdict, found.distance, found.line) == ("unknown", None, ())
    assert together(Puzzle.of(start, "white", "win", 3)).verdict == "impossible"


@pytest.mark.parametrize(
    ("fen", "attacker", "within"),
    [
        ("8/8/8/8/8/1K6/7R/k7 b - - 0 1", "white", 1),
        ("8/8/8/8/8/2K5/7R/k7 b - - 0 1", "white", 1),
        ("8/8/8/8/8/2K5/7R/k7 b - - 0 1", "white", 2),
        ("8/8/8/8/8/2K5/7R/k7 w - - 0 1", "white", 1),
        ("8/8/8/8/8/2K5/7R/k7 w - - 0 1", "black", 1),
        ("8/1Kp5/3kp3/3Pp3/8/8/1B1R4/8 w - - 0 1", "white", 2),
    ],
)
def test_helpmates_against_python_chess(fen: str, attacker: str, within: int) -> None:
    board = chess.Board(fen)
    plies = 2 * within - ((attacker == "white") == board.turn)
    fewest = next((n for n in range(plies % 2, plies + 1, 2) if helps(board, n)), 0)
    found = together(Puzzle.of(aspgames.load("chess").position(fen), attacker, "win", within))
    assert len(found.line) == fewest
    for move in found.line_text:
        board.push_uci(move.translate({45: None, 120: None, 61: None}))
    assert board.is_checkmate() == (found.verdict == "possible")


def helps(board: chess.Board, plies: int) -> bool:
    """Whether some line of exactly so many plies ends with a mate."""
    if not plies:
        return board.is_checkmate()
    for move in board.legal_moves:
        board.push(move)
        mates = helps(board, plies - 1)
        board.pop()
        if mates:
            return True
    return False


def test_a_long_line() -> None:
    """Two pawns that meet on a board of 12 ranks."""
    game = aspgames.load("breakthrough", width=3, height=12)
    told: list[tuple[int, int]] = []
    puzzle = Puzzle.of(game.position(f"2p/{'3/' * 10}P2 b"), "black", "win")
    found = together(puzzle, progress=lambda turns, plies: told.append((turns, plies)))
    assert (found.distance, len(found.line)) == shortest(puzzle) == (6, 11)
    assert told[-1] == (6, 11)


def test_a_game_in_which_both_choose_is_refused(tmp_path: Path) -> None:
    rules = "role(x;y). init(a). to_move(x). legal(x,go). legal(y,noop). legal(y,wait) :- true(b)."
    game = write(f"{rules} next(b).", tmp_path)
    with pytest.raises(BadRequest, match="one side moves at a time"):
        together(Puzzle.of(game.initial, "x", "win"))
