"""The walk: random games and positions made at random, a batch of them in step."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from random import Random

from ...game.game import Game
from ...gdl.reasoner import Facts
from ...runtime.budget import Budget
from ...runtime.errors import OutOfTime
from ..engines.engine import Question, Turn, asked
from ..engines.turn_options import some
from .disagreement import Compared, Disagreement, Judge
from .divide_comparison import compare_divides
from .random_positions import RandomPositions

_BATCH = 64
_SLOW_BATCH = 4  # where turns are made of plies, thousands a position, or the grounder answers
_LONGEST = 1000  # turns of a game
_FROM_MADE = 4  # turns that are played from a position made at random
_CHOICE = 12  # turns of which one is played from a position made at random
_REMEMBERED = 500  # positions of play that others are made from


@dataclass
class Tally:
    """What was compared."""

    positions: int = 0
    """Positions that both sides answered for, alike or not."""
    games: int = 0
    """Random games that were begun."""
    made: int = 0
    """Positions made at random that were put to the engine."""
    skipped: int = 0
    """Positions that it refused rightly, or that such engines can't be asked about."""
    divides: int = 0
    """Perft counts that were compared."""
    finished: bool = False
    """Whether all was compared that was asked for, in the time there was."""

    def add(self, other: Tally) -> None:
        """Count what was compared elsewhere, too."""
        self.positions += other.positions
        self.games += other.games
        self.made += other.made
        self.skipped += other.skipped
        self.divides += other.divides
        self.finished = other.finished


Progress = Callable[[Tally], None]


@dataclass
class _Line:
    """A game under way."""

    question: Question
    random: Random
    left: int
    """The turns that may still be played."""
    made: bool


