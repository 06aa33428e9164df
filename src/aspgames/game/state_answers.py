"""What the rules say of one state: facts, moves, end and goals, by a net or the grounder."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from ..gdl.reasoner import Consequences, Facts, settled
from ..gdl.reasoner.net_answer import bounds_of, consequences_of, goals_of
from .board import Square
from .move import LegalMoves, Move, NetMoves
from .notation.joint_moves import format_joint, is_joint, parse_joint
from .notation.move_text import format_move

if TYPE_CHECKING:
    from .game import Game

_lock = Lock()
T = TypeVar("T")


class ByRole(dict[str, T]):
    """Something of each role, with an error for a name that is no role."""

    def __missing__(self, role: object) -> T:
        raise KeyError(f"there is no role {role!r}, only {', '.join(self)}")


class StateAnswers:
    """The answers for one state. Each is computed when it is first needed, and kept.

    A propositional network of the game answers if one knows the state, else clingo's grounder.
    """

    __slots__ = (
        "_answer",
        "_consequences",
        "_facts",
        "_legal",
        "_legal_moves",
        "_net_moves",
        "_occupied",
        "_row",
        "game",
    )

    _facts: Facts | None
    _net_moves: NetMoves | None
    """The moves of the net that knows the state; None if no net is known to."""
    _row: bytes  # the state as that net stores it
    _answer: Sequence[int] | None  # the answer of that net: see ``net_answer``
    _consequences: Consequences | None
    _legal: Mapping[str, LegalMoves] | None
    _legal_moves: LegalMoves | None
    _occupied: Mapping[Square, str] | None

    def __init__(
        self,
        game: Game,
        facts: Facts | None = None,
        net_moves: NetMoves | None = None,
        row: bytes = b"",
    ) -> None:
        """Give the facts, or a net's moves and a row of that net."""
        self.game, self._facts, self._net_moves, self._row = game, facts, net_moves, row
        self._answer = self._consequences = None
        self._legal = self._legal_moves = self._occupied = None

    @property
    def facts(self) -> Facts:
        """See ``State.facts``."""
        if self._facts is None:
            assert self._net_moves is not None
            self._facts = self._net_moves.net.tables.facts(self._row)
        return self._facts

    @property
    def to_move(self) -> str | None:
        """See ``State.to_move``."""
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
        """See ``State.goals``."""
        if answer := self._ask_net():
            return ByRole(settled(goals_of(answer, self.game.vocabulary.roles)))
        return ByRole(self.consequences.goals)

    @property
    def legal_moves(self) -> LegalMoves:
        """See ``State.legal_moves``."""
        if self._legal_moves is None:
            answer, notation = self._ask_net(), self.game.vocabulary.notation
            if answer and answer[1] == 1 and self._net_moves is not None:
                first, end = (0, 0) if answer[0] else bounds_of(answer, answer[2])
                self._legal_moves = LegalMoves(answer[first:end], self._net_moves, notation)
            else:
                mover = self.to_move
                self._legal_moves = self.legal[mover] if mover else LegalMoves((), (), notation)
        return self._legal_moves

    @property
    def legal(self) -> Mapping[str, LegalMoves]:
        """See ``State.legal``."""
        if self._legal is None:
            legal = self.consequences.legal
            self._legal = ByRole({role: self._playable(role) for role in legal})
        return self._legal

    def _playable(self, role: str) -> LegalMoves:
        forms = self.game.vocabulary.notation
        moves = tuple(
            Move(role, term, format_move(forms, term, self.occupied))
            for term in self.consequences.playable(role)
        )
        return LegalMoves(range(len(moves)), moves, forms)

    @property
    def others_wait(self) -> bool:
        """See ``State.others_wait``."""
        answer, mover = self._ask_net(), self.to_move
        if not answer or self._net_moves is None:
            return self.consequences.movers == (mover,)
        for number, role in enumerate(self._net_moves.net.tables.names.roles):
            first, end = bounds_of(answer, number)
            if end - first != 1 and role != mover:
                return False
        return True

    @property
    def occupied(self) -> Mapping[Square, str]:
        """See ``State.occupied``."""
        if self._occupied is None:
            piece = self.game.vocabulary.piece
            self._occupied = dict(placed for fact in self.facts if (placed := piece(fact)))
        return self._occupied

    @property
    def consequences(self) -> Consequences:
        """All that the rules say of the state, in words."""
        if self._consequences is None:
            answer = self._ask_net()
            if answer and self._net_moves is not None:
                names = self._net_moves.net.tables.names
                self._consequences = consequences_of(answer, names.roles, names.terms)
            else:
                reasoner = self.game.reasoner  # a net would not save the time to make it
                start = time.thread_time()
                self._consequences = reasoner.consequences(self.facts)
                self._charge(start)
        return self._consequences

    def holds(self, fluent: str) -> bool:
        """Whether a fluent is one of the facts."""
        if self._net_moves is None or self._facts is not None:
            return fluent in self.facts
        tables = self._net_moves.net.tables
        bit = tables.fluent_bits.get(fluent)
        if bit is None:
            return fluent in tables.names.certain
        return bool(int.from_bytes(self._row, "little") & bit)

    def own_moves(self) -> LegalMoves | None:
        """The legal moves of the side on move, if a net answers and no other role has a choice."""
        answer = self._ask_net()
        return self.legal_moves if answer and answer[1] == 1 and not answer[0] else None

    def own_of(self, term: str) -> Move | None:
        """The legal move of the side on move with a term, if a net answers; else None."""
        answer, moves = self._ask_net(), self._net_moves
        if not answer or moves is None or answer[1] != 1:
            return None
        tables = moves.net.tables
        number = tables.move_numbers.get((tables.names.roles[answer[2]], term))
        return None if number is None else self.own_move(moves[2 * number])

    def after_own(self, move: Move) -> StateAnswers | None:
        """The state after a legal move of the net's own, if no other role has a choice.

        None where the net alone can't tell.
        """
        own, answer, moves = self.own_move(move), self._answer, self._net_moves
        if own is None or answer is None or moves is None:
            return None
        row = moves.net.play_one(self._row, answer[2], move.number >> 1)
        return None if row is None else StateAnswers(self.game, None, moves, row)

    def own_move(self, move: Move) -> Move | None:
        """The same move, of the net's own, if it is legal for the side on move; else None."""
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

    def after(self, joint: Mapping[str, str]) -> StateAnswers:
        """The state after a joint move, which must be legal."""
        if (moves := self._find_net()) is not None:
            numbered = moves.net.tables.move_numbers
            numbers = [numbered[role, joint[role]] for role in moves.net.tables.names.roles]
            return StateAnswers(self.game, None, moves, moves.net.play(self._row, numbers))
        start = time.thread_time()
        after = self.game.reasoner.successor(self.facts, joint)
        self._charge(start)
        return StateAnswers(self.game, after)

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
                self._row = row
                self._net_moves = moves
        return self._net_moves

    def _ask_net(self) -> Sequence[int] | None:
        """The net's answer; None where only the grounder can answer, or has answered."""
        if self._answer is not None:
            return self._answer
        if self._consequences is not None or (moves := self._find_net()) is None:
            return None
        self._answer = moves.net.ask(self._row)
        return self._answer

    def _charge(self, start: float) -> None:
        """Add the grounder's time to the game's account: when enough is spent, a net is made."""
        if self.game.has_nets:
            self.game.nets.charge(self.facts, time.thread_time() - start)

    def move_text(self, term: str) -> str:
        """See ``State.move_text``."""
        forms = self.game.vocabulary.notation
        if is_joint(term):
            moves = parse_joint(term).items()
            return format_joint({r: format_move(forms, each, self.occupied) for r, each in moves})
        return format_move(forms, term, self.occupied)

    def same_on_net(self, other: StateAnswers) -> bool | None:
        """Whether two states are equal, if one net knows both; else None."""
        if self._net_moves is None or self._net_moves is not other._net_moves:
            return None
        return self._row == other._row
