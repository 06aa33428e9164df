"""FEN and EPD files, beside python-chess and pyffish, which read what is written."""

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aspgames
from aspgames import record
from aspgames.play.formats.position_lines import _epd, parse_epd
from aspgames.play.formats.registry import entries, format_named
from cli_helpers import Call, assert_refused
from format_helpers import converted

chess: Any = pytest.importorskip("chess")
pyffish: Any = pytest.importorskip("pyffish")

CHESS = aspgames.load("chess")

REAL = """\
1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";
# from another file

r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - hmvc 4;fmvn 4;dm 1;c0 "a; \\"b\\"";
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1 ;D1 20 ;D2 400
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6
"""


def written(name: str, text: bytes, source: str = "x.epd") -> str:
    sink = io.BytesIO()
    found = [entry.played(CHESS) for entry in entries(io.BytesIO(text), source, CHESS)]
    format_named(name).write(sink, found)
    return sink.getvalue().decode()


def test_epd_as_it_is_found(call: Call) -> None:
    found = converted(call, "chess", "-", stdin=REAL)
    assert [each["headers"] for each in found] == [
        {"bm": "Qd1+", "id": "BK.01"}, {"dm": "1", "c0": 'a; "b"'}, {"D1": "20", "D2": "400"}, {},
    ]  # fmt: skip
    assert [each["fen"].split()[2:] for each in found] == [
        ["-", "-", "0", "1"], ["KQkq", "-", "4", "4"], ["KQkq", "-", "0", "1"],
        ["KQkq", "-", "0", "1"],
    ]  # fmt: skip


def test_what_is_written_is_read_by_python_chess_and_pyffish() -> None:
    text = written("epd", REAL.encode())
    real = [line for line in REAL.splitlines() if "/" in line]
    for line, found in zip(text.splitlines(), real, strict=True):
        board, ours = chess.Board.from_epd(line)
        theirs, expected = chess.Board.from_epd(found.partition(" ;D1")[0].replace(" 0 1", ""))
        assert board.fen() == theirs.fen()
        assert {n: v for n, v in ours.items() if n not in ("D1", "D2")} == expected
    assert 'hmvc 4; fmvn 4; dm 1; c0 "a; \\"b\\"";' in text
    assert written("epd", text.encode()) == text
    assert written("epd", b"4k3/8/8/8/8/8/4P3/4K3 w - - ce +30; noop;").endswith(" ce +30; noop;\n")
    game = aspgames.Record.of(
        CHESS.initial,
        ["e4", "d5", "exd5", "Nf6", "Bb5", "c6", "dxc6", "Qc7", "cxb7", "Kd8", "bxa8=N"],
    )
    fens = written("fen", str(game).encode(), "x.pgn").splitlines()
    board = chess.Board()
    for fen, move in zip(fens, [None, *game.moves], strict=True):
        if move:
            board.push_san(move)
        assert fen == board.fen(en_passant="legal")
        assert pyffish.validate_fen(fen, "chess") == 1
    again = written("fen", "\n".join(fens).encode(), "x.fen")
    assert again.splitlines() == fens


def test_the_number_of_the_move_and_the_count_are_kept() -> None:
    fen = "4k3/8/8/8/8/8/8/4K2R b K - 3 17"
    text = written("pgn", f'[FEN "{fen}"]\n\n17... Kd7 18. O-O *\n'.encode(), "x.pgn")
    assert f'[FEN "{fen}"]' in text
    assert "17... Kd7 18. O-O *" in text
    assert written("fen", text.encode(), "x.pgn").splitlines() == [
        fen, "8/3k4/8/8/8/8/8/4K2R w K - 4 18", "8/3k4/8/8/8/8/8/5RK1 b - - 5 18",
    ]  # fmt: skip
    drawn = "k7/8/8/8/8/8/8/K6R w - - 149 201"
    assert written("fen", drawn.encode(), "x.fen") == f"{drawn}\n"
    assert "hmvc 149; fmvn 201;" in written("epd", drawn.encode(), "x.fen")


