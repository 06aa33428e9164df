"""Perft suites: the included ones, and a user's files."""

import random
from pathlib import Path
from typing import Any

import pytest

import aspgames
from aspgames import BadRequest
from aspgames.play.perft_suite import read_suite, run_suite, suite_path
from aspgames.play.without_draws import without_draws
from cli_helpers import Call, assert_refused, check
from helpers import FIVE
from perft_counts import PERFT
from workers_helpers import kept


def write(folder: Path, text: str) -> Path:
    path = folder / "own.perft"
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", FIVE)
def test_there_is_a_suite_for_each_game_with_its_reference_counts(name: str) -> None:
    cases = read_suite(suite_path(name))
    initial = aspgames.load(name).initial
    counts = {case.depth: case.nodes for case in cases if case.state == initial}
    assert len(counts) >= 1 + (name != "amazons")
    assert list(counts.values()) == PERFT[name][: len(counts)]
    assert len({case.state for case in cases}) >= 7
    assert any(case.state.is_terminal for case in cases)


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", FIVE)
@pytest.mark.parametrize(
    ("reasoner", "most"),
    [
        ("propnet", 3000),
        pytest.param("propnet", 10**9, marks=pytest.mark.slow),
        pytest.param("grounder", 700, marks=pytest.mark.slow),
    ],
)
def test_the_suites_hold(name: str, reasoner: str, most: int) -> None:
    cases = [c for c in read_suite(suite_path(name)) if c.nodes <= most and c.depth <= most]
    chosen = [case for case in cases if most > 3000 or case.depth <= 2]
    assert len(chosen) >= 10
    assert not list(run_suite(chosen, reasoner=reasoner))


def test_both_ways_to_write_counts(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "# A comment, and an empty line.\n\n"
        "startpos; 1: 22 2: 484\n"
        "game breakthrough width=4 height=5\n"
        "  startpos ;D1 10 ;D2 90\n"
        "cell(2,2,white) cell(2,4,black) control(white); 2: 9;3: 1,234\n",
    )
    cases = read_suite(path, aspgames.load("breakthrough"))
    found = [
        (case.line, case.state.game.constants["width"], case.depth, case.nodes) for case in cases
    ]
    assert found == [
        (3, 8, 1, 22), (3, 8, 2, 484), (5, 4, 1, 10), (5, 4, 2, 90), (6, 4, 2, 9), (6, 4, 3, 1234),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("startpos; 1: 22", "own.perft:1: it isn't said which game"),
        ("game breakthrough\n\nstartpos 1: 22", "own.perft:3: 'startpos 1: 22' is no"),
        ("game breakthrough\nstartpos; 1: many", "own.perft:2: '1: many' is no"),
        (f"game breakthrough\nstartpos; 1: {'2' * 5000}", "own.perft:2: '1: 222"),
        (f"game breakthrough\nstartpos; {'1' * 5000}: 2", "own.perft:2: '111"),
        ("game breakthrough\nstartpos;", "own.perft:2: 'startpos;' is no"),
        ("game breakthrough\n8/8 w; 1: 2", "own.perft:2: the FEN's board"),
        ("game breakthrouh", "own.perft:1: there is no game 'breakthrouh'"),
        ("game breakthrough width", "own.perft:1: 'width' is no NAME=VALUE"),
        ("game", "own.perft:1: give a game's name"),
    ],
)
def test_a_line_that_cannot_be_read(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BadRequest) as caught:
        read_suite(write(tmp_path, text))
    assert str(caught.value).startswith(message)


OF_CHESS = """\
game chess
bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9 ;D1 21 ;D2 528
4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5
game ches
startpos; 1: 20
game chess
startpos; 1: 20
"""


def test_a_line_that_cannot_be_read_does_not_stop_the_others(call: Call, tmp_path: Path) -> None:
    """Positions that are drawn here, and counted elsewhere, are told apart."""
    words = ["perft", "--suite", str(write(tmp_path, OF_CHESS))]
    found = call(*words)
    assert found.code == 2
    assert [line.split(": ")[1] for line in found.err.splitlines()] == [
        "own.perft:2", "own.perft:4",
    ]  # fmt: skip
    lines = found.out.splitlines()
    assert lines[1] == "depth 1: 0 nodes, not 5, which is right with --draws ignore"
    assert lines[-1] == "1 of 2 counts is right"
    report = check(call(*words, "--draws", "ignore", "--json").json, "suite")
    assert (report["counts"], report["failures"]) == (2, [])
    assert [(bad["line"], bad["kind"]) for bad in report["bad_lines"]] == [
        (2, "bad_position"), (4, "unknown_game"),
    ]  # fmt: skip
    few = str(write(tmp_path, "game chess\nstartpos; 2: 400"))
    assert_refused(call("perft", "--suite", few, "--depth", "1"), "no counts to depth 1 in own")
    assert_refused(call("perft", "--suite", str(write(tmp_path, ""))), "there are no counts in")


