"""Twins in Popeye's language: chess problems that differ a little from another."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from ...asp.terms import shorten
from ...game.board import Square, parse_square, square_name
from ...runtime.arguments import counted
from ...runtime.errors import BadRequest
from .popeye_problem import PopeyeProblem, bare_name
from .popeye_words import CHANGES, ENGLISH, meaning

_SQUARE = re.compile("[a-h][1-8]")
_Goes = Callable[[int, int], Square]
"""Where a piece on a file and a rank goes."""

_MIRRORED: dict[tuple[str, ...], _Goes] = {
    ("a1", "h1"): lambda x, y: (9 - x, y),
    ("a1", "a8"): lambda x, y: (x, 9 - y),
    ("a1", "h8"): lambda x, y: (9 - y, 9 - x),
    ("a8", "h1"): lambda x, y: (y, x),
}


def twins(problem: PopeyeProblem) -> Iterator[PopeyeProblem]:
    """A problem and its twins, with labels; without twins, only the problem."""
    if not problem.twins:
        yield problem
        return
    numbers = count()
    last = problem
    if problem.alone:
        last = replace(problem, label=_label(next(numbers)))
        yield last
    for words in problem.twins:
        goes_on = bool(words) and meaning(words[0], CHANGES[problem.language]) == "continued"
        last = _twin(last if goes_on else problem, words, _label(next(numbers)))
        last.whole = problem
        yield last


def _label(number: int) -> str:
    return chr(ord("a") + number) if number < 26 else f"z{number - 25}"


def _twin(base: PopeyeProblem, words: Sequence[str], label: str) -> PopeyeProblem:
    twin = replace(
        base,
        label=label,
        change=" ".join(words),
        pieces=dict(base.pieces),
        conditions=list(base.conditions),
        missing=dict(base.missing),
        lines=dict(base.lines),
    )
    try:
        for name, given in _changes(words, CHANGES[base.language]):
            _CHANGES[name](twin, given)
    except BadRequest as error:
        twin.error = twin.error or f"{base.place_text()}: twin {label}: {error}"
    return twin


def _changes(words: Sequence[str], table: Mapping[str, str]) -> list[tuple[str, list[str]]]:
    """The names of changes, each with the words after it."""
    found: list[tuple[str, list[str]]] = []
    for word in words:
        if name := meaning(word, table):
            found.append((name, []))
        elif found:
            found[-1][1].append(word)
        else:
            raise BadRequest(f"{shorten(word)!r} is no change of a twin")
    return found


def _squares(words: Sequence[str], number: int) -> list[str]:
    found = _SQUARE.findall(" ".join(words).lower())
    if len(found) != number:
        given = shorten(" ".join(words))
        raise BadRequest(f"{counted(number, 'square')} must follow, not {given!r}")
    return found


def _move(twin: PopeyeProblem, words: Sequence[str]) -> None:
    start, end = _squares(words, 2)
    twin.pieces[end] = _taken(twin, start)


def _exchange(twin: PopeyeProblem, words: Sequence[str]) -> None:
    one, other = _squares(words, 2)
    twin.pieces[one], twin.pieces[other] = _taken(twin, other), _taken(twin, one)


def _remove(twin: PopeyeProblem, words: Sequence[str]) -> None:
    _taken(twin, *_squares(words, 1))


def _taken(twin: PopeyeProblem, square: str) -> str:
    """The piece on a square, which is empty then. Raises ``BadRequest`` if there is none."""
    if square not in twin.pieces:
        raise BadRequest(f"there is no piece on {square}")
    return twin.pieces.pop(square)


def _add(twin: PopeyeProblem, words: Sequence[str]) -> None:
    for word in words:
        twin.place(word)


def _substitute(twin: PopeyeProblem, words: Sequence[str]) -> None:
    if len(words) != 2:
        raise BadRequest("two pieces must follow")
    letters = ENGLISH[twin.language]
    old, new = (letters.get(word.lower(), "") for word in words)
    if not (old and new):
        raise BadRequest(f"{shorten(' '.join(words))!r} isn't two pieces")
    named = f".{new}" if len(new) > 1 else new
    for square, name in twin.pieces.items():
        if bare_name(name) == old:
            twin.pieces[square] = named.upper() if name.isupper() else named


def _stipulation(twin: PopeyeProblem, words: Sequence[str]) -> None:
    twin.stipulation = ""
    for word in words:
        twin.read_stipulation(word)


def _condition(twin: PopeyeProblem, words: Sequence[str]) -> None:
    twin.conditions.clear()
    for word in words:
        twin.read_condition(word)


def _rotate(twin: PopeyeProblem, words: Sequence[str]) -> None:
    degrees = {"90": 1, "180": 2, "270": 3}.get("".join(words))
    if degrees is None:
        raise BadRequest("a board is rotated by 90, 180 or 270 degrees")
    for _ in range(degrees):
        _turn(twin, lambda x, y: (9 - y, x))


def _mirror(twin: PopeyeProblem, words: Sequence[str]) -> None:
    ends = tuple(_squares(words, 2))
    if ends not in _MIRRORED:
        raise BadRequest("a board is mirrored by a1<-->h1, a1<-->a8, a1<-->h8 or a8<-->h1")
    _turn(twin, _MIRRORED[ends])


def _shift(twin: PopeyeProblem, words: Sequence[str]) -> None:
    (a, b), (x, y) = map(_place, _squares(words, 2))
    _turn(twin, lambda u, v: (u + x - a, v + y - b))


def _polish(twin: PopeyeProblem, _words: Sequence[str]) -> None:
    for square, name in twin.pieces.items():
        twin.pieces[square] = name.swapcase()


def _turn(twin: PopeyeProblem, goes: _Goes) -> None:
    """Put each piece where its file and rank lead. Raises ``BadRequest`` off the board."""
    moved = {goes(*_place(square)): name for square, name in twin.pieces.items()}
    if any(not 1 <= each <= 8 for place in moved for each in place):
        raise BadRequest("a piece would leave the board")
    twin.pieces = {square_name(place): name for place, name in moved.items()}


def _place(square: str) -> Square:
    place = parse_square(square)
    assert place is not None
    return place


def _structure(twin: PopeyeProblem, words: Sequence[str]) -> None:
    twin.stipulation = ""
    for word in words:
        twin.read_structure(word)


_CHANGES: dict[str, Callable[[PopeyeProblem, Sequence[str]], None]] = {
    "continued": lambda _twin, _words: None,  # it differs from the twin before
    "move": _move,
    "exchange": _exchange,
    "remove": _remove,
    "add": _add,
    "substitute": _substitute,
    "stipulation": _stipulation,
    "sstipulation": _structure,
    "condition": _condition,
    "rotate": _rotate,
    "mirror": _mirror,
    "shift": _shift,
    "polishtype": _polish,
}
