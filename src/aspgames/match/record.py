"""A match as JSON (schemas: ``docs/schemas/match.schema.json``, ``match_event.schema.json``)."""

from __future__ import annotations

from ..move import Move
from ..puzzle.problem import Puzzle
from ..report import JsonObject
from .match import Match, Point


def match_report(match: Match, against: str) -> JsonObject:
    """All of a match: what was asked, what was played, how it ended."""
    return {
        **setting_report(match, against),
        "moves": [move.term for move in match.moves],
        "moves_text": [move.text for move in match.moves],
        "result": result_report(match),
    }


def setting_report(match: Match, against: str) -> JsonObject:
    """What a match begins with; the position is facts in one text."""
    start = match.points[0].state
    return {
        "game": start.game.name,
        "const": dict(start.game.constants),
        "position": " ".join(start.facts),
        "fen": start.fen,
        "as": match.person,
        "against": against,
        "puzzle": _puzzle_report(match.puzzle),
    }


def _puzzle_report(puzzle: Puzzle | None) -> JsonObject | None:
    if puzzle is None:
        return None
    return {"attacker": puzzle.attacker, "goal": puzzle.goal.text, "within": puzzle.within}


def result_report(match: Match) -> JsonObject:
    """How a match ended, or that it didn't."""
    outcome = match.outcome
    return {
        "over": outcome is not None,
        "reached": outcome.reached if outcome else None,
        "turns": match.point.begun if match.puzzle else None,
        "goals": match.state.goals,
        "text": outcome.text if outcome else "The match isn't over.",
    }


def move_report(match: Match, move: Move, point: Point) -> JsonObject:
    """A move that was played, and the point it led to."""
    state = point.state
    return {
        "role": move.role,
        "move": move.term,
        "move_text": move.text,
        "facts": list(state.facts),
        "fen": state.fen,
        "to_move": state.to_move,
        "terminal": state.is_terminal,
        "goals": state.goals,
        "turns_left": match.left(point),
    }
