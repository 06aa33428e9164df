"""Problems as problemists solve them, against ten lines of plain search on python-chess."""

import json
from pathlib import Path

import chess
import pytest

import problem_engine
from aspgames import BadRequest, load
from aspgames.composer.judgement import with_other_side
from aspgames.composer.problem_play import ProblemPlay
from aspgames.puzzle.problem import Puzzle
from aspgames.puzzle.stipulation import read_stipulation
from aspgames.runtime.budget import Budget
from cli_helpers import Call, check
from problem_engine import after

TWO_MOVERS = {
    "a dual": "8/1P1k4/8/3K4/8/8/8/7R w - - 0 1",
    "a threat": "7k/8/5K2/8/8/8/8/1Q4R1 w - - 0 1",
    "set play": "k7/2K5/8/8/8/8/p7/1R6 w - - 0 1",
    "no solution": "8/8/8/4k3/8/8/8/KR6 w - - 0 1",
}


def uci(text: str) -> str:
    return text.replace("-", "").replace("x", "").replace("=", "")


def mates(board: chess.Board, turns: int) -> list[str]:
    return [move.uci() for move in problem_engine.mates(board, turns)]


def self_mates(board: chess.Board, turns: int) -> list[str]:
    """The moves that force the other side to mate in so many turns."""
    return [m.uci() for m in board.legal_moves if turns and mating(after(board, m), turns - 1)]


def mating(board: chess.Board, turns: int) -> bool:
    if board.is_checkmate() or not any(board.legal_moves):
        return False
    children = [after(board, m) for m in board.legal_moves]
    return all(c.is_checkmate() or self_mates(c, turns) for c in children)


def passed(board: chess.Board) -> chess.Board:
    found = board.copy()
    found.push(chess.Move.null())
    return found


def answers(board: chess.Board) -> dict[str, set[str]]:
    """The mates in one after each reply."""
    return {m.uci(): set(mates(after(board, m), 1)) for m in board.legal_moves}


def played(variations: list[dict[str, list[str]]]) -> dict[str, set[str]]:
    return {uci(str(one["reply"])): set(map(uci, one["answers"])) for one in variations}


@pytest.mark.quick(2)
@pytest.mark.parametrize("fen", TWO_MOVERS.values(), ids=TWO_MOVERS)
def test_two_movers(fen: str, call: Call) -> None:
    """Keys, threats, variations, duals, set play and tries."""
    found = call("solve", "chess", fen, "--stipulation", "#2", "--problem", "--json")
    judged, board = check(found.json, "judged_puzzle")["judged"], chess.Board(fen)
    keys = mates(board, 1) or mates(board, 2)
    assert sorted(map(uci, judged["keys_text"])) == sorted(keys)
    assert judged["sound"] == (found.code == 0) == (len(keys) == 1 and judged["distance"] == 2)
    plays = {uci(play["key"] or ""): play for play in judged["play"]}
    assert set(plays) <= {*keys, ""}
    assert len(set(plays) - {""}) == min(8, len(keys))
    for key in set(plays) - {""}:
        child = after(board, chess.Move.from_uci(key))
        assert played(plays[key]["variations"]) == answers(child)
        threats = plays[key]["threats"]
        assert (threats is None) == child.is_check()
        assert child.is_check() or sorted(map(uci, threats)) == sorted(mates(passed(child), 1))
    if judged["distance"] != 1 and keys:
        expected = {r: a for r, a in answers(passed(board)).items() if a}
        assert played(plays.get("", {"variations": []})["variations"]) == expected
    if judged["distance"] != 1:
        replies = {
            move.uci(): answers(after(board, move))
            for move in board.legal_moves
            if move.uci() not in keys
        }
        refuted = {m: [r for r, mating in a.items() if not mating] for m, a in replies.items()}
        expected_tries = {m: r[0] for m, r in refuted.items() if len(r) == 1 < len(replies[m])}
        tries = {uci(each["move"]): uci(each["refutation"]) for each in judged["tries"]}
        assert tries == expected_tries


@pytest.mark.slow
def test_positions_expanded_together_are_as_those_by_plain_search() -> None:
    board = chess.Board("k7/p7/8/1K6/8/8/8/7R w - - 0 1")
    puzzle = Puzzle.of(load("chess").position(board.fen()), "white", "win", 3)
    play = ProblemPlay(puzzle, Budget(), 100_000, no_threats=True)
    assert len(play.keys(3)) == len(mates(board, 3))
    for _, state in play.children(play.root):
        for _, reply in play.children(state):
            fen = play.puzzle.state.game.state(reply.facts).fen
            assert play.forced(reply, 1) == bool(mates(chess.Board(fen), 2))


def test_a_null_move_clears_the_passed_square() -> None:
    state = load("chess").position("4k3/8/8/8/6p1/8/5P2/4K3 w").play("f2-f4")
    assert (state.fen or "").split()[1:4] == ["b", "-", "f3"]
    other = with_other_side(state)
    assert other is not None
    assert (other.fen or "").split()[:4] == ["4k3/8/8/8/5Pp1/8/8/4K3", "w", "-", "-"]


@pytest.mark.parametrize(
    ("fen", "turns"),
    [("8/8/8/8/8/2n5/p1P5/k1K4Q w - - 0 1", 1), ("7K/5k1p/8/6p1/8/8/1Q6/8 w - - 0 1", 2)],
)
def test_selfmates(fen: str, turns: int, call: Call) -> None:
    board = chess.Board(fen)
    found = call("solve", "chess", fen, "--stipulation", f"s#{turns}", "--json")
    keys = next((k for n in range(1, turns + 1) if (k := self_mates(board, n))), [])
    assert sorted(map(uci, found.json["keys_text"])) == sorted(keys)
    assert found.code == (0 if keys else 1)


