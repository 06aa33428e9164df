"""``aspgames table``: made, interrupted and continued, checked, refused."""

import json
import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aspgames
from aspgames.cli.work_options import continued_later
from aspgames.propnet.value_induction import UNKNOWN
from aspgames.runtime.errors import OutOfTime
from aspgames.solver.table import enumeration, induction
from aspgames.solver.table.lookup import Table
from aspgames.solver.table.table_file import TableHeader, write
from aspgames.solver.table.table_maker import make_table
from cli_helpers import TIMEOUT, Call, Run, assert_refused, check, run, started
from faults import full_disk, killed
from helpers import Stopping
from paths import ROOT

pa = pytest.importorskip("pyarrow")

SLIDING = ROOT / "tests/data/sliding.lp"
SLID = "cell(1,1,4) cell(1,2,3) cell(2,2,1) cell(3,1,5) cell(3,2,2)"
slow = pytest.mark.slow
SMALL = ("breakthrough", "-c", "width=2", "-c", "height=4")


def content(path: Path) -> tuple[object, ...]:
    table = Table(path)
    states, values = zip(*table.parts(), strict=True)
    return table.about, np.concatenate(states).tobytes(), np.concatenate(values).tolist()


@pytest.fixture
def table(call: Call, folder: Path) -> Path:
    """A small table, in the commands' folder."""
    assert call("table", *SMALL, "-o", "small.arrow").code == 0
    return folder / "small.arrow"


def rewrite(path: Path, about: TableHeader, states: Any, values: Any) -> None:
    """Replace a table that is mapped into memory."""
    other = path.with_name("other")
    write(other, about, iter([(states, values)]))
    other.replace(path)


def test_what_is_printed(call: Call, folder: Path) -> None:
    made = call("table", *SMALL, "--no-symmetries", "-o", "small.arrow")
    assert made.out.startswith(
        "646 states, 906 moves; best play from here:\n"
        "white 0, black 100 after 8 plies\n"
        "best: a2xb3, b2xa3\n"
        "small.arrow: "
    )
    assert not (folder / "small.arrow.work").exists()
    printed = check(call("table", *SMALL, "-o", "small.arrow", "--json").json, "table")
    assert (printed["states"], printed["symmetries"]) == (326, 2)
    assert printed["best"] == ["move(1,2,2,3)", "move(2,2,1,3)"]
    assert printed["bytes"] == (folder / "small.arrow").stat().st_size
    checked = call("table", "--verify", "small.arrow", "--samples", "20")
    assert checked.out == "Verified: 21 of 326 states are right\n"
    whole = check(call("table", "--verify", "small.arrow", "--whole", "--json").json, "table")
    assert (whole["checked"], whole["states"]) == (326, 326)


def test_a_position(call: Call, folder: Path) -> None:
    made = call("table", *SMALL, "1p/P1/2/2 w", "-o", "end.arrow").out
    assert made.startswith("3 states, 2 moves; best play from here:\nwhite 100, black 0 after 1 pl")
    assert len(Table(folder / "end.arrow")) == 3


@pytest.mark.parametrize("how", [[], ["--whole"]])
def test_a_wrong_state_is_found(call: Call, table: Path, how: list[str]) -> None:
    good = Table(table)
    states, values = next(good.parts())
    place = next(n for n, v in enumerate(values.tolist()) if v & 0xFFFF == 3)
    values[place] += 2
    rewrite(table, good.about, states, values)
    found = call("table", "--verify", "small.arrow", *how, "--json")
    assert found.code == 1
    assert "white" in check(found.json, "table")["reason"]
    rewrite(table, replace(good.about, states=325), states[1:], values[1:])
    assert call("table", "--verify", "small.arrow", "--whole").out.startswith("Rejected: ")


def test_what_is_refused(call: Call, table: Path) -> None:
    other = ("solve", "breakthrough", "startpos", "--attacker", "white", "--goal", "win")
    assert_refused(call(*other, "--table", "small.arrow"), "height=4, width=2", "height=8, width=8")
    ask = ("solve", *SMALL, "startpos", "--attacker", "white", "--table")
    assert_refused(call(*ask, "small.arrow", "--goal", "trap"), "a table answers the goal win only")
    assert_refused(call(*ask, "small.arrow", "--goal", "win", "--together"), "is no search")
    assert_refused(call(*ask, "small.arrow", "--goal", "win", "--resume", "x"), "is no search")
    assert_refused(call("solve", "--puzzles", "-", "--table", "missing"), "can't be opened")
    assert_refused(call(*ask, "none.arrow", "--goal", "win"), "none.arrow can't be opened")
    assert_refused(call("table", *SMALL), "-o FILE")
    assert_refused(call("table", *SMALL, "-o", "no/where"), "no/where", "No such file")
    assert_refused(call("table", *SMALL, "-o", "."), "Is a directory")
    assert_refused(call("table", *SMALL, "-o", "x", "--whole"), "go with --verify")
    assert_refused(call("table", *SMALL, "-o", "x", "--memory", "0"), "above zero")
    assert_refused(call("table", "--verify", "small.arrow", "-o", "x"), "neither POSITION nor -o")
    rules = ROOT / "encodings/gallery/rock_paper_scissors.lp"
    assert_refused(call("table", str(rules), "-o", "x"), "one role at a time")
    assert not list(table.parent.glob("x*"))


