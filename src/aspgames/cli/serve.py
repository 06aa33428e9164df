"""``aspgames serve``: the oracle for other engines."""

from __future__ import annotations

import sys

import click

from ..encoding import Encoding
from ..errors import BadRequest
from ..game import games, load
from ..serve import Server
from .files import standard_input
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
    own: dict[str, Encoding] = {}
    for file in files:
        encoding = load(file).encoding
        if encoding.name in games() or encoding.name in own:
            raise BadRequest(f"--load {file}: there is a game {encoding.name!r} already")
        own[encoding.name] = encoding
    Server(own.values()).run(standard_input(), sys.stdout)
