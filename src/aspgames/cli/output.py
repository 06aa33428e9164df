"""The output of verbs: JSON, boards in colour, moves in columns, and the status line."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TextIO

import click

from ..game.board import Square
from ..game.chance import refuse_stuck_chance
from ..game.notation.joint_moves import format_joint
from ..game.notation.notations import Notation, status
from ..game.reports import view_report
from ..game.state import State
from ..game.text_view import board_text
from ..runtime.json_lines import encode
from .files import write_file
from .text_style import BOARD, DOUBT, OWNERS, QUIET, has_colours, print_message

if TYPE_CHECKING:
    from ..game.view import View

Show = Callable[[str], None]
"""Shows the progress of long work; an empty text removes the line."""

_NO_BREAK = "\N{NO-BREAK SPACE}"


def print_json(answer: Any) -> None:
    """Print one JSON value on one line."""
    click.echo(encode(answer))


def print_text(text: str) -> None:
    """Print text; click removes its colours unless the output is a terminal."""
    click.echo(text, color=has_colours())


def print_answer(report: Any, text: str, as_json: bool) -> None:
    """Print an answer: as JSON, or for people."""
    if as_json:
        print_json(report)
    else:
        print_text(text)


def warn(text: str) -> None:
    """Print a line to standard error."""
    print_message(text, DOUBT)


def print_or_write(content: str | bytes, name: str, what: str = "") -> None:
    """Print a content ('-'), or write it to a file and say so. Raises ``BadRequest``."""
    if name == "-":
        click.echo(content, nl=False)
        return
    write_file(name, content)
    if what:
        print_text(f"{what}: {name}")


def print_board(state: State, marked: Collection[Square] = ()) -> None:
    """Print a position, with a colour for each role's pieces and brackets around marked squares."""
    colours = dict(zip(state.game.roles, OWNERS, strict=False))

    def paint(glyph: str, role: str | None) -> str:
        return click.style(glyph, fg=colours.get(role or "", QUIET), bold=role in colours)

    glyphs = state.scene.symbols() if os.environ.get(BOARD) == "unicode" else None
    print_text(board_text(state.scene, paint, marked, glyphs))


def print_position(state: State, written: Notation, marked: Collection[Square] = ()) -> None:
    """Print a position as a board, or as facts if the notation has no boards."""
    if written.has_boards:
        print_board(state, marked)
        return
    print_text(in_columns(sorted(map(written.text, state.facts))))
    print_text(status(state, written))


def print_choices(state: State, written: Notation) -> None:
    """If several roles move at once, print each role's moves and the form of a joint move."""
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


def print_state(state: State, written: Notation) -> None:
    """Print a position for people, with chances, and the moves if several roles move at once."""
    chances = chances_text(state, written)
    print_position(state, written)
    if chances:
        print_text(chances)
    print_choices(state, written)


def print_view(view: View, written: Notation, as_json: bool) -> None:
    """Print what a role knows: as JSON, or for people."""
    if as_json:
        print_json(written.report(view_report(view)))
        return
    role, states, report = written.text(view.role), view.states, view_report(view)
    if len(states) == 1:
        print_position(states[0], written)
    else:
        print_text(in_columns(sorted(map(written.text, report["facts"]))))
        print_text(f"{len(states):,} states fit what {role} knows")
    if report["chance"]:  # the same in all states
        print_text(chances_text(states[0], written))
    for move, percepts in view.history if view.start.game.hidden else ():
        seen = ", ".join(map(written.text, percepts))
        print_text(f"{role} plays {written.text(move)}" + (f" and sees {seen}" if seen else ""))
    moves = in_columns(written.move_text(move) for move in view.legal_moves)
    print_text(f"{role} may play: {moves or '-'}")


def chances_text(state: State, written: Notation) -> str:
    """The moves of chance, each with its probability; empty where nobody rolls.

    Raises ``RulesError`` for wrong weights and a ``random`` without a move: ask before printing.
    """
    refuse_stuck_chance(state)
    texts = [f"{written.move_text(move)} {chance}" for move, chance in state.chance]
    return f"chance: {in_columns(texts)}" if texts else ""


def in_columns(words: Iterable[str]) -> str:
    """The words in columns that fit the terminal's width."""
    import shutil  # these two take longer to import than most answers take
    import textwrap

    width = shutil.get_terminal_size().columns
    whole = "  ".join(word.replace(" ", _NO_BREAK) for word in words)
    lines = textwrap.fill(whole, width, break_on_hyphens=False, break_long_words=False)
    return lines.replace(_NO_BREAK, " ")


def _columns(terminal: TextIO) -> int:
    """The width of a terminal, even if standard output is a file or another terminal."""
    from shutil import get_terminal_size

    with suppress(OSError, ValueError):
        if "COLUMNS" not in os.environ and (found := os.get_terminal_size(terminal.fileno())[0]):
            return found
    return get_terminal_size().columns


@contextmanager
def status_line() -> Iterator[Show]:
    """Show one status line with the progress of long work on a terminal.

    The line ends with the time so far, unless the text has its own details after a colon
    ("Searching 3 turns: 13 s, 116 M positions"). It fits the terminal's width, changes at most ten
    times a second, and disappears at the end. Nothing appears if standard error is no terminal.
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
