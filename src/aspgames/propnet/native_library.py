"""The library of C functions: finding it, loading it, and which instruction set it shall use."""

from __future__ import annotations

import ctypes
import functools
import os

from ..runtime.errors import NotBuilt
from . import native_sources

VARIANTS = ("base", "avx2", "avx512")
"""What ``lanes.c`` and ``search.c`` are compiled for; functions' names end in one of these."""

REBUILD = "install aspgames again, or in a working copy run 'python hatch_build.py'"


@functools.cache
def load() -> ctypes.CDLL:
    """The library; Python's lock is released while one of its functions runs."""
    path = native_sources.LIBRARY
    if not path.exists():
        raise NotBuilt(f"the library {path} is missing: {REBUILD}")
    try:
        library = ctypes.CDLL(str(path))
        sources = _text(library, "aspgames_sources")
    except (OSError, AttributeError) as error:
        reason = " ".join(str(error).split())
        raise NotBuilt(f"the library {path} can't be loaded ({reason}): {REBUILD}") from None
    if sources != native_sources.digest():
        raise NotBuilt(f"the library {path} was built from other sources than these: {REBUILD}")
    return library


@functools.cache
def variant() -> str:
    """The best instruction set that the processor has, or what ``$ASPGAMES_KERNEL`` says."""
    has = VARIANTS[: load().aspgames_cpu() + 1]
    wanted = os.environ.get("ASPGAMES_KERNEL") or has[-1]
    if wanted not in has:
        raise NotBuilt(f"ASPGAMES_KERNEL={wanted!r} is none of what works here: {', '.join(has)}")
    return wanted


def compiler() -> str:
    """What the library was built with, such as ``cc: gcc 12.2.0``."""
    return _text(load(), "aspgames_compiler")


def _text(library: ctypes.CDLL, name: str) -> str:
    """The string that a function without arguments returns."""
    function = library[name]
    function.restype = ctypes.c_char_p
    value = function()
    return value.decode() if isinstance(value, bytes) else ""
