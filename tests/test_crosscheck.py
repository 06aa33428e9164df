"""Cross-checks: engines that agree, engines that fail, and what is told of both."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from bad_engine import FAULTS
from cli_helpers import TICTACTOE, Run, check, run

import aspgames
from aspgames import BadRequest, Game
from aspgames.budget import Budget
from aspgames.crosscheck.blame import deciding_lines
from aspgames.crosscheck.compare import Disagreement, Judge
from aspgames.crosscheck.engine import Answer, Question, Refusal, asked
from aspgames.crosscheck.engines import open_engine
from aspgames.crosscheck.positions import RandomPositions
from aspgames.crosscheck.reasoners import OwnReasoner
from aspgames.crosscheck.rules import Rules
from aspgames.crosscheck.run import Plan, Result, crosscheck, running
from aspgames.crosscheck.turns import coordinates, label, label_of
from aspgames.view import board_text

SERVE = f"cmd:{shlex.join([sys.executable, '-m', 'aspgames', 'serve'])}"
HERE = Path(__file__).parent


def python(file: str, *arguments: object) -> str:
    return shlex.join([sys.executable, str(HERE / file), *map(str, arguments)])


def go(game: Game, against: str, **plan: Any) -> Result:
    """A cross-check in this process."""
    starts = (game.initial.facts,)
    with running(open_engine(against, 30)) as engine:
        return crosscheck(game, engine, Plan(**{"starts": starts, "seconds": 60.0} | plan))


# --- engines that agree ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "constants", "against", "games", "made"),
    [
        ("breakthrough", {}, "openspiel", 10, 0),
        ("breakthrough", {"width": 7, "height": 12}, "openspiel", 2, 0),
        ("breakthrough", {}, "fairy", 5, 150),
        ("breakthrough", {"width": 4, "height": 5}, "fairy", 10, 150),
        ("amazons_8x8", {}, "openspiel", 1, 0),
        ("amazons_8x8", {}, "fairy", 1, 20),
        ("breakthrough", {"width": 3, "height": 4}, "grounder", 3, 30),
        ("breakthrough", {"width": 3, "height": 4}, "propnet", 3, 30),
        ("breakthrough", {"width": 3, "height": 4}, SERVE, 3, 30),
        pytest.param("amazons_10x10", {}, "openspiel", 3, 0, marks=pytest.mark.slow),
        pytest.param("amazons_10x10", {}, "fairy", 2, 30, marks=pytest.mark.slow),
        pytest.param("amazons", {}, "openspiel", 2, 0, marks=pytest.mark.slow),
        pytest.param("amazons", {}, "fairy", 1, 30, marks=pytest.mark.slow),
        pytest.param("skirmish", {}, "grounder", 3, 100, marks=pytest.mark.slow),
    ],
)
def test_agreement(
    name: str, constants: dict[str, int], against: str, games: int, made: int
) -> None:
    pytest.importorskip({"fairy": "pyffish", "openspiel": "pyspiel"}.get(against, "aspgames"))
    result = go(aspgames.load(name, **constants), against, games=games, made=made, seed=5)
    assert not result.findings, result.findings[0].shrunk
    assert result.tally.games == games
    assert result.tally.positions > games * 5 + made / 2
    assert result.tally.finished or result.seconds > 60
