"""Files of chess problems: Popeye's input, Olive's YAML, YACPDB's JSON, FENs with stipulations."""

import json
from pathlib import Path

import pytest
import yaml

import aspgames
from aspgames.crosscheck.engines.popeye_problem import PopeyeProblem
from aspgames.crosscheck.engines.problem_files import problems_in
from cli_helpers import Call

POPEYE = """BeginProblem
Author N. N.
Pieces White Kd5 Rh1 Pb7 Black Kd7 Black Royal MAh8 Neutral Ga1
Stipulation #2
Condition Circe
Option SetPlay Defence 2
Twin Move h1 h2
Twin Continued Add White Sa1
EndProblem
"""
ENTRY = {
    "authors": ["N. N."],
    "algebraic": {
        "white": ["Kd5", "Rh1", "Pb7"],
        "black": ["Royal MAh8", "Kd7"],
        "neutral": ["Ga1"],
    },
    "stipulation": "#2",
    "options": ["Circe", "SetPlay", "Defence 2"],
    "twins": {"b": "Move h1 h2", "c": "Continued Add White Sa1"},
}
GERMAN = """AnfangProblem
Autor N. N.
Steine Weiss Kd5 Th1 Bb7 Schwarz Kd7 Schwarz Koeniglich MAh8 Neutral Ga1
Forderung #2
Bedingung Circe
Option Satzspiel Widerlegung 2
Zwilling Versetze h1 h2
Zwilling Ferner Hinzufuegen Weiss Sa1
EndeProblem
"""
MATE = "8/1P1k4/8/3K4/8/8/8/7R"


def content(text: str) -> list[object]:
    return [
        (p.texts, p.pieces, p.stipulation, p.conditions, p.options, p.error, p.label)
        for p in problems_in(text)
    ]


def test_all_files_have_the_same_problem() -> None:
    expected = content(POPEYE)
    assert len(expected) == 3
    assert [each.error for each in problems_in(POPEYE)] == ["", "", ""]
    assert content(json.dumps(ENTRY)) == expected
    assert content(json.dumps({"result": {"entries": [ENTRY]}})) == expected
    assert content(yaml.safe_dump(ENTRY)) == expected


@pytest.mark.parametrize("text", [POPEYE, GERMAN])
@pytest.mark.parametrize("ending", [".inp", ".olv", ".json"])
def test_what_is_written_is_read_again(call: Call, tmp_path: Path, text: str, ending: str) -> None:
    file = tmp_path / f"written{ending}"
    given = ("solve", "--popeye", "-", "--output", str(file), "--time", "0.1")
    # No rules have neutral pieces in circe with a royal mao: the problem is kept all the same.
    assert call(*given, stdin=text.encode()).code in (0, 2, 3)
    assert content(file.read_text()) == content(POPEYE)
    assert call(*given, stdin=text.encode()).code == 2  # not written twice


def test_a_solution_is_written_and_other_fields_are_kept(call: Call, tmp_path: Path) -> None:
    entry = {
        "algebraic": {"white": ["Kd5", "Rh1", "Pb7"], "black": ["Kd7"]},
        "source": {"name": "feenschach", "issue": "01-02", "date": {"year": 1965}},
        "keywords": ["No", "~"],
        "stipulation": "#2",
        "solution": "?",
    }
    file = tmp_path / "solved.olv"
    text = yaml.safe_dump(entry)
    found = call("solve", "--popeye", "-", "--output", str(file), stdin=text.encode())
    assert (found.code, found.err) == (0, "")
    assert "\nfeenschach 01-02 1965\n" in found.out
    assert yaml.safe_load(file.read_text()) == entry | {"solution": "   1.Rh1-h7 + !"}


def test_problems_have_the_lines_of_their_entries() -> None:
    text = "---\nstipulation: h#1\nalgebraic: {white: [Ka1]}\n---\nalgebraic: {black: 1}\n"
    assert [each.line for each in problems_in(text)] == [2, 5]
    assert [each.error for each in problems_in(text)][
        1
    ] == "line 5: 'black' must be a list, not int"
    rows = json.dumps([ENTRY, ENTRY], indent=1)
    lines = [each.line for each in problems_in(rows) if each.label == "a"]
    assert [rows.splitlines()[line - 1] for line in lines] == [" {", " {"]


def first(text: str) -> PopeyeProblem:
    return next(problems_in(text))


