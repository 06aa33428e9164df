"""The oracle for other engines: it answers each line, a JSON object, with one line.

``docs/serve.md`` documents the protocol.
"""

from __future__ import annotations

import contextlib
import math
import pickle
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any

from ..._version import __version__
from ...game.chance import Percepts
from ...game.game import Game, game_of_encoding
from ...game.notation.notations import unknown_moves
from ...game.reports import followed, play_report, state_report, view_report
from ...game.requests import moves_of, notation_of, state_of
from ...game.state import State
from ...gdl.encoding import Encoding, games, read_encoding, variants
from ...play.perft import divide, perft, perft_report
from ...puzzle.puzzle_request import puzzle_of
from ...puzzle.solution import solution_report, undecided
from ...runtime.arguments import quote
from ...runtime.budget import SECONDS, Budget
from ...runtime.errors import (
    AspgamesError,
    BadRequest,
    LimitReached,
    OutOfTime,
    RulesError,
    UnknownGame,
)
from ...runtime.json_lines import JsonObject, decode, encode, error_report, read_lines
from ...runtime.process_messages import if_killed, within
from ...runtime.workers.worker import Worker

if TYPE_CHECKING:
    from ...game.view import View

_PROTOCOL = 1
_READING = 60.0  # the time limit for reading the games [s]


class Server:
    """Answers requests about the built-in games and the user's own games given at the start."""

    def __init__(
        self,
        own: Iterable[Encoding] = (),
        refused: Mapping[str, AspgamesError] = MappingProxyType({}),
    ) -> None:
        """Serve the built-in games and a user's own. Requests open no files.

        ``refused`` maps the names of unreadable games to their errors.
        """
        self._own, self._refused = tuple(own), refused
        encodings = [*(read_encoding(name) for name in games()), *self._own]
        self._encodings = {encoding.name: encoding for encoding in encodings}
        self._operations: Mapping[str, Callable[[JsonObject], JsonObject]] = {
            "hello": self._hello,
            "legal": self._legal,
            "play": self._play,
            "perft": self._perft,
            "solve": self._solve,
        }

    def prepare(self) -> None:
        """Read the user's own games. Raises ``RulesError`` and ``LimitReached``.

        Rule sheets are read at the first request for them, and may fail then.
        """
        for encoding in self._own:
            if not encoding.is_sheet:
                self.load(encoding.name, {})

    def answer(self, line: bytes | None) -> JsonObject:
        """The answer to one line, valid or not."""
        echo: JsonObject = {}
        try:
            request = decode(line)
            if "id" in request:
                echo["id"] = request["id"]
            operation = request.get("op")
            if not isinstance(operation, str) or operation not in self._operations:
                known = ", ".join(self._operations)
                found = (
                    f"there is no op {str(operation)[:60]!r}" if "op" in request else "give an op"
                )
                raise BadRequest(f"{found}; there are: {known}")
            return self._operations[operation](request) | echo
        except Exception as error:  # the server continues with the next line in any case
            return error_report(error) | echo

    def load(self, name: str, constants: Mapping[str, Any]) -> Game:
        """A served game. Raises ``UnknownGame``, or the error of a refused game."""
        if name in self._refused:
            raise self._refused[name]
        if name in variants():
            return game_of_encoding(read_encoding(name), constants)
        if name not in self._encodings:
            near = get_close_matches(name, self._encodings, n=1)
            hint = f"did you mean {near[0]}?" if near else "hello lists the games"
            raise UnknownGame(f"there is no game {name[:60]!r}; {hint}")
        return game_of_encoding(self._encodings[name], constants)

    def _hello(self, _request: JsonObject) -> JsonObject:
        known = sorted(self._encodings)
        return {"version": __version__, "protocol": _PROTOCOL, "games": known}

    def _legal(self, request: JsonObject) -> JsonObject:
        state = state_of(request, self.load)
        view = _view(request, state)
        if view is None:
            return _report(request, state)
        return notation_of(request, state.game).report(view_report(view))

    def _play(self, request: JsonObject) -> JsonObject:
        state = state_of(request, self.load)
        written = notation_of(request, state.game)
        sees: Percepts = {}
        view = _view(request, state)
        for move in moves_of(request):
            with unknown_moves(state, written):
                played = written.played(move)
                sees = state.sees(played) if state.game.hidden else {}
                view = followed(view, state, played)
                state = state.play(played)
        return written.report(view_report(view)) if view else _report(request, state, sees)

    def _perft(self, request: JsonObject) -> JsonObject:
        state = state_of(request, self.load)
        if "depth" not in request:
            raise BadRequest("a perft needs a depth")
        depth, budget = request["depth"], _budget(request)
        if not isinstance(request.get("divide", False), bool):
            raise BadRequest("divide must be true or false")
        if request.get("divide"):
            written = notation_of(request, state.game)
            split = divide(state, depth, budget=budget)
            behind = {written.joint_text(move): nodes for move, nodes in split.items()}
            return perft_report(state.game, depth, sum(split.values()), behind)
        return perft_report(state.game, depth, perft(state, depth, budget=budget))

    def _solve(self, request: JsonObject) -> JsonObject:
        from ...solver.solvers import open_any_puzzle  # loaded only if necessary

        puzzle, budget = puzzle_of(request, self.load, has_chance=True), _budget(request)
        nothing = ""
        if puzzle.chance is not None:  # of others the parent knows as much
            nothing = encode(solution_report(request, undecided(seconds_of(request), puzzle)))
        try:
            with if_killed(nothing, nothing):
                solution = open_any_puzzle(puzzle, budget).run()
            written = notation_of(request, puzzle.state.game)
            return written.solution(solution_report(request, solution))
        except OutOfTime:
            return solution_report(request, undecided(budget.seconds, puzzle))


