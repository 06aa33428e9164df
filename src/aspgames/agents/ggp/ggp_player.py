"""A player that answers a manager's messages, always in time.

Two processes follow each match (see ``MatchProcess``). One thinks, and may take too much time or
memory. The other one only finds a legal move, which the player sends if the first process fails.
"""

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Condition, Lock, Thread
from typing import Any

from ...runtime.json_lines import error_report
from ...runtime.workers.worker import Worker
from . import match_tasks, messages

_PREPARATION_SECONDS = 60.0  # seconds for a game, before any match
_THINKING_SHARE = 0.9  # the part of the time for thinking: a process may need the rest to stop
_SILENCE_SECONDS = 60.0  # a silent manager's match ends after this time and that of three moves [s]


class MatchProcess:
    """One process of a player. It does the tasks of ``match_tasks`` until one fails."""

    def __init__(self, most_bytes: float, heard: Callable[[], None]) -> None:
        """Start the process; another thread calls ``heard`` after each message and task."""
        self.error = ""
        """Why a task failed; empty until then."""
        self.done: int = messages.PREPARING - 1
        """The last turn that the process has finished."""
        self._move: tuple[int, str] = messages.PREPARING, ""
        self._heard = heard
        self._worker = Worker(most_bytes, keeps_state=True, hears=self._hear)
        self._tasks: SimpleQueue[tuple[int, Callable[..., None], tuple[Any, ...]] | None]
        self._tasks = SimpleQueue()
        self._thread = Thread(target=self._work, daemon=True)
        self._thread.start()
        self.do(self.done, match_tasks.load)

    def do(self, turn: int, task: Callable[..., None], *arguments: Any) -> None:
        """Do a task for a turn, after the earlier ones."""
        self._tasks.put((turn, task, arguments))

    def move(self, turn: int) -> str:
        """The best move of a turn so far, in KIF; empty if the process knows no move."""
        number, move = self._move
        return move if number == turn else ""

    def end(self) -> None:
        """Kill the process."""
        self._tasks.put(None)
        self._worker.stop()
        self._thread.join()
        self._worker.close()

    def _work(self) -> None:
        for turn, task, arguments in iter(self._tasks.get, None):
            try:
                self._worker.call(task, arguments, {})
                self.done = turn
            except Exception as error:
                self.error = error_report(error)["error"]
            self._heard()
            if self.error:
                self._worker.close()  # frees its memory
                return

    def _hear(self, message: Mapping[str, Any]) -> None:
        if "move" in message:
            self._move = message["move"]
            self._heard()


@dataclass(frozen=True, slots=True)
class PlayerSettings:
    """A player's settings."""

    name: str = "aspgames"
    """The player's name, a word."""
    margin: float = 1.0
    """Time between an answer and the end of the clock [s]; half the clock at most."""
    most_seconds: float | None = None
    """The most time for a move [s], even if the clock allows more."""
    most_bytes: float = float(2 << 30)
    """The memory limit of each of the two processes [bytes]."""
    goals: str | None = None
    """The goal of a role to which a sheet gives several: one of ``gdl.kif.goal_choice.CHOICES``."""

    def start_seconds(self, clock: float) -> float:
        """The time until the answer to START [s]."""
        return clock - min(self.margin, clock / 2)

    def seconds(self, clock: float) -> float:
        """The time for a move [s]."""
        left = self.start_seconds(clock)
        return left if self.most_seconds is None else min(left, self.most_seconds)


class _Minds:
    """The two processes, before and during a match."""

    def __init__(self, most_bytes: float) -> None:
        self._changed = Condition()
        self.knows, self.thinks = (MatchProcess(most_bytes, self._notify) for _ in range(2))
        self._ended = False

    def begin(self, rules: str, role: str, seconds: float, settings: PlayerSettings) -> None:
        until = time.monotonic() + seconds
        for process, end in ((self.knows, None), (self.thinks, until)):
            process.do(
                messages.PREPARING,
                match_tasks.begin, rules, role, settings.goals, settings.most_bytes, end,
            )  # fmt: skip

    def begin_turn(
        self, turn: int, play: messages.Play | messages.PlaySeen, seconds: float
    ) -> None:
        for process in (self.knows, self.thinks):
            process.do(turn, match_tasks.play, turn, play, time.monotonic() + seconds)

    def wait(self, turn: int, until: float) -> None:
        """Wait for the last move of a turn, or until a time (``time.monotonic``)."""

        def through(process: MatchProcess) -> bool:
            return bool(process.error) or process.done >= turn

        def enough() -> bool:
            found = self.thinks.done >= turn or (through(self.thinks) and through(self.knows))
            return self._ended or (found and (turn != messages.PREPARING or through(self.knows)))

        with self._changed:
            self._changed.wait_for(enough, max(0.0, until - time.monotonic()))

    def end(self) -> None:
        self._ended = True
        for process in (self.knows, self.thinks):
            process.end()

    def _notify(self) -> None:
        with self._changed:
            self._changed.notify_all()