@dataclass
class ComparisonWalk:
    """Compares positions until there are enough of them, or the time is over."""

    judge: Judge
    game: Game
    starts: Sequence[Facts]
    """Where games begin, in turn."""
    games: int
    made: int
    """How many positions to make at random; none if the engine can't be given any."""
    seed: int | str
    budget: Budget
    depth: int = 0
    """How deep to count from each start; engines that don't count are not asked to."""
    only: bool = False
    """Whether to compare the starts and what is a turn from them, and nothing else."""
    recorded: Sequence[Sequence[Question]] = ()
    """Games that are compared before all others, position by position."""
    opens: bool = True
    """Whether to compare the starts themselves, too."""
    progress: Progress = lambda _tally: None
    tally: Tally = field(default_factory=Tally)

    def __post_init__(self) -> None:
        self._seen: deque[Facts] = deque(self.starts, maxlen=_REMEMBERED)
        self._positions = RandomPositions(self.game)
        self._changes: Counter[object] = Counter()

    def disagreements(self) -> Iterator[Disagreement]:
        """Each disagreement as it is met; the game in which it was met is not played on."""
        try:
            yield from self._recorded()
            yield from self._around() if self.only else self._walk()
        except OutOfTime:
            return
        self.tally.finished = True

    def _recorded(self) -> Iterator[Disagreement]:
        for questions in self.recorded:
            self.tally.games += 1
            for compared in self._compare(questions):
                if compared.disagreement:
                    yield compared.disagreement
                    break

    def _walk(self) -> Iterator[Disagreement]:
        opening = self.starts if self.opens else ()
        for compared in self._compare([self._start(facts) for facts in opening]):
            if compared.disagreement:
                yield compared.disagreement
            elif self.depth and not compared.skipped:
                yield from self._divide(compared.question)
        lines: list[_Line] = []
        waiting = self._lines()
        while True:
            lines += islice(waiting, self._batch - len(lines))
            if not lines:
                return
            going = []
            found = self._compare([line.question for line in lines])
            for line, compared in zip(lines, found, strict=True):
                if compared.disagreement:
                    yield compared.disagreement
                elif compared.options and not compared.skipped and line.left:
                    going.append((line, compared))
            lines = self._play(going)

    def _around(self) -> Iterator[Disagreement]:
        """The disagreements at the starts and at whatever is a turn from them."""
        rules = self.judge.rules(self.game)
        for facts in self.starts:
            (first,) = self._compare([self._start(facts)])
            if first.disagreement:
                yield first.disagreement
            turns = iter(() if first.skipped else first.options.values())
            while some := list(islice(turns, self._batch)):
                after = rules.play([facts] * len(some), some)
                played = zip(some, after, strict=True)
                further = [Question(self.game, facts, (turn,), then) for turn, then in played]
                for compared in self._compare(further):
                    if compared.disagreement:
                        yield compared.disagreement

    @cached_property
    def _batch(self) -> int:
        """How many games are played in step."""
        rules = self.judge.rules(self.game)
        quick = rules.fast and (not self.judge.engine.whole_turns or rules.single)
        return _BATCH if quick else _SLOW_BATCH

    def _divide(self, question: Question) -> Iterator[Disagreement]:
        counts, found = compare_divides(self.judge, question, self.depth, self.budget)
        self.tally.divides += counts
        if found:
            yield found

    def _start(self, facts: Facts) -> Question:
        """Where a game begins: but for the initial state, no play need lead there."""
        return asked(self.game, facts, made=facts != self.game.initial.facts)

    def _compare(self, questions: Sequence[Question]) -> Iterator[Compared]:
        for compared in self.judge.compare(questions):
            self.budget.check()
            if compared.skipped:
                self.tally.skipped += 1
            else:
                self.tally.positions += 1
            self.progress(self.tally)
            yield compared

    def _lines(self) -> Iterator[_Line]:
        """Games and positions made at random, in turn as long as there are both."""
        games, made = self.games, self.made
        while games or made:
            if games:
                games -= 1
                random = Random(f"game {games} {self.seed}")
                start = self.starts[self.tally.games % len(self.starts)]
                self.tally.games += 1
                yield _Line(self._start(start), random, _LONGEST, made=False)
            for _ in range(min(made, max(1, made // (games + 1)))):
                made -= 1
                self.budget.check()
                random = Random(f"made {made} {self.seed}")
                facts = self._positions.make(random.choice(self._seen), random)
                if facts is not None:
                    self.tally.made += 1
                    left = random.randrange(_FROM_MADE + 1)
                    yield _Line(asked(self.game, facts, made=True), random, left, made=True)

    def _tried(self, line: _Line, compared: Compared) -> Sequence[Turn]:
        """Turns to choose from: one, or several where the one that does something new is wanted."""
        count = _CHOICE if line.made and self.judge.rules(self.game).fast else 1
        return some(compared.options, count, line.random)

    def _newest(self, facts: Facts, choice: Sequence[tuple[Turn, Facts]]) -> tuple[Turn, Facts]:
        """The turn that does what was seen least: a capture, a promotion, the end of a game."""
        changes = [self._change(facts, after) for _, after in choice]
        place = min(range(len(choice)), key=lambda place: self._changes[changes[place]])
        self._changes[changes[place]] += 1
        return choice[place]

    def _play(self, going: Sequence[tuple[_Line, Compared]]) -> list[_Line]:
        """The games a turn further."""
        now = [line.question.after for line, _ in going]
        tried = [self._tried(line, compared) for line, compared in going]
        rules = self.judge.rules(self.game)
        every = iter(
            rules.play(
                [facts for facts, turns in zip(now, tried, strict=True) for _ in turns],
                [turn for turns in tried for turn in turns],
            )
        )
        turns, after = [], []
        for facts, choice in zip(now, tried, strict=True):
            turn, then = self._newest(facts, list(zip(choice, every, strict=False)))
            turns.append(turn)
            after.append(then)
        lines = []
        for (line, _), turn, facts in zip(going, turns, after, strict=True):
            old = line.question
            if self.judge.engine.sets_up:
                question = Question(self.game, old.after, (turn,), facts, line.made)
            else:
                question = Question(self.game, old.facts, (*old.turns, turn), facts)
            lines.append(_Line(question, line.random, line.left - 1, line.made))
            if not line.made:
                self._seen.append(facts)
        return lines

    def _change(self, before: Facts, after: Facts) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What comes and goes from one position to the next, wherever on the board."""
        gone, come = set(before) - set(after), set(after) - set(before)
        return self._contents(gone), self._contents(come)

    def _contents(self, facts: set[str]) -> tuple[str, ...]:
        content = self.game.vocabulary.content
        return tuple(sorted(content(fact) or fact.partition("(")[0] for fact in facts))
