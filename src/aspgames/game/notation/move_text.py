"""Moves as text, read and written: ``d1-d7/g7``, ``/g7``, ``a2xb3``."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import cycle

from ...asp.terms import shorten
from ...runtime.errors import BadMove
from ..board import Square, parse_square, square_name
from .term_input import parse_move_term

_MOST_SQUARES = 64  # that a form with a plus sign reads
_LETTERS = 26
SQUARES = "@&"
"""The marks of forms for squares: two numbers, or a letter and a number."""


def format_move(forms: Mapping[str, str], term: str, occupied: Container[Square]) -> str:
    """A move's text by the game's forms (see ``Vocabulary.notation``); the term if none fits.

    ``occupied`` has the squares of pieces before the move.
    """
    squares, names = _read_term(forms, term)
    if not squares:
        return term
    form = _stretched(forms[term[: term.index("(")]], len(squares))
    text = ""
    rest, others = iter(squares), iter(names)
    upcoming = 0
    for mark in form:
        if mark in SQUARES:
            text += square_name(next(rest))
            upcoming += 1
        elif mark == "?":
            text += next(others)
        elif mark == "x":
            text += "x" if squares[upcoming] in occupied else "-"
        elif mark == "X":
            text += "x"
        else:
            text += mark
    return text


def parse_move(forms: Mapping[str, str], text: str) -> str:
    """The term of a move, given as text or as a term; ``x`` and ``-`` mean the same.

    The marks between squares may be left out (``a2a3``, ``d1d7g7``) if only one form fits then, and
    ``d1-d7(g7)`` and ``d1d7,d7g7`` are ``d1d7g7``. The move may be illegal.

    Raises ``BadMove``, with the forms in the message.
    """
    text = text.strip()
    for name, form in sorted(forms.items(), key=lambda named: "?" in named[1]):
        if term := _fitting(name, form, text):
            return term
    joined = _JOINED.sub(lambda found: "".join(filter(None, found.groups())), text)
    short = {
        term
        for name, form in forms.items()
        if (term := _fitting(name, _BETWEEN.sub("", form), joined))
    }
    if len(short) == 1:
        return short.pop()
    try:
        return parse_move_term(text)
    except BadMove:
        raise BadMove(f"{shorten(text)!r} is no move: {look_like(forms)}") from None


def possible_terms(forms: Mapping[str, str], text: str, names: Iterable[str]) -> list[str]:
    """The terms whose text is this one with a name and a colon: ``wn:b1-a3`` for ``b1-a3``.

    ``names`` may stand for arguments.
    """
    named = {name: form for name, form in forms.items() if ":" in form}
    return [
        _term(name, form, read[0], [each] * form.count("?"))
        for name, form in named.items()
        if (read := _read_text(re.sub(r"[\w?]+:|:[\w?]+", "", form), text.strip()))
        for each in (names if "?" in form else [""])
    ]


def look_like(forms: Mapping[str, str]) -> str:
    """The forms of moves in words, for error messages."""
    examples = dict.fromkeys(_example(form) for form in forms.values() if count_squares(form))
    if not examples:
        return "moves are written as terms, such as name or name(1,2)"
    return f"moves look like {' or '.join(examples)}"


def _example(form: str) -> str:
    """A move of a form, on squares of most boards."""
    squares = cycle(("a2", "a3", "b4"))
    form = form.removesuffix("+").replace("x", "-").replace("X", "x").replace("?", "name")
    return re.sub("[@&]", lambda _: next(squares), form)


def _fitting(name: str, form: str, text: str) -> str | None:
    """The term of a text of a form; None if it has another form."""
    read = _read_text(form, text)
    return _term(name, form, *read) if read else None


def _read_text(form: str, text: str) -> tuple[list[Square], list[str]] | None:
    """The squares and the names in a text of a form; None if it has another form."""
    marks = _stretched(form, min(len(re.findall("[a-z][0-9]", text)), _MOST_SQUARES))
    match = re.fullmatch("".join(_PATTERNS.get(m, re.escape(m)) for m in marks), text)
    squares, names = list[Square](), list[str]()
    for mark, group in zip(_arguments(marks), match.groups() if match else (), strict=False):
        if mark == "?":
            names.append(group)
        elif (square := parse_square(group)) and (mark == "@" or square[0] <= _LETTERS):
            squares.append(square)
        else:
            return None
    return (squares, names) if squares else None


def _arguments(form: str) -> Iterator[str]:
    """The marks of a form that stand for arguments."""
    return (mark for mark in form if mark in "@&?")


def _stretched(form: str, count: int) -> str:
    """A form for a number of squares: if it ends with ``+``, its last step is repeated."""
    if not form.endswith("+"):
        return form
    step = form[max(form.rfind(mark, 0, -2) for mark in SQUARES) + 1 : -1]
    return form[:-1] + step * (count - count_squares(form))


def only_numbers(form: str) -> bool:
    """Whether all arguments of a move with this form are the numbers of its squares."""
    return not {*"&?"} & {*form}


def count_squares(form: str) -> int:
    """How many squares a form has, the last step once."""
    return sum(map(form.count, SQUARES))


def _term(name: str, form: str, squares: Sequence[Square], names: Sequence[str]) -> str:
    """The term of a move; further steps of a form with ``+`` contain the move up to there."""
    rest, others = iter(squares), iter(names)
    arguments = (next(others) if m == "?" else _pair(m, next(rest)) for m in _arguments(form))
    term = f"{name}({','.join(arguments)})"
    for square in rest:
        term = f"{name}({term},{_pair(form[-2], square)})"
    return term


def _pair(mark: str, square: Square) -> str:
    """The two arguments for a square."""
    file, rank = square
    return f"{chr(ord('a') + file - 1) if mark == '&' else file},{rank}"


def with_squares(forms: Mapping[str, str], term: str, squares: Sequence[Square]) -> str:
    """A move that has squares, as a term, with others in their places."""
    name = term.partition("(")[0]
    return _term(name, forms[name], squares, _read_term(forms, term)[1])


def first_square(forms: Mapping[str, str], term: str) -> Square | None:
    """The first square of a move's text."""
    squares = named_squares(forms, term)
    return squares[0] if squares else None


