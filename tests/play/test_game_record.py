"""Records of games: writing, reading and replaying them, and the program's use of them."""

import contextlib
import sys
from itertools import islice
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import aspgames
from aspgames import AspgamesError, BadMove, BadRequest, IllegalMove, Record, State, record
from aspgames.crosscheck.compare.comparison_walk import questions_of
from aspgames.crosscheck.engines.engine import Engine
from cli_helpers import Call, assert_refused, check
from engine_helpers import random_game
from paths import ROOT

GAMES = [
    "breakthrough",
    "skirmish",
    "amazons_8x8",
    "tictactoe",
    "rock_paper_scissors",
    "tests/data/auction.lp",
    "tests/data/maze.lp",
    "tests/data/sheets/noughts.kif",
]
SMALL = {"width": 3, "height": 6}


def load(name: str) -> aspgames.Game:
    return aspgames.load(ROOT / name if "/" in name else name)


def random_moves(state: State, chance: Random, plies: int) -> list[dict[str, str]]:
    return [joint for _, joint in islice(random_game(state, chance), plies) if joint]


@pytest.mark.parametrize("name", GAMES)
def test_what_is_written_is_read_and_played_again(name: str) -> None:
    game, chance = load(name), Random(name)
    for plies in (0, 1, 7, 7):
        start = game.initial.play(*random_moves(game.initial, chance, chance.randint(0, 2)))
        moves = random_moves(start, chance, plies)
        states = [start]
        for move in moves:
            states.append(states[-1].play(move))
        written = Record.of(start, moves, players={game.roles[0]: 'me, "myself"'})
        (found,) = record.parse(str(written))
        assert found == written
        assert found.replay() == tuple(states)
        assert (found.goals is not None) == states[-1].is_terminal


def test_the_form_of_a_record() -> None:
    game = aspgames.load("breakthrough", **SMALL)
    moves = ["a2a3", "move(1,5,2,4)", "a3xb4", "a6-a5", "b4-a5"]
    played = Record.of(game.initial, moves, players={"white": "me"}, tags={"Date": "1903.04.01"})
    assert str(played) == (
        '[Game "breakthrough"]\n[Constants "height=6,width=3"]\n[Players "white=me"]\n'
        '[Date "1903.04.01"]\n[Result "*"]\n\n'
        "1. a2-a3 2. a5-b4 3. a3xb4 4. a6-a5 5. b4xa5\n"
    )
    start = game.position("p2/3/3/3/3/2P w")
    assert '[FEN "p2/3/3/3/3/2P w"]' in str(Record.of(start))
    over = game.position("3/2P/3/3/3/p2 w")
    assert '[Result "0-1"]' in str(Record.of(over))
    facts = load("rock_paper_scissors").initial
    throws = Record.of(facts.play("white=rock,black=rock"), ["white=paper,black=rock"])
    assert '[Facts "' in str(throws)
    assert "1. white=paper,black=rock\n" in str(throws)
    long = Record("breakthrough", ("a2-a3",) * 60)
    assert max(map(len, str(long).splitlines())) <= 80
    assert record.parse(str(long)) == [long]


