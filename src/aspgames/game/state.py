"""States of games: what users hold."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Self

from ..gdl.reasoner import Consequences, settled
from ..gdl.reasoner.net_answer import bounds_of, consequences_of, goals_of
from ..gdl.rules import Facts
from ..runtime.arguments import check_text, quote
from ..runtime.errors import BadMove, BadPosition, BadRequest, IllegalMove
from .board import Square, square_name
from .chance import ByRole, Chances, chances_of, draw, percepts_of
from .game_rules import GameRules, no_game
from .move import LegalMoves, Move, NetMoves, Unchanging
from .move_input import (
    AnyMove,
    OneMove,
    check_role,
    is_legal,
    joint_of,
    legal_term,
    moves_by_role,
    own_move,
    squares_of,
    why,
    why_moves,
    why_next,
)
from .notation.fen import format_fen
from .notation.joint_moves import format_joint, is_joint, parse_joint
from .notation.move_text import format_move
from .notation.piece_list import format_list
from .symmetry import Symmetry, symmetry_of
from .text_view import board_text, game_over

# Modules that import clingo or the network are imported in methods, and a game makes its states.
if TYPE_CHECKING:
    from random import Random

    from .explain import Explanation
    from .game import Game
    from .picture.drawing import Arrow
    from .picture.scene import Scene
    from .picture.themes import Theme
    from .view import View

_keep = object.__setattr__
_lock = Lock()


class State(Unchanging):
    """A state of a game: immutable and hashable. Two are equal when game and facts are.

    Get one from ``Game.initial``, ``Game.position`` or ``play``. A state pickles as text. Answers
    are computed when they are first needed, and kept: by a net of the game if one knows the state,
    else by clingo's grounder. Any of them raises ``RulesError`` if the rules leave it open.

    >>> import aspgames
    >>> state = aspgames.load("breakthrough", width=3, height=4).initial
    >>> state.to_move, [str(move) for move in state.legal_moves]
    ('white', ['a2xb3', 'b2xa3', 'b2xc3', 'c2xb3'])
    >>> state.play("a2xb3").fen
    'ppp/pPp/1PP/PPP b'
    """

    game: Game
    """The game that it is a state of."""
    _net_moves: NetMoves | None  # of the net that knows the state; None if no net is known to
    _row: bytes  # the state as that net stores it
    _answer: Sequence[int] | None = None  # the answer of that net: see ``net_answer``
    _legal_moves: LegalMoves | None = None

    def __new__(cls, game: Game, facts: Facts) -> State:
        """The state with these facts, which are trusted: canonical, sorted, and possible."""
        if not isinstance(game, GameRules):
            raise no_game(game)
        if not isinstance(facts, tuple) or not all(isinstance(f, str) for f in facts):
            raise BadPosition(f"a state's facts are a tuple of texts, not {quote(facts)}")
        return cls.made(game, facts)

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
        found = self.game.grounder.consequences(self.facts)
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
        after = self.game.grounder.successor(self.facts, joint)
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

    @property
    def fen(self) -> str | None:
        """The position as a FEN, in draughts as in PDN: ``B:W21,22,K30:B1,K5:H12``.

        None for a game without a board, and for facts that a FEN can't express.
        """
        board = self.game.board
        if board is None:
            return None
        return (format_list if board.numbers else format_fen)(board, self.facts)

    @property
    def outcome(self) -> dict[str, int] | None:
        """Each role's value at the end of the game; None until the game is over."""
        return self.goals if self.is_terminal else None

    @property
    def chance(self) -> Chances:
        """The moves of the role ``random``, each with its probability as a ``Fraction``.

        Empty where ``random`` has no choice: in a game without it, when the game is over, and
        where it has a single move while others are on move.

        Raises ``RulesError`` for wrong weights.

        >>> import aspgames
        >>> state = aspgames.load("pig").initial.play("roll")
        >>> [(str(move), str(chance)) for move, chance in state.chance][:2]
        [('die(1)', '1/6'), ('die(2)', '1/6')]
        """
        return chances_of(self)

    @property
    def pieces(self) -> dict[str, str]:
        """The pieces by the names of their squares, ``{"a2": "white"}``, as ``piece_at``."""
        return {square_name(square): piece for square, piece in sorted(self.occupied.items())}

    @property
    def status(self) -> str:
        """Whose turn it is, or how the game ended."""
        if self.is_terminal:
            return game_over(self.consequences.values)
        if self.to_move is None and self.consequences.forced:
            return "each role has one move"
        first, *others = self.consequences.movers if self.to_move is None else (self.to_move,)
        return "several roles move at once" if others else f"{first} to move"

    def piece_at(self, square: str) -> str | None:
        """The piece on a square (``"a2"``), as the encoding names it; None if it is empty.

        Raises:
            BadPosition: The board has no such square, or the game no board.
        """
        return self.occupied.get(self.game.reader.square(square))

    def with_piece(self, square: str, content: str) -> State:
        """The state with a piece on a square, in place of what stands there.

        Args:
            square: The square's name, ``"a2"``.
            content: The piece, as ``piece_at`` names it.

        Raises:
            BadPosition: There is no such square or piece, or the game can't have the position.
        """
        return self.game.from_facts(self.game.reader.with_piece(self.facts, square, content))

    def without_piece(self, square: str) -> State:
        """The state with a square empty. Nothing changes if it is empty already.

        Raises:
            BadPosition: There is no such square, or the game can't have the position.
        """
        return self.game.from_facts(self.game.reader.without_piece(self.facts, square))

    def mirror(self, view: str | Symmetry = "left to right", *, exchange: bool = False) -> State:
        """The position in another view, if the rules have this symmetry.

        The symmetry is proven from the rules, mostly once for a game: legal moves, successors, end
        and goals of the mirrored state are those of this state, in the other view.

        Args:
            view: ``"left to right"``, ``"top to bottom"``, ``"turned by half"`` or
                ``"as it is"``; on square boards also ``"along the diagonal"``,
                ``"along the other diagonal"``, ``"turned by a quarter"`` and
                ``"turned by three quarters"``. Or one of ``Game.symmetries``, which also maps
                moves.
            exchange: Whether the two roles change places.

        Raises:
            BadRequest: The rules don't have the symmetry, or it can't be proven.
            RulesError: The game has no net.
            LimitReached: The net of the game would be too large.
        """
        symmetry = view
        if not isinstance(symmetry, Symmetry):
            symmetry = symmetry_of(self.game.vocabulary, symmetry, exchange)
        elif exchange:
            raise BadRequest("a symmetry itself says which roles are exchanged: omit exchange")
        elif symmetry.vocabulary != self.game.vocabulary:
            raise BadRequest(f"the symmetry is of another game than {self.game.name}")
        if difference := self.game.proofs.difference(symmetry, self.facts):
            raise BadRequest(
                f"the rules of {self.game.name} don't show this symmetry, {symmetry}: "
                f"{difference} aren't alike"
            )
        return self.game.from_facts(map(symmetry.fluent, self.facts))

    def is_legal(self, move: AnyMove) -> bool:
        """Whether ``play`` accepts a move, given in any form that ``play`` takes.

        A text that is no move isn't legal.

        Raises:
            BadMove: The argument is neither a ``Move`` nor a text nor a mapping.
        """
        return is_legal(self, move)

    def play(self, *moves: AnyMove) -> State:
        """The state after one move of the side on move, or after several in turn.

        Args:
            moves: Each is a ``Move``, a term (``move(4,1,4,7,7,7)``) or a text (``d1-d7/g7``,
                ``d1d7g7``). Where several roles move at once, give a mapping from roles to
                moves, or a text such as ``white=rock,black=paper``; roles with a single legal
                move may be left out.

        Raises:
            IllegalMove: A move isn't legal, or the game is over. The message says why.
            BadMove: A text is no move of the game.
        """
        if len(moves) == 1:
            return self._after(moves[0])
        state = self
        for number, move in enumerate(moves, start=1):
            try:
                state = state._after(move)
            except (BadMove, IllegalMove) as error:
                raise type(error)(f"move {number}: {error}") from None
        return state

    def roll(self, rng: Random | int | None = None, **others: OneMove) -> State:
        """The state after a random move of the role ``random``, drawn by its probabilities.

        Args:
            rng: The source of random numbers, or its seed; None for a new source.
            others: The moves of roles that choose at the same time, by role.

        Raises:
            IllegalMove: ``random`` has no choice, or another role has one that isn't given.
        """
        drawn = self.draw(rng)
        return self._after({**others, drawn.role: drawn})

    def draw(self, rng: Random | int | None = None) -> Move:
        """A random move of the role ``random``, by its probabilities. Raises as ``roll`` does."""
        return draw(self, rng)

    def sees(self, move: AnyMove) -> dict[str, tuple[str, ...]]:
        """What each player perceives when a move is played: terms, sorted, by role.

        A player knows its own moves and its percepts, and nothing else. Empty for a game without
        ``sees/2``, in which all see everything.

        Args:
            move: A move, or a joint move, in any form that ``play`` takes.

        Raises:
            IllegalMove: The move isn't legal.
            BadMove: A text is no move of the game.
        """
        return percepts_of(self, joint_of(self, move))

    def view(self, role: str | None = None) -> View:
        """What a role knows, if it knows this state now; a lone player needs no name.

        ``View.after`` goes on from here with the role's moves and percepts.

        Raises:
            BadRequest: There is no such player.
        """
        from .view import View

        players = self.game.players
        if role is None and len(players) == 1:
            role = players[0]
        if role not in players:
            raise BadRequest(f"a view is of {' or '.join(players)}, not {quote(role)}")
        return View(self, role)

    def _after(self, move: AnyMove) -> State:
        if isinstance(move, str):
            move = own_move(self, move) or move
        after = self.after_own(move) if isinstance(move, Move) else None
        return after or self.after(joint_of(self, move))

    def joint(self, move: AnyMove) -> dict[str, str]:
        """The term of every role's move when a move is played. Raises as ``play`` does."""
        return joint_of(self, move)

    def legal_move(self, role: str, move: OneMove) -> Move:
        """A role's legal move, given in any form that ``play`` takes. Raises as ``play`` does."""
        own = self.own_move(move) if isinstance(move, Move) else None
        if own is not None and own.role == role:
            return own
        term = legal_term(self, role, move)
        return Move(role, term, self.move_text(term))

    def short_text(self, term: str) -> str | None:
        """A legal move of the side on move in short form: ``Nf3``; None if the game has none."""
        short = self.game.short_moves
        if short is None or self.to_move is None:
            return None
        move = next((move for move in self.legal_moves if move.term == term), None)
        return short.write(move, self.legal_moves, self.holds) if move else None

    def why(self, move: OneMove, role: str | None = None) -> Explanation:
        """Why a move is legal or not: the conditions of the rules, in the encoding's sentences.

        >>> import aspgames
        >>> state = aspgames.load("breakthrough", width=3, height=4).initial
        >>> print(state.why("a2-a4").summary)
        a2xa4 is not legal for white: a white piece goes one square ahead, straight or aslant, \
and not from a2 to a4

        Args:
            move: A move in any form that ``play`` takes.
            role: Whose move it is; the side on move if None.

        Raises:
            BadMove: A text is no move of the game.
            BadRequest: There is no such role, or a joint move leaves open whose move is meant.
            IllegalMove: Several roles move at once, and ``role`` isn't given.
        """
        return why(self, move, role)

    def why_moves(self, moves: Iterable[OneMove], role: str | None = None) -> Iterator[Explanation]:
        """Why each of several different moves of one role is legal or not: see ``why``.

        The rules are grounded once for all of them. A text may be no joint move.
        """
        return why_moves(self, moves, role)

    def why_each(self, move: str | Mapping[str, OneMove]) -> dict[str, Explanation]:
        """Why each move of a joint move is legal or not, by role. Raises as ``why`` does."""
        moves = moves_by_role(self, move).items()
        return {role: why(self, each, role) for role, each in moves}

    def why_terminal(self) -> Explanation:
        """Why the game is over, or isn't."""
        claim = f"the game is {'' if self.is_terminal else 'not '}over"
        return self.game.explainer.terminal(self.facts, claim)

    def why_goal(self, role: str) -> Explanation:
        """Why a role has its value, from 0 to 100.

        Raises:
            BadRequest: There is no such role.
        """
        check_role(self.game, role)
        value = self.goals[role]
        return self.game.explainer.goal(self.facts, f"{role} has {value}", role, value)

    def why_next(self, move: AnyMove, fluent: str) -> Explanation:
        """Why a fluent (``cell(4,7,arrow)``) holds or doesn't after a move.

        Raises:
            BadMove: A text is no move of the game.
            IllegalMove: The move isn't legal.
            BadPosition: The text of the fluent isn't one.
        """
        return why_next(self, joint_of(self, move), fluent)

    def svg(
        self,
        *,
        last_move: OneMove | None = None,
        arrows: Iterable[Arrow] = (),
        marked: Iterable[str] = (),
        coordinates: bool = True,
        theme: str | Theme = "light",
        size: int = 480,
        bottom: str | None = None,
    ) -> str:
        """The position as an SVG picture, drawn as the encoding says, with a text alternative.

        The picture of a game without a board lists the facts, and the moves of ``random`` with
        their probabilities. Else the text alternative has these.

        Args:
            last_move: A move whose squares are tinted. A text or term is a move that some position
                allows.
            arrows: Pairs of squares, or triples with a colour: ``("d1", "d7", "#c00")``.
            marked: Squares that get a ring.
            coordinates: Whether files and ranks are labelled.
            theme: The name of one, such as ``"auto"`` (the reader's preference), or a ``Theme``.
            size: The longer side [pixels], from 16 to 10,000.
            bottom: The role whose side is at the bottom.

        Raises:
            BadMove: The last move is no move, or none of any position.
            BadRequest: Another argument is wrong.
            RulesError: The encoding names an unknown shape or colour.
        """
        from .picture.drawing import draw

        chances = tuple(f"{move.text} {chance}" for move, chance in self.chance)
        return draw(
            replace(self.scene, chances=chances),
            last=squares_of(self.game, last_move) if last_move is not None else (),
            arrows=arrows,
            marked=marked,
            coordinates=coordinates,
            theme=theme,
            size=size,
            bottom=bottom,
        )

    @property
    def scene(self) -> Scene:
        """The things in the picture of the position."""
        from .picture.scene import Scene

        mover = None if self.is_terminal else self.to_move
        return Scene(self.game.vocabulary, self.facts, self.status, mover)

    def _repr_svg_(self) -> str:
        return self.svg(theme="auto")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        if self._net_moves is not None and self._net_moves is other._net_moves:
            return self._row == other._row
        return self.facts == other.facts and self.game == other.game

    def __hash__(self) -> int:
        return hash(self.facts)

    def __str__(self) -> str:
        """The position with coordinates and the side on move, as ``aspgames show`` prints it."""
        return board_text(self.scene)

    def __repr__(self) -> str:
        return f"<{self.game.name}: {self.fen or ' '.join(self.facts)}>"

    def __reduce__(self) -> tuple[object, ...]:
        return State, (self.game, self.facts)


def check_state(value: object) -> State:
    """The argument, if it is a state. Raises ``BadRequest``."""
    if not isinstance(value, State):
        raise BadRequest(f"give a State, as game.initial and game.position do, not {quote(value)}")
    return value


def is_stuck(state: State) -> bool:
    """Whether a role has no legal move though the game isn't over, so that play can't go on."""
    if state.is_terminal:
        return False
    if state.to_move is not None and state.others_wait:
        return not state.legal_moves
    return not all(state.consequences.legal.values())
