"""``aspgames solve`` and ``verify``, used as a user does."""

import gzip
import json
import random
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pytest

import aspgames
from aspgames import Solution, State
from aspgames.cli import solve_file
from aspgames.puzzle import best_play as best_play
from aspgames.puzzle.proof import certificate as certifying
from aspgames.puzzle.solved import Solved
from aspgames.runtime.errors import ExecutorFailed, LimitReached
from cli_helpers import (
    DOCS,
    FILES,
    KEYS,
    LONG,
    PUZZLE,
    SOLVE,
    Call,
    Run,
    assert_refused,
    check,
    jsonl,
    run,
    strict_json,
)
from paths import TESTS
from terminal import Terminal
from thoroughly import amount
from workers_helpers import begin, wait_for

LONG_PUZZLE = PUZZLE | {"position": "startpos"}

# --- one puzzle -----------------------------------------------------------------------------------


def test_solve(call: Call) -> None:
    result = call(*SOLVE, "--within", "3", "--json")
    solution = check(result.json, "solution")
    assert result.code == 0
    assert solution.items() >= (PUZZLE | {"within": 3}).items()
    assert (solution["verdict"], solution["distance"]) == ("forced", 1)
    assert solution["keys"] == KEYS
    assert solution["keys_text"] == ["d7-c8", "d7-d8", "d7-e8"]
    assert solution["line"][0] in KEYS
    as_text = call(*SOLVE, "--within", "3")
    assert (as_text.code, "white can win in 1 turn." in as_text.out) == (0, True)
    assert re.search(r"Keys: +d7-c8 +d7-d8 +d7-e8\n", as_text.out)


@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_solve_answers_no_with_exit_code_1(call: Call, flags: list[str]) -> None:
    result = call(*SOLVE, "--within", "0", *flags)
    assert (result.code, result.err) == (1, "")
    if flags:
        solution = check(result.json, "solution")
        assert (solution["verdict"], solution["distance"]) == ("not_forced", None)
    else:
        assert "white can't win within 0 turns." in result.out


@pytest.mark.parametrize(
    ("rest", "distance", "keys"),
    [
        ("control(black) step(59)", 0, []),
        ("control(white) step(58)", 1, ["a1-a2", "a1-b1", "a1-b2"]),
        ("control(white) step(59)", 1, ["a1-a2", "a1-b1", "a1-b2"]),
    ],
)
def test_a_goal_that_every_reply_reaches(
    call: Call, rest: str, distance: int, keys: list[str]
) -> None:
    # Step 60 ends the game. The defender makes it, except in the last position.
    position = f"cell(1,1,king(white)) cell(8,8,king(black)) captures(white,10) {rest}"
    asked = ["--attacker", "white", "--goal", "win", "--json"]
    solution = check(call("solve", "skirmish", position, *asked).json, "solution")
    assert (solution["verdict"], solution["distance"]) == ("forced", distance)
    assert solution["keys_text"] == keys
    within = call("solve", "skirmish", position, *asked, "--within", str(distance))
    assert within.code == 0


def test_solve_takes_a_position_from_elsewhere(call: Call) -> None:
    rest = ["--attacker", "white", "--goal", "win", "--json"]
    file = call("solve", "breakthrough", "@fen.txt", *rest).json
    piped = call("solve", "breakthrough", "-", *rest, stdin=FILES["fen.txt"]).json
    assert file["keys"] == piped["keys"] == KEYS


BAD_LINES = {
    b"{\n": "bad_json",
    b'{"game":"\xff"}\n': "bad_json",
    b"[1]\n": "bad_json",
    jsonl(PUZZLE | {"game": "breakthru"}): "unknown_game",
    jsonl(PUZZLE | {"const": {"depth": 8}}): "bad_constant",
    jsonl(PUZZLE | {"position": "@fen.txt"}): "bad_position",
    jsonl(PUZZLE | {"attacker": "red"}): "bad_request",
    jsonl(PUZZLE | {"goal": "mate"}): "bad_request",
    jsonl(PUZZLE | {"within": -1}): "bad_request",
    jsonl({"game": "breakthrough"}): "bad_request",
}


# --- many puzzles ---------------------------------------------------------------------------------


@pytest.mark.parametrize("from_file", [True, False])
def test_puzzles_with_bad_lines_among_them(call: Call, folder: Path, from_file: bool) -> None:
    good = [PUZZLE | {"within": 1, "id": 7, "source": {"page": n}} for n in range(len(BAD_LINES))]
    lines = b"".join(jsonl(puzzle) + bad for puzzle, bad in zip(good, BAD_LINES, strict=True))
    (folder / "puzzles.jsonl").write_bytes(lines)
    name = "puzzles.jsonl" if from_file else "-"
    result = call("solve", "--puzzles", name, stdin=b"" if from_file else lines)
    assert (result.code, result.err) == (2, "")
    answers = result.lines
    for puzzle, answer in zip(good, answers[::2], strict=True):
        assert check(answer, "solution").items() >= puzzle.items()
        assert (answer["verdict"], answer["keys"]) == ("forced", KEYS)
    assert [check(answer, "error")["kind"] for answer in answers[1::2]] == list(BAD_LINES.values())