def test_comments_numbers_and_several_games() -> None:
    text = """
; two games
[Game "breakthrough"]
[Constants "width=3,height=6"]
{ by hand,
  in two lines } 1.a2-a3 a5-b4 {taken} 2... a3xb4 ; and so on
*

[Game "breakthrough"]
[Event "a \\"short\\" one"]
[Game "skirmish"]
"""
    first, second, third = record.parse(text)
    assert first.moves == ("a2-a3", "a5-b4", "a3xb4")
    assert first.constants == SMALL
    assert second.tags == {"Event": 'a "short" one'}
    assert (second.game, third.game, third.moves) == ("breakthrough", "skirmish", ())
    assert record.parse("") == []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[Game breakthrough]", 'f:1: a tag is written as [Name "value"]'),
        ("1. a2-a3", "f:1: moves come after tags"),
        ('[Event "x"]\n\n1. a2-a3', "f:1: the tag Game is missing"),
        ('[Game "x"]\n[Event "a"]\n[Event "b"]', "f:3: the tag Event is there twice"),
        ('[Game "x"]\n\n1. a2-a3 { and', "f:3: this has no end, or no beginning: {"),
        ('[Game "x"]\n\n1. say("a', 'f:3: this has no end, or no beginning: "'),
        ('[Game "x"]\n[Constants "width"]', "f:2: Constants is written as NAME=VALUE"),
        ('[Game "x"]\n[Result "1:0"]', "f:2: Result is written as 1-0, 0-1,"),
        ('[Game "x"]\n[Result "white=all"]', "f:2: Result has a number for each role"),
        ('[Game "x"]\n[FEN "x"]\n[Facts "y"]', "f:1: the position is there as FEN and as Facts"),
        ('{"game":"x","moves":[', "f:1: this is not JSON"),
        ('{"moves":["a"]}', "f:1: game is missing"),
        ('{"game":"x","moves":[1]}', "f:1: moves are texts"),
        (None, "a record is given as a text"),
    ],
)
def test_what_is_no_record(text: str, sentence: str) -> None:
    with pytest.raises(BadRequest) as refused:
        record.parse(text, "f")
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("played", "error", "sentence"),
    [
        (Record("breakthrough", ("a2-a3", "a2-a4")), IllegalMove, "ply 2, a2-a4: a2-a4 is not leg"),
        (Record("breakthrough", ("a2-a3", "hm")), BadMove, "ply 2, hm: hm is no move of breakthr"),
        (Record("breakthrough", goals={"white": 100, "black": 0}), BadRequest,
         "the record ends with white=100,black=0, and play with *"),
        (Record("breakthrough", constants=SMALL, position="3/2P/3/3/3/p2 w",
                goals={"white": 100, "black": 0}), BadRequest, "and play with white=0,black=100"),
        (Record("breakthrough", position="8/8"), aspgames.BadPosition, "8"),
        (Record("breakthrough", constants={"wide": 3}), aspgames.BadConstant, "wide"),
        (Record("shogi"), aspgames.UnknownGame, "shogi"),
    ],
)  # fmt: skip
def test_what_cannot_be_played(played: Record, error: type[AspgamesError], sentence: str) -> None:
    with pytest.raises(error) as refused:
        played.replay()
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_record_of_another_game() -> None:
    played = Record("breakthrough", constants=SMALL)
    assert played.replay(aspgames.load("breakthrough", **SMALL))
    for other in (aspgames.load("breakthrough"), aspgames.load("skirmish")):
        with pytest.raises(BadRequest, match="the record is of breakthrough width=3 height=6, not"):
            played.replay(other)


def test_moves_that_cannot_be_recorded() -> None:
    start = aspgames.load("breakthrough").initial
    with pytest.raises(IllegalMove, match="ply 2, a2-a3: "):
        Record.of(start, ["a2-a3", "a2-a3"])
    with pytest.raises(BadRequest, match="can't be a tag's name"):
        Record.of(start, tags={"Game": "x"})
    with pytest.raises(BadRequest, match="give a State"):
        Record.of("startpos")  # type: ignore[arg-type]


def test_files(tmp_path: Path) -> None:
    file, records = tmp_path / "games.pgn", [Record("breakthrough", ("a2-a3",)), Record("skirmish")]
    record.write(file, records)
    assert record.read(file) == records == record.read(str(file))
    assert record.read(file)[0].replay()[-1].to_move == "black"
    with pytest.raises(BadRequest, match=r"none\.pgn can't be read: No such file"):
        record.read(tmp_path / "none.pgn")
    with pytest.raises(BadRequest, match="can't be written"):
        record.write(tmp_path / "none/there.pgn", records)
    file.write_bytes(b"\xff")
    with pytest.raises(BadRequest, match="not UTF-8"):
        record.read(file)


@given(st.text('[]{}";*\\ \n\t=,()aG1.', max_size=40), st.booleans())
@example('"\n"', True)
def test_any_text_is_read_or_refused(text: str, tagged: bool) -> None:
    with contextlib.suppress(BadRequest):
        for found in record.parse(f'[Game "breakthrough"]\n{text}' if tagged else text):
            assert record.parse(str(found)) == [found]


# --- match and crosscheck -------------------------------------------------------------------------


BUG = "a side without pieces not ended"
MATCH = ["match", "breakthrough", "-c", "width=3", "-c", "height=6", "--against", "random"]


