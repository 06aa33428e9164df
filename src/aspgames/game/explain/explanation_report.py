"""Explanations as JSON objects (schema: ``docs/schemas/explanation.schema.json``)."""

from collections.abc import Mapping
from dataclasses import asdict

from ...runtime.json_lines import JsonObject
from ..game import State
from .explanation import Explanation


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
