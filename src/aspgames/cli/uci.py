"""``aspgames uci``: an engine for graphical interfaces and match runners."""

from __future__ import annotations

from collections.abc import Iterator

import click

from ..agents.uci.uci_session import Session
from ..runtime.budget import Budget
from ..runtime.json_lines import read_lines
from .files import standard_input_of_its_own, standard_output
from .parameters import example, game_argument, read_game, seconds_option
from .verb import Verb


@click.command(
    "uci",
    cls=Verb,
    spare=None,
    epilog=example(r"printf 'position startpos\ngo nodes 5000\n' | aspgames uci breakthrough"),
)
@game_argument()
@seconds_option("--time", "seconds", "The most time for a move, where the interface allows more.")
@click.option(
    "--threads",
    type=click.IntRange(1, 1024),
    default=1,
    show_default=True,
    help="How many threads think, unless the interface says so (Threads).",
)
def command(game: str, constants: tuple[str, ...], seconds: float | None, threads: int) -> None:
    """Play for graphical interfaces and match runners, over the Universal Chess Interface (UCI).

    The engine plays by the rules alone: the solver where it decides, else Monte-Carlo tree search
    on random games. 'go mate N' is a puzzle: is the goal (the option Goal) forced within N turns?

    It reads commands from standard input until 'quit'. At the end of input a search that has a
    limit is answered first.
    """
    Budget(seconds)  # refuses a senseless limit at once
    output = standard_output()

    def write(line: str) -> None:
        output.write(line + "\n")
        output.flush()

    session = Session(read_game(game, constants), write, seconds, threads)
    session.run(_lines())


def _lines() -> Iterator[str | None]:
    for line in read_lines(standard_input_of_its_own()):
        try:
            yield None if line is None else line.decode()
        except UnicodeDecodeError:
            yield None
