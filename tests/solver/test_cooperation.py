"""Cooperative puzzles, compared with all lines of play, breadth first."""

import math
from functools import cache
from itertools import chain, count, repeat, takewhile
from pathlib import Path
from unittest.mock import Mock, patch

import chess
import pytest

import aspgames
from aspgames import BadRequest, LimitReached, State
from aspgames.propnet.reachable_nets import net_for
from aspgames.puzzle.problem import Puzzle
from aspgames.runtime.budget import MOST_RULES, Budget
from aspgames.solver.planner import cooperative_search
from aspgames.solver.planner.cooperative_search import shortest_lines, together
from aspgames.solver.search.puzzle_search import Search
from brute_force import Tree
from cli_helpers import ENDLESS
from engine_helpers import write
from helpers import corner


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


SMALL = {"width": 3, "height": 4}
QUESTIONS = [
    ("amazons", {}, corner("q.* .*. Q.*", 10, "w"), "white", "trap"),
    ("amazons", {}, corner("q.* *.* Q.*", 10, "w"), "black", "trap"),
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


@pytest.mark.quick(3)
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


def test_a_search_that_stops_between_two_places_frees_both() -> None:
    """The second has the states that were left for later. The sanitizer looks at what is freed."""
    state = aspgames.load("breakthrough", **SMALL).position("p2/3/P1p/3 w")
    puzzle = Puzzle.of(state, "white", "lose", 1)

    def verdict(looks: int) -> str:
        effects = chain(repeat(None, looks), repeat(LimitReached("as asked")))
        with patch.object(Budget, "check", Mock(side_effect=effects)):
            return together(puzzle, Budget()).verdict

    assert together(puzzle).verdict == "possible", "the net is made"
    stopped = list(takewhile(lambda verdict: verdict == "unknown", map(verdict, count())))
    assert len(stopped) > 3


@pytest.mark.quick(8)
@pytest.mark.parametrize(("game", "constants", "position", "attacker", "goal"), QUESTIONS)
def test_all_shortest_lines(
    game: str, constants: dict[str, int], position: str, attacker: str, goal: str
) -> None:
    state = aspgames.load(game, **constants).position(position)
    assert_all_lines(Puzzle.of(state, attacker, goal))


def test_all_shortest_lines_where_positions_come_back(tmp_path: Path) -> None:
    game = write(
        """
        role(white;black).  init(at(1)).  init(control(white)).  place(0..5).
        near(X,Y)          :- place(X), place(Y), |X-Y| <= 1.
        legal(R,to(Y))     :- true(control(R)), true(at(X)), near(X,Y).
        legal(R,noop)      :- role(R), not true(control(R)).
        next(at(Y))        :- does(_,to(Y)).
        next(control(R))   :- role(R), not true(control(R)).
        terminal           :- true(at(5)).
        goal(white,100)    :- terminal.
        goal(white,0)      :- not terminal.
        goal(black,0).
        """,
        tmp_path,
    )
    for start in ("at(1) control(white)", "at(2) control(white)", "at(2) control(black)"):
        assert_all_lines(Puzzle.of(game.position(start), "white", "win"))


def assert_all_lines(puzzle: Puzzle) -> None:
    """All shortest lines are found, as many as a plain count of all lines has."""
    state = puzzle.state
    net = net_for(state.game.rules, state.facts, MOST_RULES)
    search = Search(puzzle, Budget(), net=net)
    found = shortest_lines(puzzle, search, 100_000, Budget(), 10**8)
    assert found
    best, tree = shortest(puzzle), Tree(puzzle)
    if best is None:
        assert found[1] == []
        return

    @cache
    def number(state: State, turns: int, attacked: bool, plies: int) -> int:
        """The lines of so many plies that end with the goal after the fewest turns."""
        seen = tree.see(state)
        if seen.reached or not plies:
            return int(bool(seen.reached) and (turns, plies) == (best[0], 0))
        begun = turns + (seen.attacks and not attacked)
        children = seen.moves.values()
        return sum(number(child, begun, seen.attacks, plies - 1) for child in children)

    assert found[0] == best[0]
    assert len(set(found[1])) == len(found[1]) == number(state, 0, False, best[1])
    for line in found[1][:20]:
        end = state
        for move in line:
            end = end.play(move)
        assert puzzle.goal.holds(end.consequences, puzzle.attacker)


def test_where_the_game_never_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start = write(ENDLESS, tmp_path).initial
    puzzle = Puzzle.of(start, "white", "win")
    assert together(puzzle).verdict == "impossible"
    # clingo's solver doesn't see repetitions
    monkeypatch.setattr(cooperative_search, "_WIDEST", (-1, math.inf))
    found = together(puzzle, Budget(seconds=0.1))
    assert (found.verdict, found.distance, found.line) == ("unknown", None, ())
    assert together(Puzzle.of(start, "white", "win", 3)).verdict == "impossible"


@pytest.mark.quick(2)
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
    counts = {n: helpmates(board, n) for n in range(plies % 2, plies + 1, 2)}
    fewest = next((n for n, count in counts.items() if count), 0)
    puzzle = Puzzle.of(aspgames.load("chess").position(fen), attacker, "win", within)
    found = together(puzzle)
    assert len(found.line) == fewest
    net = net_for(puzzle.state.game.rules, puzzle.state.facts, MOST_RULES)
    search = Search(puzzle, Budget(), net=net)
    lines = shortest_lines(puzzle, search, 10_000, Budget(), 10**8)
    assert lines
    assert len(lines[1]) == counts.get(fewest, 0)
    for move in found.line_text:
        board.push_uci(move.translate({45: None, 120: None, 61: None}))
    assert board.is_checkmate() == (found.verdict == "possible")


def helpmates(board: chess.Board, plies: int) -> int:
    """The number of lines of exactly so many plies that end with a mate."""
    if not plies:
        return board.is_checkmate()
    count = 0
    for move in board.legal_moves:
        board.push(move)
        count += helpmates(board, plies - 1)
        board.pop()
    return count


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
