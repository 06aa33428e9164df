"""Streamed certificates: true ones are accepted, false and damaged ones are not."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Callable, Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from aspgames import load
from aspgames.puzzle.problem import Puzzle
from aspgames.puzzle.proof import stream as streaming
from aspgames.puzzle.proof.certificate import write_stream
from aspgames.puzzle.proof.strategy import targets_of
from aspgames.puzzle.proof.stream import NodeLine, Stream, verify_stream
from aspgames.puzzle.proof.verify import Verification
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import AspgamesError, BadJson, BadRequest, OutOfTime, Rejected
from aspgames.runtime.workers.task_runner import TaskRunner
from aspgames.runtime.workers.worker_pool import Workers
from aspgames.solver.search.puzzle_search import Search
from false_certificates import (
    BRACKET,
    BY_KEY,
    GOOD,
    IN_ONE,
    KEY,
    ON_MOVE,
    ONE,
    WAITING,
    WRONG,
    Change,
    Json,
    Wrong,
    attack,
    checker_without,
    forced,
    move,
    off,
    replies,
    rules_of,
    stream_of,
)

IN_TWO = "a w: b d / b b: c / c w: e / e won / d end"
TRUE = [(ONE, IN_ONE), (KEY, BY_KEY), (IN_TWO, BRACKET)]


def lines_of(each: Wrong) -> list[Any]:
    """A certificate on a graph as lines. A node's state and turns are those of its edges."""
    names: list[str] = ["a"]
    lines = []
    keys, single = each.certificate["keys"], "role(white)." in each.rules
    for side in ("attack", "defence"):
        nodes = dict(enumerate(each.certificate.get(side, {}).get("nodes", ())))
        most = each.certificate["at_most" if "at_most" in each.certificate else "distance"]
        if side == "defence":
            most = each.certificate.get("not_within", most and most - 1)
        if each.certificate["verdict"] == "not_forced":
            most = each.certificate["within"]
        most = math.inf if most is None else int(most)
        at, turns = {0: "a"}, {0: (most - 1, most)}
        stricter = min if side == "attack" else max
        for number, node in nodes.items():
            if number not in at:
                continue
            if at[number] not in names:
                names.append(at[number])
            white = NodeLine(side, number, 0, 0, node).stated().attacks
            left = turns[number][not white]
            for term, target in targets_of(node).items():
                more = left + (side == "defence" and number == 0 < len(keys) and term not in keys)
                if type(target) is int and target in nodes and target != 0:
                    at.setdefault(target, term)
                    new = more - (single or not white), more
                    old = turns.setdefault(target, new)
                    turns[target] = stricter(old[0], new[0]), stricter(old[1], new[1])
            state = f"{1 << names.index(at[number]):x}"
            lines.append([side, number, state, None if left == math.inf else left, node])
    head = {k: v for k, v in each.certificate.items() if k not in ("attack", "defence")}
    fluents = [f"at({name})" for name in names]
    return [head | {"certificate": 2, "fluents": fluents}, *reversed(lines)]


def verified(lines: list[Any], load: Any, check: Any = verify_stream) -> Verification:
    found: Verification = check(stream_of(lines), Budget(20), load, TaskRunner())
    return found


@pytest.mark.parametrize("lines", [1, 2, 2000])
@pytest.mark.parametrize("true", TRUE, ids=lambda true: true[0])
def test_true_lines(true: tuple[str, Json], lines: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "_LINES_A_PART", lines)
    each = Wrong(rules_of(true[0]), true[1], "", ())
    found = verified(lines_of(each), each.load)
    assert (found.verdict, found.distance) == (true[1]["verdict"], true[1]["distance"])


REASONS = {
    "a distance without a defence against fewer turns": "defence: there is no node 0",
    "too small a number of turns that suffices": "the claim needs no defence",
}
"""The reasons of a stream that differ from those of a single object."""


@pytest.mark.quick(25)
@pytest.mark.parametrize(
    "name", [name for name in WRONG if name != "a node to which nothing leads"]
)
def test_lines_of_false_certificates(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "_LINES_A_PART", 1 + len(name) % 3)
    each = WRONG[name]
    with pytest.raises(AspgamesError, match=REASONS.get(name, each.reason)):
        verified(lines_of(each), each.load)


