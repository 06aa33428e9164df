"""An engine behind pipes, line by line, with protection from crashes, hangs, floods and silence."""

import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence

from ...asp.terms import shorten
from ...game.notation.uci_notation import label
from ...runtime.child_process import ChildProcess
from ...runtime.errors import BadRequest, EngineFailed
from ...runtime.process_messages import END_SIGNALS, tell

_LONGEST_LINE = 1 << 24  # bytes
_GRACE = 1.0  # seconds to end in, once its input is closed
MOST_LINES = 100_000  # of one answer
_COUNT = re.compile(r"(\S+?)\s*:?\s+([0-9]+)\Z")


def command_words(command: str) -> list[str]:
    """The words of a command line, as a shell splits them. Raises ``BadRequest``."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadRequest(f"the engine's command line {shorten(command)!r}: {error}") from None
    if not words:
        raise BadRequest("the engine's command line is empty")
    return words


class LineProcess:
    """A running engine. Every answer has a time limit; all methods raise ``EngineFailed``."""

    def __init__(self, words: list[str], timeout: float) -> None:
        """Start the engine; ``timeout`` is in seconds. Raises ``BadRequest`` if it can't run."""
        self._child = _start(words)
        self._timeout = timeout
        self._is_closed = False

    def send(self, line: str) -> None:
        """Send a line; it is written as soon as the engine reads."""
        self._child.send(line.encode() + b"\n")

    def receive(self, what: object) -> str:
        """The next line; ``what`` names the question in error messages."""
        line = self._next(time.monotonic() + self._timeout, what)
        if not line:
            raise EngineFailed(f"the engine is gone: {self._ending()}; it was asked for {what}")
        return self._text(line, what)

    def output(self, what: object, most: int) -> list[str]:
        """At most ``most`` lines from a program that reads nothing and ends by itself."""
        self._child.close_input()
        deadline = time.monotonic() + self._timeout
        lines: list[str] = []
        while line := self._next(deadline, what):
            lines.append(self._text(line, what))
            if len(lines) > most:
                raise EngineFailed(f"the engine floods: {most} lines and more to {what}")
        said = [line for line in lines if line.strip()]
        if not said or self._child.exit_code(_GRACE) != 0:
            how = "failed" if said else "printed nothing"
            raise EngineFailed(f"the engine {how}: {self._ending()}; it was asked for {what}")
        return said

    def is_silent(self) -> bool:
        """Whether the engine sent no line without a question."""
        with contextlib.suppress(EOFError):
            self._child.receive(0)
        return b"\n" not in self._child.received

    def close(self) -> None:
        """End the engine: kill it if the end of its input doesn't end it."""
        if self._is_closed:
            return
        self._is_closed = True
        self._child.close_input()
        self._child.exit_code(_GRACE)
        self._child.close()
        tell(ended=self._child.pid)

    def _next(self, deadline: float, what: object) -> bytes:
        """The next line; empty at the end."""
        while (line := self._child.take_line(_LONGEST_LINE)) is None:
            left = deadline - time.monotonic()
            if left <= 0:
                raise EngineFailed(
                    f"the engine hangs: no answer within {self._timeout:g} s to {what}"
                )
            try:
                self._child.receive(left)
            except EOFError:
                return self._child.take_line(0) or b""
        return line

    def _text(self, line: bytes, what: object) -> str:
        if not line.endswith(b"\n") and len(line) >= _LONGEST_LINE:
            raise EngineFailed(f"the engine floods: a line of {len(line)} bytes and more to {what}")
        try:
            return line.decode().rstrip("\r\n")
        except UnicodeDecodeError:
            raise EngineFailed(f"the engine's answer is not UTF-8 text; asked for {what}") from None

    def _ending(self) -> str:
        code = self._child.exit_code(_GRACE)
        if code is None:
            return "it closed its output"
        how = f"it was killed by signal {-code}" if code < 0 else f"it ended with exit code {code}"
        lines = self._child.complaint.decode(errors="replace").split("\n")
        complaint = next((line.strip() for line in reversed(lines) if line), "")
        return f"{how}: {shorten(complaint)}" if complaint else how


def _start(words: list[str]) -> ChildProcess:
    path = f"{os.environ.get('PATH', os.defpath)}{os.pathsep}/usr/games"  # Debian's, for engines
    program = shutil.which(words[0], path=path) or words[0]
    try:
        with _signals_held_back():  # else an engine might run that the supervisor doesn't know
            child = ChildProcess([program, *words[1:]], stderr=subprocess.PIPE)
            tell(started=child.pid)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BadRequest(f"{shorten(words[0])} can't be run: {reason}") from None
    return child


@contextlib.contextmanager
def _signals_held_back() -> Iterator[None]:
    """Delay Ctrl-C and other signals to end until after the block.

    Signals are not blocked: a child process would inherit that.
    """
    if threading.current_thread() is not threading.main_thread():  # only it gets signals
        yield
        return
    came: list[int] = []
    before = {wish: signal.signal(wish, lambda n, _: came.append(n)) for wish in END_SIGNALS}
    try:
        yield
    finally:
        for wish, handler in before.items():
            signal.signal(wish, handler)
        for number in came[:1]:
            signal.raise_signal(number)


def read_counts(lines: Sequence[str], what: object) -> Mapping[str, int]:
    """Read printed move counts, lines ``a2a3: 1`` or ``a2a3 1`` and their sum, by labels of turns.

    Raises ``EngineFailed`` if a move is listed twice, or the sum is wrong.
    """
    counts: dict[str, int] = {}
    for line in lines[:-1]:
        match = _COUNT.match(line.strip())
        if match and (squares := label(match[1])):
            if squares in counts:
                raise EngineFailed(f"the engine lists {match[1]} twice; {what}")
            counts[squares] = int(match[2])
    total = re.search(r"([0-9]+)\s*\Z", lines[-1])
    if total is None or int(total[1]) != sum(counts.values()):
        said = f"{sum(counts.values())}, not {lines[-1].strip()!r}"
        raise EngineFailed(f"the engine's counts add up to {said}; {what}")
    return counts
