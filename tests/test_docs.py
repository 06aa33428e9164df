"""Every command and every Python block shown in README and docs is run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers import matches_snapshot

import aspgames

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "encodings/README.md", *sorted((ROOT / "docs").glob("*.md"))]
# The README's two set-up commands make an environment each; .ci/run runs them, word for word.
SET_UP = "python3 -m venv"


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)


def commands() -> Iterator[object]:
    for page in PAGES:
        shown = "".join(blocks(page, "sh")).splitlines()
        shown += re.findall(r"^ {4}(aspgames .*)", page.read_text(), re.MULTILINE)
        for command in shown:
            if not command.startswith(SET_UP):
                yield pytest.param(command, id=f"{page.parent.name}/{page.name}: {command[:60]}")


@pytest.mark.parametrize("command", list(commands()))
def test_a_command_shown_runs(command: str) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    run = subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout
    assert '"error"' not in run.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_python_shown_runs(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    for code in blocks(page, "python"):
        exec(compile(code, str(page), "exec"), {})


def test_the_readme_has_two_set_up_commands_and_ci_runs_them() -> None:
    readme = (ROOT / "README.md").read_text()
    found = [line for line in readme.splitlines() if line.startswith(SET_UP)]
    assert len(found) == 2
    assert "aspgames solve" in found[0]
    assert "pytest" in found[1]
    assert readme.index(found[1]) < readme.index("## "), "they belong on the first screen"
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
