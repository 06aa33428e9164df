"""States and moves: what a user holds."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING, cast

from .arguments import check_text, told
from .board import Board, Square, parse_square
from .errors import AspgamesError, BadMove, BadPosition, BadRequest, IllegalMove
from .game import Game
from .move import LegalMoves, Move, NetMoves
from .notation.fen import format_fen
from .notation.joint import format_joint, format_ply, is_joint, moves_in, parse_joint
from .notation.moves import first_square, format_move, look_like, named_squares
from .notation.terms import parse_facts
from .reasoner import Consequences, Facts
from .reasoner.answer import bounds_of, consequences_of, goals_of
from .terms import canonical, shorten
from .view import board_text

if TYPE_CHECKING:
    from .picture import Arrow, Scene, Theme
    from .why import Explanation


class _Slots:
    """What a state keeps; what isn't known yet is None."""

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

    _game: Game
    _facts: Facts | None
    _moves: NetMoves | None
    """The moves of the net that is asked about the state, if one is ..."""
    _row: bytes
    """... the state as that net has it ..."""
    _said: Sequence[int] | None
    """... and what it says: see ``reasoner.answer``."""
    _consequences: Consequences | None
    _legal: Mapping[str, LegalMoves] | None
    _legal_moves: LegalMoves | None
    _occupied: Mapping[Square, str] | None

    def __init__(
        self,
        game: Game,
        facts: Facts | None = None,
        moves: NetMoves | None = None,
        row: bytes = b"",
    ) -> None:
        self._game, self._facts, self._moves, self._row = game, facts, moves, row
        self._said = self._consequences = self._legal = self._legal_moves = self._occupied = None


_keep = object.__setattr__
_finding = Lock()


