"""The compiled classes of states, if there are any: an extension module of Python's stable ABI.

The build compiles ``native/states.py.c`` where Python's headers are. ``$ASPGAMES_STATES=plain``
leaves it unused.
"""

import functools
import os
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from typing import Any

from . import native_library, native_sources

_MODULE = "aspgames_states"


@functools.cache
def compiled_states() -> Any:
    """The extension module; None without one, or where this Python can't load it."""
    ffi, library = native_library.load()
    file = native_sources.states_file(ffi.string(library.aspgames_sources()).decode())
    if os.environ.get("ASPGAMES_STATES") == "plain" or not file.exists():
        return None
    loader = ExtensionFileLoader(_MODULE, str(file))
    try:
        if (spec := spec_from_loader(_MODULE, loader)) is None:
            return None
        module = module_from_spec(spec)
        loader.exec_module(module)
    except ImportError:
        return None
    return module
