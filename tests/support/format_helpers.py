"""Helpers for tests of formats of files."""

import io
from collections.abc import Iterable
from random import Random
from typing import Any

from aspgames.game.game import Game
from aspgames.game.state import State
from aspgames.play.formats.format import FileEntry, Played
from aspgames.play.formats.registry import entries, format_named
from aspgames.play.game_record import Record
from cli_helpers import Call, check, strict_json


def converted(call: Call, *arguments: str, stdin: str | bytes = b"", code: int = 0) -> list[Any]:
    """The JSON objects of ``aspgames convert --json``, checked with their schemas."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    run = call("convert", *arguments, "--json", stdin=given)
    assert run.code == code, run.err
    found = [strict_json(line) for line in run.out.splitlines()]
    for each in found:
        check(each, "error" if "error" in each else "convert")
    return found


def random_game(game: Game, random: Random, most: int = 400, start: State | None = None) -> Played:
    """A random game, of some plies at most."""
    state = start or game.initial
    moves: list[str] = []
    first = state
    while not state.is_terminal and len(moves) < most:
        moves.append(random.choice(state.legal_moves).term)
        state = state.play(moves[-1])
    return FileEntry(1, Record.of(first, moves)).played(game)


def written(form: str, games: Iterable[Played]) -> bytes:
    """Games in a format."""
    sink = io.BytesIO()
    format_named(form).write(sink, games)
    return sink.getvalue()


def read_again(form: str, game: Game, text: bytes) -> list[Played]:
    """The games of a text in a format."""
    found = entries(io.BytesIO(text), "x", game, format_named(form))
    return [entry.played(game) for entry in found]
