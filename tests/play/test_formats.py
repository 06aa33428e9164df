"""Formats of files: what is read and written, beside other programs that read it."""

import io
import itertools
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aspgames
from aspgames import record
from aspgames.play.formats.registry import FORMATS, entries, format_named
from cli_helpers import Call, assert_refused, jsonl, strict_json
from format_helpers import converted
from paths import ROOT

chess: Any = pytest.importorskip("chess")
pgn: Any = pytest.importorskip("chess.pgn")
variants: Any = pytest.importorskip("chess.variant")

CHESS = aspgames.load("chess")
SLOW = partial(pytest.param, marks=pytest.mark.slow)

# What real files have: comments with brackets, nested ones, variations in one another, marks,
# lines with %, moves by squares, results that come before the end.
REAL = """\
% written by hand
[Event "Open"]
[Site "?"]
[White "Müller, \\"A\\""]
[Black "B"]
[Result "1-0"]
[Variant "Standard"]

1. e4 { [%clk 0:03:00] [%eval 0.2] } 1... e5 $1 2.Nf3!? (2. f4 exf4 (2... d5!? {x)}) 3. Nf3)
2... Nc6 ; the rest of a line (
% a line to skip
3. Bb5 a6 {a {nested} comment} 4. b5a4 g8f6 5. 0-0 Be7+- 6 . Re1 b5 7.Bb3 d6 8 c3 1-0

[Event "En passant"]
[Result "0-1"]
[FEN "4k3/8/8/3pP3/8/8/7p/4K3 w - d6 0 5"]
[SetUp "1"]

5. exd6 e.p. h1=Q+ 6. Kd2 Qe4 0-1

[Event "Short"]
[Result "*"]

*

[Event "Drawn"]

1. e2e4 e7-e5 1/2-1/2
"""


def read_by_chess(text: str) -> Iterator[Any]:
    stream = io.StringIO(text)
    while game := pgn.read_game(stream):
        assert not game.errors
        yield game


def squares(move: str) -> str:
    """A move of python-chess's from ours: ``a7-a8=q`` is ``a7a8q``."""
    return move.translate({45: None, 120: None, 61: None})


def test_real_pgn_is_read_as_python_chess_reads_it(call: Call) -> None:
    found = converted(call, "chess", "-", stdin=REAL)
    plain = REAL.replace("\n% a line to skip", "").removeprefix("% written by hand\n")
    theirs = list(read_by_chess(plain))
    assert len(found) == len(theirs) == 4
    for ours, game in zip(found, theirs, strict=True):
        moves = [move.uci() for move in game.mainline_moves()]
        assert [squares(text) for text in ours["moves_text"]] == moves
        assert ours["headers"]["Event"] == game.headers["Event"]
    results = [each["result"] for each in found]
    assert results == [
        {"white": 100, "black": 0}, {"white": 0, "black": 100}, None, {"white": 50, "black": 50},
    ]  # fmt: skip
    assert found[0]["headers"]["White"] == 'Müller, "A"'
    assert found[0]["moves"][8] == "move(5,1,7,1)"
    assert found[1]["position"].startswith("4k3/8/8/3pP3")


def test_results_may_have_other_halves_and_dashes(call: Call) -> None:
    text = '[Result "½\N{EN DASH}½"]\n\n1. e4 ½-½\n\n[Event "2"]\n\n1. d4 1\N{MINUS SIGN}0'
    found = [*converted(call, "chess", "-", stdin=text)]
    found += converted(call, "chess", "-", stdin=b"1. e4 \xbd-\xbd")
    drawn = {"white": 50, "black": 50}
    assert [each["result"] for each in found] == [drawn, {"white": 100, "black": 0}, drawn]


