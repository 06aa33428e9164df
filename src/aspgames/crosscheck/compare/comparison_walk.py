"""A walk through positions to compare: recorded games, random games and random positions."""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import islice
from random import Random

from ...game.game import Game
from ...game.listed_fluents import ListedFluents
from ...game.notation.joint_moves import format_ply
from ...game.state import State
from ...gdl.rules import Facts
from ...play.game_record import Record
from ...runtime.budget import Budget
from ...runtime.errors import BadPosition, OutOfTime
from ..engines.engine import Engine, Question, Turn, asked
from ..engines.turn_labels import some
from .disagreement import Compared, Disagreement, Judge, Problems, compare_divides

_WALK_GAMES, _WALK_MADE = 100, 1000  # at most, in one walk
_BATCH_GAMES = 64
_SLOW_BATCH_GAMES = 4  # for turns of several plies, thousands in a position, and for the grounder
_MOST_TURNS = 1000  # turns of a game
_TURNS_FROM_MADE = 4  # turns from a position made at random
_TRIED_TURNS = 12  # random turns to choose the newest from, after a position made at random
_KEPT_POSITIONS = 500  # positions of play for making others from
_MOST_ATTEMPTS = 40
_MOST_REASONS = 50  # for skipped positions, counted apart


class RandomPositions:
    """Makes positions of one game from positions of play.

    The encoding alone defines which fluents exist (``base/1``) and which positions are invalid
    (``refused/2``). Pieces are removed, moved or drawn anew, at any density, including none. A
    counter gets any of its values, more often one near the ends of its range.
    """

    def __init__(self, game: Game) -> None:
        self._game, self._vocabulary = game, game.vocabulary
        self._fluents = ListedFluents(game.vocabulary)

    def make(self, seed: Facts, random: Random) -> Facts | None:
        """A random position from another one; None if all attempts are invalid."""
        for _ in range(_MOST_ATTEMPTS):
            placed = [fact for fact in seed if self._vocabulary.piece(fact)]
            rest = [fact for fact in seed if not self._vocabulary.placement(fact)]
            other = [self._another(fact, random) for fact in rest]
            change = random.choice([self._thinned, self._moved, self._drawn])
            try:
                facts = self._vocabulary.with_blanks([*change(placed, random), *other])
                return self._game.from_facts(facts).facts
            except BadPosition:
                continue
        return None

    def _another(self, fact: str, random: Random) -> str:
        """A fluent of the same form, often the same one."""
        values = self._fluents.alike(fact)
        if len(values) < 2 or random.random() < 0.6:
            return fact
        if random.random() < 0.3:
            return random.choice([values[0], values[1], values[-2], values[-1]])
        return random.choice(values)

    def _thinned(self, placed: Sequence[str], random: Random) -> list[str]:
        """Some of the pieces, with a random density for each content."""
        density = {content: random.random() for content in self._fluents.contents}
        content = self._vocabulary.content
        return [fact for fact in placed if random.random() < density.get(content(fact) or "", 0.5)]

    def _moved(self, placed: Sequence[str], random: Random) -> list[str]:
        """The pieces with a few moved elsewhere, so that two may meet."""
        kept = self._thinned(placed, random) if random.random() < 0.5 else list(placed)
        for _ in range(min(random.randint(1, 6), len(kept))):
            piece = self._vocabulary.content(kept.pop(random.randrange(len(kept)))) or ""
            taken = {found[0] for fact in kept if (found := self._vocabulary.piece(fact))}
            free = [
                cell[piece]
                for square, cell in self._fluents.cells.items()
                if square not in taken and piece in cell
            ]
            kept += random.sample(free, min(1, len(free)))
        return kept

    def _drawn(self, placed: Sequence[str], random: Random) -> list[str]:
        """Every square drawn anew, if ``base/1`` lists the contents."""
        if not self._fluents.cells:
            return self._thinned(placed, random)
        full = random.random() ** 2
        weights = {
            piece: random.random() * random.randint(0, 1) + 1e-9 for piece in self._fluents.contents
        }
        return [
            random.choices(list(cell.values()), [weights[piece] for piece in cell])[0]
            for cell in self._fluents.cells.values()
            if random.random() < full
        ]