def capture_square(forms: Mapping[str, str], term: str) -> Square | None:
    """The square that decides between ``x`` and ``-`` in a move's text."""
    before, capture, _ = forms.get(term.partition("(")[0], "").partition("x")
    squares = named_squares(forms, term) if capture else []
    return squares[count_squares(before)] if squares else None


_SQUARE = "([a-z]+[0-9]+)"
_JOINED = re.compile(rf"\A{_SQUARE}-?{_SQUARE}(?:,\2-?{_SQUARE}|\({_SQUARE}\))\Z")
"""A move and a shot as programs for Amazons write them."""
_NAME = "(_*[a-z]\\w*|0|[1-9][0-9]*)"
_PATTERNS = {"@": _SQUARE, "&": _SQUARE, "?": _NAME, "x": "[-x]", "X": "x"}
_BETWEEN = re.compile(r"(?<=[@&])([xX]|[^\w@&?]+)(?=[@&])")
"""Marks that may be left out between squares; letters and digits could belong to a square."""


def squares_among(by_name: Mapping[tuple[str, str], Square], term: str) -> list[Square]:
    """The squares whose column and rank follow each other in a term: ``move(wp,e,2,e,4)``."""
    words, squares = re.findall(r"\w+", term)[1:], []
    while len(words) > 1:
        square = by_name.get((words[0], words[1]))
        squares += [square] if square else []
        words = words[2 if square else 1 :]
    return squares


def named_squares(forms: Mapping[str, str], term: str) -> list[Square]:
    """The squares of a move, if its form fits; else none."""
    return _read_term(forms, term)[0]


def names_of(forms: Mapping[str, str], term: str) -> list[str]:
    """The arguments of a move that its text has as they stand."""
    return _read_term(forms, term)[1]


def _read_term(forms: Mapping[str, str], term: str) -> tuple[list[Square], list[str]]:
    """The squares and the names of a move, if its form fits; else none."""
    name, _, arguments = term.partition("(")
    form = forms.get(name, "")
    words = re.findall(r"\w+", arguments.replace(f"{name}(", "")) if form else []
    rest, squares, names = iter(words), list[Square](), list[str]()
    for mark in _arguments(_stretched(form, len(words) // 2)):
        one, other = next(rest, ""), "" if mark == "?" else next(rest, "")
        if mark == "?":
            names.append(one)
        elif mark == "&" and len(one) == 1 and "a" <= one <= "z" and other.isdecimal():
            squares.append((ord(one) - ord("a") + 1, int(other)))
        elif mark == "@" and one.isdecimal() and other.isdecimal():
            squares.append((int(one), int(other)))
        else:
            return [], []
    fits = all(map(all, squares)) and _term(name, form, squares, names) == term
    return (squares, names) if fits else ([], [])
