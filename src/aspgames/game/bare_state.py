"""A state and what follows from it, as a net says or the grounder: facts, moves, end and goals."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from threading import Lock

from ..gdl.reasoner import Consequences, Facts
from ..gdl.reasoner.net_answer import bounds_of, consequences_of, goals_of
from ..runtime.arguments import check_text
from ..runtime.errors import BadMove
from .board import Square
from .game_rules import GameRules
from .move import LegalMoves, Move, NetMoves
from .notation.joint_moves import format_joint, is_joint, parse_joint
from .notation.move_text import format_move

_keep = object.__setattr__
_finding = Lock()


class BareState:
    """A state of a game, as far as the rules speak of it; ``State`` is this, as people hold it.

    What the rules say is asked when it is needed and kept; what isn't known yet is None.
    """

    __slots__ = (
        "__weakref__",
        "_consequences",
        "_facts",
        "_game",
        "_legal",
        "_legal_moves",
        "_moves",
        "_occupied",
        "_row",
        "_said",
    )

    _game: GameRules
    _facts: Facts | None
    _moves: NetMoves | None
    """The moves of the net that is asked about the state, if one is ..."""
    _row: bytes
    """... the state as that net has it ..."""
    _said: Sequence[int] | None
    """... and what it says: see ``net_answer``."""
    _consequences: Consequences | None
    _legal: Mapping[str, LegalMoves] | None
    _legal_moves: LegalMoves | None
    _occupied: Mapping[Square, str] | None

    def __init__(
        self,
        game: GameRules,
        facts: Facts | None = None,
        moves: NetMoves | None = None,
        row: bytes = b"",
    ) -> None:
        self._game, self._facts, self._moves, self._row = game, facts, moves, row
        self._said = self._consequences = self._legal = self._legal_moves = self._occupied = None

    @property
    def game(self) -> GameRules:
        """The game that it is a state of."""
        return self._game

    @property
    def facts(self) -> Facts:
        """The fluents that hold, as text, sorted: ``("cell(1,4,white)", "control(white)")``."""
        if self._facts is not None:
            return self._facts
        assert self._moves is not None
        found = self._moves.net.tables.facts(self._row)
        _keep(self, "_facts", found)
        return found

    @property
    def to_move(self) -> str | None:
        """The role on move, or that would be if the game weren't over.

        None where several roles move at once.
        """
        said = self._ask_net()
        if said and said[1] == 1:
            return self._game.roles[said[2]]
        return self.consequences.to_move

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        said = self._ask_net()
        return bool(said[0]) if said else self.consequences.terminal

    @property
    def goals(self) -> dict[str, int]:
        """Each role's value by its name, from 0 to 100, whether the game is over or not."""
        said = self._ask_net()
        return dict(goals_of(said, self._game.roles) if said else self.consequences.goals)

    @property
    def legal_moves(self) -> LegalMoves:
        """The moves of the side on move, sorted by their terms; none when the game is over.

        Like a tuple of ``Move``; ``"a2-a3" in state.legal_moves`` takes texts and terms, too.
        """
        if self._legal_moves is not None:
            return self._legal_moves
        said, notation = self._ask_net(), self._game.vocabulary.notation
        if said and said[1] == 1 and self._moves is not None:
            first, end = (0, 0) if said[0] else bounds_of(said, said[2])
            found = LegalMoves(said[first:end], self._moves, notation)
        else:
            mover = self.to_move
            found = self.legal[mover] if mover else LegalMoves((), (), notation)
        _keep(self, "_legal_moves", found)
        return found

    @property
    def legal(self) -> Mapping[str, LegalMoves]:
        """Every role's legal moves, ``noop`` of a waiting side included, sorted by their terms.

        When the game is over, nobody has any.
        """
        if self._legal is not None:
            return self._legal
        found = {role: self._playable(role) for role in self.consequences.legal}
        _keep(self, "_legal", found)
        return found

    def _playable(self, role: str) -> LegalMoves:
        terms = self.consequences.playable(role)
        moves = tuple(Move(role, term, self.move_text(term)) for term in terms)
        return LegalMoves(range(len(moves)), moves, self._game.vocabulary.notation)

    @property
    def others_wait(self) -> bool:
        """Whether nobody but the side on move has something to choose."""
        said, mover = self._ask_net(), self.to_move
        if not said or self._moves is None:
            return self.consequences.movers == (mover,)
        roles = self._moves.net.tables.names.roles
        bounds = (bounds_of(said, n) for n, role in enumerate(roles) if role != mover)
        return all(end - first == 1 for first, end in bounds)

    @property
    def occupied(self) -> Mapping[Square, str]:
        """What stands where, as the encoding has it, by squares; ``(1, 1)`` is a1."""
        if self._occupied is not None:
            return self._occupied
        piece = self.game.vocabulary.piece
        found = dict(placed for fact in self.facts if (placed := piece(fact)))
        _keep(self, "_occupied", found)
        return found

    @property
    def consequences(self) -> Consequences:
        """All that the rules say of the state, as a reasoner answers it."""
        if self._consequences is not None:
            return self._consequences
        said = self._ask_net()
        if said and self._moves is not None:
            found = consequences_of(said, self._moves.net.tables.names, self._game.roles)
        else:
            reasoner = self._game.reasoner  # to make it is no time that a net would save
            start = time.thread_time()
            found = reasoner.consequences(self.facts)
            self._charge(start)
        _keep(self, "_consequences", found)
        return found

    def _find_net(self) -> NetMoves | None:
        """The moves of the net that knows the state, if there is one by now."""
        if self._moves is not None:
            return self._moves
        found = self._game.nets.find(self.facts) if self._game.has_nets else None
        if not found:
            return None
        net, row = found
        moves = self._game.moves_of(net)
        with _finding:  # another thread may have found another net
            if self._moves is None:
                _keep(self, "_row", row)
                _keep(self, "_moves", moves)
        return self._moves

    def _charge(self, start: float) -> None:
        """Take note of the time that the grounder took: enough of it, and a net is made."""
        if self._game.has_nets:
            self._game.nets.charge(self.facts, time.thread_time() - start)

    def _ask_net(self) -> Sequence[int] | None:
        """The net's answer (see ``net_answer``); None where only the grounder can answer."""
        if self._said is not None:
            return self._said
        if self._consequences is not None or (moves := self._find_net()) is None:
            return None
        said = moves.net.ask(self._row)
        _keep(self, "_said", said)
        return said

    @property
    def status(self) -> str:
        """Whose turn it is, or how the game ended."""
        if self.is_terminal:
            return "game over: " + ", ".join(f"{role} {goal}" for role, goal in self.goals.items())
        first, *others = self.consequences.movers if self.to_move is None else (self.to_move,)
        return "several roles move at once" if others else f"{first} to move"

    def move_text(self, term: str) -> str:
        """A move of this state, given as a term, as people write it; a joint move, too."""
        term = check_text(term, "a move's term", BadMove)
        forms = self.game.vocabulary.notation
        if is_joint(term):
            moves = parse_joint(term).items()
            return format_joint({r: format_move(forms, each, self.occupied) for r, each in moves})
        return format_move(forms, term, self.occupied)

    def after_own(self, move: Move) -> BareState | None:
        """The state after a move that is the net's own and legal, if no other role has a choice.

        None where this isn't known at once, or isn't so.
        """
        said, moves = self._ask_net(), self._moves
        if not said or moves is None or move.net_moves is not moves or said[0] or said[1] != 1:
            return None
        first, end = bounds_of(said, said[2])
        place = bisect_left(said, move.number & -2, first, end)
        if place == end or said[place] >> 1 != move.number >> 1:  # wherever it goes to, it is one
            return None
        row = moves.net.play_one(self._row, said[2], move.number >> 1)
        return None if row is None else BareState(self._game, None, moves, row)

    def after(self, joint: Mapping[str, str]) -> BareState:
        """The state after a joint move that is legal."""
        if (moves := self._find_net()) is not None:
            numbered = moves.net.tables.move_numbers
            numbers = [numbered[role, joint[role]] for role in moves.net.tables.names.roles]
            return BareState(self._game, None, moves, moves.net.play(self._row, numbers))
        start = time.thread_time()
        after = self._game.reasoner.successor(self.facts, joint)
        self._charge(start)
        return BareState(self._game, after)

    def row_on(self, moves: NetMoves) -> bytes | None:
        """Its row in the net whose moves these are; None if the net doesn't know it."""
        return self._row if self._moves is moves else moves.net.tables.row(self.facts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BareState):
            return NotImplemented
        if self._moves is not None and self._moves is other._moves:
            return self._row == other._row  # of one net, and so of one game
        return self.facts == other.facts and self.game == other.game

    def __hash__(self) -> int:
        return hash(self.facts)
