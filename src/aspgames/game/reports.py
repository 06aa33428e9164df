"""Games, states and explanations as JSON objects (schemas: ``docs/schemas``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from ..gdl.reasoner import UNSETTLED
from ..runtime.json_lines import JsonObject
from .chance import Percepts, refuse_stuck_chance
from .game import Game
from .move_input import AnyMove
from .state import State

if TYPE_CHECKING:
    from .explain.explanation import Explanation
    from .view import View


def game_report(game: Game) -> JsonObject:
    """A game in a list of games."""
    board = game.board
    return {
        "game": game.encoding.reference,
        "title": game.title,
        "roles": list(game.roles),
        "board": {"width": board.width, "height": board.height} if board else None,
        "const": dict(game.constants),
    }


def state_report(state: State) -> JsonObject:
    """A state with its legal moves, goals and end. Raises ``RulesError`` where chance is stuck."""
    refuse_stuck_chance(state)
    consequences = state.consequences
    return _position(state) | {
        "to_move": state.to_move,
        "terminal": state.is_terminal,
        "goals": {
            role: None if value == UNSETTLED else value
            for role, value in consequences.values.items()
        },
        "legal": {role: list(consequences.playable(role)) for role in consequences.legal},
        "chance": [[move.term, str(chance)] for move, chance in state.chance],
    }


def play_report(state: State, sees: Percepts) -> JsonObject:
    """A state with what the players saw of the last move, if the game hides anything."""
    return state_report(state) | ({"sees": sees} if state.game.hidden else {})


def view_report(view: View) -> JsonObject:
    """What a role knows, as a state: with what is the same in all states that fit."""
    reports = [state_report(state) for state in view.states]
    first, role = reports[0], view.role
    same = {key: first[key] for key in first if all(each[key] == first[key] for each in reports)}
    known = set(first["facts"]).intersection(*(each["facts"] for each in reports))
    goals = {each["goals"][role] for each in reports}
    return first | {
        "facts": sorted(known),
        "fen": same.get("fen"),
        "to_move": same.get("to_move"),
        "terminal": same.get("terminal"),
        "goals": {role: goals.pop() if len(goals) == 1 else None},
        "legal": {role: [move.term for move in view.legal_moves]},
        "chance": same.get("chance", []),
        "sees": {
            role: list(view.history[-1][1]) if view.history and view.start.game.hidden else []
        },
        "role": role,
        "states": len(reports),
    }


def followed(view: View | None, state: State, move: AnyMove) -> View | None:
    """A role's view after a move is played in a state, if there is one."""
    if view is None:
        return None
    joint = state.joint(move)
    seen = state.sees(joint)[view.role] if state.game.hidden else state.play(joint).facts
    return view.after(joint[view.role], seen)


def explanation_report(state: State, found: Explanation | Mapping[str, Explanation]) -> JsonObject:
    """Why something is so in a state, or why the moves of some roles are legal there or not."""
    if isinstance(found, Mapping):
        return _position(state) | {"roles": {role: asdict(each) for role, each in found.items()}}
    return _position(state) | asdict(found)


def _position(state: State) -> JsonObject:
    return {
        "game": state.game.name,
        "const": dict(state.game.constants),
        "facts": list(state.facts),
        "fen": state.fen,
    }