@pytest.mark.parametrize(
    ("lines", "code", "verdicts"),
    [
        (b"", 0, []),
        (jsonl(PUZZLE, PUZZLE | {"within": 0}), 0, ["forced", "not_forced"]),
        (jsonl(PUZZLE, PUZZLE | {"position": "startpos"}), 3, ["forced", "unknown"]),
        (jsonl(PUZZLE | {"position": "startpos"}) + b"{", 2, ["unknown", None]),
        (jsonl(PUZZLE).rstrip(), 0, ["forced"]),
    ],
    ids=["none", "decided", "undecided", "undecided and bad", "unterminated"],
)
def test_exit_code_of_puzzles(
    call: Call, lines: bytes, code: int, verdicts: list[str | None]
) -> None:
    result = call("solve", "--puzzles", "-", "--positions", "60", stdin=lines)
    answers = result.lines
    assert [answer.get("verdict") for answer in answers] == verdicts
    assert result.code == code
    assert ("there are no puzzles in standard input" in result.err) is (not lines)


def test_no_puzzles_to_judge(call: Call, folder: Path) -> None:
    (folder / "none.jsonl").write_bytes(b"\n")
    assert_refused(call("judge", "none.jsonl"), "there are no puzzles in none.jsonl")


def test_a_solved_puzzle_can_be_put_again(call: Call) -> None:
    partly = call("solve", "--puzzles", "-", "--positions", "2", stdin=jsonl(PUZZLE)).json
    assert check(partly, "solution")["at_most"] > partly["not_within"]
    solved = call("solve", "--puzzles", "-", stdin=jsonl(partly)).json
    assert check(solved, "solution")["verdict"] == "forced"
    assert not {"at_most", "not_within", "keys_complete"} & {*solved}, (
        "those were the last answer's"
    )


# --- continuing another run -----------------------------------------------------------------------

FOUR = [PUZZLE | {"within": number % 2, "id": number} for number in range(3)]
LINES = jsonl(*FOUR[:2]) + b"no puzzle\n" + jsonl(FOUR[2])


@pytest.fixture
def puzzles(folder: Path) -> Path:
    (folder / "puzzles.jsonl").write_bytes(LINES)
    return folder / "puzzles.jsonl"


def without_seconds(lines: bytes) -> list[object]:
    return [strict_json(line) | {"seconds": 0} for line in lines.splitlines()]


def test_results_are_written_to_a_file(call: Call, puzzles: Path, folder: Path) -> None:
    asked = ["solve", "--puzzles", "puzzles.jsonl", "--output", "results.jsonl", "--resume", "kept"]
    printed = call("solve", "--puzzles", "puzzles.jsonl")
    assert call(*asked) == Run(2, "", "")
    whole = (folder / "results.jsonl").read_bytes()
    assert without_seconds(whole) == without_seconds(printed.out.encode())
    assert [line.get("id") for line in map(strict_json, whole.splitlines())] == [0, 1, None, 2]
    first = whole.index(b"\n")
    for cut in (0, 1, first, first + 1, first + 10, len(whole) - 1, len(whole)):
        (folder / "results.jsonl").write_bytes(whole[:cut])
        assert call(*asked) == Run(2, "", ""), "the bad line counts though it was answered before"
        assert (folder / "results.jsonl").read_bytes() == whole, "a puzzle was solved twice"
    assert_refused(call(*asked[:-2]), "results.jsonl exists already", "--resume")
    assert (folder / "results.jsonl").read_bytes() == whole
    assert puzzles.read_bytes() == LINES


def test_a_run_that_was_killed_goes_on(folder: Path) -> None:
    asked = ["solve", "--puzzles", "-", "--output", "results.jsonl", "--resume", "kept"]
    results = folder / "results.jsonl"
    with begin(*asked, cwd=folder) as process:
        assert process.stdin
        process.stdin.write(jsonl(*FOUR[:2], LONG_PUZZLE))
        process.stdin.flush()
        wait_for(lambda: results.exists() and results.read_bytes().count(b"\n") == 2)
    before = results.read_bytes()
    done = run(*asked, cwd=folder, stdin=jsonl(*FOUR))
    assert done == Run(0, "", "")
    assert results.read_bytes().startswith(before)
    assert [strict_json(line)["id"] for line in results.read_bytes().splitlines()] == [0, 1, 2]


OTHER_RESULTS: dict[str, tuple[Callable[[list[bytes]], bytes], int]] = {
    "of another puzzle": (lambda lines: lines[0].replace(b'"id": 0', b'"id": 9'), 1),
    "in another order": (lambda lines: lines[1] + lines[0], 1),
    "of more puzzles": (lambda lines: b"".join(lines) + lines[3], 5),
    "of a bad line": (lambda lines: b"".join(lines[:2]) + lines[3], 3),
    "an answer to nothing": (lambda lines: b"".join(lines) + lines[2], 5),
    "puzzles": (lambda _: LINES, 1),
    "text without an end": (lambda _: b"Dear reader,", 1),
    "no text": (lambda lines: lines[0] + b"\xff\n", 2),
    "a blank line": (lambda lines: lines[0] + b"\n" + lines[1], 2),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHER_RESULTS)
