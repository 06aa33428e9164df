"""The oracle: ``aspgames serve`` behind a pipe, and its answers to arbitrary input."""

import json
import re
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jsonschema import ValidationError

import aspgames
from aspgames.cli.server.oracle import Server
from aspgames.game.reports import state_report
from cli_helpers import (
    DOCS,
    HEXAPAWN,
    PUZZLE,
    TICTACTOE,
    check,
    jsonl,
    run,
    schema,
    serving,
    strict_json,
)
from helpers import few_or_many

Answer = dict[str, Any]

KINDS = schema("error").schema["properties"]["kind"]["enum"]


def answers_to(folder: Path, lines: bytes, *arguments: str) -> list[Answer]:
    """The answers to some lines, sent at once; the oracle must then end with its input."""
    result = run("serve", *arguments, cwd=folder, stdin=lines)
    assert (result.code, result.err) == (0, "")
    return result.lines


def refusal(answer: Answer, *kinds: str) -> Answer:
    """The answer, which must be an error of one of some kinds, and not a defect."""
    check(answer, "error")
    assert answer["kind"] in kinds, answer
    assert "defect" not in answer["error"]
    assert len(answer["error"]) < 600, "nobody reads so long a line"
    return answer


def expected_state(game: str, position: str, *moves: str, **constants: int) -> Answer:
    state = aspgames.load(game, **constants).position(position)
    for move in moves:
        state = state.play(move)
    return state_report(state)


# --- a thousand requests --------------------------------------------------------------------------


def good_requests() -> list[tuple[Answer, Answer]]:
    """Requests, with expected parts of their answers."""
    small = {"width": 4, "height": 5}
    moves = ["a2-a3", "d4-d3", "move(1,3,2,4)"]
    king = "cell(1,1,king(white)) cell(8,8,king(black)) control(black) step(59)"
    hello: Answer = {"version": aspgames.__version__, "protocol": 1, "games": aspgames.games()}
    return [
        ({"op": "hello"}, hello),
        (
            {"op": "legal", "game": "breakthrough", "const": small},
            expected_state("breakthrough", "startpos", **small),
        ),
        (
            {"op": "play", "game": "breakthrough", "const": small, "moves": moves},
            expected_state("breakthrough", "startpos", *moves, **small),
        ),
        (
            {"op": "legal", "game": "skirmish", "position": king},
            expected_state("skirmish", king),
        ),
        (
            {"op": "play", "game": "amazons_8x8", "moves": ["c1-c4", "/c1"]},
            expected_state("amazons_8x8", "startpos", "c1-c4", "/c1"),
        ),
        (
            {"op": "perft", "game": "skirmish", "depth": 2},
            {"game": "skirmish", "depth": 2, "nodes": 36},
        ),
        (
            {"op": "solve", **PUZZLE, "within": 2, "comment": ["kept"]},
            {**PUZZLE, "comment": ["kept"], "distance": 1, "line": ["move(4,7,3,8)"]},
        ),
        (
            {"op": "solve", **PUZZLE, "within": 0},
            {"verdict": "not_forced", "distance": None, "keys": [], "line": []},
        ),
    ]  # fmt: skip


GAME = '"game":"breakthrough"'
LEGAL = f'"op":"legal",{GAME}'
PERFT = f'"op":"perft",{GAME},"depth":3'
SOLVE = f'"op":"solve",{json.dumps(PUZZLE)[1:-1]}'

# Lines that are not JSON objects; their answers can't echo an id.
NOT_JSON: list[bytes] = [
    b"",
    b"{",
    b'{"op":"hello",}',
    b"{'op':'hello'}",
    b"null",
    b'[{"op":"hello"}]',
    b"\xff\xfe",
    b'{"op":"hello","id":"\xe4"}',
    b"\x00",
    b"{}\xef\xbb\xbf",
    b'{"op":"hello"}{"op":"hello"}',
    b"[" * 100_000,
    b'{"op":' * 100_000,
]

