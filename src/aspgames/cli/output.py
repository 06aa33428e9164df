"""What verbs print: JSON, boards in colour, moves in columns, and the state of long work."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterable
from typing import Any

import click

from ..request import encode
from ..state import State
from ..view import board_text


def print_json(answer: Any) -> None:
    """Print one JSON value on one line."""
    click.echo(encode(answer))


def print_text(text: str) -> None:
    """Print text; click takes its colours out unless it goes to a terminal."""
    click.echo(text, color=False if os.environ.get("NO_COLOR") else None)


def print_board(state: State) -> None:
    """Print a position, each role's pieces in a colour of its own."""
    colours = dict(zip(state.game.roles, ("bright_yellow", "bright_cyan", "green"), strict=False))

    def paint(glyph: str, role: str | None) -> str:
        return click.style(glyph, fg=colours.get(role or "", "red"), bold=role in colours)

    print_text(board_text(state, paint))


def in_columns(words: Iterable[str]) -> str:
    """Words, as many a line as the terminal is wide."""
    return textwrap.fill(
        "  ".join(words), shutil.get_terminal_size().columns, break_on_hyphens=False
    )


class StatusLine:
    """One line on a terminal that says how far long work is; elsewhere, nothing."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()

    def show(self, text: str) -> None:
        """Replace the line."""
        if self._shown:
            click.echo(f"\r\033[K{text}", err=True, nl=False)

    def clear(self) -> None:
        """Take the line away."""
        self.show("")
