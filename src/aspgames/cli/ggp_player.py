"""``aspgames ggp-player``: a General Game Playing player on a port of this machine."""

from __future__ import annotations

import math
import re

import click

from ..agents.ggp.ggp_player import Player, Settings
from ..agents.ggp.http_client import PORT
from ..agents.ggp.http_server import PlayerServer
from ..runtime.errors import BadRequest, RulesError, one_line
from .output import print_text
from .parameters import example, memory_bytes, seconds_option
from .sheets import read_rules_of


@click.command(
    "ggp-player",
    epilog=example(
        "aspgames ggp-player --matches 1 --time 1 & aspgames ggp-manager examples/tictactoe.kif "
        "localhost random && wait"
    ),
)
@click.argument("games", metavar="[GAME]...", nargs=-1)
@click.option("--port", type=int, default=PORT, show_default=True, help="Where to listen; 0: any.")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="At which of the machine's addresses."
)
@click.option("--name", default="aspgames", show_default=True, help="What the player is called.")
@seconds_option(
    "--margin", "margin", "Answer so long before the clock runs out; half the clock at most.", 1.0
)
@seconds_option("--time", "seconds", "The most time for a move, where the clock allows more.")
@click.option(
    "--memory",
    type=float,
    default=2048.0,
    show_default=True,
    metavar="MIB",
    help="The most memory for each of the two processes that follow a match.",
)
@click.option(
    "--matches", type=click.IntRange(min=1), metavar="N", help="End after so many matches."
)
def command(
    games: tuple[str, ...],
    port: int,
    host: str,
    name: str,
    margin: float,
    seconds: float | None,
    memory: float,
    matches: int | None,
) -> None:
    """Play for game managers, over the HTTP protocol of General Game Playing, until Ctrl-C.

    The player listens on a port of this machine, and plays the rules that a manager sends, one
    match at a time. GAMEs are rule sheets (.kif) or names of built-in games that are read
    beforehand; where some are given, no others are played.

    Moves come from the solver where it decides, else from random games. What goes wrong is told on
    standard error.
    """
    if not re.fullmatch(r"[!-~]+", name) or re.search(r"[();\"?]", name):
        raise BadRequest(f"--name {name}: the name must be a word in KIF")
    if not 0 <= margin < math.inf:
        raise BadRequest(f"the margin must be a number of seconds from 0 on, not {margin}")
    if seconds is not None and not 0 < seconds < math.inf:
        raise BadRequest(f"the limit on time must be above zero, not {seconds}")
    settings = Settings(name, margin, seconds, memory_bytes(memory) or 0)
    for game in games:
        if game.endswith(".lp"):  # reading it may have no end, and nobody watches over this
            raise BadRequest(f"{game}: give a rule sheet (aspgames export makes one) or a name")
    rules = [read_rules_of(game) for game in games]
    player = Player(settings, rules, _log)
    try:
        for game, text in zip(games, rules, strict=True):
            if wrong := player.prepare(text):
                raise RulesError(f"{game}: {wrong}")
        with PlayerServer(host, port, player) as server:
            listens = server.server_address
            print_text(f"{name} listens at http://{host}:{listens[1]}")
            server.run(matches)
    finally:
        player.close()


def _log(line: str) -> None:
    click.echo(f"aspgames: {one_line(line)}", err=True)