def test_a_file_of_something_else_is_left_alone(
    call: Call, puzzles: Path, folder: Path, name: str
) -> None:
    results = call("solve", "--puzzles", puzzles.name).out.encode().splitlines(keepends=True)
    change, number = OTHER_RESULTS[name]
    content = change(results)
    (folder / "results.jsonl").write_bytes(content)
    asked = ["solve", "--puzzles", puzzles.name, "--output", "results.jsonl"]
    assert_refused(call(*asked, "--resume", "kept"), f"results.jsonl, line {number}:")
    assert (folder / "results.jsonl").read_bytes() == content


@pytest.mark.parametrize("output", ["folder.lp", "nowhere/results.jsonl", "", "puzzles.jsonl"])
def test_an_output_that_cannot_be(call: Call, puzzles: Path, output: str) -> None:
    assert_refused(call("solve", "--puzzles", puzzles.name, "--output", output), output)
    assert puzzles.read_bytes() == LINES


def test_a_line_that_is_too_long_is_one_bad_line(call: Call) -> None:
    long = json.dumps(PUZZLE | {"note": "x" * (1 << 24)}).encode()
    result = call("solve", "--puzzles", "-", stdin=jsonl(PUZZLE) + long + b"\n" + jsonl(PUZZLE))
    answers = result.lines
    assert [answer.get("kind", answer.get("verdict")) for answer in answers] == [
        "forced",
        "limit",
        "forced",
    ]
    assert result.code == 2


def test_blank_lines_are_passed_over_and_errors_name_their_line(call: Call) -> None:
    lines = b"\n" + jsonl(PUZZLE) + b"  \n\n" + jsonl({"game": "breakthrough"}, PUZZLE)
    result = call("solve", "--puzzles", "-", stdin=lines)
    first, bad, last = result.lines
    assert first["verdict"] == last["verdict"] == "forced"
    assert bad["error"].startswith("line 5: the puzzle has no ")
    assert result.err == ""


ANSWERS = [
    ({"verdict": "forced", "distance": 1, "keys": 3}, True),
    ({"distance": 1}, True),
    ({"keys": ["move(4,7,5,8)", "move(4,7,4,8)", "move(4,7,3,8)"]}, True),
    ("nobody knows", True),
    ("forced", True),
    ("not_forced", False),
    ({"verdict": "not_forced"}, False),
    ({"verdict": "forced", "distance": 2}, False),
    ({"keys": 2}, False),
    ({"keys": ["move(4,7,5,8)"]}, False),
]


def test_chess_problems_in_epd(call: Call, folder: Path) -> None:
    """A line that can't be read is told in its place, and answers are checked."""
    text = """\
6k1/5ppp/8/8/8/8/8/4R1K1 w - - dm 1; bm Re8#; id "back rank";

# the other side mates; another key; bad lines
7k/8/5K2/8/8/8/8/6Q1 b - - dm -1;
7k/8/5K2/8/8/8/8/6Q1 w - - dm 1; bm Qg3;
7k/8/5K2/8/8/8/8/6Q1 w - - dm x;
7k/8/5K2/8/8/8/8/6Q1 w - - bm Qz9;
7k/8/5K2/8/8/8/8/6Q1 w - - id "x;
7k/8/5K2/8/8/8/8 w - - dm 1;
7k/8/5K2/8/8/8/8/6Q1 w - - bm Qg7#;
7k/6Q1/5K2/8/8/8/8/8 b - - dm 0;
"""
    (folder / "mates.epd").write_text(text)
    found = call("solve", "--puzzles", "mates.epd")
    answers = [strict_json(line) for line in found.out.splitlines()]
    assert found.code == 2
    assert found.err == "aspgames: warning: another answer is given in line 5\n"
    assert answers[0]["id"] == "back rank"
    assert answers[0]["keys_text"] == ["e1-e8"]
    assert [each.get("distance") for each in answers] == [1, 1, 1, None, None, None, None, 1, 0]
    assert [each.get("error", "")[:6] for each in answers[3:7]] == [
        f"line {n}" for n in range(6, 10)
    ]
    lines = text.splitlines()
    atomic = call("solve", "fairy/atomic", "--puzzles", "-", stdin=lines[0].encode())
    assert strict_json(atomic.out)["game"] == "fairy/atomic"
    assert_refused(call("solve", "breakthrough", "--puzzles", "mates.epd"), "EPD is a format of")
    assert_refused(call("solve", "chess", "--puzzles", "mates.epd", "--within", "1"), "but GAME")
    (folder / "x.jsonl").write_text("{}")
    assert_refused(call("solve", "chess", "--puzzles", "x.jsonl"), "the puzzles in x.jsonl name")


def test_an_answer_that_a_puzzle_has_is_checked(call: Call) -> None:
    puzzles = [PUZZLE | {"answer": answer} for answer, _ in ANSWERS]
    result = call("solve", "--puzzles", "-", stdin=jsonl(*puzzles))
    other = [str(number) for number, (_, right) in enumerate(ANSWERS, start=1) if not right]
    said = f"aspgames: warning: another answer is given in lines {', '.join(other)}\n"
    assert (result.code, result.err) == (0, said)
    undecided = call("solve", "--puzzles", "-", "--positions", "1", stdin=jsonl(LONG_PUZZLE))
    assert (undecided.code, undecided.err) == (3, "")


