"""aspgames against OpenSpiel and against its own grounder, side by side in one run.

Run it with: python benchmarks/peers.py [--only SECTION] [--runs N]

OpenSpiel (``pip install aspgames[test]``) is driven from Python, as aspgames is. Every figure is
the median of several runs with the least and the greatest as its noise; the ways to do a thing take
turns, run by run. A ratio is that of speeds, ours to the peer's: above 1, ours is faster. Counts of
the same thing must agree, or the run stops. Each section has a process of its own.
"""

from __future__ import annotations

import argparse
import platform
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from itertools import cycle, islice
from statistics import median
from typing import Any

import numpy as np
import pyspiel

import aspgames
from aspgames.engine.choice import choose
from aspgames.engine.lanes import Lanes, to_bits, to_lanes
from aspgames.engine.net import Net, net_for
from aspgames.reasoner import Facts, Reasoner
from aspgames.reasoner.grounder import Grounder
from aspgames.reasoner.propnet import Propnet

Figures = list[float]
Way = Callable[[], float]
"""Does a thing once, and says how much it took or how fast it was."""

OPEN_SPIEL = {
    "breakthrough": "breakthrough",
    "amazons": "amazons(board_size=10)",
    "amazons_10x10": "amazons(board_size=10)",
    "amazons_8x8": "amazons(board_size=8)",
}
# Our depths with the actions that OpenSpiel takes for the same. A turn of Amazons is one ply of
# amazons, two of amazons_10x10 (move, shoot) and three actions there (from, to, shoot).
PERFTS = [
    ("breakthrough", 5, 5),
    ("breakthrough", 6, 6),
    ("amazons_10x10", 3, 5),
    ("amazons_10x10", 4, 6),
    ("amazons", 2, 6),
]
GROUNDER_PERFTS = [
    ("breakthrough", 3),
    ("amazons_10x10", 2),
    ("amazons_8x8", 3),
    ("skirmish", 4),
    ("amazons", 1),
]
OUR_GAMES = {
    "breakthrough": 65_536,
    "amazons_10x10": 16_384,
    "amazons_8x8": 32_768,
    "skirmish": 32_768,
}
THEIR_GAMES = {"breakthrough": 20_000, "amazons_10x10": 10_000, "amazons_8x8": 10_000}
GROUNDER_GAMES = 5
BATCHES = (1, 16, 256, 4096, 65_536)
LATE = 40  # the ply from which one-phase Amazons is asked of a net of single states
LONG_ENOUGH = 0.2  # seconds that a batch is asked over and over


def take_turns(runs: int, ways: Mapping[str, Way]) -> dict[str, Figures]:
    """The figures of each way, all ways in turn in each run."""
    found: dict[str, Figures] = {name: [] for name in ways}
    for _ in range(runs):
        for name, way in ways.items():
            found[name].append(way())
    return found


def seconds(work: Callable[[], object]) -> float:
    """How long something takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def number(value: float) -> str:
    """Three digits, or whole thousands and more."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def shown(figures: Figures) -> str:
    """The median, and the noise."""
    return f"{number(median(figures))} ({number(min(figures))}..{number(max(figures))})"


def ratio(upper: Figures, lower: Figures) -> str:
    """One median by another."""
    return number(median(upper) / median(lower)) + "x"


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table that is Markdown, too."""
    lines = [[str(cell) for cell in row] for row in (head, *rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    lines.insert(1, ["-" * width for width in widths])
    print(f"\n{title}\n")
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        print(f"| {' | '.join(cells)} |", flush=True)


def fresh(name: str) -> aspgames.State:
    """The initial state of a new game object, which has prepared nothing yet."""
    game = aspgames.load(name)
    return aspgames.Game(game.encoding, game.constants).initial


def start_of(name: str) -> Any:
    """OpenSpiel's initial state of a game of ours."""
    return pyspiel.load_game(OPEN_SPIEL[name]).new_initial_state()


def our_perft(name: str, depth: int, reasoner: str | None = None) -> int:
    """Perft with a new game object."""
    return aspgames.perft(fresh(name), depth, reasoner=reasoner)


def their_perft(name: str, depth: int, count: Callable[[Any, int], int]) -> int:
    """Perft on OpenSpiel, from the start."""
    return count(start_of(name), depth)


