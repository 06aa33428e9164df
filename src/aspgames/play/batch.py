"""Many states of a game as numpy arrays: the base of vector environments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from warnings import warn

import numpy as np
import numpy.typing as npt

from ..game.game import Game, check_game
from ..game.move import Move
from ..game.state import State
from ..propnet.array_layout import read_out
from ..propnet.batch_states import States, keys
from ..propnet.lanes import Array, Flags, Ints, Lanes, LegalScope, Rows
from ..propnet.threads import number_of
from ..runtime.budget import MOST_RULES
from ..runtime.call_arguments import whole_number
from ..runtime.errors import (
    AspgamesError,
    BadMove,
    BadPosition,
    BadRequest,
    IllegalMove,
    LimitReached,
)
from .batch_arguments import (
    Given,
    Where,
    check_state_of,
    read_count,
    read_flag,
    read_joint,
    read_moves,
    read_positions,
    read_seed,
    read_where,
    within_32_bits,
)
from .playout import rolls_of

_BATCH_STREAM = 1  # the stream of random numbers for seeds; stream 0 is for states


class Batch:
    """Many states of one game, queried and played together by numpy arrays.

    >>> import aspgames
    >>> game = aspgames.load("breakthrough", width=4, height=5)
    >>> batch = aspgames.Batch(game, 1000, seed=1)
    >>> batch.legal.shape == (1000, len(game.moves))
    True
    >>> while not batch.is_terminal.all():
    ...     batch.step(batch.sample())
    >>> int(batch.goals.sum())  # each winner has 100
    100000

    Moves are numbered as in ``game.moves``, roles as in ``game.roles``. Arrays have one row for
    each state. They are read-only and keep their values when the states change. Values are computed
    when they are read.

    Only one thread may use a batch at a time.
    """

    def __init__(
        self,
        game: Game,
        n: int | None = None,
        *,
        start: Given | None = None,
        seed: int = 0,
        autoreset: bool = False,
        joint: bool | None = None,
        threads: int | None = None,
    ) -> None:
        """Make a batch of ``n`` states.

        Args:
            game: The game.
            n: The number of states; by default the number of positions in ``start``.
            start: The first positions, also for ``reset``: one for all states or one for each. A
                position is a ``State`` or a text for ``Game.position``. By default the game's
                start.
            seed: The seed of ``sample``, from 0 to 2**64 - 1.
            autoreset: Whether a step resets states in which the game is over.
            joint: Whether ``legal``, ``sample`` and ``step`` have moves of each role, not only of
                the role on move. Defaults to True for games that begin with simultaneous moves.
            threads: The number of threads for large work; by default one for each core. Results
                don't depend on it.

        Raises:
            BadRequest: An argument is invalid.
            BadPosition: A position is unreachable from the game's start.
            RulesError: The rules have no net.
            LimitReached: The net or the states need too much memory.
        """
        check_game(game)
        positions = read_positions(game.initial if start is None else start)
        count = read_count(n, start, positions)
        seed, threads = read_seed(seed), number_of(threads)
        self._game = game
        self._autoreset = read_flag("autoreset", autoreset)
        self._joint = read_joint(joint, game)
        net = game.nets.from_the_start(MOST_RULES)
        self._net_moves, self._tables = game.moves_of(net), net.tables
        starts = self._rows_of(positions)
        try:
            rows = np.empty((count, starts.shape[1]), np.uint64)
            rows[:] = starts
            scope = LegalScope.ALL_PLAYABLE if self._joint else LegalScope.OF_THE_MOVER
            lanes = Lanes(net.tables, threads, rolls_of(game.initial, net.tables))
            self._states = States(lanes, starts, rows, scope, seed)
        except AspgamesError:
            raise
        except (MemoryError, ValueError):  # numpy raises ValueError for huge sizes
            raise _no_memory(count) from None
        self._batches = 0  # the number of batches made from this one

    @property
    def game(self) -> Game:
        """The game of the states."""
        return self._game

    @property
    def joint(self) -> bool:
        """Whether moves are those of each role, not only of the role on move."""
        return self._joint

    @property
    def is_terminal(self) -> Flags:
        """Whether the game is over: bool, ``(n,)``."""
        return self._get("terminal")

    @property
    def terminal(self) -> Flags:
        """The earlier name of ``is_terminal``: deprecated."""
        warn("use is_terminal, as of a State", DeprecationWarning, stacklevel=2)
        return self.is_terminal

    @property
    def to_move(self) -> Ints:
        """The role on move: int32, ``(n,)``.

        It is -1 if the game is over or several roles move at once.
        """
        return self._get("mover")

    @property
    def goals(self) -> Ints:
        """Each role's goal, from 0 to 100, also in non-terminal states: int32, ``(n, roles)``."""
        return self._get("goals")[:, : len(self._game.roles)]

    @property
    def legal(self) -> Flags:
        """Whether each move is legal: bool, ``(n, moves)``.

        These are moves of the role on move, or of all roles if several move at once or the batch is
        ``joint``. If the game is over, no move is legal.
        """
        return self._get("legal")

    @property
    def legal_bits(self) -> npt.NDArray[np.uint8]:
        """``legal`` in an eighth of the memory: uint8, ``(n, ceil(moves / 8))``.

        ``np.unpackbits(bits, axis=1, count=len(game.moves), bitorder="little")`` unpacks it.
        """
        return self._get("bits")

    def legal_of(self, where: Where, out: Flags | None = None) -> Flags:
        """``legal`` for some of the states: bool, ``(states, moves)``.

        ``legal`` takes one byte for each state and move; this function can save memory.

        Args:
            where: As for ``reset``.
            out: A contiguous array of that shape to fill and return; by default a new one.

        Raises:
            BadRequest: ``where`` names a missing state, or ``out`` does not fit.

        >>> import aspgames
        >>> batch = aspgames.Batch(aspgames.load("breakthrough"), 1000)
        >>> for first in range(0, len(batch), 200):
        ...     some = batch.legal_of(slice(first, first + 200))
        ...     assert some.sum() == 200 * 22
        """
        chosen = read_where(where, len(self))
        shape = len(chosen), self._tables.moves
        try:
            into = np.empty(shape, np.bool_) if out is None else read_out(out, shape, np.bool_)
            self._states.legal_of(chosen, into)
        except MemoryError:
            raise _no_memory(len(chosen)) from None
        return into

    @property
    def holds(self) -> Flags:
        """Whether each fluent holds: bool, ``(n, fluents)``, in the order of ``game.fluents``."""
        bits = np.unpackbits(
            self.holds_bits_of(), axis=1, count=self._tables.fluents, bitorder="little"
        )
        return bits.view(np.bool_)

    def holds_bits_of(self, where: Where = None) -> npt.NDArray[np.uint8]:
        """``holds`` for some of the states in an eighth of the memory: uint8, ``(states, bytes)``.

        A byte has eight fluents; the number of bytes is a multiple of 8. ``where`` is as for
        ``reset``.
        ``np.unpackbits(bits, axis=1, count=len(game.fluents), bitorder="little")`` unpacks it.
        """
        rows = self._states.rows
        chosen = rows.copy() if where is None else rows[read_where(where, len(self))]
        return chosen.view(np.uint8).reshape(len(chosen), self._tables.row_bytes)

    def sample(self) -> Ints:
        """Choose a move for each state, uniformly among the legal ones, for ``step``.

        Those of the role ``random`` follow ``weight/2``, if the game has it. Choices are
        independent of each other. The seed, the state's number in the batch, and the number of
        earlier calls determine a choice.

        Returns:
            int32, ``(n,)``, or ``(n, roles)`` in a ``joint`` batch; -1 without a legal move.

        Raises:
            RulesError: ``weight/2`` gives senseless chances.
        """
        try:
            picks, choices = self._states.choose()
        except MemoryError:
            raise _no_memory(len(self)) from None
        return choices[:, : len(self._game.roles)].copy() if self._joint else picks.copy()

    def step(self, moves: npt.ArrayLike, where: Where = None) -> None:
        """Play a move in every state, or in some of them.

        If the game is over, the state stays, or is reset with ``autoreset``. After an exception,
        all states are unchanged.

        Args:
            moves: Numbers of moves: ``(n,)`` for the role on move, or ``(n, roles)`` for each role.
                -1 is the only move of a role.
            where: As for ``reset``.

        Raises:
            BadRequest: ``moves`` has the wrong type or shape, or a state is named twice.
            BadMove: A number is not the number of a move.
            IllegalMove: A move is illegal; the message names the first such state.
        """
        roles, flags = len(self._game.roles), None
        if where is None:
            given = read_moves(moves, len(self), roles)
        else:
            flags, given = self._in_their_places(moves, read_where(where, len(self)))
        try:
            wrong = self._states.step(within_32_bits(given), self._autoreset, flags)
        except MemoryError:
            raise _no_memory(len(self)) from None
        if wrong is not None:
            raise self._why_not(wrong, given[wrong])

    def reset(self, where: Where = None) -> None:
        """Reset some or all states to their first positions; the seed is not reset.

        Args:
            where: A state's number, several, a slice, or a mask such as ``batch.is_terminal``.

        Raises:
            BadRequest: ``where`` is anything else.
        """
        chosen, starts = read_where(where, len(self)), self._states.starts
        self._states.rows[chosen] = starts if len(starts) == 1 else starts[chosen]
        self._states.changed()

    def __len__(self) -> int:
        return len(self._states)

    def __getitem__(self, number: int) -> State:
        number = whole_number(number, "a state's number")
        if not -len(self) <= number < len(self):
            raise IndexError(f"there is no state {number}: there are {len(self)}")
        return self._state(number)

    def __iter__(self) -> Iterator[State]:
        return iter(self.states())

    def states(self, where: Where = None) -> list[State]:
        """The states, or some of them, as ``State`` objects; ``batch[3]`` is one."""
        return [self._state(number) for number in read_where(where, len(self)).tolist()]

    def set(self, where: Where, states: Given) -> None:
        """Replace some states by positions. After an exception, all states are unchanged.

        Args:
            where: As for ``reset``. ``reset`` still restores the old first positions.
            states: One position for all of them, or one for each.

        Raises:
            BadRequest: The numbers of states and positions differ.
            BadPosition: A position is unreachable from the game's start.
        """
        chosen, rows = read_where(where, len(self)), self._rows_of(read_positions(states))
        if not isinstance(states, State | str) and len(rows) != len(chosen):
            raise BadRequest(f"there are {len(rows)} positions for {len(chosen)} states")
        self._states.rows[chosen] = rows
        self._states.changed()

    def copy(self) -> Batch:
        """A batch with the same states; its ``sample`` chooses the same moves."""
        found = self._taken(np.arange(len(self)), self._states.seed)
        found._states.draws, found._batches = self._states.draws, self._batches
        return found

    def take(self, where: Where, seed: int | None = None) -> Batch:
        """A batch of some of the states, in the order given; a state may occur several times.

        Args:
            where: As for ``reset``. ``reset`` of the new batch restores the old first positions.
            seed: By default derived from the seed of this batch, and different each time.

        Raises:
            BadRequest: ``where`` names a missing state, or no state.

        >>> import aspgames
        >>> game = aspgames.load("breakthrough")
        >>> batch = aspgames.Batch(game, 1)
        >>> for _ in range(3):
        ...     states, moves = batch.legal.nonzero()
        ...     batch = batch.take(states)
        ...     batch.step(moves)
        >>> len(batch) == aspgames.perft(game.initial, 3)
        True
        """
        chosen = read_where(where, len(self))
        if not len(chosen):
            raise BadRequest("a batch has one state at least")
        if seed is None:
            self._batches += 1
            numbers = np.array([self._batches], np.uint64)
            seed = int(keys(self._states.seed, numbers, _BATCH_STREAM)[0])
        return self._taken(chosen, read_seed(seed))

    __copy__ = copy

    def __deepcopy__(self, _memo: object) -> Batch:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a batch can't be pickled; its states can: batch.states()")

    def __repr__(self) -> str:
        return f"<{len(self)} states of {self._game.name}>"

    def _in_their_places(
        self, moves: npt.ArrayLike, chosen: npt.NDArray[np.int64]
    ) -> tuple[Flags, Array]:
        """Flags of the chosen states, and moves in an array for all states."""
        flags = np.zeros(len(self), np.bool_)
        flags[chosen] = True
        if np.count_nonzero(flags) < len(chosen):
            raise BadRequest("a state makes one move at a time: it is named twice")
        some = read_moves(moves, len(chosen), len(self._game.roles))
        given = np.zeros((len(self), *some.shape[1:]), some.dtype)
        given[chosen] = some
        return flags, given

    def _get(self, name: str) -> Array:
        try:
            return self._states.get(name)
        except MemoryError:
            raise _no_memory(len(self)) from None

    def _taken(self, chosen: Array, seed: int) -> Batch:
        found = object.__new__(Batch)
        found.__dict__.update(self.__dict__)
        try:
            found._states = self._states.taken(chosen, seed)
        except MemoryError:
            raise _no_memory(len(chosen)) from None
        found._batches = 0
        return found

    def _rows_of(self, positions: Sequence[State | str]) -> Rows:
        """Positions as rows of the net. Raises ``BadRequest`` and ``BadPosition``."""
        rows: list[bytes] = []
        for position in positions:
            state = self._game.position(position) if isinstance(position, str) else position
            row = check_state_of(state, self._game).row_on(self._net_moves)
            if row is None:
                raise BadPosition(self._why_unknown(state))
            rows.append(row)
        packed = np.frombuffer(b"".join(rows), np.uint64)
        return packed.reshape(len(rows), self._tables.row_bytes // 8)

    def _why_unknown(self, state: State) -> str:
        names, facts = self._tables.names, set(state.facts)
        text = "a batch has positions that play from the game's start can lead to: none of them"
        if strange := sorted(facts.difference(names.fluents, names.certain)):
            return f"{text} has {strange[0]}"
        return f"{text} lacks {min(set(names.certain) - facts)}"

    def _state(self, number: int) -> State:
        return State.made(self._game, None, self._net_moves, self._states.rows[number].tobytes())

    def _why_not(self, number: int, given: Array) -> BadMove | IllegalMove:
        state, moves = self._state(number), self._game.moves
        numbers = [int(move) for move in np.atleast_1d(given)]
        for move in numbers:
            if not -1 <= move < len(moves):
                return BadMove(
                    f"state {number}: there is no move {move}, only 0 to {len(moves) - 1}"
                )
        chosen: Move | dict[str, Move | str]
        if given.ndim:
            pairs = zip(self._game.roles, numbers, strict=True)
            chosen = {role: moves[move] for role, move in pairs if move >= 0}
        else:
            chosen = moves[numbers[0]] if numbers[0] >= 0 else {}
        words = f"state {number}, move {', '.join(map(str, numbers))}"
        try:
            state.play(chosen)
        except IllegalMove as error:
            return IllegalMove(f"{words}: {error}")
        return IllegalMove(f"{words}: say what each role does that has a choice")


def _no_memory(count: int) -> LimitReached:
    return LimitReached(f"there is no memory for {count:,} states")
