"""A puzzle's rules as tables for the kernel's search (``native/search_tables.h``)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from ...propnet.circuit import TRUE
from ...propnet.kernel import Pointer, kernel
from ...propnet.net import Net
from ...propnet.table_writer import MOST_PHASES, TableWriter
from ...puzzle.problem import Puzzle
from ...runtime import cache
from ..phase_goals import Phase, never_leads_to_goal

if TYPE_CHECKING:
    from .loss_counts import Count

_KIND = "search"  # of entries of the cache
_HEAD = 64  # bytes before the tables in an entry: whether there is a general phase, and ``quiet``


class PuzzleTables:
    """The tables of a puzzle's goal, for the states of a net.

    Each fluent that tells which side is on move has a phase, for states where no other such fluent
    holds. A general phase covers all other states. It is large, so it is made on demand.
    """

    def __init__(self, puzzle: Puzzle, net: Net, general: bool, lemmas: bool) -> None:
        """``general``: make the general phase. ``lemmas``: prove lemmas.

        Lemmas take longer than an easy puzzle, and save much time in a hard one. Tables without
        lemmas are stored if the net is. Raises ``RulesError`` and ``MemoryError``.
        """
        self.general, self.lemmas, self.puzzle = general, lemmas, puzzle
        self.quiet = False
        """Whether it is proved that no move of the defender reaches the goal."""
        self.address: Pointer
        """The tables, for the kernel; good as long as this object is there."""
        asked = puzzle.attacker, puzzle.defender, puzzle.goal, general
        key = "" if lemmas or not net.key else f"{net.key}\n{asked!r}"
        if key and (kept := cache.get(key, _KIND)):
            self.general, self.quiet = map(bool, kept[:2])
            self._take(kept[_HEAD:])
            return
        self._make(net)
        if key:
            head = bytes((self.general, self.quiet)).ljust(_HEAD, b"\0")
            cache.put(key, _KIND, head + bytes(self._block))

    def _take(self, block: Any) -> None:
        self._block = block  # not cffi's pointer: see ``gate_tables.Tables``
        library = kernel()
        self.address = library.ffi.cast("int32_t *", library.array("char[]", self._block))

    def _make(self, net: Net) -> None:
        puzzle, lemmas = self.puzzle, self.lemmas
        fluents = net.control if len(net.control) <= MOST_PHASES else []
        self.general = self.general or not fluents
        held = [tuple(place == one for place in fluents) for one in fluents]
        sides = (puzzle.defender, puzzle.attacker)

        def phase_at(held: tuple[bool, ...] | None) -> Phase:
            return Phase(net, held, puzzle, lemmas)

        phases: list[Phase | None] = [phase_at(phase) for phase in held]
        phases.append(phase_at(None) if self.general else None)
        made = [phase for phase in phases if phase]
        counted: Sequence[Count] = []
        if lemmas:
            from .loss_counts import counts  # imports clingo

            counted = counts(net, made, frozenset(puzzle.state.facts))
        by_reply = bool(made) and all(phase.needs_attacker_on_move for phase in made)
        self.quiet = not by_reply and all(
            never_leads_to_goal(phase, then, lemmas) for phase in made for then in made
        )
        ints = kernel().ints
        begun = kernel().search_begin(
            len(net.fluents),
            len(net.moves),
            len(fluents),
            ints(fluents),
            puzzle.defender is None,
            self.quiet,
            by_reply,
            len(counted),
            ints(fluent for count in counted for fluent in count.fluents),
            ints(accumulate(len(count.fluents) for count in counted)),
            ints(drop for count in counted for drop in count.drops),
        )
        with TableWriter(begun) as writer:
            for number, phase in enumerate(phases):
                if phase:
                    _write_phase(writer, number, phase, net, counted, sides)
            self._take(writer.finish())


def _write_phase(
    writer: TableWriter,
    number: int,
    phase: Phase,
    net: Net,
    counted: Sequence[Count],
    sides: tuple[str | None, str],
) -> None:
    successor, further, following = phase.successor
    movers = [role for role, _ in net.moves]
    first = [bisect_left(movers, side) if side else 0 for side in sides]
    ends = [bisect_right(movers, side) if side else 0 for side in sides]

    def nodes(became: Mapping[int, int]) -> list[list[int]]:
        return [
            [became[net.circuit.true[fluent]] for fluent in net.fluents],
            [became[net.circuit.does.get(move, TRUE)] for move in net.moves],
        ]

    arrays = [
        *nodes(phase.became),
        *(phase.verdicts, list(phase.legal.values())),
        [phase.became[count.gate] for count in counted],
        *(*nodes(further), following),
        [place for bounds in zip(first, ends, strict=True) for place in bounds],
    ]
    pointers = [kernel().ints(array) for array in arrays]
    request = phase.circuit.handle, *pointers[:5], successor.handle, *pointers[5:]
    writer.write_phase(kernel().search_phase, number, "struct search_phase_request *", request)
