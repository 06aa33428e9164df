"""A UCI session: reads commands and carries them out."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from threading import Lock, Thread

from ..._version import __version__
from ...game.game import Game, State, games, load
from ...play.perft import divide
from ...puzzle.goal import Goal
from ...runtime.budget import Budget, Stoppable
from ...runtime.errors import AspgamesError, BadRequest, IllegalMove, one_line
from ..mcts.player import Player
from ..mcts.tree_search import Settings
from .go_command import Going
from .go_thread import GoJob, Solving, Thinking
from .uci_turns import made_whole, read_turn, turn_text, turns

_MIB = 2.0**20
_TABLES = 3  # tables that share the memory: the tree, and one solver table for each side
_PATIENCE = 5.0  # seconds for a thread to end after the session


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
        """Begin a session.

        Args:
            game: The first game.
            write: Writes one line and flushes it.
            seconds: The most time for a move [s].
            threads: The default of the option ``Threads``.

        Raises:
            BadRequest: The game has more than two roles, or simultaneous moves.
        """
        self._games = {game.name: game}
        self._write, self._writing = write, Lock()
        self._most_seconds = seconds
        self._job: GoJob | None = None
        self._thread: Thread | None = None
        self._player: Player | None = None
        self._seconds: float | None = None
        names = [game.name, *(name for name in games() if name != game.name)]
        self._preparing = Stoppable()
        self._gone = False
        """Whether the output is closed."""
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
        self._begin(game)

    def _begin(self, game: Game) -> None:
        """Switch to this game. Raises ``BadRequest``."""
        game.refuse_unsupported()
        start = game.initial
        if len(game.roles) > 2 or (start.to_move is None and not start.is_terminal):
            raise BadRequest(f"UCI is for sides that move by turns; {game.name} is no such game")
        self._game, self._state, self._player = game, start, None

    def run(self, lines: Iterable[str | None]) -> None:
        """Execute lines until ``quit`` or the end of the input.

        At the end of the input, a search with a limit still answers.
        """
        over = False
        try:
            for line in lines:
                if line is not None and line.split()[:1] == ["quit"]:
                    over = True
                    break
                self.obey(line)
                if over := self._gone:
                    break
            if not over:
                self._wait()
        finally:
            self._preparing.stop()
            if self._job:
                self._job.drop()
            if self._thread:
                self._thread.join(_PATIENCE)

    def _wait(self) -> None:
        """Wait for the running job; drop a job whose answer waits for a command."""
        if self._job and self._job.holds:
            self._job.drop()
        if self._thread:
            while self._thread.is_alive() and not (self._job and not self._job.is_open):
                self._thread.join(0.05)

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
            if self._job:
                self._job.budget.stop()

    # --- commands ---------------------------------------------------------------------------------

    def _uci(self, _words: list[str]) -> None:
        self.tell(f"id name aspgames {__version__}")
        self.tell("id author the aspgames authors")
        for name, option in self._options.items():
            self.tell(option.line(name))
        self.tell("uciok")

    def _isready(self, _words: list[str]) -> None:
        """Answer ``readyok`` after the nets are made; during a search, at once."""
        if (self._job and self._job.is_open) or self._player is not None:
            self.tell("readyok")
            return
        player, state, before = self._made_player(), self._state, self._thread
        budget = self._preparing = Stoppable()

        def prepare() -> None:
            if before:
                before.join()
            try:
                player.prepare(state, budget)
            finally:
                self.tell("readyok")

        self._thread = Thread(target=prepare, daemon=True)
        self._thread.start()

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
            self._begin(game)
        board = game.board
        size = f"files {board.width} ranks {board.height} " if board else ""
        self.tell(f"info string variant {name} {size}startpos {self._state.fen or '-'}")

    def _ucinewgame(self, _words: list[str]) -> None:
        self._state, self._player = self._game.initial, None

    def _position(self, words: list[str]) -> None:
        """Set the position and play the moves; an error leaves the old position."""
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
        self._state = state

    def _go(self, words: list[str]) -> None:
        going = Going.read(words)
        for wrong in going.wrong:
            self.tell(f"info string {wrong}")
        if "perft" in going.numbers:
            self._perft(going.numbers["perft"])
            return
        state = self._state
        if self._job and self._job.answers:
            self._job.stop()
        if state.is_terminal or not state.legal_moves or state.to_move is None:
            self.tell(f"info string {one_line(state.status)}")
            self.tell("bestmove (none)")
            return
        among = {read_turn(state, move)[0][0].term for move in going.searchmoves}
        overhead = int(self._options["Move Overhead"].value) / 1000
        first = state.to_move == self._game.roles[0]
        seconds = going.seconds(first, overhead, self._most_seconds)
        holds = going.waits or (not going.limits and self._most_seconds is None)
        thinking = Thinking(
            self._made_player(),
            state,
            going,
            among,
            int(self._options["MultiPV"].value),
            None if holds else seconds,
        )
        work: Callable[[GoJob], None] = thinking
        if "mate" in going.numbers:
            goal, memory = self._options["Goal"].value, self._settings.memory
            work = Solving(thinking, goal, memory, self._settings.threads)
        first_best = [m for m in state.legal_moves if m.term in among or not among]
        chosen = random.Random(self._settings.seed).choice(first_best)
        self._seconds = seconds
        best = turn_text(state, made_whole(state, [chosen]))
        self._begin_job(best, holds, work, None if holds else seconds)

    def _begin_job(
        self, best: str, holds: bool, work: Callable[[GoJob], None], seconds: float | None
    ) -> None:
        self._job = GoJob(self.tell, best, holds, self._thread)
        self._job.start(work, seconds)
        self._thread = self._job.thread

    def _perft(self, depth: int) -> None:
        """Print the perft count of each turn; ``stop`` ends it."""
        state = self._state

        def work(job: GoJob) -> None:
            total = 0
            for text, count in _counts(state, depth, job.budget):
                total += count
                self.tell(f"{text}: {count}")
            self.tell(f"\nNodes searched: {total}")

        self._begin_job("", False, work, None)

    def _stop(self, _words: list[str]) -> None:
        if self._job:
            self._job.stop()

    def _ponderhit(self, _words: list[str]) -> None:
        if self._job and self._job.is_open:
            self._job.hit(self._seconds)

    def _d(self, _words: list[str]) -> None:
        state = self._state
        self.tell(str(state))
        said = state.fen or " ".join(state.facts)
        self.tell(f"Fen: {said}")

    # --- the player -------------------------------------------------------------------------------

    @property
    def _settings(self) -> Settings:
        """The search settings from the options."""
        value = {name: option.value for name, option in self._options.items()}
        return Settings(
            solver=value["Solver"] == "true",
            threads=int(value["Threads"]),
            memory=int(value["Hash"]) * _MIB / _TABLES,
            seed=int(value["Seed"]),
        )

    def _made_player(self) -> Player:
        """The player of the current game, created on first use."""
        if self._player is None:
            self._player = Player(self._game, self._settings)
        return self._player


def _counts(state: State, depth: int, budget: Budget) -> Iterator[tuple[str, int]]:
    """The perft count of each turn to ``depth`` turns.

    If each turn is one ply, the faster count by plies is used.
    """
    if depth < 1 or state.is_terminal:
        return
    ways = list(turns(state))
    if all(len(plies) == 1 for plies, _ in ways):
        behind = divide(state, depth, budget=budget)
        for plies, _ in ways:
            yield turn_text(state, plies), behind[plies[0].term]
        return
    for plies, after in ways:
        budget.check()
        count = 1 if depth == 1 else sum(n for _, n in _counts(after, depth - 1, budget))
        yield turn_text(state, plies), count
