"""Answers of another form, and mistakes that no line decides."""

import sys
from pathlib import Path

import pytest

import aspgames
from aspgames.crosscheck.crosscheck_report import finding_text
from cli_helpers import PROGRAM
from crosscheck_helpers import go

ENGINE = """
import json, subprocess, sys
serve = subprocess.Popen({program!r}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
for line in sys.stdin:
    serve.stdin.write(line)
    serve.stdin.flush()
    answer = json.loads(serve.stdout.readline())
    if "legal" in answer:
        {change}
    print(json.dumps(answer), flush=True)
"""
GAME = aspgames.load("breakthrough", width=3, height=4)


def engine(folder: Path, change: str) -> str:
    file = folder / "engine.py"
    file.write_text(ENGINE.format(program=[*PROGRAM, "serve"], change=change))
    return f"cmd:{sys.executable} {file}"


FORMS = {
    "moves": (
        'for moves in answer["legal"].values(): moves[:] = [m.replace("mov", "go") for m in moves]',
        "no rule has a move of the form goe(",
    ),
    "facts": (
        'answer["facts"] = [f.replace("cell", "square") for f in answer["facts"]]',
        "the game has no fluent of the form square(",
    ),
    "sides": ('answer["to_move"] = "W"', "W is not a role; the roles are "),
}


@pytest.mark.parametrize(("change", "said"), FORMS.values(), ids=FORMS)
def test_an_answer_of_another_form(change: str, said: str, tmp_path: Path) -> None:
    result = go(GAME, engine(tmp_path, change), games=3, made=5)
    (finding,) = result.findings
    text = finding_text(result, finding)
    assert f"Form:     {said}" in text
    assert "Decided by" not in text
    assert "By the rules" not in text


GOALS = {
    "one value": 'answer["goals"]["white"] = 50',
    "exchanged": 'answer["goals"] = dict(zip(answer["goals"], reversed(answer["goals"].values())))',
}


@pytest.mark.parametrize("change", GOALS.values(), ids=GOALS)
def test_no_line_decides_what_no_line_says(change: str, tmp_path: Path) -> None:
    result = go(GAME, engine(tmp_path, change), games=20, made=50)
    (finding,) = result.findings
    assert finding.shrunk.kind == "goals"
    assert all("goal(" in deciding.line.rule for deciding in finding.lines)
