"""A whole cross-check: compare, reduce each disagreement, and find the rule that decides it."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

from ..game.explain import Explanation
from ..game.game import Game
from ..game.loading import SentGame
from ..runtime.arguments import counted
from ..runtime.budget import Budget
from ..runtime.call_arguments import no_show
from ..runtime.errors import (
    BadRequest,
    EngineFailed,
    Interrupted,
    LimitReached,
    OutOfTime,
    RulesError,
)
from ..runtime.workers.task_runner import Show, TaskRunner
from .compare.comparison_walk import ComparisonWalk, Plan, Tally, split_plan
from .compare.disagreement import Disagreement, Judge
from .engines.engine import Engine, asked
from .engines.engine_names import OTHER_REASONER, open_engine
from .engines.reference import refuse_unless_two_sides
from .reduce.fault_localization import DecidingRule, explain_disagreement, find_deciding_rules
from .reduce.shrinker import Shrinker

_REDUCTION_SECONDS = 30.0  # seconds for reducing a disagreement
_BLAME_SECONDS = 10.0  # seconds for finding the rule that decides


@dataclass
class ReducedDisagreement:
    """Disagreements of one sort, the first of them reduced."""

    met: Disagreement
    shrunk: Disagreement
    """The first disagreement, reduced."""
    times: int = 1
    tried: int = 0
    """The number of questions tried for reducing it."""
    lines: tuple[DecidingRule, ...] = ()

    @cached_property
    def why(self) -> Explanation | None:
        """The rules' reasons; computed at first use, for the final form of the disagreement."""
        return explain_disagreement(self.shrunk)


@dataclass
class Result:
    """The result of a cross-check."""

    game: Game
    engine: str
    sets_up: bool
    plan: Plan
    tally: Tally
    seconds: float = 0.0
    findings: list[ReducedDisagreement] = field(default_factory=list)
    whose: str = "the engine's"
    """What reports call the engine."""
    interrupted: bool = False
    """Whether Ctrl-C ended it: there may be more to find and to reduce."""


@dataclass(frozen=True)
class WalkTask:
    """A walk for another process."""

    game: SentGame
    engine: str
    """The engine's name for ``open_engine``."""
    timeout: float
    plan: Plan


def crosscheck(
    game: Game,
    engine: Engine,
    plan: Plan,
    progress: Show = no_show,
    way: TaskRunner | None = None,
    timeout: float = 10.0,
) -> Result:
    """Compare an engine with the rules of a game.

    The processes of ``way`` do most of the comparing. Each opens the engine by its name, with so
    much time for an answer [s].

    Raises ``BadRequest`` if the plan doesn't suit the engine, ``EngineFailed``, ``LimitReached``
    for too large a net.
    """
    if not engine.sets_up:
        plan = replace(plan, made=0)
    return _Run(game, engine, plan, progress).run(way, timeout)


