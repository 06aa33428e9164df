"""Searches that are stopped at any moment, also while they are saved: nothing is lost."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from cli_helpers import LONG
from new_process import python
from thoroughly import amount
from workers_helpers import wait_for

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="nobody watches there"),
]

SLOW_DISK = """if True:
    import sys, time
    from aspgames.solver.search import saved_search
    pack = saved_search._packed
    def slow(block):
        time.sleep(0.13)
        return pack(block)
    saved_search._packed, saved_search._BLOCKS_AT_ONCE, saved_search._EVERY_SECONDS = slow, 1, 0.5
    saved_search._COST_RATIO = 0.2
    from aspgames.cli import main
    open("begun", "w").close()
    main()
"""
"""The program on a slow disk: a save of the search takes a second."""

ARGUMENTS = [*LONG, "-c", "width=4", "-c", "height=5", "--threads", "1", "--resume", "search"]
UNDECIDED = re.compile(r"Undecided: (the limits are reached|interrupted); not within (\d+) turns")


def saved(folder: Path) -> tuple[int, int]:
    """The evaluations of a saved search, which must be complete, and the turns that it refutes."""
    script = """if True:
        import sys, aspgames
        from pathlib import Path
        from aspgames.puzzle.problem import Puzzle
        from aspgames.runtime.budget import Budget
        from aspgames.solver.search.puzzle_search import Search
        state = aspgames.load("breakthrough", width=4, height=5).initial
        puzzle = Puzzle.of(state, "white", "win")
        search = Search(puzzle, Budget(), resume=Path("search"))
        print(search.table.made, search.bounds[0])
    """
    found = python(script, cwd=folder)
    assert found.err == ""
    made, refuted = map(int, found.out.split())
    return made, refuted


def refuted(out: str) -> int:
    """The turns that the printed answer refutes."""
    found = UNDECIDED.search(out)
    assert found, out
    return int(found[2])


def test_a_limit_comes_before_the_save_ends(tmp_path: Path) -> None:
    before = 0
    for _ in range(2):
        found = python(SLOW_DISK, *ARGUMENTS, "--time", "2", cwd=tmp_path)
        assert (found.code, found.err) == (3, "")
        assert sorted(os.listdir(tmp_path)) == ["begun", "search"]
        after, known = saved(tmp_path)
        assert known >= refuted(found.out)
        assert after > before
        before = after


def test_a_certificate_that_is_too_large_takes_nothing_else_along(tmp_path: Path) -> None:
    words = [*ARGUMENTS, "--certificate", "proof", "--time", "2"]
    found = python(SLOW_DISK, *words, cwd=tmp_path)
    assert found.code == 3
    assert saved(tmp_path)[1] >= refuted(found.out)


def _has_results(search: Path) -> bool:
    """Whether more than the question is saved."""
    return search.exists() and search.stat().st_size > 10_000


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=["int", "kill"])
def test_a_search_is_stopped_at_random_moments(tmp_path: Path, number: signal.Signals) -> None:
    """A kill is survived by what was saved before: the first one waits for that."""
    chance, before = random.Random(1), 0
    for number_of_stop in range(stops := amount(4, 20)):
        if number_of_stop == stops // 2:
            (tmp_path / "search").unlink(missing_ok=True)  # what grows larger takes longer to save
            before = 0
        process = subprocess.Popen(
            [sys.executable, "-c", SLOW_DISK, *ARGUMENTS],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        wait_for((tmp_path / "begun").exists)
        (tmp_path / "begun").unlink()
        if number == signal.SIGKILL or number_of_stop == stops - 1:
            wait_for(partial(_has_results, tmp_path / "search"))
        time.sleep(0.1 + chance.random() * 2.0)
        process.send_signal(number)
        out, err = process.communicate(timeout=300)
        if number == signal.SIGINT:
            assert process.returncode == 130
            assert "Traceback" not in err
        after, known = saved(tmp_path)
        assert after >= before
        if UNDECIDED.search(out):
            assert known >= refuted(out)
        before = after
    assert before > 0


TABLE = ["table", "breakthrough", "-c", "width=2", "-c", "height=5"]


@pytest.mark.parametrize(
    ("holder", "function", "words"),
    [
        ("solver.table import table_maker", "packed", TABLE),
        ("rl.data.recording import _Joining", "_groups", ["record", *TABLE[1:], "-n", "20"]),
    ],
)
def test_a_file_is_written_to_its_end(
    tmp_path: Path, holder: str, function: str, words: list[str]
) -> None:
    """The limit on time comes while a table, or a file of games, is written."""
    script = f"""if True:
        import time
        end = time.monotonic() + 11
        from aspgames.{holder} as holder
        from aspgames.cli import main
        from aspgames.cli.program import aspgames as program
        def slow(*arguments):
            time.sleep(max(0, end - time.monotonic()))
            return write(*arguments)
        write, holder.{function} = holder.{function}, slow
        program.commands[{words[0]!r}]._spare = 0.0
        main()
    """
    found = python(script, *words, "-o", "made.parquet", "--time", "10", cwd=tmp_path)
    assert (found.code, found.err) == (0, "")
    assert os.listdir(tmp_path) == ["made.parquet"]
