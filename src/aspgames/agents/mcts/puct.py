"""Tree search with the user's own evaluation, in many games at once (``native/puct.c``)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ...game.game import Game
from ...game.relative_view import RelativeView
from ...game.state import State
from ...play.batch import Batch
from ...play.batch_arguments import read_seed
from ...propnet.array_layout import Floats
from ...propnet.kernel import Owned, kernel
from ...propnet.lanes import Array, Flags, Ints, KernelArray, Lanes, LegalScope, Rows
from ...runtime.arguments import quote
from ...runtime.budget import MOST_RULES
from ...runtime.call_arguments import whole_number
from ...runtime.errors import BadRequest, LimitReached

Evaluate = Callable[[Floats, Flags], tuple[Any, Any]]
"""Returns priors and values for observations and legal moves, one state a row."""

_EDGES = np.dtype("f8, f4, i4, i4, i4")  # struct puct_edge
_EDGES.names = "sum", "prior", "visits", "move", "child"


@dataclass(frozen=True)
class TreeResult:
    """What a search has found, one state a row."""

    moves: Ints
    """The chosen moves, for ``Batch.step``: ``(n,)``; -1 where the game is over."""
    visits: Ints
    """How many simulations made each move: ``(n, moves)``."""
    values: Floats
    """The mean result for the role on move, from -1 to 1: ``(n,)``; 0 where the game is over."""
    _trees: "_Trees" = field(repr=False)

    @property
    def policy(self) -> Floats:
        """``visits`` as probabilities: ``(n, moves)``; all 0 where the game is over."""
        totals = np.maximum(self.visits.sum(axis=1, keepdims=True), 1)
        found: Floats = np.divide(self.visits, totals, dtype=np.float32)
        return found


def search(
    states: Batch | Iterable[State],
    evaluate: Evaluate,
    simulations: int = 100,
    *,
    exploration: float = 1.25,
    noise: float = 0.0,
    alpha: float | None = None,
    temperature: npt.ArrayLike = 0.0,
    reuse: TreeResult | None = None,
    seed: int | np.random.Generator = 0,
    threads: int = 1,
    relative: bool = False,
) -> TreeResult:
    """Search many states at once by PUCT, as AlphaZero does, with your own evaluation.

    Each round makes one simulation in each state, and evaluates all new leaves together.

    Args:
        states: A batch, which stays as it is, or states of one game. One role at a time chooses.
        evaluate: Gets ``game.observation`` of some states, ``(m, …)``, and their legal moves,
            ``(m, moves)``. It returns priors, ``(m, moves)``: a weight of each move, at least 0;
            those of illegal moves don't count. And it returns values from -1 to 1: those of the
            role on move, ``(m,)``, or of each role, ``(m, roles)``.
        simulations: How many for each state.
        exploration: The preference for moves with high priors and few visits.
        noise: The part of a root's priors that is replaced by noise from a Dirichlet distribution.
        alpha: Its parameter; by default 10 divided by the number of legal moves.
        temperature: A move is chosen with probability ``visits ** (1 / temperature)``; 0 chooses
            the most visited move. A number, or one for each state.
        reuse: The result of an earlier search in the same games. Its trees continue in each game
            whose state is at most four plies below the state searched then.
        seed: Of noise and choices; a generator of numpy continues.
        threads: For batches of at least 8,192 states.
        relative: ``evaluate`` gets and returns what the role on move sees, with moves numbered as
            in ``game.relative.moves``.

    Raises:
        BadRequest: An argument is invalid, or several roles choose at once.
        LimitReached: The trees need too much memory.

    >>> import aspgames
    >>> import numpy as np
    >>> batch = aspgames.Batch(aspgames.load("tictactoe"), 2)
    >>> def evaluate(observation, legal):
    ...     return legal, np.zeros(len(legal))
    >>> found = aspgames.mcts.search(batch, evaluate, simulations=50)
    >>> batch.step(found.moves)
    >>> found.visits.sum(axis=1).tolist()
    [50, 50]
    """
    batch = states if isinstance(states, Batch) else _batch_of(states)
    simulations = whole_number(simulations, "the number of simulations", 1)
    noise = _read_number("noise", noise, 1)
    alpha = alpha and _read_number("alpha", alpha)
    exploration = _read_number("exploration", exploration)
    heat = _read_temperature(temperature, len(batch))
    rng = seed if isinstance(seed, np.random.Generator) else np.random.default_rng(read_seed(seed))
    if not callable(evaluate):
        raise BadRequest(f"evaluate must be a function, not {quote(evaluate)}")
    try:
        trees = _Trees(batch, evaluate, threads, batch.game.relative if relative else None)
        if reuse is not None:
            trees.keep(_trees_of(reuse, batch.game))
        trees.add_roots()
        plain = trees.roots.priors
        if noise:
            trees.roots.priors = (1 - noise) * plain + noise * trees.roots.dirichlet(alpha, rng)
        for _ in range(simulations):
            trees.simulate(exploration)
        trees.roots.priors = plain
    except MemoryError:
        raise LimitReached(f"there is no memory for the trees of {len(batch):,} states") from None
    return trees.result(heat, rng)


class _Trees:
    """The trees of some games, and the kernel that plays in them."""

    def __init__(
        self, batch: Batch, evaluate: Evaluate, threads: int, relative: RelativeView | None
    ) -> None:
        self.game, self._evaluate, self._relative = batch.game, evaluate, relative
        self._tables = tables = self.game.nets.from_the_start(MOST_RULES).tables
        self._lanes = Lanes(tables, threads)
        self._starts: Rows = batch.holds_bits_of().view(np.uint64)
        sizes = len(batch), self._starts.shape[1], tables.roles
        self.owned = kernel().owned(kernel().puct_new(*sizes), "puct_free")
        self._handle = self.owned.pointer
        self._games, self._moves = np.empty((2, len(batch)), np.int32)
        self._before = np.empty_like(self._starts)

    def keep(self, trees: Owned) -> None:
        """Take over the parts of other trees that are below the states."""
        rows = kernel().array("uint64_t[]", self._starts)
        kernel().check(kernel().puct_keep(self._handle, trees.pointer, rows))

    def add_roots(self) -> None:
        """Evaluate the states that aren't known yet."""
        roots = np.array(kernel().numbers(self._handle.roots, len(self._games)))
        new = np.flatnonzero(roots < 0).astype(np.int32)
        self._grow(new, self._starts[new])
        self.roots = _RootMoves(self._handle)

    def simulate(self, exploration: float) -> None:
        """Make a simulation in each game."""
        arrays = KernelArray(self._games), KernelArray(self._moves), KernelArray(self._before)
        places = (block.address for block in arrays)
        count = kernel().puct_select(self._handle, exploration, *places)
        after = np.empty_like(self._before[:count])
        before, moves = KernelArray(self._before[:count]), KernelArray(self._moves[:count])
        self._lanes.step(before, moves, KernelArray(after), {})
        self._grow(self._games[:count], after)

    def _grow(self, games: Ints, rows: Rows) -> None:
        """Add the nodes of some states, at the places that the last selection has found."""
        count, tables = len(rows), self._tables
        legal, over = np.empty((count, tables.moves), np.bool_), np.empty(count, np.bool_)
        movers, goals = np.empty(count, np.int32), np.empty((count, tables.roles), np.int32)
        answers = {"terminal": over, "mover": movers, "goals": goals, "legal": legal}
        self._lanes.fill(rows, answers, LegalScope.OF_THE_MOVER)
        if over.any():
            self._add(games[over], rows[over], movers[over], goals[over] / 50 - 1)
            going = ~over
            games, rows, movers, legal = games[going], rows[going], movers[going], legal[going]
        if (movers < 0).any():
            raise BadRequest("several roles choose at once: a search is for games of turns")
        if len(games):
            if self._relative is None:
                seen = self.game.observation.of_rows(rows)
                priors, values = self._read(self._evaluate(seen, legal), movers, legal.shape)
            else:
                seen = self._relative.of_rows(rows, movers)
                shown = self._relative.take(legal, movers)
                priors, values = self._read(self._evaluate(seen, shown), movers, shown.shape)
                priors = self._relative.put(priors, movers)
            self._add(games, rows, movers, values, legal, priors)

    def _add(
        self, games: Ints, rows: Rows, movers: Ints, values: Array, *moves: Flags | Floats
    ) -> None:
        """``moves`` are the legal ones and their priors; without them the games are over."""
        arrays = games, rows, movers, *(moves or (None, None)), values.astype(np.float32)
        blocks = [None if array is None else KernelArray(array) for array in arrays]
        places = [block.address if block else kernel().ffi.NULL for block in blocks]
        leaves = kernel().ffi.new("struct puct_leaves *", places)
        done = kernel().puct_grow(self._handle, len(games), self._tables.moves, leaves)
        if kernel().check(done) < len(games):
            raise BadRequest(
                f"evaluate gave state {done} a prior below 0, or a prior or value that is no number"
            )

    def _read(self, found: Any, movers: Ints, shape: tuple[int, ...]) -> tuple[Floats, Floats]:
        """Priors, and the values of each role. Raises ``BadRequest``."""
        count, roles = len(movers), self._tables.roles
        try:
            priors, values = (np.ascontiguousarray(part, np.float32) for part in found)
        except (TypeError, ValueError):
            raise BadRequest(f"evaluate returns priors and values, not {quote(found)}") from None
        if priors.shape != shape:
            raise BadRequest(f"evaluate gave priors of the shape {priors.shape}, not {shape}")
        if values.shape == (count, roles):
            return priors, values
        if roles > 2 or values.shape not in ((count,), (count, 1)):
            fitting = f"({count}, {roles})" if roles > 2 else f"({count},) or ({count}, {roles})"
            raise BadRequest(f"evaluate gave values of the shape {values.shape}, not {fitting}")
        own = np.arange(roles) == movers[:, None]
        return priors, np.where(own, 1, -1) * values.reshape(count, 1)

    def result(self, temperature: Array, rng: np.random.Generator) -> TreeResult:
        roots, edges = self.roots, self.roots.edges()
        visits = np.zeros((len(self._games), self._tables.moves), np.int32)
        visits[roots.games, edges["move"]] = edges["visits"]
        totals = np.maximum(visits.sum(axis=1), 1)
        sums = np.bincount(roots.games, edges["sum"], len(visits))
        with np.errstate(divide="ignore"):
            chances = np.log(edges["visits"])
        heat = temperature[roots.games]
        drawn = chances / np.where(heat, heat, 1) + rng.gumbel(size=len(heat))
        order = np.lexsort((-edges["move"], np.where(heat, drawn, chances), roots.games))
        moves = np.full(len(visits), -1, np.int32)
        moves[roots.games[order]] = edges["move"][order]  # the last one stays
        return TreeResult(moves, visits, (sums / totals).astype(np.float32), self)


