"""A ply: one move, or the simultaneous moves of several roles."""

from __future__ import annotations

from dataclasses import dataclass

from ...game.move import Move
from ...game.notation.joint_moves import format_ply
from ...game.notation.notations import Notation


@dataclass(frozen=True, slots=True)
class Ply:
    """The moves of the roles that had a choice, in the order of the roles."""

    moves: tuple[Move, ...]

    @property
    def role(self) -> str | None:
        """The role that moved; None if several roles did."""
        return self.moves[0].role if len(self.moves) == 1 else None

    @property
    def term(self) -> str:
        """The ply as terms: ``move(1,2,1,3)``, or ``white=rock,black=paper``."""
        return format_ply({move.role: move.term for move in self.moves}, self._roles)

    @property
    def text(self) -> str:
        """The ply in the encoding's own move texts."""
        return format_ply({move.role: move.text for move in self.moves}, self._roles)

    def text_in(self, written: Notation) -> str:
        """The ply in a notation."""
        return self.text if written.has_boards else written.joint_text(self.term)

    @property
    def _roles(self) -> tuple[str, ...]:
        return tuple(move.role for move in self.moves)
