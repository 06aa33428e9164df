"""Calling functions of the library in C."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from ..runtime.errors import LimitReached
from . import native_library

T = TypeVar("T")


def function(name: str, result: Any, *arguments: Any) -> Callable[..., int]:
    """A function with its types, as ctypes has them; what it returns is a number.

    The library is loaded when the function is called for the first time.
    """

    @cache
    def found() -> Any:
        found = native_library.load()[name]
        found.restype, found.argtypes = result, arguments
        return found

    return lambda *given: found()(*given)


def made(result: T | None) -> T:
    """What a function has made; it has made nothing if there was no memory."""
    if not result:
        raise LimitReached("there is no memory for the net of the rules")
    return result
