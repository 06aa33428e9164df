"""A server that answers in a separate process, so that no request can stop it.

A request that exceeds its limits, or crashes the process, gets an error as its answer. A new
process then continues (see ``workers/worker.py``).
"""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Iterable, Mapping
from functools import cache
from typing import IO

from ...gdl.encoding import Encoding
from ...puzzle.solution import solution_report, undecided
from ...runtime.errors import AspgamesError, LimitReached, OutOfTime, RulesError
from ...runtime.json_lines import JsonObject, decode, encode, error_report, read_lines
from ...runtime.process_messages import within
from ...runtime.workers.worker import Worker
from .oracle import Server, asks_for_the_start, seconds_of

_READING = 60.0  # the time limit for reading the games [s]


class WatchedServer:
    """Answers like a ``Server``, in a process that may be killed at any moment."""

    def __init__(
        self,
        own: Iterable[Encoding],
        refused: Mapping[str, AspgamesError],
        most_bytes: float,
    ) -> None:
        """Start a ``Server`` in a process with so much memory.

        Raises ``RulesError`` and ``LimitReached`` if the user's own games can't be read.
        """
        self._server = pickle.dumps((tuple(own), dict(refused)))
        self._worker = Worker(most_bytes)
        self._beyond: dict[str, tuple[float, LimitReached]] = {}
        """The games whose initial state exceeds the limits, with the time limit of that attempt.

        Requests with no larger time limit fail at once.
        """
        self._worker.call(_prepare, (self._server,), {})

    def run(self, requests: IO[bytes], answers: IO[str]) -> None:
        """Answer each line until the end of the input, and flush each answer."""
        for line in read_lines(requests):
            answers.write(self.answer(line) + "\n")
            answers.flush()
        self._worker.close()

    def answer(self, line: bytes | None) -> str:
        """The answer to one line, valid or not."""
        request: JsonObject = {}
        with contextlib.suppress(AspgamesError):  # the server reports them
            request = decode(line)
        game, seconds = str(request.get("game")), seconds_of(request)
        if game in self._beyond and seconds <= self._beyond[game][0]:
            return _refusal(request, self._beyond[game][1])
        try:
            try:
                return self._ask(line, seconds)
            except RulesError:  # perhaps making a net crashed: try without
                return self._ask(line, seconds)
        except AspgamesError as error:
            if isinstance(error, LimitReached) and asks_for_the_start(request):
                self._beyond[game] = seconds, error
            return _refusal(request, error)

    def _ask(self, line: bytes | None, seconds: float) -> str:
        """The answer of the process. Raises the errors of a ``Worker``."""
        found: str = self._worker.call(_answer, (self._server, line), {}, seconds=seconds)
        return found


@cache
def _server(parts: bytes) -> Server:
    """The server in the answering process."""
    return Server(*pickle.loads(parts))


def _prepare(parts: bytes) -> None:
    with within("the games can't be read", _READING):
        _server(parts).prepare()


def _answer(parts: bytes, line: bytes | None) -> str:
    return encode(_server(parts).answer(line))


def _refusal(request: JsonObject, error: AspgamesError) -> str:
    """The answer to a request that failed."""
    if isinstance(error, OutOfTime) and request.get("op") == "solve":
        return encode(solution_report(request, undecided(seconds_of(request))))
    echo = {"id": request["id"]} if "id" in request else {}
    return encode(error_report(error) | echo)
