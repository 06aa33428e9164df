"""The gallery: rule books of well-known games, against other engines and known counts."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import clingo
import pytest

import aspgames
from aspgames import State, perft
from aspgames.asp.sources import encodings_folder
from aspgames.play.perft_suite import read_suite, run_suite, suite_path
from gallery_by_hand import (
    Moves,
    count,
    domineering,
    fox_and_hounds,
    isolation,
    knightthrough,
    konane,
    sokoban,
    tablut,
)
from paths import ROOT

BOOKS = sorted((encodings_folder() / "gallery").glob("*.lp"))
NAMES = [book.stem for book in BOOKS]

each_book = pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.stem)
each_game = pytest.mark.parametrize("name", NAMES)


def solved(name: str, attacker: str, **constants: int) -> str:
    start = aspgames.load(name, **constants).initial
    return aspgames.solve(start, attacker=attacker, goal="win").verdict


@each_book
def test_a_rule_book_begins_with_its_idea_and_its_source(book: Path) -> None:
    text = book.read_text()
    assert text.startswith("% ")
    assert "% Source: " in text.partition("#include")[0]
    assert max(map(len, text.splitlines())) <= 100


@each_game
def test_random_games_are_listed_drawn_and_written(name: str) -> None:
    game = aspgames.load(name)
    assert game.title
    random = Random(name)
    for _ in range(2):
        state = game.initial
        for _ in range(40):
            if state.is_terminal:
                break
            state = state.play(random.choice(state.legal_moves))
            assert not game.vocabulary.base or set(state.facts) <= game.vocabulary.base
            assert game.from_facts(state.facts) == state
            assert not state.fen or game.position(state.fen) == state
        if game.board:
            assert state.svg().startswith("<svg")


@each_game
def test_its_suite_holds(name: str) -> None:
    cases = read_suite(suite_path(name))
    assert cases
    assert not list(run_suite([case for case in cases if case.nodes <= 100_000]))


@each_book
def test_plain_clingo_lists_legal_moves_and_the_states_after_them(book: Path) -> None:
    game = aspgames.load(book.stem)
    control = clingo.Control(["0"])
    for path in (book, ROOT / "examples" / "state.lp"):
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(encodings_folder())
            control.load(str(path))
    control.ground()
    found = {}
    with control.solve(yield_=True) as models:
        for model in models:
            shown = [(s.name, [*map(str, s.arguments)]) for s in model.symbols(shown=True)]
            joint = {words[0]: words[1] for name, words in shown if name == "does"}
            after = tuple(sorted(words[0] for name, words in shown if name == "next"))
            found[tuple(sorted(joint.items()))] = after
    state = game.initial
    waiting = {role: moves[0].term for role, moves in state.legal.items() if len(moves) == 1}
    assert found == {
        tuple(sorted((waiting | {str(state.to_move): move.term}).items())): state.play(move).facts
        for move in state.legal_moves
    }


@pytest.mark.slow
@each_game
def test_it_is_a_game(name: str) -> None:
    report = aspgames.check(name, 20)
    endless = name in ("fifteen_puzzle", "sokoban")
    assert report.verdict == ("unknown" if endless else "game")
    assert not [finding for finding in report.findings if finding.severity == "error"]


# --- OpenSpiel ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "constants", "theirs", "depth"),
    [
        ("gomoku", {"width": 3, "height": 3, "length": 3}, "tic_tac_toe", 6),
        ("gomoku", {"width": 4, "height": 5, "length": 3}, "mnk(m=4,n=5,k=3)", 3),
        ("y", {"size": 4}, "y(board_size=4)", 5),
        ("othello", {}, "othello", 6),
        ("clobber", {}, "clobber(rows=5,columns=6)", 3),
        ("clobber", {"width": 3, "height": 3}, "clobber(rows=3,columns=3)", 6),
        ("nim", {}, "nim(is_misere=false)", 4),
        ("nim", {"misere": "yes"}, "nim(is_misere=true)", 4),
        ("lines_of_action", {}, "lines_of_action", 3),
        ("nine_mens_morris", {}, "nine_mens_morris", 3),
        ("checkers", {}, "checkers", 5),
    ],
)
def test_perft_as_openspiel_counts(
    name: str, constants: dict[str, Any], theirs: str, depth: int
) -> None:
    pyspiel = pytest.importorskip("pyspiel")

    def count(state: Any, depth: int) -> int:
        actions = () if state.is_terminal() else state.legal_actions()
        if depth == 1 or not actions:
            return len(actions)
        return sum(count(state.child(action), depth - 1) for action in actions)

    ours, other = aspgames.load(name, **constants).initial, pyspiel.load_game(theirs)
    for plies in range(1, depth + 1):
        assert perft(ours, plies) == count(other.new_initial_state(), plies)


def test_whole_games_of_othello_end_as_openspiels() -> None:
    """With passes: the sides take turns in both."""
    pyspiel = pytest.importorskip("pyspiel")
    game, random, passes = aspgames.load("othello"), Random(1), 0
    for _ in range(10):
        state, theirs = game.initial, pyspiel.load_game("othello").new_initial_state()
        while not state.is_terminal:
            names = {mirrored(move.text): move for move in state.legal_moves}
            actions = {theirs.action_to_string(action): action for action in theirs.legal_actions()}
            assert names.keys() == actions.keys()
            name = random.choice(sorted(names))
            passes += name == "pass"
            state = state.play(names[name])
            theirs.apply_action(actions[name])
        assert theirs.is_terminal()
        black, white = (50 + 50 * value for value in theirs.returns())
        assert state.goals == {"black": black, "white": white}
    assert passes


def mirrored(text: str) -> str:
    """OpenSpiel's name of a square: its rows count from the top."""
    return text if text == "pass" else f"{text[0]}{9 - int(text[1:])}"


