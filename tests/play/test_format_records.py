"""PDN, GGF and WTHOR: written here, read and played again by other programs, read again."""

import struct
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest

import aspgames
from aspgames.play.formats.format import Played
from cli_helpers import Call, assert_refused
from format_helpers import converted, random_game, read_again, written

draughts: Any = pytest.importorskip("draughts")
pdn: Any = pytest.importorskip("draughts.PDN")
pyspiel: Any = pytest.importorskip("pyspiel")

OTHELLO, CHECKERS = aspgames.load("othello"), aspgames.load("checkers")
LATE_OTHELLO = OTHELLO.position("XOO5/8/8/3OX3/3XO3/8/8/8 w")
LATE_CHECKERS = CHECKERS.position("W:W18,22,K10:B2,K25,27")


def games_of(form: str) -> list[Played]:
    game, late = (CHECKERS, LATE_CHECKERS) if form == "pdn" else (OTHELLO, LATE_OTHELLO)
    starts = [None, None, None] if form == "wtb" else [None, late, None]
    most = [400, 400, 7]
    return [random_game(game, Random(n), most[n], start) for n, start in enumerate(starts)]


@pytest.mark.parametrize("form", ["pdn", "ggf", "wtb"])
def test_what_is_written_is_read_again(form: str) -> None:
    games = games_of(form)
    text = written(form, games)
    found = read_again(form, games[0].states[0].game, text)
    assert [each.states for each in found] == [each.states for each in games]
    assert [each.goals for each in found][:2] == [each.goals for each in games][:2]
    assert written(form, found) == text


def rotated(square: tuple[int, int]) -> str:
    """The name of a square for OpenSpiel, whose first side is at the bottom."""
    return f"{chr(ord('a') + 8 - square[0])}{9 - square[1]}"


def test_other_programs_play_what_is_written_in_pdn() -> None:
    squares = {number: square for square, number in CHECKERS.board.numbers.items()}  # type: ignore[union-attr]
    jumps = 0
    for number in range(5):
        game = random_game(CHECKERS, Random(number), 60)
        text = written("pdn", [game]).decode()
        (found,) = pdn.PDNReader(text).games
        assert found.variant == "english"
        board = draughts.Board(variant="english")
        spiel = pyspiel.load_game("checkers").new_initial_state()
        assert len(found.moves) == len(game.plies)
        for move, state in zip(found.moves, game.states[1:], strict=True):
            jumps += move.count("x") > 1
            board.push(draughts.Move(board, pdn_move=move))
            side, *lists = board.fen.split(":")
            ours = (state.fen or "").split(":H")[0].split(":")
            assert [side, *(sorted(each[1:].split(",")) for each in lists)] == [
                ours[0], *(sorted(each[1:].split(",")) for each in ours[1:])
            ]  # fmt: skip
            path = [rotated(squares[int(each)]) for each in move.replace("x", "-").split("-")]
            for step in map("".join, pairwise(path)):
                actions = {spiel.action_to_string(a): a for a in spiel.legal_actions()}
                spiel.apply_action(actions[step])
        assert spiel.is_terminal() == game.states[-1].is_terminal
    assert jumps


def test_the_first_number_of_a_result_is_blacks_in_checkers(call: Call) -> None:
    texts = ["1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", "*"]
    text = "\n".join(f'[Result "{each}"]\n\n1. 11-15 24-20 {each}\n' for each in texts)
    found = [
        each["result"] for each in converted(call, "checkers", "-", "--from", "pdn", stdin=text)
    ]
    won, lost = {"black": 100, "white": 0}, {"black": 0, "white": 100}
    drawn = {"black": 50, "white": 50}
    assert found == [won, lost, drawn, won, lost, drawn, None, None]
    out = call("convert", "checkers", "-", "--from", "pdn", "--to", "pdn", stdin=text.encode()).out
    results = [line.split('"')[1] for line in out.splitlines() if line.startswith("[Result")]
    assert results == ["1-0", "0-1", "1/2-1/2"] * 2 + ["*"] * 2


# As in real files: no numbers of squares between, marks of strength, a result before the end.
PDN = """\
[Event "Made up {1841"]
[GameType "21"]
[Black "M\xfcller, W."]
[Result "0-1"]
1. 11-15 24-20 2. 8-11!? 28-24 {a comment} 3. 9-13 22-18* 4. 15x22
25x18 (25x18x9) 0-1

[FEN "W:W18,22,K10:B2,K25,27."]
[SetUp "1"]

1. 22-17 2-7 1/2-1/2

[GameType "20,W,10,10,N2,0"]
1. 32-28 *

1. 11-18 *

[Event "not closed]
1. 11-15 *

1. 11-15 23-19 2. 8-11 22-17 3. 11-16 24-20 4. 16x23 *

1. 11-15 {"""


