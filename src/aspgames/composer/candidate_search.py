"""The search for sound puzzles, in blocks that depend on a seed and a number only."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from random import Random

from ..asp.terms import shape
from ..game.game import Game
from ..game.loading import SentGame
from ..game.state import State
from ..gdl.rules import Facts
from ..play.batch import Batch
from ..propnet.net import Net
from ..propnet.reachable_nets import net_of_all
from ..puzzle.problem import Puzzle
from ..runtime.budget import Budget
from ..runtime.errors import BadPosition, BadRequest, LimitReached, RulesError, TooLarge
from ..runtime.minimization import leave_out
from .bounded_search import BoundedSearch
from .candidate_worth import Candidate, CandidateWorth, anneal
from .economy import Pieces, can_change
from .order import Order
from .position_changes import PositionChanges
from .puzzle_twins import Twins
from .solution_set import find_solutions
from .valid_positions import ValidPositions

_GAMES = 8  # random games of a block; the end of each is a family of positions
_FIRST_POSITIONS = 6  # first positions of a family
_THINNED_ATTEMPTS = 3  # attempts with fewer pieces, for each of them
_ROUNDS = 4  # rounds of changes in a family
_PARENTS = 3  # positions changed in a round
_CHILDREN = 8  # changes of each
_KEPT_PUZZLES = 2  # puzzles of a family, whose puzzles are similar
_SPARE_PLIES = 2  # more plies before the end than the turns need
_MOST_SOLUTIONS = 4  # of a position that is almost a puzzle
_LEAST_MOVES = 3  # of a puzzle, so that there is a choice
_EFFORT = 1000  # evaluations for a question
_SIZE_RATIO = 4  # the game's net serves all families if it is at most this many times larger
_MOST_RULES = 150_000  # ground rules of the game's net
_MOST_PLIES = 2000  # plies; a longer game is cut off there
_IDLE_SCORE = 0.5  # points of the score that a piece must bring there: half an answer


@dataclass(frozen=True)
class CompositionBlock:
    """A block of work for another process."""

    game: SentGame
    order: Order
    seed: int
    number: int
    called: str
    """The game in the puzzles: its name, or a path to its rules."""
    improve: int = 0
    """The changes tried to improve a family's best candidate; 0 changes near misses only."""
    like: tuple[Facts, ...] = ()
    """Positions to vary; without any, random games are played."""
    threads: int = field(default=1, repr=False)


def look_for_puzzles(block: CompositionBlock, budget: Budget) -> tuple[int, list[Candidate]]:
    """Search a block; returns the number of candidates, and the puzzles among them.

    Raises ``RulesError`` and ``LimitReached`` if there is no net.
    """
    work = _CandidateSearch(block, budget)
    for family in work.families():
        work.family(family)
    return work.candidates, work.found