def test_a_proof_is_made_from_a_table(call: Call, table: Path) -> None:
    ask = ("solve", *SMALL, "startpos", "--attacker", "black", "--goal", "win")
    files = ("--certificate", "proof.json", "--html", "proof.html")
    found = call(*ask, "--table", table.name, *files, "--all-lines", "--json")
    known = call(*ask, "--all-lines", "--json")
    assert (found.code, known.code) == (0, 0)
    told, same = json.loads(found.out), json.loads(known.out)
    for key in ("verdict", "distance", "keys", "tree"):
        assert told[key] == same[key]
    assert "Verified: black can win in 4" in call("verify", "proof.json").out
    assert "4 turns" in (table.parent / "proof.html").read_text()
    first = json.loads(call(*ask, "--table", table.name, "--first", "--json").out)
    assert (first["verdict"], first["distance"], first["first"]) == ("forced", None, True)


def test_a_file_of_puzzles_is_answered_by_a_table(call: Call, table: Path) -> None:
    puzzle = {"game": "breakthrough", "const": {"width": 2, "height": 4}, "position": "startpos"}
    wins = [puzzle | {"attacker": side, "goal": "win"} for side in ("white", "black")]
    puzzles = [*wins, puzzle | {"attacker": "black", "goal": "trap"}, {"game": "skirmish"}]
    (table.parent / "puzzles.jsonl").write_text("\n".join(map(json.dumps, puzzles)))
    found = call("solve", "--puzzles", "puzzles.jsonl", "--table", table.name)
    known = call("solve", "--puzzles", "puzzles.jsonl")
    assert (found.code, known.code) == (2, 2)
    told, same = (each.lines for each in (found, known))
    assert [answer.get("verdict") for answer in told] == ["not_forced", "forced", None, None]
    for key in ("distance", "keys", "within"):
        assert [answer.get(key) for answer in told[:2]] == [each.get(key) for each in same[:2]]
    assert told[2]["error"] == "line 3: a table answers the goal win only, not trap"
    assert told[3] == same[3]


@slow
def test_workers_ask_a_table(table: Path) -> None:
    puzzle = {"game": "breakthrough", "const": {"width": 2, "height": 4}, "position": "startpos"}
    puzzles = [puzzle | {"attacker": "black", "goal": "win", "within": k} for k in range(6)]
    (table.parent / "puzzles.jsonl").write_text("\n".join(map(json.dumps, puzzles)))
    asked = ("solve", "--puzzles", "puzzles.jsonl", "--table", table.name, "--workers", "2")
    found = run(*asked, cwd=table.parent)
    assert found.code == 0
    verdicts = [line["verdict"] for line in found.lines]
    assert verdicts == ["not_forced"] * 4 + ["forced"] * 2


def test_files_that_are_no_tables(call: Call, table: Path) -> None:
    table.write_bytes(table.read_bytes()[:-1])
    assert_refused(call("table", "--verify", "small.arrow"), "isn't a complete table")
    schema = pa.schema([("a", pa.int8())])
    with table.open("wb") as sink, pa.ipc.new_file(sink, schema):
        pass
    assert_refused(call("table", "--verify", "small.arrow"), "another program wrote it")


def test_a_table_of_other_rules_is_refused(call: Call, folder: Path) -> None:
    rules = folder / "tictactoe.lp"
    assert call("table", "tictactoe.lp", "-o", "t.arrow").code == 0
    rules.write_text(rules.read_text().replace("goal(R,50)", "goal(R,40)"))
    assert_refused(call("table", "--verify", "t.arrow"), "with other rules of tictactoe")


def test_work_goes_on_where_it_stopped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enumeration, "CHUNK", 200)
    rooms = [60_000, 10_000_000]
    start = aspgames.load("breakthrough", width=2, height=5).initial
    make_table(start, folder / "whole", threads=1)
    stops = 0
    while True:
        try:
            budget = Stopping(16)  # enough to read the net, and for a few steps
            room = rooms[stops % len(rooms)]
            make_table(start, folder / "table", threads=1, most_bytes=room, budget=budget)
            break
        except OutOfTime:
            stops += 1
    assert stops >= 2
    assert content(folder / "table") == content(folder / "whole")


