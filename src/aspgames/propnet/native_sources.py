"""The C sources of the kernel, and the files that are built from them.

The build runs this file by its path, where nothing else of the package can be imported.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

FOLDER = Path(__file__).with_name("native")
"""The folder of the sources, and of the files built from them."""

HEADER = "aspgames.h"
BINDING = ".binding"
"""The suffix of the generated Python module; tools that check all ``.py`` files pass it over."""
SUFFIX = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")


def source_files(*suffixes: str) -> list[Path]:
    """The sources with one of these suffixes, sorted by name."""
    return sorted(
        (path for path in FOLDER.iterdir() if path.suffix in suffixes), key=lambda path: path.name
    )


def digest() -> str:
    """A digest of the sources. The library carries the digest of those it was built from."""
    summed = hashlib.sha256()
    for path in source_files(".c", ".h"):
        content = path.read_bytes()
        summed.update(f"{path.name}\0{len(content)}\0".encode())
        summed.update(content)
    return summed.hexdigest()


def built_files(sources: str) -> tuple[Path, Path]:
    """The library and its Python binding for the sources with this digest.

    Kernels of several digests lie side by side, so changing branches rebuilds nothing.
    """
    stem = f"kernel-{sources[:16]}"
    return FOLDER / f"{stem}{SUFFIX}", FOLDER / f"{stem}{BINDING}"
