"""``aspgames ggp-manager``: a match between players of General Game Playing."""

from __future__ import annotations

import math
from typing import Any

import click

from ..agents.ggp.ggp_manager import Manager, MatchRecord
from ..agents.ggp.http_client import Address
from ..runtime.budget import Budget
from ..runtime.errors import BadRequest
from .exit_codes import FAILED, NO, YES
from .output import print_json, print_text
from .parameters import example, game_argument, json_option, seconds_option, time_option
from .sheets import read_game_and_rules
from .verb import Verb


@click.command(
    "ggp-manager",
    cls=Verb,
    epilog=example("aspgames ggp-manager examples/tictactoe.kif random random --seed 1"),
)
@game_argument()
@click.argument("players", metavar="PLAYER...", nargs=-1, required=True)
@seconds_option("--startclock", "start_clock", "Time for the players to read the rules.", 30.0)
@seconds_option("--playclock", "play_clock", "Time for each move.", 10.0)
@click.option("--seed", type=click.IntRange(min=0), help="For the random moves.")
@time_option
@json_option
def command(
    game: str,
    constants: tuple[str, ...],
    players: tuple[str, ...],
    start_clock: float,
    play_clock: float,
    seed: int | None,
    seconds: float | None,
    as_json: bool,
) -> int:
    """Play a match between players, and hold their moves against the rules.

    GAME is a rule sheet (.kif), or any game that can be exported as one.

    A PLAYER is the address of one that speaks the HTTP protocol of General Game Playing
    (http://HOST:PORT), or 'random'; there is one for each role, in the order of the sheet.

    A random legal move stands in for a move that isn't legal, can't be read or doesn't come in
    time. Exit code 1 if a player sent a move that isn't legal by these rules, else 4 if one didn't
    answer as it should.
    """
    for name, clock in (("--startclock", start_clock), ("--playclock", play_clock)):
        if not 0 < clock < math.inf:
            raise BadRequest(f"{name} must be above zero, not {clock}")
    found, rules = read_game_and_rules(game, constants)
    addresses = [None if player == "random" else Address.read(player) for player in players]
    manager = Manager(
        found.initial,
        rules,
        addresses,
        start_clock=start_clock,
        play_clock=play_clock,
        seed=seed,
        progress=(lambda _record: None) if as_json else _print_turn,
    )
    record = manager.play(Budget(seconds))
    if as_json:
        print_json(_report(game, players, start_clock, play_clock, record))
    else:
        goals = ", ".join(f"{role} {value}" for role, value in (record.goals or {}).items())
        print_text(f"game over: {goals}")
        if record.mistakes:
            print_text(f"moves that random ones stood in for: {len(record.mistakes)}")
    kinds = {mistake.kind for mistake in record.mistakes}
    return NO if "illegal" in kinds else FAILED if kinds else YES


def _print_turn(record: MatchRecord) -> None:
    turn = len(record.moves)
    for mistake in record.mistakes:
        if mistake.turn == turn:
            print_text(f"{turn}. {mistake.role}: {mistake.kind}: {mistake.what}")
    moves = zip(record.roles, record.moves[-1], strict=True)
    print_text(f"{turn}. " + ", ".join(f"{role} {move}" for role, move in moves))


def _report(
    game: str,
    players: tuple[str, ...],
    start_clock: float,
    play_clock: float,
    record: MatchRecord,
) -> dict[str, Any]:
    return {
        "match": record.match,
        "game": game,
        "startclock": start_clock,
        "playclock": play_clock,
        "roles": list(record.roles),
        "players": [
            {"role": role, "player": player, "name": record.names[role]}
            for role, player in zip(record.roles, players, strict=True)
        ],
        "moves": [list(moves) for moves in record.moves],
        "goals": dict(record.goals or {}),
        "mistakes": [
            {
                "turn": mistake.turn,
                "role": mistake.role,
                "kind": mistake.kind,
                "what": mistake.what,
                "played": mistake.played,
            }
            for mistake in record.mistakes
        ],
    }
