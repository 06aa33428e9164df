"""The library of C functions as WebAssembly, for pages that evaluate a net in a browser.

``hatch_build.py --wasm`` puts it beside the library. Where it is missing, the package ``ziglang``
compiles it on first use, and the cache keeps it.
"""

import subprocess
import sys
from pathlib import Path

from ..runtime import cache
from ..runtime.call_arguments import optional_package
from ..runtime.errors import NotBuilt
from ..runtime.temporary_files import TemporaryFolder
from . import native_sources

_KIND = "wasm"


def web_kernel() -> bytes:
    """The library as a WebAssembly module.

    Raises:
        BadRequest: It must be compiled, and the package ``ziglang`` is missing.
        NotBuilt: The compiler fails.
    """
    sources = native_sources.digest()
    built = native_sources.web_file(sources)
    if built.exists():
        return built.read_bytes()
    kept = cache.get(sources, _KIND)
    return bytes(kept) if kept else _compiled(sources)


def is_compiled() -> bool:
    """Whether the library is there, in the package or in the cache."""
    sources = native_sources.digest()
    return native_sources.web_file(sources).exists() or cache.get(sources, _KIND) is not None


def _compiled(sources: str) -> bytes:
    optional_package("ziglang", "the first page", "aspgames[page]")
    with TemporaryFolder() as folder:
        output = Path(folder, "kernel.wasm")
        command = native_sources.web_command([sys.executable, "-m", "ziglang", "cc"], output)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise NotBuilt(f"zig can't compile the kernel for pages: {done.stderr.strip()[-300:]}")
        found = output.read_bytes()
    cache.put(sources, _KIND, found)
    return found
