"""Texts from users, and values in error messages, which have one line."""

from collections.abc import Iterable
from pathlib import Path

from .errors import AspgamesError, BadRequest


def quote(value: object) -> str:
    """A value for an error message: on one line, and not too long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:59]}…"


def hint(word: str, known: Iterable[str]) -> str:
    """The end of an error message with the known word that is like another; empty without one."""
    from difflib import get_close_matches  # needed only for errors

    near = get_close_matches(word, sorted(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with a noun, such as ``1 position`` or ``2,000 positions``."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def check_text(value: object, what: str, error: type[AspgamesError]) -> str:
    """The value, if it is a text; else raises ``error``."""
    if not isinstance(value, str):
        raise error(f"{what} is given as a text, not as {quote(value)}")
    return value


def utf8_text(path: Path, error: type[AspgamesError] = BadRequest) -> str:
    """The text of a file. Raises ``error`` if it can't be read, or isn't UTF-8."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else "it is not UTF-8 text"
        raise error(f"{path} can't be read: {reason}") from None
