"""``aspgames serve``: the oracle for other engines."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..errors import BadRequest
from ..game import games, load
from ..serve import Server
from .parameters import example


@click.command(
    "serve",
    epilog=example("""echo '{"op":"legal","game":"breakthrough"}' | aspgames serve"""),
)
@click.option(
    "--load",
    "files",
    metavar="FILE",
    multiple=True,
    help="Serve the game of an .lp file, too, under the file's stem; may be repeated.",
)
def command(files: tuple[str, ...]) -> None:
    """Answer requests, one JSON object a line, until the input ends.

    The requests are: hello, legal, play, perft, solve.
    """
    references: dict[str, str] = {}
    for file in files:
        name = Path(file).stem
        if name in references or name in games():
            raise BadRequest(f"--load {file}: there is a game {name!r} already")
        references[name] = load(file).encoding.reference
    Server(references).run(sys.stdin.buffer, sys.stdout)