class _RootMoves:
    """The legal moves of all roots, one after the other."""

    def __init__(self, trees: Any) -> None:
        self._trees = trees
        cast = kernel().ffi.cast
        at = [trees.nodes + trees.roots[game] * trees.stride for game in range(trees.games)]
        nodes = [cast("struct puct_node *", place) for place in at]
        self._degrees = [node.degree for node in nodes]
        self.games = np.repeat(np.arange(trees.games), self._degrees)  # the game of each move
        ranges = [np.arange(node.first, node.first + node.degree) for node in nodes]
        self._places = np.concatenate(ranges)

    def edges(self) -> Array:
        found: Array = self._edges[self._places]
        return found

    @property
    def priors(self) -> Array:
        return self.edges()["prior"]

    @priors.setter
    def priors(self, priors: Array) -> None:
        self._edges["prior"][self._places] = priors

    def dirichlet(self, alpha: float | None, rng: np.random.Generator) -> Array:
        """Noise that sums to 1 in each game."""
        shape = alpha or 10 / np.repeat(self._degrees, self._degrees)
        drawn: Array = rng.standard_gamma(shape, len(self.games)) + 1e-30
        drawn /= np.bincount(self.games, drawn)[self.games]
        return drawn

    @property
    def _edges(self) -> Array:
        bytes_ = _EDGES.itemsize * self._trees.edge_count
        return np.frombuffer(kernel().ffi.buffer(self._trees.edges, bytes_), _EDGES)


