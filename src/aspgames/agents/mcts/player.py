"""A player of any game that needs only the rules; it improves its move as time passes."""

import random
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property

from ...game.game import Game, check_game
from ...game.move import Move
from ...game.state import State, check_state
from ...game.view import View
from ...propnet.single_state import Single
from ...runtime.budget import MOST_RULES, Budget
from ...runtime.call_arguments import whole_number
from ...runtime.errors import AspgamesError, BadRequest, IllegalMove, Interrupted, LimitReached
from ..alphabeta.alphabeta_search import AlphaBeta
from ..alphabeta.kept_values import kept_value
from ..alphabeta.learned_value import LearnedValue, ValueArrays
from ..alphabeta.root_search import RootMove, RootSearch, plies_to_end, share_of, value_tables
from .flat_search import try_out
from .forced_moves import ForcedMoves, ForcedSearch
from .information_sets import InformationSetSearch
from .solver_beside import SolverBeside, seconds_of
from .thoughts import Line, Thought
from .tree_search import PlayerOptions, TreeSearch

_RULES_A_SECOND = 50_000  # ground rules per second when making a net, a careful estimate
_MOST_PLIES = 40  # the longest line


class Player:
    """Chooses moves in one game, for any of its roles.

    It plays the quickest forced win that it finds, and avoids moves that provably lose. If all
    moves lose, it plays the one that loses latest. Otherwise alpha-beta search with a learned value
    decides, or, without one, a tree of random games. With one thread, the same seed, number of
    games and earlier states give the same moves.
    """

    def __init__(self, game: Game, settings: PlayerOptions | None = None) -> None:
        self._game, self._settings = check_game(game), settings or PlayerOptions()
        self.forget()

    def forget(self) -> None:
        """Forget all states, and restart the random numbers."""
        settings = self._settings
        self._random = random.Random(settings.seed)
        self._nets: list[Single] = []
        self._search: tuple[Single, TreeSearch] | None = None
        self._alphabeta: tuple[Single, AlphaBeta] | None = None
        self._asked = 0  # the number of states that were thought about
        self._views: InformationSetSearch | None = None
        if self._game.chance or self._game.hidden:
            self._views = InformationSetSearch(self._game, settings)
        self._forced = ForcedSearch(settings.memory, settings.threads) if settings.solver else None

    def prepare(self, state: State, budget: Budget) -> None:
        """Make nets within the budget, so that thinking starts faster."""
        try:
            if self._views:
                self._views.prepare(state.view(self._game.players[0]))
                return
            self._net_of(state, budget)
            if self._forced:
                self._forced.begin(state, seconds_of(budget), budget)
        except (AspgamesError, MemoryError, Interrupted):
            pass  # ``think`` works without them or reports the error

    def think(
        self,
        state: State | View,
        role: str,
        budget: Budget,
        games: int | None = None,
        among: Collection[str] = (),
        lines: int = 1,
    ) -> Iterator[Thought]:
        """Yield better and better moves of a role in a non-terminal state.

        The first thought is random and comes at once. Thinking ends with the budget, after
        ``games`` games, or when more time would change nothing, as when another role has no move
        and play can't go on. ``among`` are the moves to choose
        from, as terms; by default all moves. ``lines`` is how many moves get exact scores.

        In a game with hidden information, give what the role knows, a ``View``. The role is taken
        to know a ``State``, but not what comes after it.
        """
        if self._views:
            view = state if isinstance(state, View) else state.view(role)
            yield from self._views.think(view, budget, games, among)
            return
        assert isinstance(state, State)
        moves = [move.term for move in state.legal[role] if not among or move.term in among]
        certain = len(moves) == 1 or not all(state.legal.values())
        yield Thought(self._random.choice(moves), certain=certain)
        if certain:
            return
        most = float("inf") if games is None else games
        net: Single | None = None
        try:
            try:
                net = self._net_of(state, budget)
                asked = state, role, moves, budget, most
                if value_tables(net.tables) and self._value:
                    yield from self._search_by_value(net, self._value, *asked, lines)
                else:
                    yield from self._search_on(net, *asked)
                return
            except (AspgamesError, MemoryError):  # no net, or no tree for it
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
        """The best move of the side on move, after ``seconds`` or ``games``.

        Raises ``BadRequest`` without a limit, and ``IllegalMove`` if there is no legal move.
        """
        role = check_state(state).to_move
        if role is None or not state.legal_moves:
            raise IllegalMove(f"there is no move to choose: {state.status}")
        if seconds is None and games is None:
            raise BadRequest("give the seconds to think, or the number of games")
        if games is not None:
            whole_number(games, "the number of games", 1)
        *_, thought = self.think(state, role, Budget(seconds), games)
        return state.legal_move(role, thought.move)

    # --- nets -------------------------------------------------------------------------------------

    def _net_of(self, state: State, budget: Budget) -> Single:
        """A net for a state and all later ones. Raises ``RulesError`` and ``LimitReached``."""
        for net in self._nets:
            if net.tables.row(state.facts) is not None:
                return net
        if not self._game.has_nets:
            raise LimitReached("the game is to be played without nets")
        found = self._game.nets.find(state.facts)
        if found is None:
            seconds = seconds_of(budget)
            most = (
                MOST_RULES if seconds is None else min(MOST_RULES, int(_RULES_A_SECOND * seconds))
            )
            tables = self._game.nets.tables_from(state.facts, max(1, most), budget)
            found = self._game.nets.find(state.facts) or (Single(tables), b"")
        self._nets = [*self._nets[-3:], found[0]]
        return found[0]

    # --- thinking with a learned value ------------------------------------------------------------

    @cached_property
    def _value(self) -> LearnedValue | None:
        """The learned value, if there is one and it may be used."""
        return kept_value(self._game) if self._settings.value else None

    def _search_by_value(
        self,
        net: Single,
        value: LearnedValue,
        state: State,
        role: str,
        among: Sequence[str],
        budget: Budget,
        most: float,
        lines: int,
    ) -> Iterator[Thought]:
        """Alpha-beta search. Raises ``BadRequest`` if several roles choose, or a budget's error."""
        tables = net.tables
        row = tables.row(state.facts)
        assert row is not None
        if self._alphabeta is None or self._alphabeta[0] is not net:
            made = AlphaBeta(tables, ValueArrays.of(value, tables), self._settings.memory)
            self._alphabeta = net, made
        self._asked += 1
        numbers = {term: tables.move_numbers[role, term] for term in among}
        place = self._game.roles.index(role)
        search = RootSearch(self._alphabeta[1], net, row, place, numbers, self._asked)
        root = State.made(self._game, None, self._game.moves_of(net), row)
        solver = SolverBeside(self._forced, root, among, budget, counted=most < float("inf"))
        for _ in search.deepen(budget, lines, most):
            yield self._value_thought(search, root, role)
            if search.is_decided:
                return
            if solver.is_due(0.25 + search.share / 2) and (found := solver.ask(search.share)):
                if found.best:
                    yield self._decided(root, found, search.states)
                    return
                if found.losing:
                    search.lose(found.losing)
                    yield self._value_thought(search, root, role)

    def _value_thought(self, search: RootSearch, root: State, role: str) -> Thought:
        moves, depth = list(search.moves), max(1, search.depth)

        return Thought(
            moves[0].term,
            search.states,
            search.is_decided,
            depth=depth,
            deepest=max(depth, search.deepest),
            lines=lambda number: [self._value_line(root, role, move) for move in moves[:number]],
        )

    def _value_line(self, root: State, role: str, move: RootMove) -> Line:
        """The line of the table that begins with a move."""
        assert self._alphabeta is not None
        net, search = self._alphabeta
        terms, row = [move.term], move.row
        while len(terms) < _MOST_PLIES and (known := search.known(row)):
            mover = next(
                r for r, bound in enumerate(net.tables.names.bounds[1::2]) if known < bound
            )
            after = net.play_one(row, mover, known)
            if after is None:
                break
            terms.append(net.tables.names.terms[known])
            row = after
        plies = tuple(played(root, terms))
        end = plies_to_end(move.score)
        turns = None if end is None else _turns(plies, role, end, move.score > 0)
        return Line(plies, share_of(move.score), turns)

    # --- thinking by random games -----------------------------------------------------------------

    def _search_on(
        self,
        net: Single,
        state: State,
        role: str,
        among: Sequence[str],
        budget: Budget,
        most: float,
    ) -> Iterator[Thought]:
        """Search by a tree. Raises ``BadRequest`` if several roles choose, or a budget's error."""
        row = net.tables.row(state.facts)
        assert row is not None
        if self._search is None or self._search[0] is not net:
            self._search = net, TreeSearch(net.tables, self._settings)
        search = self._search[1]
        search.go_to(row)
        root = State.made(self._game, None, self._game.moves_of(net), row)
        if len(search.tree.children(0)) != len(root.legal[role]):
            raise BadRequest("it isn't this role that chooses")
        if len(among) < len(root.legal[role]):
            without = {move.term: 1 for move in root.legal[role] if move.term not in among}
            self._exclude(search, root, role, ForcedMoves(losing=without))
            self._search = None  # other searches need the excluded moves
        solver = SolverBeside(self._forced, root, among, budget, counted=most < float("inf"))
        games = 0
        while True:
            certain = search.decided()
            if certain or search.tree.games[0]:  # before the solver, which may be slow
                yield self._thought(search, root, role, games, certain)
            if certain or games >= most:
                return
            mean = float(search.means(range(1), self._game.roles.index(role))[0])
            if games and solver.is_due(mean) and (found := solver.ask(mean)):
                if found.best:
                    yield self._decided(root, found, games)
                    return
                self._exclude(search, root, role, found)
            games += search.round(most - games, budget)

    def _exclude(self, search: TreeSearch, root: State, role: str, found: ForcedMoves) -> None:
        """Settle the moves that the solver has proven to lose."""
        places = {move.term: place for place, move in enumerate(root.legal[role])}
        for move, turns in found.losing.items():
            search.lose(places[move], self._game.roles.index(role), 2 * turns)

    def _decided(self, root: State, found: ForcedMoves, games: int) -> Thought:
        move = self._random.choice(found.best)
        assert found.turns is not None
        terms = found.line if found.line and found.line[0] in found.best else (move,)
        won, turns = float(found.turns > 0), found.turns
        plies = terms[:_MOST_PLIES]
        return Thought(
            terms[0], games, True, lines=lambda _: [Line(tuple(played(root, plies)), won, turns)]
        )

    def _thought(
        self, search: TreeSearch, root: State, role: str, games: int, certain: bool
    ) -> Thought:
        best = search.best_first(0)
        first = search.tree.children(0).start
        moves = root.legal[role]
        place = self._game.roles.index(role)
        return Thought(
            moves[best[0] - first].term,
            games,
            certain,
            search.tree.fullness,
            lines=lambda number: [self._line(search, root, place, node) for node in best[:number]],
        )

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


def _turns(plies: Sequence[tuple[State, Move]], role: str, length: int, wins: bool) -> int:
    """The number of the winner's turns in ``length`` plies; ``plies`` are the known first ones."""
    movers = [state.to_move for state, _ in plies[:length]]
    own = sum(
        (mover == role) == wins and (not number or movers[number - 1] != mover)
        for number, mover in enumerate(movers)
    )
    rest = length - len(movers)
    turns = max(1, own + (rest + 1) // 2)
    return turns if wins else -turns


def played(state: State, terms: Sequence[str]) -> Iterator[tuple[State, Move]]:
    """The moves of a line as terms, each with the state before it."""
    for term in terms:
        mover = state.to_move
        if mover is None:
            return
        move = state.legal_move(mover, term)
        yield state, move
        state = state.play(move)


def _only(state: State, role: str, move: str, mean: float) -> Callable[[int], Sequence[Line]]:
    return lambda _number: [Line(((state, state.legal_move(role, move)),), mean)]
