"""A whole cross-check: walk, shrink what is found, say which line decides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

from ..game.explain import Explanation
from ..game.game import Game
from ..game.loading import SentGame
from ..gdl.reasoner import Facts
from ..play.game_record import Record
from ..runtime.budget import Budget
from ..runtime.errors import (
    BadRequest,
    EngineFailed,
    Interrupted,
    LimitReached,
    OutOfTime,
    RulesError,
)
from ..runtime.workers.ordered_map import Through
from .compare.comparison_walk import ComparisonWalk, Tally
from .compare.disagreement import Disagreement, Judge
from .compare.recorded_games import questions_of
from .engines.engine import Engine, Question, asked
from .engines.engine_names import other_reasoner
from .engines.reference import refuse_unless_two_sides
from .reduce.disputed_move import explanation
from .reduce.fault_localization import DecidingRule, find_deciding_rules
from .reduce.shrinker import Shrinker

_GAMES, _MADE = 100, 1000  # of a walk, at most; its games and positions depend on no other one
_SHRINKING = 30.0  # seconds for making a disagreement small
_BLAMING = 10.0  # seconds for finding the line that decides


@dataclass(frozen=True)
class Plan:
    """What to compare."""

    starts: Sequence[Facts]
    """Where games begin."""
    games: int = 100
    """Random games to play."""
    made: int = 1000
    """Positions to make at random."""
    depth: int = 0
    """Perft by divide from each start, so many plies deep; 0: none."""
    records: Sequence[Record] = ()
    """Games whose positions are compared before all others ..."""
    recorded: str | None = None
    """... and the file that they are in."""
    only: bool = False
    """Whether to compare the starts and what is a turn from them, and nothing else."""
    seed: int | str = 0
    seconds: float | None = None
    """For the comparing, without what shrinking takes."""
    keep_going: bool = False
    """Whether to go on after a disagreement, for one of each sort."""
    reasoner: str | None = None
    """Our side's: ``"propnet"``, however long its net takes to make, ``"grounder"``, or None for
    the faster; against one of them, the other."""
    opens: bool = True
    """Whether the starts themselves are compared."""
    notation: str = "lp"
    """How positions and moves are reported, by the notation's name."""
    again: Sequence[str] = ()
    """Options that the command which shows a disagreement again needs besides."""


@dataclass
class ReducedDisagreement:
    """Disagreements of one sort, the first of them made small."""

    met: Disagreement
    """As it was met."""
    shrunk: Disagreement
    times: int = 1
    tried: int = 0
    """How many positions were tried to make it small."""
    lines: tuple[DecidingRule, ...] = ()

    @cached_property
    def why(self) -> Explanation | None:
        """Why the rules say what they say, of what it was made to in the end: ask for it then."""
        return explanation(self.shrunk)


@dataclass
class Result:
    """What came of a cross-check."""

    game: Game
    engine: str
    sets_up: bool
    plan: Plan
    tally: Tally
    seconds: float = 0.0
    findings: list[ReducedDisagreement] = field(default_factory=list)
    interrupted: bool = False
    """Whether the user has had enough: then there may be more to find, and to make smaller."""


def crosscheck(
    game: Game,
    engine: Engine,
    plan: Plan,
    progress: Callable[[str], None] = lambda _text: None,
    shared: Shared | None = None,
) -> Result:
    """Compare an engine with the rules of a game.

    ``shared``: most of it is compared by others.

    Raises ``BadRequest`` for what can't be compared, ``EngineFailed`` if the engine crashes, hangs
    or speaks nonsense, ``LimitReached`` if a net that must be made would be too large.
    """
    if not engine.sets_up:
        plan = replace(plan, made=0)
    judge = _judge(game, engine, plan, progress)
    budget = Budget(plan.seconds)
    result = Result(game, engine.name, engine.sets_up, plan, Tally())
    try:
        if shared is None or plan.only:
            _find_here(judge, game, plan, budget, result, progress)
        else:
            _find_elsewhere(judge, game, plan, budget, result, shared)
        result.seconds = budget.seconds
        first = asked(game, plan.starts[0], made=True)
        met_there = any(finding.met.question.after == first.after for finding in result.findings)
        agreed = None if plan.keep_going or met_there else first
        for finding in result.findings:
            _finish(judge, finding, plan, agreed, progress)
    except Interrupted:
        result.interrupted = True
        result.seconds = budget.seconds
    return result


def _find_here(
    judge: Judge,
    game: Game,
    plan: Plan,
    budget: Budget,
    result: Result,
    progress: Callable[[str], None],
) -> None:
    """Walk one walk after the other."""
    before = result.tally

    def told(tally: Tally) -> None:
        result.tally = replace(before)
        result.tally.add(tally)
        progress(_so_far(result.tally, plan, budget))

    for part in split_plan(plan):
        walk = make_walk(judge, game, part, budget, told)
        try:
            _find(walk, plan, result.findings)
        finally:
            told(walk.tally)
        before = result.tally
        if not walk.tally.finished:
            return


