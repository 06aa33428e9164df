"""``aspgames verify``: certificates of puzzles."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import click

from ..budget import Budget
from ..errors import BadJson, BadRequest, Rejected, one_line
from ..game import Game
from ..proof.verify import Verification, verify
from ..report import JsonObject
from .exit_codes import NO, YES
from .files import read_text
from .output import print_json, print_text, status_line
from .parameters import example, json_option, load_game, time_option
from .verb import Verb

_LONGEST = 1 << 26  # bytes


@click.command(
    "verify",
    cls=Verb,
    epilog=example(
        'aspgames solve breakthrough "8/3P4/8/8/8/8/p7/8 w" --attacker white --goal win --within 3 '
        "--certificate proof.json && aspgames verify proof.json"
    ),
)
@click.argument("file")
@click.option(
    "--rules",
    metavar="GAME",
    help="The game to hold it against, where the certificate names another place.",
)
@time_option
@json_option
def command(file: str, rules: str | None, seconds: float | None, as_json: bool) -> int:
    """Check a puzzle's certificate, FILE ('-': standard input), with clingo alone.

    Every move in it is played, every reply must be there, and a plan must hold against all replies.

    Exit codes: 0 it proves what it says, 1 rejected (what is wrong with it is said), 2 bad input,
    3 undecided within the limits, 130 interrupted.
    """

    def load_rules(name: str, constants: Mapping[str, Any]) -> Game:
        return load_game(rules or name, constants)

    budget = Budget(seconds)
    certificate = _read(file)
    try:
        with status_line() as show:
            found = verify(
                certificate,
                budget,
                load_rules,
                lambda edges, plans: show(f"{edges:,} edges, {plans:,} plans"),
            )
    except Rejected as error:
        reason = one_line(str(error))
        if as_json:
            print_json({"verified": False, "reason": reason})
        else:
            print_text(f"Rejected: {reason}")
        return NO
    if as_json:
        print_json(_report(found))
    else:
        print_text(_sentence(found))
    return YES


def _read(name: str) -> JsonObject:
    """The JSON object in a file. Raises ``BadRequest``, ``BadJson`` or ``LimitReached``."""
    text = read_text(name, _LONGEST)
    name = "standard input" if name == "-" else name
    try:
        found = json.loads(text)
    except ValueError as error:
        raise BadJson(f"{name} is no JSON: {error}") from None
    except RecursionError:
        raise BadJson(f"{name} nests too deeply") from None
    if not isinstance(found, dict):
        raise BadRequest(f"{name} is no certificate: it is no JSON object")
    return found


def _report(found: Verification) -> JsonObject:
    puzzle = found.puzzle
    return {
        "verified": True,
        "game": puzzle.state.game.name,
        "const": dict(puzzle.state.game.constants),
        "position": list(puzzle.state.facts),
        "attacker": puzzle.attacker,
        "goal": puzzle.goal.text,
        "within": puzzle.within,
        "verdict": found.verdict,
        "distance": found.distance,
        "keys": list(found.keys),
        "line": list(found.line),
        "nodes": found.nodes,
        "edges": found.edges,
        "plans": found.plans,
        "seconds": found.seconds,
    }


def _sentence(found: Verification) -> str:
    puzzle = found.puzzle
    alone = puzzle.defender is None
    if found.verdict == "not_forced":
        limit = "in any number of turns" if puzzle.within is None else f"within {puzzle.within}"
        proved = (
            f"{puzzle.attacker} can't {'reach' if alone else 'force'} {puzzle.goal.text} {limit}"
        )
    else:
        does = f"{puzzle.attacker} {'reaches' if alone else 'forces'} {puzzle.goal.text}"
        proved = f"{does} in {found.distance} and no fewer"
        keys = [puzzle.state.move_text(key) for key in found.keys]
        proved += f", by {' or '.join(keys)}" if keys else ""
    checked = f"{found.nodes} nodes, {found.edges} edges, {found.plans} plans"
    return f"Verified: {proved} ({checked}, {found.seconds:.1f} s)"
