"""Peak memory of the work of the other sections, each in a new process.

Nothing is imported here but what is needed: on Linux a process begins with its parent's peak.
"""

from __future__ import annotations

import sys
from functools import partial

from measuring import GAMES, Way, command_line, run, run_python, shown, table, take_turns

_PERFT = "import aspgames; aspgames.perft(aspgames.load({!r}).initial, {}, threads=2)"
_LOOP = "import ours, random; ours.play(ours.start({!r}), random.Random(0))"
_BUILD = "import ours; ours.start({!r})"
_PLAYOUTS = "import ours; ours.playouts(ours.start({!r}), 2)"
_BATCH = "import ours; b = ours.batch({!r}, {}, 2); b.{}; b.step(b.sample())"
_PARTS = """
import ours
b, some = ours.batch({!r}, {}, 2), None
for first in range(0, len(b), 4096):
    some = b.legal_of(slice(first, first + 4096), out=some)
b.step(b.sample())
"""


def section(runs: int, _old: str | None) -> None:
    """Peaks of resident memory."""
    programs = {"import aspgames": "import aspgames; aspgames.load"}
    for name, depth in (("breakthrough", 6), ("amazons_10x10", 4), ("amazons", 2)):
        programs[f"perft {name} {depth}"] = _PERFT.format(name, depth)
    for name in GAMES:
        programs[f"build {name}"] = _BUILD.format(name)
        programs[f"loop {name}"] = _LOOP.format(name)
        programs[f"playouts {name}"] = _PLAYOUTS.format(name)
    for name in ("breakthrough", "amazons_10x10", "skirmish"):
        for mask in ("legal", "legal_bits"):
            programs[f"batch {name}, 65,536 states, {mask}"] = _BATCH.format(name, 1 << 16, mask)
        programs[f"batch {name}, 65,536 states, legal_of 4,096"] = _PARTS.format(name, 1 << 16)
    ways: dict[str, Way] = {
        "python -c pass": partial(_peak, sys.executable, "-c", "pass"),
        "aspgames --version": partial(_peak, *command_line(), "--version"),
        "aspgames legal amazons_10x10": partial(_peak, *command_line(), "legal", "amazons_10x10"),
    }
    ways |= {what: partial(_peak_of_python, text) for what, text in sorted(programs.items())}
    found = take_turns(runs, ways)
    rows = [(what, shown(figures)) for what, figures in found.items()]
    table("memory: peak resident MiB of a new process", ("process", "MiB"), rows)


def _peak(*command: str) -> float:
    return run(*command).mebibytes


def _peak_of_python(text: str) -> float:
    return run_python(text).mebibytes