class _CandidateSearch:
    def __init__(self, block: CompositionBlock, budget: Budget) -> None:
        self._block, self._budget = block, budget
        self._game, self._order, self._improve = game_of(block.game), block.order, block.improve
        sides = block.order.sides(self._game.roles)
        self._attacker, self._mover = sides[block.number % len(sides)]
        self._random = Random(f"{block.seed} {block.number}")
        self._changes, self._twins = PositionChanges(self._game), Twins(self._game)
        self._can_change = can_change(self._game)
        self._asker: BoundedSearch | None = None  # the search for all positions, if a net has them
        self._valid: ValidPositions | None = None  # the positions that the encoding allows, quickly
        self._seen: set[Facts] = set()
        self.candidates = 0
        self.found: list[Candidate] = []

    def families(self) -> list[Sequence[Facts]]:
        """Positions to begin with, in families, and the net for all of them if there is one."""
        block, game = self._block, self._game
        families: list[Sequence[Facts]] = [
            [block.like[(block.number + place) % len(block.like)]]
            for place in range(_GAMES if block.like else 0)
        ]
        if not block.like:
            plies = 4 * block.order.most + _SPARE_PLIES  # a turn of a move and a shot has two plies
            seed = self._random.getrandbits(63)
            ended = endings(game, _GAMES, plies, seed, self._budget, block.threads)
            families = [[state.facts for state in states] for states in ended if states]
        net = None
        if block.improve or _is_general(block.game, block.order):
            net = _net_for_all(block.game)
        if block.improve and (net is None or not self._can_change):
            has = f"{game.name} has no net of all positions"
            raise BadRequest(f"{has}, or its positions can't change")
        if net is not None:
            self._asker = self._asks(net, game.initial.facts)
            self._valid = _valid_positions(block.game)
        return families

    def family(self, endings: Sequence[Facts]) -> None:
        """Search the end of a game, and changes of the positions that are almost puzzles.

        The best sound puzzles are kept, without needless pieces.
        """
        asker, random, changes = self._asker, self._random, self._changes
        endings, movers = self._late(endings)
        # A puzzle begins at the beginning of a turn.
        begin = [
            facts
            for facts, mover, before in zip(endings, movers, [None, *movers], strict=False)
            if mover == self._mover and (before != mover or len(self._game.roles) == 1)
        ]
        begin = random.sample(begin, min(len(begin), _FIRST_POSITIONS))
        if asker:
            asker.search.forget()
            thinned = [changes.thinned(f, random) for f in begin for _ in range(_THINNED_ATTEMPTS)]
            begin += thinned if self._can_change else []
        near, sound = self._looks(begin, endings)
        if self._improve and asker:
            worth, look = self._worth(asker), partial(self._look, asker)
            best = anneal([*near, *sound], worth, self._improve, random, self._change, look)
            sound = [best] if best else []
        for _ in range(_ROUNDS if self._can_change and not self._improve else 0):
            if sound or not near:
                break
            near.sort(key=self._far)
            parents = [each.facts for each in near[:_PARENTS]]
            changed = [changes.changed(f, random) for f in parents for _ in range(_CHILDREN)]
            more, sound = self._looks(changed, [*endings, *parents])
            near = near[:_PARENTS] + more
        kept: dict[tuple[str, ...], Candidate] = {}
        for each in sorted(
            sound, key=lambda each: (-each.look.distance, len(each.facts), each.facts)
        ):
            kept.setdefault(each.look.solutions, each)
        for each in list(kept.values())[:_KEPT_PUZZLES]:
            smaller = each
            if self._can_change:
                smaller = self._without_idle_pieces(self._without_counts(each), endings)
            if self._twins.add(smaller.facts, self._attacker):
                self.found.append(smaller)

    def _far(self, seen: Candidate) -> tuple[object, ...]:
        """The distance from a puzzle: the missing turns, then the number of solutions."""
        look = seen.look
        short = max(0, self._order.least - look.distance)
        return short, len(look.solutions), seen.facts

    def _late(self, endings: Sequence[Facts]) -> tuple[Sequence[Facts], Sequence[str | None]]:
        """The positions of the last turns, at most as many as wanted, with the side on move."""
        movers = [self._game.state(facts).to_move for facts in endings]
        turns = 0
        for place in range(len(movers) - 1, 0, -1):
            turns += movers[place] != movers[place - 1] or len(self._game.roles) == 1
            if turns > 2 * self._order.most:
                return endings[place:], movers[place:]
        return endings, movers

    def _looks(
        self, several: Sequence[Facts], endings: Sequence[Facts]
    ) -> tuple[list[Candidate], list[Candidate]]:
        """Examine positions: those that are almost puzzles, and those that are puzzles."""
        new = [f for f in dict.fromkeys(several) if f not in self._seen and self._is_small(f)]
        self._seen.update(new)
        self.candidates += len(new)
        if not new:
            return [], []
        try:
            ask = self._asker_for([*new, *endings])
        except TooLarge:  # too many empty squares
            return [], []
        found = [seen for facts in new if (seen := self._look(ask, facts))]
        near = [seen for seen in found if not seen.look.is_sound]
        return near, [seen for seen in found if seen.look.is_sound]

    def _asker_for(self, facts: Sequence[Facts]) -> BoundedSearch:
        """The block's search, or one for some positions, the last of them a position of play."""
        return self._asker or self._asks(net_of_all(self._game.rules, facts), facts[-1])

    def _asks(self, net: Net, facts: Facts) -> BoundedSearch:
        """A search on a net; ``facts`` are a position of play."""
        order = self._order
        state = self._game.state(facts)
        puzzle = Puzzle.read(state, self._attacker, order.goal, order.most)
        return BoundedSearch(puzzle, net, _EFFORT)

    def _look(self, ask: BoundedSearch, facts: Facts) -> Candidate | None:
        """A position as a candidate, if it is valid and almost a puzzle."""
        self._budget.check()
        if not ask.knows(facts) or (self._valid and facts not in self._valid):
            return None
        try:
            root = ask.at(facts, self._budget)
            look = find_solutions(root, self._order, ask, _MOST_SOLUTIONS)
            if look is None or len(root.children()) < _LEAST_MOVES:
                return None
            moves = root.attacks is (self._mover == self._attacker)
            if moves and (self._valid or self._game.checked(facts)):
                return Candidate(facts, self._attacker, look)
        except (BadPosition, BadRequest):  # also if an end has two winners
            pass
        return None

    def _change(self, facts: Facts) -> Facts | None:
        """A position with one change; None if it has too many pieces."""
        changed = self._changes.changed(facts, self._random, grows=True)
        self.candidates += 1
        is_usable = self._is_small(changed) and self._changes.is_of_one_set(changed)
        return changed if is_usable else None

    def _worth(self, ask: BoundedSearch) -> CandidateWorth:
        return CandidateWorth(ask, self._valid, self._budget)

    def _without_counts(self, puzzle: Candidate) -> Candidate:
        """The puzzle with its counters as a position has them that names none, if it stays so."""
        begun = {shape(fact): fact for fact in self._game.reader.defaults}
        facts = tuple(sorted({begun.get(shape(fact), fact) for fact in puzzle.facts}))
        found = self._look(self._asker, facts) if self._asker and facts != puzzle.facts else None
        return found if found is not None and found.look == puzzle.look else puzzle

    def _without_idle_pieces(self, puzzle: Candidate, endings: Sequence[Facts]) -> Candidate:
        """The puzzle without the pieces that it doesn't need."""
        pieces = Pieces(self._game, puzzle.facts)
        try:
            ask = self._asker_for([puzzle.facts, *pieces.each_without_one(), *endings])
        except TooLarge:
            return puzzle
        best, worth = puzzle, self._worth(ask)
        least = (worth.promise(puzzle) or 0.0) - _IDLE_SCORE if self._improve else 0.0

        def stays(fewer: Sequence[str]) -> bool:
            nonlocal best, least
            found = self._look(ask, pieces.only(fewer))
            if found is None or found.look != puzzle.look:
                return False
            if self._improve:
                if (promised := worth.promise(found)) is None or promised < least:
                    return False
                least = promised - _IDLE_SCORE
            best = found
            return True

        leave_out(pieces.owned, stays)
        return best

    def _is_small(self, facts: Facts) -> bool:
        most = self._order.most_pieces
        return most is None or sum(map(bool, map(self._game.vocabulary.piece, facts))) <= most


