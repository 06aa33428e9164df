"""Many states at once: evaluates a net in them and makes moves, with numpy arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..runtime.errors import BadRequest
from .gate_tables import Tables
from .kernel import Pointer, kernel
from .threads import side_by_side

if TYPE_CHECKING:
    from .weighted_rolls import WeightedRolls

Array = npt.NDArray[Any]
Rows = npt.NDArray[np.uint64]
"""One state in each row, one bit for each fluent: ``Tables.row``."""
Flags = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int32]
Keys = npt.NDArray[np.uint64]


class LegalScope(IntEnum):
    """Which moves count as legal (``enum aspgames_scope``)."""

    AS_THE_RULES_SAY = 0
    ALL_PLAYABLE = 1
    OF_THE_MOVER = 2


_STATES_OF_A_THREAD = 1 << 12  # states that are worth a thread


class KernelArray:
    """A contiguous array for the kernel, with a row for each state.

    It stores the address of the array, since numpy takes long to compute it.
    """

    __slots__ = ("_stride", "address", "array")

    def __init__(self, array: Array) -> None:
        self.array = array
        self.address = kernel().ffi.cast("void *", array.ctypes.data)
        self._stride = array.strides[0]

    def __deepcopy__(self, _memo: object) -> KernelArray:
        return KernelArray(self.array.copy())  # the copy has another address

    def at(self, state: int) -> Pointer:
        """A pointer to a state's part of the array, valid as long as the array exists."""
        return self.address + state * self._stride if state else self.address


def _block(array: KernelArray | Array) -> KernelArray:
    return array if isinstance(array, KernelArray) else KernelArray(array)


class Lanes:
    """Evaluates a net in many states at once. Several threads may use it.

    All arrays must be contiguous, and of the types above.
    """

    def __init__(
        self, tables: Tables, threads: int = 1, rolls: WeightedRolls | None = None
    ) -> None:
        """``tables`` are those of a closed net; ``threads`` threads share large batches.

        ``rolls`` draw the moves of ``random`` in a game with ``weight/2``.
        """
        self.tables, self._rolls = tables, rolls
        self.threads = threads
        self._rooms = [_BatchMemory(tables)]
        roles = tables.names.roles
        # A lone role never waits.
        noops = [tables.move_numbers.get((r, "noop"), -1) if len(roles) > 1 else -1 for r in roles]
        self._noops = KernelArray(np.array(noops, np.int32))

    def play(self, rows: Rows, moves: Ints) -> Rows:
        """The states after joint moves.

        A move is a number, or -1 for a role that never has a choice. The moves must be
        legal. The function does not check whether a game is over.
        """
        after, given = np.empty_like(rows), KernelArray(moves)
        if self.step(KernelArray(rows), given, KernelArray(after), {"choices": given}) is not None:
            raise BadRequest("there is no move of a role that has a choice")
        return after

    def fill(
        self,
        rows: KernelArray | Array,
        answers: Mapping[str, KernelArray | Array],
        scope: LegalScope,
        draw: int = 0,
    ) -> None:
        """Write answers into arrays, named like the members of ``struct batch_answers``."""
        states = _block(rows)
        blocks = {name: _block(array) for name, array in answers.items()}

        def work(room: _BatchMemory, first: int, end: int) -> int:
            into = library.ffi.new("struct batch_answers *")
            into.draw, into.noops, into.scope = draw, self._noops.address, scope
            for name, block in blocks.items():
                setattr(into, name, block.at(first))
            status: int = library.batch_ask(room.handle, states.at(first), end - first, into)
            return status

        library = kernel()
        library.check(min(self._share(len(states.array), work)))
        if self._rolls is not None and "choices" in blocks:
            choices, keys = blocks["choices"].array, blocks["keys"].array
            picks = blocks["picks"].array if "picks" in blocks else None
            self._rolls.redraw(states.array, choices, keys, draw, picks)

    def step(
        self,
        rows: KernelArray,
        moves: KernelArray,
        into: KernelArray,
        chosen: Mapping[str, KernelArray],
        anew: KernelArray | None = None,
        where: KernelArray | None = None,
    ) -> int | None:
        """Write the states after moves; returns the first state with an illegal move, or None.

        ``moves`` are those of the role on move or, with two dimensions, of each role; -1 stands for
        the only move of a role. Moves in ``chosen`` (choices, picks and terminal, as ``fill`` wrote
        them) are not checked. Terminal states stay, or are replaced by the rows ``anew``: one for
        each state, or one for all. ``where`` has a flag for each state; states without it stay,
        too.
        """
        width = moves.array.shape[1] if moves.array.ndim > 1 else 1
        of_each = anew is not None and len(anew.array) > 1

        def work(room: _BatchMemory, first: int, end: int) -> int:
            step = library.ffi.new("struct batch_step *")
            step.moves, step.width, step.into = moves.at(first), width, into.at(first)
            step.noops = self._noops.address
            for name, known in (("choices", "choices"), ("picks", "picks"), ("over", "terminal")):
                if known in chosen:
                    setattr(step, name, chosen[known].at(first))
            if anew:
                step.anew = anew.at(first if of_each else 0)
                step.anew_length = anew.array.shape[1] if of_each else 0
            if where:
                step.where = where.at(first)
            wrong: int = library.batch_step(room.handle, rows.at(first), end - first, step)
            return wrong if wrong < 0 else first + wrong

        library = kernel()
        found = self._share(len(rows.array), work)
        return min((state for state in found if state >= 0), default=None)

    def _share(self, count: int, work: Callable[[_BatchMemory, int, int], int]) -> list[int]:
        """Do work on all states, one part in each thread."""

        def part(first: int, end: int) -> int:
            try:
                room = self._rooms.pop()
            except IndexError:
                room = _BatchMemory(self.tables)
            found = work(room, first, end)
            self._rooms.append(room)
            return found

        parts = max(1, min(self.threads, count // _STATES_OF_A_THREAD))
        if parts == 1:
            return [part(0, count)]
        ends = [count * number // parts for number in range(parts + 1)]
        return side_by_side(part, list(pairwise(ends)))


class _BatchMemory:
    """The kernel's memory for one question at a time."""

    def __init__(self, tables: Tables) -> None:
        self._owner = kernel().owned(kernel().batch_new(tables.address), "batch_free", tables)
        self.handle = self._owner.pointer
