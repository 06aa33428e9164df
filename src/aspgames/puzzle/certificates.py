"""Checking one of many certificates in any process: from its text to a report.

This module uses neither the search nor the network (see ``proof``).
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import IO, Any

from ..game.game import Game, game_of_encoding
from ..game.loading import SentGame
from ..runtime.budget import Budget
from ..runtime.errors import AspgamesError, BadJson, BadRequest, Rejected, one_line
from ..runtime.json_lines import JsonObject
from ..runtime.process_messages import time_limit
from ..runtime.workers.task_runner import TaskRunner
from .proof.stream import verify_stream
from .proof.verify import Verification, verify
from .question import turns_text
from .verdict_text import expected_text, odds_text


@dataclass(frozen=True)
class CertificateTask:
    """A certificate to check, ready for another process."""

    name: str
    text: str
    game: str | None
    """The game to check it against; None for the game that it names."""
    seconds: float | None
    """The time limit [s]."""
    sent: SentGame | None = None
    """The files of a user's own game, which the other process may lack."""
    error: AspgamesError | None = field(default=None, repr=False)
    """Why there is no text."""

    @classmethod
    def to_send(
        cls, name: str, text: str, game: str | None, seconds: float | None
    ) -> "CertificateTask":
        """A task that carries the files of a user's own game."""
        try:
            sent = SentGame.named(game or read_certificate(text, name).get("game"))
        except (BadJson, BadRequest):
            sent = None
        return cls(name, text, game, seconds, sent)


def check(
    task: CertificateTask, progress: Callable[[int, int], None] | None = None
) -> tuple[JsonObject, str]:
    """Check a certificate; returns the report, and a sentence for people.

    Raises ``BadJson`` and ``BadRequest`` for malformed text, the task's own error, and what
    ``verify`` raises except ``Rejected``.
    """
    if task.error:
        raise task.error
    with time_limit(task.seconds):
        try:
            certificate = read_certificate(task.text, task.name)
            load = partial(_load, task.game, sent=task.sent)
            found = verify(certificate, Budget(task.seconds), load, progress)
        except Rejected as error:
            return _rejected(error)
        return _report(found), _sentence(found)


def check_stream(
    file: IO[bytes], game: str | None, budget: Budget, runner: TaskRunner
) -> tuple[JsonObject, str]:
    """``check`` for a streamed certificate, whose parts ``runner`` gives out."""
    try:
        found = verify_stream(file, budget, partial(_load, game), runner)
    except Rejected as error:
        return _rejected(error)
    return _report(found), _sentence(found)


def _load(
    game: str | None, name: str, constants: Mapping[str, Any], sent: SentGame | None = None
) -> Game:
    """The game of a certificate that names it, or the user's choice in its place."""
    return (sent or SentGame(game or name)).load(constants)


def _rejected(error: Rejected) -> tuple[JsonObject, str]:
    reason = one_line(str(error))
    return {"verified": False, "reason": reason}, f"Rejected: {reason}"


def read_certificate(text: str, name: str) -> JsonObject:
    """The JSON object in a text. Raises ``BadRequest`` or ``BadJson``."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise BadJson(f"{name} is not JSON: {error}") from None
    except RecursionError:
        raise BadJson(f"{name} nests too deeply") from None
    if not isinstance(found, dict):
        raise BadRequest(f"{name} is not a certificate: it is not a JSON object")
    return found


def _report(found: Verification) -> JsonObject:
    puzzle = found.puzzle
    known: JsonObject = {}
    if found.at_most is not None and found.distance is None:
        known = {"at_most": found.at_most, "not_within": found.not_within, "keys_complete": False}
    elif found.verdict == "unknown" and found.not_within is not None:
        known = {"not_within": found.not_within}
    if puzzle.chance is not None:
        what, _ = puzzle.goal.measure
        bounds = {
            name: str(getattr(found, name)) for name in (f"{what}_at_least", f"{what}_at_most")
        }
        least, most = bounds.values()
        known |= {what: least} if least == most else bounds
        known |= {"chance": str(puzzle.chance)}
    if puzzle.state.game.hidden:
        known["hidden"] = True
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
    } | known


def _sentence(found: Verification) -> str:
    puzzle = found.puzzle
    if puzzle.goal.expected:
        proved = expected_text(puzzle, found.expected_at_least, found.expected_at_most)
    elif puzzle.chance is not None:
        proved = odds_text(puzzle, found)
        if found.verdict == "unknown" and found.not_within is not None:
            proved += f"; with less than {puzzle.chance} within {turns_text(found.not_within)}"
    elif found.verdict == "not_forced":
        limit = puzzle.limit or " in any number of turns"
        proved = f"{puzzle.attacker} can't {puzzle.goal.words().force}{limit}"
    else:
        number = f"{turns_text(found.at_most or 0)} and no fewer"
        if found.distance is None:
            short = "" if found.not_within is None else f", more than {found.not_within}"
            number = f"at most {turns_text(found.at_most or 0)}{short}"
        proved = f"{puzzle.attacker} can {puzzle.goal.words().force} in {number}"
    if found.keys:
        rules, facts = puzzle.state
        state = game_of_encoding(rules.encoding, rules.constants).state(facts)
        keys = list(map(state.move_text, found.keys))
        proved += f", by {' or '.join(keys)}"
    checked = f"{found.nodes} nodes, {found.edges} edges, {found.plans} plans"
    return f"Verified: {proved} ({checked}, {found.seconds:.1f} s)"
