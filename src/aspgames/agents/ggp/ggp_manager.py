"""A small game manager: plays one match between players, and records it.

The manager checks every move against the rules. A random legal move replaces a late, unreadable or
illegal move, and the record lists the mistake.
"""

import random
import re
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from threading import Thread
from urllib.parse import urlsplit

from ...game.state import State
from ...gdl.predicates import CHANCE
from ...runtime.budget import UNLIMITED, Budget
from ...runtime.errors import AspgamesError, BadRequest, EngineFailed, IllegalMove, RulesError
from .messages import (
    BUSY,
    NIL,
    Abort,
    Info,
    Message,
    Play,
    PlaySeen,
    Start,
    Stop,
    StopSeen,
    read_info,
    read_move,
)

PORT = 9147
"""The default port of players."""

_MOST_BYTES = 1_000_000  # bytes of an answer
_GREETING_SECONDS = 5.0  # seconds until a player must answer for the first time
_PARTING_SECONDS = 5.0  # seconds for the answers to STOP: a player that misses STOP stays busy
_ABORT_SECONDS = 2.0  # seconds for the answers to ABORT
_RETRY_SECONDS = 0.1  # seconds between two attempts
_MOST_CHARACTERS = 400  # the longest description of a mistake [characters]


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a player."""

    host: str
    port: int
    path: str = "/"

    @staticmethod
    def read(text: str) -> "Address":
        """Read ``http://HOST:PORT`` or ``HOST:PORT``. Raises ``BadRequest``."""
        full = text if "://" in text else f"http://{text}"
        try:
            parts = urlsplit(full)
            port = PORT if parts.port is None else parts.port
        except ValueError:
            parts, port = None, 0
        if not (parts and parts.scheme == "http" and parts.hostname and port):
            raise BadRequest(f"{text!r} is not the address of a player: give http://HOST:PORT")
        path = re.sub(r"[^!-~]", "", parts.path) or "/"
        return Address(parts.hostname, port, path)

    def __str__(self) -> str:
        return f"http://{self.host}:{self.port}"


def ask(player: Address, text: str, seconds: float, name: str = "") -> str:
    """A player's answer to a message; each network operation may take ``seconds``.

    Raises ``OSError`` (``TimeoutError`` after that time) and ``EngineFailed``.
    """
    connection = HTTPConnection(player.host, player.port, timeout=max(seconds, 0.01))
    headers = {
        "Accept": "text/delim",
        "Sender": "GAMESERVER",
        "Receiver": re.sub(r"[^!-~]", "", name),
        "Content-Type": "text/acl",
    }
    try:
        connection.request("POST", player.path, text.encode(), headers)
        response = connection.getresponse()
        body = response.read(_MOST_BYTES + 1)
    except (HTTPException, UnicodeError) as error:
        raise EngineFailed(f"no answer in HTTP: {error!r}") from None
    finally:
        connection.close()
    if len(body) > _MOST_BYTES:
        raise EngineFailed(f"the answer is longer than {_MOST_BYTES:,} bytes")
    answer = body.decode(errors="replace")
    if response.status != 200:
        raise EngineFailed(f"the answer is an error, {response.status}: {answer.strip()[:200]}")
    return answer


@dataclass(frozen=True, slots=True)
class PlayerMistake:
    """A player's failure to send a legal move."""

    turn: int
    """The number of the turn, from 1."""
    role: str
    kind: str
    """``timeout``, ``no_answer`` (the connection failed), ``no_move`` (the player answers BUSY or
    NIL), ``unreadable`` or ``illegal``."""
    what: str
    """A description of the mistake."""
    played: str
    """The random move that replaced it."""


@dataclass(slots=True)
class MatchRecord:
    """The record of a match so far; roles and moves are KIF texts."""

    match: str
    roles: tuple[str, ...]
    names: Mapping[str, str]
    """The players' names by role; ``random`` for a random player."""
    moves: list[tuple[str, ...]] = field(default_factory=list)
    """The joint move of each turn, in the order of the roles."""
    mistakes: list[PlayerMistake] = field(default_factory=list)
    goals: Mapping[str, int] | None = None
    """Each role's goal; None until the game is over."""


