"""Reducing a disagreement, as long as the engine accepts the position and still disagrees.

The passes are: fewer plies, fewer pieces (delta debugging: Zeller and Hildebrandt, "Simplifying and
Isolating Failure-Inducing Input", 2002), lower counters, a smaller board. They are repeated until
none of them helps (MacIver and Donaldson, "Test-Case Reduction via Test-Case Generation", ECOOP
2020). A change is kept if a disagreement of the same kind remains.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from itertools import product, zip_longest
from random import Random

from ...game.game import Game, game_of_encoding
from ...game.listed_fluents import ListedFluents
from ...game.notation.joint_moves import format_joint, is_joint, parse_joint
from ...game.notation.move_text import named_squares, with_squares
from ...game.positions import shifted_pieces
from ...gdl.rules import Facts
from ...runtime.budget import Budget
from ...runtime.errors import AspgamesError, BadPosition, EngineFailed, LimitReached
from ...runtime.minimization import leave_out
from ..compare.disagreement import Disagreement, Judge
from ..engines.engine import Question, Turn, asked
from ..engines.turn_labels import Options, some

_MOST_DRAWN = 6  # pieces to place at random
_DRAWS = 300
_TRIED_TURNS = 8  # turns to try from a position

Progress = Callable[[int], None]
"""Receives the number of questions tried."""


class Shrinker:
    """Reduces disagreements of one engine."""

    def __init__(
        self, judge: Judge, budget: Budget, progress: Progress = lambda _tried: None
    ) -> None:
        self._judge = judge
        self._budget = budget
        self._progress = progress
        self._tried: dict[Question, Disagreement | None] = {}
        self._good_boards: dict[Game, bool] = {}
        self._steps: dict[tuple[Game, Facts, Turn], Facts | None] = {}

    @property
    def tried(self) -> int:
        """The number of questions tried."""
        return len(self._tried)

    def confirm(self, found: Disagreement, agreed: Question | None) -> None:
        """Raise ``EngineFailed`` if the engine doesn't repeat its answer.

        A question that was ``agreed`` on comes first: it exposes an engine whose answers lag behind
        the questions.
        """
        alike = agreed is None or self._judge.disagreement(agreed) is None
        if not (alike and self._judge.disagreement(found.question)):
            raise EngineFailed(
                "the engine doesn't repeat its answer, or gives more answers than asked for: "
                f"{found.question}"
            )

    def shrink(self, found: Disagreement) -> Disagreement:
        """The smallest disagreement found in time."""
        self._first = self._best = found
        with contextlib.suppress(LimitReached, EngineFailed):
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
            if self._best is before:
                if self._judge.engine.sets_up:
                    self._drawn_anew()
                else:
                    self._played_anew()
            grew = self._best is not before

    def _play_less(self) -> None:
        question = self._best.question
        if not question.turns:
            return
        if self._judge.engine.sets_up:
            for kept in range(len(question.turns)):
                left_out = len(question.turns) - kept
                begin = self._play(question.game, question.facts, question.turns[:left_out])
                if begin and self._keep(question.game, begin, question.turns[left_out:]):
                    return
            return
        sides = len(question.game.roles)  # whole rounds, so that the same side stays on move
        leave_out(
            question.turns,
            lambda turns: self._keep(question.game, question.facts, tuple(turns)),
            unit=sides,
        )
        while any(self._keep(question.game, question.facts, turns) for turns in self._shorter()):
            pass

    def _shorter(self) -> Iterator[tuple[Turn, ...]]:
        """The game without one turn of each side, at any points of the game."""
        turns, sides = self._best.question.turns, len(self._best.question.game.roles)
        of_side = [turns[side::sides] for side in range(sides)]
        for places in product(*(range(len(theirs)) for theirs in of_side)):
            rest = [t[:place] + t[place + 1 :] for t, place in zip(of_side, places, strict=True)]
            yield tuple(turn for turns in zip_longest(*rest) for turn in turns if turn)

    def _played_anew(self) -> None:
        """One round less, with random turns after some point of the game."""
        best = self._best.question
        fewer = len(best.turns) - len(best.game.roles)
        random = Random(" ".join(best.plies))
        for _ in range(_DRAWS if fewer >= 0 else 0):
            turns = best.turns[: random.randint(0, fewer)]
            while len(turns) < fewer and (after := self._play(best.game, best.facts, turns)):
                options = self._options(best.game, after)
                if not options:
                    break
                turns = (*turns, *some(options, 1, random))
            if self._keep(best.game, best.facts, turns):
                return

    def _take_away(self) -> None:
        question = self._best.question
        words = question.game.vocabulary

        def without(facts: Sequence[str]) -> bool:
            try:
                whole = words.with_blanks(facts) if facts else []
                position = question.game.from_facts(whole) if whole else None
            except BadPosition:
                return False
            if position is None or position.facts == self._best.question.facts:
                return False
            return self._keep(question.game, position.facts, question.turns)

        said = [f for f in question.facts if words.piece(f) or not words.placement(f)]
        leave_out(said, without)

    def _drawn_anew(self) -> None:
        """One piece less, and the others on random squares, where two may meet without a third."""
        best = self._best.question
        words = best.game.vocabulary
        pieces = [piece for fact in best.facts if (piece := words.content(fact))]
        if not 1 < len(pieces) <= _MOST_DRAWN:
            return
        cells = ListedFluents(best.game.vocabulary).cells
        random = Random(" ".join(best.facts))
        rest = [fact for fact in best.facts if not words.placement(fact)]
        for _ in range(_DRAWS):
            fewer = random.sample(pieces, len(pieces) - 1)
            squares = random.sample(sorted(cells), min(len(fewer), len(cells)))
            placed = [cells[s].get(piece) for s, piece in zip(squares, fewer, strict=False)]
            facts = tuple(sorted(words.with_blanks([*filter(None, placed), *rest])))
            if any(self._keep(best.game, facts, turns) for turns in self._likely(facts, random)):
                return

    def _likely(self, facts: Facts, random: Random) -> Iterator[tuple[Turn, ...]]:
        """Turns to try from a position, if the disagreement needs a turn."""
        best = self._best.question
        if not best.turns:
            yield ()
            return
        with contextlib.suppress(BadPosition):
            position = best.game.from_facts(facts)
            options = self._options(best.game, position.facts)
            for turn in some(options, _TRIED_TURNS, random):
                yield (turn,)

    def _turn_back(self) -> None:
        question = self._best.question
        fluents = ListedFluents(question.game.vocabulary)
        for fact in question.facts:
            values = list(fluents.alike(fact))
            place = values.index(fact) if fact in values else 0
            lower = 0
            while lower < place:  # the least sufficient value is probably the first one
                facts = [*(set(self._best.question.facts) - {values[place]}), values[lower]]
                if self._keep(question.game, tuple(sorted(facts)), question.turns):
                    break
                lower = (lower + place + 1) // 2

    def _smaller_board(self) -> None:
        question = self._best.question
        for game in smaller_games(question.game):
            board = game.board
            words = question.game.vocabulary
            squares = [found[0] for fact in question.facts if (found := words.piece(fact))]
            if not board or not squares or not self._agrees_at_the_start(game):
                continue
            left, right = min(x for x, _ in squares), max(x for x, _ in squares)
            low, high = min(y for _, y in squares), max(y for _, y in squares)
            for dx, dy in product(
                range(1 - left, board.width - right + 1), range(1 - low, board.height - high + 1)
            ):
                try:
                    old, new = question.game.vocabulary, game.vocabulary
                    facts = shifted_pieces(old, question.facts, new, dx, dy)
                except BadPosition:
                    continue
                turns = tuple(moved_turn(game, turn, dx, dy) for turn in question.turns)
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
        """Make a question the best one, if its disagreement is of the same kind."""
        self._budget.check()
        try:
            game.from_facts(facts)
            after = self._play(game, facts, turns)
        except AspgamesError:
            return False
        if after is None:
            return False
        question = Question(game, facts, turns, after, self._judge.engine.sets_up)
        if question not in self._tried:
            found = self._judge.disagreement(question)
            if found and found.kind == "refused" and not self._judge.accepts(question):
                found = None
            self._tried[question] = found
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

    def _play(self, game: Game, facts: Facts, turns: Sequence[Turn]) -> Facts | None:
        """The position after turns; None if one of them is illegal."""
        for turn in turns:
            step = game, facts, turn
            if step not in self._steps:
                self._steps[step] = self._step(*step)
            after = self._steps[step]
            if after is None:
                return None
            facts = after
        return facts

    def _step(self, game: Game, facts: Facts, turn: Turn) -> Facts | None:
        rules = self._judge.rules(game)
        if self._options(game, facts).get(rules.label(turn)) != turn:
            return None
        return rules.play(facts, turn)

    def _options(self, game: Game, facts: Facts) -> Options:
        return self._judge.rules(game).ask(facts)[1]


def smaller_games(game: Game) -> Iterator[Game]:
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


def moved_turn(game: Game, turn: Turn, dx: int, dy: int) -> Turn:
    """A turn moved across the board; a move without known squares stays the same."""

    def elsewhere(move: str) -> str:
        forms = game.vocabulary.notation
        moved = [(x + dx, y + dy) for x, y in named_squares(forms, move)]
        return with_squares(forms, move, moved) if moved else move

    def ply_elsewhere(ply: str) -> str:
        if not is_joint(ply):
            return elsewhere(ply)
        return format_joint({role: elsewhere(move) for role, move in parse_joint(ply).items()})

    return tuple(map(ply_elsewhere, turn))
