"""From text to the facts of a position that the game can have."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ..asp.terms import Constants
from ..gdl.encoding import Encoding
from ..gdl.reasoner import Facts
from ..runtime.arguments import check_text
from ..runtime.errors import BadPosition
from .board import Vocabulary
from .notation.fen import parse_fen
from .notation.term_input import parse_facts

if TYPE_CHECKING:
    from .possible import Possible


class PositionReader:
    """Reads ``startpos``, FENs and facts of one game."""

    def __init__(self, encoding: Encoding, constants: Constants, vocabulary: Vocabulary) -> None:
        self._encoding, self._constants = encoding, constants
        self._vocabulary = vocabulary

    def read(self, text: str) -> Facts:
        """The facts of a position, sorted, missing counters filled in.

        Raises ``BadPosition`` with a sentence that names the place.
        """
        check_text(text, "a position (a list of facts is for from_facts)", BadPosition)
        board = self._vocabulary.board
        words = text.split(maxsplit=1)
        if not words:
            raise BadPosition("the position is empty; give 'startpos', a FEN or facts")
        if text.strip() == "startpos":
            return self._vocabulary.initial
        if board and "(" not in text and ("/" in words[0] or board.height == 1):
            facts = parse_fen(board, text)
        else:
            facts = parse_facts(text)
        return self.check(facts)

    def check(self, facts: Facts) -> Facts:
        """The facts, sorted, missing counters filled in. Raises ``BadPosition``."""
        if facts == self._vocabulary.initial:
            return facts
        return self._possible.complete(facts)

    @cached_property
    def _possible(self) -> Possible:
        from .possible import Possible  # the start needs no clingo

        return Possible(self._encoding, self._constants, self._vocabulary)
