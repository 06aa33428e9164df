"""A program that is spoken to in lines, whatever it does: crash, hang, flood or fall silent."""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterator

from ...asp.terms import shorten
from ...runtime.errors import BadRequest, EngineFailed
from ...runtime.process_messages import WISHES, tell

_LONGEST_LINE = 1 << 24  # bytes
_WAITING = 1024  # lines that are read ahead
_GRACE = 1.0  # seconds to end in, once its input is closed


def command_words(command: str) -> list[str]:
    """The words of a command line, as a shell splits them. Raises ``BadRequest``."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadRequest(f"the engine's command line {shorten(command)!r}: {error}") from None
    if not words:
        raise BadRequest("the engine's command line is empty")
    return words


def _start(words: list[str]) -> subprocess.Popen[bytes]:
    """A process of its own group, so that Ctrl-C isn't its affair. Raises ``BadRequest``."""
    path = f"{os.environ.get('PATH', os.defpath)}{os.pathsep}/usr/games"  # Debian's, for engines
    try:
        with _signals_held_back():  # else it might be started, and nobody know of it
            process = subprocess.Popen(
                [shutil.which(words[0], path=path) or words[0], *words[1:]],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
            tell(started=process.pid)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BadRequest(f"{shorten(words[0])} can't be run: {reason}") from None
    return process


@contextlib.contextmanager
def _signals_held_back() -> Iterator[None]:
    """Have Ctrl-C, and what else asks for the end, come after what is done meanwhile.

    Signals are not blocked: what is started meanwhile would never hear them.
    """
    if threading.current_thread() is not threading.main_thread():  # they come to that one only
        yield
        return
    came: list[int] = []
    before = {wish: signal.signal(wish, lambda n, _: came.append(n)) for wish in WISHES}
    try:
        yield
    finally:
        for wish, handler in before.items():
            signal.signal(wish, handler)
        for number in came[:1]:
            signal.raise_signal(number)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it has started."""
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    tell(ended=process.pid)


def _how_it_ended(code: int, complaint: str) -> str:
    """A sentence on a process that is no more."""
    told = f"it was killed by signal {-code}" if code < 0 else f"it ended with exit code {code}"
    return f"{told}: {complaint}" if complaint else told


class LineProcess:
    """A running program. ``receive`` has a limit on time; all methods raise ``EngineFailed``."""

    def __init__(self, words: list[str], timeout: float) -> None:
        """Start the program; ``timeout`` is in seconds. Raises ``BadRequest`` if there is none."""
        self._process = _start(words)
        self._timeout = timeout
        self._lines: queue.Queue[bytes] = queue.Queue(_WAITING)
        self._outgoing: queue.Queue[bytes | None] = queue.Queue()
        self._complaints: deque[bytes] = deque(maxlen=20)
        self._closed = False
        self._threads = [
            threading.Thread(target=work, daemon=True)
            for work in (self._read, self._write, self._listen)
        ]
        for thread in self._threads:
            thread.start()

    def send(self, line: str) -> None:
        """Send a line; it is written as soon as the program reads."""
        self._outgoing.put(line.encode() + b"\n")

    def receive(self, what: object) -> str:
        """The next line; ``what`` says in a message what was asked for."""
        line = self._next(time.monotonic() + self._timeout, what)
        if not line:
            raise EngineFailed(f"the engine is gone: {self._ending()}; it was asked for {what}")
        return self._text(line, what)

    def output(self, what: object, most: int) -> list[str]:
        """The lines, ``most`` at most, of a program that reads nothing and ends by itself."""
        self._outgoing.put(None)
        deadline = time.monotonic() + self._timeout
        lines: list[str] = []
        while line := self._next(deadline, what):
            lines.append(self._text(line, what))
            if len(lines) > most:
                raise EngineFailed(f"the engine floods: {most} lines and more to {what}")
        said = [line for line in lines if line.strip()]
        if not said or not self._has_ended() or self._process.returncode != 0:
            how = "failed" if said else "printed nothing"
            raise EngineFailed(f"the engine {how}: {self._ending()}; it was asked for {what}")
        return said

    def _next(self, deadline: float, what: object) -> bytes:
        """The next line as it comes; empty at the end."""
        while True:  # short waits, so that Ctrl-C is heard
            try:
                return self._lines.get(timeout=min(0.2, max(0.001, deadline - time.monotonic())))
            except queue.Empty:
                if time.monotonic() > deadline:
                    raise EngineFailed(
                        f"the engine hangs: no answer within {self._timeout:g} s to {what}"
                    ) from None

    def _text(self, line: bytes, what: object) -> str:
        if not line.endswith(b"\n") and len(line) >= _LONGEST_LINE:
            raise EngineFailed(f"the engine floods: a line of {len(line)} bytes and more to {what}")
        try:
            return line.decode().rstrip("\r\n")
        except UnicodeDecodeError:
            raise EngineFailed(f"the engine's answer is not UTF-8 text; asked for {what}") from None

    def is_silent(self) -> bool:
        """Whether there is no line that nobody asked for."""
        return self._lines.empty() or self._lines.queue[0] == b""

    def close(self) -> None:
        """End the program, politely at first."""
        if self._closed:
            return
        self._closed = True
        self._outgoing.put(None)
        self._has_ended()
        _kill(self._process)

    def _has_ended(self) -> bool:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        return self._process.poll() is not None

    def _ending(self) -> str:
        if not self._has_ended():
            return "it closed its output"
        self._threads[-1].join(_GRACE)  # what it has to say for itself
        complaint = (
            self._complaints[-1].decode(errors="replace").strip() if self._complaints else ""
        )
        return _how_it_ended(self._process.returncode, shorten(complaint))

    def _read(self) -> None:
        assert self._process.stdout
        with self._process.stdout as stream:
            line = b"\n"
            while line and not self._closed:
                line = stream.readline(_LONGEST_LINE)
                self._hand_over(line)

    def _hand_over(self, line: bytes) -> None:
        while not self._closed:  # nobody may ever take what a flood has brought
            with contextlib.suppress(queue.Full):
                self._lines.put(line, timeout=0.5)
                return

    def _write(self) -> None:
        assert self._process.stdin
        with contextlib.suppress(OSError), self._process.stdin as stream:
            while (line := self._outgoing.get()) is not None:
                stream.write(line)
                if self._outgoing.empty():
                    stream.flush()

    def _listen(self) -> None:
        assert self._process.stderr
        with self._process.stderr as stream:
            while line := stream.readline(4096):
                self._complaints.append(line)
