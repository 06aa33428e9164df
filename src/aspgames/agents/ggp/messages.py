"""The messages between a game manager and a player, both ways.

The texts follow "General Game Playing" (Genesereth and Thielscher 2014) and players in use:
``( START match role ( rule … ) startclock playclock )``. Blanks, case and comments don't matter.
PLAY and STOP have a second form for hidden information (GDL-II), that of the GameController of
Dresden: ``( PLAY match turn move ( percept … ) )``, with NIL NIL on turn 0.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from itertools import islice
from typing import Any

from ...gdl.kif.sheet import Expression, KifError, List, Word, kif, shown, without_comments
from ...runtime.errors import BadRequest

READY = "READY"
"""The answer to START."""
BUSY = "BUSY"
"""The answer to a message about no known match, or during another match."""
DONE = "DONE"
"""The answer to STOP."""
ABORTED = "ABORTED"
"""The answer to ABORT."""
NIL = "NIL"
"""In a message: no moves yet. As an answer: the player knows no move."""

PREPARING = -1
"""The number of the preparation, before the first turn."""
_LONGEST_CLOCK = 1e7  # seconds


@dataclass(frozen=True)
class _Message:
    """A message of a manager; ``str`` is its text."""

    def __str__(self) -> str:
        words = [type(self).__name__.removesuffix("Seen").upper()]
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name == "rules":
                words.append(f"(\n{value}\n)")
            elif each.name in ("moves", "percepts") and value is not None:
                empty = NIL if each.name == "moves" else "( )"
                words.append(f"( {' '.join(value)} )" if value else empty)
            elif value is None:
                words.append(NIL)
            else:
                words.append(value if isinstance(value, str) else f"{value:g}")
        return f"( {' '.join(words)} )"


@dataclass(frozen=True)
class Info(_Message):
    """Asks for the player's name and status."""


@dataclass(frozen=True)
class Preview(_Message):
    """Announces rules that may be played soon."""

    rules: str
    start_clock: float


@dataclass(frozen=True)
class Start(_Message):
    """Begins a match."""

    match: str
    role: str
    rules: str
    """The rule sheet, one rule on each line."""
    start_clock: float
    """Time until the answer [s]."""
    play_clock: float
    """Time for each move [s]."""


@dataclass(frozen=True)
class _MovesMessage(_Message):
    match: str
    moves: tuple[str, ...]
    """The moves played last, in the order of the roles; empty on the first turn."""


class Play(_MovesMessage):
    """Asks for a move."""


class Stop(_MovesMessage):
    """Ends a match that is over."""


@dataclass(frozen=True)
class _SeenMessage(_Message):
    match: str
    turn: int
    """The number of plies before."""
    move: str | None
    """The player's own last move; None on turn 0."""
    percepts: tuple[str, ...] | None
    """What the player perceived of the last ply; None on turn 0."""


class PlaySeen(_SeenMessage):
    """Asks for a move in a game with hidden information."""


class StopSeen(_SeenMessage):
    """Ends a match with hidden information that is over."""


@dataclass(frozen=True)
class Abort(_Message):
    """Aborts a match."""

    match: str


Message = Info | Preview | Start | Play | PlaySeen | Stop | StopSeen | Abort
_KINDS: dict[str, type[Message]] = {
    kind.__name__.lower(): kind for kind in (Info, Preview, Start, Play, Stop, Abort)
}
_SEEN: dict[str, type[Message]] = {"play": PlaySeen, "stop": StopSeen}
_OPEN_ENDED = {"info", "start"}  # messages that may have further arguments


