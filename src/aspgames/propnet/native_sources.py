"""The C sources of the kernel, and the files that are built from them.

The build runs this file by its path, so it must not import other parts of the package.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

FOLDER = Path(__file__).with_name("native")
"""The folder of the sources, and of the files built from them."""

HEADER = "aspgames.h"
BINDING = ".binding"
"""The suffix of the generated Python module; tools that check ``.py`` files skip it."""
SUFFIX = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")


def source_files(*suffixes: str) -> list[Path]:
    """The sources with one of these suffixes, sorted by name."""
    return sorted(
        (path for path in FOLDER.iterdir() if path.suffix in suffixes), key=lambda path: path.name
    )


def digest() -> str:
    """A digest of the sources. The library contains the digest of its own sources."""
    summed = hashlib.sha256()
    for path in source_files(".c", ".h"):
        content = path.read_bytes()
        summed.update(f"{path.name}\0{len(content)}\0".encode())
        summed.update(content)
    return summed.hexdigest()


def built_files(sources: str) -> tuple[Path, Path]:
    """The library and its Python binding for the sources with this digest.

    Kernels with different digests are kept side by side, so a change of branch rebuilds nothing.
    """
    stem = f"kernel-{sources[:16]}"
    return FOLDER / f"{stem}{SUFFIX}", FOLDER / f"{stem}{BINDING}"
