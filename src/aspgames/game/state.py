"""States of games: what users hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ..gdl.rules import Facts
from ..runtime.arguments import quote
from ..runtime.errors import BadMove, BadPosition, BadRequest, IllegalMove
from .board import square_name
from .chance import Chances, chances_of, draw, percepts_of
from .game_rules import GameRules, no_game
from .move import Move, NetMoves
from .move_input import (
    AnyMove,
    OneMove,
    check_role,
    is_legal,
    joint_of,
    legal_term,
    moves_by_role,
    own_move,
    short_text,
    squares_of,
    why,
    why_moves,
    why_next,
)
from .notation.fen import format_fen
from .notation.piece_list import format_list
from .state_answers import StateAnswers
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


class State(StateAnswers):
    """A state of a game: immutable and hashable. Two are equal when game and facts are.

    Get one from ``Game.initial``, ``Game.position`` or ``play``. A state pickles as text. Answers
    are computed when they are first needed; any of them raises ``RulesError`` if the rules leave
    it open.

    >>> import aspgames
    >>> state = aspgames.load("breakthrough", width=3, height=4).initial
    >>> state.to_move, [str(move) for move in state.legal_moves]
    ('white', ['a2xb3', 'b2xa3', 'b2xc3', 'c2xb3'])
    >>> state.play("a2xb3").fen
    'ppp/pPp/1PP/PPP b'
    """

    def __new__(cls, game: Game, facts: Facts) -> State:
        """The state with these facts, which are trusted: canonical, sorted, and possible."""
        if not isinstance(game, GameRules):
            raise no_game(game)
        if not isinstance(facts, tuple) or not all(isinstance(f, str) for f in facts):
            raise BadPosition(f"a state's facts are a tuple of texts, not {quote(facts)}")
        return cls.made(game, facts)

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

        Raises ``RulesError`` where ``random`` has no move though the game isn't over, and for
        wrong weights.

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
        return short_text(self, term)

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
            theme: ``"light"``, ``"dark"``, ``"auto"`` (the reader's preference) or a ``Theme``.
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


def state_on_net(game: Game, moves: NetMoves, row: bytes) -> State:
    """The state of a row in the net with these moves."""
    return State.made(game, None, moves, row)


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
