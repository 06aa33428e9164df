"""A certificate checked for whoever asked: from its text to what is told of it.

Any process may do it, on another machine, too. Of the search and the engine there is nothing here
(see ``proof``).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..game.game import Game
from ..game.loading import load_game, own_rules
from ..gdl.encoding import Encoding
from ..runtime.budget import Budget
from ..runtime.errors import BadJson, BadRequest, Rejected, one_line
from ..runtime.json_lines import JsonObject
from ..runtime.process_messages import tell
from .proof.verify import Verification, verify


@dataclass(frozen=True)
class Task:
    """A certificate on its way to whoever checks it."""

    name: str
    """The file it is from."""
    text: str
    game: str | None
    """The game to hold it against, where that isn't the one it names."""
    seconds: float | None
    rules: Encoding | None = None
    """The files of the game, where they are a user's own."""

    def with_rules(self) -> Task:
        """The same with the files of a user's own game, for other machines."""
        try:
            name = self.game or read(self.text, self.name).get("game")
        except (BadJson, BadRequest):
            return self
        return Task(self.name, self.text, self.game, self.seconds, own_rules(name))


def check(task: Task, progress: Callable[[int, int], None] | None = None) -> tuple[JsonObject, str]:
    """What is told of a certificate: whether it is verified, as JSON and in a sentence.

    Raises what ``verify`` raises, but for ``Rejected``, and ``BadJson`` if it is none.
    """

    def load(name: str, constants: Mapping[str, Any]) -> Game:
        return load_game(task.game or name, constants, task.rules)

    budget = Budget(task.seconds)
    tell(seconds=task.seconds)
    try:
        found = verify(read(task.text, task.name), budget, load, progress)
    except Rejected as error:
        reason = one_line(str(error))
        return {"verified": False, "reason": reason}, f"Rejected: {reason}"
    return _report(found), _sentence(found)


def check_many(task: Task) -> list[Any]:
    """As ``check``, of one among others: its limit on time ends with it."""
    try:
        return list(check(task))
    finally:
        tell(seconds=None)


def read(text: str, name: str) -> JsonObject:
    """The JSON object in a text. Raises ``BadRequest`` or ``BadJson``."""
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
