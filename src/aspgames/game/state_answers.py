"""What the rules say of one state: facts, moves, end and goals, by a net or the grounder."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Self, TypeVar

from ..gdl.reasoner import Consequences, settled
from ..gdl.reasoner.net_answer import bounds_of, consequences_of, goals_of
from ..gdl.rules import Facts
from ..runtime.arguments import check_text
from ..runtime.errors import BadMove
from .board import Square
from .move import LegalMoves, Move, NetMoves, Unchanging
from .notation.joint_moves import format_joint, is_joint, parse_joint
from .notation.move_text import format_move

if TYPE_CHECKING:
    from .game import Game

_keep = object.__setattr__
_lock = Lock()
T = TypeVar("T")


class ByRole(dict[str, T]):
    """Something of each role, with an error for a name that is no role."""

    def __missing__(self, role: object) -> T:
        raise KeyError(f"there is no role {role!r}, only {', '.join(self)}")


class StateAnswers(Unchanging):
    """What the rules say of a ``State``. Each answer is computed when it is first needed, and kept.

    A propositional network of the game answers if one knows the state, else clingo's grounder.
    """

    game: Game
    """The game that it is a state of."""
    _net_moves: NetMoves | None  # of the net that knows the state; None if no net is known to
    _row: bytes  # the state as that net stores it
    _answer: Sequence[int] | None = None  # the answer of that net: see ``net_answer``
    _legal_moves: LegalMoves | None = None

    @classmethod
    def made(
        cls, game: Game, facts: Facts | None, net_moves: NetMoves | None = None, row: bytes = b""
    ) -> Self:
        """The state with these facts, which are trusted, or of a row in a net with these moves."""
        compiled = net_moves.compiled if net_moves is not None else None
        if compiled and issubclass(compiled, cls):
            state: Self = compiled.on_net(game, net_moves, row)
        else:
            state = object.__new__(cls)
            _keep(state, "game", game)
            _keep(state, "_net_moves", net_moves)
            _keep(state, "_row", row)
        if facts is not None:
            _keep(state, "facts", facts)
        return state

    @cached_property
    def facts(self) -> Facts:
        """The fluents that hold, as text, sorted: ``("cell(1,4,white)", "control(white)")``."""
        assert self._net_moves is not None
        return self._net_moves.net.tables.facts(self._row)

    @property
    def to_move(self) -> str | None:
        """The role on move, or that would be if the game weren't over.

        None where several roles move at once, and in a forced ply, where each role has only a pass.
        """
        answer = self._ask_net()
        if answer and answer[1] == 1:
            return self.game.vocabulary.roles[answer[2]]
        return self.consequences.to_move

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        answer = self._ask_net()
        return bool(answer[0]) if answer else self.consequences.terminal

    @property
    def goals(self) -> dict[str, int]:
        """Each role's value by its name, from 0 to 100, whether the game is over or not."""
        if answer := self._ask_net():
            return ByRole(settled(goals_of(answer, self.game.vocabulary.roles)))
        return ByRole(self.consequences.goals)

    @property
    def legal_moves(self) -> LegalMoves:
        """The moves of the side on move, sorted by their terms; none when the game is over.

        Like a tuple of ``Move``; ``"a2-a3" in state.legal_moves`` takes texts and terms, too.
        """
        found = self._legal_moves
        if found is None:  # by hand: a lock for each state would take time
            answer, notation = self._ask_net(), self.game.vocabulary.notation
            if answer and answer[1] == 1 and self._net_moves is not None:
                first, end = (0, 0) if answer[0] else bounds_of(answer, answer[2])
                found = LegalMoves(answer[first:end], self._net_moves, notation)
            else:
                mover = self.to_move
                found = self.legal[mover] if mover else LegalMoves((), (), notation)
            _keep(self, "_legal_moves", found)
        return found

    @cached_property
    def legal(self) -> Mapping[str, LegalMoves]:
        """Every role's legal moves, ``noop`` of a waiting side included, sorted by their terms.

        No role has any when the game is over.
        """
        return ByRole({role: self._playable(role) for role in self.consequences.legal})

    def _playable(self, role: str) -> LegalMoves:
        forms = self.game.vocabulary.notation
        moves = tuple(
            Move(role, term, format_move(forms, term, self.occupied))
            for term in self.consequences.playable(role)
        )
        return LegalMoves(range(len(moves)), moves, forms)

    @property
    def others_wait(self) -> bool:
        """Whether only the side on move has a choice."""
        answer, mover = self._ask_net(), self.to_move
        if not answer or self._net_moves is None:
            return self.consequences.movers == (mover,)
        for number, role in enumerate(self._net_moves.net.tables.names.roles):
            first, end = bounds_of(answer, number)
            if end - first != 1 and role != mover:
                return False
        return True

    @cached_property
    def occupied(self) -> Mapping[Square, str]:
        """The pieces by their squares, as the encoding names them; ``(1, 1)`` is a1."""
        piece = self.game.vocabulary.piece
        return dict(placed for fact in self.facts if (placed := piece(fact)))

    @cached_property
    def consequences(self) -> Consequences:
        """All that the rules say of the state, in the form that reasoners give."""
        answer = self._ask_net()
        if answer and self._net_moves is not None:
            names = self._net_moves.net.tables.names
            return consequences_of(answer, names.roles, names.terms)
        start = time.thread_time()  # a net would not save the time to make it
        found = self.game.reasoner.consequences(self.facts)
        self._charge(start)
        return found

    def holds(self, fluent: str) -> bool:
        """Whether a fluent is one of the facts."""
        if self._net_moves is None or "facts" in self.__dict__:
            return fluent in self.facts
        tables = self._net_moves.net.tables
        bit = tables.fluent_bits.get(fluent)
        if bit is None:
            return fluent in tables.names.certain
        return bool(int.from_bytes(self._row, "little") & bit)

    def own_moves(self) -> LegalMoves | None:
        """The legal moves of the side on move, if a net answers and no other role has a choice."""
        return self.legal_moves if self.own_mover() else None

    def own_of(self, term: str) -> Move | None:
        """The legal move of the side on move with a term, if a net answers; else None."""
        mover, moves = self.own_mover(), self._net_moves
        number = moves.net.tables.move_numbers.get((mover, term)) if moves and mover else None
        return None if number is None or moves is None else self.own_move(moves[2 * number])

    def own_mover(self) -> str | None:
        """The only role on move, if a net answers and the game goes on; else None."""
        answer = self._ask_net()
        return self.to_move if answer and answer[1] == 1 and not answer[0] else None

    def after_own(self, move: Move) -> Self | None:
        """The state after a legal move of the net's own, if no other role has a choice.

        None where the net alone can't tell.
        """
        own, answer, moves = self.own_move(move), self._answer, self._net_moves
        if own is None or answer is None or moves is None:
            return None
        row = moves.net.play_one(self._row, answer[2], move.number >> 1)
        return None if row is None else self.made(self.game, None, moves, row)

    def own_move(self, move: Move) -> Move | None:
        """The net's own object of a move, if it is legal for the side on move; else None."""
        answer, moves = self._ask_net(), self._net_moves
        if not answer or moves is None or move.net_moves is not moves:
            return None
        if answer[0] or answer[1] != 1:
            return None
        first, end = bounds_of(answer, answer[2])
        place = bisect_left(answer, move.number & -2, first, end)
        if place == end or answer[place] >> 1 != move.number >> 1:  # the last bit is no move's
            return None
        return moves[answer[place]]

    def after(self, joint: Mapping[str, str]) -> Self:
        """The state after a joint move, which must be legal."""
        if (moves := self._find_net()) is not None:
            numbered = moves.net.tables.move_numbers
            numbers = [numbered[role, joint[role]] for role in moves.net.tables.names.roles]
            return self.made(self.game, None, moves, moves.net.play(self._row, numbers))
        start = time.thread_time()
        after = self.game.reasoner.successor(self.facts, joint)
        self._charge(start)
        return self.made(self.game, after)

    def row_on(self, moves: NetMoves) -> bytes | None:
        """The state's row in the net with these moves; None if the net doesn't know the state."""
        return self._row if self._net_moves is moves else moves.net.tables.row(self.facts)

    def _find_net(self) -> NetMoves | None:
        """The moves of the net that knows the state, if there is one by now."""
        if self._net_moves is not None:
            return self._net_moves
        found = self.game.nets.find(self.facts) if self.game.has_nets else None
        if not found:
            return None
        net, row = found
        moves = self.game.moves_of(net)
        with _lock:  # another thread may have found another net
            if self._net_moves is None:
                _keep(self, "_row", row)
                _keep(self, "_net_moves", moves)
        return self._net_moves

    def _ask_net(self) -> Sequence[int] | None:
        """The net's answer; None where only the grounder can answer, or has answered."""
        if self._answer is not None:
            return self._answer
        moves = self._net_moves
        if moves is None and "consequences" not in self.__dict__:
            moves = self._find_net()
        if moves is None:
            return None
        answer = moves.net.ask(self._row)
        _keep(self, "_answer", answer)
        return answer

    def _charge(self, start: float) -> None:
        """Add the grounder's time to the game's account: when enough is spent, a net is made."""
        if self.game.has_nets:
            self.game.nets.charge(self.facts, time.thread_time() - start)

    def move_text(self, term: str) -> str:
        """The text of a move, or of a joint move, given as a term: ``a2xb3``."""
        check_text(term, "a move's term", BadMove)
        forms = self.game.vocabulary.notation
        if is_joint(term):
            moves = parse_joint(term).items()
            return format_joint({r: format_move(forms, each, self.occupied) for r, each in moves})
        return format_move(forms, term, self.occupied)