def by_child(state: Any, depth: int) -> int:
    """Perft on OpenSpiel, with a new state for each action."""
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    return sum(by_child(state.child(action), depth - 1) for action in actions)


def by_undo(state: Any, depth: int) -> int:
    """Perft on OpenSpiel, with actions taken back."""
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    player, paths = state.current_player(), 0
    for action in actions:
        state.apply_action(action)
        paths += by_undo(state, depth - 1)
        state.undo_action(player, action)
    return paths


THEIR_WAYS = {"child": by_child, "undo": by_undo}


def perft_section(runs: int) -> None:
    """Seconds a count."""
    best = {name: fastest(name, depth, runs) for name, _, depth in (PERFTS[0], PERFTS[3])}
    best["amazons"] = best["amazons_10x10"]
    rows = []
    for name, depth, actions in PERFTS:
        count = THEIR_WAYS[best[name]]
        ways = {
            "cold": partial(our_perft, name, depth),
            "warm": partial(aspgames.perft, aspgames.load(name).initial, depth),
            "theirs": partial(their_perft, name, actions, count),
        }
        ways["warm"]()
        paths, found = timed_counts(runs, ways)
        head = (name, depth, f"{paths:,}", f"{actions}, {best[name]}")
        ratios = [ratio(found["theirs"], found[way]) for way in ("cold", "warm")]
        rows.append((*head, *map(shown, found.values()), *ratios))
    table(
        "perft: seconds, cold (a new game object, nets built within) and warm (counted before)",
        (
            *("game", "depth", "paths", "OpenSpiel actions, way", "cold s", "warm s"),
            *("OpenSpiel s", "cold ratio", "warm ratio"),
        ),
        rows,
    )
    grounder_perfts(runs)


def fastest(name: str, depth: int, runs: int) -> str:
    """The faster way to drive OpenSpiel from Python."""
    ways = {way: partial(their_perft, name, depth, count) for way, count in THEIR_WAYS.items()}
    _, found = timed_counts(runs, ways)
    figures = ", ".join(f"{way} {shown(figures)}" for way, figures in found.items())
    print(f"OpenSpiel {OPEN_SPIEL[name]}, {depth} actions, seconds: {figures}")
    return min(found, key=lambda way: median(found[way]))


def grounder_perfts(runs: int) -> None:
    """The same against the grounder, at lower depths."""
    rows = []
    for name, depth in GROUNDER_PERFTS:
        ways = {
            reasoner: partial(our_perft, name, depth, reasoner)
            for reasoner in ("propnet", "grounder")
        }
        paths, found = timed_counts(runs, ways)
        faster = ratio(found["grounder"], found["propnet"])
        rows.append((name, depth, f"{paths:,}", *map(shown, found.values()), faster))
    table(
        "perft: seconds, both cold",
        ("game", "depth", "paths", "propnet s", "grounder s", "ratio"),
        rows,
    )


def timed_counts(
    runs: int, ways: Mapping[str, Callable[[], int]]
) -> tuple[int, dict[str, Figures]]:
    """What all ways count, and the seconds that each takes."""
    counts: set[int] = set()

    def timed(way: Callable[[], int]) -> float:
        return seconds(lambda: counts.add(way()))

    found = take_turns(runs, {name: partial(timed, way) for name, way in ways.items()})
    if len(counts) != 1:
        raise SystemExit(f"the counts differ: {counts}")
    return counts.pop(), found


@dataclass
class Played:
    """Random games of OpenSpiel."""

    games: int
    actions: int
    seconds: float


def their_playouts(name: str, games: int, seed: int = 0) -> Played:
    """Play uniformly random actions to the end of each game."""
    rng, actions, begin = random.Random(seed), 0, time.perf_counter()
    for _ in range(games):
        state = start_of(name)
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            actions += 1
    return Played(games, actions, time.perf_counter() - begin)


