"""The judgement of a puzzle, and the play after its keys."""

import math
import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import product

from ..game.game import Game
from ..game.state import State
from ..gdl.rules import Facts
from ..puzzle.question import others
from ..puzzle.solved import Position
from ..runtime.budget import Budget
from ..runtime.errors import BadPosition
from .bounded_search import BoundedSearch
from .solution_set import SolutionSet

FIT: Mapping[str, float] = {"constant": 1.7, "evaluated": 0.2, "legal": 0.5, "distance": 0.8}
"""The coefficients of 1, of the binary logarithms of positions and moves, and of turns."""
WEIGHTS: Mapping[str, float] = {
    "difficulty": 0.5,
    "tries": 0.25,
    "natural": 0.5,
    "answers": 1.0,
    "captures": -2.0,
    "taken": -2.0,
    "lengths": 0.5,
    "replies": 0.1,
    "threats": -0.5,
    "duals": -0.5,
    "last_duals": -0.2,
    "slower": -0.1,
    "superfluous": -2.0,
}
"""The weight of each count in the score."""
MOST_COUNTED: Mapping[str, int] = {
    "tries": 4,
    "natural": 1,
    "answers": 6,
    "captures": 1,
    "lengths": 3,
    "replies": 8,
    "threats": 2,
    "duals": 6,
    "last_duals": 5,
    "slower": 10,
}
"""The limit of each count in the score."""
_ANSWER, _KEY, _PIECE = 0.2, -0.7, -0.03  # in a promise: another answer, key or piece
_MOST_REPLIES = 600  # the number of replies after which variations end with the first answer


@dataclass(frozen=True, slots=True)
class Variation:
    """A defender's move with the answers to it, in the game's own notation."""

    reply: str
    answers: tuple[str, ...]
    """The moves that force the goal soonest; more than one is a dual."""
    then: "tuple[Variation, ...]" = ()
    """The variations after the first answer."""


def in_pairs(moves: Sequence[str]) -> tuple[Variation, ...]:
    """A line of moves as variations: each reply has one answer."""
    if not moves:
        return ()
    return (Variation(moves[0], tuple(moves[1:2]), in_pairs(moves[2:])),)


@dataclass(frozen=True, slots=True)
class KeyPlay:
    """The play after a key; without a key, the set play."""

    key: str | None
    threats: tuple[str, ...] | None
    """What the attacker would do if the defender passed; none in zugzwang. None if the defender
    can't pass, as in check."""
    variations: tuple[Variation, ...]


class KeyPlays:
    """Finds the play of one problem. The methods raise ``Undecided`` and ``LimitReached``."""

    def __init__(self, ask: BoundedSearch, root: Position, distance: int, budget: Budget) -> None:
        """``distance`` is the number of turns of the solution."""
        self._ask, self._root, self._turns, self._budget = ask, root, distance - 1, budget
        self._left = _MOST_REPLIES

    def set_play(self) -> Iterator[KeyPlay]:
        """What follows if the defender is on move, if any reply has an answer already."""
        passed = self._passed(self._root)
        found = self._variations(passed, self._turns) if passed else ()
        if answered := tuple(one for one in found if one.answers):
            yield KeyPlay(None, None, answered)

    def after(self, key: str) -> KeyPlay:
        """The play after a key."""
        child = dict(self._root.children())[key]
        passed = None if child.goal_reached or child.attacks else self._passed(child)
        threats = None if passed is None else self._forcing(passed, self._turns - 1)[0]
        text = self._ask.state(self._root).move_text(key)
        return KeyPlay(text, threats, self._variations(child, self._turns))

    def _passed(self, position: Position) -> Position | None:
        state = with_other_side(self._ask.state(position))
        known = state is not None and self._ask.knows(state.facts)
        return self._ask.at(state.facts, self._budget) if state and known else None

    def _variations(self, position: Position, turns: float) -> tuple[Variation, ...]:
        if position.goal_reached or position.attacks or self._left <= 0:
            return ()
        state, found = self._ask.state(position), list[Variation]()
        self._left -= len(position.children())
        for reply, child in position.children():
            after = position.turns_after(child, turns)
            answers, first = self._forcing(child, after)
            then = self._variations(first, child.turns_after(first, after)) if first else ()
            found.append(Variation(state.move_text(reply), answers, then))
        return tuple(found)

    def _forcing(self, position: Position, turns: float) -> tuple[tuple[str, ...], Position | None]:
        """The attacker's moves that force the goal soonest, and the position after the first."""
        found = forcing(self._ask, position, turns)
        texts = map(self._ask.state(position).move_text, found) if found else ()
        return tuple(texts), next(iter(found.values()), None)