@pytest.mark.parametrize("ends", ["over", "killed"])
@pytest.mark.parametrize("game", ["breakthrough", "sliding"])
def test_values_are_not_looked_for_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, game: str, ends: str
) -> None:
    """No single run has enough steps for all values."""
    for name in ("BLOCK", "SMALL_BLOCK"):
        monkeypatch.setattr(induction, name, 100)
    start = aspgames.load("breakthrough", width=2, height=5).initial
    if game == "sliding":
        start = aspgames.load(SLIDING).position(SLID)
    steps: list[str] = []
    make_table(start, folder / "whole", threads=1, progress=steps.append)
    valued = [step for step in steps if "Valuing states" in step]
    assert len(valued) > 50

    most, known = len(valued) // 3, list[int]()

    def run(step: Callable[[], object]) -> None:
        def told(text: str) -> None:
            if "Valuing states" in text:
                step()

        make_table(start, folder / "table", threads=1, progress=told)

    def is_over() -> bool:
        left = iter(range(most))
        try:
            run(lambda: next(left))
        except StopIteration:
            return True
        return False

    while killed(most, run) if ends == "killed" else is_over():
        found = np.fromfile(folder / "table.work/induced", np.uint32)
        known.append(int((found != UNKNOWN).sum()))
        assert len(known) < len(valued)
    assert len(known) >= 2
    assert known == sorted(known)
    assert content(folder / "table") == content(folder / "whole")


def test_nothing_is_lost_when_the_process_is_killed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(enumeration, "CHUNK", 50)
    monkeypatch.setattr(enumeration, "NOTED", 0.0)
    start = aspgames.load("breakthrough", width=2, height=5).initial
    make_table(start, folder / "whole", threads=1)
    for steps in (3, 20):
        assert killed(
            steps, lambda step: make_table(start, folder / "table", threads=1, progress=step)
        )
    note = json.loads((folder / "table.work/note.json").read_text())
    assert 0 < note["enumeration"]["expanded"] < 5654
    make_table(start, folder / "table", threads=1)
    assert content(folder / "table") == content(folder / "whole")
    assert not (folder / "table.work").exists()


@slow
def test_a_full_disk(call: Call, folder: Path) -> None:
    made = ("table", "breakthrough", "-c", "width=3", "-c", "height=4", "-o", "t.arrow")
    for size in (20_000, 150_000):  # for the states, and for the table
        with full_disk(size):
            done = call(*made)
        assert done.code == 3
        assert done.err.startswith("aspgames: the disk is full, or a file may not grow")
        assert done.err.count("\n") == 1
        assert not (folder / "t.arrow").exists()
    assert call(*made).code == 0
    assert call("table", "--verify", "t.arrow", "--whole").code == 0


@slow
def test_two_processes_are_not_at_the_same_work(folder: Path) -> None:
    start = aspgames.load("breakthrough", width=2, height=4).initial
    others: list[Run] = []

    def meanwhile(_text: str) -> None:
        if not others:
            others.append(run("table", *SMALL, "-o", "t.arrow", cwd=folder))

    make_table(start, folder / "t.arrow", progress=meanwhile)
    assert_refused(others[0], "another process is at work on this table")


def test_other_work_is_left_alone(call: Call, folder: Path) -> None:
    (folder / "t.arrow.work").mkdir()
    (folder / "t.arrow.work/precious").touch()
    assert_refused(call("table", *SMALL, "-o", "t.arrow"), "t.arrow.work is in the way")
    note = {"task": {"game": "another"}}
    (folder / "t.arrow.work/note.json").write_text(json.dumps(note))
    assert_refused(call("table", *SMALL, "-o", "t.arrow"), "unfinished work on another table")
    assert (folder / "t.arrow.work/precious").exists()


@slow
def test_ctrl_c_and_the_limit_on_time(folder: Path) -> None:
    game = "connect_four"
    made = ("table", game, "-c", "width=5", "-c", "height=4", "-o", "t.arrow", "--threads", "1")
    process = started(*made, cwd=folder, start_new_session=True)
    rows = folder / "t.arrow.work/rows"
    while not rows.exists() or rows.stat().st_size < 100_000:
        time.sleep(0.05)
        assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=TIMEOUT)[1] == b"aspgames: interrupted\n"
    assert process.returncode == 130
    note = json.loads((folder / "t.arrow.work/note.json").read_text())["enumeration"]
    assert note["expanded"] > 0
    done = run(*made, cwd=folder)
    assert done.out.startswith("1,974,174 states that are not mirror images (2 symmetries)"), done
    # This board has hundreds of millions of states, so no computer is done within the limit.
    over = run(
        "table", game, "-c", "width=6", "-c", "height=5", "-o", "o.arrow", "--time", "1", cwd=folder
    )
    assert (over.code, over.out) == (3, "")
    assert "the same command continues" in over.err


def test_the_machine_plays_by_a_table(call: Call, table: Path) -> None:
    del table
    played = call("match", *SMALL, "--table", "small.arrow", "--json", stdin=b"a2xb3\n")
    events = played.lines
    move = next(event for event in events if event.get("by") == "table")
    check(move, "match_event")
    assert "a4xb3" in move["text"]
    refused = call("match", *SMALL, "--table", "small.arrow", "--against", "random")
    assert_refused(refused, "one opponent, not --against and --table")


def test_a_stopped_run_tells_what_is_known() -> None:
    stopped = OutOfTime("over")
    stopped.add_note("expected goals: white from 1 to 2")
    said = r"within 3 seconds: .* here; expected goals: white from 1 to 2"
    with pytest.raises(OutOfTime, match=said), continued_later(3):
        raise stopped