def test_what_is_bad_is_reported_in_its_place_and_the_rest_is_read(call: Call) -> None:
    games = [
        "1. e4 e5\n2. Ke4 *",
        "1. e4 { no end",
        "1. e4 } e5 *",
        "1. e4 -- *",
        "1. e4 e5 2. Nf3 (2. d4",
        '[FEN "8/8 w"]\n\n*',
        '[Variant "Chess960"]\n\n1. e4 *',
        '[Variant "Atomic"]\n\n1. e4 *',
        '[Result "yes"]\n\n1. e4 *',
        "[Oops]\n\n1. e4 *",
        "1. e4 \xe9 *",
    ]
    text = "".join(
        f'[Event "{n}"]\n\n1. d4 *\n\n[Event "bad"]\n{g}\n\n' for n, g in enumerate(games)
    )
    found = converted(call, "chess", "-", stdin=text.encode("latin-1"), code=2)
    assert [each.get("moves_text") for each in found[::2]] == [["d2-d4"]] * len(games)
    bad = found[1::2]
    assert [each.get("kind") for each in bad] == ["bad_record"] * 4 + [None] + ["bad_record"] * 6
    for part, each in zip(
        ["ply 3, Ke4: ", "no end, or no beginning: {", "no beginning: }", "ply 2, --: ", "", "high",
         "no variant 'Chess960' of chess", "this is fairy/atomic, not chess$", "Result", "a tag",
         "UTF-8"], bad, strict=True,
    ):  # fmt: skip
        assert re.search(part, each.get("error", ""))
    lines = text.splitlines()
    assert lines[bad[0]["line"] - 1] == "2. Ke4 *"
    assert lines[bad[1]["line"] - 1] == "1. e4 { no end"
    assert lines[bad[6]["line"] - 1] == '[Variant "Chess960"]'


def test_a_file_of_any_length_is_read_game_by_game() -> None:
    class Endless(io.RawIOBase):
        def __init__(self) -> None:
            self._lines = itertools.cycle([b'[Event "x"]\n', b"\n", b"1. e4 e5 *\n", b"\n"])

        def readline(self, size: int | None = -1, /) -> bytes:  # noqa: ARG002
            return next(self._lines)

    stream: Any = Endless()
    found = list(itertools.islice(entries(stream, "x.pgn", CHESS), 5))
    assert [entry.line for entry in found] == [1, 5, 9, 13, 17]
    assert {len(entry.played(CHESS).states) for entry in found} == {3}


@pytest.mark.parametrize(
    ("name", "board", "games"),
    [("chess", chess.Board, 6), SLOW("fairy/atomic", variants.AtomicBoard, 2),
     SLOW("fairy/antichess", variants.AntichessBoard, 2)],
)  # fmt: skip
def test_what_is_written_is_read_by_python_chess(name: str, board: Any, games: int) -> None:
    game = aspgames.load(name)
    random, text, played = Random(name), "", []
    for number in range(games):
        start = game.initial
        if number % 2:
            start = start.play("e2-e4")
        state, moves = start, list[str]()
        while not state.is_terminal and len(moves) < 90:
            moves.append(random.choice(state.legal_moves).text)
            state = state.play(moves[-1])
        made = aspgames.Record.of(start, moves, tags={"Event": f"{number}"})
        sink = io.BytesIO()
        (entry,) = entries(io.BytesIO(str(made).encode()), "x.pgn", game)
        format_named("pgn").write(sink, [entry.played(game)])
        text += f"{sink.getvalue().decode()}\n"
        played.append((start, moves, state))
    theirs = list(read_by_chess(text))
    again = record.parse(text, game=game)
    for found, ours, (start, moves, end) in zip(theirs, again, played, strict=True):
        assert isinstance(found.board(), board)
        assert [move.uci() for move in found.mainline_moves()] == list(map(squares, moves))
        assert ours.replay(game)[0] == start
        assert ours.replay(game)[-1] == end


