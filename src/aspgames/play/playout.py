"""Random play: many games from a state, with uniformly chosen legal moves."""

import math
import random
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import partial
from os import PathLike
from typing import Any, Self

import numpy as np

from ..analysis.properties import longest_play
from ..game.chance import refuse_stuck_chance
from ..game.game import Game
from ..game.loading import SentGame
from ..game.state import State, check_state
from ..gdl.predicates import CHANCE
from ..gdl.reasoner import UNSETTLED, check_choice
from ..gdl.rules import Facts
from ..propnet.gate_tables import Tables
from ..propnet.net_games import play
from ..propnet.random_play import BROKEN_OFF, MOST_PLIES, NO_ROLL, Ending, play_games
from ..propnet.threads import number_of
from ..propnet.weighted_rolls import WeightedRolls
from ..runtime.budget import MOST_RULES, Budget
from ..runtime.call_arguments import check_budget, check_progress, whole_number
from ..runtime.errors import LimitReached, RulesError
from ..runtime.json_lines import JsonObject
from ..runtime.workers.task_runner import TaskRunner, task_runner

_BLOCK_GAMES = 1 << 13  # games in a task of an executor
_SINGLE_GAMES = 4
_RULES_A_GAME = 150_000  # making a net of so many rules takes as long as a game by the grounder
_SHARE_OF_TIME = 0.5  # the part of the time for a net that the user didn't request
_MOST_PLIES = 2**31 - 2  # that the kernel can count


@dataclass
class Playouts:
    """The results of random games."""

    roles: tuple[str, ...]
    """The roles of the game."""
    results: Counter[tuple[int, ...]] = field(default_factory=Counter)
    """The number of games by goal values, in the order of the roles."""
    lengths: Counter[int] = field(default_factory=Counter)
    """The number of games by length in plies."""
    seconds: float = 0.0
    """The time for the games, without the time for a net [s]."""
    requested: int = 0
    """The number of games that were asked for."""
    max_plies: int = MOST_PLIES
    """The plies after which a game was broken off."""
    broken_off: int = 0
    """The number of games that were broken off. They have no result, and no length."""
    unsettled: int = 0
    """The number of games that ended where the rules give a role several goals, or one that is no
    whole number from 0 to 100. They have a length, and no result."""
    unsettled_end: State | None = None
    """The end of the first of these games."""

    def add(self, ending: Ending) -> None:
        """Add some games."""
        if ending.plies == BROKEN_OFF:
            self.broken_off += ending.games
            return
        self.lengths[ending.plies] += ending.games
        if UNSETTLED in ending.goals:
            self.unsettled += ending.games
        else:
            self.results[ending.goals] += ending.games

    @property
    def games(self) -> int:
        """The number of games that ended."""
        return self.lengths.total()

    @property
    def states(self) -> int:
        """The number of states visited, including the last state of each game."""
        ended = sum((length + 1) * games for length, games in self.lengths.items())
        return ended + (self.max_plies + 1) * self.broken_off

    @property
    def mean_length(self) -> float:
        """The mean length of the games that ended [plies]."""
        plies = sum(length * games for length, games in self.lengths.items())
        return plies / self.games if self.games else 0.0

    @property
    def is_biased(self) -> bool:
        """Whether some games didn't end: results and lengths are then those of short games."""
        return self.games < self.requested

    @property
    def broken_off_text(self) -> str:
        """A sentence about the games that were broken off."""
        games = f"{self.broken_off:,} of {self.requested:,} games"
        return f"{games} were broken off after {self.max_plies:,} plies"


