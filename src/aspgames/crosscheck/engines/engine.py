"""The interface to an engine under test: questions about positions, and its answers."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from ...game.game import Game
from ...game.state import State
from ...gdl.rules import Facts

EVERYTHING = frozenset({"every role sees all facts"})
"""What roles see in a game that hides nothing."""

Turn = tuple[str, ...]
"""The plies, as terms, of one turn: a single ply, or all plies until the other side is on move.

If several roles choose at the same time, a ply is a joint move, as text.
"""


@dataclass(frozen=True)
class Question:
    """A position for an engine to answer about, and the play that leads to it."""

    game: Game
    facts: Facts
    """The first position."""
    turns: tuple[Turn, ...] = ()
    """The turns played from the first position."""
    after: Facts = ()
    """The position after the turns, by our rules: the engine answers about this one."""
    made: bool = False
    """Whether the first position was made at random, so that an engine may refuse it."""

    @property
    def plies(self) -> list[str]:
        """The plies of all turns."""
        return [ply for turn in self.turns for ply in turn]

    @property
    def state(self) -> State:
        """The position to answer about."""
        return self.game.state(self.after)

    @property
    def before(self) -> State:
        """The first position."""
        return self.game.state(self.facts)

    def played(self, plies: Iterable[str]) -> State:
        """The position after some plies from the first position."""
        return reduce(State.play, plies, self.before)

    def __str__(self) -> str:
        """The question for an error message."""
        played = "".join(f" {ply}" for ply in self.texts()[-3:])
        where = self.before.fen or " ".join(self.facts)
        skipped = " ..." if len(self.plies) > 3 else ""
        return f"{self.game.name} {where}" + (f" after{skipped}{played}" if played else "")

    def texts(self) -> list[str]:
        """The plies in the game's own notation."""
        state, texts = self.before, []
        for place, ply in enumerate(self.plies):
            texts.append(state.move_text(ply))
            if place + 1 < len(self.plies):
                state = state.play(ply)
        return texts


def asked(game: Game, facts: Facts, *, made: bool = False) -> Question:
    """The question about a position, without any play."""
    return Question(game, facts, (), facts, made)


@dataclass(frozen=True)
class Answer:
    """An answer about a position; None for each thing that the engine doesn't report."""

    facts: Facts | None = None
    placed: Facts | None = None
    """The pieces on the board, for engines that know no other facts."""
    to_move: str | None = None
    terminal: bool | None = None
    goals: Mapping[str, int] | None = None
    legal: Mapping[str, frozenset[str]] | None = None
    """Each role's moves, as terms."""
    turns: frozenset[str] | None = None
    """The turns of the side on move, by their labels (see ``turn_labels.label_of``)."""
    chance: frozenset[str] | None = None
    """The moves of ``random`` with their probabilities: ``die(3) 1/6``."""
    sees: frozenset[str] | None = None
    """What the last ply showed: ``sees(white,card(king))``, or ``EVERYTHING``."""


@dataclass(frozen=True)
class EngineSolution:
    """The solution of a chess problem."""

    turns: int | None
    """The fewest turns; None if there is no solution within the stipulated number."""
    keys: frozenset[str] | None
    """The first moves with that many turns, by their labels; None if they aren't told."""


@dataclass(frozen=True)
class Refusal:
    """The engine's refusal to answer."""

    reason: str


MID_TURN = Refusal("a turn is under way, and the engine knows whole turns only")
"""The refusal of a question that begins between two plies of a turn."""


class Engine(ABC):
    """An engine under test; a subclass defines ``answer`` or ``answers``.

    All methods raise ``EngineFailed`` if the engine crashes or hangs.
    """

    name: str
    """Its name on the command line."""
    whose = "the engine's"
    """What reports call it."""
    whole_turns = True
    """Whether it names whole turns by their squares, instead of plies by their terms."""
    sets_up = True
    """Whether it accepts any position; otherwise every question begins at the start."""
    plays_on = True
    """Whether it judges by the last move alone, and continues if the side on move has won."""

    solves = False
    """Whether it solves chess problems."""

    @abstractmethod
    def check(self, game: Game) -> None:
        """Prepare for a game. Raises ``BadRequest`` if the engine doesn't have it."""

    def answers(self, questions: Sequence[Question]) -> Iterator[Answer | Refusal]:
        """Its answer to each question, in order."""
        return map(self.answer, questions)

    def answer(self, question: Question) -> Answer | Refusal:
        """Its answer to one question."""
        (answer,) = self.answers([question])
        return answer

    def divide(self, question: Question, depth: int) -> Mapping[str, int] | None:  # noqa: ARG002
        """Its perft count for each move or turn; None if it doesn't count."""
        return None

    def solve(self, question: Question, stipulation: str) -> EngineSolution | None:  # noqa: ARG002
        """Its solution of a chess problem; None if it has none, or no time."""
        return None

    def close(self) -> None:  # noqa: B027
        """Release its processes and files."""
