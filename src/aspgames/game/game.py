"""Games and their states: what a user holds.

The two know each other, so they stand together. What they do is done elsewhere: by ``GameRules``
and ``BareState``, which they are, and by the modules imported here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from os import PathLike, fspath
from typing import TYPE_CHECKING, cast

from ..asp.terms import Constants
from ..gdl.encoding import Encoding, builtin_names, constant_value, read_encoding
from ..gdl.memo import remembered
from ..gdl.reasoner import Facts
from ..runtime.arguments import check_text, told
from ..runtime.errors import (
    BadConstant,
    BadMove,
    BadPosition,
    BadRequest,
    IllegalMove,
    RulesError,
    UnknownGame,
)
from .bare_state import BareState
from .choosing import is_legal, joint_of, legal_term
from .explaining import why, why_goal, why_next, why_terminal
from .game_rules import GameRules
from .meant import AnyMove, OneMove, by_role, squares_of
from .move import Move, NetMoves
from .notation.fen import format_fen
from .pieces import square_of, with_piece, without_piece
from .symmetry import Symmetry, symmetry_of
from .text_view import board_text

if TYPE_CHECKING:
    from .explain import Explanation
    from .notation.kif_notation import KifNotation
    from .picture import Arrow, Scene, Theme


class Game(GameRules):
    """The rules of one game. Make it with ``load``; two games are equal when their rules are.

    Games are hashable, and pickle as a name and constants; unpickling raises ``RulesError`` if the
    rules have changed meanwhile.
    """

    @cached_property
    def without_nets(self) -> Game:
        """The same game, with clingo's grounder alone to say what follows from its states.

        What is found out with it doesn't rest on the engine, nor on nets that are kept on disk.
        """
        return Game(self.encoding, self.constants, has_nets=False)

    @cached_property
    def initial(self) -> State:
        """The state that the game starts from."""
        return self.state(self.vocabulary.initial)

    def position(self, text: str) -> State:
        """The state that a text describes: ``startpos``, a FEN, or facts.

        Facts are separated by blanks, commas or full stops, with or without ``true(...)`` around
        each: ``"cell(1,4,white) control(white)"``, where ``(1,4)`` is a4. Files and standard input
        are the command line's alone.

        Raises ``BadPosition`` if the text can't be read or the game can't have the position.
        """
        return self.state(self.reader.read(text))

    def from_facts(self, facts: Iterable[str]) -> State:
        """The state that holds some fluents, one text each, in any order; see ``State.facts``.

        Raises ``BadPosition`` as ``position`` does.
        """
        if isinstance(facts, str | bytes) or not isinstance(facts, Iterable):
            raise BadPosition(f"facts are several texts, not {told(facts)}")
        return self.position(" ".join(check_text(fact, "a fact", BadPosition) for fact in facts))

    def checked(self, facts: Facts) -> State:
        """The state with these facts, which are canonical and sorted, if the game can have it.

        Raises ``BadPosition`` as ``position`` does.
        """
        return self.state(self.reader.check(facts))

    def state(self, facts: Facts) -> State:
        """The state with these facts, which are trusted: canonical, sorted, and possible."""
        return State(self, facts)

    @cached_property
    def kif(self) -> KifNotation[State]:
        """How positions, fluents, roles and moves are written in KIF."""
        from .notation.kif_notation import KifNotation

        return KifNotation(self.vocabulary, self.checked)

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, _memo: object) -> Game:
        return self

    def __repr__(self) -> str:
        constants = "".join(f", {name}={value!r}" for name, value in self.constants.items())
        return f"load({self.encoding.reference!r}{constants})"

    def __reduce__(self) -> tuple[object, ...]:
        # A clingo symbol must not be pickled: its address means nothing to another process.
        given = tuple(self.constants.items())
        return _unpickle, (self.encoding.reference, self.encoding.fingerprint, given)


class State(BareState):
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
        return _held(BareState(game, facts))

    def __init__(self, game: Game, facts: Facts) -> None:
        pass  # it is made already, and can't be changed any more

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a state can't be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a state can't be changed: {name}")

    @property
    def game(self) -> Game:
        """The game that it is a state of."""
        return cast("Game", self._game)

    @property
    def fen(self) -> str | None:
        """The position as a FEN.

        None for a game without a board, and if a fact holds that a FEN has no place for.
        """
        return format_fen(self.game.board, self.facts) if self.game.board else None

    def piece_at(self, square: str) -> str | None:
        """What stands on a square (``"a2"``), as the encoding has it; None if it is empty.

        Raises ``BadPosition`` if the board has no such square, or the game no board.
        """
        return self.occupied.get(square_of(self.game, square))

    def with_piece(self, square: str, content: str) -> State:
        """The state with something on a square, in place of what stands there, all else alike.

        ``content`` is what ``piece_at`` gives. Raises ``BadPosition`` as ``piece_at`` does, and if
        the game can't have the position.
        """
        return self.game.from_facts(with_piece(self.game, self.facts, square, content))

    def without_piece(self, square: str) -> State:
        """The state with a square empty, all else alike. Raises as ``with_piece`` does.

        An empty square may be given, too: then nothing changes.
        """
        return self.game.from_facts(without_piece(self.game, self.facts, square))

    def mirror(self, view: str | Symmetry = "left to right", *, exchange: bool = False) -> State:
        """The position seen otherwise, if the rules are the same there.

        ``view`` is ``"left to right"``, ``"top to bottom"``, ``"turned by half"``; on square boards
        also ``"along the diagonal"``, ``"along the other diagonal"``, ``"turned by a quarter"`` and
        ``"turned by three quarters"``; and ``"as it is"``. With ``exchange`` the two roles stand
        for each other. Or give one of ``Game.symmetries``, which says what becomes of moves, too.

        That legal moves, successors, end and goals are those of this state, seen the same way, is
        proven from the rules; once for a game, mostly. Raises ``BadRequest`` if the rules don't
        have the symmetry, or it can't be seen from them; else as ``Game.symmetries`` does.
        """
        seen = view
        if not isinstance(seen, Symmetry):
            seen = symmetry_of(self.game.vocabulary, seen, exchange)
        elif exchange:
            raise BadRequest("a symmetry says itself which roles are exchanged")
        elif seen.vocabulary != self.game.vocabulary:
            raise BadRequest(f"the symmetry is of another game than {self.game.name}")
        if unlike := self.game.proofs.difference(seen, self.facts):
            raise BadRequest(
                f"the rules of {self.game.name} don't show this symmetry, {seen}: "
                f"{unlike} aren't alike"
            )
        return self.game.from_facts(map(seen.fluent, self.facts))

    def is_legal(self, move: AnyMove) -> bool:
        """Whether ``play`` takes a move, given as for ``play``; a text that is no move is refused.

        Raises ``BadMove`` only if it is neither a ``Move`` nor a text nor a mapping.
        """
        return is_legal(self, move)

    def play(self, *moves: AnyMove) -> State:
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

    def _after(self, move: AnyMove) -> State:
        """The state after one move. Raises as ``play`` does."""
        if isinstance(move, Move) and (after := self.after_own(move)):
            return _held(after)
        return _held(self.after(joint_of(self, move)))

    def joint(self, move: AnyMove) -> dict[str, str]:
        """What every role does when a move is played, as terms. Raises as ``play`` does."""
        return joint_of(self, move)

    def legal_move(self, role: str, move: OneMove) -> Move:
        """A role's legal move, given as for ``play``. Raises as ``play`` does."""
        term = legal_term(self, role, move)
        return Move(role, term, self.move_text(term))

    def why(self, move: OneMove, role: str | None = None) -> Explanation:
        """Why a move is legal or not: what the rules ask for, in the encoding's sentences.

        A move is given as for ``play``; ``role`` is the one that would make it, the side on move
        unless given: where several move at once, it or ``black=paper`` says whose move it is. Once
        the game is over no move is legal, and the reasons are those for the end.

        Raises ``BadMove`` if a text is no move at all, ``BadRequest`` for an unknown role, and one
        of ``BadRequest`` and ``IllegalMove`` where it isn't said whose move is meant.
        """
        return why(self, move, role)

    def why_each(self, move: str | Mapping[str, OneMove]) -> dict[str, Explanation]:
        """Why the moves of a joint move are legal or not, each by its role; raises as ``why``."""
        return {role: why(self, each, role) for role, each in by_role(self, move).items()}

    def why_terminal(self) -> Explanation:
        """Why the game is over, or isn't."""
        return why_terminal(self)

    def why_goal(self, role: str) -> Explanation:
        """Why a role has its value, from 0 to 100. Raises ``BadRequest`` for an unknown role."""
        return why_goal(self, role)

    def why_next(self, move: AnyMove, fluent: str) -> Explanation:
        """Why a fluent (``cell(4,7,arrow)``) holds or doesn't after a move, given as for ``play``.

        Raises what ``play`` raises, and ``BadPosition`` if a text is no fluent.
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
        """What there is to draw."""
        from .picture import Scene

        mover = None if self.is_terminal else self.to_move
        return Scene(self.game.vocabulary, self.facts, self.status, mover)

    def _repr_svg_(self) -> str:
        return self.svg(theme="auto")

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, _memo: object) -> State:
        return self

    def __str__(self) -> str:
        """The position with coordinates and the side on move, as ``aspgames show`` prints it."""
        return board_text(self)

    def __repr__(self) -> str:
        return f"<{self.game.name}: {self.fen or ' '.join(self.facts)}>"

    def __reduce__(self) -> tuple[object, ...]:
        return State, (self.game, self.facts)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _held(bare: BareState) -> State:
    """A state as people hold it: from now on it can't be changed."""
    bare.__class__ = State
    return cast("State", bare)


