"""``aspgames serve``: the oracle for other engines."""

import sys
from dataclasses import replace
from pathlib import Path

from ..asp.sources import encodings_folder
from ..gdl.encoding import Encoding, is_sheet_file, read_encoding
from ..runtime.errors import AspgamesError, BadRequest, LimitReached, RulesError
from .files import standard_input
from .server.oracle import WatchedServer
from .verb import ParameterGroup, memory_bytes, option, verb


class _ServeOptions(ParameterGroup):
    files: tuple[str, ...] = option(
        "--load [NAME=]FILE",
        "Serve the game of a file, too, under this name or the file's stem; may be repeated.",
    )
    memory: float = option(
        "--memory MIB",
        "Limit the memory for an answer; a process that keeps half of it is replaced.",
        2048.0,
    )


@verb(watched=False, example="""echo '{"op":"legal","game":"breakthrough"}' | aspgames serve""")
def command(service: _ServeOptions) -> None:
    """Answer requests, one JSON object a line.

    The requests are hello, legal, play, perft and solve. The server ends at the end of the input.

    Requests run in a separate process. A request that takes too much time or memory, or that
    crashes clingo, gets an error as its answer, and the server continues with the next one.
    A loaded game takes the place of a game of the gallery that has its name.
    Requests for the game of a malformed rule sheet (.kif) get the error of the sheet.
    """
    own: dict[str, Encoding] = {}
    refused: dict[str, AspgamesError] = {}
    for given in service.files:
        before, _, after = given.partition("=")
        file = after if after and not Path(given).exists() else given
        name = before if file != given else Path(file).stem
        if not name:
            raise BadRequest(f"--load {given}: the game has no name: give --load NAME={file}")
        main_games = {path.stem for path in encodings_folder().glob("*.lp")}
        if name in main_games or name in own or name in refused:
            advice = f"give --load NAME={file} with another name"
            raise BadRequest(f"--load {given}: there is a game {name!r} already; {advice}")
        try:
            own[name] = replace(read_encoding(file), name=name)
        except (RulesError, LimitReached) as error:
            if not is_sheet_file(file):
                raise
            refused[name] = error  # the server can serve the others
    most_bytes = memory_bytes(service.memory) or 0
    WatchedServer(own.values(), refused, most_bytes).run(standard_input(), sys.stdout)
