"""``aspgames convert``: records of games and positions from one format of files to another."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from typing import IO

import click

from ..game.game import Game
from ..play.formats.format import Format, Played
from ..play.formats.registry import FORMATS, entries, format_named, format_of
from ..play.game_record import changed_constants, named
from ..rl.data.parquet_format import PARQUET
from ..runtime.arguments import counted
from ..runtime.budget import Budget
from ..runtime.errors import BadRecord, BadRequest
from ..runtime.json_lines import encode, error_report
from .exit_codes import BAD_INPUT, YES
from .files import input_name, opened, replaced, standard_input
from .output import Show, status_line, warn
from .parameters import TIME, GameParameters
from .verb import argument, option, verb

_JSON = "jsonl"
_NAMES = click.Choice([each.name for each in FORMATS if each is not PARQUET] + [PARQUET.name])


class _ConvertOptions(GameParameters):
    file: str = argument()
    source: str | None = option("--from FORMAT", "The format of FILE.", type=_NAMES)
    target: str | None = option("--to FORMAT", "The format to write.", type=_NAMES)
    output: str = option(
        "-o, --output OUT", "The file ('-': standard output).", "-", show_default=False
    )
    seconds: float | None = TIME


@verb(example="aspgames convert breakthrough -c width=3 -c height=6 examples/games.pgn --json")
def command(wanted: _ConvertOptions, as_json: bool) -> int:
    """Convert records of games, or positions, between formats of files.

    FILE is '-' for standard input. Where no format is given, the ending of a file's name decides.
    Standard output gets a JSON object a line (--json, or --to jsonl) unless --to says otherwise.
    docs/formats.md lists the formats and the games that each of them fits.

    Every game is replayed. A game that can't be read is reported with its line, in its place in
    JSON, else on standard error; the next one is read.

    Exit codes: 0 done, 2 a game or a position couldn't be read, 3 the time is over, 130
    interrupted.
    """
    game = wanted.loaded
    if as_json and wanted.target not in (None, _JSON):
        raise BadRequest(f"--json is --to {_JSON}: leave --to {wanted.target} out")
    source = format_named(wanted.source) if wanted.source else None
    target = _target(wanted, as_json)
    if not target.fits(game):
        raise BadRequest(f"{target.name} is a format of {target.games}, not of {game.name}")
    work = _Conversion(game, target, wanted.file, Budget(wanted.seconds))
    with ExitStack() as files:
        show = files.enter_context(status_line())
        name = wanted.file
        stream = standard_input() if name == "-" else files.enter_context(opened(name, "rb"))
        if wanted.output == "-":
            sink: IO[bytes] = sys.stdout.buffer
        else:
            sink = files.enter_context(replaced(wanted.output))
        target.write(sink, work.played(stream, source, sink, show))
        sink.flush()
    return BAD_INPUT if work.bad else YES


def _target(wanted: _ConvertOptions, as_json: bool) -> Format:
    if as_json:
        return format_named(_JSON)
    if wanted.target:
        return format_named(wanted.target)
    if wanted.output == "-":
        return format_named(_JSON)
    if found := format_of(wanted.output):
        return found
    raise BadRequest(f"{wanted.output}: this ending is no format's: give --to FORMAT")


class _Conversion:
    """Reads a file entry by entry, and reports those that can't be read."""

    def __init__(self, game: Game, target: Format, name: str, budget: Budget) -> None:
        self.bad, self._budget = 0, budget
        self._game, self._target = game, target
        self._name = input_name(name)

    def played(
        self, stream: IO[bytes], source: Format | None, sink: IO[bytes], show: Show
    ) -> Iterator[Played]:
        """The games of a stream, replayed; an error takes the place of a bad one."""
        game, number = self._game, 0
        wanted = named(game.name, changed_constants(game))
        for number, entry in enumerate(entries(stream, self._name, game, source), start=1):
            self._budget.check()
            show(f"{counted(number, 'game')}")
            try:
                if entry.record and not entry.record.is_of(game):
                    raise BadRecord(f"this is {entry.record.named}, not {wanted}", entry.line)
                played = entry.played(game)
                if not self._target.begins(played.states[0]):
                    raise BadRecord(
                        f"{self._target.name} has no games that begin there", entry.line
                    )
            except BadRecord as error:
                self._report(error, sink)
                continue
            yield played
        if not number:
            raise BadRequest(f"{self._name}: no game is recorded there")

    def _report(self, error: BadRecord, sink: IO[bytes]) -> None:
        self.bad += 1
        if self._target.name == _JSON:
            sink.write(f"{encode({**error_report(error), 'line': error.line})}\n".encode())
        else:
            warn(f"{self._name}:{error.line}: {error}")
