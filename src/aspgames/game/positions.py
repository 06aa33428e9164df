"""Positions as users give them: text read, checked (``position_check``), and changed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

from ..asp.canonical import canonical
from ..asp.terms import shorten
from ..gdl.rules import Facts, Rules
from ..runtime.arguments import check_text, hint
from ..runtime.errors import BadPosition
from .board import Board, Square, Vocabulary, parse_square, square_name
from .notation.fen import parse_fen
from .notation.piece_list import parse_list
from .notation.term_input import parse_facts
from .position_check import ASKED, PositionCheck

if TYPE_CHECKING:
    from ..asp.clingo_api import Symbol
    from ..asp.grounding import Query


class PositionReader(PositionCheck):
    """Reads and checks positions of one game."""

    def __init__(self, rules: Rules, vocabulary: Vocabulary) -> None:
        super().__init__(rules, vocabulary)
        self._vocabulary = vocabulary

    def read(self, text: str) -> Facts:
        """The facts of ``startpos``, ``empty``, a FEN or facts, sorted, missing counters filled in.

        Raises ``BadPosition`` with a sentence that names the place.
        """
        check_text(text, "a position (a list of facts is for from_facts)", BadPosition)
        board = self._vocabulary.board
        words = text.split(maxsplit=1)
        if not words:
            raise BadPosition("there is no position; give 'startpos', 'empty', a FEN or facts")
        if text.strip() == "startpos":
            return self._vocabulary.initial
        if text.strip() == "empty" and "empty" not in self._vocabulary.base:
            return self.check(())
        if board and board.numbers and ":" in text and "(" not in text:
            return self.check(parse_list(board, text))
        if board and "(" not in text and ("/" in words[0] or board.height == 1):
            return self._check_fen(board, parse_fen(board, text), has_fields=len(words) > 1)
        return self.check(parse_facts(text))

    def _check_fen(self, board: Board, facts: Facts, has_fields: bool) -> Facts:
        """The facts of a FEN, checked. Without fields, the error says which first one would do."""
        try:
            return self.check(facts)
        except BadPosition as error:
            first = {} if has_fields or not board.fields else board.fields[min(board.fields)]
            fitting = [text for text, fluent in first.items() if self._fits((*facts, fluent))]
            if not fitting:
                raise
            raise BadPosition(f"{error}: add {' or '.join(fitting)}") from None

    @cached_property
    def _query(self) -> Query:
        from ..asp.kept_program import KeptQuery

        recall = partial(self._rules.remembered, "program of positions")
        return KeptQuery(self._statements, self._rules.constants, ASKED, recall)

    def _fits(self, facts: Facts) -> bool:
        try:
            return bool(self.check(facts))
        except BadPosition:
            return False

    @cached_property
    def defaults(self) -> Facts:
        """The fluents that a position without any may leave out, such as counters."""

        def ask() -> list[str]:
            return sorted(str(symbol.arguments[0]) for symbol in self._query(())["default", 1])

        return tuple(self._rules.remembered("facts that may be left out", ask))

    def square(self, name: str) -> Square:
        """The square with a name. Raises ``BadPosition``."""
        square, board = parse_square(check_text(name, "a square", BadPosition)), self._board
        if square is None:
            raise BadPosition(f"{shorten(name)!r} is no square: squares look like a2")
        if not board.has(square):
            raise BadPosition(f"{name} is off the board, which is {board.size}")
        if square in board.holes:
            raise BadPosition(f"{name} is off limits")
        return square

    def with_piece(self, facts: Facts, square: str, content: str) -> list[str]:
        """The facts with a piece on a square, in place of what stands there."""
        place = self.square(square)
        term = canonical(check_text(content, "what stands on a square", BadPosition))
        if term is None:
            raise BadPosition(f"{shorten(content)!r} is nothing that can stand on a square")
        return [*self._elsewhere(facts, place), self._board.fluent(place, term)]

    def without_piece(self, facts: Facts, square: str) -> list[str]:
        """The facts with a square empty."""
        place, board = self.square(square), self._board
        nothing = [board.fluent(place, content) for content in board.empty[:1]]
        return [*self._elsewhere(facts, place), *nothing]

    def _elsewhere(self, facts: Facts, square: Square) -> list[str]:
        placement = self._board.placement
        return [fact for fact in facts if not ((found := placement(fact)) and found[0] == square)]

    @property
    def _board(self) -> Board:
        if self._vocabulary.board is None:
            raise BadPosition(f"{self._rules.encoding.name} has no board")
        return self._vocabulary.board

    def why_not_a_fluent(self, fact: str) -> str:
        """Why a position can't have a fact, with what it might have in its place."""
        from ..asp.clingo_api import SymbolType, parse_term

        board = self._vocabulary.board
        placed = board.placement(fact) if board else None
        if board and placed:
            square, content = placed
            if not board.has(square):
                return f"{fact} is off the board, which is {board.size}"
            if square in board.holes:
                return f"{fact}: {square_name(square)} is off limits"
            known_contents = ", ".join(sorted([*board.glyphs, *board.empty]))
            return f"{fact}: {content} is none of {known_contents}"
        symbol = parse_term(fact)
        if symbol.type is not SymbolType.Function:
            return f"the game has no fluent {shorten(fact)}"
        alike = [
            fluent.arguments
            for fluent in map(parse_term, self._vocabulary.base)
            if fluent.match(symbol.name, len(symbol.arguments))
        ]
        for place, value in enumerate(symbol.arguments):
            known = sorted({arguments[place] for arguments in alike})
            if known and value not in known:
                return f"{shorten(fact)}: {shorten(str(value))} is not among {_list_of(known)}"
        names = {fluent.partition("(")[0] for fluent in self._vocabulary.base}
        meant = "" if symbol.name in names else hint(symbol.name, {*names, "startpos"})
        return f"the game has no fluent {shorten(fact)}{meant}"


def _list_of(values: Sequence[Symbol]) -> str:
    """Values as a list, or as a range of numbers."""
    from ..asp.clingo_api import SymbolType

    numbers = [v.number for v in values if v.type is SymbolType.Number]
    if len(numbers) == len(values) > 2 and numbers[-1] - numbers[0] == len(values) - 1:
        return f"{numbers[0]}..{numbers[-1]}"
    return ", ".join(str(value) for value in values[:8]) + (", …" if len(values) > 8 else "")


def shifted_pieces(
    old: Vocabulary, facts: Sequence[str], new: Vocabulary, dx: int, dy: int
) -> Facts:
    """A position of one game with its pieces shifted, on the board of another with the same rules.

    Raises ``BadPosition`` where a square can't have the piece.
    """
    found = []
    for fact in facts:
        if (placed := old.placement(fact)) is None:
            found.append(fact)
        elif new.board and old.piece(fact):
            (x, y), content = placed
            found.append(new.board.fluent((x + dx, y + dy), content))
    return tuple(sorted(new.with_blanks(found)))