# Invalid objects without their braces, with the kinds of error that are right.
NONSENSE: list[tuple[str, str]] = [
    ("", "bad_request"),
    ('"op":"Legal"', "bad_request"),
    ('"op":null', "bad_request"),
    ('"op":["legal"]', "bad_request"),
    (f'"op":{"[" * 500}{"]" * 500}', "bad_request"),
    ('"op":"legal"', "bad_request"),
    ('"op":"legal","game":"shogi"', "unknown_game"),
    ('"op":"legal","game":""', "unknown_game"),
    ('"op":"legal","game":7', "unknown_game bad_request"),
    ('"op":"legal","game":"own.lp"', "unknown_game"),
    ('"op":"legal","game":"own"', "unknown_game"),
    ('"op":"legal","game":"../encodings/amazons"', "unknown_game"),
    (f'"op":"legal","game":"{"x" * 100_000}"', "unknown_game"),
    (f'{LEGAL},"position":"@position.txt"', "bad_position"),
    (f'{LEGAL},"position":"-"', "bad_position"),
    (f'{LEGAL},"position":""', "bad_position"),
    (f'{LEGAL},"position":null', "bad_position"),
    (f'{LEGAL},"position":["startpos"]', "bad_position"),
    (f'{LEGAL},"position":"\\u0000"', "bad_position"),
    (f'{LEGAL},"position":"cell(9,9,white) control(white)"', "bad_position"),
    (f'{LEGAL},"position":"{"x" * 100_000}"', "bad_position"),
    (f'{LEGAL},"position":"{"(" * 100_000}"', "bad_position"),
    (f'{LEGAL},"const":{{"depth":4}}', "bad_constant"),
    (f'{LEGAL},"const":{{"width":1}}', "bad_constant"),
    (f'{LEGAL},"const":{{"width":4.5}}', "bad_constant"),
    (f'{LEGAL},"const":{{"width":4294967300}}', "bad_constant"),
    (f'{LEGAL},"const":{{"width":"4\\u0000"}}', "bad_constant"),
    (f'{LEGAL},"const":["width"]', "bad_constant bad_request"),
    (f'{LEGAL},"const":"width=4"', "bad_constant bad_request"),
    (f'"op":"play",{GAME},"moves":["a2-a4"]', "illegal_move"),
    (f'"op":"play",{GAME},"moves":["a7-a6"]', "illegal_move"),
    (f'"op":"play",{GAME},"moves":["a2 to a3"]', "bad_move"),
    (f'"op":"play",{GAME},"moves":["\\uff41\\uff12"]', "bad_move"),
    (f'"op":"play",{GAME},"moves":[""]', "bad_move"),
    (f'"op":"play",{GAME},"moves":[["a2-a3"]]', "bad_move bad_request"),
    (f'"op":"play",{GAME},"moves":"a2-a3"', "bad_request"),
    (f'"op":"play",{GAME},"moves":{{"white":"a2-a3"}}', "bad_request"),
    (f'"op":"play",{GAME},"moves":null', "bad_request"),
    (f'"op":"perft",{GAME}', "bad_request"),
    (f'"op":"perft",{GAME},"depth":-1', "bad_request"),
    (f'"op":"perft",{GAME},"depth":true', "bad_request"),
    (f'"op":"perft",{GAME},"depth":1.5', "bad_request"),
    (f'"op":"perft",{GAME},"depth":"1"', "bad_request"),
    (f'"op":"perft",{GAME},"depth":1{"0" * 1000},"time":0.01', "limit"),
    (f'{PERFT},"time":0', "bad_request"),
    (f'{PERFT},"time":-1', "bad_request"),
    (f'{PERFT},"time":null', "bad_request"),
    (f'{PERFT},"time":1e999', "bad_request bad_json"),
    (f'"op":"solve",{GAME}', "bad_request"),
    (f'{SOLVE},"attacker":"red"', "bad_request"),
    (f'{SOLVE},"goal":"mate"', "bad_request"),
    (f'{SOLVE},"goal":"score>=-1"', "bad_request"),
    (f'{SOLVE},"within":-1', "bad_request"),
    (f'{SOLVE},"within":true', "bad_request"),
    (f'{SOLVE},"time":0', "bad_request"),
    (f'{SOLVE},"position":"@position.txt"', "bad_position"),
    (f'{SOLVE},"const":{{"width":1}}', "bad_constant"),
    (f'{SOLVE},"game":"own.lp"', "unknown_game"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two games and a position, which requests must not read."""
    (tmp_path / "own.lp").write_text(TICTACTOE)
    (tmp_path / "hexapawn.lp").write_text(HEXAPAWN)
    (tmp_path / "position.txt").write_text("startpos")
    return tmp_path


@dataclass(frozen=True)
class Refused:
    """The expected answer to a broken request."""

    kinds: str
    identity: object = "none"


def test_hundreds_of_requests_every_third_of_them_broken(folder: Path) -> None:
    good = cycle(good_requests())
    broken = [(line, Refused("bad_json")) for line in NOT_JSON]
    for number, (body, kinds) in enumerate(NONSENSE):
        request = f'{{"id":[{number}]{"," if body else ""}{body}}}'
        broken.append((request.encode(), Refused(kinds, [number])))
    bad = cycle(broken)
    asked: list[tuple[bytes, Refused | Answer]] = []
    for number in range(300):
        if number % 3 == 2:
            asked.append(next(bad))
        else:
            question, answer = next(good)
            identity = {"id": number}
            asked.append((json.dumps(question | identity).encode(), answer | identity))
    answers = answers_to(folder, b"\n".join(line for line, _ in asked) + b"\n")
    assert len(answers) == 300
    wrong = []
    for (line, right), answer in zip(asked, answers, strict=True):
        if isinstance(right, Refused):
            try:
                refusal(answer, *right.kinds.split())
                assert answer.get("id", "none") == right.identity
            except (AssertionError, ValidationError) as error:
                wrong.append((line[:200], str(error)[:200]))
        elif not answer.items() >= right.items():
            wrong.append((line[:200], str(answer)[:200]))
    assert not wrong, "\n".join(map(str, wrong))


# --- one by one -----------------------------------------------------------------------------------


def test_a_request_without_op_is_told_what_there_is() -> None:
    assert Server({}).answer(b"{}")["error"].startswith("give an op; there are: hello, ")
    assert Server({}).answer(b'{"op":null}')["error"].startswith("there is no op 'None'")


def test_each_answer_comes_before_the_next_request(folder: Path) -> None:
    with serving(folder) as oracle:
        for number in range(5):
            assert oracle.ask({"op": "hello", "id": number})["id"] == number
            refusal(oracle.ask(b"{\n"), "bad_json")
            state = oracle.ask({"op": "legal", "game": "breakthrough", "id": number})
            assert check(state, "state")["id"] == number


@pytest.mark.quick(3)
@pytest.mark.parametrize(
    "identity",
    [0, -1.5, 10**30, "", "ä\ud800\u2028\n", "x" * 1_000_000, None, [], {"a": [1, {"b": None}]}],
    ids=lambda value: repr(value)[:20],
)
def test_any_id_is_echoed(identity: object) -> None:
    for request in ({"op": "hello"}, {"op": "nothing"}, {"op": "legal", "game": "skirmish"}):
        answer = strict_json(json.dumps(Server({}).answer(jsonl(request | {"id": identity}))))
        assert answer["id"] == identity
    assert "id" not in Server({}).answer(b'{"op":"hello"}')


def test_a_deep_id_is_echoed_or_refused(folder: Path) -> None:
    lines = [
        b'{"op":"hello","id":%s%s}\n' % (b"[" * depth, b"]" * depth) + jsonl({"op": "hello"})
        for depth in (100, 500, 900, 1000, 10_000, 1_000_000)
    ]
    answers = answers_to(folder, b"".join(lines))
    for deep, after in zip(answers[::2], answers[1::2], strict=True):
        check(deep, "hello" if "protocol" in deep else "error")
        check(after, "hello")
    assert len(answers) == 2 * len(lines)


def test_answers_are_json_whatever_python_takes_for_it(folder: Path) -> None:
    # JSON has no NaN: refused or not, the answer must not contain one.
    constants, keys = ("NaN", "Infinity", "-Infinity", "1e999"), ("id", "time", "comment")
    asked = [f'{{{SOLVE},"{key}":{constant}}}\n' for key in keys for constant in constants]
    answers = answers_to(folder, "".join(asked).encode())
    assert len(answers) == len(asked)
    for line, answer in zip(asked, answers, strict=True):
        assert "verdict" in answer or answer["kind"] in KINDS, line


def test_how_lines_may_end(folder: Path) -> None:
    assert answers_to(folder, b"") == []
    hello, nothing, last = answers_to(
        folder, b'{"op":"hello"}\r\n' + jsonl({"op": "nothing"}) + b'{"op":"hello"}'
    )
    refusal(nothing, "bad_request")
    assert check(hello, "hello") == check(last, "hello")


def test_a_line_that_never_ends(folder: Path) -> None:
    endless = b'{"op":"hello","id":"' + b"x" * 20_000_000 + b'"}\n'
    refused, after = answers_to(folder, endless + jsonl({"op": "hello"}))
    refusal(refused, "limit")
    check(after, "hello")


# --- limits ---------------------------------------------------------------------------------------


def test_questions_over_time(folder: Path) -> None:
    with serving(folder) as oracle:
        counted = {"op": "perft", "game": "breakthrough", "depth": 9, "time": 0.2, "id": "slow"}
        assert refusal(oracle.ask(counted), "limit")["id"] == "slow"
        request = {"op": "solve", **PUZZLE, "position": "startpos", "time": 0.2}
        solution = check(oracle.ask(request), "solution")
        assert solution.items() >= request.items()
        assert (solution["verdict"], solution["distance"]) == ("unknown", None)
        assert 0.1 < solution["seconds"] < 5
        check(oracle.ask({"op": "hello"}), "hello")


# --- the games served -----------------------------------------------------------------------------


def test_load(folder: Path) -> None:
    files = ["own.lp", str(folder / "hexapawn.lp"), "amazons_of_mine=own.lp"]
    with serving(folder, *(f"--load={file}" for file in files)) as oracle:
        games = check(oracle.ask({"op": "hello"}), "hello")["games"]
        assert games == sorted([*aspgames.games(), "own", "hexapawn", "amazons_of_mine"])
        own = check(oracle.ask({"op": "legal", "game": "own"}), "state")
        assert (own["game"], own["fen"], len(own["legal"]["xplayer"])) == ("own", None, 9)
        refusal(oracle.ask({"op": "legal", "game": "own.lp"}), "unknown_game")
        named = check(oracle.ask({"op": "legal", "game": "amazons_of_mine"}), "state")
        assert named == own | {"game": "amazons_of_mine"}
        refusal(oracle.ask({"op": "legal", "game": str(folder / "own.lp")}), "unknown_game")
        played = {"op": "play", "game": "hexapawn", "moves": ["b1-b2", "a3xb2"]}
        assert check(oracle.ask(played), "state")["fen"] == "1pp/1p1/P1P w"
        wide = {"op": "perft", "game": "hexapawn", "depth": 4, "const": {"size": 4}}
        assert oracle.ask(wide)["nodes"] == 280
        puzzle = {"op": "solve", "game": "hexapawn", "position": "startpos", "goal": "win"}
        solution = check(oracle.ask(puzzle | {"attacker": "black"}), "solution")
        assert (solution["verdict"], solution["distance"]) == ("forced", 3)


def test_a_loaded_file_is_not_opened_again(folder: Path) -> None:
    request = {"op": "legal", "game": "own"}
    with serving(folder, "--load", "own.lp") as oracle:
        oracle.ask({"op": "hello"})
        (folder / "own.lp").write_text("role(nobody).\n")
        changed = oracle.ask(request)
        (folder / "own.lp").unlink()
        gone = oracle.ask(request)
    assert changed == gone
    assert len(check(gone, "state")["legal"]["xplayer"]) == 9


FATAL: list[Answer] = [
    {"op": "legal", "game": "breakthrough", "position": "cell(1,1+1,white) control(white)"},
    {"op": "legal", "game": "breakthrough", "const": {"width": "3+1"}},
    {"op": "play", "game": "breakthrough", "moves": ["move(1,2,1,2+1)"]},
    {"op": "legal", "game": "breakthrough", "const": {"width": "(" * 5_000}},
    {"op": "legal", "game": "breakthrough", "const": {"width": "f(" * 5_000}},
    {"op": "legal", "game": "breakthrough", "position": "|" * 5_000},
    {"op": "legal", "game": "breakthrough", "position": f"f({'-' * 990}1)"},
    {"op": "play", "game": "breakthrough", "moves": [f"f({'~' * 990}1)"]},
]


def test_what_could_take_the_oracle_down(folder: Path) -> None:
    with serving(folder) as oracle:
        for request in FATAL:
            refusal(oracle.ask(request), *KINDS)
            check(oracle.ask({"op": "hello"}), "hello")


# --- arbitrary input ------------------------------------------------------------------------------

SCHEMAS = {
    "hello": "hello",
    "legal": "state",
    "play": "state",
    "perft": "perft",
    "solve": "solution",
}


def sound(answer: Answer) -> Answer:
    """The answer as its reader gets it: a report, or an error that is not a defect."""
    answer = strict_json(json.dumps(answer))
    if "verdict" in answer:
        return check(answer, "solution")  # type: ignore[no-any-return]
    if "error" in answer:
        return refusal(answer, *KINDS)
    name = next(
        name for key, name in [("facts", "state"), ("nodes", "perft"), ("protocol", "hello")]
        if key in answer
    )  # fmt: skip
    return check(answer, name)  # type: ignore[no-any-return]


# Parts of positions, moves, goals and constants, and possible values of each.
words = st.sampled_from(
    [
        *["startpos", "cell(1,1,white)", "control(white)", "8/8/3P4/8/8/8/8/8", "w", "@x", "-"],
        *["a2-a3", "b2-b3", "noop", "win", "trap", "score:1", "white", "black"],
        *["breakthrough", "skirmish", "width", "stuck", "4", "-1", "(", ")", ",", ".", "\\", '"'],
    ]
)
text = st.one_of(words, st.text(max_size=20), st.lists(words, max_size=6).map(" ".join))
numbers = st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False))
values = st.recursive(
    st.one_of(text, numbers, st.booleans(), st.none()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=8,
)
# Each request has a short time limit. Else the oracle would work for a minute.
times: st.SearchStrategy[object] = st.sampled_from([0.02, 0.02, 0, -1, "1", None, True, []])
requests = st.fixed_dictionaries(
    {"op": st.one_of(st.sampled_from(sorted(SCHEMAS)), values), "time": times},
    optional={
        "id": values,
        "game": st.one_of(st.sampled_from(["breakthrough", "skirmish", "amazons_8x8"]), values),
        "const": st.one_of(
            st.dictionaries(st.sampled_from(["width", "height", "x"]), st.one_of(numbers, text)),
            values,
        ),
        "position": st.one_of(text, values),
        "moves": st.one_of(st.lists(text, max_size=3), values),
        "depth": st.one_of(st.integers(-1, 2), values),
        "divide": st.one_of(st.booleans(), values),
        "attacker": st.one_of(st.sampled_from(["white", "black"]), values),
        "goal": st.one_of(st.sampled_from(["win", "trap", "score>=2"]), values),
        "within": st.one_of(st.integers(-1, 2), values),
        "error": values,
    },
)


@given(st.binary(max_size=60))
@settings(max_examples=15)
@example(b"")
@example(b"\xff")
def test_any_bytes_get_an_answer(line: bytes) -> None:
    refusal(sound(Server({}).answer(line)), "bad_json", "bad_request")


@few_or_many(15, 150, request_=requests)
def test_any_object_gets_an_answer(request_: Answer) -> None:
    line = json.dumps(request_).encode()
    answer = Server({}).answer(line)
    assert ("id" in answer) == ("id" in request_) or answer.get("kind") == "bad_json"
    sound(answer)


# --- the documentation ----------------------------------------------------------------------------


# Values that differ between runs or computers.
CHANGING = {"seconds", "positions", "not_within", "version", "games"}


def documented() -> list[tuple[bytes, Answer]]:
    """The requests in ``docs/serve.md`` with the answers shown there."""
    text = (DOCS / "serve.md").read_text(encoding="utf-8")
    pairs = re.findall(r"^→ (.*)\n← (.*)$", text, re.MULTILINE)
    assert text.count("→ ") == len(pairs) > 10
    return [(request.encode(), strict_json(answer)) for request, answer in pairs]


def test_the_documented_answers_are_the_ones_given(folder: Path) -> None:
    (folder / "tictactoe.lp").write_text(TICTACTOE)
    own = ["tictactoe.lp", str(DOCS.parent / "examples/four_in_a_row.kif")]
    pairs = documented()
    requests = b"\n".join(request for request, _ in pairs)
    answers = answers_to(folder, requests, *(f"--load={file}" for file in own))
    for (request, shown), answer in zip(pairs, answers, strict=True):
        assert set(shown.get("games", ())) <= set(answer.get("games", ()))
        for changing in CHANGING & shown.keys():
            answer[changing] = shown[changing]
        if shown.get("kind") == "bad_json":  # Python's words, which differ between versions
            answer["error"] = shown["error"]
        assert answer == shown, request
        sound(shown)


def test_the_documentation_shows_every_operation_and_every_kind() -> None:
    # An error in rules needs a wrong file: docs/rule_sheets.md has an example.
    shown = {answer.get("kind", "limit") for _, answer in documented()}
    served = set(KINDS) - {"bad_record"}  # a request opens no file of records
    assert shown == served - {"bad_rules"}
    text = (DOCS / "serve.md").read_text(encoding="utf-8")
    for word in [*served, *SCHEMAS, "id", "time", "divide", "const"]:
        assert f"`{word}`" in text
    assert "--load" in text
