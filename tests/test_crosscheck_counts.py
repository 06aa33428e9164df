"""Cross-checks with engines that count moves: UCI, perftree, and counts over JSON lines."""

from __future__ import annotations

import os
import shlex
import shutil

import pytest
from cli_helpers import Call, assert_refused
from crosscheck_helpers import HERE, SERVE, SMALL, go, python, the_one

import aspgames
from aspgames.crosscheck.engines import open_engine
from aspgames.crosscheck.run import Plan, crosscheck, running

SLOW = pytest.mark.slow


@pytest.mark.parametrize("kind", ["uci", "perftree"])
def test_engines_that_count(kind: str) -> None:
    command = f"{kind}:{python('perft_engine.py', kind, 'breakthrough', 'none')}"
    game = aspgames.load("breakthrough")
    starts = (game.position("8/8/3p4/2P5/8/8/8/8 w").facts,)
    result = go(game, command, starts=starts, games=1, made=1, depth=3)
    assert not result.findings, result.findings[0].shrunk
    assert result.tally.divides == 1
    assert result.tally.positions >= 3


def test_counts_over_json_lines() -> None:
    result = go(SMALL, SERVE, games=0, made=0, depth=3)
    assert not result.findings
    assert result.tally.divides == 1


@pytest.mark.parametrize("kind", ["uci", pytest.param("perftree", marks=SLOW)])
def test_counts_lead_to_the_position_that_makes_them_differ(kind: str) -> None:
    command = f"{kind}:{python('perft_engine.py', kind, 'breakthrough', 'c5c6')}"
    game = aspgames.load("breakthrough")
    starts = (game.position("8/8/8/4p3/2P5/8/8/8 w").facts,)
    found = the_one(go(game, command, starts=starts, games=0, made=0, depth=3))
    assert found.kind == "legal"
    assert found.missing == ("c5 c6",)
    # It takes two pieces, so that the game goes on; the black one may stand anywhere.
    assert "cell(3,5,white)" in found.question.after
    assert len(found.question.after) == 3


@pytest.mark.parametrize(
    ("against", "timeout", "words"),
    [
        ("uci:cat", 1, "no answer within 1 s"),
        ("uci:true", 1, "the engine is gone: it ended with exit code 0"),
        ("perftree:true", 1, "printed nothing"),
        ("perftree:sh -c 'sleep 60'", 1, "no answer within 1 s"),
        ("perftree:false", 1, "exit code 1"),
        ("perftree:echo a2a3 1", 1, "add up to"),
        ("perftree:yes", 60, "floods"),
    ],
)
def test_an_engine_that_does_not_count(against: str, timeout: float, words: str) -> None:
    failed = pytest.raises(aspgames.AspgamesError, match=words)
    with failed as caught, running(open_engine(against, timeout)) as engine:
        crosscheck(SMALL, engine, Plan((SMALL.initial.facts,), games=1, made=0))
    assert caught.value.kind == "engine_failed"


# --- variants of UCI engines ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["skirmish"], "has no variant skirmish: it has breakthrough, chess"),
        (["breakthrough", "-c", "width=3"], "can't play breakthrough on 3x8 squares"),
        (["amazons"], "has no variant amazons"),
        (["tictactoe.lp"], "has no FEN"),
    ],
)
def test_a_game_that_an_engine_does_not_have(call: Call, options: list[str], words: str) -> None:
    """It is said, and not taken for a disagreement."""
    engine = f"uci:{python('perft_engine.py', 'uci', 'breakthrough', 'none')}"
    assert_refused(call("crosscheck", *options, "--against", engine), words)


@pytest.mark.parametrize("kind", ["uci", "perftree"])
def test_a_turn_under_way_is_not_put_to_engines_of_whole_turns(kind: str) -> None:
    game = aspgames.load("amazons_8x8")
    starts = (game.position("8/8/8/3Q4/8/8/8/q7 w fire d5").facts,)
    engine = f"{kind}:{python('perft_engine.py', kind, 'amazons_8x8', 'none')}"
    result = go(game, engine, starts=starts, games=0, made=0)
    assert not result.findings
    assert result.tally.skipped == 1


FAIRY = shutil.which("fairy-stockfish", path=f"{os.environ['PATH']}{os.pathsep}/usr/games") or ""
with_fairy = pytest.mark.skipif(not FAIRY, reason="there is no fairy-stockfish")


@with_fairy
@pytest.mark.parametrize(("width", "height"), [(8, 8), (4, 5), pytest.param(12, 10, marks=SLOW)])
def test_fairy_stockfish_over_uci(width: int, height: int) -> None:
    game = aspgames.load("breakthrough", width=width, height=height)
    result = go(game, f"uci:{FAIRY}", games=5, made=50, depth=3)
    assert not result.findings, result.findings[0].shrunk
    assert result.tally.divides == 1
    assert result.tally.positions > 150


@with_fairy
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["skirmish"], "has no variant skirmish"),
        (["breakthrough", "-c", "width=12", "-c", "height=12"], "can't play breakthrough on 12x12"),
    ],
)
def test_what_fairy_stockfish_does_not_have(call: Call, options: list[str], words: str) -> None:
    assert_refused(call("crosscheck", *options, "--against", f"uci:{FAIRY}"), words)


@with_fairy
def test_the_script_for_perftree_around_fairy_stockfish() -> None:
    script = shlex.join([str(HERE.parent / "examples/engines/perftree.sh"), FAIRY, "breakthrough"])
    result = go(aspgames.load("breakthrough"), f"perftree:{script}", games=0, made=8, depth=3)
    assert not result.findings, result.findings[0].shrunk
    assert result.tally.divides == 1
    assert result.tally.positions > 8
