"""Helpers for tests of the cross-check: engines' command lines, and runs in this process."""

import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import aspgames
from aspgames import Game
from aspgames.crosscheck.compare.comparison_walk import Plan
from aspgames.crosscheck.compare.disagreement import Disagreement, Judge
from aspgames.crosscheck.crosscheck_run import Result, crosscheck, running
from aspgames.crosscheck.engines.engine import Answer, Engine, Question, Refusal
from aspgames.crosscheck.engines.engine_names import open_engine
from aspgames.crosscheck.engines.reference import OwnEngine
from aspgames.crosscheck.reduce.shrinker import Shrinker
from aspgames.runtime.budget import Budget
from cli_helpers import PROGRAM
from paths import SUPPORT

SERVE = f"cmd:{shlex.join([*PROGRAM, 'serve'])}"
SMALL = aspgames.load("breakthrough", width=3, height=4)


def python(file: str, *arguments: object) -> str:
    """The command line of a program in this folder."""
    return shlex.join([sys.executable, str(SUPPORT / file), *map(str, arguments)])


def go(game: Game, against: str | Engine, timeout: float = 30.0, **plan: Any) -> Result:
    """Run a cross-check in this process."""
    plan.setdefault("starts", (game.initial.facts,))
    engine = open_engine(against, timeout) if isinstance(against, str) else against
    with running(engine):
        return crosscheck(game, engine, Plan(seconds=60.0, **plan))


def the_one(result: Result) -> Disagreement:
    (finding,) = result.findings
    return finding.shrunk


Change = Callable[[Question, Answer], Answer | Refusal]


class Changed(OwnEngine):
    """aspgames as an engine; a function changes its answers."""

    def __init__(self, change: Change, **attributes: Any) -> None:
        super().__init__("propnet")
        self._change = change
        for name, value in attributes.items():
            setattr(self, name, value)

    def answer(self, question: Question) -> Answer | Refusal:
        """See ``Engine``."""
        answer = super().answer(question)
        assert isinstance(answer, Answer)
        return self._change(question, answer)


def changing(**fields: Any) -> Change:
    """A function that changes some fields of every answer."""
    return lambda _question, answer: replace(answer, **fields)


def played(game: aspgames.Game, *moves: str, made: bool = False) -> Question:
    """The question after some moves from the start."""
    state, turns = game.initial, []
    for move in moves:
        turns.append((game.parse_move(move),))
        state = state.play(move)
    return Question(game, game.initial.facts, tuple(turns), state.facts, made)


def shrunk(change: Change, question: Question, **attributes: bool) -> Disagreement:
    """The disagreement with a changed engine, made small."""
    judge = Judge(Changed(change, **attributes), None)
    found = judge.disagreement(question)
    assert found
    return Shrinker(judge, Budget(60)).shrink(found)
