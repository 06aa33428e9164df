"""Every command and every block of code in README and docs runs and prints what the page shows."""

import doctest
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import aspgames
from cli_helpers import Call, Run
from helpers import matches_snapshot
from paths import ROOT
from thoroughly import amount

PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "encodings/README.md")),
    *(ROOT / name for name in ("benchmarks/README.md", "examples/puzzles/README.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
# The README's two set-up commands make an environment each. .ci/run runs them word for word.
SET_UP = "python3 -m venv"
# test_examples.py runs the commands of the puzzles and checks more.
TESTED_ELSEWHERE = ROOT / "examples/puzzles/README.md"
# Minutes of work. test_cli_solve.py solves a sample of the problems, and the site has the book.
LONG = (
    "aspgames solve --puzzles examples/puzzles/fairy_problems.jsonl",
    "aspgames book examples/puzzles/chess_problems.jsonl",
)


def run_late(page: Path) -> tuple[pytest.MarkDecorator, ...]:
    """Running all pages takes too long for the fast tests: they run the README only."""
    return () if page == PAGES[0] else (pytest.mark.slow,)


each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
each_page_run = pytest.mark.parametrize(
    "page",
    [pytest.param(page, id=str(page.relative_to(ROOT)), marks=run_late(page)) for page in PAGES],
)


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)


def commands() -> Iterator[object]:
    """Each command, and its output if a block of text right below shows it."""
    shown = r"^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```)?|^ {4}(aspgames [^\n]*)"
    for page in PAGES:
        if page == TESTED_ELSEWHERE:
            continue
        for block in re.finditer(shown, page.read_text(), re.MULTILINE | re.DOTALL):
            lines, output, indented = block.groups()
            for command in (lines or indented).splitlines():
                if not command.startswith(SET_UP):
                    name = f"{page.relative_to(ROOT)}: {command[:60]}"
                    marks = [*run_late(page), *[pytest.mark.sample(0)] * command.startswith(LONG)]
                    yield pytest.param(command, output or "...\n", id=name, marks=marks)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that looks like the repository, in which commands may write files."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    for entry in ROOT.iterdir():
        (folder / entry.name).symlink_to(entry)
    programs = str(Path(sys.executable).parent)
    monkeypatch.setenv("PATH", programs, prepend=os.pathsep)
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(("command", "shown"), list(commands()))
def test_a_command_shown_runs(
    call: Call,
    checkout: Path,
    command: str,
    shown: str,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    words = shlex.split(command)
    if "[README.md" in request.node.name:  # its first command installs no extras
        for package in ("pyffish", "pyspiel", "resvg_py"):
            monkeypatch.setitem(sys.modules, package, None)
    if words[0] == "aspgames" and not {"|", "&&"} & set(words):
        run = call(*words[1:])
    else:
        done = subprocess.run(
            ["bash", "-c", command], cwd=checkout, capture_output=True, text=True, check=False
        )
        run = Run(done.returncode, done.stdout, done.stderr)
    assert run.code == 0, run.err
    assert run.out
    assert '"error"' not in run.out
    alike = doctest.OutputChecker().check_output(shown, run.out, doctest.ELLIPSIS)
    assert alike, f"{command}\nprints\n{run.out}\nand not\n{shown}"


@each_page_run
@pytest.mark.usefixtures("checkout")
def test_python_shown_runs(page: Path) -> None:
    for code in blocks(page, "python"):
        exec(compile(code, str(page), "exec"), {})


@each_page
def test_a_python_session_shown_is_true(page: Path) -> None:
    for session in blocks(page, "pycon"):
        pytest.importorskip("pyspiel" if "openspiel" in session else "aspgames")
        test = doctest.DocTestParser().get_doctest(session, {}, page.name, str(page), 0)
        failed, tried = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
        assert tried
        assert not failed


@pytest.mark.slow
def test_each_game_shown_is_one_without_warnings(tmp_path: Path) -> None:
    shown = blocks(ROOT / "docs/write_a_game.md", "lp")
    assert shown[0] == (ROOT / "examples/konane.lp").read_text()
    for number, rules in enumerate(shown):
        file = tmp_path / f"game_{number}.lp"
        file.write_text(rules)
        report = aspgames.check(str(file), amount(4, 20))
        assert report.verdict == "game", rules
        assert not [f for f in report.findings if f.severity != "note"], rules


@each_page
def test_nothing_shown_is_left_out(page: Path) -> None:
    """No test runs blocks in other languages. test_crosscheck.py runs ``js``."""
    text = page.read_text()
    languages = set(re.findall(r"^```([^\n]*)\n.*?^```$", text, re.MULTILINE | re.DOTALL))
    assert languages <= {"sh", "python", "pycon", "json", "js", "lp", "text"}
    for code in blocks(page, "json"):
        json.loads(code)


def test_the_readme_has_two_set_up_commands_and_ci_runs_them() -> None:
    readme = (ROOT / "README.md").read_text()
    found = [line for line in readme.splitlines() if line.startswith(SET_UP)]
    assert len(found) == 2
    assert "aspgames solve" in found[0]
    assert "pytest" in found[1]
    assert readme.index(found[1]) < readme.index("## "), "they belong on the first screen"
    assert len(readme.splitlines()) <= 110
    script = (ROOT / ".ci/run").read_text()
    assert "readme_command 1" in script
    assert "readme_command 2" in script


def test_the_readme_shows_the_position_of_its_first_command() -> None:
    readme = (ROOT / "README.md").read_text()
    command = next(line for line in readme.splitlines() if line.startswith(SET_UP))
    ((name, position),) = re.findall(r'solve (\w+) "([^"]+)"', command)
    state = aspgames.load(name).position(position)
    assert 'src="docs/puzzle.svg"' in readme[: readme.index(command)]
    svg = state.svg(theme="auto", arrows=[("d9", "e8")], marked=["d9"], size=400)
    matches_snapshot(svg, ROOT / "docs/puzzle.svg")
    solution = aspgames.solve(state, attacker="white", goal="trap", within=3)
    assert solution.keys_text == solution.line_text[:1]
    for move in solution.line_text:
        assert f"\n{move} " in readme