class _Match:
    def __init__(self, start: messages.Start, minds: _Minds) -> None:
        self.name, self.minds, self.play_clock = start.match, minds, start.play_clock
        self.turn = messages.PREPARING
        self.asked = True  # whether the manager waits for an answer
        self.thoughtless = False  # whether the failure of the thinking process is already logged
        self.forgotten_at = time.monotonic() + start.start_clock + _SILENCE_SECONDS


class GgpPlayer:
    """Answers messages, in several threads; plays one match at a time."""

    def __init__(
        self,
        settings: PlayerSettings,
        games: Collection[str] = (),
        log: Callable[[str], None] = lambda _line: None,
    ) -> None:
        """Play only ``games`` (see ``read_rules``), or all; ``log`` gets each problem."""
        self._settings, self.log = settings, log
        self._games = {rules.lower() for rules in games}
        self._lock = Lock()
        self._match: _Match | None = None
        self._spare = _Minds(settings.most_bytes)  # started early, because Python starts slowly

    def prepare(self, rules: str) -> str:
        """Try to read rules and make their net; returns the error, or an empty text."""
        minds = _Minds(self._settings.most_bytes)
        try:
            minds.begin(rules, "", _PREPARATION_SECONDS, self._settings)
            minds.wait(messages.PREPARING, time.monotonic() + _PREPARATION_SECONDS)
            is_late = minds.knows.done < messages.PREPARING
            late = f"it can't be read within {_PREPARATION_SECONDS:g} seconds" if is_late else ""
            return minds.knows.error or late
        finally:
            minds.end()

    def answer(self, message: messages.Message, arrived: float) -> str:
        """The answer to a message that arrived at a time (``time.monotonic``)."""
        if isinstance(message, messages.Info):
            status = "available" if self._match is None else "busy"
            return messages.write_info({"name": self._settings.name, "status": status})
        if isinstance(message, messages.Preview):
            return messages.READY
        if isinstance(message, messages.Start):
            return self._start(message, arrived)
        if isinstance(message, messages.Play | messages.PlaySeen):
            return self._play(message, arrived)
        if not self._end(message.match):
            return messages.BUSY
        return messages.ABORTED if isinstance(message, messages.Abort) else messages.DONE

    def forget(self) -> None:
        """End a match whose manager has been silent for too long."""
        match = self._match
        if match and time.monotonic() > match.forgotten_at:
            self.log(f"match {match.name}: the manager is silent: forgotten")
            self._end(match.name)

    def close(self) -> None:
        """End all processes."""
        if match := self._match:
            self._end(match.name)
        self._spare.end()

    def _start(self, start: messages.Start, arrived: float) -> str:
        seconds = self._settings.start_seconds(start.start_clock)
        with self._lock:
            if self._match:
                return messages.BUSY
            if self._games and start.rules.lower() not in self._games:
                self.log(f"match {start.match}: its rules are not those of a given game")
                return messages.BUSY
            match = self._match = _Match(start, self._spare)
            self._spare = _Minds(self._settings.most_bytes)
        minds = match.minds
        minds.begin(start.rules, start.role, _THINKING_SHARE * seconds, self._settings)
        minds.wait(messages.PREPARING, arrived + seconds)
        if minds.knows.error:
            if self._end(match.name):
                self.log(f"match {match.name}: {minds.knows.error}")
            return messages.BUSY
        if minds.knows.done < messages.PREPARING:
            self.log(f"match {match.name}: the rules aren't read within {seconds:.1f} seconds")
        match.asked = False
        return messages.READY

    def _play(self, play: messages.Play | messages.PlaySeen, arrived: float) -> str:
        with self._lock:
            match = self._match
            if match is None or match.name != play.match or match.asked:
                return messages.BUSY
            match.asked = True
            match.turn += 1
            match.forgotten_at = arrived + 3 * match.play_clock + _SILENCE_SECONDS
        seconds, turn, minds = self._settings.seconds(match.play_clock), match.turn, match.minds
        if isinstance(play, messages.PlaySeen) and play.turn != turn:
            self.log(f"match {match.name}: turn {play.turn} is not the next one, {turn}")
        minds.begin_turn(turn, play, _THINKING_SHARE * seconds)
        minds.wait(turn, arrived + seconds)
        move = minds.thinks.move(turn) or minds.knows.move(turn)
        if self._match is match:  # else its processes have ended with it
            if not move:
                why = minds.knows.error or f"no move is known within {seconds:.1f} seconds"
                self.log(f"match {match.name}, turn {turn + 1}: {why}")
            elif minds.thinks.error and not match.thoughtless:
                match.thoughtless = True
                why = minds.thinks.error
                self.log(f"match {match.name}: random moves from now on: {why}")
        match.asked = False
        return move or messages.NIL

    def _end(self, name: str) -> bool:
        """End a match; returns whether it was under way."""
        with self._lock:
            match = self._match
            if match is None or match.name != name:
                return False
            self._match = None
        match.minds.end()
        return True
