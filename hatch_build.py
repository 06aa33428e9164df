"""Builds the library of C functions and its Python binding, for a wheel or in place.

The sources are in ``src/aspgames/propnet/native``. cffi makes the binding from ``aspgames.h``.

The compiler is ``$CC``, else ``cc``, ``gcc`` or ``clang``, else that of the package ``ziglang``,
which then becomes a build dependency. ``CC=ziglang`` always selects ziglang. The flags in
``$CFLAGS`` and ``$LDFLAGS`` come last. ``$ASPGAMES_VARIANTS`` names the instruction sets, as in
``base,avx2`` or ``all``; the default is the best one of this machine. After a change in C::

    python hatch_build.py
"""

from __future__ import annotations

import argparse
import ctypes
import io
import os
import platform
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, redirect_stdout, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # Building in place needs no hatchling.
    BuildHookInterface = object

ROOT = Path(__file__).parent
# Run by its path, since the package's dependencies are missing during the build.
SOURCES = runpy.run_path(str(ROOT / "src/aspgames/propnet/native_sources.py"))

# The tested versions.
ZIGLANG = "ziglang>=0.13,<0.18"

FLAGS = ["-std=gnu11", "-Wall", "-Wextra", "-fvisibility=hidden"]
# gcc's -O3 without its larger limits for functions that aren't marked inline: as fast, and it takes
# a quarter less time to compile.
AS_O3 = "-fvect-cost-model=dynamic -funswitch-loops -fpeel-loops -fsplit-loops -fipa-cp-clone"
AS_O3 += " -ftree-loop-distribution -ftree-partial-pre -fgcse-after-reload"
CHECKS = "-fsanitize=address,undefined"
SANITIZE = ["-O1", "-g", "-Werror", "-fno-omit-frame-pointer", CHECKS, "-fno-sanitize-recover=all"]

# The ``*.inc.c`` that are compiled for each instruction set. Other files include the rest.
VARIED = ("alphabeta", "batch", "games", "search", "successors", "together", "walk")

# Flags of gcc and clang, and zig's name of the processor, since zig takes no such flags.
AVX2 = ["-mavx2", "-mbmi", "-mbmi2", "-mpopcnt", "-mlzcnt"]
AVX512 = [*AVX2, "-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl"]
VARIANTS = {"base": ([], "baseline"), "avx2": (AVX2, "x86_64_v3"), "avx512": (AVX512, "x86_64_v4")}


OTHERWISE = "\n(CC=ziglang takes the compiler of the package ziglang instead)"

MOST_KERNELS = 8  # kept side by side, each for different sources
LONGEST_BUILD = 3600  # [s]


class BuildFailed(Exception):
    """The compiler failed. The message has the command and its output."""


def compiler() -> list[str]:
    """The command that compiles C."""
    chosen = os.environ.get("CC", "").strip()
    if chosen == "ziglang":
        return ziglang()
    if chosen:
        return shlex.split(chosen, posix=os.name == "posix")
    for name in ("cc", "gcc", "clang"):
        if (path := shutil.which(name)) and not is_placeholder(path):
            return [name]
    return ziglang()


def ziglang() -> list[str]:
    """The C compiler of the package ``ziglang``."""
    return [sys.executable, "-m", "ziglang", "cc"]


def is_placeholder(path: str) -> bool:
    """Whether this is macOS's placeholder for a compiler, without its developer tools."""
    if sys.platform != "darwin" or Path(path).parent != Path("/usr/bin"):
        return False
    return subprocess.run(["xcode-select", "-p"], capture_output=True, check=False).returncode != 0


def optimization(command: list[str]) -> list[str]:
    """The flags that optimize; gcc has its own."""
    with suppress(OSError):  # a missing compiler fails later
        shown = subprocess.run([*command, "--version"], capture_output=True, check=False).stdout
        if b"Free Software Foundation" in shown:
            return ["-O2", *AS_O3.split()]
    return ["-O3"]


def is_zig(command: list[str]) -> bool:
    """Whether the command is zig, which has its own names for targets and processors."""
    return any(Path(word).stem in ("zig", "ziglang") for word in command)


def architecture() -> str:
    """zig's name of the target processor; on macOS ``$ARCHFLAGS`` may choose another."""
    if sys.platform == "darwin":
        flags = os.environ.get("ARCHFLAGS", "")
        names = re.findall(r"-arch (\S+)", flags) or [platform.machine()]
        if len(names) > 1:
            raise BuildFailed(f"one processor at a time, not ARCHFLAGS={flags!r}")
        name = names[0]
    else:
        name = sysconfig.get_platform().rpartition("-")[2]
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(name, name)


