"""The rules of one game, and everything that is prepared once to answer for its states."""

from __future__ import annotations

from dataclasses import asdict
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..asp.terms import Constants
from ..gdl.encoding import Encoding
from ..gdl.memo import remembered
from ..gdl.reasoner import Reasoner, Rules
from ..runtime.arguments import check_text
from ..runtime.errors import BadMove, RulesError
from .board import Vocabulary
from .move import NetMoves
from .notation.move_text import parse_move, told_square

# Modules that import clingo or the network are imported in methods: many questions are answered
# from the cache (see ``remembered``) and need neither.
if TYPE_CHECKING:
    from ..asp.grounding import Query
    from ..propnet.single_state import Single
    from ..propnet.state_nets import StateNets
    from .explain import Explainer


class PreparedRules:
    """A part of ``Game`` that its states know: the rules, the reasoner, nets and explanations."""

    def __init__(self, encoding: Encoding, constants: Constants, has_nets: bool) -> None:
        self.has_nets = has_nets
        self.vocabulary = _vocabulary(encoding, constants)
        if not self.vocabulary.roles:
            raise RulesError(f"{encoding.reference}: there is no role/1, so nobody can play")
        self.rules = Rules(encoding, constants, self.vocabulary.roles)
        self._net_moves: dict[Single, NetMoves] = {}

    @property
    def name(self) -> str:
        """The game's name."""
        return self.rules.encoding.name

    @cached_property
    def reasoner(self) -> Reasoner:
        """See ``Game.reasoner``."""
        from ..gdl.reasoner.grounder import Grounder

        return Grounder(self.rules)

    @cached_property
    def nets(self) -> StateNets:
        """See ``Game.nets``."""
        from ..propnet.state_nets import StateNets

        vocabulary = self.vocabulary
        forms = repr(sorted(vocabulary.notation.items())) if vocabulary.board else ""
        return StateNets(self.rules, vocabulary.initial, vocabulary.base, self._occupants, forms)

    @cached_property
    def explainer(self) -> Explainer:
        """See ``Game.explainer``."""
        from .explain import Explainer

        return Explainer(self.rules, self.vocabulary)

    @cached_property
    def short_moves(self) -> Query:
        """Short texts of the legal moves: see ``short/3`` in ``encodings/README.md``."""
        from ..asp.grounding import Query

        encoding, constants = self.rules.encoding, self.rules.constants
        statements = encoding.checked(constants, "base", "board", "notation")
        return Query(statements, constants, [("short", 3)])

    def moves_of(self, net: Single) -> NetMoves:
        """The moves of one of the nets."""
        return self._net_moves.setdefault(net, NetMoves(net, self.vocabulary.notation))

    def parse_move(self, text: str) -> str:
        """See ``Game.parse_move``."""
        return parse_move(self.vocabulary.notation, check_text(text, "a move", BadMove))

    def _occupants(self, term: str) -> list[str]:
        """The fluents that decide whether a move's text has an ``x``."""
        square, board = told_square(self.vocabulary.notation, term), self.vocabulary.board
        return list(board.pieces_on(square)) if square and board else []


def _vocabulary(encoding: Encoding, constants: Constants) -> Vocabulary:
    def read() -> dict[str, Any]:
        from .vocabulary import read_vocabulary

        return asdict(read_vocabulary(encoding, constants))

    return Vocabulary.of(remembered(encoding, "vocabulary, layout", constants, read))
