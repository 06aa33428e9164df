"""The messages between a game manager and a player, both ways.

As "General Game Playing" by Genesereth and Thielscher has them, and as players in use send them:
``( START match role ( rule … ) startclock playclock )``. Blanks, case and comments don't matter.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from ...gdl.kif.expressions import Expression, KifError, List, Word, kif, shown, without_comments
from ...runtime.errors import BadRequest

READY = "READY"
"""The answer to START."""
BUSY = "BUSY"
"""The answer to what belongs to no match, or comes while another one is on."""
DONE = "DONE"
"""The answer to STOP."""
ABORTED = "ABORTED"
"""The answer to ABORT."""
NIL = "NIL"
"""Instead of moves: nobody has moved yet. As an answer: no move is known."""

_LONGEST_CLOCK = 1e7  # seconds


@dataclass(frozen=True, slots=True)
class Info:
    """Is the player there?"""


@dataclass(frozen=True, slots=True)
class Preview:
    """These rules may be played soon."""

    rules: str
    clock: float


@dataclass(frozen=True, slots=True)
class Start:
    """A match begins."""

    match: str
    role: str
    """The player's role."""
    rules: str
    """The rule sheet, a rule a line."""
    start_clock: float
    """Seconds until the answer."""
    play_clock: float
    """Seconds for each move."""


@dataclass(frozen=True, slots=True)
class Play:
    """A move is asked for."""

    match: str
    moves: tuple[str, ...]
    """What was played last, in the order of the roles; nothing on the first turn."""


@dataclass(frozen=True, slots=True)
class Stop:
    """The match is over."""

    match: str
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Abort:
    """The match is broken off."""

    match: str


Message = Info | Preview | Start | Play | Stop | Abort


def read_message(text: str) -> Message:
    """What a manager's text asks for. Raises ``BadRequest``."""
    found = _one(text, "message")
    if not isinstance(found, List) or not found.items or not isinstance(found.items[0], Word):
        raise BadRequest(f"{shown(found)} is no message: it must be ( INFO ), ( START … ) or so")
    name, *given = found.items
    assert isinstance(name, Word)
    if name.text == "info":
        return Info()
    if name.text == "preview":
        _count(name, given, 2)
        return Preview(_rules(given[0]), _clock(given[1]))
    if name.text == "start":
        _count(name, given, 5)
        match, role, rules, start, play = given[:5]  # a manager may tell more
        return Start(_match(match), kif(role), _rules(rules), _clock(start), _clock(play))
    if name.text == "play":
        _count(name, given, 2)
        return Play(_match(given[0]), _moves(given[1]))
    if name.text == "stop":
        _count(name, given, 2)
        return Stop(_match(given[0]), _moves(given[1]))
    if name.text == "abort":
        _count(name, given, 1)
        return Abort(_match(given[0]))
    raise BadRequest(
        f"{shown(name)} is no message; there are INFO, PREVIEW, START, PLAY, STOP and ABORT"
    )


def write_message(message: Message) -> str:
    """The text of a message."""
    if isinstance(message, Info):
        return "( INFO )"
    if isinstance(message, Preview):
        return f"( PREVIEW (\n{message.rules}\n) {message.clock:g} )"
    if isinstance(message, Start):
        clocks = f"{message.start_clock:g} {message.play_clock:g}"
        return f"( START {message.match} {message.role} (\n{message.rules}\n) {clocks} )"
    if isinstance(message, Abort):
        return f"( ABORT {message.match} )"
    word = "PLAY" if isinstance(message, Play) else "STOP"
    moves = f"( {' '.join(message.moves)} )" if message.moves else NIL
    return f"( {word} {message.match} {moves} )"


def read_rules(text: str) -> str:
    """A rule sheet as messages have it: without comments, a rule a line.

    Raises ``BadRequest`` for what is no KIF.
    """
    try:
        return "\n".join(map(kif, without_comments(text)))
    except KifError as error:
        raise BadRequest(error.what) from None


def read_move(text: str) -> str:
    """A move in KIF that a player answered, written as here. Raises ``BadRequest``."""
    return kif(_one(text, "move"))


def write_info(facts: Mapping[str, str]) -> str:
    """The answer to INFO: ``( ( name N ) ( status available ) )``."""
    return f"( {' '.join(f'( {name} {value} )' for name, value in facts.items())} )"


def read_info(text: str) -> dict[str, str]:
    """What a player says of itself; a lone word is its status. Raises ``BadRequest``."""
    found = _one(text, "answer to INFO")
    if isinstance(found, Word):
        return {"status": found.text}
    pairs = [item for item in found.items if isinstance(item, List) and len(item.items) > 1]
    return {kif(pair.items[0]): " ".join(map(kif, pair.items[1:])) for pair in pairs}


def _one(text: str, what: str) -> Expression:
    try:
        found = [*islice(without_comments(text), 2)]  # of a long text of nonsense no more is read
    except KifError as error:
        raise BadRequest(f"{error.what} (character {error.at + 1})") from None
    if len(found) != 1:
        count = "there is nothing" if not found else "there is more than one expression"
        raise BadRequest(f"this is no {what}: {count}")
    return found[0]


def _count(name: Word, given: Iterable[Expression], least: int) -> None:
    count = len([*given])
    if count < least or (count > least and name.text != "start"):
        raise BadRequest(f"{name.text.upper()} takes {least} arguments, not {count}")


def _match(found: Expression) -> str:
    if not isinstance(found, Word):
        raise BadRequest(f"{shown(found)} is no match's name: it must be a word")
    return found.text


def _rules(found: Expression) -> str:
    if not isinstance(found, List):
        raise BadRequest(f"{shown(found)} is no rule sheet: it must be a list of rules")
    return "\n".join(map(kif, found.items))


def _clock(found: Expression) -> float:
    try:
        seconds = float(kif(found))
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= _LONGEST_CLOCK:
        raise BadRequest(f"{shown(found)} is no clock: it must be a number of seconds")
    return seconds


def _moves(found: Expression) -> tuple[str, ...]:
    if isinstance(found, List):
        return tuple(map(kif, found.items))
    if found.text != "nil":
        raise BadRequest(f"{shown(found)} is no list of moves, nor NIL")
    return ()
