"""Builds the library of C functions (src/aspgames/propnet/native) for a wheel, or in place.

With ``$CC``, else ``cc``, ``gcc`` or ``clang`` where there is one, else with the C compiler that
the package ``ziglang`` brings, which is asked for then; ``CC=ziglang`` takes that one in any case.
``$CFLAGS`` and ``$LDFLAGS`` are heeded. After a change in C::

    python hatch_build.py
"""

from __future__ import annotations

import argparse
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
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # Whoever builds in place needs no hatchling.
    BuildHookInterface = object

ROOT = Path(__file__).parent
# By its path: what the package imports isn't there while it is built.
SOURCES = runpy.run_path(str(ROOT / "src/aspgames/propnet/native_sources.py"))

# The versions that were tried.
ZIGLANG = "ziglang>=0.13,<0.18"

FLAGS = ["-O3", "-std=gnu11", "-Wall", "-Wextra", "-fvisibility=hidden"]
CHECKS = "-fsanitize=address,undefined"
SANITIZE = ["-O1", "-g", "-Werror", "-fno-omit-frame-pointer", CHECKS, "-fno-sanitize-recover=all"]

# The files that are compiled once for each instruction set, and how: flags of gcc and clang, and
# what zig calls the processor, which takes no such flags.
VARIED = ("lanes", "search")
AVX2 = ["-mavx2", "-mbmi", "-mbmi2", "-mpopcnt", "-mlzcnt"]
AVX512 = [*AVX2, "-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl"]
VARIANTS = {
    "base": ([], "baseline"),
    "avx2": (AVX2, "x86_64_v3"),
    "avx512": (AVX512, "x86_64_v4"),
}


OTHERWISE = "\n(CC=ziglang takes the compiler of the package ziglang instead)"


class BuildFailed(Exception):
    """The library can't be built; the message names the command and what it said."""


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
    """Whether this is what macOS has instead of a compiler until its developer tools are there."""
    if sys.platform != "darwin" or Path(path).parent != Path("/usr/bin"):
        return False
    return subprocess.run(["xcode-select", "-p"], capture_output=True, check=False).returncode != 0


def is_zig(command: list[str]) -> bool:
    """Whether the command is zig, which speaks of targets and processors in words of its own."""
    return any(Path(word).stem in ("zig", "ziglang") for word in command)


def architecture() -> str:
    """The processor built for, in zig's words; on macOS ``$ARCHFLAGS`` may name another."""
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
    """What the library shall run on: left alone, zig builds for the very machine it is on."""
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
    """What compiling and linking need to be told of the platform."""
    if is_zig(command):
        return zig_target()
    if sys.platform == "darwin":
        return ["-arch", {"aarch64": "arm64"}.get(architecture(), architecture())]
    return []


def run(command: list[str], scratch: Path) -> None:
    """Run a command of the compiler; if it fails, what it said is the error."""
    environment = dict(os.environ)
    if is_zig(command):
        # Of a build, nothing stays behind in the home directory, which there may be none of.
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


def text(value: str) -> str:
    """The value as a C string."""
    return '"' + re.sub(r'["\\]', "", value) + '"'


def build(output: Path, *, sanitize: bool = False) -> None:
    """Compile the sources and link them; the library appears whole or not at all."""
    command = compiler()
    zig = is_zig(command)
    prefix = [*command, *target_flags(command)]
    flags = [*FLAGS, *(SANITIZE if sanitize else ["-DNDEBUG"])]
    if sys.platform != "win32":
        flags.append("-fPIC")
    flags += shlex.split(os.environ.get("CFLAGS", ""))
    shared = ["-shared"]
    if zig:
        shared.append("-mcpu=baseline")
    elif sys.platform == "win32":
        shared.append("-static-libgcc")
    if sanitize:
        shared.append(CHECKS)
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        objects = {str(scratch / f"{name}.o"): rest for name, rest in units(command).items()}
        steps = [[*prefix, *flags, *rest, "-c", "-o", name] for name, rest in objects.items()]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda step: run(step, scratch), steps))

        output.parent.mkdir(parents=True, exist_ok=True)
        # A library in use must not be written to; it is replaced.
        linked = output.with_name(f".{os.getpid()}{output.suffix}")
        mathematics = [] if sys.platform == "win32" else ["-lm"]
        last = [*mathematics, *shlex.split(os.environ.get("LDFLAGS", ""))]
        try:
            run([*prefix, *shared, "-o", str(linked), *objects, *last], scratch)
            linked.replace(output)
        finally:
            linked.unlink(missing_ok=True)


def units(command: list[str]) -> dict[str, list[str]]:
    """What is compiled: a name for each object, and its source with the flags it takes."""
    zig = is_zig(command)
    baseline = ["-mcpu=baseline"] if zig else []
    found: dict[str, list[str]] = {}
    for source in SOURCES["files"](".c"):
        if source.stem in VARIED:
            for variant, (flags, cpu) in VARIANTS.items():
                if variant == "base" or architecture() == "x86_64":
                    chosen = [f"-mcpu={cpu}"] if zig else flags
                    unit = f"{source.stem}_{variant}"
                    found[unit] = [f"-DVARIANT={variant}", *chosen, str(source)]
        else:
            found[source.stem] = [*baseline, str(source)]
    name = "ziglang" if command == ziglang() else Path(command[0]).stem
    found["about"] += [
        f"-DASPGAMES_SOURCES={text(SOURCES['digest']())}",
        f"-DASPGAMES_COMPILER={text(name)}",
    ]
    return found


class NativeBuildHook(BuildHookInterface):
    """What hatchling asks: what is needed to build a wheel, and to build it."""

    scratch: tempfile.TemporaryDirectory[str] | None = None

    def dependencies(self) -> list[str]:
        """The package with a compiler, where there is no other."""
        return [ZIGLANG] if compiler() == ziglang() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the library into the wheel, or in place for an editable install."""
        library = output = SOURCES["LIBRARY"]
        if version != "editable":
            self.scratch = tempfile.TemporaryDirectory()
            output = Path(self.scratch.name) / library.name
        try:
            build(output)
        except BuildFailed as error:
            sys.exit(f"aspgames: {error}")
        if version == "editable":
            return
        build_data["force_include"][str(output)] = f"aspgames/propnet/native/{library.name}"
        build_data["pure_python"] = False
        build_data["tag"] = wheel_tag(self.build_config.builder.get_best_matching_tag())

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """The library is in the wheel now, and needed nowhere else."""
        del version, build_data, artifact_path
        if self.scratch:
            self.scratch.cleanup()


def wheel_tag(own: str) -> str:
    """The tag for any Python 3 on the platform of a tag: the library doesn't know Python's."""
    return f"py3-none-{own.rpartition('-')[2]}"


def main() -> None:
    """Build in place, or where the command line says."""
    parser = argparse.ArgumentParser(description="Build the library of C functions.")
    parser.add_argument("--sanitize", action="store_true", help="with checks of memory, for tests")
    parser.add_argument("--output", type=Path, default=SOURCES["LIBRARY"], metavar="PATH")
    options = parser.parse_args()
    try:
        build(options.output, sanitize=options.sanitize)
    except BuildFailed as error:
        sys.exit(f"aspgames: {error}")


if __name__ == "__main__":
    main()