def playout_section(runs: int) -> None:
    """States a second of random games."""
    rows, alone = [], []
    for name, games in OUR_GAMES.items():
        played: Figures = []
        ways: dict[str, Way] = {
            "ours": partial(our_speed, name, games, played),
            "grounder": partial(grounder_speed, name),
        }
        if name in THEIR_GAMES:
            ways["theirs"] = partial(their_speed, name)
        found = take_turns(runs, ways)
        theirs = found.get("theirs", [])
        peer = (shown(theirs), ratio(found["ours"], theirs)) if theirs else ("-", "-")
        own = (shown(found["grounder"]), ratio(found["ours"], found["grounder"]))
        rows.append((name, f"{games:,}", shown(found["ours"]), *peer, *own))
        alone.append((name, shown(played)))
    table(
        "playouts: states a second, ours with the building of the net; OpenSpiel's Amazons counted "
        "as ours\n(a turn of three actions is two states, and each game has one more at its end)",
        ("game", "our games", "ours", "OpenSpiel", "ratio", "grounder", "ratio"),
        rows,
    )
    table("playouts: without the building of the net", ("game", "ours"), alone)
    lengths()


def our_speed(name: str, games: int, played: Figures) -> float:
    """States a second with the net's building; without it in ``played``."""
    start = time.perf_counter()
    found = aspgames.playouts(fresh(name), games)
    played.append(found.states / found.seconds)
    return found.states / (time.perf_counter() - start)


def grounder_speed(name: str) -> float:
    """States a second with the grounder."""
    found = aspgames.playouts(fresh(name), GROUNDER_GAMES, reasoner="grounder")
    return found.states / found.seconds


def plies_an_action(name: str) -> float:
    """Plies of our phased Amazons for an action of OpenSpiel's; else they are the same."""
    return 2 / 3 if name.startswith("amazons") else 1


def their_speed(name: str) -> float:
    """States a second with OpenSpiel, counted as ours."""
    played = their_playouts(name, THEIR_GAMES[name])
    return (played.actions * plies_an_action(name) + played.games) / played.seconds


def lengths() -> None:
    """How long the games are: in Amazons they choose by from, to and shoot, and ours otherwise."""
    rows = []
    for name in THEIR_GAMES:
        played = their_playouts(name, 2000)
        plies = played.actions * plies_an_action(name) / played.games
        ours = aspgames.playouts(fresh(name), 2000).mean_length
        per_game = played.actions / played.games
        rows.append((name, f"{ours:.1f}", f"{plies:.1f}", f"{per_game:.1f}"))
    head = ("game", "ours", "OpenSpiel", "OpenSpiel's actions")
    table("playouts: mean plies of 2,000 games", head, rows)


def batch_section(runs: int) -> None:
    """Batches of growing size, and single states."""
    rows = []
    for name in ("breakthrough", "amazons_10x10", "skirmish"):
        state = aspgames.load(name).initial
        net = net_for(state.game.rules, state.facts)
        pool = random_states(net, state.facts, max(BATCHES))
        for size in BATCHES:
            ways = batch_ways(net, pool, size)
            rows.append((name, f"{size:,}", *map(shown, take_turns(runs, ways).values())))
    head = ("game", "batch", "ask", "ask + advance")
    table("batch: states a second, on mixed states of random games", head, rows)
    single_states(runs)


