"""Finds and loads the library of C functions, and chooses the instruction set.

``hatch_build.py`` builds the library. It makes the binding from ``native/aspgames.h`` (cffi's
out-of-line ABI mode).
"""

import functools
import os
from importlib.machinery import ExtensionFileLoader, SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

from ..runtime.errors import NotBuilt
from . import native_sources

VARIANTS = ("base", "avx2", "avx512")
"""The instruction sets of ``*.inc.c``. The functions' names end in one of these."""

_STATES = "aspgames_states"
REBUILD = "install aspgames again, or in a working copy run 'python hatch_build.py'"


@functools.cache
def load() -> tuple[Any, Any]:
    """Load the library; returns cffi's ``ffi`` of the binding, and the library.

    A function of the library runs without Python's lock.
    """
    sources = native_sources.digest()
    path, binding = native_sources.built_files(sources)
    for file in (path, binding):
        if not file.exists():
            raise NotBuilt(f"the library {file} is missing: {REBUILD}")
    try:
        module = _import(binding)
        library = module.ffi.dlopen(str(path))
        carried = module.ffi.string(library.aspgames_sources()).decode()
    except (OSError, AttributeError, ImportError, SyntaxError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise NotBuilt(f"the library {path} can't be loaded ({reason}): {REBUILD}") from None
    if carried != sources:
        raise NotBuilt(f"the library {path} was built from other sources than these: {REBUILD}")
    _check_layout(module, library, path)
    return module.ffi, library


def _import(file: Path) -> Any:
    module = ModuleType("aspgames.propnet.binding")
    SourceFileLoader(module.__name__, str(file)).exec_module(module)
    return module


def _check_layout(module: Any, library: Any, path: Path) -> None:
    """Compare the sizes and offsets of all structures with those of the C compiler."""
    ffi = module.ffi
    count = ffi.new("int32_t *")
    numbers = ffi.unpack(library.aspgames_layout(count), count[0])
    expected = chain.from_iterable(
        (ffi.sizeof(name), *(ffi.offsetof(name, member) for member in members))
        for name, members in module.STRUCTURES
    )
    if numbers != list(expected):
        raise NotBuilt(f"the library {path} lays out its structures otherwise: {REBUILD}")


def available_variants() -> list[str]:
    """The instruction sets of the library that this processor has, oldest first."""
    ffi, library = load()
    built = ffi.string(library.aspgames_variants()).decode().split()
    return [each for each in VARIANTS[: library.aspgames_cpu() + 1] if each in built]


@functools.cache
def variant() -> str:
    """The instruction set to use: ``$ASPGAMES_KERNEL``, or the best of ``available_variants``."""
    available = available_variants()
    if not available:
        raise NotBuilt(f"the library was built for another kind of processor: {REBUILD}")
    wanted = os.environ.get("ASPGAMES_KERNEL") or available[-1]
    if wanted not in available:
        names = ", ".join(available)
        raise NotBuilt(f"ASPGAMES_KERNEL={wanted!r} is not available: choose {names}")
    return wanted


def compiler() -> str:
    """The compiler that built the library, such as ``cc: gcc 12.2.0``."""
    ffi, library = load()
    return str(ffi.string(library.aspgames_compiler()).decode())


@functools.cache
def compiled_states() -> Any:
    """The compiled classes of states; None without them, or where this Python can't load them.

    They are an extension module of Python's stable ABI. The build compiles ``native/states.py.c``
    where Python's headers are. ``$ASPGAMES_STATES=plain`` leaves it unused.
    """
    ffi, library = load()
    file = native_sources.states_file(ffi.string(library.aspgames_sources()).decode())
    if os.environ.get("ASPGAMES_STATES") == "plain" or not file.exists():
        return None
    loader = ExtensionFileLoader(_STATES, str(file))
    try:
        if (spec := spec_from_loader(_STATES, loader)) is None:
            return None
        module = module_from_spec(spec)
        loader.exec_module(module)
    except ImportError:
        return None
    return module
