"""Making a disagreement small, as long as the engine accepts the position and still disagrees.

The passes are tried again and again until none of them makes it smaller, as Hypothesis does
(MacIver and Donaldson, "Test-Case Reduction via Test-Case Generation", ECOOP 2020): play less,
take pieces away in ever smaller chunks (Zeller's delta debugging), turn counters back, use a
smaller board. A change is kept if it leaves a disagreement of the same kind.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from random import Random
from typing import TypeVar

from ..board import placement
from ..budget import Budget
from ..errors import AspgamesError, BadPosition, EngineFailed, LimitReached
from ..game import Game, game_of_encoding
from ..notation.moves import named_squares
from ..reasoner import Facts
from .compare import Disagreement, Judge
from .engine import Question, Turn, asked
from .fluents import Fluents, content

_MOST_DRAWN = 6  # pieces that are put elsewhere
_DRAWS = 300
_LIKELY = 8  # turns that are tried from a position

Part = TypeVar("Part")
Progress = Callable[[int], None]
"""Is told how many questions were tried."""


class Shrinker:
    """Makes disagreements of one engine small."""

    def __init__(
        self, judge: Judge, budget: Budget, progress: Progress = lambda _tried: None
    ) -> None:
        self._judge = judge
        self._budget = budget
        self._progress = progress
        self._tried: dict[Question, Disagreement | None] = {}
        self._good_boards: dict[Game, bool] = {}

    @property
    def tried(self) -> int:
        """How many questions were tried."""
        return len(self._tried)

    def confirm(self, found: Disagreement, agreed: Question | None) -> None:
        """Raise ``EngineFailed`` if the engine doesn't answer once more as it did.

        A question that was ``agreed`` on is asked first: an engine whose answers have fallen behind
        the questions shows itself by that.
        """
        alike = agreed is None or self._judge.disagreement(agreed) is None
        if not (alike and self._judge.disagreement(found.question)):
            raise EngineFailed(
                "the engine doesn't answer alike each time, or more often than it is asked: "
                f"{found.question}"
            )

    def shrink(self, found: Disagreement) -> Disagreement:
        """The smallest disagreement that is found in the time there is."""
        self._first = self._best = found
        with contextlib.suppress(LimitReached, EngineFailed):  # what was found by then stands
            self._passes()
        return self._best

    def _passes(self) -> None:
        grew = True
        while grew:
            before = self._best
            self._play_less()
            if self._judge.engine.sets_up:
                self._take_away()
                self._turn_back()
                self._smaller_board()
            if self._best is before and self._judge.engine.sets_up:
                self._drawn_anew()
            grew = self._best is not before

    def _play_less(self) -> None:
        question = self._best.question
        if not question.turns:
            return
        if self._judge.engine.sets_up:
            for kept in range(len(question.turns)):
                begin = self._after(question, len(question.turns) - kept)
                if self._keep(question.game, begin, question.turns[len(question.turns) - kept :]):
                    return
            return
        self._chunks(
            question.turns, lambda turns: self._keep(question.game, question.facts, tuple(turns))
        )

    def _take_away(self) -> None:
        question = self._best.question

        def without(facts: Sequence[str]) -> bool:
            try:
                position = question.game.from_facts(facts) if facts else None
            except BadPosition:
                return False
            if position is None or position.facts == self._best.question.facts:
                return False
            return self._keep(question.game, position.facts, question.turns)

        self._chunks(question.facts, without)

    def _chunks(self, whole: Sequence[Part], keep: Callable[[Sequence[Part]], bool]) -> None:
        """Leave out chunks, half of all at first and single ones at last."""
        left = list(whole)
        size = max(1, len(left) // 2)
        while True:
            start = 0
            while start < len(left):
                rest = left[:start] + left[start + size :]
                if keep(rest):
                    left = rest
                else:
                    start += size
            if size == 1:
                return
            size //= 2

    def _drawn_anew(self) -> None:
        """A piece less, and the others anywhere: where two of them must meet, one was between."""
        best = self._best.question
        pieces = [piece for fact in best.facts if (piece := content(fact))]
        if not 1 < len(pieces) <= _MOST_DRAWN:
            return
        cells = Fluents(best.game).cells
        random = Random(" ".join(best.facts))
        rest = [fact for fact in best.facts if not placement(fact)]
        for _ in range(_DRAWS):
            fewer = random.sample(pieces, len(pieces) - 1)
            squares = random.sample(sorted(cells), min(len(fewer), len(cells)))
            placed = [cells[s].get(piece) for s, piece in zip(squares, fewer, strict=False)]
            facts = tuple(sorted([*(fact for fact in placed if fact), *rest]))
            if any(self._keep(best.game, facts, turns) for turns in self._likely(facts, random)):
                return

    def _likely(self, facts: Facts, random: Random) -> Iterator[tuple[Turn, ...]]:
        """What might be played there, where the disagreement needs a turn."""
        best = self._best.question
        if not best.turns:
            yield ()
            return
        with contextlib.suppress(BadPosition):
            position = best.game.from_facts(facts)
            ((_, options),) = self._judge.rules(best.game).ask([position.facts])
            for label in random.sample(sorted(options), min(_LIKELY, len(options))):
                yield (options[label],)

    def _turn_back(self) -> None:
        question = self._best.question
        fluents = Fluents(question.game)
        for fact in question.facts:
            values = [] if placement(fact) else list(fluents.alike(fact))
            place = values.index(fact) if fact in values else 0
            lower = 0
            while lower < place:  # the least value that will do is likely to be the first
                facts = [*(set(self._best.question.facts) - {values[place]}), values[lower]]
                if self._keep(question.game, tuple(sorted(facts)), question.turns):
                    break
                lower = (lower + place + 1) // 2

    def _smaller_board(self) -> None:
        question = self._best.question
        for game in _smaller_games(question.game):
            board = game.board
            squares = [found[0] for fact in question.facts if (found := placement(fact))]
            if not board or not squares or not self._agrees_at_the_start(game):
                continue
            left, right = min(x for x, _ in squares), max(x for x, _ in squares)
            low, high = min(y for _, y in squares), max(y for _, y in squares)
            for dx, dy in product(
                range(1 - left, board.width - right + 1), range(1 - low, board.height - high + 1)
            ):
                facts = tuple(sorted(_moved(fact, dx, dy) for fact in question.facts))
                turns = tuple(_moved_turn(game, turn, dx, dy) for turn in question.turns)
                if self._keep(game, facts, turns):
                    return

    def _agrees_at_the_start(self, game: Game) -> bool:
        if game not in self._good_boards:
            try:
                self._judge.engine.check(game)
                start = asked(game, game.initial.facts, made=True)
                (compared,) = self._judge.compare([start])
                good = not compared.disagreement and not compared.skipped
            except EngineFailed:
                raise
            except AspgamesError:
                good = False
            self._good_boards[game] = good
        return self._good_boards[game]

    def _keep(self, game: Game, facts: Facts, turns: tuple[Turn, ...]) -> bool:
        """Whether a question is as good as the best so far, which it then becomes."""
        try:
            game.from_facts(facts)
            question = self._question(game, facts, turns)
        except AspgamesError:
            return False
        if question is None:
            return False
        if question not in self._tried:
            self._budget.check()
            self._tried[question] = self._ask(question)
            self._progress(self.tried)
        found = self._tried[question]
        first = self._first
        if (
            found is None
            or found.kind != first.kind
            or (found.missing and not first.missing)
            or (found.extra and not first.extra)
        ):
            return False
        self._best = found
        return True

    def _ask(self, question: Question) -> Disagreement | None:
        found = self._judge.disagreement(question)
        if found and found.kind == "refused" and not self._judge.accepts(question):
            return None
        return found

    def _question(self, game: Game, facts: Facts, turns: tuple[Turn, ...]) -> Question | None:
        """The question, if the turns can be played by the rules."""
        rules = self._judge.rules(game)
        after = facts
        for turn in turns:
            ((_, options),) = rules.ask([after])
            if turn not in options.values():
                return None
            (after,) = rules.play([after], [turn])
        return Question(game, facts, turns, after, made=self._judge.engine.sets_up)

    def _after(self, question: Question, turns: int) -> Facts:
        facts = question.facts
        for turn in question.turns[:turns]:
            (facts,) = self._judge.rules(question.game).play([facts], [turn])
        return facts


def _smaller_games(game: Game) -> Iterator[Game]:
    """The game on smaller boards, the smallest first."""
    board = game.board
    if board is None or board.constants is None:
        return
    wide, high = board.constants
    sizes = product(range(1, board.width + 1), range(1, board.height + 1))
    for width, height in sorted(sizes, key=lambda size: (size[0] * size[1], size)):
        if (width, height) == (board.width, board.height):
            continue
        if wide.allows(width) and high.allows(height):
            size = {wide.name: width, high.name: height}
            yield game_of_encoding(game.encoding, {**game.constants, **size})


def _moved(fact: str, dx: int, dy: int) -> str:
    """A piece on another square; any other fact as it is."""
    placed = placement(fact)
    if placed is None:
        return fact
    (x, y), content = placed
    return f"cell({x + dx},{y + dy},{content})"


def _moved_turn(game: Game, turn: Turn, dx: int, dy: int) -> Turn:
    """A turn elsewhere on the board. A move whose squares aren't known stays as it is."""
    plies = []
    for ply in turn:
        squares = named_squares(game.vocabulary.notation, ply)
        numbers = ",".join(f"{x + dx},{y + dy}" for x, y in squares)
        plies.append(f"{ply[: ply.index('(')]}({numbers})" if squares else ply)
    return tuple(plies)