def with_turns(**more: int) -> Callable[[list[Any]], list[Any]]:
    """Add turns to the lines of the attack's nodes."""

    def changed(lines: list[Any]) -> list[Any]:
        added = {int(name[1:]): turns for name, turns in more.items()}
        for line in lines[1:]:
            line[3] += added.get(line[1], 0) if line[0] == "attack" else 0
        return lines

    return changed


TOO_MANY = WRONG["an attack that takes a turn too many"]
LEFT_OUT = Wrong(
    rules_of(GOOD + "b w: y / y end"),
    forced(1, "x g", [replies(x=1, b=1), move("g", "goal")], [move("x", "turns")]),
    "",
    (),
)
ROUND = Wrong(rules_of(GOOD + "b w: c / c w: b"), attack(2, move("c", 3), move("b", 2)), "", ())
IN_ONE_MOVE = Wrong(rules_of(ONE), IN_ONE, "", ())


def root_after_x(lines: list[Any]) -> list[Any]:
    """The attack begins at x, where it wins."""
    (x,) = (line for line in lines[1:] if line[:2] == ["attack", 1])
    x[1] = 0
    return [line for line in lines if line is x or line is lines[0] or line[0] == "defence"]


FORGED: dict[str, tuple[Wrong, Callable[[list[Any]], list[Any]], str, Change]] = {
    "a state that the move doesn't lead to": (
        LEFT_OUT, lambda lines: lines, "node 1 is another state$",
        off("known.state != arrival.state"),
    ),
    "turns that an edge doesn't leave": (
        TOO_MANY, with_turns(n4=1), "is for other turns of the attacker on move",
        ON_MOVE,
    ),
    "turns that an edge doesn't leave, with the defender on move": (
        TOO_MANY, with_turns(n3=1, n4=1), "node 3 is for other turns$",
        WAITING,
    ),
    "a circle in an attack": (
        ROUND, lambda lines: lines, "must not lead back",
        off("known.place >= place and not self.may_return"),
    ),
    "another root": (
        LEFT_OUT, root_after_x, "the position of the certificate: node 0 is another state",
        off("number == 0"),
    ),
    "no lines at all": (
        WRONG["a reply left out"], lambda lines: lines[:1], "attack: there is no node 0",
        off("index.get(side, 0) is None"),
    ),
    "a plan that fails": (
        WRONG["a plan's move that isn't legal"], lambda lines: lines, "g is not legal",
        off("failure is not None"),
    ),
    "a node twice": (
        IN_ONE_MOVE, lambda lines: [*lines, lines[-1]], "it is there twice",
        off("index.get(line.side, line.number) != line.stated(place)"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_forged_lines(name: str) -> None:
    each, forge, reason, _ = FORGED[name]
    with pytest.raises(Rejected, match=reason):
        verified(forge(lines_of(each)), each.load)


@pytest.mark.sample(4)
@pytest.mark.slow
@pytest.mark.parametrize("name", FORGED)
def test_it_is_the_condition_that_refuses_them(name: str, tmp_path: Path) -> None:
    each, forge, _, change = FORGED[name]
    with checker_without([change], tmp_path) as module:
        verified(forge(lines_of(each)), each.load, module("stream").verify_stream)


@pytest.mark.parametrize(
    "line",
    [
        "attack", ["attack", 1], ["attacks", 1, "2", 0, "goal"], ["attack", True, "2", 0, "goal"],
        ["attack", -1, "2", 0, "goal"], ["attack", 1 << 40, "2", 0, "goal"],
        ["attack", 1, "-2", 0, "goal"], ["attack", 1, "x", 0, "goal"], ["attack", 1, 2, 0, "goal"],
        ["attack", 1, "ff", 0, "goal"], ["attack", 1, "2", 0.5, "goal"],
        ["attack", 1, "2", False, "goal"], ["attack", 1, "2", 10**400, "goal"],
    ],
)  # fmt: skip
def test_malformed_lines(line: Any) -> None:
    lines = lines_of(IN_ONE_MOVE)
    with pytest.raises(Rejected, match=r"line 2: it must be \[side, number, state, turns, node\]"):
        verified([lines[0], line, *lines[1:]], IN_ONE_MOVE.load)


@pytest.mark.parametrize("fluents", [None, "at(a)", ["at(a)", 1], ["at(a)"] * 2, ["at(a)", "1+1"]])
def test_malformed_fluents(fluents: Any) -> None:
    head, *lines = lines_of(IN_ONE_MOVE)
    with pytest.raises(Rejected, match="fluents: "):
        verified([head | {"fluents": fluents}, *lines], IN_ONE_MOVE.load)
    with pytest.raises(Rejected):
        verified([head | {"fluents": []}, *lines], IN_ONE_MOVE.load)


def test_other_files() -> None:
    for file in (b"", b"{}", gzip.compress(b""), gzip.compress(b"[]\n"), gzip.compress(b"{\n")):
        with pytest.raises((BadRequest, BadJson)):
            verify_stream(BytesIO(file), Budget(), IN_ONE_MOVE.load, TaskRunner())
    with pytest.raises(BadRequest, match="version 2 can be checked, not of 1"):
        verified([IN_ONE_MOVE.certificate | {"fluents": []}], IN_ONE_MOVE.load)


@cache
def written() -> bytes:
    """A stream of some thousand lines."""
    file = BytesIO()
    puzzle = Puzzle.of(load("breakthrough", width=2, height=6).initial, "white", "win")
    with Search(puzzle, Budget(60), threads=1) as search:
        write_stream(search, search.run(), file)
    return file.getvalue()


def of_breakthrough(name: str, constants: Any) -> Any:
    return load(name, **constants)


@pytest.mark.slow
def test_parts_and_workers_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parts are for one node, a few, or all of a side; two processes share them."""
    found = []
    with Workers(2) as pool:
        for most, executor in ((10_000, None), (97, None), (200, pool)):
            monkeypatch.setattr(streaming, "_LINES_A_PART", most)
            file = BytesIO(written())
            each = verify_stream(file, Budget(), of_breakthrough, TaskRunner(executor))
            found.append((each.distance, each.keys, each.nodes, each.edges, each.plans))
        lines = [*map(json.loads, gzip.decompress(written()).splitlines())]
        plan = next(n for n, line in enumerate(lines) if n > 400 and "plan" in line[4])
        lines[plan][4]["plan"].insert(0, "move(1,1,1,2)")
        with pytest.raises(Rejected, match="the plan doesn't hold"):
            verify_stream(stream_of(lines), Budget(), of_breakthrough, TaskRunner(pool))
    assert found[0] == found[1] == found[2]
    assert found[0][:2] == (8, ("move(1,2,1,3)", "move(2,2,2,3)"))


def test_damaged_files() -> None:
    data = written()
    for place in (*range(0, 40, 7), *range(40, len(data), len(data) // 8)):
        flipped = bytearray(data)
        flipped[place] ^= 1 << place % 8
        for wrong in (data[:place], bytes(flipped)):
            if not is_harmless(wrong):
                with pytest.raises(AspgamesError):
                    verify_stream(BytesIO(wrong), Budget(), of_breakthrough, TaskRunner())


def is_harmless(data: bytes) -> bool:
    """Whether a change is only in the header of a compressed file, such as in its time."""
    try:
        return gzip.decompress(data) == gzip.decompress(written())
    except Exception:
        return False


def test_a_file_that_changes_during_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    lines, times = Stream.lines, iter((False, True))

    def changing(stream: Stream) -> Iterator[tuple[int, NodeLine]]:
        is_short = next(times)
        return (each for each in lines(stream) if not (is_short and each[1].number == 1))

    monkeypatch.setattr(Stream, "lines", changing)
    with pytest.raises(Rejected, match="the file has changed during the check"):
        verified(lines_of(IN_ONE_MOVE), IN_ONE_MOVE.load)


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OutOfTime):
        verify_stream(BytesIO(written()), Budget(1e-6), of_breakthrough, TaskRunner())
    monkeypatch.setattr(streaming, "MOST_BYTES", 100)
    with pytest.raises(AspgamesError, match="a line is longer than"):
        verified(lines_of(IN_ONE_MOVE), IN_ONE_MOVE.load)
