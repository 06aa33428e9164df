"""``aspgames serve``: the oracle for other engines."""

from __future__ import annotations

from pathlib import Path

import click

from ..game.game import games
from ..gdl.encoding import Encoding, read_encoding
from ..runtime.errors import AspgamesError, BadRequest, LimitReached, RulesError
from .files import standard_input, standard_output
from .parameters import example, memory_bytes
from .server.watched_oracle import WatchedServer


@click.command(
    "serve",
    epilog=example("""echo '{"op":"legal","game":"breakthrough"}' | aspgames serve"""),
)
@click.option(
    "--load",
    "files",
    metavar="FILE",
    multiple=True,
    help="Serve the game of an .lp or .kif file, too, under the file's stem; may be repeated.",
)
@click.option(
    "--memory",
    type=float,
    default=2048.0,
    show_default=True,
    metavar="MIB",
    help="The most memory for an answer; a process that keeps half of it is begun anew.",
)
def command(files: tuple[str, ...], memory: float) -> None:
    """Answer requests, one JSON object a line, until the input ends.

    The requests are: hello, legal, play, perft, solve.

    They are carried out in a process of its own: one that takes too long, too much memory, or that
    clingo doesn't survive gets an error as its answer, and the next one is served. Whoever asks for
    the game of a rule sheet (.kif) that is wrong is told what is wrong with it.
    """
    own: dict[str, Encoding] = {}
    refused: dict[str, AspgamesError] = {}
    for file in files:
        name = Path(file).stem
        if name in games() or name in own or name in refused:
            raise BadRequest(f"--load {file}: there is a game {name!r} already")
        try:
            own[name] = read_encoding(file)
        except (RulesError, LimitReached) as error:
            if not file.endswith(".kif"):
                raise
            refused[name] = error  # the others can be served all the same
    most_bytes = memory_bytes(memory) or 0
    WatchedServer(own.values(), refused, most_bytes).run(standard_input(), standard_output())