def test_a_match_goes_on_from_its_record(call: Call, folder: Path) -> None:
    assert call(*MATCH, "--record", "m.pgn", stdin=b"a2-a3\n").code == 0
    (first,) = record.read(folder / "m.pgn")
    assert first.players == {"white": "person", "black": "random"}
    assert len(first.moves) == 2
    result = call(*MATCH, "--from-record", "m.pgn", "--record", "n.json", stdin=b"undo\nb2-b3\n")
    assert result.code == 0, result.err
    (second,) = record.read(folder / "n.json")
    assert second.moves[0] == "move(2,2,2,3)"
    assert second.replay()[-1] != first.replay()[-1]
    again = call(*MATCH, "--from-record", "m.pgn", stdin=b"fen\n").out
    assert (first.replay()[-1].fen or "") in again


@pytest.mark.parametrize(
    ("text", "more", "sentence"),
    [
        ('[Game "skirmish"]', [], "game 1 is one of skirmish, not of breakthrough"),
        ('[Game "breakthrough"]', [], "game 1 is one of breakthrough, not of breakthrough height"),
        ("", [], "no game is recorded there"),
        ('[Game "breakthrough"]\n[Constants "width=3,height=6"]', ["startpo"], ""),
        ('[Game "breakthrough"]\n[Constants "width=3,height=6"]\n\n1. a2-a4', [],
         "ply 1, a2-a4: a2-a4 is not legal"),
        ('[Game "breakthrough"]\n[Constants "width=3,height=6"]', ["3/p2/3/3/1P1/3 w"],
         "leave POSITION out"),
    ],
)  # fmt: skip
def test_a_match_can_not_go_on(
    call: Call, folder: Path, text: str, more: list[str], sentence: str
) -> None:
    (folder / "m.pgn").write_text(text)
    result = call(*MATCH[:2], *more, *MATCH[2:], "--from-record", "m.pgn", stdin=b"")
    assert_refused(result, sentence)


@pytest.mark.slow
def test_the_cross_check_walks_recorded_games(call: Call, folder: Path) -> None:
    """The engine misses the loss of a side's last piece, in one of two games."""
    game = aspgames.load("breakthrough", **SMALL)
    lone = game.position("3/3/1p1/P2/3/3 w")
    games = [Record.of(lone, ["a3-a4", "b4-c3"]), Record.of(lone, ["a3xb4"])]
    engine = f"cmd:{sys.executable} {ROOT / 'tests/support/planted_engine.py'} {BUG!r}"
    only = [*MATCH[1:6], "--games", "0", "--made", "0", "--from-record", "g.pgn", "--json"]
    for played, expected in ((games[:1], 0), (games, 1)):
        record.write(folder / "g.pgn", played)
        right = call("crosscheck", *only, "--against", "grounder")
        assert (right.code, right.json["positions"]) == (0, 4 if expected == 0 else 6)
        assert call("crosscheck", *only, "--against", engine).code == expected
    found = check(call("crosscheck", *only, "--against", engine).json, "crosscheck")
    (finding,) = found["disagreements"]
    (line,) = record.parse(finding["record"])
    states = line.replay()
    assert states[0].facts == tuple(finding["position"])
    assert line.moves == tuple(finding["moves_text"])


def test_recorded_games_are_asked_about_by_whole_turns() -> None:
    """For engines without single plies, and for engines that only begin at the start."""
    game = aspgames.load("amazons_8x8")
    moves = ["c1-c4", "/a4", "c8-c7", "/b7", "c4-c5"]
    played = Record.of(game.initial, moves)
    terms = [game.parse_move(move) for move in moves]

    def asked(whole: bool, sets_up: bool) -> list[tuple[bool, list[tuple[str, ...]], State]]:
        engine = SimpleNamespace(whole_turns=whole, sets_up=sets_up)
        questions = questions_of(played, game, cast("Engine", engine))
        return [(q.before == game.initial, list(q.turns), q.state) for q in questions]

    states = played.replay()
    assert [state for _, _, state in asked(False, True)] == list(states)
    assert [turns for _, turns, _ in asked(False, True)] == [[], *([(term,)] for term in terms)]
    whole = asked(True, False)
    assert all(at_the_start for at_the_start, _, _ in whole)
    assert [turns for _, turns, _ in whole] == [
        [], [tuple(terms[:2])], [tuple(terms[:2]), tuple(terms[2:4])]
    ]  # fmt: skip
    assert [state for _, _, state in whole] == [states[0], states[2], states[4]]
