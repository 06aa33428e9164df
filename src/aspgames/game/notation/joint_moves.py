"""Joint moves as text, read and written: ``white=rock,black=paper``.

A text with an equals sign outside parentheses and quotes is a joint move. Any other is one move,
and so is a promotion such as ``e7-e8=q`` or ``exd8=Q+``.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from ...asp.canonical import canonical
from ...asp.terms import shorten
from ...runtime.errors import BadMove

_PROMOTION = re.compile(r"\s*(?:[a-z]+[0-9]+[-x:]?[a-z]+[0-9]+=[a-z]|[\w:-]+=[A-Z])[+#!?]*\s*\Z")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|.', re.DOTALL)


def is_joint(text: str) -> bool:
    """Whether a text is a joint move, perhaps a malformed one."""
    named = "=" in text and any(mark == "=" for _, mark in _marks(text))
    return named and not _PROMOTION.match(text)


def parse_joint(text: str) -> dict[str, str]:
    """The moves of a joint move by their roles, as texts without blanks around them.

    Roles and moves may be unknown to the game. Raises ``BadMove`` if a part isn't ``ROLE=MOVE`` or
    a role occurs twice.
    """
    found: dict[str, str] = {}
    for part in _parts(text):
        equals = next((place for place, mark in _marks(part) if mark == "="), None)
        name, move = (part, "") if equals is None else (part[:equals], part[equals + 1 :])
        name, move = name.strip(), move.strip()
        if not name or not move:
            wrong = f"{shorten(part.strip())!r} in it isn't" if part.strip() else "a part is empty"
            raise BadMove(f"{shorten(text)!r} is no joint move of ROLE=MOVE,ROLE=MOVE: {wrong}")
        role = canonical(name) or " ".join(name.split())
        if role in found:
            raise BadMove(f"{shorten(text)!r} has two moves for {shorten(role)}")
        found[role] = move
    return found


def format_joint(joint: Mapping[str, str]) -> str:
    """The text of moves by their roles."""
    return ",".join(f"{role}={move}" for role, move in joint.items())


def format_ply(joint: Mapping[str, str], movers: Sequence[str]) -> str:
    """A ply as text: the move of a single mover, else the joint move of all movers."""
    if len(movers) == 1:
        return joint[movers[0]]
    return format_joint({role: joint[role] for role in movers})


def moves_in(text: str) -> list[str]:
    """The moves of a text, which may be a joint move. Raises ``BadMove``."""
    return list(parse_joint(text).values()) if is_joint(text) else [text]


def _parts(text: str) -> Iterator[str]:
    """The parts between commas outside parentheses and quotes."""
    start = 0
    for place, mark in _marks(text):
        if mark == ",":
            yield text[start:place]
            start = place + 1
    yield text[start:]


def _marks(text: str) -> Iterator[tuple[int, str]]:
    """The commas and equals signs outside parentheses and quotes, with their places."""
    depth = 0
    for token in _TOKEN.finditer(text):
        mark = token[0]
        depth = max(0, depth + (mark == "(") - (mark == ")"))
        if depth == 0 and mark in (",", "="):
            yield token.start(), mark
