"""Searches saved and continued, and files that aren't saved searches."""

import errno
import gzip
import hashlib
import json
import random
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import aspgames
from aspgames import BadRequest, Solution
from aspgames.propnet.net import Net
from aspgames.propnet.reachable_nets import net_for
from aspgames.puzzle.problem import Puzzle
from aspgames.puzzle.proof.certificate import certificate
from aspgames.puzzle.proof.verify import verify
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import Interrupted, LimitReached, Rejected
from aspgames.runtime.temporary_files import unfinished
from aspgames.solver.search import puzzle_search, saved_search
from aspgames.solver.search.kernel_search import UNBOUNDED
from aspgames.solver.search.pace import Pace
from aspgames.solver.search.puzzle_search import Search
from cli_helpers import Call, assert_refused
from paths import TESTS
from proofs import proved

SLIDING = str(TESTS / "data/sliding.lp")
PUZZLES: dict[str, tuple[str, dict[str, int], str, str]] = {
    "forced": ("breakthrough", {"width": 2, "height": 6}, "startpos", "white"),
    "not forced": ("breakthrough", {"width": 2, "height": 6}, "startpos", "black"),
    "defender on move": ("breakthrough", {"width": 4, "height": 4}, "startpos", "black"),
    "one role": (SLIDING, {}, "cell(1,2,4) cell(2,2,5) cell(1,1,1) cell(2,1,2) cell(3,1,3)", ""),
    "out of reach": (
        SLIDING,
        {},
        "cell(1,2,2) cell(2,2,1) cell(3,2,3) cell(1,1,4) cell(2,1,5)",
        "",
    ),
    "hard": ("breakthrough", {"width": 3, "height": 5}, "startpos", "white"),
}


@dataclass(frozen=True)
class Asked:
    """A puzzle, its net, and the answer of an uninterrupted search."""

    puzzle: Puzzle
    net: Net
    whole: Solution

    def search(self, file: Path, budget: Budget, **more: Any) -> Search:
        return Search(self.puzzle, budget, net=self.net, resume=file, **more)

    def keep(self, file: Path, positions: int = 3000) -> Search:
        search = self.search(file, Budget(positions=positions), threads=1)
        search.run()
        search.keep()
        return search


def of(name: str) -> Asked:
    game, constants, position, attacker = PUZZLES[name]
    loaded = aspgames.load(game, **constants)
    puzzle = Puzzle.of(loaded.position(position), attacker or loaded.roles[0], "win")
    net = net_for(loaded.rules, puzzle.state.facts)
    return Asked(puzzle, net, Search(puzzle, Budget(), net=net, threads=1).run())


@pytest.fixture(scope="module", params=list(PUZZLES)[:-1])
def asked(request: pytest.FixtureRequest) -> Asked:
    return of(request.param)


@pytest.fixture(scope="module")
def hard() -> Asked:
    return of("hard")