def zig_target() -> list[str]:
    """zig's flags for the target system. Without them, zig builds for this very machine."""
    if sys.platform == "darwin":
        system = f"macos.{os.environ.get('MACOSX_DEPLOYMENT_TARGET') or '11.0'}"
    elif sys.platform == "win32":
        system = "windows-gnu"
    elif sys.platform == "linux" and architecture() in ("x86_64", "aarch64"):
        musl = "musl" in (sysconfig.get_config_var("HOST_GNU_TYPE") or "")
        system = "linux-musl" if musl else "linux-gnu.2.17"
    else:
        return []
    return ["-target", f"{architecture()}-{system}"]


def target_flags(command: list[str]) -> list[str]:
    """The flags that name the platform, for compiling and linking."""
    if is_zig(command):
        return zig_target()
    if sys.platform == "darwin":
        return ["-arch", {"aarch64": "arm64"}.get(architecture(), architecture())]
    return []


def run(command: list[str], scratch: Path) -> None:
    """Run the compiler. Raises ``BuildFailed`` with its output."""
    environment = dict(os.environ)
    if is_zig(command):
        # zig's caches go into the scratch folder, since there may be no home directory.
        environment.setdefault("ZIG_GLOBAL_CACHE_DIR", str(scratch / "zig"))
        environment.setdefault("ZIG_LOCAL_CACHE_DIR", str(scratch / "zig"))
    shown = shlex.join(command)
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", env=environment, check=False
        )
    except OSError as error:
        raise BuildFailed(f"{error.strerror}: {shown}{OTHERWISE}") from None
    said = (done.stdout + done.stderr).strip()
    if done.returncode:
        raise BuildFailed(f"the C compiler failed ({done.returncode}): {shown}\n{said}{OTHERWISE}")
    if said:
        print(said, file=sys.stderr)


def c_string(value: str) -> str:
    """A value as a C string."""
    return '"' + re.sub(r'["\\]', "", value) + '"'


def declarations() -> str:
    """The header as cffi reads it: no comments, no macros, and each instruction set's functions."""
    header = (SOURCES["FOLDER"] / SOURCES["HEADER"]).read_text()
    code = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)
    code = re.sub(r"^#.*\n", "", code, flags=re.MULTILINE).replace("ASPGAMES_API ", "")

    def each_variant(found: re.Match[str]) -> str:
        whole, name = found[0], found[1]
        return "".join(whole.replace(f"NAME({name})", f"{name}_{each}") for each in VARIANTS)

    return re.sub(r"[^;{}]*\bNAME\((\w+)\)[^;{}]*;", each_variant, code)


def structures(code: str) -> list[tuple[str, list[str]]]:
    """The structures of the header that have members, and the members' names."""
    from cffi import FFI

    ffi = FFI()
    ffi.cdef(code)
    names = [f"struct {name}" for name in re.findall(r"^struct (\w+) {", code, re.MULTILINE)]
    return [(name, [member for member, _ in ffi.typeof(name).fields]) for name in names]


def write_binding(output: Path) -> None:
    """Write the Python module through which cffi calls the library."""
    from cffi import FFI

    code = declarations()
    ffi = FFI()
    ffi.cdef(code)
    ffi.set_source(output.stem, None)
    with redirect_stdout(io.StringIO()):  # cffi says what it writes
        ffi.emit_python_code(str(output))
    with output.open("a") as file:
        file.write(f"STRUCTURES = {structures(code)!r}\n")


def write_layout(output: Path) -> None:
    """Write the C file from which the compiler reports the layout of the structures."""
    numbers = [
        size
        for name, members in structures(declarations())
        for size in (f"sizeof({name})", *(f"offsetof({name}, {member})" for member in members))
    ]
    lines = ",\n    ".join(numbers)
    output.write_text(
        f"""#include "{SOURCES["HEADER"]}"

static const int32_t layout[] = {{
    {lines}
}};

const int32_t *aspgames_layout(int32_t *count)
{{
    *count = sizeof layout / sizeof *layout;
    return layout;
}}
"""
    )