def random_states(net: Net, facts: Facts, least: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Columns of bits: unfinished states from all plies of random games, shuffled."""
    chance, count = np.random.Generator(np.random.SFC64(0)), 2048
    ones = playing = (1 << count) - 1
    true: Lanes = [ones * (fluent in facts) for fluent in net.fluents]
    met, found = [], 0
    while playing:
        answer = net.ask(ones, true)
        playing &= ~answer.terminal
        does, stuck = choices(net, answer.legal, playing, count, chance)
        playing &= ~stuck
        columns = np.flatnonzero(to_bits([playing], count)[0])
        met.append(to_bits(true, count).take(columns, axis=1))
        found += len(columns)
        after = dict(zip(net.after, net.advance(ones, true, does), strict=True))
        true = [after.get(fluent, 0) for fluent in net.fluents]
    if found < least:
        raise SystemExit(f"only {found} states met")
    pool = np.concatenate(met, axis=1)
    return pool.take(chance.permutation(found)[:least], axis=1)


def choices(
    net: Net, legal: Lanes, choosing: int, count: int, chance: np.random.Generator
) -> tuple[list[int], int]:
    """A random move of each role in each state, and the states where a role has none."""
    does, stuck = [0] * len(net.moves), 0
    for place in net.always:
        does[place] = choosing
    for places in net.choosers:
        chosen, without = choose([legal[place] for place in places], choosing, count, chance)
        stuck |= without
        for place, lane in zip(places, chosen, strict=True):
            does[place] = lane
    return does, stuck


def batch_ways(net: Net, pool: np.ndarray[Any, np.dtype[np.uint8]], size: int) -> dict[str, Way]:
    """Ask batches of the pool's states, without and with a successor for each."""
    ones, chance = (1 << size) - 1, np.random.Generator(np.random.SFC64(1))
    batches = []
    for start in range(0, min(pool.shape[1], 64 * size), size):
        true = to_lanes(pool[:, start : start + size])
        does, _ = choices(net, net.ask(ones, true).legal, ones, size, chance)
        net.advance(ones, true, does)  # its code is compiled at the first use
        batches.append((true, does))

    def speed(advance: bool) -> float:
        asked, start = 0, time.perf_counter()
        for true, does in cycle(batches):
            net.ask(ones, true)
            if advance:
                net.advance(ones, true, does)
            asked += size
            if time.perf_counter() - start > LONG_ENOUGH:
                break
        return asked / (time.perf_counter() - start)

    return {"ask": lambda: speed(False), "both": lambda: speed(True)}


def single_states(runs: int) -> None:
    """Milliseconds for the legal moves and one successor of a state."""
    rows = []
    for name in (*OUR_GAMES, "amazons"):
        first = LATE if name == "amazons" else 0
        asked = list(islice(random_game(name), first, None))
        rules = aspgames.load(name).rules
        start = time.perf_counter()
        propnet = Propnet(rules, asked[0][0])
        ask_all(propnet, asked[:8])  # the code for each turn is compiled at its first use
        built = time.perf_counter() - start
        grounder = Grounder(rules)
        ask_all(grounder, asked[:1])
        ways = {
            "propnet": partial(ask_all, propnet, asked),
            "grounder": partial(ask_all, grounder, asked),
        }
        found = take_turns(runs, ways)
        faster = ratio(found["grounder"], found["propnet"])
        saved = (median(found["grounder"]) - median(found["propnet"])) / 1000
        even = f"{built / saved:,.0f}" if saved > 0 else "never"
        what = f"{name}, ply {first} on" if first else name
        rows.append((what, len(asked), *map(shown, found.values()), faster, number(built), even))
    table(
        "batch of one: milliseconds for legal moves and one successor, mean of a random game; the "
        "propnet's\nbuilding is apart: so many seconds, which pay after so many states",
        ("game", "states", "propnet ms", "grounder ms", "ratio", "build s", "pays after"),
        rows,
    )


def random_game(name: str) -> Iterator[tuple[Facts, dict[str, str]]]:
    """The states of a random game with the joint moves played."""
    rng, state = random.Random(1), aspgames.load(name).initial
    while state.legal_moves:
        joint = {role: rng.choice(moves).term for role, moves in state.legal.items()}
        yield state.facts, joint
        state = state.play(joint)


def ask_all(reasoner: Reasoner, asked: Sequence[tuple[Facts, dict[str, str]]]) -> float:
    """Milliseconds a state."""
    start = time.perf_counter()
    for facts, joint in asked:
        reasoner.consequences(facts)
        reasoner.successor(facts, joint)
    return 1000 * (time.perf_counter() - start) / len(asked)


def build_section(runs: int) -> None:
    """Seconds to build nets, and a first use in a new process."""
    rows = []
    for name in OUR_GAMES:
        nets: dict[str, Net] = {}
        ways = {kind: partial(build, nets, kind, name) for kind in BUILDERS}
        for kind, figures in take_turns(runs, ways).items():
            net = nets[kind]
            sizes = (len(net.circuit.gates), len(net.fluents), len(net.moves))
            rows.append((name, kind, shown(figures), *(f"{size:,}" for size in sizes)))
    table(
        "build: seconds to ground, simplify, compile and use once the initial net (not of "
        "one-phase amazons,\nwhich is too large from the start)",
        ("game", "net", "s", "gates", "fluents", "moves"),
        rows,
    )
    count = "print(aspgames.perft(aspgames.load('amazons').initial, 2))"
    programs = {"import aspgames": "import aspgames", "amazons perft 2": f"import aspgames;{count}"}
    ways = {name: partial(seconds, partial(run, "-c", text)) for name, text in programs.items()}
    found = take_turns(runs, ways)
    rows = [(name, shown(figures)) for name, figures in found.items()]
    table("build: seconds of a new process, from its start to its end", ("process", "s"), rows)


def closed_net(name: str) -> Net:
    """A closed net, ready for use."""
    state = fresh(name)
    net = Net(state.game.rules, (), state.facts, closed=True)
    use(net, state.facts)
    return net


def open_net(name: str) -> Net:
    """The net of the initial state, ready for use."""
    state = fresh(name)
    net = net_for(state.game.rules, state.facts)
    use(net, state.facts)
    return net


def use(net: Net, facts: Facts) -> None:
    """Ask a net everything once: its code is compiled at the first use."""
    true = [int(fluent in facts) for fluent in net.fluents]
    chance = np.random.Generator(np.random.SFC64(0))
    does, _ = choices(net, net.ask(1, true).legal, 1, 1, chance)
    net.judge(1, true)
    net.advance(1, true, does)


BUILDERS = {"closed": closed_net, "net_for": open_net}


def build(nets: dict[str, Net], kind: str, name: str) -> float:
    """Seconds to build a net, which is put among ``nets``."""
    start = time.perf_counter()
    nets[kind] = BUILDERS[kind](name)
    return time.perf_counter() - start


def run(*arguments: str) -> str:
    """What a new Python process prints."""
    command = [sys.executable, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def jobs() -> dict[str, Callable[[], object]]:
    """All perfts and playouts of the other sections."""
    found: dict[str, Callable[[], object]] = {"imports alone": list}
    for name, depth, actions in PERFTS:
        found[f"perft {name} {depth}: ours"] = partial(our_perft, name, depth)
        found[f"perft {name} {depth}: OpenSpiel"] = partial(their_perft, name, actions, by_undo)
    for name, depth in GROUNDER_PERFTS:
        found[f"perft {name} {depth}: grounder"] = partial(our_perft, name, depth, "grounder")
    for name, games in OUR_GAMES.items():
        what = f"playouts {name}"
        found[f"{what}: ours"] = partial(our_speed, name, games, [])
        found[f"{what}: grounder"] = partial(grounder_speed, name)
        if name in THEIR_GAMES:
            found[f"{what}: OpenSpiel"] = partial(their_playouts, name, THEIR_GAMES[name])
    return found


def memory_section(runs: int) -> None:
    """Peak memory of each job in a process of its own."""
    # A process begins with its parent's peak in Linux: this section keeps its own small.
    ways = {name: partial(peak, name) for name in sorted(jobs(), key=_key)}
    found = take_turns(runs, ways)
    least = median(found["imports alone"])
    rows = [
        (name, shown(got), number(max(0.0, median(got) - least))) for name, got in found.items()
    ]
    table(
        "memory: peak resident MiB, with the imports of both libraries; and what is above these",
        ("job", "MiB", "above imports"),
        rows,
    )


def peak(job: str) -> float:
    """The peak in MiB of a new process that does a job."""
    return float(run(__file__, "--job", job))


def _key(job: str) -> tuple[bool, str]:
    return job != "imports alone", job


def do_job(name: str) -> None:
    """Do one job and print the process's peak in MiB."""
    jobs()[name]()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(most / (1 << 20 if sys.platform == "darwin" else 1 << 10))


SECTIONS = {
    "perft": perft_section,
    "playouts": playout_section,
    "batch": batch_section,
    "build": build_section,
    "memory": memory_section,
}


def main() -> None:
    """Print the tables of all sections, or of one."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", choices=SECTIONS, help="one section instead of all")
    parser.add_argument("--runs", type=int, default=3, help="runs a figure (3)")
    parser.add_argument("--job", choices=jobs(), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("there must be at least one run")
    if options.job:
        do_job(options.job)
    elif options.only:
        SECTIONS[options.only](options.runs)
    else:
        versions = ", ".join(
            f"{name} {version(name)}" for name in ("clingo", "numpy", "open_spiel")
        )
        print(f"Python {platform.python_version()}, {versions}; {options.runs} runs", flush=True)
        for section in SECTIONS:
            command = [sys.executable, __file__, "--only", section, "--runs", str(options.runs)]
            subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
