"""A player of any game, by its rules alone: it thinks, and says better and better moves."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

from ...game.game import Game, State, state_on_net
from ...game.move import Move
from ...propnet.single_state import Single
from ...runtime.budget import MOST_RULES, Stoppable
from ...runtime.errors import AspgamesError, BadRequest, IllegalMove, Interrupted, LimitReached
from .flat_search import try_out
from .forced_moves import ForcedMoves, ForcedSearch
from .tree_search import Settings, TreeSearch

_RATE = 50_000  # ground rules of which a net is made in a second, with much to spare
_SHARE = 0.04  # of the time, for the solver, where the game is open ...
_MORE = 0.3  # ... and so much more where it is as good as won or lost
_LOOK = 0.01  # seconds for one look of the solver's, at least
_TIMES = 2  # as long as the longest look, the time must be that is left for another one
_STATES = 5  # of random games that take as long as a position of the solver's
_POSITIONS = 5000  # for one look then, at least
_MOST_PLIES = 40  # of a line that is told


@dataclass(frozen=True)
class Line:
    """A way on from a state."""

    plies: tuple[tuple[State, Move], ...]
    """Each move with the state in which it is made."""
    mean: float
    """What it is worth to who thinks, from 0 to 1."""
    turns: int | None = None
    """The own turns in which the goal is certain, or below zero those of the other side."""


@dataclass(frozen=True)
class Thought:
    """What a player thinks at some moment; ``lines`` is good until the next moment."""

    move: str
    """The best move, as a term."""
    games: int = 0
    """The games played about this state, so far."""
    certain: bool = False
    """Whether more time would change nothing."""
    fullness: float = 0.0
    """The part of the memory in use."""
    lines: Callable[[int], Sequence[Line]] = field(default=lambda _number: ())
    """The best so many ways on."""


class Player:
    """Chooses moves in one game, for any of its roles.

    A forced win is played the quickest way that is found, a loss is put off, no move is played
    that is seen to lose by force. Among the others, a tree of random games decides. The same seed,
    number of games and earlier states give the same moves, with one thread.
    """

    def __init__(self, game: Game, settings: Settings | None = None) -> None:
        self._game, self._settings = game, settings or Settings()
        self.forget()

    def forget(self) -> None:
        """Forget all states that were thought about, and begin anew with random numbers."""
        settings = self._settings
        self._random = random.Random(settings.seed)
        self._nets: list[Single] = []
        self._search: tuple[Single, TreeSearch] | None = None
        self._forced = ForcedSearch(settings.memory, settings.threads) if settings.solver else None

    def prepare(self, state: State, budget: Stoppable) -> None:
        """Make the nets that can be made within the budget; without them all is slower."""
        try:
            self._net_of(state, budget)
            if self._forced:
                self._forced.begin(state, _seconds(budget), budget)
        except (AspgamesError, MemoryError, Interrupted):
            pass  # whoever needs them will see

    def think(
        self,
        state: State,
        role: str,
        budget: Stoppable,
        games: int | None = None,
        among: Collection[str] = (),
    ) -> Iterator[Thought]:
        """Better and better moves of a role in a state in which the game goes on.

        It ends when the budget does, after so many games, or when more time would change nothing.
        The first thought is a random one, and comes at once. ``among`` are the moves to choose
        from, as terms; all unless given.
        """
        moves = [move.term for move in state.legal[role] if not among or move.term in among]
        yield Thought(self._random.choice(moves), certain=len(moves) == 1)
        if len(moves) == 1:
            return
        most = float("inf") if games is None else games
        net: Single | None = None
        try:
            try:
                net = self._net_of(state, budget)
                yield from self._search_on(net, state, role, moves, budget, most)
                return
            except (AspgamesError, MemoryError):  # no net, or none for a tree
                budget.check()
            tables = net.tables if net else None
            threads = self._settings.threads
            tried = try_out(state, role, moves, tables, self._random, budget, threads)
            for move, mean, number in tried:
                yield Thought(move, number, lines=_only(state, role, move, mean))
                if number >= most:
                    return
        except (LimitReached, Interrupted):
            return

    def choose(self, state: State, seconds: float | None = None, games: int | None = None) -> Move:
        """The move of the side on move that is the best after so many seconds, or games.

        Raises ``BadRequest`` where there is neither, and ``IllegalMove`` where there is no move.
        """
        role = state.to_move
        if role is None or not state.legal_moves:
            raise IllegalMove(f"there is no move to choose: {state.status}")
        if seconds is None and games is None:
            raise BadRequest("give the seconds to think, or the number of games")
        *_, thought = self.think(state, role, Stoppable(seconds), games)
        return state.legal_move(role, thought.move)

    # --- nets -------------------------------------------------------------------------------------

    def _net_of(self, state: State, budget: Stoppable) -> Single:
        """A net of a state and all that follows. Raises ``RulesError`` and ``LimitReached``."""
        for net in self._nets:
            if net.tables.row(state.facts) is not None:
                return net
        if not self._game.has_nets:
            raise LimitReached("the game is to be played without nets")
        found = self._game.nets.find(state.facts)
        if found is None:
            seconds = _seconds(budget)
            most = MOST_RULES if seconds is None else min(MOST_RULES, int(_RATE * seconds))
            tables = self._game.nets.tables_from(state.facts, max(1, most), budget)
            found = self._game.nets.find(state.facts) or (Single(tables), b"")
        self._nets = [*self._nets[-3:], found[0]]
        return found[0]

    def _tree(self, net: Single) -> TreeSearch:
        if self._search is None or self._search[0] is not net:
            search = TreeSearch(net.tables, self._settings)
            self._search = net, search
        return self._search[1]

    # --- thinking ---------------------------------------------------------------------------------

    def _search_on(
        self,
        net: Single,
        state: State,
        role: str,
        among: Sequence[str],
        budget: Stoppable,
        most: float,
    ) -> Iterator[Thought]:
        """Raises ``BadRequest`` where several roles choose, and what the budget raises."""
        row = net.tables.row(state.facts)
        assert row is not None
        search = self._tree(net)
        search.go_to(row)
        root = state_on_net(self._game, self._game.moves_of(net), row)
        if len(search.tree.children(0)) != len(root.legal[role]):
            raise BadRequest("it isn't this role that chooses")
        if len(among) < len(root.legal[role]):
            without = {move.term: 1 for move in root.legal[role] if move.term not in among}
            self._exclude(search, root, role, ForcedMoves(losing=without))
            self._search = None  # what is thought now isn't true elsewhere
        pace = _Pace(budget, counted=most < float("inf"))
        forced, games = self._forced, 0
        while True:
            certain = search.decided()
            if certain or search.tree.games[0]:  # before the solver, which may take its time
                yield self._thought(search, root, role, games, certain)
            if certain or games >= most:
                return
            mean = float(search.means(range(1), self._game.roles.index(role))[0])
            if forced is not None and games and pace.is_due(mean):
                try:
                    forced.begin(root, _seconds(budget), budget)
                    found = forced.look(root, pace.portion(mean), pace.portion(1 - mean))
                except (AspgamesError, MemoryError):
                    forced, found = None, ForcedMoves()
                pace.looked()
                if set(found.best).intersection(among):
                    yield self._decided(search, root, found, among, games)
                    return
                budget.check()
                self._exclude(search, root, role, found)
                if found.exhausted:
                    forced = None
            games += search.round(most - games, budget)

    def _exclude(self, search: TreeSearch, root: State, role: str, found: ForcedMoves) -> None:
        """Settle the moves that the solver has seen to lose."""
        places = {move.term: place for place, move in enumerate(root.legal[role])}
        for move, turns in found.losing.items():
            search.lose(places[move], self._game.roles.index(role), 2 * turns)

    def _decided(
        self,
        search: TreeSearch,
        root: State,
        found: ForcedMoves,
        among: Sequence[str],
        games: int,
    ) -> Thought:
        """What the solver has decided."""
        move = self._random.choice([move for move in found.best if move in among])
        assert found.turns is not None
        terms = found.line if found.line and found.line[0] in among else (move,)
        won, turns = float(found.turns > 0), found.turns

        def lines(_number: int) -> Sequence[Line]:
            return [Line(tuple(_played(root, terms)), won, turns)]

        return Thought(terms[0], games, True, search.tree.fullness, lines)

    def _thought(
        self, search: TreeSearch, root: State, role: str, games: int, certain: bool
    ) -> Thought:
        best = search.best_first(0)
        first = search.tree.children(0).start
        moves = root.legal[role]
        place = self._game.roles.index(role)

        def lines(number: int) -> Sequence[Line]:
            return [self._line(search, root, place, node) for node in best[:number]]

        return Thought(moves[best[0] - first].term, games, certain, search.tree.fullness, lines)

    def _line(self, search: TreeSearch, root: State, place: int, node: int) -> Line:
        """The line that begins with one of the root's children."""
        tree, state, before, plies = search.tree, root, 0, []
        for child in [node, *search.line(node)][:_MOST_PLIES]:
            mover = int(tree.movers[before])
            number = child - tree.children(before).start
            roles = self._game.roles
            chooses = roles[mover] if mover < len(roles) else state.to_move or roles[0]
            move = state.legal[chooses][number]
            plies.append((state, move))
            state, before = state.play({chooses: move}), child
        mean = float(search.means(range(node, node + 1), place)[0])
        turns = None
        if tree.settled[node] and mean in (0.0, 1.0):
            turns = _turns(plies, self._game.roles[place], int(tree.plies[node]) + 1, mean == 1.0)
        return Line(tuple(plies), mean, turns)


