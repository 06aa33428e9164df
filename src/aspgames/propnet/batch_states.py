"""The states of a batch as rows of bits, the answers about them, and their successors."""

import sys

import numpy as np
import numpy.typing as npt

from .lanes import Array, Flags, Ints, KernelArray, Keys, Lanes, LegalScope, Rows


class States:
    """States that are evaluated and stepped together.

    A question goes to the kernel when its answer is first needed. The questions about the previous
    states go with it: that takes little longer than one question.
    """

    def __init__(
        self, lanes: Lanes, starts: Rows, rows: Rows, scope: LegalScope, seed: int
    ) -> None:
        """``starts`` has one row, or one for each state; for ``scope`` see ``lanes``."""
        tables = lanes.tables
        self._lanes, self._scope = lanes, scope
        self._starts = KernelArray(np.ascontiguousarray(starts))
        self._rows, self._others = KernelArray(rows), KernelArray(np.empty_like(rows))
        self._moves: dict[int, KernelArray] = {}
        self.seed = seed
        self.draws = 0
        """How many times moves were drawn."""
        self._keys = KernelArray(keys(seed, np.arange(len(rows), dtype=np.uint64)))
        self._columns: dict[str, tuple[tuple[int, ...], npt.DTypeLike]] = {
            "terminal": ((), np.bool_),
            "mover": ((), np.int32),
            "goals": ((tables.roles,), np.int32),
            "legal": ((tables.moves,), np.bool_),
            "bits": (((tables.moves + 7) // 8,), np.uint8),
            "choices": ((tables.roles,), np.int32),
            "picks": ((), np.int32),
        }
        self._spare: dict[str, KernelArray] = {}
        self._before: set[str] = set()
        self._wanted: set[str] = set()
        self._known: dict[str, KernelArray] = {}
        self._chosen: dict[str, KernelArray] = {}

    @property
    def rows(self) -> Rows:
        """The states. Call ``changed`` after writing to them."""
        return self._rows.array

    @property
    def starts(self) -> Rows:
        """The start states: one row for all states, or one for each."""
        return self._starts.array

    def __len__(self) -> int:
        return len(self.rows)

    def changed(self) -> None:
        """Forget the answers."""
        if self._wanted:
            self._before, self._wanted = self._wanted, set()
        self._known, self._chosen = {}, {}

    def get(self, name: str) -> Array:
        """An answer, named as in ``struct batch_answers`` of the kernel, in a read-only array.

        Raises ``RulesError`` for unsettled goals, and ``MemoryError``.
        """
        self._wanted.add(name)
        if name not in self._known:
            others = {"terminal", *self._before}.difference(self._known, self._chosen)
            self._ask({name, *others})
        shown = self._known[name].array.view()
        shown.flags.writeable = False
        return shown

    def legal_of(self, which: Array, into: Flags) -> None:
        """Write the legal moves of some states into an array. Raises the exceptions of ``get``."""
        rows = np.ascontiguousarray(self.rows[which])
        self._lanes.fill(rows, {"legal": into}, self._scope)

    def choose(self) -> tuple[Ints, Ints]:
        """A random move for each state, and one for each state and role; -1 stands for no move."""
        chosen = self.get("picks"), self.get("choices")
        self._chosen = {name: self._known[name] for name in ("picks", "choices", "terminal")}
        del self._known["picks"], self._known["choices"]
        self.draws += 1
        return chosen

    def step(self, moves: Array, autoreset: bool, where: Flags | None = None) -> int | None:
        """Play moves, given as for ``Lanes.step``: one for each state, or one for each role.

        With ``where``, play only in some states. Returns None, or the first state with an illegal
        move; then nothing changes.
        """
        given = self._moves.get(moves.ndim)
        if given is None:
            given = self._moves[moves.ndim] = KernelArray(np.empty(moves.shape, np.int32))
        given.array[...] = moves
        anew = self._starts if autoreset else None
        flags = None if where is None else KernelArray(where)
        wrong = self._lanes.step(self._rows, given, self._others, self._chosen, anew, flags)
        if wrong is None:
            self._rows, self._others = self._others, self._rows
            self.changed()
        return wrong

    def taken(self, which: Array, seed: int) -> "States":
        """A batch of some of the states. Raises ``MemoryError``."""
        starts = self.starts if len(self.starts) == 1 else self.starts[which]
        found = States(self._lanes, starts, self.rows[which], self._scope, seed)
        found._before = self._before | self._wanted
        return found

    def _ask(self, names: set[str]) -> None:
        if not names.isdisjoint(("picks", "choices")):
            names |= {"picks", "choices"}
        answers = {name: self._room(name) for name in names}
        keys = {"keys": self._keys} if "choices" in names else {}
        self._lanes.fill(self._rows, answers | keys, self._scope, self.draws)
        self._known.update(answers)

    def _room(self, name: str) -> KernelArray:
        """An array for an answer: the previous states' array, unless other code still holds it.

        The system provides new memory page by page, which takes longer than to fill it.
        """
        found = self._spare.get(name)
        if found and is_unheld(found):
            return found
        columns, kind = self._columns[name]
        found = self._spare[name] = KernelArray(np.empty((len(self), *columns), kind))
        return found


def keys(seed: int, numbers: Keys, purpose: int = 0) -> Keys:
    """Counter-based random numbers, as in ``native/choices.h``; different for each purpose."""
    golden = 0x9E3779B97F4A7C15 * (1 + purpose) % 2**64
    salt = _mix(np.array([seed], np.uint64) + np.uint64(golden))
    counted = numbers * np.uint64(0xD1342543DE82EF95) + np.uint64(0x2545F4914F6CDD1D)
    return _mix(salt + _mix(counted))


def draws(keys: Keys, number: int) -> Keys:
    """The random numbers of keys with a number, as in ``native/choices.h``."""
    return _mix(keys + np.uint64((number + 1) * 0x9E3779B97F4A7C15 % 2**64))


def _mix(z: Keys) -> Keys:
    """The last step of SplitMix64 (Steele, Lea and Flood 2014)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


_PROBE = KernelArray(np.empty(1))
_UNHELD = sys.getrefcount(_PROBE.array)


def is_unheld(block: KernelArray) -> bool:
    """Whether only the block holds its array; a view of the array holds it, too."""
    return sys.getrefcount(block.array) == _UNHELD