def forcing(
    ask: BoundedSearch, position: Position, turns: float, reaching: bool = False
) -> dict[str, Position]:
    """The attacker's moves that force the goal soonest, each with the position after it.

    If ``reaching``, moves of the last turn count only if they reach the goal themselves, which is
    known without a search.
    """
    children = position.children() if position.attacks else ()
    for left in range(int(turns) + 1):
        found = {
            move: child
            for move, child in children
            if child.goal_reached
            or ((left or not reaching) and ask(child, position.turns_after(child, left)))
        }
        if found:
            return found
    return {}


def promise(ask: BoundedSearch, root: Position, look: SolutionSet) -> float:
    """A part of the score that is known soon, for an attacker on move; more keys cost.

    Raises ``Undecided`` and ``LimitReached``.
    """
    words, defender = root.puzzle.state.game.vocabulary, root.puzzle.defender
    child = dict(root.children())[look.solutions[0]]
    before, after = (
        Counter(words.owner(words.content(fluent) or "") for fluent in position.fluents)
        for position in (root, child)
    )
    alone, answers = set[str](), set[str]()
    replies = () if child.goal_reached or child.attacks else child.children()
    for _, reply in replies:
        found = forcing(ask, reply, child.turns_after(reply, look.distance - 1), True)
        answers.update(found)
        alone.update(found if len(found) == 1 else ())
    counted = {"answers": len(alone), "replies": len(replies)}
    counted["captures"] = int(after[defender] < before[defender])
    total = sum(WEIGHTS[what] * min(MOST_COUNTED[what], number) for what, number in counted.items())
    total += _ANSWER * min(MOST_COUNTED["replies"], len(answers)) + _KEY * (len(look.solutions) - 1)
    return total + _PIECE * sum(number for owner, number in before.items() if owner)


def with_other_side(state: State, valid: Container[Facts] | None = None) -> State | None:
    """The position with the other side on move; None if the game has no such position.

    ``valid`` are the positions that the rules allow, if they are known without the grounder.
    Only the fact that names the side on move changes. Where that is refused, a fact of the last
    move alone is left out too, such as the square that a pawn has passed.

    >>> import aspgames
    >>> with_other_side(aspgames.load("breakthrough").initial).to_move
    'black'
    """
    mover, game = state.to_move or "", state.game
    free = [fact for fact in state.facts if not game.vocabulary.placement(fact)]
    last = [fact for fact in free if fact not in game.reader.defaults]  # a default comes back
    for other, fact in product(others(game.roles, mover), free):
        changed = re.sub(rf"\b{re.escape(mover)}\b", other, fact)
        for left_out in [fact, *last] if changed != fact else ():
            facts = tuple(sorted({*state.facts, changed} - {fact, left_out}))
            turned = _allowed(game, facts, valid if left_out == fact else None)
            if turned and turned.to_move == other:
                return turned
    return None


def _allowed(game: Game, facts: Facts, valid: Container[Facts] | None) -> State | None:
    """The state of these facts, if ``valid``, or else the game, allows it."""
    if valid is not None:
        return game.state(facts) if facts in valid else None
    if game.row_reader and game.row_reader.refuses(facts):
        return None
    with suppress(BadPosition):
        return game.checked(facts)
    return None


