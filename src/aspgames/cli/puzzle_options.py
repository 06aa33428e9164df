"""Options for a puzzle's goal, which several verbs share."""

from __future__ import annotations

from typing import Any

from ..puzzle.goal import GOAL_LIST
from .verb import option


def attacker_option(told: str = "The side that forces the goal; a lone role needs no name.") -> Any:
    """A field for a puzzle's attacker."""
    return option("--attacker ROLE", told)


def goal_option(required: bool = False) -> Any:
    """A field for a puzzle's goal."""
    return option("--goal", f"{GOAL_LIST} (also score:N).", required=required)


def within_option(told: str, required: bool = False) -> Any:
    """A field for a puzzle's number of turns."""
    return option("--within K", told, required=required)
