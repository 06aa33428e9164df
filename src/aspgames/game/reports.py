"""Games and states as JSON objects (schemas: ``docs/schemas``)."""

from ..gdl.reasoner import UNSETTLED
from ..runtime.json_lines import JsonObject
from .game import Game, State


def game_report(game: Game) -> JsonObject:
    """A game in a list of games."""
    board = game.board
    return {
        "game": game.name,
        "title": game.title,
        "roles": list(game.roles),
        "board": {"width": board.width, "height": board.height} if board else None,
        "const": dict(game.constants),
    }


def state_report(state: State) -> JsonObject:
    """A state with its legal moves, goals and end."""
    consequences = state.consequences
    return {
        "game": state.game.name,
        "const": dict(state.game.constants),
        "facts": list(state.facts),
        "fen": state.fen,
        "to_move": state.to_move,
        "terminal": state.is_terminal,
        "goals": {
            role: None if value == UNSETTLED else value
            for role, value in consequences.values.items()
        },
        "legal": {role: list(consequences.playable(role)) for role in consequences.legal},
    }
