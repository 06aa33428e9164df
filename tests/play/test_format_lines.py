"""Formats with one game on each line: written here, played again by other programs, read again."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import aspgames
from cli_helpers import Call, assert_refused
from format_helpers import converted, random_game, read_again, written

pyffish: Any = pytest.importorskip("pyffish")
pyspiel: Any = pytest.importorskip("pyspiel")

OTHELLO, CONNECT_FOUR = aspgames.load("othello"), aspgames.load("connect_four")
EACH = [
    ("transcript", "othello", {}),
    ("transcript", "othello", {"size": 6}),
    ("transcript", "hex", {"size": 5}),
    ("columns", "connect_four", {}),
    ("columns", "connect_four", {"width": 11}),
    ("amazons", "amazons", {"width": 5, "height": 5}),
    ("amazons", "amazons_10x10", {"width": 5, "height": 5}),
]


@pytest.mark.quick(3)
@pytest.mark.parametrize(("form", "name", "const"), EACH)
def test_what_is_written_is_read_again(form: str, name: str, const: dict[str, Any]) -> None:
    game = aspgames.load(name, **const)
    games = [random_game(game, Random(number)) for number in range(4)]
    text = written(form, games)
    assert text.count(b"\n") == len(games)
    found = read_again(form, game, text)
    assert [each.states for each in found] == [each.states for each in games]
    assert written(form, found) == text


def goals_by_openspiel(
    name: str, text: str, actions: Callable[[Any, str], list[int]]
) -> list[float]:
    state = pyspiel.load_game(name).new_initial_state()
    for action in actions(state, text):
        state.apply_action(action)
    assert state.is_terminal()
    return [50 + 50 * value for value in state.returns()]


def othello_actions(state: Any, text: str) -> Any:
    """Actions, with the passes, which OpenSpiel has as action 64."""
    for place in range(0, len(text), 2):
        while state.legal_actions() == [64]:
            yield 64
        yield next(
            action for action in state.legal_actions()
            if state.action_to_string(action)[:2] == text[place : place + 2]
        )  # fmt: skip


@pytest.mark.slow
def test_openspiel_plays_what_is_written() -> None:
    for number in range(6):
        game = random_game(OTHELLO, Random(number))
        text = written("transcript", [game]).decode().strip()
        found = goals_by_openspiel("othello", text, othello_actions)
        assert found == [game.states[-1].goals[role] for role in ("black", "white")]
        game = random_game(CONNECT_FOUR, Random(number))
        text = written("columns", [game]).decode().strip()
        found = goals_by_openspiel("connect_four", text, lambda _, t: [int(x) - 1 for x in t])
        assert found == [game.states[-1].goals[role] for role in ("white", "black")]


@pytest.mark.parametrize("name", ["amazons", "amazons_10x10"])
def test_amazons_is_read_as_fairy_stockfish_writes_it(name: str, call: Call) -> None:
    random, moves, fen = Random(name), list[str](), pyffish.start_fen("amazons")
    for _ in range(8):
        moves.append(random.choice(pyffish.legal_moves("amazons", fen, moves)))
    game = aspgames.load(name)
    (found,) = converted(call, name, "-", "--from", "amazons", stdin=" ".join(moves))
    state = game.initial
    for move in found["moves"]:
        state = state.play(move)
    assert state == game.position(pyffish.get_fen("amazons", fen, moves))


def test_other_ways_to_write_a_game_are_read(call: Call) -> None:
    def rewritten(game: str, form: str, text: str) -> list[str]:
        run = call("convert", game, "-", "--from", form, "--to", form, stdin=text.encode())
        assert run.code == 0, run.err
        return run.out.splitlines()

    text = "1. d1-d7(g7) a7a8,a8b8\n1. d1-d7/g7 1... a7-a8-b8\nd1d7g7 a7a8b8\n"
    for game in ("amazons", "amazons_10x10"):
        assert rewritten(game, "amazons", text) == ["d1-d7(g7) a7-a8(b8)"] * 3
    text = "f5d6c3 +2\n1. F5 2. D6 3. c3\nf5,d6,c3\n\n# a comment\n f5 d6 c3 \n"
    assert rewritten("othello", "transcript", text) == ["f5d6c3 +2", *["f5d6c3"] * 3]
    text = "44353 -2\nddced\n4,4,3,5,3\nD D c e c\n"
    found = rewritten("connect_four", "columns", text)
    assert found == ["44353 -2", "44354", "44353", "44353"]


@pytest.mark.parametrize(
    ("form", "name", "good", "bad", "words"),
    [
        ("transcript", "othello", "f5d6", ["f5d", "f5a1", "f5 zz", "f5pad6", "\xff\xfef5"],
         ["'d' begins", "ply 2, a1: ", "'zz' begins", "ply 2, pa: ", "no text"]),
        ("columns", "connect_four", "44", ["4444444", "49", "4!", "4a", "\x004"],
         ["ply 7, 4: ", "ply 2, 9: ", "'4!' is no column", "'4a' is no column", "no text"]),
        ("amazons", "amazons", "d1-d7(g7)", ["d1-d7", "d1-d7(g8", "d1", "d1-d7(g7) (d8)"],
         ["ply 1, d1d7", "ply 1, d1d7g8", "'d1' is no move", "'(d8)' is no move"]),
    ],
)  # fmt: skip
def test_a_bad_line_is_reported_and_the_rest_is_read(
    form: str, name: str, good: str, bad: list[str], words: list[str], call: Call
) -> None:
    text = "".join(f"{good}\n{each}\n" for each in bad).encode("latin-1")
    found = converted(call, name, "-", "--from", form, stdin=text, code=2)
    assert all("moves" in each for each in found[::2])
    errors = [each.get("error", "") for each in found[1::2]]
    assert [part in error for part, error in zip(words, errors, strict=True)] == [True] * len(
        bad
    ), errors
    assert [each["line"] for each in found[1::2]] == [2 * n + 2 for n in range(len(bad))]


def test_an_object_of_another_kind_is_no_record(call: Call) -> None:
    """Entries of a problem database became the start of the game."""
    (found,) = converted(call, "chess", "-", "--from", "jsonl", stdin=b'{"entries": []}', code=2)
    assert found["error"] == "the object has no moves and no position"
    empty = b'{"game": "tictactoe", "fen": null, "facts": []}'
    (found,) = converted(call, "tictactoe", "-", "--from", "jsonl", stdin=empty, code=2)
    assert "no side is on move" in found["error"]


def test_formats_fit_their_games_only(call: Call) -> None:
    for game, form, words in (
        ("chess", "transcript", "transcript is a format of Othello"),
        ("tictactoe", "columns", "columns is a format of Connect Four, not of tictactoe"),
        ("isolation", "amazons", "amazons is a format of Amazons, not of isolation"),
    ):
        assert_refused(call("convert", game, "-", "--from", form, stdin=b"a1"), words)
        assert_refused(call("convert", game, "-", "--from", "jsonl", "--to", form), words)
    with pytest.raises(aspgames.BadRequest, match="columns files don't name their game: give it"):
        aspgames.record.parse("44", "x.columns")
    assert aspgames.record.parse("44", "x.columns", CONNECT_FOUR)[0].moves == ("4", "4")
    line = b'{"game": "othello", "position": "8/8/8/3OX3/3XO3/8/8/8 w", "moves": ["f4"]}'
    found = call("convert", "othello", "-", "--from", "jsonl", "--to", "transcript", stdin=line)
    assert_refused(found, "transcript has no games that begin there")