def on_net(game: Game, moves: NetMoves, row: bytes) -> State:
    """The state that a row is in the net whose moves these are."""
    return _held(BareState(game, None, moves, row))


def chooses_jointly(game: Game) -> bool:
    """Whether several roles choose at once at a game's start."""
    start = game.initial
    several = [role for role, moves in start.consequences.legal.items() if len(moves) > 1]
    return not start.is_terminal and (start.to_move is None or {*several} > {start.to_move})


def check_state(value: object) -> State:
    """A state. Raises ``BadRequest``."""
    if not isinstance(value, State):
        raise BadRequest(f"give a State, as game.initial and game.position do, not {told(value)}")
    return value


def _allowed_values(encoding: Encoding) -> Mapping[str, list[str]]:
    """The values that the encoding allows for its constants: see ``allowed_values``."""

    def ask() -> Mapping[str, tuple[str, ...]]:
        from .vocabulary import allowed_values

        return allowed_values(encoding)

    found: dict[str, list[str]] = remembered(encoding, "allowed values", {}, ask)
    return found


def games() -> list[str]:
    """The names of the games that come with aspgames, sorted."""
    return builtin_names()


def load(game: str | PathLike[str], /, **constants: int | str) -> Game:
    """A game by name, or by the path of a user's own ``.lp`` file.

    A path ends in ``.lp``; what the file includes is looked for beside it, then among the built-in
    encodings. Constants of the encoding are keyword arguments, numbers or names:
    ``load("breakthrough", width=4, height=5)``, ``load("amazons", stuck="either")``.

    Raises ``UnknownGame`` (no such game or file), ``BadConstant`` (no such constant, or a senseless
    value) or ``RulesError`` (the file can't be read or grounded).
    """
    return game_of_encoding(read_encoding(_reference(game)), constants)


