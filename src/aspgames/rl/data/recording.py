"""Records games: an executor plays blocks of games, which are written in order."""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from ...game.game import chooses_jointly
from ...game.state import State, check_state
from ...gdl.reasoner import check_choice
from ...play.playout import check_max_plies, net_for_games, playouts
from ...propnet.random_play import MOST_PLIES
from ...propnet.threads import number_of
from ...runtime.arguments import quote
from ...runtime.budget import UNLIMITED, Budget
from ...runtime.call_arguments import check_budget, file_to_replace, no_show, whole_number
from ...runtime.errors import BadRequest
from ...runtime.process_messages import saving, still_saving
from ...runtime.workers.task_runner import Progress, TaskRunner, task_runner
from ...runtime.workers.work_folder import WorkFolder, disk_errors
from .columns import About, arrow
from .played_games import RANDOM, RecordedBlock, play_block, players_of, read_players, write_groups

_BLOCK_GAMES, _SLOW_BLOCK_GAMES = 1 << 12, 16  # games
_TRIAL_GAMES = 512  # games that show whether games are long
_WAITING_BLOCKS = 16  # blocks that are being played, or wait for earlier ones
MOVE_SECONDS = 0.1
"""The default thinking time per move [s]."""


@dataclass(frozen=True)
class RecordedGames:
    """The result of ``record_games``."""

    path: str
    about: About
    rows: int
    seconds: float
    """The time of this run [s]."""
    new_rows: int
    """The rows of this run."""


def record_games(
    state: State,
    games: int,
    path: str | PathLike[str],
    seed: int = 0,
    *,
    players: str | Mapping[str, str] = RANDOM,
    move_seconds: float = MOVE_SECONDS,
    max_plies: int | None = None,
    reasoner: str | None = None,
    threads: int | None = None,
    budget: Budget | None = None,
    executor: Executor | TaskRunner | None = None,
    progress: Callable[[str], None] = no_show,
) -> RecordedGames:
    """Play games from a state to their ends, and write each state as a row of a Parquet file.

    Random players play the games of ``playouts`` with the same seed. The file doesn't depend on
    threads and executors. The folder with the file's name and ``.work`` keeps unfinished work; the
    same call resumes it.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import aspgames
    >>> start = aspgames.load("breakthrough", width=4, height=5).initial
    >>> with TemporaryDirectory() as folder:
    ...     made = aspgames.data.record_games(start, 10, Path(folder, "games.parquet"), seed=1)
    >>> made.about.games
    10

    Args:
        state: The first state of each game.
        games: The number of games, above 0.
        path: The file to write.
        seed: A whole number that determines the games of random players.
        players: ``"random"``, ``"solver"``, ``"engine"`` or a function of yours,
            ``MODULE:FUNCTION`` or ``FILE.py:FUNCTION``, from a state and a role to a move; or a
            name for each role.
        move_seconds: Thinking time per move of searching players [s]. Their games may differ
            between machines.
        max_plies: The plies after which a game is broken off: it then has no goals. The default is
            that of ``playouts`` for the first games of the seed.
        reasoner: As for ``playouts``.
        threads: As for ``playouts``.
        budget: As for ``playouts``.
        executor: Any executor of ``concurrent.futures``, for example ``Workers`` or ``Cluster``.
        progress: Called with lines of text.

    Raises:
        BadRequest: An argument is invalid.
        LimitReached: The budget runs out, or the disk is full.
        RulesError: ``reasoner`` needs a net, but the rules have none.
    """
    begun = time.monotonic()
    arrow()
    game = check_state(state).game
    games, seed = whole_number(games, "the number of games", 1), whole_number(seed, "the seed")
    if not isinstance(move_seconds, int | float):
        raise BadRequest(f"the time for a move is a number of seconds, not {quote(move_seconds)}")
    Budget(move_seconds)  # refuses a time below zero
    check_choice(reasoner)
    check_max_plies(max_plies)
    names = read_players(game, players)
    players_of(game, names, move_seconds)  # refuses players that can't play the game
    number_of(threads)
    output = file_to_replace(path, "for games")
    work = WorkFolder(output, "file of games")
    reasoner = reasoner or work.task.get("reasoner")  # a net may have had too little time
    show = Progress("blocks of games")
    with task_runner(executor, None, check_budget(budget), show, progress) as way:
        has_net = net_for_games(state, games, reasoner, way.budget) is not None
        if max_plies is None and has_net:
            trial = min(games, _TRIAL_GAMES)
            max_plies = playouts(state, trial, seed, budget=way.budget, threads=threads).max_plies
        about = About.of(
            game, state.facts, games, joint=chooses_jointly(game), seed=seed, players=names
        )
        on_net = has_net and set(names.values()) == {RANDOM}
        size = _BLOCK_GAMES if on_net else _SLOW_BLOCK_GAMES
        block = RecordedBlock.of(
            state, games, seed, max_plies or MOST_PLIES, has_net,
            players=tuple(names.items()), move_seconds=move_seconds, about=about,
        )  # fmt: skip
        rows, new_rows = _write(way, list(block.parts(size)), work, output, threads)
    return RecordedGames(fspath(path), about, rows, time.monotonic() - begun, new_rows)


