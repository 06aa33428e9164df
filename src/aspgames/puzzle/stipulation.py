"""The stipulations of chess problems, as puzzles: ``#2``, ``s#3``, ``h#2.5``, ``ser-#4``."""

import re
from typing import NamedTuple

from ..game.state import State
from ..runtime.arguments import quote
from ..runtime.errors import BadRequest
from .goal import GoalKind
from .question import others

TOGETHER = "together"
"""The stipulation of a puzzle with a goal in which both sides help."""
STIPULATION = re.compile(r"((?:ser-)?h?|s)(#|=)([0-9]{1,2})(\.5)?")
STIPULATION_HELP = (
    "#N (mate in N), s#N (selfmate), =N (stalemate), h#N, h#N.5 or h=N (helpmate), ser-#N, "
    "ser-=N, ser-h#N or ser-h=N (series)"
)


class Stipulation(NamedTuple):
    """The parts of a puzzle that a stipulation states for a position."""

    attacker: str
    goal: str
    within: int
    helped: bool


def read_stipulation(text: object, state: State) -> Stipulation:
    """Read a stipulation; the side on move begins.

    In a helpmate the other side attacks, but with ``.5`` the side on move. In a series mover,
    constants of the rules name the side on move and the end, as ``series_constants`` does.

    >>> import aspgames
    >>> read_stipulation("s#3", aspgames.load("minichess").initial)
    Stipulation(attacker='white', goal='lose', within=3, helped=False)

    Raises:
        BadRequest: The text is no stipulation, or the game has other roles.
    """
    found = STIPULATION.fullmatch(text) if isinstance(text, str) else None
    kind, sign, turns, half = found.groups() if found else ("", "", "0", None)
    within = int(turns) + bool(half)
    if not within or (half and kind != "h") or (sign == "=" and kind == "s"):
        raise BadRequest(f"the stipulation must be {STIPULATION_HELP}, not {quote(text)}")
    mover, roles = state.to_move, state.game.roles
    if mover is None or len(roles) != 2:
        raise BadRequest(f"stipulations are for two sides, one of them on move: {state.game.name}")
    needed = series_constants(str(text), mover)
    if not needed.items() <= state.game.constants.items():
        options = " ".join(f"-c {name}={value}" for name, value in needed.items())
        raise BadRequest(f"{quote(text)} needs rules with series movers, and {options}")
    waits = kind.endswith("h") and not half
    goal = GoalKind.LOSE if kind == "s" else GoalKind.WIN if sign == "#" else GoalKind.STALEMATE
    attacker = others(roles, mover)[0] if waits else mover
    return Stipulation(attacker, goal.value, within, is_helped(text))


_WORDS = {
    "#": {"": "Mate", "s": "Selfmate", "h": "Helpmate", "ser-": "Series mate"},
    "=": {"": "Stalemate", "h": "Help stalemate", "ser-": "Series stalemate"},
}


def in_words(text: object) -> str:
    """A stipulation as people say it; empty for other texts.

    >>> in_words("#2"), in_words("h#2.5"), in_words("ser-h=4")
    ('Mate in 2', 'Helpmate in 2.5', 'Series help stalemate in 4')
    """
    found = STIPULATION.fullmatch(text) if isinstance(text, str) else None
    if not found:
        return ""
    kind, sign, turns, half = found.groups()
    helped = f"Series help{'mate' if sign == '#' else ' stalemate'}"
    said = _WORDS[sign].get(kind, helped)
    return f"{said} in {turns}{half or ''}"


def series_constants(text: str, mover: str) -> dict[str, str]:
    """The constants of the rules for a series mover; without a series, none."""
    if not text.startswith("ser-"):
        return {}
    if text.startswith("ser-h"):
        return {"help_series": mover}
    return {"series": mover} | ({"series_end": "stalemate"} if "=" in text else {})


def is_helped(text: object) -> bool:
    """Whether a puzzle's stipulation says that both sides help."""
    return isinstance(text, str) and (text == TOGETHER or text.startswith(("h", "ser-h")))
