"""Random play: many games from a state, with uniformly chosen legal moves."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING

from ..game.game import Game, State, check_state
from ..game.loading import SentGame
from ..gdl.reasoner import Facts, check_choice
from ..propnet.threads import number_of
from ..runtime.arguments import check_budget, check_progress, whole_number
from ..runtime.budget import MOST_RULES, Budget
from ..runtime.errors import LimitReached, RulesError
from ..runtime.json_lines import JsonObject
from ..runtime.workers.task_runner import TaskRunner, task_runner

if TYPE_CHECKING:
    from ..propnet.gate_tables import Tables

_BLOCK = 1 << 13  # games in a task of an executor
_ONE_BY_ONE = 4
_RULES_A_GAME = 150_000  # making a net of so many rules takes as long as a game by the grounder
_SHARE = 0.5  # the part of the time for a net that the user didn't request


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

    def add(self, goals: tuple[int, ...], length: int, number: int) -> None:
        """Add ``number`` games that ended with ``goals`` after ``length`` plies."""
        self.results[goals] += number
        self.lengths[length] += number

    @property
    def games(self) -> int:
        """The number of games."""
        return self.lengths.total()

    @property
    def states(self) -> int:
        """The number of states visited, including the last state of each game."""
        return sum((length + 1) * games for length, games in self.lengths.items())

    @property
    def mean_length(self) -> float:
        """The mean length of a game [plies]."""
        return (self.states - self.games) / self.games if self.games else 0.0


def playouts(
    state: State,
    games: int,
    seed: int = 0,
    *,
    reasoner: str | None = None,
    threads: int | None = None,
    budget: Budget | None = None,
    progress: Callable[[int], None] = lambda _games: None,
    into: Playouts | None = None,
    executor: Executor | TaskRunner | None = None,
    resume: str | PathLike[str] | None = None,
) -> Playouts:
    """Play random games from a state to their ends.

    Every choice is uniform among the legal moves, and independent of the other choices. The same
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
    check_choice(reasoner)
    found = Playouts(state.game.roles) if into is None else into

    def ended(goals: tuple[int, ...], length: int, number: int) -> None:
        found.add(goals, length, number)
        progress(found.games)

    with task_runner(executor, resume, check_budget(budget)) as way:
        threads = number_of(threads if threads or way.executor is None else 1)
        tables = net_for_games(state, games, reasoner, way.budget)
        start = way.budget.seconds
        try:
            if way.is_direct:
                _play(state, tables, range(games), seed, way.budget, ended, threads)
            else:
                has_net = tables is not None
                _play_blocks(way, state, has_net, games, seed, threads, found, progress)
        finally:
            found.seconds = way.budget.seconds - start
    return found


def _part(budget: Budget) -> Budget:
    """The budget for an optional net; the rest of the time is for the grounder."""
    budget.check()
    left = budget.seconds_left
    return budget if left == math.inf else Budget(max(1e-9, _SHARE * left))


def _play_blocks(
    way: TaskRunner,
    state: State,
    has_net: bool,
    games: int,
    seed: int,
    threads: int,
    found: Playouts,
    progress: Callable[[int], None],
) -> None:
    blocks = [
        PlayoutBlock(*place, threads)
        for place in blocks_of(state, games, seed, has_net, _BLOCK if has_net else _ONE_BY_ONE)
    ]
    if way.progress:
        way.progress.total = len(blocks)
    for future in way.map(play_block, blocks, partial(play_block, budget=way.budget)):
        for *goals, length, number in future.result():
            found.add(tuple(goals), length, number)
        progress(found.games)


BlockPlace = tuple[SentGame, Facts, range, int, str]
"""The fields of a ``GameBlock``."""


def blocks_of(
    state: State, games: int, seed: int, has_net: bool, size: int
) -> Iterator[BlockPlace]:
    """Split the games of a seed into blocks of ``size`` games."""
    game, reasoner = SentGame.of(state.game), "propnet" if has_net else "grounder"
    for first in range(0, games, size):
        yield game, state.facts, range(first, min(first + size, games)), seed, reasoner


