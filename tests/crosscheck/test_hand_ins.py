"""Other rules as an engine: one file, and a folder of hand-ins; and an encoding as one file."""

import json
import re
import subprocess
import sys
from concurrent.futures import Future
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest

import aspgames
from aspgames.crosscheck import hand_ins as module
from aspgames.runtime.errors import Interrupted
from aspgames.runtime.workers.worker_pool import Workers
from cli_helpers import Call, assert_refused, check
from paths import ROOT

CLASS = ROOT / "examples/class"
FEW = ("--games", "2", "--made", "24")


@pytest.fixture
def hand_ins(tmp_path: Path) -> Path:
    folder = tmp_path / "class"
    folder.mkdir()
    for file in (CLASS / "hand_ins").glob("*.lp"):
        (folder / file.name).write_text(file.read_text())
    (folder / "cy" / "old.lp").mkdir(parents=True)
    (folder / "cy.lp").rename(folder / "cy" / "game.lp")
    (folder / "cy" / "._game.lp").write_bytes(b"\0made by an archive")
    (folder / "dora.lp").write_text("This is no program.")
    (folder / "eve.lp").write_text("role(north). role(south). init(p). legal(R,go) :- role(R).")
    (folder / "fay.lp").symlink_to("lost.lp")
    return folder


def test_a_folder_of_hand_ins_is_a_table(call: Call, hand_ins: Path) -> None:
    run = call("crosscheck", str(CLASS / "nudge.lp"), "--against", str(hand_ins), *FEW)
    assert run.code == 1
    ada, ben, cy, dora, eve, fay, _, summary = run.out.splitlines()
    assert ada.startswith("ada.lp      agrees: ")
    assert ben.startswith("ben.lp      has also ")
    assert ben.endswith(" 0  (nudge.lp:18)")
    assert cy == "cy/game.lp  lacks a1, a2, a3: 4/4/4/4 w 0  (nudge.lp:15)"
    assert "dora.lp is no game: " in dora
    assert "dora.lp:1" in dora
    assert "eve.lp has the roles north, south, and not white, black" in eve
    assert "fay.lp" in fay
    assert summary == "1 of 6 files agree with the rules"


@pytest.mark.slow
def test_the_table_of_the_page_for_a_class(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs/class.md").read_text()
    command, shown = re.findall(r"```text\n\$ aspgames (.*)\n([^`]*)```", page)[0]
    monkeypatch.chdir(ROOT)
    assert call(*command.split()).out == shown


@pytest.mark.slow
def test_its_json(call: Call, hand_ins: Path) -> None:
    options = ("--against", str(hand_ins), *FEW, "--json")
    run = call("crosscheck", str(CLASS / "nudge.lp"), *options)
    found = check(run.json, "hand_ins")["hand_ins"]
    assert [row["agree"] for row in found] == [True, *[False] * 5]
    (ben,) = found[1]["result"]["disagreements"]
    assert ben["decided_by"][0]["condition"]


def test_ctrl_c_keeps_the_rows_so_far(
    call: Call, hand_ins: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Here(Workers):
        """This process, with Ctrl-C at the third file."""

        def submit(self, fn: Any, /, *args: Any, **_kwargs: Any) -> Future[Any]:
            if args[2] == "cy/game.lp":
                raise Interrupted
            future: Future[Any] = Future()
            future.set_result(fn(*args))
            return future

    monkeypatch.setattr(module, "Workers", Here)
    report = hand_ins.parent / "report"
    words = ("crosscheck", str(CLASS / "nudge.lp"), "--against", str(hand_ins), *FEW)
    run = call(*words, "--report", str(report))
    assert run.code == 130
    ada, ben, _, summary = run.out.splitlines()
    assert (ada[:6], ben[:6], summary) == ("ada.lp", "ben.lp", "1 of 6 files agree with the rules")
    *shown, kept = report.read_text().splitlines()
    assert "\n".join(shown) == run.out
    assert [row["file"] for row in json.loads(kept)["hand_ins"]] == ["ada.lp", "ben.lp"]
    run = call(*words, "--json")
    assert (run.code, run.json) == (130, json.loads(kept) | {"hand_ins": ANY})
    assert_refused(call(*words, "--resume", "kept"), "are for one engine, not a folder")


@pytest.mark.slow
def test_rules_that_never_end_end_nothing_else(
    call: Call, hand_ins: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_LAST_SECONDS", 8.0)
    endless = hand_ins / "ada_2.lp"
    endless.write_text(
        (hand_ins / "ada.lp").read_text() + "p(0). p(N+1) :- p(N). next(q) :- p(-1)."
    )
    (hand_ins / "ben.lp").unlink()
    words = ("crosscheck", str(CLASS / "nudge.lp"), "--against", str(hand_ins), *FEW)
    ada, ada_2, cy, *_ = call(*words, "--time", "2").out.splitlines()
    assert ada.startswith("ada.lp      agrees")
    assert re.search(r"^ada_2.lp    (ada_2.lp can't be read|no answer) within \d+ seconds$", ada_2)
    assert cy.startswith("cy/game.lp  lacks a1")


def test_a_file_of_rules_is_an_engine(call: Call, tmp_path: Path) -> None:
    nudge, ben = str(CLASS / "nudge.lp"), str(CLASS / "hand_ins/ben.lp")
    run = call("crosscheck", nudge, "--against", ben, *FEW)
    assert run.code == 1
    assert "\nOthers:   the game goes on" in run.out
    assert "the rules give exactly the other rules' answer:" in run.out
    assert f"--only --against {ben}" in run.out
    same = call("crosscheck", "othello", "-c", "size=4", "--against", str(othello(tmp_path)), *FEW)
    assert same.code == 0
    assert_refused(call("crosscheck", nudge, "--against", "no_such.lp"), "no file 'no_such.lp'")
    (tmp_path / "none").mkdir()
    refused = call("crosscheck", nudge, "--against", str(tmp_path / "none"))
    assert_refused(refused, "there are no rules in")


def othello(folder: Path) -> Path:
    file = folder / "othello_alone.lp"
    file.write_text((ROOT / "encodings/gallery/othello.lp").read_text())
    return file


def test_an_encoding_is_exported_as_one_file_for_clingo(call: Call, folder: Path) -> None:
    run = call("export", "othello", "-c", "size=4", "--format", "lp", "-o", "alone.lp")
    assert run.code == 0
    assert "#include" not in (folder / "alone.lp").read_text()
    game = aspgames.load(str(folder / "alone.lp"))
    assert game.initial.fen == aspgames.load("othello", size=4).initial.fen
    assert aspgames.perft(game.initial, 4) == 128
    command = [sys.executable, "-m", "clingo", "alone.lp", str(ROOT / "examples/state.lp"), "0"]
    printed = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    assert "Models       : 4\n" in printed.stdout
    sheet = str(ROOT / "examples/tictactoe.kif")
    assert_refused(call("export", sheet, "--format", "lp"), "aspgames import makes an encoding")


def test_a_count_of_moves_is_a_field_of_the_fen() -> None:
    game = aspgames.load(str(CLASS / "nudge.lp"))
    assert game.initial.fen == "4/4/4/4 w 0"
    state = game.position("1O2/2X1/X1O1/1O1X w 3")
    assert "quiet(3)" in state.facts
    assert game.position(str(state.fen)) == state
    assert game.position("4/4/4/4 w") == game.initial
