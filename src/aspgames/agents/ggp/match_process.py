"""A process that knows one match, as the player sees it (see ``player_process``)."""

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
"""The turn before the first."""

_PATIENCE = 5.0  # seconds in which a process that isn't stuck reads what it is sent


class MatchProcess:
    """One process of a player. It is started anew rather than forked: the player has threads."""

    def __init__(self, heard: Callable[[], None]) -> None:
        """``heard`` is called in another thread after each message, and when it has ended."""
        self.ready = False
        """Whether the rules are read."""
        self.error = ""
        """Why it can't go on, if it can't."""
        self.done: int = PREPARING - 1
        """The last turn that it has finished."""
        self._move: tuple[int, str] = PREPARING, ""
        self._heard = heard
        self._child = ChildProcess(
            [sys.executable, "-m", f"{__package__}.player_process"], stderr=subprocess.DEVNULL
        )
        self._listener = Thread(target=self._listen, daemon=True)
        self._listener.start()

    def send(self, **message: Any) -> None:
        """Send a message; a process that has ended gets nothing, as ``error`` says."""
        self._child.send(json.dumps(message).encode() + b"\n", _PATIENCE)

    def move(self, turn: int) -> str:
        """The best move of a turn that it knows so far, in KIF; empty if it knows none."""
        number, move = self._move
        return move if number == turn else ""

    def end(self) -> None:
        """Kill it, whatever it is doing."""
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
