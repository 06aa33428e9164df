"""The command line in this process, a browser, and a new cache for each test run."""

import gc
import io
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

import thoroughly
from aspgames.cli import main
from cli_helpers import FILES, Call, Run

# More threads than one only wait for each other: arrays are small, and each core has a worker.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

# Thousands of objects stay: what pytest collects, and the games. See cli/start.py, too.
gc.set_threshold(50_000)


def pytest_configure(config: pytest.Config) -> None:
    thoroughly.CHOSEN = config.getoption("--thorough")
    # No test asserts a time, and a busy machine is no failure.
    hypothesis.settings.register_profile(
        "aspgames", deadline=None, max_examples=thoroughly.amount(40, 400)
    )
    hypothesis.settings.load_profile("aspgames")
    # Here, not in every worker at the same time.
    if "PYTEST_XDIST_WORKER" in os.environ:
        return
    # The workers use this folder, too.
    folder = tempfile.mkdtemp(prefix="aspgames-")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    os.environ["ASPGAMES_CACHE"] = folder
    # Tests start hundreds of processes, which must not all compile their imports again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--must-run",
        action="append",
        default=[],
        metavar="WORD",
        help="fail if a test is skipped for a reason that has this word in it",
    )
    parser.addoption(
        "--thorough",
        action="store_true",
        help="look at all cases of long tests, not at a sample: takes hours",
    )
    parser.addoption(
        "--part",
        type=thoroughly.part,
        default=(0, 1),
        metavar="K/N",
        help="run the Kth of N parts of the tests, drawn by their names",
    )
    parser.addoption(
        "--package-times",
        action="store_true",
        help="print the time that the tests of each package take, added up over all workers",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out all parts but one, and without ``--thorough`` slow cases of some tests."""
    left_out = set(thoroughly.left_out(items))
    thoroughly.make_slow(items)
    left_out |= thoroughly.other_parts(items, *config.getoption("--part"))
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]


def pytest_collection_finish() -> None:
    """Leave the hundred thousands of objects of pytest's own to no later search for garbage."""
    gc.freeze()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Count skipped tests by the reason: a test that can't run shows nothing."""
    for reason, tests in skipped(terminalreporter).most_common():
        terminalreporter.write_line(f"{tests} skipped: {reason}")
    if terminalreporter.config.getoption("--package-times"):
        for package, seconds in package_times(terminalreporter).most_common():
            terminalreporter.write_line(f"{seconds:7.1f} s  {package}")


def package_times(reporter: Any) -> Counter[str]:
    """The seconds of all tests of each package: ``tests/game`` and ``src/aspgames/game``."""
    found: Counter[str] = Counter()
    for report in (each for reports in reporter.stats.values() for each in reports):
        folders = Path(getattr(report, "nodeid", "").partition("::")[0]).parts
        if package := folders[1:2] if folders[:1] == ("tests",) else folders[2:3]:
            found[package[0]] += getattr(report, "duration", 0.0)  # type: ignore[assignment]
    return found


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail if a test that must run was skipped."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    for word in session.config.getoption("--must-run"):
        if reporter and any(word in reason for reason in skipped(reporter)):
            reporter.write_line(f"\nskipped, though it must run: {word}", red=True)
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def skipped(reporter: Any) -> Counter[str]:
    """The reasons of the skipped tests."""
    reports = reporter.stats.get("skipped", [])
    return Counter(str(report.longrepr[2]).removeprefix("Skipped: ") for report in reports)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory: a new one with all of ``FILES``, and a folder that looks like one."""
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder.lp").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a cache that is this test's own; nothing is there at first."""
    monkeypatch.setenv("ASPGAMES_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


@pytest.fixture
def call(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    """The command line in this process, in ``folder``."""
    assert folder.is_dir()

    def run_here(*arguments: str, stdin: bytes = b"") -> Run:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        captured = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return Run(ended.value.code, captured.out, captured.err)

    return run_here


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """The distribution's Chromium, without access to its maker's servers; skips without it."""
    sync_api = pytest.importorskip("playwright.sync_api")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("there is no chromium")
    quiet = ("quic", "background-networking", "component-update", "sync", "gpu")
    options = ["--no-sandbox", "--no-first-run", *(f"--disable-{what}" for what in quiet)]
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=options)
        yield running
        running.close()


@pytest.fixture
def offline(browser: Any) -> Iterator[Any]:
    """Opens files without a network; in the end nothing may have gone wrong or out."""
    opened: list[tuple[Any, list[str]]] = []

    def open_file(file: Path, **options: Any) -> tuple[Any, list[str]]:
        trouble: list[str] = []
        page = browser.new_context(offline=True, **options).new_page()
        opened.append((page, trouble))
        page.on("console", lambda message: trouble.append(message.text))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("request", lambda request: trouble.append(request.url))
        page.goto(file.as_uri())
        assert trouble == [file.as_uri()]
        trouble.clear()
        return page, trouble

    yield open_file
    for page, trouble in opened:
        assert trouble == []
        page.context.close()