def _view(request: JsonObject, state: State) -> View | None:
    """The view of the role whose name is in the request, if there is one."""
    if "as" not in request:
        return None
    if not isinstance(role := request["as"], str):
        raise BadRequest(f"as must be the name of a role, not {quote(role)}")
    return state.view(notation_of(request, state.game).term(role))


def _report(request: JsonObject, state: State, sees: Percepts | None = None) -> JsonObject:
    state.goals  # noqa: B018 - refuses an end without settled goals
    report = state_report(state) if sees is None else play_report(state, sees)
    return notation_of(request, state.game).report(report)


def seconds_of(request: JsonObject) -> float:
    """The time limit of a request, valid or not."""
    seconds = request.get("time", SECONDS)
    return seconds if isinstance(seconds, int | float) and 0 < seconds < math.inf else SECONDS


def _budget(request: JsonObject) -> Budget:
    seconds = request.get("time", SECONDS)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise BadRequest("time must be a number of seconds")
    return Budget(seconds)


class WatchedServer:
    """Answers like a ``Server``, in a process that may be killed at any moment."""

    def __init__(
        self, own: Iterable[Encoding], refused: Mapping[str, AspgamesError], most_bytes: float
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
            of_start = request.get("position", "startpos") == "startpos"
            if isinstance(error, LimitReached) and request.get("op") == "legal" and of_start:
                self._beyond[game] = seconds, error
            return _refusal(request, error)

    def _ask(self, line: bytes | None, seconds: float) -> str:
        found: str = self._worker.call(_answer, (self._server, line), {}, seconds=seconds)
        return found


@cache
def _server(parts: bytes) -> Server:
    return Server(*pickle.loads(parts))


def _prepare(parts: bytes) -> None:
    with within("the games can't be read", _READING):
        _server(parts).prepare()


def _answer(parts: bytes, line: bytes | None) -> str:
    return encode(_server(parts).answer(line))


def _refusal(request: JsonObject, error: AspgamesError) -> str:
    if isinstance(error, OutOfTime) and request.get("op") == "solve":
        for known in getattr(error, "__notes__", ()):
            return str(known)
        return encode(solution_report(request, undecided(seconds_of(request))))
    echo = {"id": request["id"]} if "id" in request else {}
    return encode(error_report(error) | echo)