@pytest.fixture(params=["easy", "hard"])
def _hardness(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hard puzzles use both searches, with lemmas and several threads."""
    if request.param == "hard":
        monkeypatch.setattr(puzzle_search, "rounds", lambda: ((20 << n // 4,) * 2 for n in count()))
        monkeypatch.setattr(puzzle_search, "_EASY_EFFORT", 40)


@pytest.mark.quick(2)
@pytest.mark.sample(10)
@pytest.mark.usefixtures("_hardness")
@pytest.mark.parametrize("threads", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("positions", [pytest.param(300, marks=pytest.mark.slow), 4_000])
def test_the_answer_is_that_of_a_search_that_was_not_stopped(
    asked: Asked, threads: int, positions: int, tmp_path: Path
) -> None:
    file = tmp_path / "table"
    for _ in range(100):
        search = asked.search(file, Budget(positions=positions), threads=threads)
        solution = search.run()
        search.keep()
        if solution.is_complete:
            break
        positions += positions // 10
    assert summary(solution) == summary(asked.whole)
    again = asked.search(file, Budget(positions=positions)).run()
    assert summary(again) == summary(asked.whole)
    assert sorted(tmp_path.iterdir()) == [file]


def summary(solution: Solution) -> object:
    replies = solution.replies if solution.verdict == "forced" else None
    return solution.verdict, solution.distance, solution.keys, len(solution.line), replies


def test_a_certificate_of_what_another_run_found(tmp_path: Path) -> None:
    asked = of("forced")
    asked.keep(tmp_path / "table")
    search = asked.search(tmp_path / "table", Budget())
    assert proved(search, search.run()).distance == asked.whole.distance


def test_a_table_that_was_swept(tmp_path: Path) -> None:
    asked, file = of("forced"), tmp_path / "table"
    for _ in range(200):
        search = asked.search(file, Budget(positions=20_000), threads=1, memory=300_000)
        solution = search.run()
        search.keep()
        if solution.is_complete:
            break
    assert summary(solution) == summary(asked.whole)
    with pytest.raises(LimitReached, match="doesn't fit"):
        asked.search(file, Budget(), memory=100_000)


def test_another_number_of_turns_may_be_asked(hard: Asked, tmp_path: Path) -> None:
    few = replace(hard, puzzle=replace(hard.puzzle, within=4))
    few.keep(tmp_path / "table", 10_000_000)
    search = hard.search(tmp_path / "table", Budget())
    assert search.table.made
    assert summary(search.run()) == summary(hard.whole)


# --- files that aren't saved searches -------------------------------------------------------------


def test_another_puzzle_and_other_rules(hard: Asked, tmp_path: Path) -> None:
    file = tmp_path / "table"
    hard.keep(file)
    state = hard.puzzle.state
    others = [
        Puzzle.of(state, "black", "win"),
        Puzzle.of(state, "white", "trap"),
        Puzzle.of(state.play(state.legal_moves[0]), "white", "win"),
    ]
    for other in others:
        with pytest.raises(BadRequest, match="table is of another puzzle"):
            Search(other, Budget(), resume=file)
    wider = aspgames.load("breakthrough", width=4, height=5).initial
    (tmp_path / "mine.lp").write_text('#include "breakthrough.lp". goal(white,50) :- terminal.')
    mine = aspgames.load(str(tmp_path / "mine.lp"), width=3, height=5).initial
    for other_rules in (wider, mine):
        with pytest.raises(BadRequest, match="table is of other rules"):
            Search(Puzzle.of(other_rules, "white", "win"), Budget(), resume=file)


def test_names_that_have_other_numbers(hard: Asked, tmp_path: Path) -> None:
    """A net with the moves in another order, which no real run has."""
    hard.keep(tmp_path / "table")
    taken = hard.search(tmp_path / "other", Budget())
    taken.table.net = copy(taken.table.net)
    taken.table.net.moves = taken.table.net.moves[::-1]
    with pytest.raises(BadRequest, match="another puzzle"):
        saved_search.SavedSearch(tmp_path / "table", taken)


def test_damaged_files(hard: Asked, tmp_path: Path) -> None:
    file, chance = tmp_path / "table", random.Random(1)
    hard.keep(file)
    data = file.read_bytes()
    for _ in range(100):
        place = chance.randrange(len(data))
        flipped = bytearray(data)
        flipped[place] ^= 1 << chance.randrange(8)
        longer = data[:place] + chance.randbytes(3) + data[place:]
        for damaged in (data[:place], flipped, longer):
            file.write_bytes(damaged)
            with pytest.raises(
                BadRequest, match=r"table (is damaged|isn.t a saved search|is of another ver)"
            ):
                hard.search(file, Budget())
            assert file.read_bytes() == damaged
    for damaged in (b"", b"aspgames", data + b"\n"):
        file.write_bytes(damaged)
        with pytest.raises(BadRequest, match=r"table (is damaged|isn.t a saved search)"):
            hard.search(file, Budget())
    file.write_bytes(data[:7] + b"\x7f" + data[8:])
    with pytest.raises(BadRequest, match="another version"):
        hard.search(file, Budget())


def test_what_is_no_file(hard: Asked, tmp_path: Path) -> None:
    (tmp_path / "nowhere").symlink_to(tmp_path / "missing")
    for path in (tmp_path, Path("/dev/null"), tmp_path / "nowhere"):
        with pytest.raises(BadRequest, match="isn't a file"):
            hard.search(path, Budget())
    with pytest.raises(BadRequest, match="can't be written: No such file"):
        hard.search(tmp_path / "folder/table", Budget())


def opened(file: Path) -> bytearray:
    return bytearray(gzip.decompress(file.read_bytes()[40:]))


def forge(file: Path, content: bytes) -> None:
    """Write a file with a correct checksum and any content."""
    packed = gzip.compress(content, 1)
    file.write_bytes(saved_search._MARK + hashlib.sha256(packed).digest() + packed)


def test_files_that_say_what_is_not_so(asked: Asked, tmp_path: Path) -> None:
    """A forged file can cause a false answer, but no certificate that is accepted."""
    file, chance = tmp_path / "table", random.Random(2)
    asked.keep(file, 10_000)
    content, outcomes = opened(file), set()
    tables = saved_search._HEAD.size - 64  # after the digests, which distinguish puzzles
    for number in range(6):
        forged = bytearray(content)
        for _ in range(1 + number % 3):
            place = chance.randrange(tables, len(content))
            if number % 2:
                forged[place] ^= 1 << chance.randrange(8)
            else:
                forged[place : place + 8] = chance.choice([b"\xff" * 8, bytes(8), b"\x7f" * 8])
        forge(file, bytes(forged))
        try:
            search = asked.search(file, Budget(5, 5_000), memory=1 << 24, threads=1)
            solution = search.run()
            if solution.is_complete:
                proof = json.loads(json.dumps(certificate(search, solution)))
                with suppress(Rejected):
                    found = verify(proof, Budget(5))
                    assert (found.verdict, found.distance) == (
                        asked.whole.verdict,
                        asked.whole.distance,
                    )
            outcomes.add(solution.verdict)
        except (BadRequest, LimitReached) as error:
            outcomes.add(str(error).removeprefix(str(file)))
    assert " is damaged" in outcomes
    assert outcomes & {"forced", "not_forced", "unknown"}


def test_bounds_that_contradict_the_rules(tmp_path: Path) -> None:
    """The file claims that the goal is forced, but no move forces it."""
    asked, file = of("defender on move"), tmp_path / "table"
    search = asked.keep(file)
    root, node = search.root.state, search.table.parts()[1]
    number = search.table.report(root).node
    struct.pack_into("<2h", node.data, number * node.item + 30, 2, 2)  # lower, upper
    assert search.root.bounds == (2, 2)
    search.table.made += 1
    search.keep()
    with pytest.raises(BadRequest, match="contradicts itself"):
        asked.search(file, Budget()).run()


def test_numbers_that_end_the_search(hard: Asked, tmp_path: Path) -> None:
    search = hard.keep(tmp_path / "table")
    nodes = search.table.parts()[1]
    for start in range(0, len(nodes.data), nodes.item):
        # Proof and disproof number, for any number of turns.
        struct.pack_into("<2Ih", nodes.data, start + 20, 100_000_000, 100_000_000, UNBOUNDED)
    search.table.made += 1
    search.keep()
    with pytest.raises(BadRequest, match="contradicts itself"):
        hard.search(tmp_path / "table", Budget()).run()


@pytest.mark.parametrize("part", range(5))
def test_each_part_is_looked_at(hard: Asked, part: int, tmp_path: Path) -> None:
    """Values out of bounds are refused; states themselves may have any value."""
    file = tmp_path / "table"
    search = hard.keep(file)
    content, parts = opened(file), search.table.parts()
    end = len(content) - sum(len(p.data) for p in parts[part + 1 :])
    content[end - len(parts[part].data) : end] = b"\xf5" * len(parts[part].data)
    forge(file, bytes(content))
    if part == 0:
        hard.search(file, Budget())
    else:
        with pytest.raises(BadRequest, match="damaged"):
            hard.search(file, Budget())


# --- writing --------------------------------------------------------------------------------------


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException | None, int], None]:
    """Makes writes to a file fail with an error after so many writes."""
    pack = saved_search._packed

    def fail(error: BaseException | None, after: int) -> None:
        written = 0

        def failing_pack(block: Any) -> bytes:
            nonlocal written
            written += 1
            if error and written > after:
                raise error
            return pack(block)

        monkeypatch.setattr(saved_search, "_packed", failing_pack)

    return fail


def test_what_a_killed_process_has_begun_is_replaced(hard: Asked, tmp_path: Path) -> None:
    file, part = tmp_path / "table", tmp_path / ".table.part"
    part.write_bytes(b"half of it")
    search = hard.keep(file)
    assert [path.name for path in tmp_path.iterdir()] == ["table"]
    before, search.table.made = file.read_bytes(), search.table.made + 1
    with unfinished(file), pytest.raises(BadRequest, match="another process is writing it"):
        search.keep()
    assert file.read_bytes() == before


@pytest.mark.parametrize("after", [0, 1, 4])
@pytest.mark.parametrize("error", [Interrupted(), OSError(errno.ENOSPC, "No space left on device")])
def test_what_is_there_stays_until_the_new_one_is_whole(
    hard: Asked,
    tmp_path: Path,
    failing: Callable[[BaseException | None, int], None],
    error: BaseException,
    after: int,
) -> None:
    file = tmp_path / "table"
    hard.keep(file)
    before = file.read_bytes()
    search = hard.search(file, Budget(positions=10_000))
    search.run()
    failing(error, after)
    with pytest.raises((Interrupted, BadRequest)) as caught:
        search.keep()
    if isinstance(error, OSError):
        assert str(caught.value) == f"{file} can't be written: No space left on device"
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]
    failing(None, 0)
    search.keep()
    assert file.read_bytes() != before


def test_it_is_written_now_and_then(
    hard: Asked,
    tmp_path: Path,
    failing: Callable[[BaseException | None, int], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A full disk may have room later."""
    file, told = tmp_path / "table", list[str]()
    monkeypatch.setattr(saved_search, "_EVERY_SECONDS", 0.0)
    monkeypatch.setattr(saved_search, "_COST_RATIO", 0.0)
    monkeypatch.setattr(saved_search, "machine_bytes", lambda: 0)  # no room for a copy
    search = hard.search(file, Budget(positions=8_000), progress=told.append)
    empty = file.read_bytes()
    failing(OSError(errno.ENOSPC, "No space left on device"), 0)
    search.run()
    assert file.read_bytes() == empty
    assert told
    assert all(text.startswith(f"{file} can't be written: No space") for text in told[1:])
    failing(None, 0)
    told.clear()
    search.budget = Budget(positions=8_000)
    search.run()
    assert file.read_bytes() != empty
    assert "written" not in told[-1]


def test_the_search_goes_on_while_a_copy_is_written(
    hard: Asked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, pack, starts = tmp_path / "table", saved_search._packed, list[int]()
    monkeypatch.setattr(saved_search, "_EVERY_SECONDS", 0.0)
    monkeypatch.setattr(saved_search, "_COST_RATIO", 0.0)
    search = hard.search(file, Budget(positions=200_000), threads=1)
    empty = file.read_bytes()

    def slow(block: Any) -> bytes:
        if threading.current_thread() is not threading.main_thread() and not starts:
            starts.append(search.table.made)
            deadline = time.monotonic() + 10
            while search.table.made == starts[0] and time.monotonic() < deadline:
                time.sleep(0.001)
            monkeypatch.setattr(saved_search, "_EVERY_SECONDS", 1e9)
        return pack(block)

    monkeypatch.setattr(saved_search, "_packed", slow)
    search.run()
    aside = search._saved and search._saved._aside
    assert aside
    aside.join()
    assert file.read_bytes() != empty
    kept = hard.search(file, Budget())
    assert 0 < kept.table.made <= starts[0] < search.table.made
    search.keep()
    assert hard.search(file, Budget()).table.made == search.table.made
    assert list(tmp_path.iterdir()) == [file]


# --- the command line and Python ------------------------------------------------------------------


ASKED = ["breakthrough", "startpos", "-c", "width=2", "-c", "height=6"]
SOLVE = ["solve", *ASKED, "--attacker", "black", "--goal", "win", "--threads", "1"]


def test_the_command_line(call: Call, tmp_path: Path) -> None:
    file = str(tmp_path / "table")
    few = call(*SOLVE, "--resume", file, "--positions", "3000", "--json")
    assert (few.code, few.json["verdict"]) == (3, "unknown")
    proof = str(tmp_path / "proof")
    rest = call(*SOLVE, "--resume", file, "--json", "--certificate", proof)
    assert rest.code == 1
    assert rest.json["positions"] > 0
    assert call("verify", proof).code == 0
    assert call(*SOLVE, "--resume", file, "--json").json["positions"] == 0
    white = [word.replace("black", "white") for word in SOLVE]
    assert_refused(call(*white, "--resume", file), "table is of another puzzle")
    assert_refused(call(*SOLVE, "--resume", proof), "proof isn't a saved search")
    assert_refused(call(*SOLVE, "--resume", file, "--memory", "0.1"), "doesn't fit", code=3)
    assert_refused(call(*SOLVE, "--resume", file, "--together"), "--together", "--resume")
    puzzles = tmp_path / "puzzles"
    puzzles.write_text("")
    assert_refused(call("solve", "--puzzles", str(puzzles), "--resume", file), "kept results")


def test_an_answer_is_told_though_the_file_can_not_be_written(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep, times = saved_search.SavedSearch.keep, 0

    def fail(self: saved_search.SavedSearch) -> None:
        nonlocal times
        times += 1
        if times > 1:
            raise BadRequest("the table can't be written: No space left on device")
        keep(self)

    monkeypatch.setattr(saved_search.SavedSearch, "keep", fail)
    result = call(*SOLVE, "--resume", str(tmp_path / "table"))
    assert result.code == 2
    assert "can't win" in result.out
    assert "No space left on device" in result.err


def test_python(tmp_path: Path) -> None:
    state = aspgames.load("breakthrough", width=2, height=6).initial
    file = tmp_path / "table"
    found = []
    for positions in (3_000, 100_000_000, None):
        budget = Budget(positions=positions)
        solution = aspgames.solve(
            state, attacker="black", goal="win", budget=budget, resume=str(file)
        )
        found.append(solution.verdict)
    assert found == ["unknown", "not_forced", "not_forced"]
    assert solution.positions == 0


# --- the estimate ---------------------------------------------------------------------------------


def test_there_is_no_estimate_where_there_is_nothing_to_go_by() -> None:
    assert Pace().text(5, 1.0) == ""
    assert Pace([(1, 0), (2, 90_000)]).text(100_000, 1.0) == ""
    assert Pace([(1, 0), (2, 9_000), (3, 200_000)]).text(300_000, 1.0) == ""
    assert Pace([(1, 0), (2, 90_000), (3, 270_000)]).text(300_000, 0.0) == ""


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (270_000, "about 60 min left (2.0"),
        (272_000, "about 60 min left (2.0"),
        (450_000, "about 30 min left (2.0"),
        (626_000, "about 40 s left (2.0"),
        (630_000, "about 60 min left (4.0"),  # it was missed, and doubled
        (990_000, "about 2 h left (8.0"),
    ],
)
def test_the_next_number_of_turns_grows_as_the_last_one_did(made: int, words: str) -> None:
    pace = Pace([(1, 0), (2, 90_000), (3, 270_000)])
    assert pace.text(made, 100.0) == f"{words} times what 3 turns took)"


def test_an_estimate_that_was_missed_three_times_is_dropped() -> None:
    assert Pace([(1, 0), (2, 90_000), (3, 270_000)]).text(1_710_000, 100.0) == ""


def test_a_second_run_counts_on(hard: Asked, tmp_path: Path) -> None:
    search = hard.keep(tmp_path / "table", 100_000)
    told: list[str] = []
    again = hard.search(tmp_path / "table", Budget(positions=100), threads=1, progress=told.append)
    positions, seconds = search.spent
    assert again.earlier[0] == positions == search.positions
    assert 0 < again.earlier[1] <= seconds
    again.run()
    assert again.spent[0] > positions


def test_what_was_refuted_is_noted_once_and_kept(hard: Asked, tmp_path: Path) -> None:
    search = hard.keep(tmp_path / "table", 100_000)
    marks = search.pace.marks
    assert [turns for turns, _ in marks] == sorted({turns for turns, _ in marks})
    assert [made for _, made in marks] == sorted(made for _, made in marks)
    assert marks[-1][0] == search.refuted
    assert hard.search(tmp_path / "table", Budget()).pace.marks == marks


def test_the_estimate_is_told(hard: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aspgames.solver.search.pace._LEAST_EFFORT", 1)
    told: list[str] = []
    Search(hard.puzzle, Budget(), told.append, net=hard.net, threads=1).run()
    assert any(" left (" in text for text in told)
    assert any("proof number" in text for text in told)