def playouts(
    state: State,
    games: int,
    seed: int = 0,
    *,
    max_plies: int | None = None,
    reasoner: str | None = None,
    threads: int | None = None,
    budget: Budget | None = None,
    progress: Callable[[int], None] = lambda _games: None,
    into: Playouts | None = None,
    executor: Executor | TaskRunner | None = None,
    resume: str | PathLike[str] | None = None,
) -> Playouts:
    """Play random games from a state to their ends.

    Every choice is uniform among the legal moves, and independent of the other choices; that of
    the role ``random`` follows ``weight/2``, if the game has it. The same
    seed gives the same games, with any number of threads and any executor.

    >>> import aspgames
    >>> start = aspgames.load("breakthrough", width=4, height=5).initial
    >>> played = aspgames.playouts(start, 1000, seed=1)
    >>> played.games, sorted(played.results)
    (1000, [(0, 100), (100, 0)])

    Args:
        state: The first state of the games.
        games: The number of games, at least 0.
        seed: A whole number that determines the games.
        max_plies: The plies after which a game is broken off and counted apart. By default, the
            plies within which play provably ends, or else 1000, with a warning.
        reasoner: ``"propnet"`` (thousands of games at a time), ``"grounder"`` (one by one), or None
            for the faster one that the rules allow. Their games differ.
        threads: The number of threads; by default one for each core, or one in each process of an
            executor.
        budget: Limits on time and memory.
        progress: Called with the number of finished games.
        into: An object to fill and return; after a limit it has the finished games. Long games are
            then underrepresented.
        executor: Any executor of ``concurrent.futures``, for example ``Workers`` or ``Cluster``; it
            plays blocks of games.
        resume: A file that stores the results of blocks; stored blocks are not played again.

    Raises:
        BadRequest: An argument is invalid, or the file holds other results.
        LimitReached: The budget runs out.
    """
    check_state(state)
    check_progress(progress)
    games, seed = whole_number(games, "the number of games", 0), whole_number(seed, "the seed")
    check_max_plies(max_plies)
    check_choice(reasoner)
    found = Playouts(state.game.roles) if into is None else into
    found.requested += games
    with task_runner(executor, resume, check_budget(budget)) as way:
        threads = number_of(threads if threads or way.executor is None else 1)
        tables = net_for_games(state, games, reasoner, way.budget)
        block = PlayoutBlock.of(
            state, games, seed, max_plies or MOST_PLIES, tables, threads=threads
        )
        before, start = deepcopy(found), way.budget.seconds

        def run(block: PlayoutBlock) -> None:
            unsettled, unrolled = list[int](), list[int]()

            def ended(ending: Ending) -> None:
                if ending.plies == NO_ROLL:
                    unrolled.append(ending.example)
                    return
                found.add(ending)
                if ending.plies != BROKEN_OFF and UNSETTLED in ending.goals:
                    unsettled.append(ending.example)

            found.max_plies = block.max_plies
            try:
                if way.executor is None and way.journal is None:
                    for ending in _endings(block, state, tables, way.budget):
                        ended(ending)
                        progress(found.games + found.broken_off)
                    return
                blocks = list(block.parts(_BLOCK_GAMES if tables else _SINGLE_GAMES))
                for future in way.map(play_block, blocks, partial(play_block, budget=way.budget)):
                    for *goals, plies, games, example in future.result():
                        ended(Ending(tuple(goals), plies, games, example))
                    progress(found.games + found.broken_off)
            finally:
                if unrolled:
                    refuse_stuck_chance(_end_of(block, state, tables, min(unrolled)))
                if unsettled:
                    found.unsettled_end = _end_of(block, state, tables, min(unsettled))

        try:
            run(block)
            if max_plies is None and tables and found.broken_off > before.broken_off:
                bound = longest_play(state.game, way.budget) or 0
                if bound > MOST_PLIES:
                    vars(found).update(vars(before))
                    run(replace(block, max_plies=bound))
        finally:
            found.seconds = way.budget.seconds - start
    if max_plies is None and found.broken_off > before.broken_off:
        warnings.warn(f"{found.broken_off_text}; see max_plies or --max-plies", stacklevel=2)
    return found


def check_max_plies(max_plies: object) -> None:
    """Check the limit of a game's plies. Raises ``BadRequest``."""
    if max_plies is not None:
        whole_number(max_plies, "the most plies of a game", 1, _MOST_PLIES)


@dataclass(frozen=True)
class GameBlock:
    """Some of the games of a seed, as sent to an executor."""

    game: SentGame
    facts: Facts
    numbers: range
    """The numbers of the games."""
    seed: int
    max_plies: int
    """The plies after which a game is broken off."""
    reasoner: str

    @classmethod
    def of(
        cls, state: State, games: int, seed: int, max_plies: int, has_net: object, **more: Any
    ) -> Self:
        """All games of a seed."""
        reasoner = "propnet" if has_net else "grounder"
        game = SentGame.of(state.game)
        return cls(game, state.facts, range(games), seed, max_plies, reasoner, **more)

    def parts(self, size: int) -> Iterator[Self]:
        """Blocks of ``size`` games."""
        end = self.numbers.stop
        for first in range(self.numbers.start, end, size):
            yield replace(self, numbers=range(first, min(first + size, end)))

    def open(self, budget: Budget) -> tuple[State, Tables | None]:
        """The first state of the games, and their net if they have one."""
        state = self.game.load().state(self.facts)
        return state, net_for_games(state, self.numbers.stop, self.reasoner, budget)


@dataclass(frozen=True)
class PlayoutBlock(GameBlock):
    """A block of games for their results only."""

    threads: int = field(repr=False)


def play_block(block: PlayoutBlock, budget: Budget | None = None) -> list[list[int]]:
    """Play a block: each end has goals, plies, the number of games, and one of their numbers."""
    found: Counter[tuple[tuple[int, ...], int]] = Counter()
    examples: dict[tuple[tuple[int, ...], int], int] = {}
    budget = budget or Budget()
    for ending in _endings(block, *block.open(budget), budget):
        end = ending.goals, ending.plies
        found[end] += ending.games
        examples.setdefault(end, ending.example)
    return [
        [*goals, plies, n, examples[goals, plies]] for (goals, plies), n in sorted(found.items())
    ]


