"""Ground rules, which clingo's grounder passes to functions in C (``native/observer.c``).

A ``clingo.Observer`` would get them as Python objects, with one call for each rule. That takes ten
times as long as the grounding itself.
"""

from collections.abc import Iterator
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

import clingo

from ..asp.clingo_c import addresses, observe
from ..runtime.budget import UNLIMITED, Budget
from ..runtime.errors import LimitReached, TooLarge
from .kernel import Owned, Pointer, kernel

_MOST = 2**31 - 1  # of a number in C
_CALLBACKS = ("rule", "weight_rule", "external", "output_atom")
_SYMBOL_FUNCTIONS = (
    "clingo_symbol_name",
    "clingo_symbol_arguments",
    "clingo_symbol_to_string_size",
    "clingo_symbol_to_string",
)
NO_MEMORY = "there is no memory for the net of the rules"


class Shown(NamedTuple):
    """Atoms of one predicate: the texts of their arguments, and their numbers; 0 is a fact."""

    arguments: list[Any]
    atoms: list[int]


class GroundRules:
    """The ground rules of one grounding; ``handle`` points to a ``struct ground_program`` in C."""

    def __init__(self, most_rules: int, budget: Budget = UNLIMITED) -> None:
        """The budget can stop the grounder."""
        budget.check()
        self._budget = budget
        self._raised: list[BaseException] = []
        looks = _looks(budget, self._raised)
        next(looks)
        self._go_on = kernel().ffi.callback("bool(void)", looks.__next__)  # C has its address
        new = kernel().ground_new(min(most_rules, _MOST), self._go_on)
        self._owner = made(new, "ground_free")
        self.handle = self._owner.pointer

    def observe(self, control: clingo.Control) -> None:
        """Record the rules that a control grounds from now on; its solver does not get them."""
        library = kernel()
        callbacks = {name: _address(getattr(library, f"ground_{name}")) for name in _CALLBACKS}
        observe(control, callbacks, _address(self.handle))

    def check(self) -> None:
        """Raise the exception that stopped the grounder, or that of the budget."""
        ground, library = self.handle, kernel()
        if ground.status == library.TOO_MANY_RULES:
            raise TooLarge(f"there are more than {ground.most_rules:,} ground rules")
        if ground.status == library.STOPPED:
            raise self._raised[0]
        if ground.status == library.NO_MEMORY:
            raise LimitReached("there is no memory for the ground rules")
        library.check(ground.status)
        self._budget.check()

    @property
    def choices(self) -> list[int]:
        """The open atoms; an atom may occur more than once."""
        return kernel().numbers(self.handle.choices, self.handle.choice_count)

    @property
    def atoms(self) -> int:
        """The highest number of an atom."""
        return int(self.handle.atoms)

    @cached_property
    def shown(self) -> dict[str, Shown]:
        """The shown atoms of each predicate."""
        ffi = kernel().ffi
        functions = ffi.new("struct clingo_functions *")
        members = ffi.typeof("struct clingo_functions").fields
        for (name, member), place in zip(members, addresses(_SYMBOL_FUNCTIONS), strict=True):
            setattr(functions, name, ffi.cast(member.type, place))
        owner = made(kernel().names_new(self.handle, functions), "names_free")
        names = owner.pointer
        texts = ffi.buffer(names.texts, names.length)[:].decode().split("\0")
        rows = ffi.unpack(ffi.cast("int32_t *", names.rows), 4 * names.row_count)
        shown: dict[str, Shown] = {}
        end = 0
        for predicate, run in groupby(rows[::4]):
            start, end = end, end + 4 * len(list(run))
            columns = [rows[start + column : end : 4] for column in (1, 2)]
            named = [[texts[place] for place in column] for column in columns if column[0] >= 0]
            atoms = rows[start + 3 : end : 4]
            into = shown.setdefault(texts[predicate], Shown([], []))
            into.arguments.extend(zip(*named, strict=True) if named else [()] * len(atoms))
            into.atoms.extend(atoms)
        return shown


def made(pointer: Pointer, free: str) -> Owned:
    """Own a pointer that C made, and free it with the owner. Raises ``LimitReached`` for NULL."""
    try:
        return kernel().owned(pointer, free)
    except MemoryError:
        raise LimitReached(NO_MEMORY) from None


def _address(pointer: Pointer) -> int:
    return int(kernel().ffi.cast("uintptr_t", pointer))


def _looks(budget: Budget, raised: list[BaseException]) -> Iterator[bool]:
    """Yield whether to continue; an exception of the budget is stored in ``raised``.

    While clingo works, an exception of a signal handler appears when Python runs again: here. A
    function would lose it before its first line; a suspended generator is within ``try``.
    """
    while True:
        try:
            budget.check()
            yield True
        except GeneratorExit:
            return
        except BaseException as error:
            raised.append(error)
            yield False
