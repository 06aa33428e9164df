"""Reads a net's tables in the layout of ``native/tables.h``, and calls the kernel on them."""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import make_dataclass
from typing import Any

from aspgames.propnet.gate_tables import Tables
from aspgames.propnet.kernel import Pointer, kernel

ASK, JUDGE, GO_ON, ADVANCE = range(4)

LANES = 512
ONES = (1 << LANES) - 1
_WIDTH = LANES // 8  # bytes

Pair = tuple[int, int]

_NAMES = """
    gates slots advance_slots terminal choices choice_count choice_literals choice_moves marks
    goals goal_count to_move next next_alone effect_starts effects
"""


Phase: Any = make_dataclass("Phase", ["programs", *_NAMES.split()])
"""``struct phase``; the fields after ``programs`` are in ``_NAMES``."""


class Layout:
    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        words = tables.address[1]
        self.block: Sequence[int] = kernel().numbers(tables.address, words)
        self.turns = self.at(self.block[9], self.block[8])
        phases = self.at(self.block[10], len(self.turns) + 1)
        self.phases = [Phase(self.at(place, 8), *self.at(place + 8, 16)) for place in phases]

    def at(self, place: int, count: int) -> Sequence[int]:
        """``count`` numbers from ``place`` on."""
        return self.block[place : place + count]

    def effects(self, phase: Phase, move: int) -> Sequence[int]:
        start, end = self.at(phase.effect_starts + move, 2)
        return self.block[start:end]

    def choices(self, phase: Phase, role: int) -> dict[int, int]:
        """The literals of a role's possible moves, by the moves' numbers."""
        first, end = self.at(phase.choices + 2 * role, 2)
        literals = self.at(phase.choice_literals, phase.choice_count)[first:end]
        moves = self.at(phase.choice_moves, phase.choice_count)[first:end]
        return dict(zip(moves, literals, strict=True))

    def goals(self, phase: Phase) -> Iterable[tuple[int, int, int]]:
        """Role, value and literal."""
        numbers = self.at(phase.goals, 3 * phase.goal_count)
        return zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True)


class Slots:
    """The values of a phase's slots in three-valued logic; unset slots are random."""

    def __init__(
        self,
        layout: Layout,
        number: int,
        fluents: Sequence[Pair],
        made: Sequence[Pair],
        rng: random.Random,
    ) -> None:
        """Set the fluents of some states, and the effects of the moves made there."""
        self.layout, self.phase, self.number = layout, layout.phases[number], number
        size = 2 * layout.tables.slots * _WIDTH
        self._room, self._memory = memory(size)
        self._memory[:] = rng.randbytes(size)
        self._set(0, (ONES, ONES))
        for place, value in enumerate(fluents, 1):
            self._set(place, value)
        effects: dict[int, Pair] = dict.fromkeys(range(1 + len(fluents), self.phase.gates), (0, 0))
        for move, (low, high) in enumerate(made):
            for slot in layout.effects(self.phase, move):
                effects[slot] = effects[slot][0] | low, effects[slot][1] | high
        for slot, value in effects.items():
            self._set(slot, value)

    def evaluate(self, function: Callable[..., Any], question: int) -> None:
        """Compute the gates of a question by a kernel function."""
        values = kernel().array("char[]", self._memory)
        function(self.layout.tables.address, self.number, question, values)

    def __getitem__(self, literal: int) -> Pair:
        """The value of a literal: twice its slot, plus one if it is negated."""
        start, end = (2 * _WIDTH * slot for slot in (literal >> 1, (literal >> 1) + 1))
        halves = self._memory[start : start + _WIDTH], self._memory[start + _WIDTH : end]
        low, high = (int.from_bytes(half, "little") for half in halves)
        return (ONES & ~high, ONES & ~low) if literal & 1 else (low, high)

    def _set(self, slot: int, value: Pair) -> None:
        data = b"".join(number.to_bytes(_WIDTH, "little") for number in value)
        self._memory[slot * len(data) : (slot + 1) * len(data)] = data


def memory(size: int) -> tuple[Pointer, Pointer]:
    """The owner and a buffer of ``size`` bytes, aligned to a cache line."""
    ffi = kernel().ffi
    room = ffi.new("char[]", size + 64)
    offset = -int(ffi.cast("uintptr_t", room)) % 64
    return room, ffi.buffer(room + offset, size)