def net_for_games(state: State, games: int, reasoner: str | None, budget: Budget) -> Tables | None:
    """The net for ``games`` games; None if the grounder plays them.

    Raises ``RulesError`` or ``LimitReached`` if ``reasoner`` needs a net that can't be made.
    """
    if reasoner == "grounder":
        return None
    try:
        most, trial = net_limits(games, budget, share=1 if reasoner else _SHARE_OF_TIME)
        return state.game.nets.tables_from(state.facts, most, trial)
    except (RulesError, LimitReached):
        if reasoner:
            raise
        return None


def net_limits(games: int, budget: Budget, share: float = _SHARE_OF_TIME) -> tuple[int, Budget]:
    """The most ground rules of a net for ``games`` games, and the time for making it.

    The rest of the time is for the grounder. Raises ``LimitReached`` if there is no time.
    """
    if share < 1 and budget.seconds_left < math.inf:
        budget.check()
        budget = Budget(max(1e-9, share * budget.seconds_left))
    return min(MOST_RULES, _RULES_A_GAME * games), budget


def rolls_of(start: State, tables: Tables) -> WeightedRolls | None:
    """Draws the moves of ``random`` from a state on; None in a game without ``weight/2``."""
    game = start.game
    return WeightedRolls(game.rules, start.facts, tables) if game.vocabulary.weighted else None


def _endings(
    block: PlayoutBlock, state: State, tables: Tables | None, budget: Budget
) -> Iterator[Ending]:
    if tables is None:
        for number in block.numbers:
            yield _play_one(block, state, number, budget)[0]
        return
    row, roles = tables.row(state.facts) or b"", len(state.game.roles)
    rolls = rolls_of(state, tables)
    if rolls is not None:
        for first in range(block.numbers.start, block.numbers.stop, _BLOCK_GAMES):
            numbers = range(first, min(first + _BLOCK_GAMES, block.numbers.stop))
            found = play(tables, row, numbers, block.seed, budget, block.max_plies, rolls)
            lengths = np.where(found.ended, found.lengths, BROKEN_OFF)
            lengths[found.unrolled] = NO_ROLL
            ends = zip(numbers, found.goals.tolist(), lengths.tolist(), strict=True)
            for number, goals, plies in ends:
                yield Ending(tuple(goals[:roles]), plies, 1, number)
        return
    yield from play_games(
        tables, row, roles, block.numbers, block.seed, budget, block.threads, block.max_plies
    )


def _play_one(block: GameBlock, state: State, number: int, budget: Budget) -> tuple[Ending, Facts]:
    reasoner, roles = state.game.grounder, state.game.roles
    rng = random.Random(f"{block.seed} {number}")  # a game's moves don't depend on other games
    facts, plies = state.facts, 0
    while True:
        try:
            budget.spend()
        except LimitReached as error:
            raise type(error)(f"{error}: a game goes on after {plies:,} plies") from None
        consequences = reasoner.consequences(facts)
        moves = {role: consequences.playable(role) for role in roles}
        is_over = not all(moves.values())
        if is_over and not consequences.terminal:
            refuse_stuck_chance(state.game.state(facts))
        if is_over or plies == block.max_plies:
            goals = tuple(consequences.values[role] for role in roles)
            return Ending(goals, plies if is_over else BROKEN_OFF, 1, number), facts
        joint = {role: rng.choice(terms) for role, terms in moves.items()}
        if state.game.vocabulary.weighted and (here := state.game.state(facts)).chance:
            joint[CHANCE] = here.draw(rng).term
        facts, plies = reasoner.successor(facts, joint), plies + 1


def _end_of(block: PlayoutBlock, state: State, tables: Tables | None, number: int) -> State:
    if tables is None:
        return state.game.state(_play_one(block, state, number, Budget())[1])
    numbers = range(number, number + 1)
    row = tables.row(state.facts) or b""
    rolls = rolls_of(state, tables)
    games = play(tables, row, numbers, block.seed, Budget(), block.max_plies, rolls)
    return state.game.state(tables.facts(games.rows[-1].tobytes()))


def playout_report(
    game: Game, seed: int, played: Playouts, written: Callable[[str], str] = str
) -> JsonObject:
    """Random games as JSON; ``written`` formats roles and facts."""
    roles, end = list(map(written, played.roles)), played.unsettled_end
    return {
        "game": game.name,
        "games": played.games,
        "seed": seed,
        "results": [
            {"goals": dict(zip(roles, goals, strict=True)), "games": games}
            for goals, games in sorted(played.results.items(), reverse=True)
        ],
        "unsettled": played.unsettled,
        "unsettled_position": sorted(map(written, end.facts)) if end else None,
        "broken_off": played.broken_off,
        "max_plies": played.max_plies,
        "lengths": {str(length): games for length, games in sorted(played.lengths.items())},
        "mean_length": played.mean_length,
        "is_biased": played.is_biased,
        "states": played.states,
        "seconds": played.seconds,
    }
