"""What the tests of the cross-check share: engines' command lines, and a run in this process."""

from __future__ import annotations

import shlex
import sys
from typing import Any

import aspgames
from aspgames import Game
from aspgames.crosscheck.compare.answers import Disagreement
from aspgames.crosscheck.engines.engine import Engine
from aspgames.crosscheck.engines.engine_names import open_engine
from aspgames.crosscheck.runner import Plan, Result, crosscheck, running
from cli_helpers import PROGRAM
from paths import SUPPORT

SERVE = f"cmd:{shlex.join([*PROGRAM, 'serve'])}"
SMALL = aspgames.load("breakthrough", width=3, height=4)


def python(file: str, *arguments: object) -> str:
    """The command line of a program beside this file."""
    return shlex.join([sys.executable, str(SUPPORT / file), *map(str, arguments)])


def go(game: Game, against: str | Engine, timeout: float = 30.0, **plan: Any) -> Result:
    """A cross-check in this process."""
    plan.setdefault("starts", (game.initial.facts,))
    engine = open_engine(against, timeout) if isinstance(against, str) else against
    with running(engine):
        return crosscheck(game, engine, Plan(seconds=60.0, **plan))


def the_one(result: Result) -> Disagreement:
    (finding,) = result.findings
    return finding.shrunk
