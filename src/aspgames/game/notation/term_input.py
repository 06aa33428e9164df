"""Reading ground terms: the fluents of a position, and moves written as terms."""

from functools import lru_cache

from ...asp.canonical import canonical
from ...asp.terms import DEEPEST, shorten
from ...runtime.errors import BadMove, BadPosition
from ..position_check import fluent_of

_SEPARATORS = frozenset(" \t\r\n\f\v,.")
_MOST_CHARACTERS = 1_000_000
_SHORT_FACT = 100  # characters of a fact to cache; positions have most facts in common


def parse_facts(text: str) -> tuple[str, ...]:
    """The fluents of ``cell(1,4,white) control(white) …``, canonical and sorted.

    Blanks, commas and full stops separate facts; ``true(...)`` around a fact is removed. Raises
    ``BadPosition`` with the place of a malformed fact.
    """
    if len(text) > _MOST_CHARACTERS:
        raise BadPosition(f"the position is longer than {_MOST_CHARACTERS:,} characters")
    fluents = set()
    for start, piece in _split(text):
        fluent = _known_fluent(piece) if len(piece) <= _SHORT_FACT else fluent_of(piece)
        if fluent is None:
            raise BadPosition(f"{shorten(piece)!r} (character {start + 1}) is no fact")
        fluents.add(fluent)
    return tuple(sorted(fluents))


_known_fluent = lru_cache(maxsize=1 << 14)(fluent_of)


def parse_move_term(text: str) -> str:
    """A move written as a term, in canonical form. Raises ``BadMove``."""
    term = canonical(text.strip()) if len(text) <= 1000 else None
    if term is not None:
        return term
    raise BadMove(f"{shorten(text)!r} is not a move: a move is a term, such as name(1,2)")


def _split(text: str) -> list[tuple[int, str]]:
    """The pieces between separators outside parentheses and quotes, with their places."""
    pieces = []
    start: int | None = None
    depth = 0
    quoted = False
    skip = False
    for place, character in enumerate(text):
        if skip:
            skip = False
        elif quoted:
            quoted, skip = character != '"', character == "\\"
        elif depth == 0 and character in _SEPARATORS:
            if start is not None:
                pieces.append((start, text[start:place]))
                start = None
        else:
            start = place if start is None else start
            quoted = character == '"'
            depth += (character == "(") - (character == ")")
            if depth < 0 or depth > DEEPEST:
                trouble = "a ) too many" if depth < 0 else "too many parentheses in one another"
                raise BadPosition(f"{trouble} at character {place + 1} of the position")
    if start is not None:
        if depth or quoted:
            piece = shorten(text[start:])
            raise BadPosition(f"{piece!r} (character {start + 1}) is cut off: it isn't closed")
        pieces.append((start, text[start:]))
    return pieces