def _find_elsewhere(
    judge: Judge, game: Game, plan: Plan, budget: Budget, result: Result, shared: Shared
) -> None:
    """Have others walk; where they find something, that walk is walked again here."""
    parts = split_plan(plan)
    if shared.way.progress:
        shared.way.progress.total = len(parts)
    tasks = [WalkTask(SentGame.of(game), shared.against, shared.timeout, part) for part in parts]
    try:
        for part, future in zip(parts, shared.way.map(walk_elsewhere, tasks), strict=True):
            found = future.result()
            if found["disagrees"]:
                walk = make_walk(judge, game, part, budget)
                known = len(result.findings)
                _find(walk, plan, result.findings)
                result.tally.add(walk.tally)
                if len(result.findings) == known and not plan.keep_going and walk.tally.finished:
                    raise EngineFailed("the engine answers otherwise when it is asked again")
                if not plan.keep_going:
                    return
            else:
                result.tally.add(Tally(**found["tally"]))
    except OutOfTime:
        result.tally.finished = False


def make_walk(
    judge: Judge,
    game: Game,
    plan: Plan,
    budget: Budget,
    progress: Callable[[Tally], None] = lambda _tally: None,
) -> ComparisonWalk:
    """The walk of a part of a plan."""
    return ComparisonWalk(
        judge,
        game,
        plan.starts,
        games=plan.games,
        made=plan.made,
        seed=plan.seed,
        budget=budget,
        depth=plan.depth,
        only=plan.only,
        opens=plan.opens,
        recorded=[questions_of(record, game, judge.engine) for record in plan.records],
        progress=progress,
    )


def split_plan(plan: Plan) -> list[Plan]:
    """A plan in parts, each for a walk of its own: the same ones, whoever walks them."""
    parts = max(1, -(-plan.games // _GAMES), -(-plan.made // _MADE))
    return [
        replace(
            plan,
            games=plan.games * (part + 1) // parts - plan.games * part // parts,
            made=plan.made * (part + 1) // parts - plan.made * part // parts,
            seed=plan.seed if not part else f"{plan.seed} {part}",
            opens=not part,
            records=plan.records if not part else (),
        )
        for part in range(parts)
    ]


@dataclass(frozen=True)
class Shared:
    """Who else walks, and against what."""

    way: Through
    against: str
    """The engine as ``open_engine`` takes it."""
    timeout: float


@dataclass(frozen=True)
class WalkTask:
    """A walk, for whoever walks it."""

    game: SentGame
    against: str
    timeout: float
    plan: Plan


def walk_elsewhere(task: WalkTask) -> dict[str, Any]:
    """What was compared in a walk, and whether anything disagreed."""
    from .engines.engine_names import open_engine

    game, plan = task.game.load(), task.plan
    with running(open_engine(task.against, task.timeout)) as engine:
        judge = _judge(game, engine, plan, lambda _text: None)
        walk = make_walk(judge, game, plan, Budget(plan.seconds))
        disagrees = next(walk.disagreements(), None) is not None
    if not (disagrees or walk.tally.finished):
        raise OutOfTime(f"no answer within {plan.seconds:g} seconds")
    return {"disagrees": disagrees, "tally": asdict(walk.tally)}


def _so_far(tally: Tally, plan: Plan, budget: Budget) -> str:
    """How far a walk has come."""
    return (
        f"{tally.positions:,} positions, {tally.games} of {plan.games} games, "
        f"{tally.made} of {plan.made} made at random, {budget.seconds:.0f} s"
        + (f" of {plan.seconds:g}" if plan.seconds else "")
    )


def _judge(game: Game, engine: Engine, plan: Plan, progress: Callable[[str], None]) -> Judge:
    """Both sides, made ready: what that takes is not the walk's time."""
    if plan.reasoner == engine.name:
        raise BadRequest(f"our side is the {engine.name}, too: there is nothing to compare")
    if not engine.sets_up and tuple(plan.starts) != (game.initial.facts,):
        raise BadRequest(
            f"{engine.name} can't be given a position: it can only play from the start"
        )
    if engine.whole_turns:
        refuse_unless_two_sides(game)
    progress("making the rules ready")
    engine.check(game)
    reasoner = plan.reasoner or other_reasoner(engine)
    judge = Judge(engine, reasoner)
    try:
        judge.rules(game)
    except (RulesError, LimitReached) as error:
        raise type(error)(f"our side would be the {reasoner}, and there is none: {error}") from None
    return judge


def _find(walk: ComparisonWalk, plan: Plan, findings: list[ReducedDisagreement]) -> None:
    """Add the first disagreement, or the first of each sort, as they are met."""
    found: dict[object, ReducedDisagreement] = {}
    for disagreement in walk.disagreements():
        if disagreement.sort in found:
            found[disagreement.sort].times += 1
        else:
            found[disagreement.sort] = ReducedDisagreement(disagreement, disagreement)
            findings.append(found[disagreement.sort])
        if not plan.keep_going:
            break


def _finish(
    judge: Judge,
    finding: ReducedDisagreement,
    plan: Plan,
    agreed: Question | None,
    progress: Callable[[str], None],
) -> None:
    """Make a disagreement small, and find the line that decides it."""
    if not plan.only and finding.met.kind != "perft":
        shrinker = Shrinker(
            judge, Budget(_SHRINKING), lambda tried: progress(f"making it small: {tried} tried")
        )
        shrinker.confirm(finding.met, agreed)
        finding.shrunk = shrinker.shrink(finding.met)
        finding.tried = shrinker.tried
    progress("looking for the line that decides")
    finding.lines = find_deciding_rules(finding.shrunk, Budget(_BLAMING))


@contextmanager
def running(engine: Engine) -> Iterator[Engine]:
    """Closes an engine at the end, whatever happens."""
    try:
        yield engine
    except BaseException:
        with suppress(EngineFailed):
            engine.close()
        raise
    engine.close()