class _Run:
    def __init__(self, game: Game, engine: Engine, plan: Plan, progress: Show) -> None:
        self._judge = _prepare_judge(game, engine, plan, progress)
        self._game, self._plan, self._progress = game, plan, progress
        self._budget = Budget(plan.seconds)
        self._result = Result(game, engine.name, engine.sets_up, plan, Tally(), whose=engine.whose)

    def run(self, way: TaskRunner | None, timeout: float) -> Result:
        plan, result = self._plan, self._result
        try:
            if way is None or plan.only:
                self._compare()
            else:
                self._compare_shared(way, timeout)
            result.seconds = self._budget.seconds
            self._reduce()
        except Interrupted:
            result.interrupted = True
            result.seconds = self._budget.seconds
        return result

    def _compare(self) -> None:
        result, before = self._result, self._result.tally

        def show(tally: Tally) -> None:
            result.tally = replace(before)
            result.tally.add(tally)
            self._progress(self._so_far())

        for part in split_plan(self._plan):
            walk = ComparisonWalk(self._judge, self._game, part, self._budget, show)
            try:
                self._find(walk)
            finally:
                show(walk.tally)
            before = result.tally
            if not walk.tally.finished:
                return

    def _compare_shared(self, way: TaskRunner, timeout: float) -> None:
        """Let other processes walk, and repeat here the walks that find something."""
        result, keep_going = self._result, self._plan.keep_going
        parts, game = split_plan(self._plan), SentGame.of(self._game)
        tasks = [WalkTask(game, result.engine, timeout, part) for part in parts]
        try:
            for part, future in zip(parts, way.map(walk_elsewhere, tasks), strict=True):
                found = future.result()
                if not found["disagrees"]:
                    result.tally.add(Tally(**found["tally"]))
                    continue
                walk = ComparisonWalk(self._judge, self._game, part, self._budget)
                known = len(result.findings)
                self._find(walk)
                result.tally.add(walk.tally)
                if len(result.findings) == known and not keep_going and walk.tally.finished:
                    raise EngineFailed("the engine's second answer to a question is different")
                if not keep_going:
                    return
        except OutOfTime:
            result.tally.finished = False

    def _find(self, walk: ComparisonWalk) -> None:
        """Add the first disagreement of a walk, or the first of each sort, as they are met."""
        found: dict[object, ReducedDisagreement] = {}
        for disagreement in walk.disagreements():
            if disagreement.sort in found:
                found[disagreement.sort].times += 1
            else:
                found[disagreement.sort] = ReducedDisagreement(disagreement, disagreement)
                self._result.findings.append(found[disagreement.sort])
            if not self._plan.keep_going:
                break

    def _reduce(self) -> None:
        plan, findings = self._plan, self._result.findings
        first = asked(self._game, plan.starts[0], made=True)
        met_there = any(finding.met.question.after == first.after for finding in findings)
        agreed = None if plan.keep_going or met_there else first

        def show(tried: int) -> None:
            self._progress(f"Reducing the disagreement: {counted(tried, 'position')} tried")

        for finding in findings:
            if not plan.only and finding.met.kind != "perft":
                shrinker = Shrinker(self._judge, Budget(_REDUCTION_SECONDS), show)
                shrinker.confirm(finding.met, agreed)
                finding.shrunk = shrinker.shrink(finding.met)
                finding.tried = shrinker.tried
            self._progress("Finding the rule that decides")
            finding.lines = find_deciding_rules(finding.shrunk, Budget(_BLAME_SECONDS))

    def _so_far(self) -> str:
        tally, plan = self._result.tally, self._plan
        limit = f" of {plan.seconds:g}" if plan.seconds else ""
        return (
            f"{counted(tally.positions, 'position')}, {tally.games} of {plan.games} games, "
            f"{tally.made} of {plan.made} made at random, {self._budget.seconds:.0f} s{limit}"
        )


def walk_elsewhere(task: WalkTask) -> dict[str, Any]:
    """Run a walk up to its first disagreement, in another process."""
    game, plan = task.game.load(), task.plan
    with running(open_engine(task.engine, task.timeout)) as engine:
        judge = _prepare_judge(game, engine, plan, no_show)
        walk = ComparisonWalk(judge, game, plan, Budget(plan.seconds))
        disagrees = next(walk.disagreements(), None) is not None
    if not (disagrees or walk.tally.finished):
        raise OutOfTime(f"no answer within {plan.seconds:g} seconds")
    return {"disagrees": disagrees, "tally": asdict(walk.tally)}


def _prepare_judge(game: Game, engine: Engine, plan: Plan, progress: Show) -> Judge:
    if plan.reasoner == engine.name:
        raise BadRequest(f"our side uses the {engine.name}, too: there is nothing to compare")
    if not engine.sets_up and tuple(plan.starts) != (game.initial.facts,):
        raise BadRequest(
            f"{engine.name} can't be given a position: it can only play from the start"
        )
    if plan.problems is not None and not engine.solves:
        raise BadRequest(f"{engine.name} solves no problems: leave --stipulation out")
    if engine.whole_turns:
        refuse_unless_two_sides(game)
    progress("Preparing the rules")
    engine.check(game)
    reasoner = plan.reasoner or OTHER_REASONER.get(engine.name)
    judge = Judge(engine, reasoner, plan.problems)
    try:
        judge.rules(game)
    except (RulesError, LimitReached) as error:
        raise type(error)(f"our side can't use the {reasoner}: {error}") from None
    return judge


@contextmanager
def running(engine: Engine) -> Iterator[Engine]:
    """Close an engine at the end, also after an error."""
    try:
        yield engine
    except BaseException:
        with suppress(EngineFailed):
            engine.close()
        raise
    engine.close()
