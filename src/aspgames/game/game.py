"""Games: what users load.

Their parts do the work: ``GameRules`` and the modules imported here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from os import PathLike, fspath
from time import thread_time
from typing import TYPE_CHECKING

from ..asp.terms import Constants
from ..gdl.encoding import Encoding, read_encoding
from ..gdl.rules import Facts
from ..runtime.arguments import check_text, quote
from ..runtime.errors import (
    AspgamesError,
    BadMove,
    BadPosition,
    LimitReached,
    RulesError,
    UnknownGame,
)
from .game_constants import ConstantValues
from .game_rules import GameRules, no_game, settled
from .move import Moves, NetMoves
from .notation.move_text import capture_square, parse_move
from .notation.other_forms import OtherForms, with_squares_named
from .notation.short_moves import ShortMoves
from .state import State
from .symmetry import Symmetry

# Modules that import clingo or the network are imported in methods.
if TYPE_CHECKING:
    from ..gdl.reasoner.grounder import Grounder
    from ..propnet.single_state import Single
    from ..propnet.state_nets import StateNets
    from .explain import Explainer
    from .notation.kif_notation import KifNotation
    from .observation import Observation
    from .percept_answers import PerceptAnswers
    from .relative_view import RelativeView
    from .row_reader import RowReader
    from .symmetry_proofs import SymmetryProofs

_MOST_TERMS = 1 << 14  # texts of moves, each with its term


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
        if found := quick and isinstance(text, str) and self._quick_state(quick, text):
            return found
        start = thread_time()
        try:
            facts = self.reader.read(text)
        except BadPosition:
            is_word = isinstance(text, str) and len(text.split()) == 1  # a FEN has several
            if is_word and self._is_first_move(text):
                raise BadPosition(f"{text} is a move: did you forget startpos?") from None
            raise
        if quick:
            self.nets.charge(facts, thread_time() - start)
        return self.state(facts)

    def _quick_state(self, reader: RowReader, text: str) -> State | None:
        """The state of a text that is read as a row of a net."""
        row, net = reader.row(text), reader.net
        return None if row is None or not net else State.made(self, None, self.moves_of(net), row)

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
            raise BadPosition(f"facts are several texts, not {quote(facts)}")
        return self.position(" ".join(check_text(fact, "a fact", BadPosition) for fact in facts))

    def checked(self, facts: Facts) -> State:
        """The state with these facts, which are canonical and sorted, if the game can have it.

        Raises:
            BadPosition: The game can't have the position.
        """
        if self.row_reader and (found := self._quick_state(self.row_reader, " ".join(facts))):
            return found
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
        """This game, with states that clingo's grounder alone answers.

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

    @cached_property
    def grounder(self) -> Grounder:
        """The reference reasoner: answers about single states, chances and percepts among them."""
        from ..gdl.reasoner.grounder import Grounder

        return Grounder(self.rules)

    @cached_property
    def percept_answers(self) -> PerceptAnswers:
        """Answers what players perceive of moves."""
        from .percept_answers import PerceptAnswers

        return PerceptAnswers(self)

    @cached_property
    def nets(self) -> StateNets:
        """The nets that answer questions about single states, once that pays."""
        from ..propnet.state_nets import StateNets

        vocabulary = self.vocabulary
        forms = repr(sorted(vocabulary.notation.items())) if vocabulary.board else ""
        marked = self._occupants if "x" in "".join(vocabulary.notation.values()) else None
        return StateNets(self.rules, vocabulary.initial, vocabulary.base, marked, forms)

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
        found = self._net_moves.get(net)
        if found is None:
            from .compiled_state import compiled_state

            made = NetMoves(net, self.vocabulary.notation, compiled_state())
            found = self._net_moves.setdefault(net, made)
        return found

    def parse_move(self, text: str) -> str:
        """The term of a move given as text (``d1-d7/g7``) or as a term, legal or not.

        Raises:
            BadMove: The text is no move.
        """
        if not (isinstance(text, str) and (term := self.term_in(text))):
            return parse_move(self.vocabulary.notation, check_text(text, "a move", BadMove))
        return term

    @cached_property
    def term_in(self) -> Callable[[str], str]:
        """Finds the term of a move given as text or as a term; empty if the text is no move."""
        return lru_cache(maxsize=_MOST_TERMS)(self._term_in)

    def _term_in(self, text: str) -> str:
        try:
            given = with_squares_named(self.board, check_text(text, "a move", BadMove))
            return parse_move(self.vocabulary.notation, given)
        except BadMove:
            return ""

    def _occupants(self, term: str) -> list[str]:
        """The fluents that decide whether a move's text has an ``x``."""
        square, board = capture_square(self.vocabulary.notation, term), self.vocabulary.board
        return list(board.pieces_on(square)) if square and board else []

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, _memo: object) -> Game:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        # No clingo symbol may be pickled: its address means nothing in another process.
        given = tuple(self.constants.items())
        return _unpickle, (self.encoding.reference, self.encoding.fingerprint, given)


def check_game(value: object) -> Game:
    """The argument, if it is a game. Raises ``BadRequest``."""
    if not isinstance(value, Game):
        raise no_game(value)
    return value


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
        RulesError: The file can't be read or grounded, or has GDL-III's ``knows`` or real time.
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
