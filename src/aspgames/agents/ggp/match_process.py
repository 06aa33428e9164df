"""A process that knows one match, as the player sees it (see ``thinking``)."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Callable
from threading import Thread
from typing import Any

from ...runtime.process_messages import CAN_FORK

PREPARING = -1
"""The turn before the first."""


class Process:
    """One process of a player. It is started anew rather than forked: the player has threads.

    What it has told is kept; ``told`` is called, in a thread of its own, whenever there is more,
    and when it has ended.
    """

    def __init__(self, told: Callable[[], None]) -> None:
        self.ready = False
        """Whether the rules are read."""
        self.error = ""
        """Why it can't go on, if it can't."""
        self.done: int = PREPARING - 1
        """The last turn with which it is through."""
        self._move: tuple[int, str] = PREPARING, ""
        self._told = told
        self._process = subprocess.Popen(
            [sys.executable, "-m", f"{__package__}.player_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=CAN_FORK,  # a terminal's Ctrl-C is for the player
        )
        self._listener = Thread(target=self._listen, daemon=True)
        self._listener.start()

    def tell(self, **what: Any) -> None:
        """Give it something to do."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # it has ended, as ``error`` says
            self._process.stdin.write(json.dumps(what).encode() + b"\n")
            self._process.stdin.flush()

    def move(self, turn: int) -> str:
        """The best move of a turn that it knows so far, in KIF; empty if it knows none."""
        number, move = self._move
        return move if number == turn else ""

    def end(self) -> None:
        """End it, whatever it is at."""
        self._process.kill()
        self._listener.join()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):  # what was written last is left
                pipe.close()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._hear(json.loads(line))
            self._told()
        self.error = self.error or "the process has ended: clingo didn't survive the rules"
        self._told()

    def _hear(self, what: dict[str, Any]) -> None:
        if what.get("ready"):
            self.ready = True
        if "error" in what:
            self.error = what["error"]
        if "move" in what:
            self._move = what["turn"], what["move"]
        if "done" in what:
            self.done = what["turn"]