def _batch_of(states: Iterable[State]) -> Batch:
    try:
        found = list(states)
    except TypeError:
        found = []
    if not found or not isinstance(found[0], State):
        raise BadRequest(f"a search is of a Batch, or of one State or more; not of {quote(states)}")
    return Batch(found[0].game, start=found)


def _trees_of(reuse: TreeResult, game: Game) -> Owned:
    if not isinstance(reuse, TreeResult):
        raise BadRequest(f"reuse is the result of a search, not {quote(reuse)}")
    if reuse._trees.game != game:
        raise BadRequest(f"reuse is a search of {reuse._trees.game!r}, not of {game!r}")
    return reuse._trees.owned


def _read_number(name: str, value: float, most: float = np.inf) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        bounds = "at least 0" if most == np.inf else f"from 0 to {most:g}"
        raise BadRequest(f"{name} must be a number, {bounds}, not {quote(value)}")
    return float(value)


def _read_temperature(given: npt.ArrayLike, count: int) -> Array:
    try:
        found = np.broadcast_to(np.asarray(given, np.float64), count)
    except (TypeError, ValueError):
        found = np.full(1, -1.0)
    if not (found >= 0).all():
        raise BadRequest(
            f"temperature must be a number, at least 0, or {count} of them, not {quote(given)}"
        )
    return found
