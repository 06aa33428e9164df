"""The C sources of the library, and the digest by which Python and the library know each other.

Whoever builds runs this file by its path, where nothing else of the package can be imported.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

FOLDER = Path(__file__).with_name("native")
"""Where the sources lie, and the library built from them."""

SUFFIX = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
LIBRARY = FOLDER / f"kernel{SUFFIX}"


def files(*suffixes: str) -> list[Path]:
    """The sources with one of these suffixes, in the order of their names."""
    return sorted(
        (path for path in FOLDER.iterdir() if path.suffix in suffixes), key=lambda path: path.name
    )


def digest() -> str:
    """The same for the same sources: the library carries that of those it was built from."""
    summed = hashlib.sha256()
    for path in files(".c", ".h"):
        content = path.read_bytes()
        summed.update(f"{path.name}\0{len(content)}\0".encode())
        summed.update(content)
    return summed.hexdigest()