@dataclass(frozen=True)
class Plan:
    """The positions to compare, and how."""

    starts: Sequence[Facts]
    """The first positions of games, in turn."""
    games: int = 100
    made: int = 1000
    depth: int = 0
    """The depth of perft by divide from each start [plies or turns]; 0: no perft."""
    records: Sequence[Record] = ()
    """Games to compare first, position by position ..."""
    recorded: str | None = None
    """... and their file."""
    only: bool = False
    """Whether to compare nothing but the starts and the positions one turn later."""
    seed: int | str = 0
    seconds: float | None = None
    """The time for comparing, without the time for reducing [s]."""
    keep_going: bool = False
    """Whether to continue after a disagreement, for one of each sort."""
    reasoner: str | None = None
    """Our side's reasoner: ``"propnet"``, however long its net takes to make, ``"grounder"``, or
    None for the faster one; against one of them, the other."""
    opens: bool = True
    """Whether to compare the starts themselves."""
    notation: str = "lp"
    """The name of the notation for positions and moves in reports."""
    problems: Problems | None = None
    """A chess problem to ask of each position, too."""
    again: Sequence[str] = ()
    """More options for the command that reproduces a disagreement."""


def split_plan(plan: Plan) -> list[Plan]:
    """A plan in parts, one for each walk, whatever the number of processes."""
    parts = max(1, -(-plan.games // _WALK_GAMES), -(-plan.made // _WALK_MADE))
    return [
        replace(
            plan,
            games=plan.games * (part + 1) // parts - plan.games * part // parts,
            made=plan.made * (part + 1) // parts - plan.made * part // parts,
            seed=plan.seed if not part else f"{plan.seed} {part}",
            opens=not part,
            records=plan.records if not part else (),
        )
        for part in range(parts)
    ]


@dataclass
class Tally:
    """The numbers of things compared."""

    finished: bool = False
    """Whether the whole plan was compared in time."""
    positions: int = 0
    """Positions that both sides answered for, with the same answer or not."""
    games: int = 0
    """Random games begun."""
    made: int = 0
    """Positions made at random and sent to the engine."""
    skipped: int = 0
    """Positions that the engine may refuse and did, or that don't suit such engines."""
    skipped_because: dict[str, int] = field(default_factory=dict)
    """The skipped positions by reason."""
    divides: int = 0

    def add(self, other: "Tally") -> None:
        """Add the numbers of another walk."""
        because = Counter(self.skipped_because) + Counter(other.skipped_because)
        for name, number in asdict(other).items():
            if isinstance(number, int):
                setattr(self, name, getattr(self, name) + number)
        self.finished, self.skipped_because = other.finished, dict(because)


Progress = Callable[[Tally], None]


@dataclass
class _RunningGame:
    question: Question
    random: Random
    left: int  # the number of turns that it may still last
    made: bool


class ComparisonWalk:
    """Compares the positions of a plan, until all are compared or the time runs out.

    Many games are played in parallel, so that one batch of questions has a position of each.
    """

    def __init__(
        self,
        judge: Judge,
        game: Game,
        plan: Plan,
        budget: Budget,
        progress: Progress = lambda _tally: None,
    ) -> None:
        self.tally = Tally()
        self._judge, self._game, self._plan = judge, game, plan
        self._budget, self._progress = budget, progress
        self._seen: deque[Facts] = deque(plan.starts, maxlen=_KEPT_POSITIONS)
        self._positions = RandomPositions(game)
        self._changes: Counter[object] = Counter()

    def disagreements(self) -> Iterator[Disagreement]:
        """Yield each disagreement at once; its game isn't continued."""
        try:
            yield from self._recorded()
            yield from self._around() if self._plan.only else self._walk()
        except OutOfTime:
            return
        self.tally.finished = True

    def _recorded(self) -> Iterator[Disagreement]:
        engine = self._judge.engine
        for questions in [questions_of(r, self._game, engine) for r in self._plan.records]:
            self.tally.games += 1
            for compared in self._compare(questions):
                if compared.disagreement:
                    yield compared.disagreement
                    break

    def _walk(self) -> Iterator[Disagreement]:
        opening = self._plan.starts if self._plan.opens else ()
        for compared in self._compare([self._start(facts) for facts in opening]):
            if compared.disagreement:
                yield compared.disagreement
            elif self._plan.depth and not compared.skipped:
                asked_for = compared.question, self._plan.depth, self._budget
                counts, disagreement = compare_divides(self._judge, *asked_for)
                self.tally.divides += counts
                if disagreement:
                    yield disagreement
        games: list[_RunningGame] = []
        waiting = self._begin_games()
        while True:
            games += islice(waiting, self._batch - len(games))
            if not games:
                return
            going = []
            found = self._compare([game.question for game in games])
            for game, compared in zip(games, found, strict=True):
                if compared.disagreement:
                    yield compared.disagreement
                elif compared.options and not compared.skipped and game.left:
                    going.append((game, compared))
            games = self._play(going)

    def _around(self) -> Iterator[Disagreement]:
        rules = self._judge.rules(self._game)
        for facts in self._plan.starts:
            (first,) = self._compare([self._start(facts)])
            if first.disagreement:
                yield first.disagreement
            turns = iter(() if first.skipped else first.options.values())
            while some := list(islice(turns, self._batch)):
                further = [Question(self._game, facts, (t,), rules.play(facts, t)) for t in some]
                for compared in self._compare(further):
                    if compared.disagreement:
                        yield compared.disagreement

    @cached_property
    def _batch(self) -> int:
        rules = self._judge.rules(self._game)
        quick = rules.fast and (not self._judge.engine.whole_turns or rules.single)
        return _BATCH_GAMES if quick else _SLOW_BATCH_GAMES

    def _start(self, facts: Facts) -> Question:
        """The first question of a game; only the initial state is sure to occur in play."""
        return asked(self._game, facts, made=facts != self._game.initial.facts)

    def _compare(self, questions: Sequence[Question]) -> Iterator[Compared]:
        for compared in self._judge.compare(questions):
            self._budget.check()
            if compared.skipped:
                self.tally.skipped += 1
                because, why = self.tally.skipped_because, compared.skipped
                why = why if why in because or len(because) < _MOST_REASONS else "other reasons"
                because[why] = because.get(why, 0) + 1
            else:
                self.tally.positions += 1
            self._progress(self.tally)
            yield compared

    def _begin_games(self) -> Iterator[_RunningGame]:
        """Random games and positions, alternately while both are left."""
        games, made, seed, starts = (
            self._plan.games, self._plan.made, self._plan.seed, self._plan.starts,
        )  # fmt: skip
        while games or made:
            if games:
                games -= 1
                random = Random(f"game {games} {seed}")
                start = starts[self.tally.games % len(starts)]
                self.tally.games += 1
                yield _RunningGame(self._start(start), random, _MOST_TURNS, made=False)
            for _ in range(min(made, max(1, made // (games + 1)))):
                made -= 1
                self._budget.check()
                random = Random(f"made {made} {seed}")
                facts = self._positions.make(random.choice(self._seen), random)
                if facts is not None:
                    self.tally.made += 1
                    left = random.randrange(_TURNS_FROM_MADE + 1)
                    question = asked(self._game, facts, made=True)
                    yield _RunningGame(question, random, left, made=True)

    def _newest(self, facts: Facts, choice: Sequence[tuple[Turn, Facts]]) -> tuple[Turn, Facts]:
        """The turn with the rarest change so far: a capture, a promotion, the end of a game."""
        changes = [self._change(facts, after) for _, after in choice]
        place = min(range(len(choice)), key=lambda place: self._changes[changes[place]])
        self._changes[changes[place]] += 1
        return choice[place]

    def _play(self, going: Sequence[tuple[_RunningGame, Compared]]) -> list[_RunningGame]:
        rules = self._judge.rules(self._game)
        games = []
        for game, compared in going:
            old = game.question
            # After a position made at random, the newest of several random turns.
            tried = some(
                compared.options, _TRIED_TURNS if game.made and rules.fast else 1, game.random
            )
            turn, facts = self._newest(old.after, [(t, rules.play(old.after, t)) for t in tried])
            if self._judge.engine.sets_up:
                question = Question(self._game, old.after, (turn,), facts, game.made)
            else:
                question = Question(self._game, old.facts, (*old.turns, turn), facts)
            games.append(_RunningGame(question, game.random, game.left - 1, game.made))
            if not game.made:
                self._seen.append(facts)
        return games

    def _change(self, before: Facts, after: Facts) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The contents that vanish and appear from one position to the next, on any squares."""
        gone, come = set(before) - set(after), set(after) - set(before)
        return self._contents(gone), self._contents(come)

    def _contents(self, facts: set[str]) -> tuple[str, ...]:
        content = self._game.vocabulary.content
        return tuple(sorted(content(fact) or fact.partition("(")[0] for fact in facts))


def questions_of(record: Record, game: Game, engine: Engine) -> list[Question]:
    """The questions about the positions of a recorded game. Raises the same as ``replay``."""
    states = record.replay(game)
    start = states[0]
    made = start != game.initial
    found = [asked(game, start.facts, made=made)]
    before, turns = start, tuple[Turn, ...]()
    for turn, after in _turns(record, states, engine.whole_turns):
        if engine.sets_up:
            found.append(Question(game, before.facts, (turn,), after.facts, made))
        else:
            turns = (*turns, turn)
            found.append(Question(game, start.facts, turns, after.facts, made))
        before = after
    return found


def _turns(record: Record, states: tuple[State, ...], whole: bool) -> Iterator[tuple[Turn, State]]:
    """The plies or whole turns of a record, each with the state after it."""
    turn: Turn = ()
    for move, before, after in zip(record.moves, states, states[1:], strict=False):
        turn = (*turn, format_ply(before.joint(move), before.consequences.movers))
        if not whole or after.to_move != before.to_move or after.is_terminal:
            yield turn, after
            turn = ()
