"""States as values: equal, hashable, immutable, and readable in another process."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import aspgames
from aspgames import BadMove, IllegalMove, RulesError, State


def test_states_are_equal_when_game_constants_and_facts_are() -> None:
    game = aspgames.load("breakthrough")
    one = game.initial.play("a2-a3").play("h7-h6").play("b2-b3")
    other = game.initial.play("b2-b3").play("h7-h6").play("a2-a3")
    assert one == other
    assert hash(one) == hash(other)
    assert len({one, other, game.initial}) == 2
    small = aspgames.load("amazons")
    assert small.position("startpos") != aspgames.load("amazons", stuck="either").initial
    assert small.initial != "startpos"


def test_states_cannot_be_changed() -> None:
    state = aspgames.load("skirmish").initial
    with pytest.raises(AttributeError, match="can't be changed"):
        state.facts = ()  # type: ignore[misc]
    state.goals["white"] = 100
    assert state.goals == {"white": 0, "black": 0}


@pytest.mark.parametrize(
    "state",
    [
        aspgames.load("breakthrough", width=4, height=5).initial.play("a2-a3"),
        aspgames.load("amazons_8x8").initial.play("c1-c4"),
    ],
    ids=lambda state: str(state.game),
)
def test_states_pickle_as_text_that_another_process_reads(state: State, tmp_path: Path) -> None:
    assert pickle.loads(pickle.dumps(state)) == state
    pickled = tmp_path / "state"
    pickled.write_bytes(pickle.dumps(state))
    assert b"clingo" not in pickled.read_bytes()
    code = (
        "import pickle, sys; state = pickle.load(open(sys.argv[1], 'rb'));"
        "print(state.fen, len(state.legal_moves))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(pickled)],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert run.stdout == f"{state.fen} {len(state.legal_moves)}\n"


def test_a_pickled_state_is_refused_when_its_rules_have_changed(tmp_path: Path) -> None:
    file = tmp_path / "own.lp"
    file.write_text("role(solo). init(a).")
    pickled = pickle.dumps(aspgames.load(str(file)).initial)
    file.write_text("role(solo). init(b).")
    with pytest.raises(RulesError, match="have changed"):
        pickle.loads(pickled)


@pytest.mark.parametrize(
    ("game", "position", "move", "message"),
    [
        (
            "breakthrough",
            "startpos",
            "a2-a4",
            "a white piece goes one square ahead, .* not from a2 to a4",
        ),
        ("breakthrough", "startpos", "a7-a6", "not from a7 to a6"),
        ("breakthrough", "startpos", "a4-a5", "no white piece stands on a4"),
        ("breakthrough", "startpos", "z9-z8", "z9 is off the board"),
        ("breakthrough", "startpos", "noop", "noop is a move of black, but white is on move"),
        ("breakthrough", "4P3/8/8/8/8/8/p7/8 b", "a2-a1", "the game is over"),
        ("amazons_8x8", "startpos", "/c4", "is not legal"),
        ("amazons", "startpos", "d1-d7/d8", None),
        (
            "amazons",
            "startpos",
            "d1-d7/d10",
            "the arrow would land on d10, where a black amazon stands",
        ),
    ],
)
def test_an_illegal_move_is_refused_in_words(
    game: str, position: str, move: str, message: str | None
) -> None:
    state = aspgames.load(game).position(position)
    if message is None:
        assert state.play(move) != state
        return
    with pytest.raises(IllegalMove, match=message):
        state.play(move)


@pytest.mark.parametrize("move", ["dance", "a2", "move(1,2)", "fire(1,2)", "move(a,b,c,d)"])
def test_what_looks_like_no_move_of_the_game_is_refused_as_none(move: str) -> None:
    with pytest.raises(BadMove, match="is no move of breakthrough"):
        aspgames.load("breakthrough").initial.play(move)


def test_a_move_of_the_other_side_is_refused_also_as_an_object() -> None:
    state = aspgames.load("breakthrough").initial
    (noop,) = state.legal["black"]
    with pytest.raises(IllegalMove, match="is a move of black"):
        state.play(noop)


def test_nothing_is_played_when_the_game_is_over() -> None:
    over = aspgames.load("breakthrough").position("4P3/8/8/8/8/8/p7/8 b")
    for move in ("a2-a1", {}, {"white": "noop"}, {"white": "noop", "black": "a2-a1"}):
        with pytest.raises(IllegalMove, match="the game is over"):
            over.play(move)


def test_moves_are_equal_by_role_and_term() -> None:
    state = aspgames.load("breakthrough").initial
    assert set(state.legal_moves) == set(state.game.position("startpos").legal_moves)
    assert str(state.legal_moves[0]) == "a2-a3"


def test_games_say_what_they_are() -> None:
    game = aspgames.load("breakthrough", width=5)
    assert (game.name, game.title, game.roles) == (
        "breakthrough",
        "Breakthrough",
        ("white", "black"),
    )
    assert game.constants == {"height": 8, "width": 5}
    assert repr(game) == "load('breakthrough', height=8, width=5)"
    assert aspgames.load("breakthrough", width="5") is game
    assert "amazons" in aspgames.games()