def test_one_bad_line_is_reported_and_the_rest_is_read(call: Call) -> None:
    good = "4k3/8/8/8/8/8/8/4K2R w K - id {};"
    bad = {
        "4k3/8/8/8/8/8/8/4K2R w K": None,  # two fields may be missing
        "4k3/8/8/8/8/8/8 w - - bm Ke2;": "the FEN's board is 8 wide and 7 high",
        '4k3/8/8/8/8/8/8/4K2R w K - id "a;': "a quotation mark is never closed",
        "4k3/8/8/8/8/8/8/4K2R w K - bm Ke2; 5 5;": "'5 5' is no operation",
        "4k3/8/8/8/8/8/8/4K2R w K - hmvc x;": "field 5 of the FEN is 'x', not a number",
        "4k3/8/8/8/8/8/8/4K2R w B -": "no Chess960",
        "4k3/8/8/8/8/8/8/4K2R": "no side is on move",
        "\ufeff\x00": "",
    }
    lines = [line for n, each in enumerate(bad) for line in (good.format(n), each)]
    found = converted(call, "chess", "-", "--from", "epd", stdin="\n".join(lines), code=2)
    assert [each["headers"]["id"] for each in found[::2]] == [*map(str, range(len(bad)))]
    for number, (each, told) in enumerate(zip(found[1::2], bad.values(), strict=True), start=1):
        if told is None:
            assert each["fen"].endswith("w K - 0 1")
            continue
        assert (each["kind"], each["line"]) == ("bad_record", 2 * number)
        assert told in each["error"]
    latin = '4k3/8/8/8/8/8/8/4K2R w K - id "Réti";'.encode("latin-1")
    assert converted(call, "chess", "-", stdin=latin)[0]["headers"] == {"id": "Réti"}
    found = converted(
        call, "chess", "-", "--from", "fen", stdin=latin.decode("latin-1").encode("utf-16"), code=2
    )
    assert found[0]["kind"] == "bad_record"


def test_a_file_of_any_length_is_read_line_by_line() -> None:
    class Endless(io.RawIOBase):
        number = 0

        def readline(self, size: int | None = -1, /) -> bytes:  # noqa: ARG002
            self.number += 1
            return b"8/8/8/4k3/8/8/8/K6R w - - id %d;\n" % self.number

    stream: Any = Endless()
    read = entries(stream, "x.epd", CHESS)
    assert [next(read).headers["id"] for _ in range(5)] == ["1", "2", "3", "4", "5"]
    assert stream.number == 5


def test_other_games_have_fens_in_files(call: Call) -> None:
    lines = "8/3P4/8/8/8/8/p7/8 w\nstartpos\n8/8 w\n"
    found = converted(call, "breakthrough", "-", "--from", "fen", stdin=lines, code=2)
    assert found[0]["fen"] == "8/3P4/8/8/8/8/p7/8 w"
    assert found[2]["line"] == 3
    run = call("convert", "breakthrough", "-", "--from", "epd", stdin=b"8/8 w")
    assert_refused(run, "epd is a format of chess and its variants, not of breakthrough")
    with pytest.raises(aspgames.BadRequest, match="x:1: positions don't name their game"):
        record.parse("8/8/8/4k3/8/8/8/K6R w - -", "x")


def test_verbs_take_positions_from_files(call: Call, folder: Any) -> None:
    (folder / "p.epd").write_text(REAL)
    run = call(
        *["crosscheck", "chess", "--against", "grounder", "--games", "0", "--made", "0"],
        *["--from-record", "p.epd", "--json"],
    )
    assert (run.code, run.json["positions"]) == (0, 5)


HEADERS = st.dictionaries(
    st.from_regex(r"\A[a-z][a-z0-9]{0,5}\Z").filter(lambda name: name not in ("hmvc", "fmvn")),
    st.text(st.characters(blacklist_categories=("C", "Z"))).map(lambda t: t.replace("\x85", "")),
)


@given(HEADERS, st.integers(0, 150), st.integers(1, 9999))
def test_what_is_written_is_read_again(headers: dict[str, str], count: int, number: int) -> None:
    position = f"8/8/8/4k3/8/8/8/K6R w - - {count} {number}"
    fen, found = parse_epd(_epd(position, headers))
    assert found == headers
    assert fen in (position, position.removesuffix(" 0 1"))