FIFTY = "7k/8/8/8/8/8/4q3/7K w - - 97"


@pytest.mark.slow
def test_perft_without_draws_is_that_of_python_chess(call: Call) -> None:
    chess = pytest.importorskip("chess")

    def count(board: Any, depth: int) -> int:
        total = 0
        for move in list(board.legal_moves) if depth else ():
            board.push(move)
            total += count(board, depth - 1)
            board.pop()
        return total if depth else 1

    for fen, depth in ((FIFTY, 4), ("k7/8/8/8/8/8/1p6/K7 w - - 0", 3)):
        right = count(chess.Board(f"{fen} 1"), depth)
        found = call("perft", "chess", fen, "--depth", str(depth), "--draws", "ignore", "--json")
        assert found.json["nodes"] == right
        assert call("perft", "chess", fen, "--depth", str(depth), "--json").json["nodes"] < right


@pytest.mark.parametrize("name", ["knights_tour", "nim", "tictactoe"])
def test_only_draws_are_left_out(name: str) -> None:
    """Random games end as before if someone has won, or if there is no move."""
    game, rng = aspgames.load(name), random.Random(3)
    further = without_draws(game)
    for _ in range(5):
        state = game.initial
        while not state.is_terminal:
            assert not further.state(state.facts).is_terminal
            assert further.state(state.facts).legal_moves == state.legal_moves
            state = state.play(rng.choice(state.legal_moves))
        drawn = len(set(state.goals.values())) == 1 < len(game.roles)
        assert further.state(state.facts).is_terminal != drawn


def test_epd_is_of_chess(call: Call, tmp_path: Path) -> None:
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400"
    (tmp_path / "s.epd").write_text(f"{start}\nbqnb1rkr/8/8/8/8/8/8/BQ1BNRKR w HFhf - 2 9 ;D1 21\n")
    found = call("perft", "--suite", "s.epd")
    assert found.code == 2
    assert "2 of 2 counts are right" in found.out
    assert "field 3 of the FEN is 'HFhf', not castling" in found.err


def test_a_count_that_is_another_is_divided(call: Call, tmp_path: Path) -> None:
    path = write(tmp_path, "game breakthrough width=2 height=4\nstartpos; 1: 2 2: 7 3: 20\n")
    found = call("perft", "--suite", str(path))
    assert found.code == 1
    assert found.out.splitlines() == [
        "line 2: breakthrough startpos",
        "depth 2: 6 nodes, not 7",
        "  a2xb3: 3",
        "  b2xa3: 3",
        "2 of 3 counts are right",
    ]
    report = check(call("perft", "--suite", str(path), "--json").json, "suite")
    assert report["counts"] == 3
    (failure,) = report["failures"]
    assert failure["expected"] == 7
    assert sum(failure["divide"].values()) == failure["nodes"] == 6


@pytest.mark.parametrize(
    "how", [["--resume", "kept"], pytest.param(["--workers", "2"], marks=pytest.mark.slow)]
)
def test_a_suite_by_others(call: Call, tmp_path: Path, how: list[str]) -> None:
    """With workers or a resume file, the output is the same; the file has each count's result."""
    write(tmp_path, "game breakthrough width=2 height=4\nstartpos; 1: 2 2: 7 3: 20\n")
    alone = call("perft", "--suite", "own.perft")
    shared = call("perft", "--suite", "own.perft", *how)
    assert (shared.code, shared.out, shared.err) == (1, alone.out, "")
    if how[0] == "--resume":
        before = kept(tmp_path / "kept")
        assert len(before) == 3
        again = call("perft", "--suite", "own.perft", *how)
        assert (again.code, again.out) == (1, alone.out)
        assert kept(tmp_path / "kept") == before


def test_a_suite_on_the_command_line(call: Call, tmp_path: Path) -> None:
    found = call("perft", "--suite", "breakthrough", "--depth", "1", "--json")
    assert found.code == 0
    assert check(found.json, "suite")["counts"] == 13
    write(tmp_path, "startpos; 1: 6\n")
    assert call("perft", "skirmish", "--suite", "own.perft").code == 0


@pytest.mark.parametrize(
    ("arguments", "words", "code"),
    [
        (["--suite", "shogi"], "no suite of that name (there are: amazons, ", 2),
        (["--suite", "."], "there is no file", 2),
        (["--suite", "/dev/null"], "no suite of that name (there are: amazons, ", 2),
        (["breakthrough", "startpos"], "give GAME and --depth, or --suite", 2),
        (["breakthrough", "8/8/8/8/8/8/8/8 w", "--suite", "breakthrough"], "from the file", 2),
        (["--suite", "breakthrough", "--divide"], "divides by itself", 2),
        (["--suite", "breakthrough", "--time", "0.05"], "no answer within", 3),
    ],
)
def test_bad_suites(call: Call, arguments: list[str], words: str, code: int) -> None:
    found = call("perft", *arguments)
    assert found.code == code
    assert words in found.err
