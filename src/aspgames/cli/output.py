"""What verbs print: JSON, boards in colour, moves in columns, and the state of long work."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

import click

from ..game.board import Square
from ..game.game import State
from ..game.notation.joint_moves import format_joint
from ..game.notation.notations import Notation, status
from ..game.reports import state_report
from ..game.text_view import board_text
from ..runtime.json_lines import encode
from .files import write_file

Show = Callable[[str], None]
"""Shows how far long work is; an empty text takes the line away."""

_NO_BREAK = "\N{NO-BREAK SPACE}"


def print_json(answer: Any) -> None:
    """Print one JSON value on one line."""
    click.echo(encode(answer))


def print_text(text: str) -> None:
    """Print text; click takes its colours out unless it goes to a terminal."""
    click.echo(text, color=False if os.environ.get("NO_COLOR") else None)


def print_or_write(what: str, text: str, name: str) -> None:
    """Print a text ('-'), or write it to a file. Raises ``BadRequest``."""
    if name == "-":
        click.echo(text, nl=False)
    else:
        write_file(name, text)
        print_text(f"{what}: {name}")


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number of things, such as ``1 position`` or ``2,000 positions``."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def print_board(state: State, marked: Collection[Square] = ()) -> None:
    """Print a position, each role's pieces in a colour of its own, marked squares in brackets."""
    colours = dict(zip(state.game.roles, ("bright_yellow", "bright_cyan", "green"), strict=False))

    def paint(glyph: str, role: str | None) -> str:
        return click.style(glyph, fg=colours.get(role or "", "red"), bold=role in colours)

    print_text(board_text(state.scene, paint, marked))


def print_position(state: State, written: Notation, marked: Collection[Square] = ()) -> None:
    """Print a position as a board, or as facts if the notation has no boards."""
    if written.has_boards:
        print_board(state, marked)
        return
    print_text(in_columns(sorted(map(written.text, state.facts))))
    print_text(status(state, written))


def print_choices(state: State, written: Notation) -> None:
    """Print each role's moves, and how a joint move is written, where several move at once."""
    movers = state.consequences.movers
    if state.is_terminal or len(movers) == 1:
        return
    for role, moves in state.legal.items():
        words = in_columns(written.move_text(move) for move in moves) or "no move"
        print_text(f"{written.text(role)}: {words}")
    if all(state.legal.values()):
        first = {role: written.move_text(state.legal[role][0]) for role in movers}
        joint = format_joint({written.text(role): move for role, move in first.items()})
        print_text(f"A move is written {joint}")


def print_state(state: State, written: Notation, as_json: bool) -> None:
    """Print a position: as JSON, or as people see it, with the moves where several roles move."""
    if as_json:
        print_json(written.report(state_report(state)))
    else:
        print_position(state, written)
        print_choices(state, written)


def in_columns(words: Iterable[str]) -> str:
    """Words, as many a line as the terminal is wide."""
    import shutil  # these two take longer to import than most answers take
    import textwrap

    width = shutil.get_terminal_size().columns
    whole = "  ".join(word.replace(" ", _NO_BREAK) for word in words)
    lines = textwrap.fill(whole, width, break_on_hyphens=False, break_long_words=False)
    return lines.replace(_NO_BREAK, " ")


def _columns(terminal: TextIO) -> int:
    """The width of a terminal, also where standard output is another one, or a file."""
    from shutil import get_terminal_size

    with suppress(OSError, ValueError):
        if "COLUMNS" not in os.environ and (found := os.get_terminal_size(terminal.fileno())[0]):
            return found
    return get_terminal_size().columns


@contextmanager
def status_line() -> Iterator[Show]:
    """Show, on a terminal, one line that says how far long work is.

    The line ends with the time so far, unless the text has details of its own behind a colon
    ("Searching 3 turns: 13 s, 116 M positions"). It is no longer than the terminal is wide, and
    changes at most ten times a second. It goes away at the end. Where standard error is no
    terminal, nothing shows.
    """
    if not sys.stderr.isatty():
        yield lambda _text: None
        return
    begun = time.monotonic()
    shown = 0.0

    def show(text: str) -> None:
        nonlocal shown
        now = time.monotonic()
        if not text:
            shown = 0.0
            click.echo("\r\033[K", err=True, nl=False)
        elif now - shown > 0.1:
            shown = now
            line = text if ": " in text else f"{text}: {now - begun:.0f} s"
            line = line[: _columns(sys.stderr) - 1]
            click.echo(f"\r\033[K{line}", err=True, nl=False)

    try:
        yield show
    finally:
        click.echo("\r\033[K", err=True, nl=False)
