"""Answers as JSON objects, as ``--json`` prints and ``serve`` sends them (schemas: ``docs/``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from .errors import AspgamesError, one_line

if TYPE_CHECKING:
    from ..analysis.check_report import Report
    from ..game.explain import Explanation
    from ..game.game import Game, State
    from ..play.perft_suite import Case, Failure
    from ..play.playout import Playouts
    from ..puzzle.solution import Cooperation, Solution

JsonObject = dict[str, Any]


def game_report(game: Game) -> JsonObject:
    """A game as a list of games shows it."""
    board = game.board
    return {
        "game": game.name,
        "title": game.title,
        "roles": list(game.roles),
        "board": {"width": board.width, "height": board.height} if board else None,
        "const": dict(game.constants),
    }


def state_report(state: State) -> JsonObject:
    """A state with everything that the rules say of it."""
    consequences = state.consequences
    return {
        "game": state.game.name,
        "const": dict(state.game.constants),
        "facts": list(state.facts),
        "fen": state.fen,
        "to_move": state.to_move,
        "terminal": state.is_terminal,
        "goals": state.goals,
        "legal": {role: list(consequences.playable(role)) for role in consequences.legal},
    }


def perft_report(
    game: Game, depth: int, nodes: int, divide: Mapping[str, int] | None = None
) -> JsonObject:
    """A perft count, with the count behind each first move if there is one."""
    report: JsonObject = {"game": game.name, "depth": depth, "nodes": nodes}
    return report if divide is None else report | {"divide": dict(divide)}


def suite_report(
    name: str, cases: Sequence[Case], failures: Sequence[Failure], seconds: float
) -> JsonObject:
    """What became of a perft suite."""
    return {
        "suite": name,
        "counts": len(cases),
        "seconds": seconds,
        "failures": [
            {
                "line": failure.case.line,
                "game": failure.case.state.game.name,
                "const": dict(failure.case.state.game.constants),
                "position": failure.case.position,
                "depth": failure.case.depth,
                "expected": failure.case.nodes,
                "nodes": failure.nodes,
                "divide": failure.divide,
            }
            for failure in failures
        ],
    }


def playout_report(
    game: Game, seed: int, played: Playouts, written: Callable[[str], str] = str
) -> JsonObject:
    """What became of random games; ``written`` says how roles are."""
    roles = list(map(written, played.roles))
    return {
        "game": game.name,
        "games": played.games,
        "seed": seed,
        "results": [
            {"goals": dict(zip(roles, goals, strict=True)), "games": games}
            for goals, games in sorted(played.results.items(), reverse=True)
        ],
        "lengths": {str(length): games for length, games in sorted(played.lengths.items())},
        "mean_length": played.mean_length,
        "states": played.states,
        "seconds": played.seconds,
    }


def solution_report(puzzle: Mapping[str, Any], solution: Solution) -> JsonObject:
    """A puzzle as it was put, with its solution."""
    fields = asdict(solution)
    if solution.verdict != "unknown":
        del fields["not_within"]
    replies = fields.pop("replies")
    if replies:
        fields["replies"] = dict(replies)
    asked = {key: value for key, value in puzzle.items() if key not in ("not_within", "replies")}
    return {**asked, **fields}


def cooperation_report(puzzle: Mapping[str, Any], found: Cooperation) -> JsonObject:
    """A puzzle as it was put, with the line in which both sides help."""
    return {**puzzle, "together": True, **asdict(found)}


def explanation_report(state: State, found: Explanation | Mapping[str, Explanation]) -> JsonObject:
    """Why something is so in a state, or why the moves of some roles are legal there or not."""
    if isinstance(found, Mapping):
        explained = {"roles": {role: asdict(each) for role, each in found.items()}}
    else:
        explained = asdict(found)
    return {
        "game": state.game.name,
        "const": dict(state.game.constants),
        "facts": list(state.facts),
        "fen": state.fen,
        **explained,
    }


def check_report(report: Report) -> JsonObject:
    """What was found out about a game."""
    return {
        "game": report.game,
        "const": dict(report.const),
        "verdict": report.verdict,
        "findings": [asdict(finding) for finding in report.findings],
        "proved": report.proved,
        "sampled": report.sampled,
        "not_looked_at": report.not_looked_at,
        "bound": report.bound,
        "games": report.games,
        "states": report.states,
        "longest": report.longest,
    }


def error_report(error: Exception) -> JsonObject:
    """What was wrong with a request."""
    if isinstance(error, AspgamesError):
        return {"error": one_line(str(error)), "kind": error.kind}
    if isinstance(error, RecursionError | MemoryError):
        return {"error": "the request is too large", "kind": "limit"}
    return {"error": f"a defect of aspgames: {error!r}"[:500], "kind": "bad_request"}