def gives_check(before: State, after: State) -> bool:
    """Whether the defender could pass before a key and can't after it, as by a check in chess."""
    return with_other_side(before) is not None and with_other_side(after) is None


@dataclass(frozen=True, slots=True)
class Dual:
    """A turn of the main play with several best moves."""

    after: tuple[str, ...]
    """The moves before this turn."""
    moves: tuple[str, ...]
    turns: int
    """The turns until the goal, including this one."""


@dataclass(frozen=True, slots=True)
class Try:
    """A move that only one reply refutes."""

    move: str
    refutation: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement of a puzzle. Moves are in the game's own notation, except ``keys``."""

    sound: bool
    """Whether there is exactly one solution, and no shorter one than the puzzle says."""
    verdict: str
    """``forced``, ``not_forced``, ``possible``, ``impossible`` or ``unknown``."""
    distance: int | None = None
    """The turns of the solution; for a puzzle about the defender's move, the turns in which its
    other moves lose."""
    keys: tuple[str, ...] = ()
    """The first moves of the solutions, as terms."""
    keys_text: tuple[str, ...] = ()
    line_text: tuple[str, ...] = ()
    """The main play: a line in which the defender holds out."""
    shorter: bool = False
    """Whether the solution takes fewer turns than the puzzle says."""
    cooks: tuple[str, ...] = ()
    """Keys other than the intended one, which is the key of the puzzle's answer, or the first."""
    slower: tuple[str, ...] = ()
    """Moves that force the goal one turn later."""
    duals: tuple[Dual, ...] = ()
    tries: tuple[Try, ...] = ()
    natural: tuple[str, ...] = ()
    """Moves that look at least as good as the key, but fail."""
    play: tuple[KeyPlay, ...] = ()
    """The play after each key, then the set play if there is any. Empty if a limit came first."""
    captures: bool = False
    """Whether the key captures."""
    taken: float = 0.0
    """The part of the replies that the key takes away, such as flights in chess; 1 if the defender
    could pass before it and can't any more: a check."""
    answers: int = 0
    """The number of different answers that replies to the key force; a reply with two forces
    none."""
    variations: dict[str, int] = field(default_factory=dict)
    """The number of replies to the key, by the turns in which they lose (the key included)."""
    pieces: int = 0
    superfluous: tuple[str, ...] = ()
    """The squares of superfluous pieces of both sides, each by itself."""
    smallest: str | None = None
    """The position without all pieces that can be left out together; None without any."""
    smallest_pieces: int = 0
    legal: int = 0
    """The number of legal moves."""
    evaluated: int = 0
    """The number of positions that a search evaluates to find the solution."""
    difficulty: float = 0.0
    score: float = 0.0


def difficulty(evaluated: int, legal: int, distance: int) -> float:
    """The difficulty: the predicted size of the proof, as a power of two."""
    found = (
        FIT["constant"]
        + FIT["evaluated"] * math.log2(1 + evaluated)
        + FIT["legal"] * math.log2(1 + legal)
        + FIT["distance"] * distance
    )
    return round(found, 2)


def score(found: Judgement) -> float:
    """The quality: the weighted sum of counts."""
    last = sum(dual.turns == 1 for dual in found.duals)
    counted = {
        "tries": len(found.tries),
        "natural": len(found.natural),
        "answers": max(0, found.answers - 1),
        "captures": int(found.captures),
        "lengths": max(0, len(found.variations) - 1),
        "replies": sum(found.variations.values()),
        "threats": max(0, len((found.play and found.play[0].threats) or ()) - 1),
        "duals": len(found.duals) - last,
        "last_duals": last,
        "slower": len(found.slower),
    }
    total = WEIGHTS["difficulty"] * found.difficulty + WEIGHTS["taken"] * found.taken
    total += WEIGHTS["superfluous"] * len(found.superfluous) / max(1, found.pieces)
    total += sum(
        WEIGHTS[what] * min(MOST_COUNTED[what], number) for what, number in counted.items()
    )
    return round(total, 2)
