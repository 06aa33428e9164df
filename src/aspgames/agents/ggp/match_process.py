"""The player's end of a process that follows one match (see ``player_process``)."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Callable
from threading import Thread
from typing import Any

from ...runtime.child_process import ChildProcess

PREPARING = -1
"""The number of the preparation, before the first turn."""

_PATIENCE = 5.0  # seconds in which a process must read a message


class MatchProcess:
    """One process of a player; it is not forked, because the player has threads."""

    def __init__(self, heard: Callable[[], None]) -> None:
        """Start the process; another thread calls ``heard`` after each message and at the end."""
        self.ready = False
        """Whether the process has read the rules."""
        self.error = ""
        """Why the process failed; empty while it works."""
        self.done: int = PREPARING - 1
        """The last turn that the process has finished."""
        self._move: tuple[int, str] = PREPARING, ""
        self._heard = heard
        self._child = ChildProcess(
            [sys.executable, "-m", f"{__package__}.player_process"], stderr=subprocess.DEVNULL
        )
        self._listener = Thread(target=self._listen, daemon=True)
        self._listener.start()

    def send(self, **message: Any) -> None:
        """Send a message; a process that has ended ignores it."""
        self._child.send(json.dumps(message).encode() + b"\n", _PATIENCE)

    def move(self, turn: int) -> str:
        """The best move of a turn so far, in KIF; empty if the process knows no move."""
        number, move = self._move
        return move if number == turn else ""

    def end(self) -> None:
        """Kill the process."""
        self._child.kill()
        self._listener.join()
        self._child.close()

    def _listen(self) -> None:
        with contextlib.suppress(EOFError):
            while True:
                self._child.receive(None)
                while line := self._child.take_line():
                    self._hear(json.loads(line))
                    self._heard()
        self.error = self.error or "the process has ended: clingo didn't survive the rules"
        self._heard()

    def _hear(self, message: dict[str, Any]) -> None:
        if message.get("ready"):
            self.ready = True
        if "error" in message:
            self.error = message["error"]
        if "move" in message:
            self._move = message["turn"], message["move"]
        if "done" in message:
            self.done = message["turn"]