class _Pace:
    """How often the solver is asked beside the random games, and for how long.

    A forced win is likely where random games are mostly won, so it is asked for longer then. By the
    clock; or where games are counted, by what they and the solver look at, so that the same is
    found each time.
    """

    def __init__(self, budget: Stoppable, counted: bool) -> None:
        self._budget, self._counted = budget, counted
        self._start, self._spent, self._due = self._used, 0.0, 0.0
        self._longest = 0.0

    @property
    def _used(self) -> float:
        """The seconds so far, or the states that were met."""
        return self._budget.positions if self._counted else self._budget.seconds

    def is_due(self, mean: float) -> bool:
        """Whether the solver is to be asked now, with this mean goal of the side on move."""
        share = _SHARE + _MORE * (2 * mean - 1) ** 2
        passed = self._used - self._start
        self._began = self._used
        if self._counted:
            self._look = max(_POSITIONS, passed * share / _STATES)
            return passed >= self._due
        self._look = max(_LOOK, passed * share)
        if _TIMES * self._longest > self._budget.seconds_left:
            return False  # it may take longer than it is to
        return self._spent + self._look / 2 <= share * passed

    def portion(self, part: float) -> Stoppable:
        """A budget for a part of a look."""
        look = self._look * min(max(part, 0.1), 0.9)
        if self._counted:
            return Stoppable(None, round(look), self._budget)
        return Stoppable(look, None, self._budget)

    def looked(self) -> None:
        """Take note that the solver was asked."""
        if self._counted:
            self._due = 2 * (self._used - self._start) + 1
        else:
            self._longest = max(self._longest, self._used - self._began)
            self._spent += self._used - self._began


def _turns(plies: Sequence[tuple[State, Move]], role: str, length: int, wins: bool) -> int:
    """The turns that the winner begins in so many plies, of which a line has the first ones."""
    movers = [state.to_move for state, _ in plies[:length]]
    own = sum(
        (mover == role) == wins and (not number or movers[number - 1] != mover)
        for number, mover in enumerate(movers)
    )
    rest = length - len(movers)
    turns = max(1, own + (rest + 1) // 2)
    return turns if wins else -turns


def _played(state: State, terms: Sequence[str]) -> Iterator[tuple[State, Move]]:
    for term in terms[:_MOST_PLIES]:
        mover = state.to_move
        if mover is None:
            return
        move = state.legal_move(mover, term)
        yield state, move
        state = state.play(move)


def _only(state: State, role: str, move: str, mean: float) -> Callable[[int], Sequence[Line]]:
    return lambda _number: [Line(((state, state.legal_move(role, move)),), mean)]


def _seconds(budget: Stoppable) -> float | None:
    """The time that is left; None for any."""
    left = budget.seconds_left
    return None if left == float("inf") else max(left, 1e-3)