def _write(
    way: TaskRunner,
    blocks: Sequence[RecordedBlock],
    work: WorkFolder,
    output: Path,
    threads: int | None,
) -> tuple[int, int]:
    about = blocks[0].about
    task = {
        "metadata": about.text,
        "reasoner": blocks[0].reasoner,
        "move_seconds": blocks[0].move_seconds,
        "max_plies": blocks[0].max_plies,
        "arrow": arrow().__version__,
    }
    try:
        with disk_errors(output):
            joining = _Joining(work, task)
        before = joining.rows
        _play(way, blocks, joining, threads)
        with disk_errors(output):
            joining.finish(output, about)
            work.remove()
    finally:
        work.release()
    return joining.rows, joining.rows - before


class _Joining:
    """Appends blocks, each a small Parquet file, to one file; the work note lists their ends."""

    def __init__(self, work: WorkFolder, task: dict[str, Any]) -> None:
        """Resume a task. Raises ``BadRequest`` and ``OSError``."""
        self.work = work
        noted = work.begin(task)
        self.ends: list[int] = noted.get("ends", [])
        self.rows: int = noted.get("rows", 0)
        self._path = work.folder / "games"
        self._path.touch()
        if self._path.stat().st_size < self._end:
            self.ends, self.rows = [], 0
        os.truncate(self._path, self._end)

    @property
    def _end(self) -> int:
        return self.ends[-1] if self.ends else 0

    def add(self, block: bytes) -> None:
        """Append a block; it survives a killed process."""
        rows = arrow("pyarrow.parquet").read_metadata(arrow().BufferReader(block)).num_rows
        with self._path.open("r+b") as file:
            file.seek(self._end)
            file.write(block)
        self.ends.append(self._end + len(block))
        self.rows += rows
        self.work.keep(ends=self.ends, rows=self.rows)

    def finish(self, output: Path, about: About) -> None:
        whole = self.work.folder / "whole"
        with saving(), whole.open("wb") as sink:
            write_groups(sink, about, self._groups())
        whole.replace(output)

    def _groups(self) -> Iterator[Any]:
        with self._path.open("rb") as file:
            for begin, end in pairwise([0, *self.ends]):
                UNLIMITED.check()  # a Ctrl-C
                still_saving()
                block = arrow().BufferReader(file.read(end - begin))
                found = arrow("pyarrow.parquet").ParquetFile(block)
                yield from map(found.read_row_group, range(found.num_row_groups))


def _play(
    way: TaskRunner, blocks: Sequence[RecordedBlock], joining: _Joining, threads: int | None
) -> None:
    if way.progress:
        way.progress.total = len(blocks)
        way.progress.count(len(joining.ends), before=True)
    here = partial(play_block, budget=way.budget)
    number = number_of(threads) if way.executor is None else 1
    with ThreadPoolExecutor(number) if number > 1 else nullcontext() as pool:
        executor, function = (pool, here) if pool else (way.executor, play_block)
        way = TaskRunner(executor, None, way.progress, way.show, way.budget)
        for future in way.map(function, iter(blocks[len(joining.ends) :]), here, _WAITING_BLOCKS):
            with disk_errors(joining.work.folder):
                joining.add(future.result())
