"""A player's moves: from the solver where it decides, else from batches of random games."""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence

from ..budget import MOST_RULES, MOST_RULES_IN_PLAY, Budget
from ..errors import AspgamesError, LimitReached
from ..game import State
from ..match.solver import longest, quickest
from ..match.study import FOREVER, Prospect, prospects
from ..playout import Playouts, playouts
from ..puzzle.problem import Puzzle, others
from ..puzzle.solved import Solved

_RATE = 50_000  # ground rules of which a net is made in a second, with much to spare
_MOST_GAMES = 4096  # in one batch
_BATCHES = 200  # that are to fit into the time of a move


class Chooser:
    """Chooses the moves of one role of a game.

    A forced win is played the quickest way, a loss is put off, and no move is played that is seen
    to lose by force. Among the others, and where several roles choose at once or there are three
    and more, random games from each own move on decide: batches go to the moves by upper
    confidence bounds (UCB1; Auer, Cesa-Bianchi and Fischer 2002), the others move at random.
    """

    def __init__(self, start: State, role: str, seed: int = 0, memory: float | None = None) -> None:
        """``memory``: the most bytes for the solver's table."""
        self._start, self._role = start, role
        self._random = random.Random(seed)
        self._memory = memory
        self._attack: Solved | None = None
        self._defence: Solved | None = None

    def prepare(self, seconds: float) -> None:
        """Make the nets that can be made in so many seconds; without them all is slower."""
        budget, game = Budget(seconds), self._start.game
        try:
            most_rules = min(MOST_RULES, int(_RATE * seconds))
            game.nets.tables_from(self._start.facts, most_rules, budget)
            self._attack = self._search(max(0.1, seconds - budget.seconds))
            if self._attack and (rivals := others(game.roles, self._role)):
                self._defence = self._attack.for_attacker(rivals[0])
        except (AspgamesError, MemoryError):
            pass

    def _search(self, seconds: float) -> Solved | None:
        from ..search.search import Search  # loaded only where it is needed

        try:
            puzzle = Puzzle.of(self._start, self._role, "win")
        except AspgamesError:  # not one role, nor two that take turns
            return None
        return Search(puzzle, Budget(seconds), memory=self._memory, most_rules=MOST_RULES_IN_PLAY)

    def choose(self, state: State, seconds: float) -> Iterator[str]:
        """Better and better moves of a state in which the game goes on, as terms.

        The last one is the best that was found within the time.
        """
        end = time.monotonic() + seconds
        moves: Sequence[str] = [move.term for move in state.legal[self._role]]
        yield self._random.choice(moves)
        if len(moves) == 1:
            return
        settled = False
        if self._attack is not None:
            try:
                moves, settled = self._solve(state, moves, seconds / 4)
            except (AspgamesError, MemoryError):
                self._attack = None
            yield self._random.choice(moves)
        if not settled and len(moves) > 1 and (left := end - time.monotonic()) > 0:
            yield from self._try_out(state, moves, left)

    # --- the solver -------------------------------------------------------------------------------

    def _solve(
        self, state: State, moves: Sequence[str], seconds: float
    ) -> tuple[Sequence[str], bool]:
        """The moves that remain, and whether it is settled that they are the best."""
        assert self._attack is not None
        attack = self._attack.at(state, None, Budget(seconds))
        attack.run()
        found = prospects(attack)
        if any(each.most < FOREVER for each in found):
            least = min(map(quickest, found))
            return [each.move for each in found if quickest(each) == least], True
        if self._defence is None:
            return moves, False
        defence = self._defence.at(state, None, Budget(seconds))
        defence.look_at_moves()
        found = prospects(defence)
        if all(each.most < FOREVER for each in found):
            defence.run()  # which of them lose latest isn't known yet
            found = prospects(defence)
            latest = min(map(longest, found))
            return [each.move for each in found if longest(each) == latest], True
        return [each.move for each in found if not _loses(each)], False

    # --- random games -----------------------------------------------------------------------------

    def _try_out(self, state: State, moves: Sequence[str], seconds: float) -> Iterator[str]:
        records = {move: _Record() for move in moves}
        number, best = 1, ""
        alone = len(state.game.roles) == 1
        place = state.game.roles.index(self._role)
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            games = sum(record.games for record in records.values())
            move = max(moves, key=lambda each: records[each].bound(games))
            try:
                found = self._play_out(self._after(state, move), number, Budget(left))
            except LimitReached:
                return
            records[move].add(found, place)
            if left - (end - time.monotonic()) < seconds / _BATCHES:
                number = min(2 * number, _MOST_GAMES)
            better = max(moves, key=lambda each: records[each].rank(alone))
            if better != best:
                yield (best := better)

    def _after(self, state: State, move: str) -> State:
        """The state after a move, the others' being chosen at random."""
        joint = {role: self._random.choice(legal).term for role, legal in state.legal.items()}
        return state.play(joint | {self._role: move})

    def _play_out(self, state: State, games: int, budget: Budget) -> Playouts:
        """Random games from a state: on the game's net if there is one, else by the grounder."""
        seed = self._random.getrandbits(64)
        known = state.game.nets.find(state.facts)
        if known is None:
            return playouts(state, games, seed, reasoner="grounder", budget=budget)
        from ..engine.random_play import play_games

        found = Playouts(state.game.roles)

        def ended(goals: tuple[int, ...], length: int, number: int) -> None:
            found.results[goals] += number
            found.lengths[length] += number

        net, row = known
        play_games(net.tables, row, len(found.roles), games, seed, budget, ended)
        return found


def _loses(prospect: Prospect) -> bool:
    return prospect.most < FOREVER


class _Record:
    """What random games after a move came to."""

    def __init__(self) -> None:
        self.games = 0
        self._values: Counter[int] = Counter()

    def add(self, found: Playouts, place: int) -> None:
        """Take note of games, by the goals of the role of that place."""
        self.games += found.games
        for goals, games in found.results.items():
            self._values[goals[place]] += games

    @property
    def mean(self) -> float:
        """The mean of the goals, from 0 to 1; 0 without games."""
        total = sum(value * games for value, games in self._values.items())
        return total / self.games / 100 if self.games else 0.0

    def bound(self, games: int) -> float:
        """The upper confidence bound, after so many games with all moves together."""
        if not self.games:
            return math.inf
        return self.mean + math.sqrt(2 * math.log(games) / self.games)

    def rank(self, alone: bool) -> tuple[float, float]:
        """The higher, the better; who plays alone can do again what has succeeded once."""
        return (max(self._values, default=0) if alone else 0.0), self.mean
