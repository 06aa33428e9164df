"""``aspgames uci``: an engine for graphical interfaces and match runners."""

import sys

import click

from ..agents.uci.uci_session import UciSession
from ..runtime.json_lines import read_texts
from .files import standard_input_of_its_own
from .parameters import GameParameters
from .verb import option, verb


class _UciOptions(GameParameters):
    seconds: float | None = option(
        "--time SECONDS", "Limit the time for a move, where the interface allows more."
    )
    threads: int = option(
        "--threads N",
        "Think with N threads, unless the interface sets Threads.",
        1,
        type=click.IntRange(1, 1024),
    )


@verb(
    spare=None, example=r"printf 'position startpos\ngo nodes 5000\n' | aspgames uci breakthrough"
)
def command(wanted: _UciOptions) -> None:
    """Play over the Universal Chess Interface (UCI).

    Graphical interfaces and match runners use it. The engine knows only the rules: the solver
    chooses moves in decided positions, Monte-Carlo tree search with random games in others. 'go
    mate N' is a puzzle: is the goal (the option Goal) forced within N turns?

    It reads commands from standard input until 'quit'. At the end of input it first finishes a
    search that has a limit.
    """
    output = sys.stdout

    def write(line: str) -> None:
        output.write(line + "\n")
        output.flush()

    session = UciSession(wanted.loaded, write, wanted.seconds, wanted.threads)
    session.run(read_texts(standard_input_of_its_own()))