@lru_cache(maxsize=8)
def game_of(sent: SentGame) -> Game:
    """The game, loaded once in a process."""
    return sent.load()


@lru_cache(maxsize=8)
def _net_for_all(sent: SentGame) -> Net | None:
    """The net of all positions of the encoding; None if it is too large."""
    game = game_of(sent)
    try:
        fluents = tuple(sorted({*game.vocabulary.base, *game.vocabulary.initial}))
        return Net(game.rules, (), fluents, True, _MOST_RULES)
    except LimitReached:
        return None


@lru_cache(maxsize=8)
def _valid_positions(sent: SentGame) -> ValidPositions | None:
    with suppress(LimitReached, RulesError):
        return ValidPositions(game_of(sent))
    return None


@lru_cache(maxsize=8)
def _is_general(sent: SentGame, order: Order) -> bool:
    """Whether one net serves all families, because most of the board stays in play to the end."""
    net = _net_for_all(sent)
    if net is None:
        return False
    game = game_of(sent)
    (states,) = endings(game, 1, 4 * order.most + _SPARE_PLIES, 0, Budget())
    own = net_of_all(game.rules, [state.facts for state in states])
    return net.circuit.size <= _SIZE_RATIO * own.circuit.size


def endings(
    game: Game, games: int, plies: int, seed: int, budget: Budget, threads: int = 1
) -> list[list[State]]:
    """The last states of random games, at most ``plies`` of each.

    Raises ``BadRequest`` if the game can't be played in batches, and ``LimitReached``.
    """
    lengths = _lengths(Batch(game, games, seed=seed, threads=threads), budget)
    found: list[list[State]] = [[] for _ in range(games)]
    # The same seed plays the same games again.
    batch = Batch(game, games, seed=seed, threads=threads)
    for ply in range(max(lengths)):
        budget.check()
        late = [number for number, length in enumerate(lengths) if 0 < length - ply <= plies]
        for number, state in zip(late, batch.states(late) if late else [], strict=True):
            found[number].append(state)
        batch.step(batch.sample())
    return found


def _lengths(batch: Batch, budget: Budget) -> list[int]:
    lengths = [0] * len(batch)
    for ply in range(_MOST_PLIES):
        budget.check()
        over = batch.is_terminal
        for number in (~over).nonzero()[0].tolist():
            lengths[number] = ply + 1
        if over.all():
            break
        batch.step(batch.sample())
    return lengths
