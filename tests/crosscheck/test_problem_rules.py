"""The rules of reference for chess problems have the moves that Popeye has."""

import re
import zlib
from pathlib import Path

import pytest

from aspgames.asp.sources import encodings_folder
from cli_helpers import Call, assert_refused, check

ANSWERS = Path(__file__).with_name("popeye_moves.txt")
"""For each problem the number of lines that Popeye 4.104 prints, their sum, and the problem."""


UNSEEN = ("takemake", "circerexinclusive", "madrasirexinclusive", "isardamtypeb", "anticircecalvet")
"""Conditions whose moves are too many for a test, or that others include."""


def answers(fast: bool) -> list[tuple[int, int, str]]:
    rows = [row.split(" ", 2) for row in ANSWERS.read_text(encoding="utf-8").splitlines()]
    chosen = re.compile("Checkless|Circe Grid|royal Se4|black - 3h|1->ser-#2|NonTrivial|pser-h")
    return [(int(n), int(s), text) for n, s, text in rows if bool(chosen.search(text)) == fast]


def lines_of(text: str) -> list[str]:
    """The lines with moves; the squares between of mars circe and its kin are left out."""
    lines = {re.sub(r"\s+", " ", line.strip()) for line in text.splitlines()}
    found = {re.sub(r"-[a-h][1-8](?=[-*][a-h])", "", line) for line in lines}
    return sorted(line for line in found if re.match("[0-9]+[.]", line))


def checked(call: Call, number: int, total: int, text: str) -> None:
    found = call("solve", "--popeye", "-", "--time", "600", stdin=f"BeginProblem {text}".encode())
    assert (found.code, found.err) == (0, "")
    lines = lines_of(found.out)
    assert (len(lines), zlib.crc32("\n".join(lines).encode())) == (number, total), lines[:9]


@pytest.mark.quick(1)
@pytest.mark.parametrize(("number", "total", "text"), answers(fast=True))
def test_moves_are_those_of_popeye(call: Call, number: int, total: int, text: str) -> None:
    checked(call, number, total, text)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "total", "text"), answers(fast=False))
def test_more_moves_are_those_of_popeye(call: Call, number: int, total: int, text: str) -> None:
    checked(call, number, total, text)


def test_each_condition_has_an_answer_of_popeye() -> None:
    given = ANSWERS.read_text(encoding="utf-8").lower()
    names = set(re.sub("[^a-z0-9\n]|chess", "", given.replace(" stipulation", "\n")).split("\n"))
    for path in (encodings_folder() / "shared/problems/conditions").glob("*.lp"):
        name = path.stem.replace("_", "")
        assert name in UNSEEN or any(f"condition{name}" in each for each in names), name


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2hh", "has no goal"),
        ("2hh[#", "']' must follow in the structured stipulation, not 'nothing'"),
        ("2hh[#] 3", "'3' follows the structured stipulation"),
        ("2x[#]", "'hh', 's', 'ad' or 'da' must follow 2"),
        ("999hh[#]", "a number of half-moves of at most 400"),
        ("2s[#]{!1a[x]d}", "that needs moves isn't known"),
        ("3a[#]d & 2hh[#]", "other play after or beside it"),
        ("3a[1a[#]d]d", "other play after or beside it"),
        ("3d[#]?+?a", "'?+?' must stand before the second 'h'"),
    ],
)
def test_structured_stipulations_are_refused(call: Call, text: str, words: str) -> None:
    problem = f"BeginProblem Pieces White Ka1 Black Ka8 sstipulation white {text} EndProblem"
    assert_refused(call("solve", "--popeye", "-", stdin=problem.encode()), words)


STIPULATIONS = [
    ("White Kd5 Rh1 Pb7 Black Kd7 Stipulation r#2", ()),
    ("White Kc6 Rd7 Rh2 Black Ka8 Pa7 Stipulation hs#1", ()),
    ("Stipulation dia1.5 Forsyth rsbqkbsr/pppp1ppp/8/4p3/4P3/5S2/PPPP1PPP/RSBQKB1R",
     ("1.Sg1-f3 e7-e5 2.e2-e4 dia", "1.e2-e4 e7-e5 2.Sg1-f3 dia")),
    ("White Ka2 Black Rh8 Pa4 Stipulation ser-a=>b2 Pieces White Ka4 Black Rh8",
     ("1.Ka2-a3 2.Ka3*a4 a=>b",)),
]  # fmt: skip


