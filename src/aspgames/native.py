"""Functions compiled to machine code, once for each installation.

Numba translates a function when it is first called and keeps the machine code beside the module, or
in the user's cache directory where it can't write there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

_OPTIONS: Any = {
    "cache": True,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
    "_nrt": False,
}
"""No reference counts (``_nrt``): compiled functions make no arrays, they fill those they get."""

_Function = TypeVar("_Function", bound=Callable[..., object])


def native(function: _Function) -> _Function:
    """A decorator: the function, compiled. It may use numbers, arrays and named tuples of them."""
    return cast("_Function", numba.njit(**_OPTIONS)(function))


def inner(function: _Function) -> _Function:
    """The same for functions that only compiled ones call, which takes less time to compile."""
    options = _OPTIONS | {"no_cpython_wrapper": True}
    return cast("_Function", numba.njit(**options)(function))


def tiny(function: _Function) -> _Function:
    """The same for functions of a line or two, which are copied to where they are called."""
    return cast("_Function", numba.njit(inline="always")(function))
