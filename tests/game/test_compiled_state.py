"""Compiled states: built where possible, left out elsewhere, safe and without leaks."""

import gc
import inspect
import os
import pickle
import random
import subprocess
import sys
import sysconfig
import weakref
from pathlib import Path
from typing import Any

import pytest

import hatch_build
from aspgames import Game, LegalMoves, State, load
from aspgames.game.compiled_state import compiled_state
from aspgames.propnet.native_library import compiled_states
from engine_helpers import on_net_alone

HEADERS = Path(sysconfig.get_path("include"), "Python.h")
COMPILED = compiled_state()
needed = pytest.mark.skipif(COMPILED is None, reason="states are not compiled here")


@pytest.fixture(scope="module")
def game() -> Game:
    return on_net_alone(load("breakthrough", width=3, height=5))


@pytest.mark.skipif(sys.platform == "win32" or not HEADERS.exists(), reason="no Python headers")
def test_states_are_compiled_where_they_can_be() -> None:
    assert COMPILED


@needed
def test_a_compiled_state_is_a_state(game: Game) -> None:
    state = game.initial.play(game.initial.legal_moves[0])
    assert type(state) is COMPILED
    assert isinstance(state, State)
    assert isinstance(state.legal_moves, LegalMoves)
    assert inspect.getdoc(type(state).play) == inspect.getdoc(State.play)
    assert str(inspect.signature(state.play)) == "(*moves)"
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert pickle.loads(pickle.dumps(state.legal_moves)) == state.legal_moves
    moves = state.legal_moves
    assert [moves[place] for place in range(-len(moves), 0)] == list(moves) == list(moves[:])
    assert moves[::-2] == tuple(moves)[::-2]
    assert list(reversed(moves)) == list(moves)[::-1]
    assert [moves.index(move) for move in moves] == list(range(len(moves)))
    for place in (len(moves), -len(moves) - 1):
        with pytest.raises(IndexError):
            moves[place]
    with pytest.raises(TypeError):
        moves["a2"]  # type: ignore[call-overload]


@needed
@pytest.mark.parametrize("name", ["breakthrough", "connect_four", "tictactoe"])
def test_ended_games_have_no_moves(name: str) -> None:
    state, rng = on_net_alone(load(name)).initial, random.Random(name)
    while not state.is_terminal:
        before, state = state, state.play(rng.choice(state.legal_moves))
    assert type(state) is COMPILED
    assert before.legal_moves
    assert not state.legal_moves
    assert list(state.legal_moves) == []
    for move in before.legal_moves:
        with pytest.raises(ValueError, match="the game is over"):
            state.play(str(move))


@needed
def test_wrong_arguments_are_errors(game: Game) -> None:
    state = game.initial.play(game.initial.legal_moves[0])
    moves = state._net_moves
    assert moves
    evaluator = moves.net.evaluator
    for row in (b"", state._row + b"x", bytearray(state._row), "row", None):
        with pytest.raises(ValueError, match="a row of this net"):
            evaluator.ask(row)
        with pytest.raises(ValueError, match="a row of this net"):
            evaluator.play_one(row, 0, 0)
        with pytest.raises(ValueError, match="a row of this net"):
            evaluator.play(row, [0, 0])
    for role in (-1, 2):
        with pytest.raises(ValueError, match="no role"):
            evaluator.play_one(state._row, role, 0)
    for joint in ([0], None, [0, "a"]):
        with pytest.raises(TypeError):
            evaluator.play(state._row, joint)
    empty = object.__new__(type(state))
    for ask in ("legal_moves", "is_terminal", "to_move"):
        with pytest.raises(TypeError, match="made by on_net"):
            getattr(empty, ask)
    with pytest.raises(TypeError):
        empty.play(game.moves[0])
    with pytest.raises(AttributeError):
        COMPILED.on_net(game, {}, b"")  # type: ignore[union-attr, arg-type]
    kind: Any = type(evaluator)
    with pytest.raises(TypeError):
        kind()
    with pytest.raises(TypeError, match="once"):
        evaluator.__init__()
    with pytest.raises(ValueError, match="a row of this net"):
        kind.__new__(kind).ask(b"")


def test_nothing_is_kept_of_played_games(game: Game) -> None:
    def play(seed: int) -> None:
        rng, state = random.Random(seed), game.initial
        while moves := state.legal_moves:
            assert state.facts
            state = state.play(rng.choice(moves))

    play(0)
    for seed in range(9):  # until each move has been made once
        play(seed)
    gc.collect()
    assert game.initial._net_moves
    kept = game, game.initial._net_moves, game.initial._net_moves.net
    before = [sys.getrefcount(each) for each in kept], len(gc.get_objects())
    for seed in range(9):
        play(seed)
    gc.collect()
    after = [sys.getrefcount(each) for each in kept], len(gc.get_objects())
    assert after[0] == before[0]
    assert after[1] < before[1] + 20
    state = game.initial.play(game.initial.legal_moves[0])
    vars(state)["itself"] = state, state.legal_moves
    seen = weakref.ref(state)
    del state
    gc.collect()
    assert seen() is None


def test_states_are_plain_where_nothing_is_compiled(game: Game) -> None:
    code = (
        "import aspgames\n"
        "game = aspgames.load('breakthrough', width=3, height=5)\n"
        "assert game.whole_net\n"
        "state = game.initial.play(game.initial.legal_moves[0])\n"
        "assert type(state) is aspgames.State\n"
        "print(state.play(state.legal_moves[1]).fen)"
    )
    environment = {**os.environ, "ASPGAMES_STATES": "plain"}
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    state = game.initial.play(game.initial.legal_moves[0])
    assert found.stdout.strip() == state.play(state.legal_moves[1]).fen
    assert compiled_states() is compiled_states()


def test_a_build_without_headers_or_with_a_failing_compiler(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "kernel.states"
    if HEADERS.exists() and sys.platform != "win32":
        monkeypatch.setenv("CC", "nowhere-cc")
        assert not hatch_build.build_states(output)
        assert "states are not compiled: No such file" in capsys.readouterr().err
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(tmp_path))
    assert not hatch_build.build_states(output)
    assert not list(tmp_path.iterdir())