def variants(command: list[str]) -> list[str]:
    """The instruction sets to compile for: ``$ASPGAMES_VARIANTS``, or this machine's best.

    A compiler for other machines builds all. Raises ``BuildFailed`` for an unknown name.
    """
    possible = list(VARIANTS) if architecture() == "x86_64" else ["base"]
    chosen = os.environ.get("ASPGAMES_VARIANTS", "").replace(",", " ").split()
    if unknown := set(chosen) - {*VARIANTS, "all"}:
        names = ", ".join(["all", *VARIANTS])
        raise BuildFailed(f"ASPGAMES_VARIANTS has {min(unknown)!r}: choose from {names}")
    if "all" in chosen or len(possible) == 1:
        return possible
    if chosen:
        return [each for each in possible if each in chosen] or ["base"]
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder, "cpu").with_suffix(SOURCES["SUFFIX"])
        source = str(SOURCES["FOLDER"] / "cpu.c")
        run(
            [*command, *target_flags(command), *linking(command), "-o", str(library), source],
            library.parent,
        )
        try:
            level = ctypes.CDLL(str(library)).aspgames_cpu()
        except OSError:
            return possible
    return [possible[level]]


def linking(command: list[str]) -> list[str]:
    """The flags that make a shared library."""
    flags = ["-shared", *([] if sys.platform == "win32" else ["-fPIC"])]
    if is_zig(command):
        flags.append("-mcpu=baseline")
    elif sys.platform == "win32":
        flags.append("-static-libgcc")
    return flags


def build(output: Path, binding: Path, *, sanitize: bool = False) -> None:
    """Compile and link the library, and write its binding; files appear whole or not at all."""
    command = compiler()
    zig = is_zig(command)
    prefix = [*command, *target_flags(command)]
    flags = [
        *optimization(command),
        *FLAGS,
        f"-I{SOURCES['FOLDER']}",
        *(SANITIZE if sanitize else ["-DNDEBUG"]),
    ]
    if sys.platform != "win32":
        flags.append("-fPIC")
    flags += shlex.split(os.environ.get("CFLAGS", ""))
    shared = linking(command)
    if sanitize:
        shared.append(CHECKS)
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        layout = scratch / "layout.c"
        write_layout(layout)
        chosen = {
            **units(command, variants(command)),
            "layout": [*(["-mcpu=baseline"] if zig else []), str(layout)],
        }
        objects = {str(scratch / f"{name}.o"): rest for name, rest in chosen.items()}
        steps = [[*prefix, *flags, *rest, "-c", "-o", name] for name, rest in objects.items()]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda step: run(step, scratch), steps))

        mathematics = [] if sys.platform == "win32" else ["-lm"]
        last = [*mathematics, *shlex.split(os.environ.get("LDFLAGS", ""))]
        with whole(binding) as written:
            write_binding(written)
        with whole(output) as linked:
            run([*prefix, *shared, "-o", str(linked), *objects, *last], scratch)


def build_states(output: Path, *, sanitize: bool = False) -> bool:
    """Compile the extension module of states; returns whether that is possible here.

    It isn't without Python's headers, on Windows, and for a Python without the stable ABI. Then
    states are Python's own.
    """
    headers = Path(sysconfig.get_path("include"))
    has_abi = sys.implementation.name == "cpython" and not sysconfig.get_config_var(
        "Py_GIL_DISABLED"
    )
    if sys.platform == "win32" or not has_abi or not (headers / "Python.h").exists():
        return False
    command = compiler()
    flags = [f"-I{SOURCES['FOLDER']}", f"-I{headers}", "-fPIC", *FLAGS]
    flags += SANITIZE if sanitize else [*optimization(command), "-DNDEBUG"]
    if sys.platform == "darwin":  # Python itself has what is undefined
        flags.append("-Wl,-undefined,dynamic_lookup")
    source = str(SOURCES["FOLDER"] / "states.py.c")
    prefix = [*command, *target_flags(command), *linking(command), *flags]
    try:
        with tempfile.TemporaryDirectory() as folder, whole(output) as written:
            run([*prefix, "-o", str(written), source], Path(folder))
    except BuildFailed as error:
        print(f"aspgames: states are not compiled: {error}", file=sys.stderr)
        return False
    return True


def build_for_pages(output: Path) -> None:
    """Compile the library as WebAssembly, with the package ``ziglang``."""
    with tempfile.TemporaryDirectory() as folder, whole(output) as written:
        run(SOURCES["web_command"](ziglang(), written), Path(folder))


@contextmanager
def whole(output: Path) -> Iterator[Path]:
    """A temporary path that then replaces a file: a library in use must not be overwritten."""
    output.parent.mkdir(parents=True, exist_ok=True)
    written = output.with_name(f".{os.getpid()}{output.suffix}")
    try:
        yield written
        written.replace(output)
    finally:
        written.unlink(missing_ok=True)


