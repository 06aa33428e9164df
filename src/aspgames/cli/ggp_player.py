"""``aspgames ggp-player``: a General Game Playing player on a port of this machine."""

import math
import re
from pathlib import Path

import click

from ..agents.ggp.ggp_manager import PORT
from ..agents.ggp.ggp_player import GgpPlayer, PlayerSettings
from ..agents.ggp.http_server import PlayerServer
from ..agents.ggp.messages import read_rules
from ..game.loading import load_game
from ..gdl.encoding import is_sheet_file, read_encoding
from ..gdl.kif.sheet_encoding import text_of
from ..runtime.errors import BadRequest, RulesError
from .output import print_text, warn
from .parameters import GOAL_CHOICE, read_constants
from .verb import ParameterGroup, argument, memory_bytes, option, verb


class _PlayerOptions(ParameterGroup):
    games: tuple[str, ...] = argument(metavar="[GAME]...", nargs=-1)
    port: int = option("--port PORT", "Listen at this port; 0: any.", PORT)
    host: str = option("--host", "Listen at this address.", "127.0.0.1")
    name: str = option("--name", "The player's name.", "aspgames")
    margin: float = option(
        "--margin SECONDS",
        "Answer this long before the clock runs out; at most half the clock.",
        1.0,
    )
    seconds: float | None = option(
        "--time SECONDS", "Limit the time for a move, where the clock allows more."
    )
    memory: float = option(
        "--memory MIB", "Limit the memory of each of the two processes that follow a match.", 2048.0
    )
    goal_choice: str | None = GOAL_CHOICE
    matches: int | None = option("--matches N", "End after N matches.", type=click.IntRange(min=1))


@verb(
    watched=False,
    example="aspgames ggp-player --matches 1 --time 1 & "
    "aspgames ggp-manager examples/tictactoe.kif localhost random && wait",
)
def command(service: _PlayerOptions) -> None:
    """Play over the HTTP protocol of General Game Playing.

    The player listens at a port of this machine until Ctrl-C. It plays the rules that a game
    manager sends, one match at a time. GAMEs are rule sheets (.kif) or names of built-in games,
    which the player reads before the first match. With any GAME, it refuses other games.

    The solver chooses moves in decided positions, random games in others. Errors go to standard
    error.
    """
    name, margin, seconds, games = service.name, service.margin, service.seconds, service.games
    if not re.fullmatch(r"[!-~]+", name) or re.search(r"[();\"?]", name):
        raise BadRequest(f"--name {name}: the name must be a word in KIF")
    if not 0 <= margin < math.inf:
        raise BadRequest(f"the margin must be a number of seconds from 0 on, not {margin}")
    if seconds is not None and not 0 < seconds < math.inf:
        raise BadRequest(f"the limit on time must be above zero, not {seconds}")
    memory, goals = memory_bytes(service.memory) or 0, service.goal_choice
    settings = PlayerSettings(name, margin, seconds, memory, goals)
    for game in games:
        if game.endswith(".lp"):  # reading it may never end, and this process has no supervisor
            raise BadRequest(f"{game}: give a rule sheet (aspgames export makes one) or a name")
    rules = [read_rules_of(game) for game in games]
    player = GgpPlayer(settings, rules, warn)
    try:
        for game, text in zip(games, rules, strict=True):
            if wrong := player.prepare(text):
                raise RulesError(f"{game}: {wrong}")
        with PlayerServer(service.host, service.port, player) as server:
            listens = server.server_address
            print_text(f"{name} listens at http://{service.host}:{listens[1]}")
            server.run(service.matches)
    finally:
        player.close()


def read_rules_of(name: str, constants: tuple[str, ...] = ()) -> str:
    """The rules of a game for a message: the text of a sheet, or the export of another game."""
    if not is_sheet_file(name):
        from ..game.kif_export.rule_sheet import sheet_of_game  # few games need it

        return read_rules(sheet_of_game(load_game(name, read_constants(constants))))
    read_encoding(name)  # reports errors with their place in the file
    return read_rules(text_of(Path(name)))