def test_fens_have_stipulations(call: Call) -> None:
    found = first(f"# mate\n\n{MATE} b KQ - 3 40 h#2 Option Try")
    assert (found.stipulation, found.mover, found.line) == ("h#2", "black", 3)
    assert found.options == {"nocastling": "h8a8", "try": ""}
    assert first(f"{MATE} #2").mover == "white"
    assert first(f"{MATE} b #2").mover == "black"
    knight = first("8/1P1k4/8/3K4/8/8/8/7N h#3")
    assert (knight.pieces["h1"], knight.options["nocastling"]) == ("S", "h1a1h8a8")
    solved = call("solve", "--popeye", "-", stdin=f"{MATE} w - - 0 1 #2".encode())
    assert "1.Rh1-h7 + !" in solved.out


def test_fens_are_written(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "written.fen"
    text = f"{MATE} #2\n{MATE} #2 Condition Circe\n{MATE[:-1]}N h=2.5"
    found = call("solve", "--popeye", "-", "--output", str(file), stdin=text.encode())
    assert (found.code, found.err) == (2, "aspgames: line 2: a FEN can't have Circe\n")
    assert content(file.read_text()) == content("\n".join(text.splitlines()[::2]))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[", "line 1: this is not JSON"),
        ('[{"algebraic": {}},\n 5 6]', "line 2: this is not JSON"),
        ("[" * 90_000, "nests too deeply"),
        ('{"a": [1]}', "there is no problem"),
        ("---\n- 3", "line 2: an entry has fields"),
        ("algebraic: [", "line 2: this is not YAML"),
        (f"algebraic: {'[' * 90_000}", "nest"),
        ("", "there is no problem"),
    ],
)
def test_what_is_no_file_of_problems_is_refused(text: str, reason: str) -> None:
    with pytest.raises(aspgames.BadRequest, match=reason):
        list(problems_in(text))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"algebraic": []}, "'algebraic' has lists"),
        ({"stipulation": ["#2"]}, "'stipulation' must be a text"),
        ({"options": "SetPlay"}, "'options' must be a list"),
        ({"twins": ["Move a1 a2"]}, "'twins' has a change for each label"),
        ({"twins": {"b": {}}}, "'twins' must be a text"),
    ],
)
def test_an_entry_with_another_form_is_refused(change: dict[str, object], reason: str) -> None:
    assert reason in first(json.dumps(ENTRY | change)).error
    twice = [each.error for each in problems_in(json.dumps([ENTRY | change] * 2)) if each.error]
    assert {error.partition(":")[0] for error in twice} == {"line 1", "line 1, entry 2"}


def test_popeyes_own_files_are_in_latin_1(call: Call) -> None:
    text = "AnfangProblem Autor J\xfcrgen\nSteine Weiss Kd5 Th1 Bb7 Schwarz Kd7 Forderung #2 Ende"
    found = call("solve", "--popeye", "-", stdin=text.encode("latin-1"))
    assert found.code == 0
    assert "J\xfcrgen" in found.out


def test_diagrams_have_turned_pieces(call: Call, tmp_path: Path) -> None:
    pieces = "White Ka1 Gb2 ROh2 MAf6 Ze5 White Royal Nc3 Black Kh8 Gg7"
    text = (
        f"BeginProblem Pieces {pieces} Stipulation h#2 Condition Circe Next Pieces White Ka1 Endp"
    )
    file = tmp_path / "drawn.svg"
    found = call("solve", "--popeye", "-", "--output", str(file), stdin=text.encode())
    assert (found.code, found.out, found.err) == (0, "", "")
    svg = file.read_text()
    assert svg.count('href="#shape-queen_180"') == 2
    assert 'id="shape-knight_180"><g transform="rotate(180 50 50)">' in svg
    # A mao and a zebra look alike, and a rose has no picture: they have letters.
    letters = ("ma", "z", "ro", "royal", "n")
    assert [f">{each}</text>" in svg for each in letters] == [True, True, True, True, False]
    assert "white g: b2. white royal n: c3." in svg
    assert "white k: a1." in (tmp_path / "drawn_2.svg").read_text()


def test_fairy_chess_is_drawn_so_in_every_rule_book() -> None:
    state = aspgames.load("fairy/grasshopper").position("7k/8/8/8/3g4/8/6G1/K7 w")
    assert state.svg().count("shape-queen_180") == 3  # its definition, and two pieces


def test_pieces_named_by_digits_have_a_side(call: Call) -> None:
    text = "BeginProblem Pieces White Kc2 16b8 Black Ka1 16g7 Stipulation ~1 EndProblem"
    found = call("solve", "--popeye", "-", stdin=text.encode())
    assert "2 + 2" in found.out
    assert "1.16b8-a2" in found.out
    assert "-16" in found.out
