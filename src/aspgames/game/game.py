"""Games and their states: what users hold.

The two know each other, so they stand together. Their parts do the work: ``GameRules`` and
``StateAnswers``, and the modules imported here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from os import PathLike, fspath
from time import thread_time
from typing import TYPE_CHECKING

from ..asp.terms import Constants
from ..gdl.encoding import Encoding, builtin_names, read_encoding, variant_names
from ..gdl.reasoner import Consequences, Facts, Reasoner
from ..runtime.arguments import check_text, told
from ..runtime.errors import (
    AspgamesError,
    BadMove,
    BadPosition,
    BadRequest,
    IllegalMove,
    LimitReached,
    RulesError,
    UnknownGame,
)
from .board import Square, square_name
from .chance import Chances, chances_of, draw, percepts_of
from .game_constants import ConstantValues
from .game_rules import GameRules, settled
from .move import Move, Moves, NetMoves, Unchanging
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
from .notation.move_text import parse_move, told_square
from .notation.other_forms import OtherForms, with_squares_named
from .notation.piece_list import format_list
from .notation.short_moves import ShortMoves
from .state_answers import StateAnswers
from .symmetry import Symmetry, symmetry_of
from .text_view import board_text, game_over

# Modules that import clingo or the network are imported in methods.
if TYPE_CHECKING:
    from random import Random

    from ..gdl.reasoner.grounder import Grounder
    from ..propnet.single_state import Single
    from ..propnet.state_nets import StateNets
    from .explain import Explainer, Explanation
    from .notation.kif_notation import KifNotation
    from .observation import Observation
    from .picture.drawing import Arrow
    from .picture.scene import Scene
    from .picture.themes import Theme
    from .relative_view import RelativeView
    from .row_reader import RowReader
    from .symmetry_proofs import SymmetryProofs
    from .view import View

_MOST_TERMS = 1 << 14  # texts of moves, each with its term
_keep = object.__setattr__


class Game(GameRules):
    """The rules of one game. Make it with ``load``.

    Two games are equal when their rules are. Games are hashable, and pickle as a name and
    constants; unpickling raises ``RulesError`` if the rules have changed.

    >>> import aspgames
    >>> game = aspgames.load("breakthrough", width=3, height=4)
    >>> game.roles, game.constants
    (('white', 'black'), {'height': 4, 'width': 3})
    >>> game.position("1p1/3/1P1/3 b").is_terminal
    False
    """

    def __init__(self, encoding: Encoding, constants: Constants, has_nets: bool = True) -> None:
        super().__init__(encoding, constants)
        self.has_nets = has_nets
        """Whether propositional networks may answer for its states, or the grounder alone."""
        self._net_moves: dict[Single, NetMoves] = {}
        self._terms: dict[str, str] = {}

    @cached_property
    def initial(self) -> State:
        """The state in which the game starts."""
        return self.state(self.vocabulary.initial)

    def position(self, text: str) -> State:
        """The state that a text describes: ``startpos``, a FEN, or facts.

        Blanks, commas or full stops separate facts, and ``true(...)`` may surround each:
        ``"cell(1,4,white) control(white)"``, where ``(1,4)`` is a4.

        Raises:
            BadPosition: The text is malformed, or the game can't have the position.
        """
        quick = self.row_reader if text != "startpos" else None
        if quick and isinstance(text, str) and (row := quick.row(text)) is not None and quick.net:
            return state_on_net(self, self.moves_of(quick.net), row)
        start = thread_time()
        try:
            facts = self.reader.read(text)
        except BadPosition:
            is_word = isinstance(text, str) and len(text.split()) == 1  # a FEN has several
            if is_word and self._is_first_move(text):
                raise BadPosition(f"{text} is a move: did you forget startpos?") from None
            raise
        if quick:
            quick.charge(facts, thread_time() - start)
        return self.state(facts)

    def _is_first_move(self, text: str) -> bool:
        try:
            return bool(self.initial.play(text.strip()))
        except AspgamesError:
            return False

    def from_facts(self, facts: Iterable[str]) -> State:
        """The state in which some fluents hold: one text each, in any order.

        Raises:
            BadPosition: A text is no fluent, or the game can't have the position.
        """
        if isinstance(facts, str | bytes) or not isinstance(facts, Iterable):
            raise BadPosition(f"facts are several texts, not {told(facts)}")
        return self.position(" ".join(check_text(fact, "a fact", BadPosition) for fact in facts))

    def checked(self, facts: Facts) -> State:
        """The state with these facts, which are canonical and sorted, if the game can have it.

        Raises:
            BadPosition: The game can't have the position.
        """
        return self.state(self.reader.check(facts))

    def state(self, facts: Facts) -> State:
        """The state with these facts, which are trusted: canonical, sorted, and possible."""
        return State(self, facts)

    @cached_property
    def kif(self) -> KifNotation[State]:
        """Positions, fluents, roles and moves in KIF."""
        from .notation.kif_notation import KifNotation

        return KifNotation(self.vocabulary, self.encoding.sources, self.checked)

    @cached_property
    def moves(self) -> Moves:
        """All moves that play from the start can make, numbered as in a ``Batch``.

        A sequence of ``Move``; ``game.moves.index(move)`` is a move's number.

        Raises:
            RulesError: The rules have no net of the whole game.
            LimitReached: The net would be too large.
        """
        return Moves(self.moves_of(self.whole_net))

    @cached_property
    def fluents(self) -> tuple[str, ...]:
        """All fluents that play from the start can change, numbered as in a ``Batch``.

        Raises as ``moves`` does.
        """
        return tuple(self.whole_net.tables.names.fluents)

    @cached_property
    def observation(self) -> Observation:
        """States as arrays of numbers, the input of neural networks.

        A game without a net of the whole has the fluents that ``base/1`` lists and those that play
        can reach. Raises as ``moves`` does if these have no end.
        """
        from .fluents import Fluents
        from .observation import Observation

        vocabulary = self.vocabulary
        try:
            tables = self.whole_net.tables
        except (RulesError, LimitReached):
            known = Fluents(self.rules, vocabulary).all
            if known is None:
                raise
            return Observation(vocabulary, sorted(known), (), [vocabulary.initial])
        from ..propnet.net_games import play
        from ..runtime.budget import UNLIMITED

        names = tables.names
        start = tables.row(vocabulary.initial)
        assert start is not None
        rows = play(tables, start, range(16), 0, UNLIMITED, most_plies=200).rows
        states = [tables.facts(row) for row in dict.fromkeys(map(bytes, rows))]
        moves = self.moves_of(self.whole_net)
        return Observation(vocabulary, tuple(names.fluents), tuple(names.certain), states, moves)

    @cached_property
    def relative(self) -> RelativeView:
        """Observations and moves from the view of the role on move.

        Raises:
            BadRequest: No proven symmetry of the rules exchanges two roles.
            RulesError: The rules have no net, or none of the whole game.
            LimitReached: As before, because it would be too large.
        """
        from .relative_view import RelativeView

        return RelativeView(self.name, self.observation, self.whole_net.tables, self.symmetries)

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The symmetries of the rules: other views of the board, roles exchanged, or both.

        Each is proven from the rules, for all reachable states. A symmetry that the rules express
        in two very different ways may be missed.

        Raises as ``moves`` does.
        """
        return self.proofs.all()

    @cached_property
    def without_nets(self) -> Game:
        """The same game, whose states are answered by clingo's grounder alone.

        Its answers depend neither on the propositional network nor on nets in the cache.
        """
        return Game(self.encoding, self.constants, has_nets=False)

    @property
    def whole_net(self) -> Single:
        """The net of the whole game."""
        from ..runtime.budget import MOST_RULES

        return self.nets.from_the_start(MOST_RULES)

    @cached_property
    def row_reader(self) -> RowReader | None:
        """Reads positions as rows of the net of the whole game; None without nets."""
        if not self.has_nets:
            return None
        from .row_reader import RowReader

        return RowReader(self.rules, self.vocabulary, self.nets)

    @cached_property
    def proofs(self) -> SymmetryProofs:
        """Proofs of symmetries."""
        from .symmetry_proofs import SymmetryProofs

        return SymmetryProofs(self.rules, self.vocabulary)

    @property
    def reasoner(self) -> Reasoner:
        """The reference reasoner, which answers questions about single states."""
        return self.grounder

    @cached_property
    def grounder(self) -> Grounder:
        """Answers questions about single states, chances and percepts among them."""
        from ..gdl.reasoner.grounder import Grounder

        return Grounder(self.rules)

    @cached_property
    def nets(self) -> StateNets:
        """The nets that answer questions about single states, once that pays."""
        from ..propnet.state_nets import StateNets

        vocabulary = self.vocabulary
        forms = repr(sorted(vocabulary.notation.items())) if vocabulary.board else ""
        return StateNets(self.rules, vocabulary.initial, vocabulary.base, self._occupants, forms)

    @cached_property
    def explainer(self) -> Explainer:
        """Explains why moves are legal or not, the game is over or not, and goals have values."""
        from .explain import Explainer

        return Explainer(self.rules, self.vocabulary)

    @cached_property
    def short_moves(self) -> ShortMoves | None:
        """Reads and writes moves such as ``Nf3``, if the encoding has letters for its pieces."""
        board = self.vocabulary.board
        return ShortMoves(self.vocabulary, board) if board and self.vocabulary.letters else None

    @cached_property
    def other_forms(self) -> OtherForms:
        """Reads moves such as ``11x25`` or ``--``."""
        return OtherForms(self.vocabulary)

    def moves_of(self, net: Single) -> NetMoves:
        """The moves of one of the nets."""
        return self._net_moves.setdefault(net, NetMoves(net, self.vocabulary.notation))

    def parse_move(self, text: str) -> str:
        """The term of a move given as text (``d1-d7/g7``) or as a term, legal or not.

        Raises:
            BadMove: The text is no move.
        """
        if not (isinstance(text, str) and (term := self.term_in(text))):
            return parse_move(self.vocabulary.notation, check_text(text, "a move", BadMove))
        return term

    def term_in(self, text: str) -> str:
        """The term of a move given as text or as a term; empty if the text is no move."""
        term = self._terms.get(text)
        if term is None:
            try:
                given = with_squares_named(self.board, check_text(text, "a move", BadMove))
                term = parse_move(self.vocabulary.notation, given)
            except BadMove:
                term = ""
            if len(self._terms) > _MOST_TERMS:
                self._terms.clear()
            self._terms[text] = term
        return term

    def _occupants(self, term: str) -> list[str]:
        """The fluents that decide whether a move's text has an ``x``."""
        square, board = told_square(self.vocabulary.notation, term), self.vocabulary.board
        return list(board.pieces_on(square)) if square and board else []

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, _memo: object) -> Game:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        # No clingo symbol may be pickled: its address means nothing in another process.
        given = tuple(self.constants.items())
        return _unpickle, (self.encoding.reference, self.encoding.fingerprint, given)


