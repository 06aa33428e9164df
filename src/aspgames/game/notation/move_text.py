"""Moves as text, read and written: ``d1-d7/g7``, ``/g7``, ``a2xb3``."""

import re
from collections.abc import Container, Mapping, Sequence
from itertools import cycle

from ...asp.terms import shorten
from ...runtime.errors import BadMove
from ..board import Square, parse_square, square_name
from .term_input import parse_move_term

_MOST_SQUARES = 64  # that a form with a plus sign reads


def format_move(forms: Mapping[str, str], term: str, occupied: Container[Square]) -> str:
    """A move's text by the game's forms (see ``Vocabulary.notation``); the term if none fits.

    ``occupied`` has the squares of pieces before the move.
    """
    squares = named_squares(forms, term)
    if not squares:
        return term
    form = _stretched(forms[term[: term.index("(")]], len(squares))
    text = ""
    rest = iter(squares)
    upcoming = 0
    for mark in form:
        if mark == "@":
            text += square_name(next(rest))
            upcoming += 1
        elif mark == "x":
            text += "x" if squares[upcoming] in occupied else "-"
        elif mark == "X":
            text += "x"
        else:
            text += mark
    return text


def parse_move(forms: Mapping[str, str], text: str) -> str:
    """The term of a move, given as text or as a term; ``x`` and ``-`` mean the same.

    The marks between squares may be left out (``a2a3``, ``d1d7g7``) if only one form fits then.
    The move may be illegal. Raises ``BadMove``, with the forms in the message.
    """
    text = text.strip()
    for name, form in forms.items():
        if term := _fitting(name, form, text):
            return term
    short = {
        term
        for name, form in forms.items()
        if (term := _fitting(name, _BETWEEN.sub("", form), text))
    }
    if len(short) == 1:
        return short.pop()
    try:
        return parse_move_term(text)
    except BadMove:
        raise BadMove(f"{shorten(text)!r} is no move: {look_like(forms)}") from None


def look_like(forms: Mapping[str, str]) -> str:
    """The forms of moves in words, for error messages."""
    examples = dict.fromkeys(_example(form) for form in forms.values() if "@" in form)
    if not examples:
        return "moves are written as terms, such as name or name(1,2)"
    return f"moves look like {' or '.join(examples)}"


def _example(form: str) -> str:
    """A move of a form, on squares of most boards."""
    squares = cycle(("a2", "a3", "b4"))
    form = form.removesuffix("+").replace("x", "-").replace("X", "x")
    return re.sub("@", lambda _: next(squares), form)


def _fitting(name: str, form: str, text: str) -> str | None:
    """The term of a text of a form; None if it has another form."""
    count = min(len(re.findall("[a-z][0-9]", text)), _MOST_SQUARES)
    pattern = "".join(_PATTERNS.get(m, re.escape(m)) for m in _stretched(form, count))
    match = re.fullmatch(pattern, text)
    squares = [parse_square(group) for group in match.groups()] if match else []
    if not squares or not all(squares):
        return None
    return _term(name, form, [square for square in squares if square])


def _stretched(form: str, count: int) -> str:
    """A form for a number of squares: if it ends with ``+``, its last step is repeated."""
    if not form.endswith("+"):
        return form
    return form[:-1] + form[form.rfind("@", 0, -2) + 1 : -1] * (count - form.count("@"))


def _term(name: str, form: str, squares: Sequence[Square]) -> str:
    """The term of a move; further steps of a form with ``+`` contain the move up to there."""
    first = form.count("@")
    term = f"{name}({','.join(f'{x},{y}' for x, y in squares[:first])})"
    for x, y in squares[first:]:
        term = f"{name}({term},{x},{y})"
    return term


def first_square(forms: Mapping[str, str], term: str) -> Square | None:
    """The first square of a move's text."""
    squares = named_squares(forms, term)
    return squares[0] if squares else None


def told_square(forms: Mapping[str, str], term: str) -> Square | None:
    """The square that decides between ``x`` and ``-`` in a move's text."""
    before, told, _ = forms.get(term.partition("(")[0], "").partition("x")
    squares = named_squares(forms, term) if told else []
    return squares[before.count("@")] if squares else None


_PATTERNS = {"@": "([a-z]+[0-9]+)", "x": "[-x]", "X": "x"}
_BETWEEN = re.compile(r"(?<=@)([xX]|[^\w@]+)(?=@)")
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
    name, _, arguments = term.partition("(")
    form = forms.get(name, "")
    numbers = [int(number) for number in re.findall("[0-9]+", arguments)] if form else []
    if len(numbers) % 2 or 0 in numbers:
        return []
    squares = list(zip(numbers[::2], numbers[1::2], strict=True))
    fits = _stretched(form, len(squares)).count("@") == len(squares)
    return squares if fits and _term(name, form, squares) == term else []
