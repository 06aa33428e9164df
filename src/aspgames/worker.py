"""A server that answers in a process of its own, so that no request can bring it down.

A request that takes too much time or memory, or that the process doesn't survive, is answered with
an error; a new process then goes on. So it does when the old one has grown: clingo never gives back
the memory of a text or number that it has seen.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from typing import IO

from .errors import AspgamesError, LimitReached, OutOfTime, RulesError
from .processes import death_text, died_of_rules, end_with, memory_text, resident_bytes
from .puzzle.solution import undecided
from .report import JsonObject, error_report, solution_report
from .request import decode, encode, read_lines
from .serve import Server, asks_for_the_start, seconds_of

MOST_BYTES = float(2 << 30)
"""What the process may take, unless something else is asked for."""

_LATE = 1.0  # seconds that an answer may take beyond its limit
_READING = 60.0  # seconds in which the games must be read
_LOOK = 0.1  # seconds between looks at the memory


class WatchedServer:
    """Answers as a ``Server`` does, through a process that may be ended at any moment."""

    def __init__(self, server: Server, most_bytes: float = MOST_BYTES) -> None:
        """Raises as ``Server.prepare`` does, and ``LimitReached`` if that doesn't end."""
        self._server, self._most_bytes = server, most_bytes
        self._beyond: dict[str, tuple[float, LimitReached]] = {}
        """The games that are beyond the limits at their very start, with these seconds: nobody who
        gives no more of them has to wait for the same again."""
        self._start()

    def run(self, requests: IO[bytes], answers: IO[str]) -> None:
        """Answer each line until the end of the input; each answer is flushed."""
        for line in read_lines(requests):
            answers.write(self.answer(line) + "\n")
            answers.flush()

    def answer(self, line: bytes | None) -> str:
        """The answer to one line, whatever is in it and whatever comes of it."""
        if line is None:
            return encode(self._server.answer(line))
        request: JsonObject = {}
        with contextlib.suppress(AspgamesError):  # the answer says what is wrong with it
            request = decode(line)
        game, seconds = str(request.get("game")), seconds_of(request)
        if game in self._beyond and seconds <= self._beyond[game][0]:
            return _refusal(request, self._beyond[game][1])
        try:
            try:
                found = self._ask(line, seconds)
            except RulesError:  # perhaps not of this, but of a net that would have served it, too
                self._begin_anew()
                found = self._ask(line, seconds)
        except (OSError, AspgamesError) as error:
            self._begin_anew()
            if isinstance(error, LimitReached) and asks_for_the_start(request):
                self._beyond[game] = seconds, error
            return _refusal(request, error)
        if resident_bytes(self._pid) > self._most_bytes / 2:
            self._begin_anew()
        return found

    def _ask(self, line: bytes, seconds: float) -> str:
        """The answer of the process. Raises as ``_receive`` does."""
        self._requests.write(line.rstrip(b"\n") + b"\n")
        self._requests.flush()
        return self._receive(seconds)

    def _begin_anew(self) -> None:
        """End the process, and start another."""
        self._end()
        self._start()

    def _start(self) -> None:
        """Start the process, and wait until it is ready."""
        reads, asks = os.pipe()
        self._hears, writes = os.pipe()
        waits, self._lives = os.pipe()
        self._heard = b""
        self._pid = os.fork()
        if not self._pid:
            for end in (asks, self._hears, self._lives):
                os.close(end)
            end_with(waits)
            self._work(reads, writes)
        for end in (reads, writes, waits):
            os.close(end)
        self._requests = os.fdopen(asks, "wb")
        if refusal := self._receive(_READING):
            raise RulesError(refusal)

    def _work(self, reads: int, writes: int) -> None:
        """What the process does: it never returns."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # that is the other one's affair
        code = 0
        with os.fdopen(reads, "rb") as requests, os.fdopen(writes, "w") as answers:
            try:
                try:
                    self._server.prepare()
                    answers.write("\n")
                except AspgamesError as error:
                    answers.write(f"{error}\n")
                answers.flush()
                self._server.run(requests, answers)
            except OSError:  # nobody reads the answers any more
                code = 1
            finally:
                os._exit(code)

    def _receive(self, seconds: float) -> str:
        """The next line. Raises ``LimitReached``, and ``RulesError`` if there will be none."""
        deadline = time.monotonic() + seconds + _LATE
        while b"\n" not in self._heard:
            if select.select([self._hears], [], [], _LOOK)[0]:
                text = os.read(self._hears, 1 << 20)
                if not text:
                    raise self._death()
                self._heard += text
            elif time.monotonic() > deadline:
                raise OutOfTime(f"no answer within {seconds:g} seconds")
            elif resident_bytes(self._pid) > self._most_bytes:
                raise LimitReached(f"no answer within {memory_text(self._most_bytes)}")
        line, _, self._heard = self._heard.partition(b"\n")
        return line.decode()

    def _death(self) -> AspgamesError:
        """What is said of a process that is no more."""
        _, status = os.waitpid(self._pid, 0)
        self._pid = 0
        number = -os.waitstatus_to_exitcode(status)
        if number > 0:
            return (RulesError if died_of_rules(number) else LimitReached)(death_text(number))
        return LimitReached("the process that answers has ended")

    def _end(self) -> None:
        """End the process."""
        with contextlib.suppress(OSError):  # what was written last may be left
            self._requests.close()
        os.close(self._hears)
        os.close(self._lives)
        if self._pid:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)


def _refusal(request: JsonObject, error: OSError | AspgamesError) -> str:
    """The answer to a request that came to nothing."""
    if isinstance(error, OutOfTime) and request.get("op") == "solve":
        return encode(solution_report(request, undecided(seconds_of(request))))
    echo = {"id": request["id"]} if "id" in request else {}
    return encode(error_report(error) | echo)
