"""The rules of one game with its constants settled, and what answers questions about them."""

from __future__ import annotations

from dataclasses import asdict
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..asp.terms import Constants
from ..gdl.encoding import Encoding
from ..gdl.memo import remembered
from ..gdl.reasoner import Reasoner, Rules
from ..runtime.arguments import check_text, told
from ..runtime.errors import BadMove, BadRequest, LimitReached, RulesError
from .board import Board, Vocabulary
from .move import Moves, NetMoves
from .notation.move_text import parse_move, told_square
from .position import PositionReader

# What needs clingo is imported where it is asked for: what was read before (see ``remembered``)
# needs none of it, and importing it takes longer than many a question. So is the engine: who asks a
# game without nets has nothing of it.
if TYPE_CHECKING:
    from ..propnet.single_state import Single
    from ..propnet.state_nets import OnDemand
    from .explain import Explainer
    from .observation import Observation
    from .symmetry import Symmetry
    from .symmetry_proofs import Proofs


class GameRules:
    """The rules of one game, and all that is made of them once. Two are equal when the rules are.

    It knows of no states: ``Game`` is this, with the way to them.
    """

    def __init__(self, encoding: Encoding, constants: Constants, has_nets: bool = True) -> None:
        if not isinstance(encoding, Encoding):
            raise BadRequest(f"games are made with load, not of {told(encoding)}")
        self.encoding = encoding
        self.constants = constants
        """All constants of the encoding, by name, with the values in force.

        A whole number is an ``int``, any other term its text.
        """
        self.has_nets = has_nets
        """Whether its states may be asked of a net, or of the grounder alone."""
        self.vocabulary = _vocabulary(encoding, constants)
        if not self.vocabulary.roles:
            raise RulesError(f"{encoding.reference}: there is no role/1, so nobody can play")

    @property
    def name(self) -> str:
        """What the game is called: its file's stem."""
        return self.encoding.name

    @property
    def title(self) -> str:
        """The game in a few words, as its encoding has it."""
        return self.vocabulary.title

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles of the game, as the encoding names them."""
        return self.vocabulary.roles

    @property
    def board(self) -> Board | None:
        """What the board looks like; None for a game without one."""
        return self.vocabulary.board

    @cached_property
    def reasoner(self) -> Reasoner:
        """The reference reasoner, which answers questions about single states."""
        from ..gdl.reasoner.grounder import Grounder

        return Grounder(self.rules)

    @cached_property
    def nets(self) -> OnDemand:
        """The nets that answer questions about single states, once that pays."""
        from ..propnet.state_nets import OnDemand

        vocabulary = self.vocabulary
        told = repr(sorted(vocabulary.notation.items())) if self.board else ""
        return OnDemand(self.rules, vocabulary.initial, vocabulary.base, self._occupants, told)

    @cached_property
    def moves(self) -> Moves:
        """All moves that play from the start can make, numbered as in a ``Batch``.

        A sequence of ``Move``; ``game.moves.index(move)`` is the number of one. It takes the net of
        the whole game: raises ``RulesError`` where the rules have none, ``LimitReached`` where it
        would be too large.
        """
        return Moves(self.moves_of(self._whole))

    @cached_property
    def fluents(self) -> tuple[str, ...]:
        """All fluents that play from the start can change, numbered as in a ``Batch``.

        Raises as ``moves`` does.
        """
        return tuple(self._whole.tables.names.fluents)

    @cached_property
    def observation(self) -> Observation:
        """States as arrays of numbers, such as networks are given.

        Where the game has no net as a whole, what the encoding lists in ``base/1`` and what can be
        reached are the fluents. Raises as ``moves`` does if there is no end to these.
        """
        from .fluents import Fluents
        from .observation import Observation

        vocabulary = self.vocabulary
        try:
            tables = self._whole.tables
        except (RulesError, LimitReached):
            known = Fluents(self.encoding, self.constants, vocabulary).all
            if known is None:
                raise
            return Observation(vocabulary, sorted(known), (), [vocabulary.initial])
        from ..propnet.sample_states import some_states

        names = tables.names
        start = tables.row(vocabulary.initial)
        assert start is not None
        states = some_states(tables, start)
        return Observation(vocabulary, tuple(names.fluents), tuple(names.certain), states)

    @property
    def _whole(self) -> Single:
        """The net of the whole game."""
        from ..runtime.budget import MOST_RULES

        return self.nets.from_the_start(MOST_RULES)

    def moves_of(self, net: Single) -> NetMoves:
        """The moves of one of the nets."""
        return self._net_moves.setdefault(net, NetMoves(net, self.vocabulary.notation))

    def _occupants(self, term: str) -> list[str]:
        """The fluents that say that something stands where a move goes, if its text says so."""
        square = told_square(self.vocabulary.notation, term)
        if square is None or not self.board:
            return []
        return list(self.board.pieces_on(square))

    @cached_property
    def explainer(self) -> Explainer:
        """Says why moves are legal or not, the game over or not, and sides have their goals."""
        from .explain import Explainer

        return Explainer(self.encoding, self.constants, self.vocabulary)

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The symmetries that the rules have: other views of the board, roles exchanged, or both.

        Each is proven from the rules, for all states that play leads to. Where the same is said in
        very different ways, it may not be seen, so there may be more. Raises ``RulesError`` where
        there is no net of the whole game, ``LimitReached`` where it would be too large.
        """
        return self.proofs.all()

    @cached_property
    def proofs(self) -> Proofs:
        """What is proven of symmetries."""
        from .symmetry_proofs import Proofs

        return Proofs(self.rules, self.vocabulary)

    @cached_property
    def rules(self) -> Rules:
        """What reasoners are made from."""
        return Rules(self.encoding, self.constants, self.roles)

    def parse_move(self, text: str) -> str:
        """The term of a move given as people write it (``d1-d7/g7``) or as a term.

        Whether it is legal anywhere is not asked. Raises ``BadMove`` if the text is no move.
        """
        return parse_move(self.vocabulary.notation, check_text(text, "a move", BadMove))

    @cached_property
    def reader(self) -> PositionReader:
        """Reads positions of the game."""
        return PositionReader(self.encoding, self.constants, self.vocabulary)

    @cached_property
    def _net_moves(self) -> dict[Single, NetMoves]:
        return {}

    @cached_property
    def _key(self) -> tuple[str, tuple[tuple[str, int | str], ...]]:
        return self.encoding.fingerprint, tuple(self.constants.items())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameRules) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


def _vocabulary(encoding: Encoding, constants: Constants) -> Vocabulary:
    """What can be said in the game: see ``read_vocabulary``."""

    def ask() -> dict[str, Any]:
        from .vocabulary import read_vocabulary

        return asdict(read_vocabulary(encoding, constants))

    return Vocabulary.of(remembered(encoding, "vocabulary", constants, ask))
