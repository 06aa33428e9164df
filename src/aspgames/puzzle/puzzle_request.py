"""Reading puzzles from JSON objects."""

from ..game.requests import LoadGame, notation_of, state_of
from ..runtime.errors import BadRequest
from ..runtime.json_lines import JsonObject
from .problem import Puzzle
from .stipulation import read_stipulation


def puzzle_of(request: JsonObject, load: LoadGame, has_chance: bool = False) -> Puzzle:
    """The puzzle of a request, without the check that exactly one role is on move.

    A stipulation may stand for the attacker, the goal and the number of turns. A game of one role
    needs no attacker. Games with chance are refused unless ``has_chance``.
    """
    if "error" in request and "game" not in request:  # a line that another format lacks
        raise BadRequest(str(request["error"]))
    stipulated = "stipulation" in request and "goal" not in request
    for key in ("game", "position") if stipulated else ("game", "position", "goal"):
        if key not in request:
            raise BadRequest(f"the puzzle has no {key!r}")
    state = state_of(request, load)
    chance = request.get("chance")
    chance = None if not has_chance else 1 if chance is None else chance
    if stipulated:
        return Puzzle.read(state, *read_stipulation(request["stipulation"], state)[:3], chance)
    if "attacker" not in request and len(state.game.players) != 1:
        raise BadRequest("the puzzle has no 'attacker'")
    attacker = request.get("attacker")
    if isinstance(attacker, str):
        attacker = notation_of(request, state.game).term(attacker)
    return Puzzle.read(state, attacker, request["goal"], request.get("within"), chance)