def sweep(folder: Path) -> None:
    """Remove the oldest kernels, except for the newest few, and what a killed build has left."""
    libraries = folder.glob(f"kernel-*{SOURCES['SUFFIX']}")
    newest = sorted(libraries, key=lambda path: path.stat().st_mtime, reverse=True)
    for library in newest[MOST_KERNELS:]:
        kinds = (SOURCES["BINDING"], SOURCES["STATES"])
        for file in (library, *map(library.with_suffix, kinds)):
            with suppress(OSError):  # Windows can't remove a library in use
                file.unlink()
    for file in folder.glob(".[0-9]*.*"):
        with suppress(OSError):
            if file.stat().st_mtime < time.time() - LONGEST_BUILD:
                file.unlink()


def units(command: list[str], chosen: list[str]) -> dict[str, list[str]]:
    """The compilations: for each object's name, its flags and its source.

    ``chosen`` are the instruction sets.
    """
    zig = is_zig(command)
    baseline = ["-mcpu=baseline"] if zig else []
    found: dict[str, list[str]] = {}
    for source in SOURCES["source_files"](".c"):
        stem, _, kind = source.name.partition(".")
        if kind == "inc.c" and stem in VARIED:
            for variant in chosen:
                flags, cpu = VARIANTS[variant]
                unit = f"{stem}_{variant}"
                processor = [f"-mcpu={cpu}"] if zig else flags
                found[unit] = [f"-DVARIANT={variant}", *processor, str(source)]
        elif kind == "c":
            found[stem] = [*baseline, str(source)]
    name = "ziglang" if command == ziglang() else Path(command[0]).stem
    found["about"] += [
        f"-DASPGAMES_SOURCES={c_string(SOURCES['digest']())}",
        f"-DASPGAMES_COMPILER={c_string(name)}",
        f"-DASPGAMES_VARIANTS={c_string(' '.join(chosen))}",
    ]
    return found


class NativeBuildHook(BuildHookInterface):
    """The hook that hatchling calls."""

    scratch: tempfile.TemporaryDirectory[str] | None = None

    def dependencies(self) -> list[str]:
        """The package with a compiler, if there is no other compiler."""
        return [ZIGLANG] if compiler() == ziglang() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build into the wheel, or in place for an editable install."""
        files = list(SOURCES["built_files"](SOURCES["digest"]()))
        if version != "editable":
            self.scratch = tempfile.TemporaryDirectory()
            files = [Path(self.scratch.name) / file.name for file in files]
        try:
            build(*files)
            states = files[0].with_suffix(SOURCES["STATES"])
            if build_states(states):
                files.append(states)
            if version != "editable" and find_spec("ziglang"):
                files.append(files[0].with_suffix(".wasm"))
                build_for_pages(files[-1])
        except BuildFailed as error:
            sys.exit(f"aspgames: {error}")
        if version == "editable":
            return
        for file in files:
            build_data["force_include"][str(file)] = f"aspgames/propnet/native/{file.name}"
        build_data["pure_python"] = False
        build_data["tag"] = wheel_tag(self.build_config.builder.get_best_matching_tag())

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary files after the wheel is written."""
        del version, build_data, artifact_path
        if self.scratch:
            self.scratch.cleanup()


def wheel_tag(own: str) -> str:
    """The tag for any Python 3 on the platform of a tag.

    The kernel knows nothing of Python, and compiled states only the stable ABI. A Python that can't
    load them does without.
    """
    return f"py3-none-{own.rpartition('-')[2]}"


def main() -> None:
    """Build in place."""
    parser = argparse.ArgumentParser(description="Build the library of C functions.")
    parser.add_argument("--sanitize", action="store_true", help="with memory checks, for tests")
    parser.add_argument("--wasm", action="store_true", help="as WebAssembly, for pages")
    options = parser.parse_args()
    files = SOURCES["built_files"](SOURCES["digest"]())
    try:
        if options.wasm:
            build_for_pages(SOURCES["web_file"](SOURCES["digest"]()))
            return
        build(*files, sanitize=options.sanitize)
        build_states(files[0].with_suffix(SOURCES["STATES"]), sanitize=options.sanitize)
    except BuildFailed as error:
        sys.exit(f"aspgames: {error}")
    sweep(files[0].parent)


if __name__ == "__main__":
    main()
