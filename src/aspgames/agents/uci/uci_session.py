"""A UCI session: reads commands and carries them out."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Lock, Thread
from time import monotonic

from ..._version import __version__
from ...game.game import Game, load
from ...game.move import Move
from ...game.notation.notations import state_text
from ...game.state import State
from ...gdl.encoding import games
from ...play.perft import divide
from ...puzzle.goal import Goal
from ...runtime.budget import Budget
from ...runtime.errors import AspgamesError, BadRequest, IllegalMove, Interrupted, one_line
from ..mcts.player import Player
from ..mcts.tree_search import PlayerOptions
from .go_thread import LEAST_SECONDS, Going, GoJob, Solving, Thinking
from .uci_turns import begins, made_whole, read_turn, turn_text, turns

_MIB = 2.0**20
_TABLES = 3  # tables that share the memory: the tree, and one solver table for each side
_PATIENCE_SECONDS = 5.0  # seconds for the worker to end after the session
_DEFAULT_MILLISECONDS = 100  # milliseconds for a move if the limit is malformed
_MOST_WAITING_COMMANDS = 100  # commands that wait for the worker
_NO_POSITION = "there is no position: give position startpos or position fen FEN"


@dataclass
class Option:
    """A UCI option."""

    kind: str
    value: str
    more: str = ""

    def line(self, name: str) -> str:
        """The ``option`` line that declares it."""
        default = "" if self.kind == "button" else f" default {self.value}"
        return f"option name {name} type {self.kind}{default}{self.more}"

    def read(self, name: str, text: str) -> str:
        """Check a value for this option, and return it. Raises ``BadRequest``."""
        if self.kind == "check" and text not in ("true", "false"):
            raise BadRequest(f"{name} is true or false")
        if self.kind == "spin":
            least, most = map(int, self.more.split()[1::2])
            whole = text.isascii() and text.isdecimal() and len(text) < 20
            if not whole or not least <= int(text) <= most:
                raise BadRequest(f"{name} is a whole number from {least} to {most}")
        if self.kind == "combo" and text not in self.more.split()[1::2]:
            raise BadRequest(f"{name} has no {text[:40]!r}")
        return text


class UciSession:
    """One UCI session."""

    def __init__(
        self,
        game: Game,
        write: Callable[[str], None],
        seconds: float | None = None,
        threads: int = 1,
    ) -> None:
        """Begin with a game. ``write`` writes one line; ``seconds`` is the most time for a move.

        Raises ``BadRequest`` for a game of more than two roles, or with simultaneous moves.
        """
        self._games = {game.name: game}
        self._write, self._writing = write, Lock()
        self._most_seconds = seconds
        self._queue: SimpleQueue[tuple[Callable[[], None], Callable[[], None]] | None]
        self._queue = SimpleQueue()
        self._worker = Thread(target=self._work, daemon=True)
        self._jobs: list[GoJob] = []  # the jobs that have not answered
        self._is_preparing = False
        self._player: Player | None = None
        names = [game.name, *(name for name in games() if name != game.name)]
        self._preparing = Budget()
        self._gone = False  # whether the output is closed
        self._options = {
            "UCI_Variant": Option("combo", game.name, "".join(f" var {name}" for name in names)),
            "Hash": Option("spin", "512", " min 16 max 65536"),
            "Clear Hash": Option("button", ""),
            "Threads": Option("spin", str(threads), " min 1 max 1024"),
            "MultiPV": Option("spin", "1", " min 1 max 500"),
            "Ponder": Option("check", "false"),
            "Solver": Option("check", "true"),
            "Goal": Option("string", "win"),
            "Seed": Option("spin", "0", " min 0 max 1000000000"),
            "Move Overhead": Option("spin", "20", " min 0 max 10000"),
        }
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "uci": self._uci,
            "isready": self._isready,
            "setoption": self._setoption,
            "ucinewgame": self._ucinewgame,
            "position": self._position,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponderhit,
            "d": self._d,
            "debug": lambda _words: None,
            "register": lambda _words: None,
        }
        self._change_game(game)

    def _change_game(self, game: Game) -> None:
        game.refuse_unsupported(
            but="UCI has no messages for: 'match' and 'ggp-player' play such games"
        )
        start = game.initial
        if len(game.roles) > 2 or (start.to_move is None and not start.is_terminal):
            raise BadRequest(f"UCI is for sides that move by turns; {game.name} is no such game")
        self._game, self._player = game, None
        self._state: State | None = start

    def run(self, lines: Iterable[str | None]) -> None:
        """Execute lines until ``quit`` or the end of the input.

        At the end of the input, a search with a limit still answers.
        """
        try:
            for line in lines:
                if line is not None and line.split()[:1] == ["quit"]:
                    return
                self.obey(line)
                if self._gone:
                    return
            for job in self._jobs:
                if job.holds:
                    job.end(answers=False)
            while self._is_preparing or self._open_jobs():
                self._worker.join(0.05)
        finally:
            self._preparing.stop()
            for job in self._jobs:
                job.end(answers=False)
            self._queue.put(None)
            if self._worker.is_alive():
                self._worker.join(_PATIENCE_SECONDS)

    def _open_jobs(self) -> list[GoJob]:
        self._jobs = [job for job in self._jobs if job.is_open]
        return self._jobs

    def _begin(self, work: Callable[[], None], done: Callable[[], None]) -> None:
        """Do some work in the worker's thread, after all earlier work."""
        if not self._worker.ident:
            self._worker.start()
        self._queue.put((work, done))

    def _work(self) -> None:
        for work, done in iter(self._queue.get, None):
            try:
                work()
            except (Interrupted, OSError):  # the result is no longer needed
                pass
            except (AspgamesError, MemoryError, RecursionError) as error:
                self.tell(f"info string {one_line(str(error)) or 'too large'}")
            except Exception as error:  # an interface does not show tracebacks
                self.tell(f"info string a defect of aspgames: {one_line(repr(error))}")
            done()

    def _begin_job(self, job: GoJob, work: Callable[[GoJob], None]) -> None:
        self._jobs = [*self._open_jobs(), job]
        self._begin(lambda: work(job) if job.is_open else None, job.finish)

    def obey(self, line: str | None) -> None:
        """Execute one input line; an error becomes an ``info string`` line."""
        try:
            if line is None:
                raise BadRequest("the line is too long, or not UTF-8 text")
            words = line.split()
            while words and words[0] not in self._commands and len(words) > 1:
                words = words[1:]  # UCI skips unknown words
            if words and words[0] not in self._commands:
                raise BadRequest(f"unknown command: {line.strip()[:60]}")
            if words:
                self._commands[words[0]](words[1:])
        except AspgamesError as error:
            self.tell(f"info string {one_line(str(error))}")
        except (RecursionError, MemoryError):
            self.tell("info string that is too large")

    def tell(self, line: str) -> None:
        """Write a line; safe to call from several threads."""
        try:
            with self._writing:
                self._write(line)
        except OSError:
            self._gone = True
            for job in self._jobs:
                job.budget.stop()

    # --- commands ---------------------------------------------------------------------------------

    def _uci(self, _words: list[str]) -> None:
        self.tell(f"id name aspgames {__version__}")
        self.tell("id author the aspgames authors")
        for name, option in self._options.items():
            self.tell(option.line(name))
        self.tell("uciok")

    def _isready(self, _words: list[str]) -> None:
        """Answer ``readyok`` after the nets are made; at once while much work waits."""
        is_busy = self._open_jobs() or self._queue.qsize() >= _MOST_WAITING_COMMANDS
        if is_busy or self._player is not None:
            self.tell("readyok")
            return
        player, state = self._made_player(), self._state or self._game.initial
        self._is_preparing = True

        def ready() -> None:
            self.tell("readyok")
            self._is_preparing = False

        self._begin(lambda: player.prepare(state, self._preparing), ready)

    def _setoption(self, words: list[str]) -> None:
        name, _, value = " ".join(words).removeprefix("name ").partition(" value ")
        known = {each.lower(): each for each in self._options}
        if words[:1] != ["name"] or name.strip().lower() not in known:
            raise BadRequest(f"there is no option {name.strip()[:40]!r}")
        name = known[name.strip().lower()]
        option = self._options[name]
        value = option.read(name, value.strip())
        if name == "Goal":
            value = Goal.parse(value).text
        if name == "UCI_Variant":
            self._choose_game(value)
        option.value = value
        if name not in ("MultiPV", "Ponder", "Goal", "Move Overhead", "UCI_Variant"):
            self._player = None

    def _choose_game(self, name: str) -> None:
        if name not in self._games:
            self._games[name] = load(name)
        game = self._games[name]
        if game is not self._game:
            self._change_game(game)
        board = game.board
        size = f"files {board.width} ranks {board.height} " if board else ""
        self.tell(f"info string variant {name} {size}startpos {game.initial.fen or '-'}")

    def _ucinewgame(self, _words: list[str]) -> None:
        self._state, self._player = self._game.initial, None

    def _position(self, words: list[str]) -> None:
        """Set the position and play the moves; an error leaves no position."""
        self._state = None
        try:
            self._state = self._read_position(words)
        except AspgamesError as error:
            raise BadRequest(f"{error}; there is no position now") from None

    def _read_position(self, words: list[str]) -> State:
        place = words.index("moves") if "moves" in words else len(words)
        kind, text = words[:1], " ".join(words[1:place])
        if kind == ["startpos"] and not text:
            state = self._game.initial
        elif kind == ["fen"] and text:
            state = self._game.position(text)
        else:
            raise BadRequest("give position startpos or position fen FEN, then moves MOVE ...")
        for number, move in enumerate(words[place + 1 :], start=1):
            try:
                _, state = read_turn(state, move)
            except IllegalMove as error:
                raise IllegalMove(f"move {number}: {error}") from None
        return state

    def _go(self, words: list[str]) -> None:
        began = monotonic()
        going, wanted = Going.read(words), list[tuple[Move, ...]]()
        wrong, state = going.wrong, self._state
        if state is None:
            self.tell(f"info string {_NO_POSITION}")
            self.tell("\nNodes searched: 0" if "perft" in going.numbers else "bestmove (none)")
            return
        for text in dict.fromkeys(going.searchmoves):
            try:
                wanted.append(read_turn(state, text)[0])
            except IllegalMove as error:
                wrong = wrong or one_line(str(error))
        if wrong:
            self.tell(f"info string {wrong}")
            if not going.limits and not going.waits:
                going.numbers["movetime"] = _DEFAULT_MILLISECONDS
        if "perft" in going.numbers:
            self._perft(state, going.numbers["perft"], wanted if going.searchmoves else None)
            return
        for job in self._open_jobs():
            if job.best:
                job.end()
        if state.is_terminal or not state.legal_moves or state.to_move is None:
            self.tell(f"info string {one_line(state.status)}")
            self.tell("bestmove (none)")
            return
        overhead = int(self._options["Move Overhead"].value) / 1000
        first = state.to_move == self._game.roles[0]
        seconds = going.seconds(first, overhead, self._most_seconds)
        holds = going.waits or (not going.limits and self._most_seconds is None)
        rng = random.Random(self._settings.seed)
        chosen = rng.choice(wanted or [(move,) for move in state.legal_moves])
        best = turn_text(state, made_whole(state, chosen))
        if seconds is not None:
            seconds = max(LEAST_SECONDS, seconds - (monotonic() - began))
        job = GoJob(self.tell, best, holds, seconds)
        thinking = Thinking(
            self._made_player(),
            state,
            going,
            wanted,
            int(self._options["MultiPV"].value),
            None if holds else seconds,
        )
        work: Callable[[GoJob], None] = thinking
        if "mate" in going.numbers:
            goal, memory = self._options["Goal"].value, self._settings.memory
            work = Solving(thinking, goal, memory, self._settings.threads)
        self._begin_job(job, work)

    def _perft(self, state: State, depth: int, wanted: Sequence[tuple[Move, ...]] | None) -> None:
        """Print the perft count of each turn, or of the wanted ones; ``stop`` ends it."""
        if len(self._open_jobs()) >= _MOST_WAITING_COMMANDS:
            raise BadRequest(f"{_MOST_WAITING_COMMANDS} counts wait already: this one is left out")

        def work(job: GoJob) -> None:
            total = 0
            for plies, count in _counts(state, depth, job.budget, wanted):
                total += count
                job.inform(f"{turn_text(state, plies)}: {count}")
            job.inform(f"\nNodes searched: {total}")

        self._begin_job(GoJob(self.tell, "", False, None), work)

    def _stop(self, _words: list[str]) -> None:
        for job in self._jobs:
            job.end()

    def _ponderhit(self, _words: list[str]) -> None:
        for job in self._jobs:
            job.hit()

    def _d(self, _words: list[str]) -> None:
        if (state := self._state) is None:
            raise BadRequest(_NO_POSITION)
        self.tell(str(state))
        self.tell(f"Fen: {state_text(state)}")

    @property
    def _settings(self) -> PlayerOptions:
        value = {name: option.value for name, option in self._options.items()}
        return PlayerOptions(
            solver=value["Solver"] == "true",
            threads=int(value["Threads"]),
            memory=int(value["Hash"]) * _MIB / _TABLES,
            seed=int(value["Seed"]),
        )

    def _made_player(self) -> Player:
        if self._player is None:
            self._player = Player(self._game, self._settings)
        return self._player


def _counts(
    state: State, depth: int, budget: Budget, wanted: Sequence[tuple[Move, ...]] | None = None
) -> Iterator[tuple[tuple[Move, ...], int]]:
    """The perft count of each turn, or of the wanted ones, to ``depth`` turns.

    If each turn is one ply, the faster count by plies is used.
    """
    if depth < 1 or state.is_terminal:
        return
    ways = list(turns(state))
    behind = None
    if all(len(plies) == 1 for plies, _ in ways):
        behind = divide(state, depth, budget=budget)
    for plies, after in ways:
        budget.check()
        if wanted is not None and not begins(plies, wanted):
            continue
        if behind is not None:
            count = behind[plies[0].term]
        else:
            count = 1 if depth == 1 else sum(n for _, n in _counts(after, depth - 1, budget))
        yield plies, count
