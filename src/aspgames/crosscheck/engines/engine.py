"""What an engine is to the cross-check: something that says of positions what it knows of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Protocol

from ...game.game import Game, State
from ...gdl.reasoner import Facts

Turn = tuple[str, ...]
"""What the sides play as one: a ply, or the plies until the other side comes on move; as terms.

Where several roles choose at the same time, a ply is a joint move, as text.
"""


@dataclass(frozen=True)
class Question:
    """A position that an engine is asked about, and how it gets there."""

    game: Game
    facts: Facts
    """Where it begins."""
    turns: tuple[Turn, ...] = ()
    """What is played from there."""
    after: Facts = ()
    """Where that leads by our rules: the position that is asked about."""
    made: bool = False
    """Whether the beginning was made up, so that an engine may refuse it."""

    @property
    def plies(self) -> list[str]:
        """What is played, ply by ply."""
        return [ply for turn in self.turns for ply in turn]

    @property
    def state(self) -> State:
        """The position asked about."""
        return self.game.state(self.after)

    @property
    def before(self) -> State:
        """The position where it begins."""
        return self.game.state(self.facts)

    def played(self, plies: Iterable[str]) -> State:
        """The position that some plies lead to from where it begins."""
        return reduce(State.play, plies, self.before)

    def __str__(self) -> str:
        """The question as an error message has it."""
        played = "".join(f" {ply}" for ply in self.texts()[-3:])
        where = self.before.fen or " ".join(self.facts)
        skipped = " ..." if len(self.plies) > 3 else ""
        return f"{self.game.name} {where}" + (f" after{skipped}{played}" if played else "")

    def texts(self) -> list[str]:
        """The plies as people write them."""
        state, texts = self.before, []
        for place, ply in enumerate(self.plies):
            texts.append(state.move_text(ply))
            if place + 1 < len(self.plies):
                state = state.play(ply)
        return texts


def asked(game: Game, facts: Facts, *, made: bool = False) -> Question:
    """The question about a position itself."""
    return Question(game, facts, (), facts, made)


@dataclass(frozen=True)
class Answer:
    """What is said of a position; None is what an engine doesn't say."""

    facts: Facts | None = None
    placed: Facts | None = None
    """What stands on the board: for engines that know no other facts."""
    to_move: str | None = None
    terminal: bool | None = None
    goals: Mapping[str, int] | None = None
    legal: Mapping[str, frozenset[str]] | None = None
    """Each role's moves, as terms."""
    turns: frozenset[str] | None = None
    """What the side on move can play, as ``turns.label`` writes it."""


@dataclass(frozen=True)
class Refusal:
    """The engine wouldn't answer, and said why."""

    reason: str


MID_TURN = Refusal("a turn is under way, which can't be said to an engine of whole turns")
"""What engines of whole turns answer where a question begins between the plies of one."""


class Engine(Protocol):
    """One that is cross-checked. All methods raise ``EngineFailed`` if it crashes or hangs."""

    name: str
    """What the command line calls it."""
    whole_turns: bool
    """Whether it speaks of whole turns, by the squares that they name, instead of plies."""
    sets_up: bool
    """Whether it can be given any position; else every question begins at the start."""
    plays_on: bool
    """Whether it judges by the last move alone, and plays on where the side on move has won."""

    def check(self, game: Game) -> None:
        """Raise ``BadRequest`` if the engine doesn't have the game."""

    def answers(self, questions: Sequence[Question]) -> Iterator[Answer | Refusal]:
        """What it says to each question, in order."""

    def divide(self, question: Question, depth: int) -> Mapping[str, int] | None:
        """Its perft count behind each move or turn, as answers name them; None if it has none."""

    def close(self) -> None:
        """Let go of whatever it holds."""
