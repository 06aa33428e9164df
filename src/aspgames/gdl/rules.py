"""The rules and states of one game, as reasoners and the checker of certificates get them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..asp.terms import Constants
    from .encoding import Encoding

Facts = tuple[str, ...]
Joint = tuple[tuple[str, str], ...]
"""A joint move as pairs of role and move."""


@dataclass(frozen=True, eq=False)
class Rules:
    """The input of reasoners: one object for each game."""

    encoding: Encoding
    constants: Constants
    roles: tuple[str, ...]


HIGHEST_GOAL = 100
"""The goal value of a win."""
