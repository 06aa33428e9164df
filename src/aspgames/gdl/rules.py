"""The rules and states of one game, as reasoners and the checker of certificates get them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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

    def remembered(self, question: str, ask: Callable[[], Any]) -> Any:
        """The answer of ``ask``, or of an earlier process: see ``Encoding.remembered``."""
        return self.encoding.remembered(question, self.constants, ask)


HIGHEST_GOAL = 100
"""The goal value of a win."""
