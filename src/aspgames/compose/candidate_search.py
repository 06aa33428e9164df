"""A block of the work: from a seed and a number to puzzles that are sound."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random

from ..game.game import Game, State
from ..game.loading import SentGame
from ..gdl.reasoner import Facts
from ..propnet.net import Net, net_of_all
from ..puzzle.problem import Puzzle
from ..runtime.budget import Budget
from ..runtime.errors import BadPosition, BadRequest, LimitReached, TooLarge
from ..runtime.minimization import leave_out
from .bounded_search import BoundedSearch
from .economy import Pieces, can_change
from .game_endings import endings
from .position_changes import PositionChanges
from .solution_set import SolutionSet, find_solutions
from .specification import Order
from .twins import Twins

_GAMES = 8  # random games of a block, each of which is a family of positions
_BEGIN = 6  # positions of a family that it begins with
_THINNED = 3  # times that each of these is tried with fewer pieces
_ROUNDS = 4  # of changes in a family
_PARENTS = 3  # that are changed in a round
_CHILDREN = 8  # changes of each
_KEPT = 2  # puzzles of a family: of more, most would be much alike
_SPARE = 2  # plies before the end, besides those of the most turns
_MOST_SOLUTIONS = 4  # of what is near to a puzzle
_LEAST_MOVES = 3  # of a puzzle: with fewer there is little to choose
_EFFORT = 1000  # evaluations a question
_SIMILAR = 4  # times as large as a family's net may the game's be, to serve all families
_MOST_RULES = 150_000  # ground rules of the game's net


@dataclass(frozen=True)
class CompositionBlock:
    """A block on its way to whoever does it."""

    game: SentGame
    order: Order
    seed: int
    number: int
    called: str
    """What the game is called in puzzles: its name, or a path to its rules."""
    like: tuple[Facts, ...] = ()
    """Positions of which variations are wanted; none: random games are played."""
    threads: int = field(default=1, repr=False)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A position that is a puzzle, or near to one."""

    facts: Facts
    attacker: str
    look: SolutionSet


def look_for_puzzles(block: CompositionBlock, budget: Budget) -> tuple[int, list[Candidate]]:
    """How many candidates there were, and the puzzles among them.

    Raises what nets raise, and what the budget does.
    """
    game = game_of(block.game)
    sides = block.order.sides(game.roles)
    attacker, mover = sides[block.number % len(sides)]
    random = Random(f"{block.seed} {block.number}")
    work = _CandidateSearch(game, block.order, attacker, mover, random, budget)
    if block.like:
        families: Iterable[Sequence[Facts]] = [
            [block.like[(block.number + place) % len(block.like)]] for place in range(_GAMES)
        ]
    else:
        families = [
            [state.facts for state in states] for states in _endings(game, block, random, budget)
        ]
    net = _net_for_all(block.game) if _is_general(block.game, block.order) else None
    if net is not None:
        work.use(net, game.initial.facts)
    for family in families:
        work.family(family)
    return work.candidates, work.found


def _endings(
    game: Game, block: CompositionBlock, random: Random, budget: Budget
) -> list[list[State]]:
    # Of a turn that is a move and a shot there are two plies.
    plies = 4 * block.order.most + _SPARE
    seed = random.getrandbits(63)
    return [
        ending for ending in endings(game, _GAMES, plies, seed, budget, block.threads) if ending
    ]