class State(Unchanging):
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

    __slots__ = ("__weakref__", "_answers", "_game")

    _game: Game
    _answers: StateAnswers

    def __new__(cls, game: Game, facts: Facts) -> State:
        """The state with these facts, which are trusted: canonical, sorted, and possible."""
        check_game(game)
        if not isinstance(facts, tuple) or not all(isinstance(f, str) for f in facts):
            raise BadPosition(f"a state's facts are a tuple of texts, not {told(facts)}")
        return _state(game, StateAnswers(game, facts))

    @property
    def game(self) -> Game:
        """The game that it is a state of."""
        return self._game

    @property
    def facts(self) -> Facts:
        """The fluents that hold, as text, sorted: ``("cell(1,4,white)", "control(white)")``."""
        return self._answers.facts

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
    def to_move(self) -> str | None:
        """The role on move, or that would be if the game weren't over.

        None where several roles move at once, and in a forced ply, where each role has only a pass.
        """
        return self._answers.to_move

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._answers.is_terminal

    @property
    def goals(self) -> dict[str, int]:
        """Each role's value by its name, from 0 to 100, whether the game is over or not."""
        return self._answers.goals

    @property
    def outcome(self) -> dict[str, int] | None:
        """Each role's value at the end of the game; None until the game is over."""
        return self.goals if self.is_terminal else None

    @property
    def legal_moves(self) -> Sequence[Move]:
        """The moves of the side on move, sorted by their terms; none when the game is over.

        Like a tuple of ``Move``; ``"a2-a3" in state.legal_moves`` takes texts and terms, too.
        """
        return self._answers.legal_moves

    @property
    def legal(self) -> Mapping[str, Sequence[Move]]:
        """Every role's legal moves, ``noop`` of a waiting side included, sorted by their terms.

        No role has any when the game is over.
        """
        return self._answers.legal

    @property
    def chance(self) -> Chances:
        """The moves of the role ``random``, each with its probability as a ``Fraction``.

        Empty where ``random`` has no choice: in a game without it, when the game is over, and
        where it has a single move while others are on move.

        >>> import aspgames
        >>> state = aspgames.load("pig").initial.play("roll")
        >>> [(str(move), str(chance)) for move, chance in state.chance][:2]
        [('die(1)', '1/6'), ('die(2)', '1/6')]
        """
        return chances_of(self._answers)

    @property
    def others_wait(self) -> bool:
        """Whether only the side on move has a choice."""
        return self._answers.others_wait

    @property
    def occupied(self) -> Mapping[Square, str]:
        """The pieces by their squares, as the encoding names them; ``(1, 1)`` is a1."""
        return self._answers.occupied

    @property
    def pieces(self) -> dict[str, str]:
        """The pieces by the names of their squares, ``{"a2": "white"}``, as ``piece_at``."""
        return {square_name(square): piece for square, piece in sorted(self.occupied.items())}

    @property
    def consequences(self) -> Consequences:
        """All that the rules say of the state, in the form that reasoners give."""
        return self._answers.consequences

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
        return is_legal(self._answers, move)

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
        return draw(self._answers, rng)

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
        return percepts_of(self._answers, joint_of(self._answers, move))

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
            raise BadRequest(f"a view is of {' or '.join(players)}, not {told(role)}")
        return View(self, role)

    def _after(self, move: AnyMove) -> State:
        answers = self._answers
        if isinstance(move, str):
            move = own_move(answers, move) or move
        after = answers.after_own(move) if isinstance(move, Move) else None
        return _state(self._game, after or answers.after(joint_of(answers, move)))

    def joint(self, move: AnyMove) -> dict[str, str]:
        """The term of every role's move when a move is played. Raises as ``play`` does."""
        return joint_of(self._answers, move)

    def legal_move(self, role: str, move: OneMove) -> Move:
        """A role's legal move, given in any form that ``play`` takes. Raises as ``play`` does."""
        own = self._answers.own_move(move) if isinstance(move, Move) else None
        if own is not None and own.role == role:
            return own
        term = legal_term(self._answers, role, move)
        return Move(role, term, self.move_text(term))

    def move_text(self, term: str) -> str:
        """The text of a move, or of a joint move, given as a term: ``a2xb3``."""
        return self._answers.move_text(check_text(term, "a move's term", BadMove))

    def short_text(self, term: str) -> str | None:
        """A legal move of the side on move in short form: ``Nf3``; None if the game has none."""
        return short_text(self._answers, term)

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
        return why(self._answers, move, role)

    def why_moves(self, moves: Iterable[OneMove], role: str | None = None) -> Iterator[Explanation]:
        """Why each of several different moves of one role is legal or not: see ``why``.

        The rules are grounded once for all of them. A text may be no joint move.
        """
        return why_moves(self._answers, moves, role)

    def why_each(self, move: str | Mapping[str, OneMove]) -> dict[str, Explanation]:
        """Why each move of a joint move is legal or not, by role. Raises as ``why`` does."""
        moves = moves_by_role(self._answers, move).items()
        return {role: why(self._answers, each, role) for role, each in moves}

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
        return why_next(self._answers, joint_of(self._answers, move), fluent)

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

        The picture of a game without a board lists the facts.

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
        """The things in the picture of the position."""
        from .picture.scene import Scene

        mover = None if self.is_terminal else self.to_move
        return Scene(self.game.vocabulary, self.facts, self.status, mover)

    def row_on(self, moves: NetMoves) -> bytes | None:
        """The state's row in the net with these moves; None if the net doesn't know the state."""
        return self._answers.row_on(moves)

    def _repr_svg_(self) -> str:
        return self.svg(theme="auto")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        same = self._answers.same_on_net(other._answers)
        return self.facts == other.facts and self._game == other._game if same is None else same

    def __hash__(self) -> int:
        return hash(self.facts)

    def __str__(self) -> str:
        """The position with coordinates and the side on move, as ``aspgames show`` prints it."""
        return board_text(self.scene)

    def __repr__(self) -> str:
        return f"<{self.game.name}: {self.fen or ' '.join(self.facts)}>"

    def __reduce__(self) -> tuple[object, ...]:
        return State, (self.game, self.facts)


