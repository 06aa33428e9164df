"""Verbs stopped at any moment, on a slow disk, and begun again: they end as if undisturbed."""

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

from aspgames.agents.alphabeta.kept_values import read_value
from aspgames.runtime.errors import BadRequest
from aspgames.runtime.workers.journal import Journal
from new_process import python
from thoroughly import amount
from workers_helpers import wait_for

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="nobody watches there"),
]

SLOW_DISK = """if True:
    import sys, time
    from pathlib import Path
    from aspgames.runtime.workers.journal import Journal
    def slow(holder, name, seconds):
        write = getattr(holder, name)
        def slowed(*arguments):
            time.sleep(seconds)
            return write(*arguments)
        setattr(holder, name, slowed)
    slow(Path, "replace", 0.3)
    slow(Journal, "keep", 0.05)
    open("begun", "w").close()
    from aspgames.cli import main
    main()
"""
"""The program on a slow disk: what is written has its name a third of a second later."""

SMALL = "breakthrough -c width=2 -c height=5"
LARGER = "breakthrough -c width=4 -c height=5"
VERBS = {
    "table": f"table {SMALL} -o made",
    "record": f"record {SMALL} -n 50 -o made --reasoner grounder",
    "compose": f"compose {LARGER} --goal win --within 2 -n 3 -o made --resume kept",
    "crosscheck": f"crosscheck {SMALL} --against propnet --games 100 --made 1000 --report made "
    "--resume kept",
    "verify": "verify proof.gz --resume kept",
    "jobs": f"solve {SMALL} startpos --attacker black --goal win --workers 2 --certificate made "
    "--resume kept",
    "puzzles": "solve --puzzles puzzles --output made --resume kept",
    "perft": f"perft {LARGER} --depth 3 --resume kept --reasoner grounder",
}
PROOF = (
    "solve breakthrough -c width=3 -c height=5 startpos --attacker black --goal win --certificate "
    "proof.gz"
)
PUZZLE = (
    '{"game": "breakthrough", "position": "8/3P4/8/8/8/8/p7/8 w", "attacker": "white", '
    '"goal": "win"}\n'
)
CHANGING = re.compile(
    r'(, )?\(?[\d.,]+ (s|ms|rows a second)\b|"(seconds|positions|version)": ?[^,}]*'
)


def made(folder: Path, out: str) -> tuple[str, str]:
    """The output and the file of a run, without what differs between runs."""
    file = folder / "made"
    content = file.read_bytes().decode("latin-1") if file.exists() else ""
    return CHANGING.sub("", out), CHANGING.sub("", content)


def has_other_bytes(file: Path, before: bytes) -> bool:
    """Whether a file exists, with another content."""
    return file.exists() and file.read_bytes() != before


def test_a_training_is_stopped_at_random_moments(tmp_path: Path) -> None:
    """Its file is always whole, and the next run goes on with the weights in it."""
    words, value = ["train", "-n", "200", "-o", "value", "breakthrough"], tmp_path / "value"
    chance = random.Random(1)
    for number in range(amount(4, 20)):
        kind = (signal.SIGINT, signal.SIGKILL)[number % 2]
        before = value.read_bytes() if value.exists() else b""
        process = subprocess.Popen(
            [sys.executable, "-c", SLOW_DISK, *words, *(["--from", "value"] if before else [])],
            cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        if number < 2:  # such a stop comes late enough for weights
            wait_for(partial(has_other_bytes, value, before))
        time.sleep(0.2 + 4.0 * chance.random())
        process.send_signal(kind)
        out, err = process.communicate(timeout=300)
        assert process.returncode == (130 if kind == signal.SIGINT else -kind)
        assert ("generation" in out) <= (kind == signal.SIGINT)
        assert "Traceback" not in err
        read_value(str(value))
    assert set(os.listdir(tmp_path)) <= {"begun", "value", ".value.part"}


def is_free(file: Path) -> bool:
    """Whether no process has the file of ``--resume`` open any more."""
    try:
        Journal(file).close()
    except BadRequest:
        return False
    return True


def kept(folder: Path) -> int:
    """How many results the file of ``--resume`` has."""
    with Journal(folder / "kept") as journal:
        return len(journal)


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_is_stopped_at_random_moments(tmp_path: Path, verb: str) -> None:
    words = VERBS[verb].split()
    (tmp_path / "puzzles").write_text(PUZZLE * 15)
    if verb == "verify":
        solved = python("from aspgames.cli import main; main()", *PROOF.split(), cwd=tmp_path)
        assert solved.code == 0
    alone = tmp_path / "alone"
    alone.mkdir()
    for name in ("puzzles", "proof.gz"):
        if (tmp_path / name).exists():
            os.link(tmp_path / name, alone / name)
    begun = time.monotonic()
    whole = python(SLOW_DISK, *words, cwd=alone)
    seconds = time.monotonic() - begun
    chance, wanted, before = random.Random(verb), made(alone, whole.out), 0
    for number in range(amount(2, 20)):
        kind = (signal.SIGINT, signal.SIGKILL)[number % 2]
        process = subprocess.Popen(
            [sys.executable, "-c", SLOW_DISK, *words],
            cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        time.sleep(0.2 + chance.random() * max(1.0, 0.7 * seconds))
        process.send_signal(kind)
        out, err = process.communicate(timeout=300)
        assert "Traceback" not in err
        if process.returncode == whole.code:
            assert made(tmp_path, out) == wanted
            before = 0
            for file in tmp_path.glob("*"):  # once more, from the start
                if file.name.startswith(("made", "kept")):
                    file.unlink()
            continue
        assert process.returncode == (130 if kind == signal.SIGINT else -kind)
        wait_for(partial(is_free, tmp_path / "kept"))
        after = kept(tmp_path)
        assert after >= before
        before = after
    last = python(SLOW_DISK, *words, cwd=tmp_path)
    assert (last.code, made(tmp_path, last.out)) == (whole.code, wanted)
    left = set(os.listdir(tmp_path)) - {"begun", "alone", "puzzles", "proof.gz", "made", "kept"}
    assert not left
