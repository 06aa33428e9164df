"""A match as a record, and as JSON (``docs/schemas/match.schema.json``, ``match_event…``)."""

from __future__ import annotations

from ..puzzle.problem import Puzzle
from ..record import Record
from ..report import JsonObject
from .match import Match, Point
from .ply import Ply


def match_record(match: Match, against: str | None) -> Record:
    """What was played, and by whom."""
    players = dict.fromkeys(match.persons, "person")
    if against:
        players |= dict.fromkeys(match.others, against)
    moves = [ply.term for ply in match.moves]
    return Record.of(match.points[0].state, moves, players=players)


def match_report(match: Match, against: str | None) -> JsonObject:
    """All of a match: what was asked, what was played, how it ended."""
    return {
        **setting_report(match, against),
        "moves": [move.term for move in match.moves],
        "moves_text": [move.text for move in match.moves],
        "result": result_report(match),
    }


def setting_report(match: Match, against: str | None) -> JsonObject:
    """What a match begins with; the position is facts in one text."""
    start = match.points[0].state
    return {
        "game": start.game.name,
        "const": dict(start.game.constants),
        "position": " ".join(start.facts),
        "fen": start.fen,
        "as": match.persons[0] if len(match.persons) == 1 else list(match.persons),
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


def move_report(match: Match, ply: Ply, point: Point) -> JsonObject:
    """A ply that was played, and the point it led to."""
    state = point.state
    return {
        "role": ply.role,
        "move": ply.term,
        "move_text": ply.text,
        "facts": list(state.facts),
        "fen": state.fen,
        "to_move": state.to_move,
        "terminal": state.is_terminal,
        "goals": state.goals,
        "turns_left": match.left(point),
    }