def _state(game: Game, answers: StateAnswers) -> State:
    state = object.__new__(State)
    _keep(state, "_game", game)
    _keep(state, "_answers", answers)
    return state


def state_on_net(game: Game, moves: NetMoves, row: bytes) -> State:
    """The state of a row in the net with these moves."""
    return _state(game, StateAnswers(game, None, moves, row))


def check_game(value: object) -> Game:
    """The argument, if it is a game. Raises ``BadRequest``."""
    if not isinstance(value, Game):
        raise BadRequest(f"give a Game, as load returns it, not {told(value)}")
    return value


def check_state(value: object) -> State:
    """The argument, if it is a state. Raises ``BadRequest``."""
    if not isinstance(value, State):
        raise BadRequest(f"give a State, as game.initial and game.position do, not {told(value)}")
    return value


def is_stuck(state: State) -> bool:
    """Whether a role has no legal move though the game isn't over, so that play can't go on."""
    if state.is_terminal:
        return False
    if state.to_move is not None and state.others_wait:
        return not state.legal_moves
    return not all(state.consequences.legal.values())


def games() -> list[str]:
    """The names of the built-in games, sorted."""
    return builtin_names()


def variants() -> list[str]:
    """The names of the built-in variants of games, sorted: ``fairy/atomic``."""
    return variant_names()