@dataclass(frozen=True)
class GameBlock:
    """Some of the games of a seed, as sent to an executor."""

    game: SentGame
    facts: Facts
    numbers: range
    """The numbers of the games."""
    seed: int
    reasoner: str

    def open(self, budget: Budget) -> tuple[State, Tables | None]:
        """The first state of the games, and their net if they have one."""
        state = self.game.load().state(self.facts)
        return state, net_for_games(state, self.numbers.stop, self.reasoner, budget)


@dataclass(frozen=True)
class PlayoutBlock(GameBlock):
    """A block of games for their results only."""

    threads: int = field(repr=False)


def play_block(block: PlayoutBlock, budget: Budget | None = None) -> list[list[int]]:
    """Play a block; each result has the goals by roles, the plies, and the number of games."""
    found: Counter[tuple[int, ...]] = Counter()

    def ended(goals: tuple[int, ...], length: int, number: int) -> None:
        found[*goals, length] += number

    budget = budget or Budget()
    state, tables = block.open(budget)
    _play(state, tables, block.numbers, block.seed, budget, ended, block.threads)
    return [[*result, number] for result, number in sorted(found.items())]


def net_for_games(state: State, games: int, reasoner: str | None, budget: Budget) -> Tables | None:
    """The net for ``games`` games; None if the grounder plays them.

    Raises ``RulesError`` or ``LimitReached`` if ``reasoner`` needs a net that can't be made.
    """
    if reasoner == "grounder":
        return None
    try:
        most = min(MOST_RULES, _RULES_A_GAME * games)
        trial = budget if reasoner else _part(budget)
        return state.game.nets.tables_from(state.facts, most, trial)
    except (RulesError, LimitReached):
        if reasoner:
            raise
        return None


def _play(
    state: State,
    tables: Tables | None,
    numbers: range,
    seed: int,
    budget: Budget,
    ended: Callable[[tuple[int, ...], int, int], None],
    threads: int,
) -> None:
    """Play the games with these numbers, on a net if there is one."""
    if tables is None:
        _play_one_by_one(state, numbers, seed, budget, ended)
        return
    from ..propnet.random_play import play_games

    row, roles = tables.row(state.facts) or b"", len(state.game.roles)
    games = numbers.stop - numbers.start  # more than len() can count
    play_games(tables, row, roles, games, seed, budget, ended, threads, numbers.start)


def _play_one_by_one(
    state: State,
    numbers: range,
    seed: int,
    budget: Budget,
    ended: Callable[[tuple[int, ...], int, int], None],
) -> None:
    """Play with the game's reference reasoner, state by state."""
    reasoner = state.game.reasoner
    for number in numbers:
        rng = random.Random(f"{seed} {number}")  # a game's moves don't depend on other games
        facts, length = state.facts, 0
        while True:
            try:
                budget.spend()
            except LimitReached as error:
                raise type(error)(f"{error}: a game goes on after {length:,} plies") from None
            consequences = reasoner.consequences(facts)
            moves = {role: consequences.playable(role) for role in state.game.roles}
            if not all(moves.values()):
                break
            joint = {role: rng.choice(terms) for role, terms in moves.items()}
            facts, length = reasoner.successor(facts, joint), length + 1
        ended(tuple(consequences.goals[role] for role in state.game.roles), length, 1)


def playout_report(
    game: Game, seed: int, played: Playouts, written: Callable[[str], str] = str
) -> JsonObject:
    """Random games as JSON; ``written`` formats roles."""
    roles = list(map(written, played.roles))
    return {
        "game": game.name,
        "games": played.games,
        "seed": seed,
        "results": [
            {"goals": dict(zip(roles, goals, strict=True)), "games": games}
            for goals, games in sorted(played.results.items(), reverse=True)
        ],
        "lengths": {str(length): games for length, games in sorted(played.lengths.items())},
        "mean_length": played.mean_length,
        "states": played.states,
        "seconds": played.seconds,
    }
