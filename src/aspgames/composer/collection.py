"""A collection of puzzles: the best ones of as many blocks as needed."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import count
from os import PathLike
from typing import Any, TypedDict

from ..game.game import Game, check_game
from ..game.loading import SentGame, load_game
from ..game.notation.notations import state_text
from ..gdl.rules import Facts
from ..propnet.threads import number_of
from ..puzzle.problem import Puzzle
from ..runtime.arguments import quote
from ..runtime.budget import Budget
from ..runtime.call_arguments import check_budget, whole_number
from ..runtime.errors import BadRequest, Interrupted, OutOfTime
from ..runtime.json_lines import JsonObject
from ..runtime.workers.task_runner import task_runner
from .candidate_search import CompositionBlock, game_of, look_for_puzzles
from .candidate_worth import Candidate
from .judging import judge
from .order import FORCED, NOT_FORCED, Order
from .puzzle_twins import Twins

_FRUITLESS_BLOCKS = 300  # blocks without a new puzzle, after which the search ends


class BlockResult(TypedDict):
    """The result of a block."""

    candidates: int
    puzzles: list[JsonObject]
    """The judged puzzles."""


@dataclass
class Collection:
    """The puzzles found so far, and the numbers of the search."""

    number: int
    """The number of puzzles wanted."""
    candidates: int = 0
    sound: int = 0
    puzzles: list[JsonObject] = field(default_factory=list)
    """All puzzles kept, in the order of their discovery."""
    ended: str = ""
    """The reason for fewer puzzles than wanted: ``time``, ``interrupted`` or ``in vain``."""

    @property
    def best(self) -> list[JsonObject]:
        """The best puzzles, as many as wanted, by descending score."""
        ranked = sorted(self.puzzles, key=lambda puzzle: -puzzle["judged"]["score"])
        return ranked[: self.number]

    def __str__(self) -> str:
        kept = f"{len(self.puzzles):,} kept"
        return f"{self.candidates:,} candidates, {self.sound:,} sound, {kept}"


def compose(
    game: Game,
    order: Order,
    number: int,
    seed: int = 0,
    *,
    among: int = 1,
    improve: int = 0,
    called: str | None = None,
    like: Sequence[Facts] = (),
    threads: int | None = None,
    budget: Budget | None = None,
    executor: Executor | None = None,
    resume: str | PathLike[str] | None = None,
    show: Callable[[str], None] = lambda _text: None,
) -> Collection:
    """Compose puzzles.

    When the budget is over, and after Ctrl-C, the collection has the puzzles found so far.

    Args:
        game: The game.
        order: The kind of puzzles.
        number: The number of puzzles.
        seed: The same seed gives the same puzzles.
        among: The search finds ``among`` times as many puzzles, and keeps the best.
        improve: The number of changes tried to improve each candidate, if the attacker is on move;
            0 changes near misses only.
        called: The name of the game in the puzzles; defaults to its own name.
        like: Positions to vary, instead of the ends of random games.
        threads: The number of threads for random games, by default one for each core; the puzzles
            are the same.
        budget: The time.
        executor: Other processes for the search.
        resume: The file of a search to resume.
        show: Shows the progress.

    Raises:
        BadRequest: The sides of the game don't take turns.
        RulesError: The rules have no net.
    """
    check_game(game)
    if not isinstance(order, Order):
        raise BadRequest(f"give an Order, as Order.of returns it, not {quote(order)}")
    number = whole_number(number, "the number of puzzles", 1)
    improve = whole_number(improve, "the number of changes", 0)
    if improve and order.stipulation != FORCED:
        raise BadRequest("only puzzles in which the attacker is on move are improved")
    budget, threads = check_budget(budget), number_of(threads)
    attacker, _ = order.sides(game.roles)[0]
    Puzzle.read(game.initial, attacker, order.goal, None).refuse_unless_sides_take_turns()
    found, wanted, vain = Collection(number), number * among, 0
    sent = SentGame.of(game)
    twins = Twins(game)
    for facts in like:
        for attacker in game.roles:
            twins.add(facts, attacker)
    name = called or sent.name
    blocks = (
        CompositionBlock(sent, order, seed, block, name, improve, tuple(like), threads)
        for block in count()
    )
    try:
        with task_runner(executor, resume, budget) as way:
            for future in way.map(run_block, blocks, partial(run_block, budget=budget)):
                result: BlockResult = future.result()
                found.candidates += result["candidates"]
                found.sound += len(result["puzzles"])
                new = [
                    puzzle
                    for puzzle in result["puzzles"]
                    if twins.add(game.position(puzzle["position"]).facts, puzzle["attacker"])
                ]
                found.puzzles += new[: wanted - len(found.puzzles)]
                show(f"{found} of {wanted:,}")
                vain = 0 if new else vain + 1
                if len(found.puzzles) >= wanted:
                    break
                if vain >= _FRUITLESS_BLOCKS:
                    found.ended = "in vain"
                    break
    except OutOfTime:
        found.ended = "time"
    except Interrupted:
        found.ended = "interrupted"
    return found


def run_block(block: CompositionBlock, budget: Budget | None = None) -> BlockResult:
    """Search a block."""
    budget = budget or Budget()
    candidates, found = look_for_puzzles(block, budget)
    game = game_of(block.game)
    puzzles = [report for seen in found if (report := _report(block, game, seen, budget))]
    return {"candidates": candidates, "puzzles": puzzles}


def _report(
    block: CompositionBlock, game: Game, seen: Candidate, budget: Budget
) -> JsonObject | None:
    """A puzzle as a line of a file; None if the judgement finds it unsound."""
    order, distance = block.order, seen.look.distance
    within = order.most if order.stipulation == NOT_FORCED else distance
    state = game.state(seen.facts)
    puzzle = Puzzle.read(state, seen.attacker, order.goal, within)
    judged = judge(puzzle, order.stipulation, budget=budget)
    if not judged.sound:
        return None
    report: dict[str, Any] = {"game": block.called}
    if game.constants != load_game(block.game.name, {}, block.game.rules).constants:
        report["const"] = dict(game.constants)
    report["position"] = state_text(state)
    report |= {"attacker": seen.attacker, "goal": order.goal, "within": within}
    if order.stipulation == FORCED:
        keys = list(judged.keys)
        report["answer"] = {"verdict": "forced", "distance": distance, "keys": keys}
    else:
        report["stipulation"] = order.stipulation
    if order.stipulation == NOT_FORCED:
        report["answer"] = {"verdict": "not_forced"}
    report["judged"] = asdict(judged)
    report["composed"] = {"seed": block.seed, "block": block.number}
    if block.improve:
        report["composed"]["improve"] = block.improve
    return report
