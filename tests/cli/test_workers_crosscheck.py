"""Cross-checks with shared walks: the same result as without workers."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aspgames import Game, Workers, load
from aspgames.crosscheck.compare import comparison_walk
from aspgames.crosscheck.compare.comparison_walk import Plan, split_plan
from aspgames.crosscheck.crosscheck_run import Result, crosscheck, running
from aspgames.crosscheck.engines.engine_names import open_engine
from aspgames.runtime.errors import EngineFailed
from aspgames.runtime.workers.task_runner import task_runner
from crosscheck_helpers import SERVE, SMALL, python
from workers_helpers import kept

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="nobody watches there")


@pytest.fixture(autouse=True)
def _short_walks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison_walk, "_WALK_GAMES", 5)
    monkeypatch.setattr(comparison_walk, "_WALK_MADE", 20)


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    with Workers(2) as found:
        yield found


def both(workers: Workers, game: Game, against: str, file: Path, **plan: Any) -> list[Result]:
    """A cross-check without workers, with workers, and with their kept results."""
    asked = Plan((game.initial.facts,), seconds=60.0, **plan)
    results = []
    for executor, resume in ((None, None), (workers, None), (workers, file), (None, file)):
        with task_runner(executor, resume) as way, running(open_engine(against, 30.0)) as engine:
            runner = way if executor or resume else None
            results.append(crosscheck(game, engine, asked, way=runner, timeout=30.0))
    return results


@pytest.mark.slow
def test_agreement_is_the_same(workers: Workers, tmp_path: Path) -> None:
    results = both(workers, SMALL, SERVE, tmp_path / "kept", games=12, made=50, depth=2)
    assert all(result.tally == results[0].tally for result in results)
    tally = results[0].tally
    assert (tally.games, tally.finished, tally.divides > 0) == (12, True, True)
    assert tally.positions > 50
    assert len(kept(tmp_path / "kept")) == 3


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize("keep_going", [False, True])
def test_a_disagreement_is_the_same(workers: Workers, tmp_path: Path, keep_going: bool) -> None:
    game = load("breakthrough", width=4, height=5)
    against = f"cmd:{python('planted_engine.py', 'a side without pieces not ended')}"
    plan = {"games": 10, "made": 60, "keep_going": keep_going}
    results = both(workers, game, against, tmp_path / "kept", **plan)
    first = results[0]
    assert first.findings
    for result in results[1:]:
        assert result.tally == first.tally
        assert [found.met for found in result.findings] == [found.met for found in first.findings]
        assert [found.times for found in result.findings] == [f.times for f in first.findings]


def test_walks_have_all_games_and_positions_and_one_opens() -> None:
    plan = Plan(((),), games=23, made=0)
    for part in (plan, replace(plan, games=0, made=101), replace(plan, games=7, made=90)):
        parts = split_plan(part)
        assert sum(each.games for each in parts) == part.games
        assert sum(each.made for each in parts) == part.made
        assert [each.opens for each in parts] == [True] + [False] * (len(parts) - 1)
        assert len({each.seed for each in parts}) == len(parts)
        assert all(each.games <= 5 and each.made <= 20 for each in parts)


def test_an_engine_that_crashes_elsewhere_is_told(workers: Workers) -> None:
    plan = Plan((SMALL.initial.facts,), games=12, made=0)
    with (
        task_runner(workers, None) as way,
        pytest.raises(EngineFailed, match="ended with exit code 1"),
        running(open_engine("cmd:false", 30.0)) as engine,
    ):
        crosscheck(SMALL, engine, plan, way=way)
