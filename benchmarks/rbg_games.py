"""Random games beside RBG's compiler, which makes C++ of rules: plies a second of one core each.

RBG (https://github.com/uicus/rbg2cpp, with its submodules) is built there with ``make``; what it
writes is compiled here with the options that its Makefile has, and needs Boost's headers. It lists
all legal moves of each state and chooses one of them. The mean lengths of both are printed.
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
import tempfile
import time
from functools import partial
from pathlib import Path
from statistics import median

import aspgames
from measuring import Figures, number, ratio, shown, table, take_turns

GAMES = (
    ("breakthrough", "breakthrough"),
    ("amazons_10x10", "amazons_split2"),
    ("amazons", "amazons"),
)

_OPTIONS = (
    "-std=c++17",
    "-Ofast",
    "-march=native",
    "-flto",
    "-DNDEBUG",
    "-DRBG_RANDOM_GENERATOR=0",
)


def simulator(rbg: Path, game: str, folder: Path) -> Path:
    """Compile RBG's program for random games."""
    rules = rbg / "rbgGames" / "games" / f"{game}.rbg"
    subprocess.run([rbg / "bin" / "rbg2cpp", "-o", "reasoner", rules], cwd=folder, check=True)
    sources = folder / "reasoner.cpp", rbg / "test" / "simulation.cpp"
    made = folder / game
    paths = f"-I{folder}", f"-I{rbg / 'test'}"
    command = ["g++", *_OPTIONS, *paths, "-o", str(made), *map(str, sources)]
    subprocess.run(command, check=True)
    return made


def there(program: Path, games: int, lengths: Figures) -> float:
    """Plies a second of RBG's games."""
    start = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [str(program), str(games)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    plies = re.search(r"number of states: (\d+)", printed)
    assert plies, printed
    lengths.append(int(plies[1]) / games)
    return int(plies[1]) / (end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime)


def here(game: aspgames.Game, games: int, lengths: Figures) -> float:
    """Plies a second of ours, in one thread, without making the net."""
    aspgames.playouts(game.initial, games, threads=1)  # a large game has no net for a few
    start = time.process_time()
    found = aspgames.playouts(game.initial, games, threads=1)
    lengths.append(found.mean_length)
    return found.mean_length * games / (time.process_time() - start)


def main() -> None:
    """Print a table of all games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rbg", type=Path, help="RBG's folder, with bin/rbg2cpp")
    parser.add_argument("--games", type=int, default=4000, help="RBG's games a run; ours: 10 times")
    parser.add_argument("--runs", type=int, default=5)
    asked = parser.parse_args()
    rows = []
    for name, theirs in GAMES:
        lengths: dict[str, Figures] = {"aspgames": [], "RBG": []}
        with tempfile.TemporaryDirectory() as folder:
            program = simulator(asked.rbg.resolve(), theirs, Path(folder))
            game = aspgames.load(name)
            ways = {
                "aspgames": partial(here, game, 10 * asked.games, lengths["aspgames"]),
                "RBG": partial(there, program, asked.games, lengths["RBG"]),
            }
            found = take_turns(asked.runs, ways)
        mean = " and ".join(number(median(each)) for each in lengths.values())
        rows.append((name, *map(shown, found.values()), ratio(*found.values()), mean))
    table("plies a second", ("game", "aspgames", "RBG", "ratio", "mean lengths"), rows)


if __name__ == "__main__":
    main()
