"""A small game manager: plays one match between players, and keeps a record of it.

Every move is held against the rules. Where a player sends none in time, one that can't be read or
one that isn't legal, a random legal move stands in for it, and that is noted.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from ...game.game import State
from ...runtime.budget import UNLIMITED, Budget
from ...runtime.errors import AspgamesError, BadRequest, EngineFailed, IllegalMove, RulesError
from .http_client import Address, ask
from .messages import (
    BUSY,
    NIL,
    Abort,
    Info,
    Message,
    Play,
    Start,
    Stop,
    read_info,
    read_move,
    write_message,
)

_GREETING = 5.0  # seconds in which players must be there
_PARTING = 5.0  # seconds for the answers to STOP: who hasn't heard it is busy for the next match
_BREAKING_OFF = 2.0  # seconds for those to ABORT
_AGAIN = 0.1  # seconds between two attempts


@dataclass(frozen=True, slots=True)
class PlayerMistake:
    """What a player did instead of sending a legal move."""

    turn: int
    """The turn, the first being 1."""
    role: str
    kind: str
    """``timeout``, ``no_answer`` (the connection failed), ``no_move`` (the player says that it has
    none), ``unreadable`` or ``illegal``."""
    what: str
    """What came instead, in a sentence."""
    played: str
    """The random move that stood in for it."""


@dataclass(slots=True)
class MatchRecord:
    """A match, as far as it has been played; roles and moves are KIF texts."""

    match: str
    roles: tuple[str, ...]
    names: Mapping[str, str]
    """What the players call themselves, by their roles; ``random`` for a random one."""
    moves: list[tuple[str, ...]] = field(default_factory=list)
    """Turn by turn, in the order of the roles."""
    mistakes: list[PlayerMistake] = field(default_factory=list)
    goals: Mapping[str, int] | None = None
    """By role; None as long as the game isn't over."""


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
        """``rules`` is the sheet, as ``read_rules`` has it, and ``start`` its initial state;
        ``players`` are in the order of its roles, None for random moves. ``progress`` is told after
        each turn. Raises ``BadRequest`` for another number of players, and ``EngineFailed`` where
        one isn't there.
        """
        self._state, self._rules, self._kif = start, rules, start.game.kif
        self._start_clock, self._play_clock = start_clock, play_clock
        self._random, self._progress = random.Random(seed), progress
        roles = start.game.roles
        if len(players) != len(roles):
            named = ", ".join(map(self._kif.text, roles))
            raise BadRequest(
                f"give as many players as there are roles, {len(roles)} ({named}), not "
                f"{len(players)}"
            )
        self._players = dict(zip(roles, players, strict=True))
        self.record = MatchRecord(
            f"match.{time.time_ns()}",
            tuple(map(self._kif.text, roles)),
            {self._kif.text(role): self._name(player) for role, player in self._players.items()},
        )
        """What has been played so far."""

    def play(self, budget: Budget = UNLIMITED) -> MatchRecord:
        """Play to the end. Raises ``LimitReached`` when the budget runs out, and ``RulesError``
        where the rules leave a role without a move; players are told that it is broken off."""
        over = False
        try:
            self._begin()
            moves: tuple[str, ...] = ()
            while not self._state.is_terminal:
                budget.spend()
                moves = self._turn(moves)
            self.record.goals = {
                self._kif.text(role): value for role, value in self._state.goals.items()
            }
            over = True
        finally:
            last = Stop(self.record.match, moves) if over else Abort(self.record.match)
            self._ask_all(lambda _role: last, _PARTING if over else _BREAKING_OFF)
        return self.record

    def _begin(self) -> None:
        def start(role: str) -> Message:
            clocks = self._start_clock, self._play_clock
            return Start(self.record.match, self._kif.text(role), self._rules, *clocks)

        self._ask_all(start, self._start_clock)

    def _turn(self, before: tuple[str, ...]) -> tuple[str, ...]:
        """Ask everybody for a move, and play them."""
        legal = self._state.legal
        for role, moves in legal.items():
            if not moves:
                raise RulesError(f"{self._kif.text(role)} has no move, and the game isn't over")
        answers = self._ask_all(lambda _role: Play(self.record.match, before), self._play_clock)
        joint = {}
        for role, player in self._players.items():
            by_chance = self._random.choice(legal[role]).term
            joint[role] = by_chance
            if player is not None:
                try:
                    joint[role] = self._move(role, answers.get(role))
                except _Wrong as wrong:
                    self._note(role, wrong, by_chance)
        self._state = self._state.play(joint)
        played = tuple(map(self._kif.text, joint.values()))
        self.record.moves.append(played)
        self._progress(self.record)
        return played

    def _move(self, role: str, answer: str | Exception | None) -> str:
        """The term of the move that a player sent."""
        if answer is None:
            raise _Wrong("timeout", f"no answer within {self._play_clock:g} seconds")
        if isinstance(answer, Exception):
            raise _Wrong("no_answer", str(answer))
        try:
            term = self._kif.move(read_move(answer))
        except AspgamesError as error:
            raise _Wrong("unreadable", str(error)) from None
        if not any(move.term == term for move in self._state.legal[role]):
            if answer.strip().upper() in (BUSY, NIL):
                raise _Wrong("no_move", f"the player answers {answer.strip().upper()}")
            raise _Wrong("illegal", self._why_not(role, term, answer))
        return term

    def _why_not(self, role: str, term: str, answer: str) -> str:
        text = " ".join(answer.split())
        try:
            self._state.legal_move(role, term)
        except IllegalMove as error:
            return f"{text}: {error}"
        except AspgamesError:  # it is no move of the game at all
            pass
        return f"{text} is no move of the game"

    def _note(self, role: str, wrong: _Wrong, played: str) -> None:
        turn, kif = len(self.record.moves) + 1, self._kif.text
        mistake = PlayerMistake(turn, kif(role), wrong.kind, wrong.what[:_LONG], kif(played))
        self.record.mistakes.append(mistake)

    def _ask_all(
        self, message: Callable[[str], Message], seconds: float
    ) -> dict[str, str | Exception]:
        """What the players answer within a time, by their roles."""
        answers: SimpleQueue[tuple[str, str | Exception]] = SimpleQueue()
        asked = 0
        until = time.monotonic() + seconds
        for role, player in self._players.items():
            if player is not None:
                name = self.record.names[self._kif.text(role)]
                given = player, write_message(message(role)), seconds, name
                Thread(target=_answer_into, args=(answers, role, *given), daemon=True).start()
                asked += 1
        found: dict[str, str | Exception] = {}
        while len(found) < asked:
            try:
                role, answer = answers.get(timeout=max(0.0, until - time.monotonic()))
            except Empty:
                break
            if not isinstance(answer, TimeoutError):
                found[role] = answer
        return found

    def _name(self, player: Address | None) -> str:
        """What a player calls itself; it may take some seconds until it listens."""
        if player is None:
            return "random"
        until = time.monotonic() + _GREETING
        while True:
            try:
                left = max(_AGAIN, until - time.monotonic())
                return read_info(ask(player, write_message(Info()), left)).get("name", str(player))
            except (OSError, EngineFailed) as error:
                if time.monotonic() > until:
                    raise EngineFailed(f"{player} can't be reached: {error}") from None
                time.sleep(_AGAIN)
            except BadRequest:  # it may not know what INFO is
                return str(player)


_LONG = 400  # characters of what a player sent


class _Wrong(Exception):
    """What a player sent is no legal move."""

    def __init__(self, kind: str, what: str) -> None:
        super().__init__(what)
        self.kind, self.what = kind, what


def _answer_into(
    answers: SimpleQueue[tuple[str, Any]],
    role: str,
    player: Address,
    text: str,
    seconds: float,
    name: str,
) -> None:
    try:
        answers.put((role, ask(player, text, seconds, name)))
    except (OSError, EngineFailed) as error:
        answers.put((role, error))
