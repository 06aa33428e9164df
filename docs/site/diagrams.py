"""Boards that pages draw with letters, as pictures: the site has room for them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from html import escape
from itertools import pairwise
from pathlib import Path

import aspgames
from aspgames import AspgamesError, State
from aspgames.game.text_view import board_text

_COMMAND = re.compile(r"^(?:\$ |    )?aspgames \w+ (.*)$", re.MULTILINE)
_SHOWN = re.compile(r"^(```sh\n[^`]*```\n\n)?```text\n([^`]*?)\n*```$", re.MULTILINE)
"""A block of text; one right under a command is what that prints, and stays as it is."""


def with_diagrams(page: Path) -> str:
    """A page's text with a picture for each board that is a position of a command on the page.

    The pictures are put beside the page.
    """
    text = page.read_text()
    states = {board_text(state.scene): state for state in _positions(text)}

    def drawn(block: re.Match[str]) -> str:
        if block[1] or not (state := states.get(block[2])):
            return block[0]
        file = page.with_name(f"{page.stem}_{list(states).index(block[2]) + 1}.svg")
        file.write_text(state.svg(theme="auto", size=360))
        said = escape(state.scene.words())
        return f'<img class="diagram" src="{file.name}" alt="{said}">'

    return _SHOWN.sub(drawn, text)


def _positions(text: str) -> Iterator[State]:
    """The positions that commands of a page begin with."""
    for command in _COMMAND.findall(text):
        try:
            words = shlex.split(command)
            after = pairwise(words)
            constants = dict(value.split("=") for option, value in after if option == "-c")
            yield aspgames.load(words[0], **constants).position(words[1])
        except (AspgamesError, IndexError, ValueError):
            continue  # no position on this line