def test_real_pdn_is_read_and_what_is_bad_is_reported(call: Call) -> None:
    found = converted(call, "checkers", "-", "--from", "pdn", stdin=PDN.encode("latin-1"), code=2)
    first, second, other, illegal, tag, jump, end = found
    assert first["moves_text"][-2:] == ["e5xc3", "b2xd4"]
    assert first["headers"]["Black"] == "M\xfcller, W."
    assert second["position"].startswith("W:WK10,18,22:B2,K25,27")
    assert jump["moves_text"][-1] == "g5xe3"
    errors = [each["error"] for each in (other, illegal, tag, end)]
    assert errors[0] == "GameType 20,W,10,10,N2,0 is another game than checkers"
    assert errors[1].startswith("ply 1, 11-18: ")
    assert errors[2:] == [
        'a tag is written as [Name "value"]',
        "this has no end, or no beginning: {",
    ]
    lines = PDN.splitlines()
    assert lines[other["line"] - 1].startswith("[GameType")
    assert lines[illegal["line"] - 1] == "1. 11-18 *"


GGF = """\
A game of GGS:
(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[a\\]b]PW[c]TY[8]RE[+2.00:r]
BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]
B[d3//0.01]W[C5/1.5/2]B[e6];)
(;GM[Othello]BO[8 ------- *]B[d3];) (;GM[Chess]B[d3];)
(;GM[Othello]B[d3]W[c5
(;GM[Othello]B[d3]W[a1];)
(;GM[Othello]BO[8 *OO----- -------- -------- -------- -------- -------- -------- -------- O]
W[PA]B[D1];)
"""


def test_real_ggf_is_read_and_what_is_bad_is_reported(call: Call) -> None:
    found = converted(call, "othello", "-", "--from", "ggf", stdin=GGF, code=2)
    first, board, chess, cut, illegal, last = found
    assert first["moves_text"] == ["d3", "c5", "e6"]
    assert first["result"] == {"white": 0, "black": 100}
    assert (first["headers"]["PB"], first["position"]) == ("a]b", OTHELLO.initial.fen)
    assert "BO needs 8 rows" in board["error"]
    assert "GM[Chess] is another game" in chess["error"]
    assert "no end" in cut["error"]
    assert "ply 2, a1" in illegal["error"]
    assert [each.get("line") for each in found] == [None, 5, 5, 6, 7, None]
    assert last["moves_text"] == ["pass", "d1"]


def test_wthor_has_what_its_description_says() -> None:
    game = random_game(OTHELLO, Random(7))
    data = written("wtb", [game, game])
    assert len(data) == 16 + 2 * 68
    century, _, month, day, count, players, year, size, *rest = struct.unpack("<4BIHH4B", data[:16])
    assert (century >= 20, 1 <= month <= 12, 1 <= day <= 31) == (True, True, True)
    assert (count, players, year, size, rest) == (2, 0, 0, 8, [0, 0, 0])
    state = pyspiel.load_game("othello").new_initial_state()
    for byte in filter(None, data[24:84]):
        if state.legal_actions() == [64]:
            state.apply_action(64)
        state.apply_action(8 * (byte // 10 - 1) + byte % 10 - 1)
    black = str(state).count("x")
    white = str(state).count("o")
    assert data[22] == black + (64 - black - white if black > white else 0), str(state)


def broken(data: bytes) -> Iterator[tuple[bytes, str, int]]:
    """Damaged files, what is wrong, and how many games can be read."""
    game = 16 + 68 + 8  # the moves of the second of three games
    yield data[:10], "the head of 16 bytes is not whole", 0
    yield data[:12] + b"\x0a" + data[13:], "no games on 8 by 8 squares", 0
    yield data[:-1], "the game is not whole", 2
    yield data[:-68], "the head says that there are 3 games, but there are 2", 2
    yield data + data[-68:], "the head says that there are 3 games, but there are more", 3
    yield data[:game] + b"\xff" + data[game + 1 :], "255 is no square", 2
    yield data[:game] + b"\x0b" + data[game + 1 :], "ply 1, a1: ", 2


def test_damaged_wthor_is_reported_and_the_rest_is_read(call: Call) -> None:
    for text, words, number in broken(written("wtb", games_of("wtb"))):
        found = converted(call, "othello", "-", "--from", "wtb", stdin=text, code=2)
        assert len([each for each in found if "moves" in each]) == number
        assert any(words in each.get("error", "") for each in found)
    run = call("convert", "othello", "-c", "size=6", "-", "--from", "wtb")
    assert_refused(run, "wtb is a format of Othello on 8 by 8 squares")
