"""Ground rules, as clingo's grounder hands them over to functions in C (``native/observer.c``).

Through a ``clingo.Observer`` they would come as Python objects, one call a rule: that takes ten
times as long as the grounding itself.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Iterator
from ctypes import CFUNCTYPE, POINTER, c_bool, c_int32, c_int64, c_void_p, cast
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

import clingo

from ..asp.clingo_c import addresses, observe
from ..runtime.budget import UNLIMITED, Budget
from ..runtime.errors import LimitReached, RulesError, TooLarge
from . import native_library
from .calls import function, made

_MOST = 2**31 - 1  # of a number in C
_CALLBACKS = ("rule", "weight_rule", "external", "output_atom")
_SYMBOL_FUNCTIONS = (
    "clingo_symbol_name",
    "clingo_symbol_arguments",
    "clingo_symbol_to_string_size",
    "clingo_symbol_to_string",
)
_GoOn = CFUNCTYPE(c_bool)
_new = function("ground_new", c_void_p, c_int32, _GoOn)
_free = function("ground_free", None, c_void_p)
_names_of = function("names_of", c_void_p, c_void_p, c_void_p)
_names_free = function("names_free", None, c_void_p)


class _Ground(ctypes.Structure):
    """``struct ground``, as far as it is read here."""

    _fields_ = [
        ("status", c_int32),
        ("most_rules", c_int32),
        ("atoms", c_int32),
        ("choices", POINTER(c_int32)),
        ("choice_count", c_int64),
    ]


class _Names(ctypes.Structure):
    """``struct names``, as far as it is read here."""

    _fields_ = [
        ("length", c_int64),
        ("texts", c_void_p),
        ("row_count", c_int64),
        ("rows", POINTER(c_int32)),
    ]


class Shown(NamedTuple):
    """Atoms of one predicate: the texts of their arguments, and their numbers; 0 is a fact."""

    arguments: list[Any]
    atoms: list[int]


class GroundRules:
    """The ground rules of one grounding; ``handle`` is the address of a ``struct ground`` in C."""

    def __init__(self, most_rules: int, budget: Budget = UNLIMITED) -> None:
        """The grounder is stopped when the budget says so; raises ``LimitReached`` or
        ``Interrupted`` if it does so now."""
        budget.check()
        self._budget = budget
        self._raised: list[BaseException] = []
        looks = _looks(budget, self._raised)
        next(looks)
        self._go_on = _GoOn(looks.__next__)  # C has its address
        self.handle = made(_new(min(most_rules, _MOST), self._go_on))
        weakref.finalize(self, _free, self.handle)
        self._arrays = _Ground.from_address(self.handle)

    def observe(self, control: clingo.Control) -> None:
        """Take down what a control grounds from now on; its solver gets none of it."""
        callbacks = {
            name: cast(native_library.load()[f"ground_{name}"], c_void_p) for name in _CALLBACKS
        }
        observe(control, {name: call.value or 0 for name, call in callbacks.items()}, self.handle)

    def check(self) -> None:
        """Raise what has stopped the grounder, if that was done here, or what the budget says."""
        ground = self._arrays
        match ground.status:
            case 0:
                self._budget.check()
                return
            case 1:
                raise TooLarge(f"there are more than {ground.most_rules:,} ground rules")
            case 2:
                raise RulesError("the rules constrain or choose: they settle no successor")
            case 3:
                raise RulesError("the rules choose with an aggregate: they settle no successor")
            case 5:
                raise self._raised[0]
        raise LimitReached("there is no memory for the ground rules")

    @property
    def choices(self) -> list[int]:
        """The atoms that are left open; one may occur more than once."""
        return list(self._arrays.choices[: self._arrays.choice_count])

    @property
    def atoms(self) -> int:
        """The highest number of an atom."""
        return int(self._arrays.atoms)

    @cached_property
    def shown(self) -> dict[str, Shown]:
        """The atoms of each predicate that are shown."""
        functions = (c_void_p * len(_SYMBOL_FUNCTIONS))(*addresses(_SYMBOL_FUNCTIONS))
        address = made(_names_of(self.handle, functions))
        try:
            names = _Names.from_address(address)
            texts = ctypes.string_at(names.texts, names.length).decode().split("\0")
            rows = names.rows[: 4 * names.row_count]
        finally:
            _names_free(address)
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


def _looks(budget: Budget, raised: list[BaseException]) -> Iterator[bool]:
    """Whether to go on, whenever it is asked; what is raised then is put down.

    While clingo is at work, what a signal's handler raises comes up when Python runs again: here.
    A function that is called would lose it before its first line; a generator is within ``try``.
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
