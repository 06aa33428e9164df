"""A limit on time holds although somebody sets the time of day meanwhile."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CLOCK = """
#include <time.h>
static int calls;
static void tell(struct timespec *time) { time->tv_sec = 1000 * ++calls; time->tv_nsec = 0; }
int timespec_get(struct timespec *time, int base) { tell(time); return base; }
time_t time(time_t *now) { return (void)now, 1000 * ++calls; }
"""
SEARCH = """
import aspgames
from aspgames.propnet.kernel import kernel
from aspgames.puzzle.problem import Puzzle
from aspgames.runtime.budget import Budget
from aspgames.solver.search.kernel_search import BY_NUMBERS
from aspgames.solver.search.puzzle_search import Search

state = aspgames.load("breakthrough", width=3, height=5).initial
search = Search(Puzzle.of(state, "white", "win"), Budget())
node = search.table.report(search.root.state).node
print(search.table.run(node, 5, 1 << 40, 600.0, BY_NUMBERS, 1) != kernel().MORE)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the clock is replaced on Linux")
def test_setting_the_time_of_day_ends_no_search(tmp_path: Path) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        pytest.skip("there is no C compiler")
    (tmp_path / "clock.c").write_text(CLOCK)
    library = tmp_path / "clock.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, tmp_path / "clock.c"], check=True)
    environment = {**os.environ, "LD_PRELOAD": str(library)}
    command = [sys.executable, "-c", SEARCH]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert run.stdout == "True\n"