def read_message(text: str) -> Message:
    """Read a manager's message. Raises ``BadRequest``."""
    found = _read_one(text, "message")
    if not isinstance(found, List) or not found.items or not isinstance(found.items[0], Word):
        raise BadRequest(f"{shown(found)} is no message: it must be ( INFO ), ( START … ) or so")
    name, *given = found.items
    assert isinstance(name, Word)
    if name.text not in _KINDS:
        raise BadRequest(
            f"{shown(name)} is no message; there are INFO, PREVIEW, START, PLAY, STOP and ABORT"
        )
    kind = _KINDS[name.text]
    if len(given) == len(fields(PlaySeen)):
        kind = _SEEN.get(name.text, kind)
    takes = [_READERS[each.name] for each in fields(kind)]
    if len(given) < len(takes) or (len(given) > len(takes) and name.text not in _OPEN_ENDED):
        raise BadRequest(f"{name.text.upper()} takes {len(takes)} arguments, not {len(given)}")
    return kind(*(read(one) for read, one in zip(takes, given, strict=False)))


def read_rules(text: str) -> str:
    """A rule sheet without comments, one rule on each line. Raises ``BadRequest``."""
    try:
        return "\n".join(map(kif, without_comments(text)))
    except KifError as error:
        raise BadRequest(error.what) from None


def read_move(text: str) -> str:
    """A player's move in normalized KIF. Raises ``BadRequest``."""
    return kif(_read_one(text, "move"))


def write_info(facts: Mapping[str, str]) -> str:
    """The answer to INFO: ``( ( name N ) ( status available ) )``."""
    return f"( {' '.join(f'( {name} {value} )' for name, value in facts.items())} )"


def read_info(text: str) -> dict[str, str]:
    """A player's answer to INFO; a lone word is its status. Raises ``BadRequest``."""
    found = _read_one(text, "answer to INFO")
    if isinstance(found, Word):
        return {"status": found.spelling}
    pairs = [item for item in found.items if isinstance(item, List) and len(item.items) > 1]
    return {kif(pair.items[0]).lower(): " ".join(map(kif, pair.items[1:])) for pair in pairs}


def _read_one(text: str, what: str) -> Expression:
    try:
        found = [*islice(without_comments(text), 2)]  # two suffice to detect an error
    except KifError as error:
        raise BadRequest(f"{error.what} (character {error.at + 1})") from None
    if len(found) != 1:
        count = "there is nothing" if not found else "there is more than one expression"
        raise BadRequest(f"this is no {what}: {count}")
    return found[0]


def _read_match(found: Expression) -> str:
    if not isinstance(found, Word):
        raise BadRequest(f"{shown(found)} is no match's name: it must be a word")
    return found.text


def _read_rules(found: Expression) -> str:
    if not isinstance(found, List):
        raise BadRequest(f"{shown(found)} is no rule sheet: it must be a list of rules")
    return "\n".join(map(kif, found.items))


def _read_clock(found: Expression) -> float:
    try:
        seconds = float(kif(found))
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= _LONGEST_CLOCK:
        raise BadRequest(f"{shown(found)} is no clock: it must be a number of seconds")
    return seconds


def _read_moves(found: Expression) -> tuple[str, ...]:
    if isinstance(found, List):
        return tuple(map(kif, found.items))
    if found.text != "nil":
        raise BadRequest(f"{shown(found)} is no list of moves, nor NIL")
    return ()


def _read_turn(found: Expression) -> int:
    if not isinstance(found, Word) or not found.text.isdecimal() or len(found.text) > 9:
        raise BadRequest(f"{shown(found)} is no turn: it must be a whole number")
    return int(found.text)


def _read_own_move(found: Expression) -> str | None:
    return None if isinstance(found, Word) and found.text == "nil" else kif(found)


def _read_percepts(found: Expression) -> tuple[str, ...] | None:
    return _read_moves(found) if isinstance(found, List) else _read_moves(found) or None


_READERS: dict[str, Callable[[Expression], Any]] = {
    "match": _read_match,
    "role": kif,
    "rules": _read_rules,
    "start_clock": _read_clock,
    "play_clock": _read_clock,
    "moves": _read_moves,
    "turn": _read_turn,
    "move": _read_own_move,
    "percepts": _read_percepts,
}