def _reference(game: str | PathLike[str]) -> str:
    """A game's name or path as a text."""
    if isinstance(game, PathLike):
        game = fspath(game)
    return check_text(game, "a game's name, or its path,", UnknownGame)


def game_of_encoding(encoding: Encoding, constants: Constants) -> Game:
    """The game of an encoding, with some constants set. Raises as ``load`` does."""
    given = tuple((name, constant_value(value)) for name, value in constants.items())
    return _game(encoding, _settle(encoding, given))


@lru_cache(maxsize=256)
def _settle(
    encoding: Encoding, given: tuple[tuple[str, int | str], ...]
) -> tuple[tuple[str, int | str], ...]:
    """All constants with the values in force; kept, since requests give the same ones each time."""
    settled = encoding.settle_constants(dict(given))
    if given:
        _check_values(encoding, settled)
    return tuple(settled.items())


@lru_cache(maxsize=64)
def _game(encoding: Encoding, constants: tuple[tuple[str, int | str], ...]) -> Game:
    """One object for the same rules, so that they are prepared once."""
    return Game(encoding, dict(constants))


def _check_values(encoding: Encoding, constants: Constants) -> None:
    allowed = _allowed_values(encoding)
    for name, value in constants.items():
        if name in allowed and str(value) not in allowed[name]:
            choice = _choice(allowed[name])
            raise BadConstant(f"{encoding.name}: {name} must be {choice}, not {value}")


def _choice(values: Sequence[str]) -> str:
    numbers = [constant_value(value) for value in values]
    if len(values) > 2 and all(isinstance(number, int) for number in numbers):
        return f"a whole number from {numbers[0]} to {numbers[-1]}"
    return " or ".join(values)


def _unpickle(reference: str, fingerprint: str, given: tuple[tuple[str, int | str], ...]) -> Game:
    game = load(reference, **dict(given))
    if game.encoding.fingerprint != fingerprint:
        raise RulesError(f"the rules of {reference} have changed since the state was pickled")
    return game