class Manager:
    """Plays a match of one game."""

    def __init__(
        self,
        start: State,
        rules: str,
        players: Sequence[Address | None],
        *,
        start_clock: float,
        play_clock: float,
        seed: int | None = None,
        progress: Callable[[MatchRecord], None] = lambda _record: None,
    ) -> None:
        """Greet the players: addresses in the order of the roles, None for random moves.

        ``rules`` is the sheet as ``read_rules`` returns it. The clocks limit the time to read it
        and the time for each move [s]. ``progress`` is called after each turn. Raises
        ``BadRequest`` for a wrong number of players, and ``EngineFailed`` if one doesn't answer.
        """
        self._state, self._rules, self._kif = start, rules, start.game.kif
        self._start_clock, self._play_clock = start_clock, play_clock
        self._random, self._progress = random.Random(seed), progress
        roles = start.game.players
        texts = tuple(map(self._kif.text, roles))
        if len(players) != len(roles):
            raise BadRequest(
                f"give as many players as there are roles, {len(roles)} ({', '.join(texts)}), not "
                f"{len(players)}" + (": chance plays itself" if start.game.chance else "")
            )
        _check_different([player for player in players if player])
        self._players = dict(zip(roles, players, strict=True))
        names = dict(zip(texts, map(_greet, players), strict=True))
        every = tuple(map(self._kif.text, start.game.roles))
        self.record = MatchRecord(f"match.{time.time_ns()}", every, names)
        self._last: Mapping[str, tuple[str, tuple[str, ...]]] = {}
        """With hidden information: each player's last move and percepts."""

    def play(self, budget: Budget = UNLIMITED) -> MatchRecord:
        """Play to the end; on an error, send ABORT to the players.

        Raises ``LimitReached``, and ``RulesError`` if the rules leave a role without a move.
        """
        match, clocks = self.record.match, (self._start_clock, self._play_clock)
        moves: tuple[str, ...] = ()
        try:
            self._ask_all(
                lambda role: Start(match, self._kif.text(role), self._rules, *clocks), clocks[0]
            )
            while not self._state.is_terminal:
                budget.spend()
                moves = self._play_turn(moves)
            goals = self._state.goals.items()
            self.record.goals = {self._kif.text(role): value for role, value in goals}
        except BaseException:
            self._ask_all(lambda _role: Abort(match), _ABORT_SECONDS)
            raise
        self._ask_all(lambda role: self._message(role, moves, is_over=True), _PARTING_SECONDS)
        return self.record

    def _message(self, role: str, moves: tuple[str, ...], is_over: bool = False) -> Message:
        """PLAY or STOP for a role; with hidden information it has the role's percepts."""
        match, turn = self.record.match, len(self.record.moves)
        if not self._state.game.hidden:
            return (Stop if is_over else Play)(match, moves)
        own, percepts = self._last.get(role, (None, None))
        return (StopSeen if is_over else PlaySeen)(match, turn, own, percepts)

    def _play_turn(self, before: tuple[str, ...]) -> tuple[str, ...]:
        legal, turn, text = self._state.legal, len(self.record.moves) + 1, self._kif.text
        for role, moves in legal.items():
            if not moves:
                raise RulesError(f"{text(role)} has no move, and the game isn't over")
        answers = self._ask_all(lambda role: self._message(role, before), self._play_clock)
        joint = {role: self._random.choice(moves).term for role, moves in legal.items()}
        if self._state.chance:
            joint[CHANCE] = self._state.draw(self._random).term
        for role, player in self._players.items():
            by_chance = joint[role]
            if player is not None:
                try:
                    joint[role] = self._read_answer(role, answers.get(role))
                except _WrongAnswer as wrong:
                    self.record.mistakes.append(
                        PlayerMistake(turn, text(role), wrong.kind, wrong.what, text(by_chance))
                    )
        self._last = {
            role: (text(joint[role]), tuple(map(text, seen)))
            for role, seen in self._state.sees(joint).items()
        }
        self._state = self._state.play(joint)
        played = tuple(map(text, joint.values()))
        self.record.moves.append(played)
        self._progress(self.record)
        return played

    def _read_answer(self, role: str, answer: str | Exception | None) -> str:
        if answer is None:
            raise _WrongAnswer("timeout", f"no answer within {self._play_clock:g} seconds")
        if isinstance(answer, Exception):
            raise _WrongAnswer("no_answer", str(answer))
        try:
            term = self._kif.move(read_move(answer))
        except AspgamesError as error:
            raise _WrongAnswer("unreadable", str(error)) from None
        if any(move.term == term for move in self._state.legal[role]):
            return term
        text = " ".join(answer.split())
        if text.upper() in (BUSY, NIL):
            raise _WrongAnswer("no_move", f"the player answers {text.upper()}")
        why = f"{text} is no move of the game"
        try:
            self._state.legal_move(role, term)
        except IllegalMove as error:
            why = f"{text}: {error}"
        except AspgamesError:  # the game has no such move
            pass
        raise _WrongAnswer("illegal", why)

    def _ask_all(
        self, message: Callable[[str], Message], seconds: float
    ) -> dict[str, str | Exception]:
        """The answers within ``seconds``, or the errors, by role; late ones are missing."""
        answers: dict[str, str | Exception] = {}
        until = time.monotonic() + seconds

        def ask_one(role: str, player: Address, name: str) -> None:
            try:
                answers[role] = ask(player, str(message(role)), seconds, name)
            except TimeoutError:
                pass
            except (OSError, EngineFailed) as error:
                answers[role] = error

        threads = [
            Thread(target=ask_one, args=(role, player, name), daemon=True)
            for (role, player), name in zip(
                self._players.items(), self.record.names.values(), strict=True
            )
            if player is not None
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))
        return dict(answers)


def _check_different(players: Sequence[Address]) -> None:
    """Raise ``BadRequest`` if two roles have one player, which plays one match at a time."""
    known: dict[tuple[object, ...], Address] = {}
    for player in players:
        try:
            machine = socket.gethostbyname(player.host)
        except (OSError, UnicodeError):
            machine = player.host
        place = machine, player.port, player.path
        if place in known:
            other = known[place]
            raise BadRequest(f"{player} is the same address as {other}: give each role its player")
        known[place] = player


class _WrongAnswer(Exception):
    """Why a player's answer is not a legal move."""

    def __init__(self, kind: str, what: str) -> None:
        super().__init__(what)
        self.kind, self.what = kind, what[:_MOST_CHARACTERS]


def _greet(player: Address | None) -> str:
    """A player's name; a player that has just started may take seconds to answer."""
    if player is None:
        return "random"
    until = time.monotonic() + _GREETING_SECONDS
    while True:
        try:
            left = max(_RETRY_SECONDS, until - time.monotonic())
            return read_info(ask(player, str(Info()), left)).get("name", str(player))
        except (OSError, EngineFailed) as error:
            if time.monotonic() > until:
                raise EngineFailed(f"{player} can't be reached: {error}") from None
            time.sleep(_RETRY_SECONDS)
        except BadRequest:  # the player doesn't know INFO
            return str(player)