class _CandidateSearch:
    """One block at work."""

    def __init__(
        self, game: Game, order: Order, attacker: str, mover: str, random: Random, budget: Budget
    ) -> None:
        self._game, self._order, self._attacker, self._mover = game, order, attacker, mover
        self._random, self._budget = random, budget
        self._changes, self._twins = PositionChanges(game), Twins(game)
        self._can_change = can_change(game)
        self._asker: BoundedSearch | None = None
        self._seen: set[Facts] = set()
        self.candidates = 0
        self.found: list[Candidate] = []

    def use(self, net: Net, facts: Facts) -> None:
        """Look at all positions on one net."""
        self._asker = self._asks(net, facts)

    def family(self, endings: Sequence[Facts]) -> None:
        """Look at positions that are alike, and at what changes make of those that are nearest.

        The best of what is sound is kept, without the pieces that aren't needed.
        """
        asker, random, changes = self._asker, self._random, self._changes
        endings, movers = self._late(endings)
        # A turn that is under way makes no good puzzle.
        begin = [
            facts
            for facts, mover, before in zip(endings, movers, [None, *movers], strict=False)
            if mover == self._mover and (before != mover or len(self._game.roles) == 1)
        ]
        begin = random.sample(begin, min(len(begin), _BEGIN))
        if asker:
            asker.forget()
            thinned = [changes.thinned(f, random) for f in begin for _ in range(_THINNED)]
            begin += thinned if self._can_change else []
        near, sound = self._looks(begin, endings)
        for _ in range(_ROUNDS if self._can_change else 0):
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
        for each in list(kept.values())[:_KEPT]:
            smaller = self._without_idle_pieces(each, endings) if self._can_change else each
            if self._twins.add(smaller.facts, self._attacker):
                self.found.append(smaller)

    def _far(self, seen: Candidate) -> tuple[object, ...]:
        """How far from a puzzle a position is: turns that it is too short, and solutions."""
        look = seen.look
        short = max(0, self._order.least - look.distance)
        return short, len(look.solutions), seen.facts

    def _late(self, endings: Sequence[Facts]) -> tuple[Sequence[Facts], Sequence[str | None]]:
        """Those of no more turns before the end than are wanted, and who is on move there."""
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
        """Look at several positions: what is near to a puzzle, and what is one."""
        new = [f for f in dict.fromkeys(several) if f not in self._seen and self._is_small(f)]
        self._seen.update(new)
        self.candidates += len(new)
        if not new:
            return [], []
        try:
            ask = self._asker_for([*new, *endings])
        except TooLarge:  # the board is too open
            return [], []
        found = [seen for facts in new if (seen := self._look(ask, facts))]
        near = [seen for seen in found if not seen.look.is_sound]
        return near, [seen for seen in found if seen.look.is_sound]

    def _asker_for(self, facts: Sequence[Facts]) -> BoundedSearch:
        """The block's, or one for some positions, the last of them one that play leads to."""
        return self._asker or self._asks(net_of_all(self._game.rules, facts), facts[-1])

    def _asks(self, net: Net, facts: Facts) -> BoundedSearch:
        order = self._order
        state = self._game.state(facts)
        puzzle = Puzzle.read(state, self._attacker, order.goal, order.most)
        return BoundedSearch(puzzle, net, _EFFORT)

    def _look(self, ask: BoundedSearch, facts: Facts) -> Candidate | None:
        """What is seen of a position, if it is one that the game can have and near to a puzzle."""
        self._budget.check()
        if not ask.knows(facts):
            return None
        try:
            root = ask.at(facts, self._budget)
            look = find_solutions(root, self._order, ask, _MOST_SOLUTIONS)
            if look is None or len(root.children()) < _LEAST_MOVES:
                return None
            if self._game.checked(facts).to_move == self._mover:
                return Candidate(facts, self._attacker, look)
        except (BadPosition, BadRequest):  # also one that leads to an end with two winners
            pass
        return None

    def _without_idle_pieces(self, puzzle: Candidate, endings: Sequence[Facts]) -> Candidate:
        """The puzzle without the pieces of the two sides that it doesn't need."""
        pieces = Pieces(self._game, puzzle.facts)
        try:
            ask = self._asker_for([puzzle.facts, *pieces.each_without_one(), *endings])
        except TooLarge:
            return puzzle
        best = puzzle

        def stays(fewer: Sequence[str]) -> bool:
            nonlocal best
            found = self._look(ask, pieces.only(fewer))
            if found is None or found.look != puzzle.look:
                return False
            best = found
            return True

        leave_out(pieces.owned, stays)
        return best

    def _is_small(self, facts: Facts) -> bool:
        most = self._order.most_pieces
        return most is None or sum(map(bool, map(self._game.vocabulary.piece, facts))) <= most


@lru_cache(maxsize=8)
def game_of(sent: SentGame) -> Game:
    """The game, made once in a process."""
    return sent.load()


@lru_cache(maxsize=8)
def _net_for_all(sent: SentGame) -> Net | None:
    """The net of all positions that the encoding lists; None if that is too large."""
    game = game_of(sent)
    try:
        fluents = tuple(sorted({*game.vocabulary.base, *game.vocabulary.initial}))
        return Net(game.rules, (), fluents, True, _MOST_RULES)
    except LimitReached:
        return None


@lru_cache(maxsize=8)
def _is_general(sent: SentGame, order: Order) -> bool:
    """Whether one net serves all families: where most of the board is in play to the end."""
    net = _net_for_all(sent)
    if net is None:
        return False
    game = game_of(sent)
    (states,) = endings(game, 1, 4 * order.most + _SPARE, 0, Budget())
    own = net_of_all(game.rules, [state.facts for state in states])
    return net.circuit.size <= _SIMILAR * own.circuit.size
