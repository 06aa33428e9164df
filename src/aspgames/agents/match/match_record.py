"""A match as a record, and as JSON (``docs/schemas/match.schema.json``, ``match_event…``)."""

from __future__ import annotations

from ...game.notation.notations import Notation, notation
from ...game.reports import view_report
from ...game.state import State
from ...game.view import View
from ...play.game_record import Record
from ...runtime.json_lines import JsonObject
from .match import Match, Ply, Point


def match_record(match: Match, against: str | None) -> Record:
    """The moves of a match, and its players."""
    players = dict.fromkeys(match.persons, "person")
    if against:
        players |= dict.fromkeys(match.others, against)
    moves = [ply.term for ply in match.moves]
    return Record.of(match.points[0].state, moves, players=players)


def match_report(match: Match, against: str | None) -> JsonObject:
    """A whole match: its setting, its moves, its result.

    Moves are the encoding's terms, so a match can continue from it in any notation.
    """
    written = notation(match.state.game, "lp")
    return {
        **setting_report(match, against, written),
        "moves": [move.term for move in match.moves],
        "moves_text": [move.text for move in match.moves],
        "result": result_report(match, written),
    }


def setting_report(match: Match, against: str | None, written: Notation) -> JsonObject:
    """The setting of a match; the position is one text of facts."""
    start, puzzle = match.points[0].state, match.puzzle
    persons = [written.text(role) for role in match.persons]
    return {
        "game": start.game.name,
        "const": dict(start.game.constants),
        "position": " ".join(facts_text(start, written)) or "empty",
        "fen": start.fen,
        "as": persons[0] if len(persons) == 1 else persons,
        "against": against,
        "puzzle": puzzle
        and {
            "attacker": written.text(puzzle.attacker),
            "goal": puzzle.goal.text,
            "within": puzzle.within,
        },
    }


def result_report(match: Match, written: Notation) -> JsonObject:
    """The result of a match, or that it goes on."""
    outcome = match.outcome
    return {
        "over": outcome is not None,
        "reached": outcome.reached if outcome else None,
        "turns": match.point.begun if match.puzzle else None,
        "goals": _goals_known(match, written),
        "text": outcome.text if outcome else "The match isn't over.",
    }


def move_report(match: Match, ply: Ply, point: Point, written: Notation) -> JsonObject:
    """A ply, and the point after it; with hidden information, what the person knows of them."""
    state, own = point.state, ply.role and written.text(ply.role)
    number = next(n for n, each in enumerate(match.points) if each is point)
    known = match.known(ply=number)
    before = match.known(ply=number - 1)
    if isinstance(known, View) and isinstance(before, View):
        moves: tuple[str | None, str | None] = None, None
        if ply.role in match.persons:  # a capture may be hidden: the text is that of the view
            played = Ply((before.legal_move(ply.moves[0]),))
            moves = written.joint_text(ply.term), played.text_in(written)
        elif len(before.movers) > 1:
            own = None
        report = written.report(view_report(known))
        kept = {key: report[key] for key in ("facts", "fen", "to_move", "terminal", "goals")}
        seen = list(map(written.text, known.history[-1][1]))
        return (
            {"role": own, "move": moves[0], "move_text": moves[1]}
            | kept
            | {"sees": seen, "turns_left": None}
        )
    return {
        "role": own,
        "move": written.joint_text(ply.term),
        "move_text": ply.text_in(written),
        "facts": facts_text(state, written),
        "fen": state.fen,
        "to_move": state.to_move and written.text(state.to_move),
        "terminal": state.is_terminal,
        "goals": _goals(state, written),
        "turns_left": match.left(point),
    }


def facts_text(state: State, written: Notation) -> list[str]:
    """The facts of a state in a notation, sorted."""
    return sorted(map(written.text, state.facts))


def _goals_known(match: Match, written: Notation) -> JsonObject:
    """The value of each role; before the end, with hidden information, what the person knows."""
    known = match.known() if match.outcome is None else match.state
    if isinstance(known, View):
        goals: JsonObject = written.report(view_report(known))["goals"]
        return goals
    return _goals(known, written)


def _goals(state: State, written: Notation) -> dict[str, int]:
    return {written.text(role): value for role, value in state.goals.items()}