@pytest.mark.quick(1)
@pytest.mark.parametrize(("text", "lines"), STIPULATIONS)
def test_stipulations_are_solved_as_popeye_does(
    call: Call, text: str, lines: tuple[str, ...]
) -> None:
    found = call("solve", "--popeye", "-", stdin=f"BeginProblem Pieces {text} EndProblem".encode())
    assert (found.code, lines_of(found.out)) == (0, list(lines))


def test_json_has_the_printed_lines(call: Call) -> None:
    text = "BeginProblem Pieces White Kc6 Rd7 MAh2 Black Ka8 Pa7 Stipulation #1 EndProblem"
    found = call("solve", "--popeye", "-", "--json", stdin=text.encode())
    answer = check(found.json, "printed_solution")
    assert answer["solution"] == ["   1.Rd7-d8 # !"]
    assert (answer["sound"], answer["undecided"]) == (True, False)


@pytest.mark.slow
def test_json_by_rule_books_has_the_printed_lines_too(call: Call) -> None:
    text = "BeginProblem Pieces White Kd5 Gh1 Nc2 Pb7 Black Kd7 Stipulation #2 Option {} EndProblem"
    found = call("solve", "--popeye", "-", "--json", stdin=text.format("Defence 1").encode())
    answer = check(found.json, "printed_solution")
    assert answer["game"] == "grasshopper+nightrider"
    assert answer["solution"] == ["   1.b7-b8=Q ?", "    but", "      1...Kd7-e7 !"]
    assert (answer["judged"]["verdict"], answer["undecided"]) == ("not_forced", False)
    found = call("solve", "--popeye", "-", "--json", stdin=text.format("Duplex").encode())
    assert (found.json["verdict"], found.json["solution"]) == ("not_forced", [])


@pytest.mark.quick(9)
@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        ("Gb1 Condition Take&Make", "isn't known with hoppers"),
        ("Gb1 Condition Volage Circe", "volage isn't known with pieces that are reborn"),
        ("MAb1 Condition Imitator d4", "imitators aren't known with mao and moa"),
        ("Rb1 Condition AntiMarsCirce", "isn't known with castling: white has a king and a rook"),
        ("Sb1 Condition Circe Imitator d6", "aren't known with pieces that are reborn"),
        ("Sb1 Neutral Se5 Condition CirceAssassin", "isn't known with neutral pieces"),
        ("Sb1 Condition AntiMarsCirce MarsCirce", "isn't known with mars circe"),
        ("Sb1 Condition Annan TransmutedKings", "such kings aren't known with Annan chess"),
        ("Sb1 Neutral Royal Sd4 Condition KobulKings", "aren't known with neutral kings"),
        ("White Royal Sd4 Condition KobulKings", "aren't known with two royal pieces of white"),
        ("Sb1 Condition Circe RexInclusive AntiCirce", "isn't known with circe for kings"),
        ("Pb2 White Chameleon Sc3 Condition AntiCirce", "isn't known with pawns and chameleons"),
        (
            "Pb2 White Chameleon Sc3 Condition Wormholes a3b3",
            "aren't known with pawns and chameleons",
        ),
        ("Rh1 White HalfNeutral Ke1", "half-neutral kings aren't known with castling"),
        ("White Kamikaze Ke1", "kamikaze kings aren't known"),
        ("Sb1 Stipulation zb11 Condition AntiCirce", "with that square as the goal"),
        ("Sb1 Stipulation 001 Condition AntiSuperCirce", "isn't known in antisupercirce"),
        ("Sb1 Condition Make&Take Disparate", "isn't known with disparate"),
        ("Sb1 Condition TransmutedKings ShieldedKings", "aren't known with shielded kings"),
        ("Sb1 Stipulation ct1 Condition Circe", "aren't known with pieces that are reborn"),
        ("Sb1 Stipulation <>1 Condition Circe", "aren't known with pieces that are reborn"),
        ("Sb1 Condition Annan Eiffel", "isn't known with Annan chess"),
        ("White Royal MPb2", "royal marine pawns aren't known"),
        ("Sb1 Stipulation a=>b1 Pieces White Ka1 Condition Imitator d4", "in proof games a=>b"),
    ],
)
def test_what_is_not_known_together_is_refused(call: Call, pieces: str, words: str) -> None:
    text = f"BeginProblem Stipulation h#1 Pieces Black Kh8 White Ka1 {pieces} EndProblem"
    found = call("solve", "--popeye", "-", stdin=text.encode())
    assert found.code == 2
    assert words in found.err
