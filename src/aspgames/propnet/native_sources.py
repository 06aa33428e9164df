"""The C sources of the kernel, and the files that are built from them.

The build runs this file by its path, so it must not import other parts of the package.
"""

import hashlib
import re
import sys
from pathlib import Path

FOLDER = Path(__file__).with_name("native")
"""The folder of the sources, and of the files built from them."""

HEADER = "aspgames.h"
BINDING = ".binding"
"""The suffix of the generated Python module; tools that check ``.py`` files skip it."""
STATES = ".states"
"""The suffix of the extension module, which is no kernel."""
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


def states_file(sources: str) -> Path:
    """The extension module of ``states.py.c``, for the sources with this digest."""
    return built_files(sources)[0].with_suffix(STATES)


def web_file(sources: str) -> Path:
    """The library as WebAssembly, for the sources with this digest."""
    return built_files(sources)[0].with_suffix(".wasm")


def web_command(compiler: list[str], output: Path) -> list[str]:
    """The command that makes ``output``, with zig as the compiler.

    A page calls the functions of these files. The linker leaves out what they don't need.
    """
    files = [FOLDER / name for name in ("single.c", "games.inc.c", "search.inc.c", "walk.inc.c")]
    header = (FOLDER / HEADER).read_text(encoding="utf-8")
    varied = re.findall(r"NAME\((aspgames_(?:games|search|worker|walk)_\w+)\)", header)
    called = {*re.findall(r"\b(aspgames_single_\w+)\(", header), *(f"{n}_base" for n in varied)}
    flags = "-target wasm32-wasi -mexec-model=reactor -O3 -msimd128 -std=gnu11 -DNDEBUG -w -s"
    exports = [f"-Wl,--export={name}" for name in sorted(called | {"malloc", "free"})]
    return [*compiler, *flags.split(), *exports, "-o", str(output), *map(str, files)]
