"""A game: an encoding with its constants settled, and the way to its states."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property, lru_cache
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from .arguments import check_text, told
from .board import Board, Vocabulary
from .encoding import Constants, Encoding, builtin_names, constant_value, read_encoding
from .errors import BadConstant, BadMove, BadPosition, BadRequest, RulesError, UnknownGame
from .move import Moves, NetMoves
from .notation.moves import parse_move, told_square
from .position import PositionReader
from .reasoner import Facts, Reasoner, Rules
from .remembered import remembered

# What needs clingo is imported where it is asked for: what was read before (see ``remembered``)
# needs none of it, and importing it takes longer than many a question. So is the engine: who asks a
# game without nets has nothing of it.
if TYPE_CHECKING:
    from .engine.on_demand import OnDemand
    from .engine.single import Single
    from .notation.kif import KifNotation
    from .state import State
    from .why import Explainer


class Game:
    """The rules of one game. Make it with ``load``; two games are equal when their rules are.

    Games are hashable, and pickle as a name and constants; unpickling raises ``RulesError`` if the
    rules have changed meanwhile.
    """

    def __init__(self, encoding: Encoding, constants: Constants, has_nets: bool = True) -> None:
        if not isinstance(encoding, Encoding):
            raise BadRequest(f"games are made with load, not of {told(encoding)}")
        self.encoding = encoding
        self.constants = constants
        """All constants of the encoding, by name, with the values in force.

        A whole number is an ``int``, any other term its text.
        """
        self.has_nets = has_nets
        """Whether its states may be asked of a net, or of the grounder alone."""
        self.vocabulary = _vocabulary(encoding, constants)
        if not self.vocabulary.roles:
            raise RulesError(f"{encoding.reference}: there is no role/1, so nobody can play")

    @property
    def name(self) -> str:
        """What the game is called: its file's stem."""
        return self.encoding.name

    @property
    def title(self) -> str:
        """The game in a few words, as its encoding has it."""
        return self.vocabulary.title

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles of the game, as the encoding names them."""
        return self.vocabulary.roles

    @property
    def board(self) -> Board | None:
        """What the board looks like; None for a game without one."""
        return self.vocabulary.board

    @cached_property
    def reasoner(self) -> Reasoner:
        """The reference reasoner, which answers questions about single states."""
        from .reasoner.grounder import Grounder

        return Grounder(self.rules)

    @cached_property
    def without_nets(self) -> Game:
        """The same game, with clingo's grounder alone to say what follows from its states.

        What is found out with it doesn't rest on the engine, nor on nets that are kept on disk.
        """
        return Game(self.encoding, self.constants, has_nets=False)

    @cached_property
    def nets(self) -> OnDemand:
        """The nets that answer questions about single states, once that pays."""
        from .engine.on_demand import OnDemand

        vocabulary = self.vocabulary
        told = repr(sorted(vocabulary.notation.items())) if self.board else ""
        return OnDemand(self.rules, vocabulary.initial, vocabulary.base, self._occupants, told)

    @cached_property
    def moves(self) -> Moves:
        """All moves that play from the start can make, numbered as in a ``Batch``.

        A sequence of ``Move``; ``game.moves.index(move)`` is the number of one. It takes the net of
        the whole game: raises ``RulesError`` where the rules have none, ``LimitReached`` where it
        would be too large.
        """
        return Moves(self.moves_of(self._whole))

    @cached_property
    def fluents(self) -> tuple[str, ...]:
        """All fluents that play from the start can change, numbered as in a ``Batch``.

        Raises as ``moves`` does.
        """
        return tuple(self._whole.tables.names.fluents)

    @property
    def _whole(self) -> Single:
        """The net of the whole game."""
        from .budget import MOST_RULES

        return self.nets.from_the_start(MOST_RULES)

    def moves_of(self, net: Single) -> NetMoves:
        """The moves of one of the nets."""
        return self._net_moves.setdefault(net, NetMoves(net, self.vocabulary.notation))

    def _occupants(self, term: str) -> list[str]:
        """The fluents that say that something stands where a move goes, if its text says so."""
        square = told_square(self.vocabulary.notation, term)
        if square is None or not self.board:
            return []
        return list(self.board.pieces_on(square))

    @cached_property
    def explainer(self) -> Explainer:
        """Says why moves are legal or not, the game over or not, and sides have their goals."""
        from .why import Explainer

        return Explainer(self.encoding, self.constants, self.vocabulary)

    @cached_property
    def rules(self) -> Rules:
        """What reasoners are made from."""
        return Rules(self.encoding, self.constants, self.roles)

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
        return self.state(self._reader.read(text))

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
        return self.state(self._reader.check(facts))

    def state(self, facts: Facts) -> State:
        """The state with these facts, which are trusted: canonical, sorted, and possible."""
        from .state import State

        return State(self, facts)

    def parse_move(self, text: str) -> str:
        """The term of a move given as people write it (``d1-d7/g7``) or as a term.

        Whether it is legal anywhere is not asked. Raises ``BadMove`` if the text is no move.
        """
        return parse_move(self.vocabulary.notation, check_text(text, "a move", BadMove))

    @cached_property
    def kif(self) -> KifNotation:
        """How fluents, roles and moves are written in KIF."""
        from .notation.kif import KifNotation

        return KifNotation(self)

    @cached_property
    def _reader(self) -> PositionReader:
        return PositionReader(self.encoding, self.constants, self.vocabulary)

    @cached_property
    def _net_moves(self) -> dict[Single, NetMoves]:
        return {}

    @cached_property
    def _key(self) -> tuple[str, tuple[tuple[str, int | str], ...]]:
        return self.encoding.fingerprint, tuple(self.constants.items())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        constants = "".join(f", {name}={value!r}" for name, value in self.constants.items())
        return f"load({self.encoding.reference!r}{constants})"

    def __reduce__(self) -> tuple[object, ...]:
        # A clingo symbol must not be pickled: its address means nothing to another process.
        given = tuple(self.constants.items())
        return _unpickle, (self.encoding.reference, self.encoding.fingerprint, given)


def _vocabulary(encoding: Encoding, constants: Constants) -> Vocabulary:
    """What can be said in the game: see ``read_vocabulary``."""

    def ask() -> dict[str, Any]:
        from .vocabulary import read_vocabulary

        return asdict(read_vocabulary(encoding, constants))

    return Vocabulary.of(remembered(encoding, "vocabulary", constants, ask))


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
