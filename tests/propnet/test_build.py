"""The build of the library of C functions, and the errors when it cannot be used."""

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

import hatch_build
from aspgames.propnet import native_library, native_sources
from aspgames.runtime.errors import NotBuilt

HAS_COMPILER = any(shutil.which(name) for name in ("cc", "gcc", "clang"))

load_anew = native_library.load.__wrapped__
variant_anew = native_library.variant.__wrapped__


@pytest.fixture(autouse=True)
def settings_of_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CC", "CFLAGS", "LDFLAGS", "ARCHFLAGS", "MACOSX_DEPLOYMENT_TARGET"):
        monkeypatch.delenv(name, raising=False)


def refusal() -> str:
    """The error of a failed load: one line that tells what to do."""
    with pytest.raises(NotBuilt) as refused:
        load_anew()
    message = str(refused.value)
    assert message.count("\n") == 0
    assert "hatch_build.py" in message
    return message


def program(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_text("#!/bin/sh\necho no such header >&2\nexit 3\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def sources(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A copy of the sources and of the files built from them."""
    folder = tmp_path / "native"
    shutil.copytree(native_sources.FOLDER, folder)
    monkeypatch.setattr(native_sources, "FOLDER", folder)
    return folder


@pytest.mark.parametrize("place", [0, 1])
def test_a_missing_file_and_a_malformed_one(place: int, sources: Path) -> None:
    file = native_sources.built_files(native_sources.digest())[place]
    assert file.parent == sources
    file.unlink()
    assert f"{file} is missing" in refusal()
    file.write_text("not at all")
    assert "can't be loaded" in refusal()


@pytest.mark.parametrize("change", ["content", "another file"])
def test_a_library_of_other_sources(change: str, sources: Path) -> None:
    load_anew()
    before = native_sources.built_files(native_sources.digest())
    if change == "content":
        (sources / "tables.h").write_text("/* changed */\n")
    else:
        (sources / "another.c").write_text("")
    after = native_sources.built_files(native_sources.digest())
    assert set(before).isdisjoint(after)
    assert "is missing" in refusal()
    for old, new in zip(before, after, strict=True):
        shutil.copy(old, new)
    assert "from other sources" in refusal()


def test_a_structure_that_is_laid_out_otherwise(sources: Path) -> None:
    binding = native_sources.built_files(native_sources.digest())[1]
    assert binding.parent == sources
    content = binding.read_text()
    binding.write_text(content.replace("['at', 'item', 'count']", "['at', 'count', 'item']"))
    assert binding.read_text() != content
    assert "lays out its structures otherwise" in refusal()


def test_old_kernels_are_removed_where_there_are_many(tmp_path: Path) -> None:
    suffixes = native_sources.SUFFIX, native_sources.BINDING, native_sources.STATES
    for number in range(hatch_build.MOST_KERNELS + 2):
        for suffix in suffixes:
            file = tmp_path / f"kernel-{number}{suffix}"
            file.touch()
            os.utime(file, (number, number))
    hatch_build.sweep(tmp_path)
    left = {f"kernel-{n}{s}" for n in range(2, hatch_build.MOST_KERNELS + 2) for s in suffixes}
    assert {file.name for file in tmp_path.iterdir()} == left


@pytest.mark.skipif(os.name != "posix", reason="there is no SIGKILL")
def test_a_build_that_is_killed_leaves_no_library(sources: Path) -> None:
    library, binding = native_sources.built_files(native_sources.digest())
    library.unlink()
    script = (
        "import hatch_build, os, signal, sys\n"
        "from pathlib import Path\n"
        "with hatch_build.whole(Path(sys.argv[1])) as written:\n"
        "    written.write_bytes(b'half of it')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = subprocess.run(
        [sys.executable, "-c", script, str(library)],
        cwd=Path(hatch_build.__file__).parent,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL
    assert f"{library} is missing" in refusal()
    (left,) = sources.glob(".[0-9]*")
    hatch_build.sweep(sources)
    assert left.exists(), "another build may still write it"
    os.utime(left, (1, 1))
    hatch_build.sweep(sources)
    assert not left.exists()
    assert binding.exists()


def test_the_kernel_may_be_chosen_among_what_the_processor_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    available = native_library.available_variants()
    monkeypatch.setenv("ASPGAMES_KERNEL", available[0])
    assert variant_anew() == available[0]
    monkeypatch.setenv("ASPGAMES_KERNEL", "mmx")
    with pytest.raises(NotBuilt, match=f"not available: choose {available[0]}"):
        variant_anew()
    monkeypatch.delenv("ASPGAMES_KERNEL")
    assert variant_anew() == available[-1]
    assert available[-1] == native_library.VARIANTS[native_library.load()[1].aspgames_cpu()]


class Moved:
    """The library on a processor with fewer instruction sets."""

    def __init__(self, ffi: Any, built: bytes, level: int) -> None:
        self._built, self._level = ffi.new("char[]", built), level

    def aspgames_variants(self) -> Any:
        return self._built

    def aspgames_cpu(self) -> int:
        return self._level


@pytest.mark.parametrize(
    ("built", "level", "chosen"),
    [
        (b"base avx2 avx512", 2, "avx512"),
        (b"base avx2 avx512", 0, "base"),
        (b"avx2", 2, "avx2"),
        (b"avx2", 1, "avx2"),
        (b"avx2", 0, None),
        (b"avx512", 1, None),
    ],
)
def test_a_library_that_moves_to_another_processor(
    built: bytes, level: int, chosen: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ASPGAMES_KERNEL", raising=False)
    ffi, _ = native_library.load()
    monkeypatch.setattr(native_library, "load", lambda: (ffi, Moved(ffi, built, level)))
    if chosen:
        assert variant_anew() == chosen
        return
    with pytest.raises(NotBuilt, match=r"built for another kind of processor: .*hatch_build\.py"):
        variant_anew()


@pytest.mark.skipif(not HAS_COMPILER, reason="there is no C compiler")
def test_only_what_this_machine_runs_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = hatch_build.compiler()
    monkeypatch.delenv("ASPGAMES_VARIANTS", raising=False)
    best = native_library.VARIANTS[native_library.load()[1].aspgames_cpu()]
    assert hatch_build.variants(compiler) == [best]
    monkeypatch.setenv("ASPGAMES_VARIANTS", "mmx")
    with pytest.raises(hatch_build.BuildFailed, match="has 'mmx': choose from all, base, avx2"):
        hatch_build.variants(compiler)


def test_a_wheel_has_all_instruction_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hatch_build, "architecture", lambda: "x86_64")
    monkeypatch.setenv("ASPGAMES_VARIANTS", "all")
    assert hatch_build.variants(["cc"]) == list(hatch_build.VARIANTS)
    monkeypatch.setenv("ASPGAMES_VARIANTS", "base,avx2")
    assert hatch_build.variants(["cc"]) == ["base", "avx2"]
    built = hatch_build.units(["cc"], ["base", "avx2"])
    assert {"walk_base", "walk_avx2", "single"} <= built.keys()
    assert "walk_avx512" not in built


@pytest.mark.skipif(not Path("/proc/cpuinfo").exists(), reason="the system doesn't say")
def test_the_processor_has_what_the_system_says() -> None:
    flags = Path("/proc/cpuinfo").read_text().split()
    wide = {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"} <= set(flags)
    narrow = {"avx2", "bmi1", "bmi2", "fma", "f16c", "movbe", "popcnt", "abm"} <= set(flags)
    assert native_library.load()[1].aspgames_cpu() == (narrow and 1 + wide)


def test_the_compiler_that_is_asked_for_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "ccache clang-19")
    assert hatch_build.compiler() == ["ccache", "clang-19"]
    monkeypatch.setenv("CC", "ziglang")
    assert hatch_build.compiler() == hatch_build.ziglang()


@pytest.mark.skipif(os.name != "posix", reason="programs are scripts here")
def test_without_a_compiler_the_package_with_one_is_needed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hook = object.__new__(hatch_build.NativeBuildHook)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert hatch_build.compiler() == hatch_build.ziglang()
    assert hook.dependencies() == [hatch_build.ZIGLANG]
    program(tmp_path, "clang")
    assert hatch_build.compiler() == ["clang"]
    assert hook.dependencies() == []


@pytest.mark.skipif(os.name != "posix", reason="programs are scripts here")
def test_a_compiler_that_fails_is_named_with_what_it_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    built = tmp_path / "kernel.so", tmp_path / "kernel.binding"
    monkeypatch.setenv("CC", f"{program(tmp_path, 'mycc')} -v")
    with pytest.raises(hatch_build.BuildFailed, match=r"mycc -v .*\.c(.|\n)*no such header"):
        hatch_build.build(*built)
    monkeypatch.setenv("CC", "nowhere-cc")
    with pytest.raises(hatch_build.BuildFailed, match=r"No such file .*: nowhere-cc "):
        hatch_build.build(*built)
    assert not any(file.exists() for file in built)


@pytest.mark.slow
@pytest.mark.skipif(not HAS_COMPILER, reason="there is no C compiler")
def test_what_is_built_can_be_loaded(monkeypatch: pytest.MonkeyPatch, sources: Path) -> None:
    files = native_sources.built_files(native_sources.digest())
    for file in sources.glob("kernel-*"):
        file.unlink()
    before = set(sources.iterdir()) - {sources / "__pycache__"}
    monkeypatch.setenv("CFLAGS", "-Werror")
    hatch_build.build(*files)
    assert load_anew()[1].aspgames_cpu() == native_library.load()[1].aspgames_cpu()
    assert set(sources.iterdir()) - {sources / "__pycache__"} == {*before, *files}


@pytest.mark.parametrize(
    ("system", "platform", "target"),
    [
        ("linux", "linux-x86_64", "x86_64-linux-gnu.2.17"),
        ("linux", "linux-aarch64", "aarch64-linux-gnu.2.17"),
        ("win32", "win-amd64", "x86_64-windows-gnu"),
    ],
)
def test_zig_is_told_to_build_for_other_machines_than_this(
    system: str, platform: str, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(sysconfig, "get_platform", lambda: platform)
    monkeypatch.setattr(sysconfig, "get_config_var", lambda _: "x86_64-pc-linux-gnu")
    assert hatch_build.target_flags(hatch_build.ziglang()) == ["-target", target]
    assert hatch_build.target_flags(["gcc"]) == []
    flags = hatch_build.units(hatch_build.ziglang(), ["base"]).values()
    assert all(any(flag.startswith("-mcpu=") for flag in each) for each in flags)


def test_macos_says_which_processor_and_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setenv("ARCHFLAGS", "-arch arm64")
    monkeypatch.setenv("MACOSX_DEPLOYMENT_TARGET", "12.0")
    assert hatch_build.target_flags(hatch_build.ziglang()) == ["-target", "aarch64-macos.12.0"]
    assert hatch_build.target_flags(["clang"]) == ["-arch", "arm64"]
    monkeypatch.setenv("ASPGAMES_VARIANTS", "all")
    assert hatch_build.variants(["clang"]) == ["base"]
    monkeypatch.setenv("ARCHFLAGS", "-arch arm64 -arch x86_64")
    with pytest.raises(hatch_build.BuildFailed, match="one processor at a time"):
        hatch_build.target_flags(["clang"])


def test_a_wheel_is_for_a_platform_and_for_any_python() -> None:
    assert hatch_build.wheel_tag("cp312-cp312-macosx_11_0_arm64") == "py3-none-macosx_11_0_arm64"