def test_formats_are_named_by_endings_and_options(call: Call, folder: Path) -> None:
    (folder / "g.pgn").write_text('[White "A"]\n\n1. e4 e5 2. Nf3 *\n')
    assert call("convert", "chess", "g.pgn", "-o", "g.jsonl").code == 0
    assert call("convert", "chess", "g.jsonl", "-o", "h.pgn").code == 0
    assert "1. e4 e5 2. Nf3 *" in (folder / "h.pgn").read_text()
    assert record.read(folder / "h.pgn")[0].tags["White"] == "A"
    first, second = converted(call, "chess", "g.jsonl"), converted(call, "chess", "h.pgn")
    assert first[0]["moves"] == second[0]["moves"]
    text = (folder / "h.pgn").read_text()
    assert converted(call, "chess", "-", "--from", "pgn", stdin=text)[0]["moves"]
    for arguments, words in (
        (["chess", "g.pgn", "-o", "x.doc"], "x.doc: this ending is no format's: give --to"),
        (["chess", "g.pgn", "--to", "pgn", "--json"], "--json is --to jsonl"),
        (["chess", "none.pgn"], "none.pgn can't be opened: No such file"),
        (["chess", "-"], "standard input: no game is recorded there"),
        (["minichess", "h.pgn"], None),
    ):
        run = call("convert", *arguments)
        if words is None:
            assert (run.code, strict_json(run.out)["kind"]) == (2, "bad_record")
        else:
            assert_refused(run, words)
    assert not (folder / "x.doc").exists()


def test_a_file_takes_its_time_unless_there_is_a_limit(call: Call, folder: Path) -> None:
    (folder / "g.pgn").write_text("1. e4 e5 2. Nf3 *\n")
    assert "(60)" not in call("convert", "--help").out
    stopped = call("convert", "chess", "g.pgn", "--time", "0.000001")
    assert (stopped.code, stopped.out) == (3, "")
    assert stopped.err == "aspgames: no answer within 1e-06 seconds\n"


def test_verbs_take_games_without_a_name_for_their_game(call: Call, folder: Path) -> None:
    (folder / "g.pgn").write_text('[White "A"]\n\n1. e4 e5 2. Nf3 *\n')
    run = call(
        *["crosscheck", "chess", "--against", "grounder", "--games", "0", "--made", "0"],
        *["--from-record", "g.pgn", "--json"],
    )
    assert (run.code, run.json["positions"]) == (0, 5)


@pytest.mark.parametrize(
    ("form", "name", "letters"),
    [
        ("epd", "chess", '0/pkKw- ;"\\abm1\n'),
        ("ggf", "othello", '();[]BW\\d3GMOthelo"x1-5. '),
        ("pdn", "checkers", '();[]BW\\d3GMOthelo"x1-5. '),
        ("pgn", "chess", '[]{}()"1.;%$*-e4NO \n'),
        ("sgf", "hex", "();[]BWSZ11a3x\\ \nswap-"),
        ("transcript", "othello", "f5d6 \n#1.-apszé"),
    ],
)
def test_any_text_is_entries_or_errors(form: str, name: str, letters: str) -> None:
    game = aspgames.load(name)

    @given(st.text(letters, max_size=60))
    def read(text: str) -> None:
        for entry in entries(io.BytesIO(text.encode()), "x", game, format_named(form)):
            assert (entry.record is None) == (entry.error is not None)

    read()


def test_json_lines(call: Call) -> None:
    lines = jsonl(
        {"game": "chess", "moves": ["e4"], "result": None, "headers": {"a": "b"}},
        {"fen": "8/8/8/4k3/8/8/8/K6R w - - 0 1"},
        {"facts": ["cell(1,1,king(white))", "cell(5,5,king(black))", "control(black)"]},
        {"moves": "e4"},
        {"game": "othello", "moves": []},
        ["e4"],
    )
    game, fen, facts, *bad = converted(call, "chess", "-", "--from", "jsonl", stdin=lines, code=2)
    assert (game["moves_text"], game["headers"]) == (["e2-e4"], {"a": "b"})
    assert (fen["fen"], len(facts["facts"])) == ("8/8/8/4k3/8/8/8/K6R w - - 0 1", 6)
    assert [each["line"] for each in bad] == [4, 5, 6]


def test_the_page_has_the_table_of_the_registry() -> None:
    rows = ["| format | endings | what it is | games |", "|---|---|---|---|"]
    for each in FORMATS:  # after ``aspgames.record`` is imported, which adds Parquet
        endings = " ".join(f"`{ending}`" for ending in each.endings)
        rows.append(f"| `{each.name}` | {endings} | {each.title} | {each.games} |")
    assert "\n".join(rows) in (ROOT / "docs/formats.md").read_text()
