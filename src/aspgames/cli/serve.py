"""``aspgames serve``: the oracle for other engines."""

from __future__ import annotations

import click

from ..encoding import Encoding, read_encoding
from ..errors import BadRequest
from ..game import games
from ..processes import CAN_FORK
from ..serve import Server
from .files import standard_input, standard_output
from .parameters import example, memory_bytes


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
@click.option(
    "--memory",
    type=float,
    default=2048.0,
    show_default=True,
    metavar="MIB",
    help="The most memory for an answer; what keeps half of it is begun anew.",
)
def command(files: tuple[str, ...], memory: float) -> None:
    """Answer requests, one JSON object a line, until the input ends.

    The requests are: hello, legal, play, perft, solve.

    They are carried out in a process of its own: one that takes too long, too much memory, or that
    clingo doesn't survive gets an error as its answer, and the next one is served.
    """
    own: dict[str, Encoding] = {}
    for file in files:
        encoding = read_encoding(file)
        if encoding.name in games() or encoding.name in own:
            raise BadRequest(f"--load {file}: there is a game {encoding.name!r} already")
        own[encoding.name] = encoding
    server, most_bytes = Server(own.values()), memory_bytes(memory) or 0
    if CAN_FORK:
        from ..worker import WatchedServer

        WatchedServer(server, most_bytes).run(standard_input(), standard_output())
    else:
        server.prepare()
        server.run(standard_input(), standard_output())
