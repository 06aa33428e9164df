"""Making the net of all states reachable from a game's start, each in a new process."""

from __future__ import annotations

import json
from functools import partial
from statistics import median

from measuring import GAMES, number, ratio, run_old, run_python, shown, table, take_turns

_OURS = """
import json, time
import aspgames
from aspgames.propnet.reachable_nets import net_for
from aspgames.runtime.budget import MOST_RULES
from aspgames.propnet.open_grounding import OpenProgram

ground, grounding = OpenProgram.ground, 0.0

def timed(*arguments):
    global grounding
    start = time.perf_counter()
    try:
        return ground(*arguments)
    finally:
        grounding += time.perf_counter() - start

OpenProgram.ground = timed
game = aspgames.load({name!r})
facts = game.initial.facts
start = time.perf_counter()
net = net_for(game.rules, facts, MOST_RULES)
netted = time.perf_counter()
tables = net.tables()
end = time.perf_counter()
parts = (end - start, grounding, netted - start - grounding, end - netted)
print(json.dumps([*parts, tables.fluents, tables.moves, tables.slots, len(tables.pack())]))
"""
_OLD = """
import time
import aspgames
from aspgames.propnet.reachable_nets import net_for

game = aspgames.load({name!r})
facts = game.initial.facts
start = time.perf_counter()
net_for(game.rules, facts)
print(time.perf_counter() - start)
"""
_OLD_GAMES = ("breakthrough", "amazons_10x10", "amazons_8x8", "skirmish")


def section(runs: int, old: str | None) -> None:
    """Seconds."""
    made: dict[str, list[list[float]]] = {name: [] for name in GAMES}

    def ours(name: str) -> float:
        program = _OURS.format(name=name)
        made[name].append(json.loads(run_python(program).output))
        return made[name][-1][0]

    def theirs(name: str) -> float:
        return float(run_old(_OLD.format(name=name), old or "").output)

    ways = {(name, "ours"): partial(ours, name) for name in GAMES}
    if old:
        ways |= {(name, "old"): partial(theirs, name) for name in _OLD_GAMES}
    found = take_turns(runs, ways)
    rows = []
    for name in GAMES:
        total, before = found[name, "ours"], found.get((name, "old"))
        _, *parts, fluents, moves, slots, size = map(median, zip(*made[name], strict=True))
        sizes = (f"{part:,.0f}" for part in (fluents, moves, slots, size / 1024))
        compared = (shown(before) if before else "-", ratio(before, total))
        rows.append((name, shown(total), *map(number, parts), *compared, *sizes))
    table(
        "build: seconds to make the net of all reachable states",
        (
            *("game", "all", "grounding", "circuit", "tables", "older version", "ratio"),
            *("fluents", "moves", "slots", "KiB"),
        ),
        rows,
    )