def test_a_terminal_shows_a_table(
    call: Call, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    (folder / "puzzles.jsonl").write_bytes(jsonl(PUZZLE, {"game": 3}, PUZZLE | {"within": 0}))
    monkeypatch.setattr(solve_file, "_on_terminal", lambda: True)
    for columns, keys in (("75", 2), ("80", 1)):
        monkeypatch.setenv("COLUMNS", columns)
        found = call("solve", "--puzzles", "puzzles.jsonl").out
        head, *lines = found.splitlines()
        assert head.split() == ["line", "game", "question", "forced", "time", "keys"]
        assert max(map(len, lines)) <= int(columns)
        assert re.match(r" +1 +breakthrough +white win +in 1 turn +0\.\d s  d7-c8  ", lines[0])
        assert lines[0].index("d7-c8") == head.index("keys")
        assert lines[keys].startswith("line 2: ")
        assert re.match(r" +3 +breakthrough +white win +not forced +0\.\d s *$", lines[keys + 1])
    as_json = call("solve", "--puzzles", "puzzles.jsonl", "--json").out.splitlines()
    assert [strict_json(line).get("verdict") for line in as_json] == ["forced", None, "not_forced"]


def test_puzzles_in_which_both_sides_help_have_a_line_instead_of_keys(
    call: Call, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    helped = PUZZLE | {"stipulation": "together"}
    right, wrong = ({"verdict": "possible", "distance": turns} for turns in (1, 2))
    puzzles = [helped | {"answer": answer} for answer in (right, wrong)]
    (folder / "puzzles.jsonl").write_bytes(jsonl(*puzzles))
    monkeypatch.setattr(solve_file, "_on_terminal", lambda: True)
    found = call("solve", "--puzzles", "puzzles.jsonl")
    assert found.err.endswith("another answer is given in line 2\n")
    for line in found.out.splitlines()[1:]:
        assert re.search(r"white win +in 1 turn +0\.\d s  d7-[cde]8 *$", line)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "directmates"), [("chess_problems", 11), ("fairy_problems", 28)])
def test_chess_problems_have_the_published_keys(
    call: Call, monkeypatch: pytest.MonkeyPatch, name: str, directmates: int
) -> None:
    monkeypatch.chdir(DOCS.parent)
    lines = Path(f"examples/puzzles/{name}.jsonl").read_text().splitlines()
    short = [each for each in lines if json.loads(each)["answer"]["distance"] <= amount(2, 100)]
    chosen = random.Random(name).sample(short, min(len(short), amount(8, 100)))
    result = call("solve", "--puzzles", "-", "--workers", "2", stdin="\n".join(chosen).encode())
    assert (result.code, result.err) == (0, "")  # it warns of other answers
    answers = [json.loads(line)["answer"] for line in lines]
    assert sum("keys" in answer for answer in answers) == directmates
    assert all({"verdict", "distance"} <= answer.keys() for answer in answers)


# --- other questions ------------------------------------------------------------------------------

WON_IN_TWO = "8/8/3P4/8/p7/8/8/8 w"
RACE = ["solve", "breakthrough", WON_IN_TWO, "--attacker", "white", "--goal", "win"]


def test_yes_or_no(call: Call) -> None:
    """The first proof: no distance, no keys."""
    yes = call(*RACE, "--first", "--json")
    found = check(yes.json, "solution")
    assert (yes.code, found["verdict"], found["distance"], found["keys"]) == (0, "forced", None, [])
    assert "white can win.\n" in call(*RACE, "--first").out
    assert "white can win within 3 turns.\n" in call(*RACE, "--first", "--within", "3").out
    no = call(*RACE, "--first", "--within", "1", "--json")
    assert (no.code, check(no.json, "solution")["verdict"]) == (1, "not_forced")
    both = call("solve", "--puzzles", "-", "--first", stdin=jsonl(PUZZLE, PUZZLE | {"within": 0}))
    answers = [check(line, "solution") for line in both.lines]
    assert [(a["verdict"], a["distance"]) for a in answers] == [
        ("forced", None),
        ("not_forced", None),
    ]


@pytest.mark.parametrize(("within", "file"), [([], "p.json"), ([], "p.gz"), (["1"], "p.json")])
def test_the_first_proof_is_written(
    call: Call, tmp_path: Path, within: list[str], file: str
) -> None:
    """It proves a number of turns that suffices, or the refutation."""
    limit = [word for k in within for word in ("--within", k)]
    proof = ["--first", "--certificate", str(tmp_path / file)]
    found = call(*RACE, *limit, *proof, "--json")
    answer = check(found.json, "solution")
    verdict = "not_forced" if within else "forced"
    assert (found.code, answer["verdict"], answer["distance"]) == (bool(within), verdict, None)
    assert within or answer["at_most"] >= 2
    checked = call("verify", str(tmp_path / file), "--json").json
    assert checked["verified"]


def test_both_sides_help(call: Call) -> None:
    helped = [*RACE[:2], "8/p7/3P4/8/8/8/8/8 w", *RACE[3:], "--together"]
    yes = call(*helped, "--json")
    found = check(yes.json, "cooperation")
    assert (yes.code, found["verdict"], found["distance"]) == (0, "possible", 2)
    assert len(found["line_text"]) == 3
    assert f"Line:  {'  '.join(found['line_text'])}\n" in call(*helped).out
    no = call(*helped, "--within", "1", "--json")
    assert (no.code, check(no.json, "cooperation")["verdict"]) == (1, "impossible")
    assert "can't win within 1 turn." in call(*helped, "--within", "1").out
    late = call(*helped, "--time", "0.000001", "--json")
    assert (late.code, check(late.json, "cooperation")["verdict"]) == (3, "unknown")