def load(game: str | PathLike[str], /, **constants: int | str) -> Game:
    """A game by its name, or by the path of a user's own ``.lp``, ``.kif`` or ``.gdl`` file.

    Included files are looked for beside the file, then among the built-in encodings.

    >>> import aspgames
    >>> aspgames.load("amazons", stuck="either").title
    'Amazons, move and arrow in one ply'

    Args:
        game: The name or the path.
        constants: Values of the encoding's constants, numbers or names.

    Raises:
        UnknownGame: There is no such game or file.
        BadConstant: There is no such constant, or its value makes no sense.
        RulesError: The file can't be read or grounded.
    """
    if isinstance(game, PathLike):
        game = fspath(game)
    reference = check_text(game, "a game's name, or its path,", UnknownGame)
    return game_of_encoding(read_encoding(reference), constants)


def game_of_encoding(encoding: Encoding, constants: Constants) -> Game:
    """The game of an encoding, with some constants set. Raises as ``load`` does."""
    return _game(*settled(encoding, constants))


def chooses_jointly(game: Game) -> bool:
    """Whether several roles choose at once at a game's start."""
    start = game.initial
    several = [role for role, moves in start.consequences.legal.items() if len(moves) > 1]
    return not start.is_terminal and (start.to_move is None or {*several} > {start.to_move})


@lru_cache(maxsize=64)
def _game(encoding: Encoding, constants: ConstantValues) -> Game:
    """One object for the same rules, so that they are prepared once."""
    return Game(encoding, dict(constants))


def _unpickle(reference: str, fingerprint: str, given: ConstantValues) -> Game:
    game = load(reference, **dict(given))
    if game.encoding.fingerprint != fingerprint:
        raise RulesError(f"the rules of {reference} have changed since the state was pickled")
    return game
