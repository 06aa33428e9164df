"""Options for a puzzle's goal, which several verbs share."""

from __future__ import annotations

from typing import Any

from ..puzzle.goal import GOAL_LIST
from .parameters import number_option
from .verb import option


def attacker_option(told: str = "The side that forces the goal.") -> Any:
    """A field for a puzzle's attacker."""
    return option("--attacker", metavar="ROLE", help=told)


def goal_option(required: bool = False) -> Any:
    """A field for a puzzle's goal."""
    return option("--goal", required=required, help=f"{GOAL_LIST} (also score:N).")


def within_option(told: str, required: bool = False) -> Any:
    """A field for a puzzle's number of turns."""
    return number_option("--within", told=told, metavar="K", required=required)