def test_the_tree_of_best_play(call: Call) -> None:
    found = check(call(*RACE, "--all-lines", "--json").json, "solution")
    assert sorted(found["tree"]) == found["keys"]
    state = aspgames.load("breakthrough").position(WON_IN_TWO)
    assert set(lines_of(found["tree"])) == set(lines_by_hand(state))
    printed = call(*RACE, "--all-lines").out.partition(" s)\n")[2]
    texts = [" " * 2 * depth + text for depth, text in walked(state, found["tree"])]
    assert printed.splitlines() == texts
    refuted = call(*RACE, "--within", "1", "--all-lines", "--json")
    assert (refuted.code, check(refuted.json, "solution")["tree"]) == (1, {})


def lines_of(tree: dict[str, Any], before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if not tree:
        yield before
    for move, rest in tree.items():
        yield from lines_of(rest, (*before, move))


def lines_by_hand(state: State) -> Iterator[tuple[str, ...]]:
    """White is two steps from the last row, and Black too far away to prevent that."""
    for step in state.legal_moves:
        for reply in state.play(step).legal_moves:
            for end in state.play(step).play(reply).legal_moves:
                yield step.term, reply.term, end.term


def walked(state: State, tree: dict[str, Any], depth: int = 0) -> Iterator[tuple[int, str]]:
    for move, rest in tree.items():
        yield depth, state.move_text(move)
        yield from walked(state.play(move), rest, depth + 1)


def test_a_tree_that_is_too_large_takes_nothing_from_the_answer(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(best_play, "_MOST_MOVES", 5)
    result = call(*RACE, "--all-lines")
    assert result.code == 3
    assert "white can win in 2 turns." in result.out
    assert "the tree of best play has more than 5 moves" in result.err
    as_json = call(*RACE, "--all-lines", "--json")
    assert as_json.code == 3
    assert "tree" not in check(as_json.json, "solution")


def test_a_reply_that_holds_and_what_replies_lose_to(call: Call) -> None:
    black = [*RACE[:2], WON_IN_TWO.replace(" w", " b"), *RACE[3:]]
    assert "lose:  a4-a3 (2)  a4-b3 (2)" in call(*black).out
    assert check(call(*black, "--json").json, "solution")["replies"] == {
        "move(1,4,1,3)": 2,
        "move(1,4,2,3)": 2,
    }
    too_late = [*RACE[:2], "8/8/8/3P4/8/p7/8/8 b", *RACE[3:]]
    assert "A reply that holds: a3-" in call(*too_late).out


EXCLUDING = [
    ["--first", "--together"],
    ["--first", "--all-lines"],
    ["--together", "--all-lines"],
    ["--together", "--certificate", "proof.json"],
]


@pytest.mark.parametrize("options", EXCLUDING, ids=" ".join)
def test_options_that_exclude_each_other(call: Call, options: list[str]) -> None:
    assert_refused(call(*RACE, *options), "don't go together")


@pytest.mark.parametrize(
    "option", ["--together", "--all-lines", "--certificate proof.json", "--html page.html"]
)
def test_files_of_puzzles_are_solved_and_nothing_else(call: Call, option: str) -> None:
    assert_refused(call("solve", "--puzzles", "-", *option.split()), "--puzzles")


@pytest.mark.usefixtures("folder")
def test_a_row_of_a_file_of_games_is_a_position_in_kif_too(call: Call) -> None:
    small = ("-c", "width=2", "-c", "height=4")
    assert call("export", "breakthrough", *small, "-o", "small.kif").code == 0
    assert call("record", "small.kif", "-n", "1", "-o", "games.parquet").code == 0
    asked = ("--attacker", "white", "--goal", "win", "--within", "1", "--notation", "kif", "--json")
    found = call("solve", "small.kif", "@games.parquet:1", *asked).json
    assert "(control black)" in found["position"]
    again = call("solve", "small.kif", found["position"], *asked).json
    assert again | {"seconds": 0} == found | {"seconds": 0}


def test_what_is_missing_is_named(call: Call) -> None:
    assert_refused(call("solve", "breakthrough", "--goal", "win"), "give --attacker, or")
    assert_refused(call(*RACE, "--output", "x"), "--puzzles")


# --- limits and interruptions ---------------------------------------------------------------------


@pytest.mark.parametrize("limit", ["--time 0.2", "--positions 100"])
def test_undecided_within_the_limit(call: Call, limit: str) -> None:
    result = call(*LONG, *limit.split(), "--json")
    assert result.code == 3
    solution = check(result.json, "solution")
    assert solution["verdict"] == "unknown"
    assert solution["positions"] <= 5_000 or "time" in limit
    if "positions" in limit:
        assert (solution["not_within"] or 0) < 5
    as_text = call(*LONG, *limit.split())
    assert (as_text.code, as_text.err) == (3, "")
    assert "Undecided" in as_text.out
    assert "\x1b" not in as_text.out


def test_what_is_proven_at_a_limit_is_told_and_certified(call: Call, folder: Path) -> None:
    """The win is proven, but no limit is left for the keys and the line."""
    proofs = ["--certificate", "proof.json", "--html", "proof.html"]
    text = call(*SOLVE, "--positions", "1", *proofs)
    assert (text.code, text.err) == (0, "")
    assert "\nwhite forces a win, in 1 turn.\nKeys so far:" in text.out
    assert "Yes, in 1 turn." in (folder / "proof.html").read_text()
    verified = check(call("verify", "proof.json", "--json").json, "verification")
    known = {"distance": None, "at_most": 1, "not_within": 0, "keys_complete": False}
    assert verified.items() >= (known | {"verdict": "forced", "line": []}).items()
    told = call("verify", "proof.json").out
    assert told.startswith("Verified: white can win in at most 1 turn, more than 0, by d7-c8 or ")
    certificate = check(strict_json((folder / "proof.json").read_text()), "certificate")
    assert certificate.items() >= known.items()
    right = PUZZLE | {"answer": {"verdict": "forced", "distance": 1, "keys": KEYS}}
    wrong = PUZZLE | {"answer": {"distance": 2}}
    many = call("solve", "--puzzles", "-", "--positions", "1", stdin=jsonl(right, wrong))
    assert (many.code, "in line 2\n" in many.err) == (0, True)
    assert check(strict_json(many.out.splitlines()[0]), "solution").items() >= known.items()


@pytest.mark.slow
def test_ctrl_c_after_the_verdict(tmp_path: Path) -> None:
    """The win is found in seconds; the keys take longer."""
    hard = "pppp1ppp/p3pppp/2P5/4PP2/2P5/P1p3P1/2P1P3/PPPPPPPP w"
    asked = ["solve", "breakthrough", hard, "--attacker", "white", "--goal", "win"]
    terminal = Terminal([*asked, "--certificate", "proof.json"], tmp_path)
    terminal.wait_for("Forced in")
    terminal.process.send_signal(signal.SIGINT)
    code, out = terminal.end()
    assert code == 130
    known = r"6 turns|at most \d+ turns \(not within \d\)"
    assert re.search(rf"^white forces a win, in ({known})\.$", out, re.M)
    assert re.search("^Key so far: +e5-e6$", out, re.M)
    if (tmp_path / "proof.json").exists():  # it is left out if it takes longer than 3 s
        assert "Verified: white can win in at most" in run("verify", "proof.json", cwd=tmp_path).out


@pytest.mark.parametrize("within", [[], ["--within", "3"], ["--within", "300"]])
def test_in_a_game_without_end_nothing_is_won(call: Call, within: list[str]) -> None:
    """Play returns to the start: that is an answer for any number of turns."""
    asked = ["--attacker", "white", "--goal", "win", *within, "--json"]
    result = call("solve", "endless.lp", "startpos", *asked)
    solution = check(result.json, "solution")
    assert (result.code, solution["verdict"], solution["distance"]) == (1, "not_forced", None)


def test_the_limits_of_a_file_are_those_of_each_line(call: Call) -> None:
    """The limit on positions applies to each puzzle anew."""
    lines = jsonl(LONG_PUZZLE, PUZZLE, LONG_PUZZLE, PUZZLE)
    result = call("solve", "--puzzles", "-", "--positions", "100", stdin=lines)
    answers = [check(line, "solution")["verdict"] for line in result.lines]
    assert answers == ["unknown", "forced", "unknown", "forced"]
    assert result.code == 3


@pytest.mark.parametrize("flags", [[], ["--json"]], ids=["text", "json"])
def test_ctrl_c_gives_the_best_known_answer(tmp_path: Path, flags: list[str]) -> None:
    """In the middle of a search, as the status line shows."""
    for _ in range(3):  # a signal that comes too late ends the program without an answer
        terminal = Terminal([*LONG, *flags], tmp_path)
        terminal.wait_for("positions")
        terminal.process.send_signal(signal.SIGINT)
        code, out = terminal.end()
        assert code == 130
        if out:
            break
    assert terminal.shown.endswith("\r\x1b[K"), "the line is taken away"
    if flags:
        solution = check(strict_json(out), "solution")
        assert (solution["verdict"], solution["distance"]) == ("unknown", None)
        assert solution["not_within"] in range(9)
    else:
        assert re.search(r"^Undecided: interrupted; not within \d turns?\.$", out, re.MULTILINE)


def test_ctrl_c_among_many_puzzles(tmp_path: Path) -> None:
    """The answers so far stay; the unfinished puzzle has no line."""
    (tmp_path / "puzzles.jsonl").write_bytes(jsonl(PUZZLE, LONG_PUZZLE, PUZZLE))
    terminal = Terminal(["solve", "--puzzles", "puzzles.jsonl"], tmp_path)
    terminal.wait_for(r"\d M positions")
    terminal.process.send_signal(signal.SIGINT)
    code, out = terminal.end()
    assert code == 130
    assert terminal.shown.endswith("aspgames: interrupted\r\n")
    assert [check(strict_json(line), "solution")["verdict"] for line in out.splitlines()] == [
        "forced"
    ]


# --- certificates ---------------------------------------------------------------------------------

EXAMPLE = DOCS.parent / "examples/puzzles/breakthrough_3x4.certificate.json"


def test_a_certificate_is_written_and_verified(call: Call, folder: Path) -> None:
    own_game = ("hexapawn.lp", "startpos", "black")
    for game, position, attacker in (("breakthrough", WON_IN_TWO, "white"), own_game):
        asked = ["solve", game, position, "--attacker", attacker, "--goal", "win"]
        for flags in ([], ["--json"], ["--all-lines"]):
            result = call(*asked, *flags, "--certificate", "proof.json")
            assert (result.code, result.err) == (0, "")
            assert ("Certificate: proof.json\n" in result.out) == ("--json" not in flags)
            certificate = json.loads((folder / "proof.json").read_text())
            check(certificate, "certificate")
            verified = check(call("verify", "proof.json", "--json").json, "verification")
            assert (verified["verified"], verified["verdict"]) == (True, "forced")
            (folder / "proof.json").unlink()


def test_a_certificate_is_streamed_and_verified(call: Call, folder: Path) -> None:
    asked = ["solve", "breakthrough", WON_IN_TWO, "--attacker", "white", "--goal", "win"]
    result = call(*asked, "--certificate", "proof.gz", "--html", "page.html")
    assert (result.code, result.err) == (0, "")
    assert "Certificate: proof.gz\nPage: page.html\n" in result.out
    for more in ([], ["--rules", "breakthrough"], ["--resume", "kept"], ["--resume", "kept"]):
        verified = check(call("verify", "proof.gz", "--json", *more).json, "verification")
        assert (verified["verified"], verified["distance"]) == (True, 2)
    refused = call("verify", "proof.gz", "proof.gz")
    assert (refused.code, "a streamed certificate: verify each of them" in refused.out) == (2, True)
    data = (folder / "proof.gz").read_bytes()
    (folder / "proof.gz").write_bytes(data[: len(data) // 2])
    assert_refused(call("verify", "proof.gz"), "the certificate is damaged")
    lines = gzip.decompress(data).splitlines(keepends=True)
    (folder / "proof.gz").write_bytes(gzip.compress(b"".join(lines[:-1])))
    result = call("verify", "proof.gz")
    assert (result.code, "Rejected: defence: there is no node 0" in result.out) == (1, True)


@pytest.mark.parametrize("name", ["nowhere/proof.json", "folder.lp", ""])
def test_a_certificate_that_cannot_be_written_is_told_at_once(call: Call, name: str) -> None:
    """A search would take forever."""
    assert_refused(call(*LONG, "--certificate", name), "can't be written")


def test_where_nothing_is_known_no_file_is_left(call: Call, folder: Path) -> None:
    """It isn't even known that the goal is reached by no first turn."""
    (folder / "old.json").write_text("kept")
    draw = ["solve", "connect_four", "startpos", "--attacker", "black", "--goal", "draw"]
    for name in ("old.json", "new.json"):
        result = call(*draw, "--positions", "1", "--certificate", name)
        assert (result.code, "Certificate" in result.out) == (3, False)
        assert "there is no certificate: no turn is known to be too few" in result.err
    assert (folder / "old.json").read_text() == "kept"
    assert not (folder / "new.json").exists()


def test_a_certificate_that_is_too_large_takes_nothing_from_the_answer(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for nodes, said in ((1, "1 nodes"), (1000, "1 MiB")):
        monkeypatch.setattr(certifying, "_MOST_NODES", nodes)
        result = call(*RACE, "--certificate", "proof.json")
        assert (result.code, "white can win in 2 turns." in result.out) == (3, True)
        assert f"there is no certificate: the certificate would have more than {said}" in result.err
        assert not (folder / "proof.json").exists()
        monkeypatch.setattr(certifying, "MOST_BYTES", 1 << 20)


@pytest.mark.parametrize("name", ["proof.json", "proof.gz"])
def test_where_the_whole_proof_does_not_fit_a_smaller_one_is_written(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    asked = [*RACE, "--certificate", name, "--html", "page.html"]
    if name == "proof.json":
        monkeypatch.setattr(certifying, "_MOST_NODES", 8)
    else:
        whole = certifying.write_stream

        def write(search: Solved, solution: Solution, file: IO[bytes]) -> None:
            if solution.is_complete:
                file.write(b"half of it")
                raise LimitReached("no answer within 1 second")
            whole(search, solution, file)

        monkeypatch.setattr(certifying, "write_stream", write)
    result = call(*asked)
    assert (result.code, "white can win in 2 turns." in result.out) == (0, True)
    assert "the certificate proves at most 2 turns, without keys; for more, " in result.err
    found = check(call("verify", name, "--json").json, "verification")
    assert (found["verified"], found["verdict"], found["at_most"]) == (True, "forced", 2)
    assert (folder / "page.html").exists()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", ["proof.json", "proof.gz"])
def test_of_an_undecided_puzzle_it_is_proved_that_some_turns_are_too_few(
    call: Call, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    asked = [*LONG, "-c", "width=3", "-c", "height=5", "--positions", "100000"]
    result = call(*asked, "--certificate", name)
    assert result.code == 3
    known = re.search(r"Undecided: .*; not within (\d+) turns", result.out)
    assert known, result.out
    assert result.err.endswith(f"proves that the goal isn't forced within {known[1]} turns\n")
    found = check(call("verify", name, "--json").json, "verification")
    assert (found["verdict"], found["within"]) == ("not_forced", int(known[1]))
    if name == "proof.json":
        monkeypatch.setattr(certifying, "_MOST_NODES", 20)
        result = call(*asked, "--certificate", name)
        assert "for more, the certificate would have more than 20 nodes" in result.err
        smaller = check(call("verify", name, "--json").json, "verification")
        assert 0 < smaller["within"] < found["within"]


def test_who_cannot_go_on_with_the_certificate_takes_nothing_from_the_answer(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_arguments: object) -> None:
        raise ExecutorFailed("the scheduler is gone")

    monkeypatch.setattr(certifying, "certificate", gone)
    result = call(*RACE, "--certificate", "proof.json")
    assert (result.code, "white can win in 2 turns." in result.out) == (4, True)
    assert result.err == "aspgames: the scheduler is gone\n"
    assert not (folder / "proof.json").exists()


def test_the_command_line_tells_why_not(call: Call) -> None:
    certificate = json.loads(EXAMPLE.read_text())
    del certificate["attack"]["nodes"][1]["replies"]["move(2,4,3,3)"]
    text = json.dumps(certificate).encode()
    reason = "attack.nodes[1]: the reply move(2,4,3,3) is missing"
    done = call("verify", "-", stdin=text)
    assert (done.code, done.out, done.err) == (1, f"Rejected: {reason}\n", "")
    done = call("verify", "-", "--json", stdin=text)
    assert done.code == 1
    assert check(done.json, "verification") == {"verified": False, "reason": reason}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "standard input is not JSON"),
        (b"{}", "it has no version number"),
        (b"[" * 100_000, "nests too deeply"),
        (b'{"certificate": 1, "game": "../secret"}', "there is no game"),
        (b'{"certificate": ' + b"9" * 5000 + b"}", "not JSON"),
        (b'{"certificate": 2}', "not of 2"),
    ],
)
def test_what_is_no_certificate_is_bad_input(call: Call, text: bytes, message: str) -> None:
    done = call("verify", "-", stdin=text)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("name", ["folder.lp", "missing.json", "not_utf8.txt", "empty.txt", ""])
def test_a_file_that_is_no_certificate(call: Call, name: str) -> None:
    assert_refused(call("verify", name), name)


def test_huge_certificates(call: Call, folder: Path) -> None:
    with (folder / "huge.json").open("wb") as file:
        file.truncate(1 << 30)  # needs no space on disk
    assert_refused(call("verify", "huge.json"), "longer than 67,108,864 bytes", code=3)
    certificate = json.loads(EXAMPLE.read_text())
    certificate["attack"]["nodes"][1]["replies"] = {f"move({n})": 2 for n in range(250_000)}
    (folder / "edges.json").write_text(json.dumps(certificate))
    result = call("verify", "edges.json")
    assert (result.code, result.err) == (1, "")
    assert result.out.startswith("Rejected: attack.nodes[1]: ")
    assert len(result.out) < 600


def test_limits_and_other_rules_on_the_command_line(call: Call, folder: Path) -> None:
    assert call("verify", "missing.json").code == 2
    assert call("verify", str(EXAMPLE), "--time", "0.000001").code == 3
    moved = json.loads(EXAMPLE.read_text()) | {"game": "/nowhere/breakthrough.lp"}
    (folder / "moved.json").write_text(json.dumps(moved))
    assert call("verify", "moved.json").code == 2
    assert call("verify", "moved.json", "--rules", "breakthrough").code == 0
    done = call("verify", "moved.json", "--rules", "skirmish")
    assert (done.code, done.out.split(":")[:2]) == (1, ["Rejected", " const"])


def test_a_lone_role_and_the_start_need_no_name(call: Call) -> None:
    hanoi = str(TESTS / "data/one_role/hanoi.lp")
    found = strict_json(call("solve", hanoi, "--goal", "win", "--json").out)
    assert (found["attacker"], found["position"], found["distance"]) == ("me", "startpos", 7)
    puzzle = {"game": hanoi, "position": "startpos", "goal": "win"}
    listed = strict_json(call("solve", "--puzzles", "-", stdin=jsonl(puzzle)).out)
    assert listed["distance"] == 7
    assert aspgames.solve(aspgames.load(hanoi).initial, goal="win").distance == 7
    two = strict_json(call("solve", "--puzzles", "-", stdin=jsonl(puzzle | {"game": "hex"})).out)
    assert two["error"].endswith("the puzzle has no 'attacker'")
    streamed = call("solve", hanoi, "--goal", "win", "--certificate", "proof.json.gz")
    assert_refused(streamed, "a streamed certificate is for two roles")


def test_a_certificate_that_nobody_could_check_is_refused_first(call: Call, folder: Path) -> None:
    rules = (TESTS / "data/one_role/hanoi.lp").read_text()
    odd = "odd(X) :- terminal, X = 1..2, not odd(X+1). goal(me,7) :- odd(3).\n"
    (folder / "odd.lp").write_text(odd + rules)
    asked = ("solve", "odd.lp", "--goal", "win", "--json")
    assert call(*asked).json["distance"] == 7
    refused = call(*asked, "--certificate", "proof.json")
    assert_refused(refused, "there can be no certificate: the rules recur through negation")
    assert not (folder / "proof.json").exists()
