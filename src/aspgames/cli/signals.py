"""Ctrl-C that stops a search, not the program."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator

from ..runtime.budget import resume, stop
from ..runtime.errors import Interrupted
from ..runtime.process_messages import tell


@contextlib.contextmanager
def stoppable() -> Iterator[None]:
    """Let Ctrl-C stop the current search; a second Ctrl-C raises ``Interrupted``.

    Searches treat an interruption as a result, so the second one is also raised at the end.
    """
    times = 0

    def pressed(*_: object) -> None:
        nonlocal times
        times += 1
        tell(heard=True)
        stop()

    try:
        before = signal.signal(signal.SIGINT, pressed)
    except ValueError:  # not the main thread: it has no signals to handle
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        resume()
    if times > 1:
        raise Interrupted
    if times:
        tell(heard=False)
