"""The lines of a match, from an editor on a terminal or from any stream."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ..agents.match.match import Match
from ..game.board import square_name
from ..game.notation.move_text import first_square
from ..runtime.errors import Interrupted
from ..runtime.json_lines import read_texts
from .files import standard_input
from .output import print_text

if TYPE_CHECKING:
    from prompt_toolkit.completion import CompleteEvent, Completion
    from prompt_toolkit.document import Document

Lines = Iterator[str | None]
"""The person's lines; None for an unreadable line."""

_TAKES_MOVE = ("why", "play")
_TOKEN = re.compile(r"[^A-Za-z0-9]*[A-Za-z0-9]+")


def lines(match: Match, commands: Iterable[str], as_json: bool, prompt: Callable[[], str]) -> Lines:
    """The lines from a terminal or stream, until end of input.

    A terminal gets an editor with history and completion. Other lines are repeated after the
    prompt, so that the output reads like a session, unless it is JSON. Dots replace a move that
    other persons at the prompt must not see.
    """
    streams = sys.stdin, sys.stdout
    if not as_json and all(stream is not None and stream.isatty() for stream in streams):
        return _edited(match, sorted(commands), prompt)
    asking = {name for name in commands if name != "play"}

    def hides(line: str) -> bool:
        return match.hidden and line.partition(" ")[0] not in asking

    return _plain(None if as_json else prompt, hides)


def _plain(prompt: Callable[[], str] | None, hides: Callable[[str], bool]) -> Lines:
    for line in read_texts(standard_input()):
        text = line and line.strip()
        if prompt:
            print_text(f"{prompt()}{'...' if text and hides(text) else text or ''}")
        yield text


def _edited(match: Match, commands: list[str], prompt: Callable[[], str]) -> Lines:
    from prompt_toolkit import PromptSession  # loaded only for a terminal
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.history import DummyHistory

    class Completions(Completer):
        def get_completions(
            self, document: Document, complete_event: CompleteEvent
        ) -> Iterator[Completion]:
            del complete_event
            found, typed = completions(match, commands, document.text_before_cursor)
            return (Completion(text, start_position=-typed) for text in found)

    session: PromptSession[str] = PromptSession(
        completer=Completions(), interrupt_exception=Interrupted
    )
    hidden: PromptSession[str] = PromptSession(
        is_password=True, history=DummyHistory(), interrupt_exception=Interrupted
    )
    while True:
        try:
            yield (hidden if match.hidden else session).prompt(prompt()).strip()
        except EOFError:
            return


def completions(match: Match, commands: Iterable[str], line: str) -> tuple[list[str], int]:
    """The completions of a line's last word, and the length of that word.

    A move is completed part by part: its first square, then the next. A move in KIF contains
    spaces: its word is everything from the parenthesis on.
    """
    written = match.written
    start = -1 if written.has_boards else line.find("(")
    if start < 0:
        *before, word = re.split(r"\s+", line.lstrip())
    else:
        before, word = line[:start].split(), line[start:]
    moves = _next_parts(map(written.move_text, match.choices), word)
    if not before:
        found = [*moves, *(name for name in commands if name.startswith(word))]
    elif before[0] in _TAKES_MOVE or before[0] not in commands:
        found = moves
    elif before[0] == "moves":
        found = _next_parts(squares(match), word)
    else:
        found = []
    return found, len(word)


def _next_parts(texts: Iterable[str], typed: str) -> list[str]:
    """The texts that begin as typed, each cut after its next part; sorted, no duplicates."""
    found = set()
    for text in texts:
        if text.startswith(typed):
            ends = (match.end() for match in _TOKEN.finditer(text))
            found.add(text[: next((end for end in ends if end > len(typed)), len(text))])
    return sorted(found)


def squares(match: Match) -> list[str]:
    """The squares from which the person can move, sorted."""
    forms = match.state.game.vocabulary.notation
    first = {first_square(forms, move.term) for move in match.choices}
    return [square_name(square) for square in sorted(filter(None, first))]
