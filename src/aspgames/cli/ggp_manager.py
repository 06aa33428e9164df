"""``aspgames ggp-manager``: a match between players of General Game Playing."""

import math
from dataclasses import asdict

from ..agents.ggp.ggp_manager import Address, Manager, MatchRecord
from ..game.loading import game_of_sheet
from ..game.text_view import game_over
from ..gdl.encoding import is_sheet_file
from ..runtime.budget import Budget
from ..runtime.errors import BadRequest
from ..runtime.json_lines import JsonObject
from .exit_codes import FAILED, NO, YES
from .ggp_player import read_rules_of
from .output import print_json, print_text
from .parameters import COUNT, TIME, GameParameters
from .verb import argument, option, verb


class _ManagerOptions(GameParameters):
    players: tuple[str, ...] = argument(metavar="PLAYER...", nargs=-1, required=True)
    start_clock: float = option("--startclock SECONDS", "Time to read the rules.", 30.0)
    play_clock: float = option("--playclock SECONDS", "Time for each move.", 10.0)
    seed: int | None = option("--seed N", "For the random moves.", type=COUNT)
    seconds: float | None = TIME


@verb(example="aspgames ggp-manager examples/tictactoe.kif random random --seed 1")
def command(wanted: _ManagerOptions, as_json: bool) -> int:
    """Play a match between General Game Playing players.

    GAME is a rule sheet (.kif, .gdl), or any game that can be exported as one. A PLAYER is an
    address of the HTTP protocol of General Game Playing (http://HOST:PORT), or 'random'; give one
    for each role, in the order of the sheet. The role 'random' plays itself.

    A random legal move replaces a move that is illegal, unreadable or late. Exit code 1 if a player
    sent an illegal move, else 4 if a player's answer was missing or malformed.
    """
    for name, clock in (("--startclock", wanted.start_clock), ("--playclock", wanted.play_clock)):
        if not 0 < clock < math.inf:
            raise BadRequest(f"{name} must be above zero, not {clock}")
    rules = read_rules_of(wanted.game, wanted.constants)
    game = wanted.loaded if is_sheet_file(wanted.game) else game_of_sheet(rules, {})
    manager = Manager(
        game.initial,
        rules,
        [None if player == "random" else Address.read(player) for player in wanted.players],
        start_clock=wanted.start_clock,
        play_clock=wanted.play_clock,
        seed=wanted.seed,
        progress=(lambda _record: None) if as_json else _print_turn,
    )
    record = manager.play(Budget(wanted.seconds))
    if as_json:
        print_json(_report(wanted.game, wanted, record))
    else:
        print_text(game_over(record.goals or {}))
        if record.mistakes:
            print_text(f"moves replaced by random ones: {len(record.mistakes)}")
    kinds = {mistake.kind for mistake in record.mistakes}
    return NO if "illegal" in kinds else FAILED if kinds else YES


def _print_turn(record: MatchRecord) -> None:
    turn = len(record.moves)
    for mistake in record.mistakes:
        if mistake.turn == turn:
            print_text(f"{turn}. {mistake.role}: {mistake.kind}: {mistake.what}")
    moves = zip(record.roles, record.moves[-1], strict=True)
    print_text(f"{turn}. " + ", ".join(f"{role} {move}" for role, move in moves))


def _report(game: str, wanted: _ManagerOptions, record: MatchRecord) -> JsonObject:
    return {
        "match": record.match,
        "game": game,
        "startclock": wanted.start_clock,
        "playclock": wanted.play_clock,
        "roles": list(record.roles),
        "players": [
            {"role": role, "player": player, "name": record.names[role]}
            for role, player in zip(record.names, wanted.players, strict=True)
        ],
        "moves": [list(moves) for moves in record.moves],
        "goals": dict(record.goals or {}),
        "mistakes": [asdict(mistake) for mistake in record.mistakes],
    }