def test_a_helpmate_has_all_its_first_moves(call: Call) -> None:
    fen = "8/8/8/8/8/1K6/7R/k7 w - - 0 1"
    asked = ("solve", "chess", fen, "--stipulation", "h#1.5")
    assert call(*asked, "--json").json["distance"] == 1
    found = call(*asked, "--problem", "--json")
    assert (found.code, found.json["judged"]["keys_text"]) == (1, ["h2-h1"])
    assert "short" in call(*asked, "--problem").out


def test_a_helpmate_has_lines_and_set_play(call: Call) -> None:
    asked = ("solve", "chess", "8/8/8/8/8/1K6/7R/k7 b", "--stipulation")
    lines = call(*asked, "h#1", "--problem").out.splitlines()
    play = lines[lines.index("    1.a1-b1") :]
    assert play[:4] == ["    1.a1-b1", "      1...h2-h1", "    set play:", "      1...h2-h1"]
    none = call("solve", "chess", "7k/8/8/8/8/1K6/7B/8 b", "--stipulation", "h#2", "--problem")
    assert (none.code, "impossible" in none.out) == (1, True)


@pytest.mark.slow
def test_the_first_helpmate_has_one_solution(call: Call) -> None:
    """S. Loyd, Chess Monthly 1860."""
    asked = ("solve", "chess", "6R1/7q/8/5k2/3K1B2/8/7b/8 b", "--stipulation", "h#3", "--problem")
    found = call(*asked)
    assert found.code == 0
    moves = "1.f5-f6 1...g8-a8 2.f6-g7 2...f4-b8 3.g7-h8 3...b8-e5"
    assert moves in " ".join(found.out.split())


def test_stipulations_of_a_file(call: Call, tmp_path: Path) -> None:
    puzzles = [{"game": "chess", "position": TWO_MOVERS["a dual"], "stipulation": "#2"}]
    puzzles.append({"game": "chess", "position": "8/8/8/8/8/1K6/7R/k7 b", "stipulation": "h#1"})
    puzzles.append(puzzles[0] | {"stipulation": "#x"})
    file = tmp_path / "problems.jsonl"
    file.write_text("".join(json.dumps(check(one, "puzzle")) + "\n" for one in puzzles))
    found = call("solve", "--puzzles", str(file), "--json")
    direct, helped, bad = map(json.loads, found.out.splitlines())
    assert (direct["verdict"], direct["keys_text"]) == ("forced", ["h1-h7"])
    assert (helped["verdict"], helped["distance"]) == ("possible", 1)
    assert bad["kind"] == "bad_request"
    judged = [json.loads(line) for line in call("judge", str(file), "--json").out.splitlines()]
    assert [one["judged"]["sound"] for one in judged[:2]] == [True, True]


@pytest.mark.slow
def test_series_movers(call: Call) -> None:
    asked = ("solve", "chess", "k7/8/2K5/8/8/8/8/7R w", "--stipulation", "ser-#2")
    found = call(*asked, "-c", "series=white", "--json").json
    assert (found["distance"], found["keys_text"]) == (2, ["c6-b6", "c6-c7"])
    fen = "8/8/8/8/8/3R2K1/4k3/7B b"  # Popeye: 1.Ke2-f1 2.Kf1-g1 Rd3-d1
    found = call(
        "solve", "chess", fen, "--stipulation", "ser-h#2", "-c", "help_series=black", "--json"
    )
    assert found.json["line_text"] == ["e2-f1", "pass", "f1-g1", "d3-d1"]
    assert "needs rules with series movers, and -c series=white" in call(*asked).err
    # A check that doesn't mate ends the series, and so does a move of the side that passes.
    state = load("chess", series="white").position("k7/8/2K5/8/8/8/8/7R w")
    assert [m.text for m in state.play("c6-c5").legal_moves] == ["pass"]
    assert state.play("h1-a1").goals == {"white": 50, "black": 50}
    state = load("chess", help_series="white").position("k7/8/2K5/8/8/8/8/7R w")
    assert len(state.play("h1-h2").legal_moves) == 3
    assert state.play("h1-h2", "a8-a7").goals == {"white": 50, "black": 50}
    # Only a series that ends so is over when the other side couldn't move.
    fen = "k7/8/8/8/8/8/1Q6/7K w"
    for end, over in ("check", False), ("stalemate", True):
        state = load("chess", series="white", series_end=end).position(fen)
        assert state.play("b2-b6").is_terminal == over
    with pytest.raises(BadRequest, match="-c series=white -c series_end=stalemate"):
        read_stipulation("ser-=2", load("chess", series="white").position(fen))


@pytest.mark.parametrize(
    "text", ["", "#", "#0", "2#", "s=2", "#2.5", "x#2", "#1000", "h", "##2", "ser-s#2"]
)
def test_what_is_no_stipulation_is_refused(text: str) -> None:
    with pytest.raises(BadRequest, match="the stipulation must be #N"):
        read_stipulation(text, load("minichess").initial)


@pytest.mark.slow
def test_the_certificate_of_a_mate_is_verified(call: Call) -> None:
    asked = ("solve", "chess", TWO_MOVERS["a dual"], "--stipulation", "#2")
    assert call(*asked, "--certificate", "proof.json").code == 0
    assert "white can win in 2 turns and no fewer" in call("verify", "proof.json").out