# --- the same rules in plain Python ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "by_hand", "constants", "depth"),
    [
        ("domineering", domineering, {"width": 4, "height": 5}, 4),
        ("fox_and_hounds", fox_and_hounds, {}, 6),
        ("isolation", isolation, {"width": 4, "height": 3}, 2),
        ("knightthrough", knightthrough, {"width": 4, "height": 5}, 5),
        ("konane", konane, {}, 6),
        ("konane", konane, {"width": 5, "height": 4}, 6),
        ("sokoban", sokoban, {}, 5),
        ("tablut", tablut, {}, 2),
    ],
)
def test_perft_as_counted_by_hand(
    name: str, by_hand: Moves, constants: dict[str, int], depth: int
) -> None:
    game = aspgames.load(name, **constants)
    assert game.board
    size = game.board.width, game.board.height
    random, state = Random(2), game.initial
    for _ in range(60 // depth):
        if state.is_terminal:
            break
        assert state.to_move
        expected = count(by_hand, dict(state.occupied), state.to_move, size, depth)
        assert perft(state, depth) == expected
        for _ in range(depth):
            if not state.is_terminal:
                state = state.play(random.choice(state.legal_moves))


# --- known counts and values ----------------------------------------------------------------------


@pytest.mark.parametrize(("size", "count"), [(4, 2), (5, 10), (6, 4), (7, 40), (8, 92)])
def test_the_solutions_of_the_queens_problem(size: int, count: int) -> None:
    assert perft(aspgames.load("queens", size=size).initial, size) == count


def test_the_knights_tours_from_a_corner_of_5_by_5() -> None:
    assert perft(aspgames.load("knights_tour", width=5, height=5).initial, 24) == 304


def test_the_fifteen_puzzle_of_2_by_3_reaches_half_of_all_orders() -> None:
    seen, waiting = set[State](), [aspgames.load("fifteen_puzzle", width=2, height=3).initial]
    while waiting:
        state = waiting.pop()
        if state not in seen:
            seen.add(state)
            waiting += map(state.play, state.legal_moves)
    assert sum(state.is_terminal for state in seen) == 1
    assert len(seen) in (360, 359)  # play ends in order


def test_the_value_of_nim_is_its_exclusive_or() -> None:
    game = aspgames.load("nim", heaps=3)
    for a in range(2):
        for b in range(4):
            for c in range(6):
                state = game.position(f"heap(1,{a}) heap(2,{b}) heap(3,{c}) control(white)")
                verdict = aspgames.solve(state, attacker="white", goal="win").verdict
                assert (verdict == "forced") == (a ^ b ^ c != 0)


@pytest.mark.parametrize(
    ("width", "height", "first_wins"),
    [(2, 2, True), (3, 3, True), (4, 4, True), (3, 4, True), (4, 3, False), (2, 5, False)],
)
def test_who_wins_domineering(width: int, height: int, first_wins: bool) -> None:
    """Breuker, Uiterwijk and van den Herik, "Solving 8x8 Domineering" (2000)."""
    assert (solved("domineering", "white", width=width, height=height) == "forced") == first_wins
    assert (solved("domineering", "black", width=width, height=height) == "forced") != first_wins


def test_the_hounds_shut_in_the_fox() -> None:
    """Winning Ways, chapter 20."""
    assert solved("fox_and_hounds", "black") == "forced"
    assert solved("fox_and_hounds", "white") == "not_forced"


@pytest.mark.parametrize("size", [2, 3, 4])
def test_the_first_player_wins_y(size: int) -> None:
    """By John Nash's argument of strategy stealing."""
    assert solved("y", "white", size=size) == "forced"