class State(_Slots):
    """A state of a game: immutable, hashable, equal to another when game and facts are.

    Get one from ``Game.initial``, ``Game.position`` or ``play``. It pickles as text. What the rules
    say is asked when it is needed and kept; ``RulesError`` is raised then if they don't settle it.
    """

    __slots__ = ()

    def __new__(cls, game: Game, facts: Facts) -> State:
        """The state with these facts, which are trusted: canonical, sorted, and possible."""
        if not isinstance(game, Game):
            raise BadRequest(f"a state is of a Game, as load gives it, not of {told(game)}")
        if not isinstance(facts, tuple) or not all(map(_is_text, facts)):
            raise BadPosition(f"a state's facts are a tuple of texts, not {told(facts)}")
        return _state(_Slots(game, facts))

    def __init__(self, game: Game, facts: Facts) -> None:
        pass  # it is made already, and can't be changed any more

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a state can't be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a state can't be changed: {name}")

    @property
    def game(self) -> Game:
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

    def is_legal(self, move: Move | str | Mapping[str, Move | str]) -> bool:
        """Whether ``play`` takes a move, given as for ``play``; a text that is no move is refused.

        Raises ``BadMove`` only if it is neither a ``Move`` nor a text nor a mapping.
        """
        if not isinstance(move, Move | Mapping):
            check_text(move, "a move", BadMove)
        alone = not isinstance(move, Mapping) and not (isinstance(move, str) and is_joint(move))
        if alone and self.to_move:
            return move in self.legal_moves and self._others_wait
        said = self.consequences
        try:
            chosen = {role: self._named(role, each) for role, each in self._by_role(move).items()}
        except (BadMove, IllegalMove):
            return False
        return all(term in said.playable(role) for role, term in chosen.items()) and all(
            role in chosen or len(said.playable(role)) == 1 for role in said.legal
        )

    @property
    def _others_wait(self) -> bool:
        """Whether nobody but the side on move has something to choose."""
        said, mover = self._ask_net(), self.to_move
        if not said or self._moves is None:
            return self.consequences.movers == (mover,)
        roles = self._moves.net.tables.names.roles
        bounds = (bounds_of(said, n) for n, role in enumerate(roles) if role != mover)
        return all(end - first == 1 for first, end in bounds)

    @property
    def fen(self) -> str | None:
        """The position as a FEN.

        None for a game without a board, and if a fact holds that a FEN has no place for.
        """
        return format_fen(self.game.board, self.facts) if self.game.board else None

    @property
    def occupied(self) -> Mapping[Square, str]:
        """What stands where, as the encoding has it, by squares; ``(1, 1)`` is a1."""
        if self._occupied is not None:
            return self._occupied
        piece = self.game.vocabulary.piece
        found = dict(placed for fact in self.facts if (placed := piece(fact)))
        _keep(self, "_occupied", found)
        return found

    def piece_at(self, square: str) -> str | None:
        """What stands on a square (``"a2"``), as the encoding has it; None if it is empty.

        Raises ``BadPosition`` if the board has no such square, or the game no board.
        """
        return self.occupied.get(self._square(square))

    def with_piece(self, square: str, content: str) -> State:
        """The state with something on a square, in place of what stands there, all else alike.

        ``content`` is what ``piece_at`` gives. Raises ``BadPosition`` as ``piece_at`` does, and if
        the game can't have the position.
        """
        on = self._square(square)
        term = canonical(check_text(content, "what stands on a square", BadPosition))
        if term is None:
            raise BadPosition(f"{shorten(content)!r} is nothing that can stand on a square")
        return self.game.from_facts([*self._without(on), self._board.fluent(on, term)])

    def without_piece(self, square: str) -> State:
        """The state with a square empty, all else alike. Raises as ``with_piece`` does.

        An empty square may be given, too: then nothing changes.
        """
        on = self._square(square)
        nothing = [self._board.fluent(on, content) for content in self._board.empty[:1]]
        return self.game.from_facts([*self._without(on), *nothing])

    def _without(self, square: Square) -> list[str]:
        """The facts but for what says that something stands on a square."""
        placed = self._board.placement
        return [f for f in self.facts if not ((found := placed(f)) and found[0] == square)]

    @property
    def _board(self) -> Board:
        """The board. Raises ``BadPosition`` if there is none."""
        if self.game.board is None:
            raise BadPosition(f"{self.game.name} has no board")
        return self.game.board

    def _square(self, name: str) -> Square:
        """A square of the board by its name. Raises ``BadPosition``."""
        square, board = parse_square(check_text(name, "a square", BadPosition)), self._board
        if square is None:
            raise BadPosition(f"{shorten(name)!r} is no square: squares look like a2")
        if not board.has(square):
            raise BadPosition(f"{name} is off the board, which is {board.size}")
        if square in board.holes:
            raise BadPosition(f"{name} is off limits")
        return square

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
            start = time.perf_counter()
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
            self._game.nets.charge(self.facts, time.perf_counter() - start)

    def _ask_net(self) -> Sequence[int] | None:
        """What a net says (see ``reasoner.answer``); None where the grounder is to be asked."""
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

    def svg(
        self,
        *,
        last_move: Move | str | None = None,
        arrows: Iterable[Arrow] = (),
        marked: Iterable[str] = (),
        coordinates: bool = True,
        theme: str | Theme = "light",
        size: int = 480,
        bottom: str | None = None,
    ) -> str:
        """The position as an SVG picture, drawn as the encoding says.

        ``last_move`` is a move whose squares are tinted. ``arrows`` are pairs of squares, perhaps
        with a colour (``("d1", "d7", "#c00")``), ``marked`` squares in rings. ``theme`` is
        ``"light"``, ``"dark"``, ``"auto"`` (as the reader's browser asks) or a ``Theme``; ``size``
        the longer side in pixels, from 16 to 10,000; ``bottom`` the role that sits at the bottom.
        The picture says in words, too, what stands where. A game without a board has its facts
        listed.

        Raises ``BadMove`` if the last move is none, ``BadRequest`` if another argument makes no
        sense, and ``RulesError`` if the encoding names a shape or a colour that there isn't.
        """
        from .picture import draw

        return draw(
            self.scene,
            last=self._squares(last_move) if last_move is not None else (),
            arrows=arrows,
            marked=marked,
            coordinates=coordinates,
            theme=theme,
            size=size,
            bottom=bottom,
        )

    @property
    def scene(self) -> Scene:
        """What there is to draw."""
        from .picture import Scene

        mover = None if self.is_terminal else self.to_move
        return Scene(self.game.vocabulary, self.facts, self.status, mover)

    def _repr_svg_(self) -> str:
        return self.svg(theme="auto")

    def _squares(self, move: Move | str) -> list[Square]:
        """The squares that a move names. Raises ``BadMove``."""
        forms, board = self.game.vocabulary.notation, self.game.board
        terms = [self._term(each) for each in (moves_in(move) if isinstance(move, str) else [move])]
        squares = [square for term in terms for square in named_squares(forms, term)]
        if not squares or not all(board and board.has(square) for square in squares):
            named = ", ".join(terms)
            raise BadMove(f"{named} names no squares of {self.game.name}, so it can't be shown")
        return squares

    def _term(self, move: Move | str) -> str:
        """A move's term. Raises ``BadMove`` if it is none."""
        if isinstance(move, Move):
            return move.term if move.net_moves is not None else self.game.parse_move(move.term)
        return self.game.parse_move(move)

    def move_text(self, term: str) -> str:
        """A move of this state, given as a term, as people write it; a joint move, too."""
        term = check_text(term, "a move's term", BadMove)
        forms = self.game.vocabulary.notation
        if is_joint(term):
            moves = parse_joint(term).items()
            return format_joint({r: format_move(forms, each, self.occupied) for r, each in moves})
        return format_move(forms, term, self.occupied)

    def play(self, *moves: Move | str | Mapping[str, Move | str]) -> State:
        """The state after a move of the side on move, or after several, one after the other.

        A move is a ``Move``, a term (``move(4,1,4,7,7,7)``) or as people write it (``d1-d7/g7``,
        ``d1d7g7``). Where several roles choose at once, give a mapping of roles to moves, or a
        text such as ``white=rock,black=paper``; a role with one legal move may be left out.

        Raises ``IllegalMove``, which says why not, if a move isn't legal here or the game is over,
        ``BadMove`` if a text is no move at all; of several moves it says which one.
        """
        state = self
        for number, move in enumerate(moves, start=1):
            try:
                state = state._after(move)
            except (BadMove, IllegalMove) as error:
                if len(moves) == 1:
                    raise
                raise type(error)(f"move {number}: {error}") from None
        return state

    def _after(self, move: Move | str | Mapping[str, Move | str]) -> State:
        """The state after one move. Raises as ``play`` does."""
        if isinstance(move, Move) and (after := self._play_on_net(move)):
            return after
        return self._successor(self.joint(move))

    def _play_on_net(self, move: Move) -> State | None:
        """The state after a move that is the net's own and legal, if no other role has a choice."""
        said, moves = self._ask_net(), self._moves
        if not said or moves is None or move.net_moves is not moves or said[0] or said[1] != 1:
            return None
        first, end = bounds_of(said, said[2])
        place = bisect_left(said, move.number, first, end)
        if place == end or said[place] != move.number:
            return None
        row = moves.net.play_one(self._row, said[2], move.number >> 1)
        return None if row is None else on_net(self._game, moves, row)

    def _successor(self, joint: Mapping[str, str]) -> State:
        """The state after a joint move that is legal."""
        if (moves := self._find_net()) is not None:
            numbered = moves.net.tables.move_numbers
            numbers = [numbered[role, joint[role]] for role in moves.net.tables.names.roles]
            return on_net(self._game, moves, moves.net.play(self._row, numbers))
        start = time.perf_counter()
        after = self._game.reasoner.successor(self.facts, joint)
        self._charge(start)
        return State(self._game, after)

    def why(self, move: Move | str, role: str | None = None) -> Explanation:
        """Why a move is legal or not: what the rules ask for, in the encoding's sentences.

        A move is given as for ``play``; ``role`` is the one that would make it, the side on move
        unless given: where several move at once, it or ``black=paper`` says whose move it is. Once
        the game is over no move is legal, and the reasons are those for the end.

        Raises ``BadMove`` if a text is no move at all, ``BadRequest`` for an unknown role, and one
        of ``BadRequest`` and ``IllegalMove`` where it isn't said whose move is meant.
        """
        if isinstance(move, str) and is_joint(move):
            named = parse_joint(move)
            if role is None and len(named) == 1:
                (role,) = named
            if role not in named:
                raise BadRequest(f"say whose move is to be explained: {' or '.join(named)}")
            move = named[role]
        elif role is None:
            whose = "say whose move it is, as in ROLE=MOVE"
            role = move.role if isinstance(move, Move) else self._mover(whose)
        self._known_role(role)
        term = self._term(move)
        claim = self.move_text(term)
        if self.is_terminal:
            return self._why_over(f"{claim} is not legal for {role}: the game is over")
        legal = term in self.consequences.playable(role)
        if not legal and not self._is_known(term):
            form = look_like(self.game.vocabulary.notation)
            raise BadMove(f"{term} is no move of {self.game.name}: {form}")
        claim += f" is legal for {role}" if legal else f" is not legal for {role}"
        return self.game.explainer.legal(self.facts, claim, role, term)

    def why_each(self, move: str | Mapping[str, Move | str]) -> dict[str, Explanation]:
        """Why the moves of a joint move are legal or not, each by its role; raises as ``why``."""
        return {role: self.why(each, role) for role, each in self._by_role(move).items()}

    def why_terminal(self) -> Explanation:
        """Why the game is over, or isn't."""
        return self._why_over(f"the game is {'' if self.is_terminal else 'not '}over")

    def why_goal(self, role: str) -> Explanation:
        """Why a role has its value, from 0 to 100. Raises ``BadRequest`` for an unknown role."""
        self._known_role(role)
        value = self.goals[role]
        return self.game.explainer.goal(self.facts, f"{role} has {value}", role, value)

    def why_next(self, move: Move | str | Mapping[str, Move | str], fluent: str) -> Explanation:
        """Why a fluent (``cell(4,7,arrow)``) holds or doesn't after a move, given as for ``play``.

        Raises what ``play`` raises, and ``BadPosition`` if a text is no fluent.
        """
        joint = self.joint(move)
        facts = parse_facts(check_text(fluent, "a fluent", BadPosition))
        if len(facts) != 1:
            raise BadPosition(f"give one fluent, not {len(facts)}")
        (fluent,) = facts
        after = self._successor(joint).facts
        played = self.move_text(format_ply(joint, self.consequences.movers))
        claim = f"after {played}, {fluent} {'holds' if fluent in after else 'does not hold'}"
        return self.game.explainer.next(self.facts, claim, joint, fluent)

    def joint(self, move: Move | str | Mapping[str, Move | str]) -> dict[str, str]:
        """What every role does when a move is played, as terms. Raises as ``play`` does."""
        joint = {role: self._check(role, each) for role, each in self._by_role(move).items()}
        if self.is_terminal:
            raise IllegalMove("the game is over")
        for role, moves in self.consequences.legal.items():
            if role not in joint:
                if len(moves) != 1:
                    raise IllegalMove(f"say what {role} does: it has {len(moves)} moves")
                joint[role] = moves[0]
        return joint

    def legal_move(self, role: str, move: str) -> Move:
        """A role's legal move, given as for ``play``. Raises as ``play`` does."""
        term = self._check(role, move)
        return Move(role, term, self.move_text(term))

    def _by_role(self, move: Move | str | Mapping[str, Move | str]) -> Mapping[str, Move | str]:
        """The moves that are named, by their roles. Raises as ``play`` does."""
        if isinstance(move, Mapping):
            return move
        if isinstance(move, str) and is_joint(move):
            return parse_joint(move)
        if (only := self._only(move)) is not None:
            return {only: move}
        return {self._mover("give a move for each, as in ROLE=MOVE,ROLE=MOVE"): move}

    def _only(self, move: Move | str) -> str | None:
        """Who alone can make a move, where nobody has a choice or is said to be on move."""
        if self.to_move or any(len(moves) != 1 for moves in self.consequences.legal.values()):
            return None
        term, legal = self._term(move), self.consequences.legal.items()
        able = [role for role, moves in legal if moves == (term,)]
        if isinstance(move, Move):
            able = [role for role in able if role == move.role]
        return able[0] if len(able) == 1 else None

    def _why_over(self, claim: str) -> Explanation:
        return self.game.explainer.terminal(self.facts, claim)

    def _known_role(self, role: str, error: type[AspgamesError] = BadRequest) -> None:
        if role not in self.game.roles:
            raise error(f"there is no role {told(role)}; there are: {', '.join(self.game.roles)}")

    def _mover(self, wanted: str) -> str:
        """Who makes a move of which it isn't said; where several could, the error asks for it."""
        if self.to_move:
            return self.to_move
        if self.is_terminal:
            raise IllegalMove("the game is over")
        first, *others = self.consequences.movers
        if others:
            raise IllegalMove(f"several roles move at once here: {wanted}")
        return first

    def _check(self, role: str, move: Move | str) -> str:
        """The move's term, if it is legal."""
        term = self._named(role, move)
        if term not in self.consequences.playable(role):
            raise IllegalMove(self._why_not(role, term))
        return term

    def _named(self, role: str, move: Move | str) -> str:
        """The term of what is called a move of a role."""
        term = self._term(move)
        self._known_role(role, IllegalMove)
        if isinstance(move, Move) and move.role != role:
            self._known_role(move.role, IllegalMove)
            raise IllegalMove(f"{move} is a move of {move.role}, but {role} is on move")
        return term

    def _is_known(self, term: str) -> bool:
        """Whether a move looks like one: it fits a form, or some rule has moves of its name."""
        forms = self.game.vocabulary.notation
        if term.partition("(")[0] in forms:
            return first_square(forms, term) is not None
        return self.game.explainer.knows(term)

    def _why_not(self, role: str, term: str) -> str:
        """Why a move isn't legal, in one line."""
        if self.is_terminal:
            return f"{self.move_text(term)} can't be played: the game is over"
        for other, moves in self.legal.items():
            if other != role and any(move.term == term for move in moves):
                whose = f"but {role} is on move" if role == self.to_move else f"not of {role}"
                return f"{self.move_text(term)} is a move of {other}, {whose}"
        return self.why(Move(role, term, "")).summary

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        if self._moves is not None and self._moves is other._moves:
            return self._row == other._row  # of one net, and so of one game
        return self.facts == other.facts and self.game == other.game

    def __hash__(self) -> int:
        return hash(self.facts)

    def __str__(self) -> str:
        """The position with coordinates and the side on move, as ``aspgames show`` prints it."""
        return board_text(self)

    def __repr__(self) -> str:
        return f"<{self.game.name}: {self.fen or ' '.join(self.facts)}>"

    def __reduce__(self) -> tuple[object, ...]:
        return State, (self.game, self.facts)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _state(slots: _Slots) -> State:
    """What is kept, as a state: from now on it can't be changed."""
    slots.__class__ = State
    return cast("State", slots)


def on_net(game: Game, moves: NetMoves, row: bytes) -> State:
    """The state that a row is in the net whose moves these are."""
    return _state(_Slots(game, None, moves, row))


def row_on(state: State, moves: NetMoves) -> bytes | None:
    """A state's row in the net whose moves these are; None if the net doesn't know it."""
    return state._row if state._moves is moves else moves.net.tables.row(state.facts)
