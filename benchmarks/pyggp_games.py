"""Random games from rules that pyggp and aspgames both read: states a second of both, in one run.

pyggp (https://github.com/Entze/pyggp) needs another clingo, so it has a Python of its own. It keeps
its answers about states, so a game with few states, met again and again, shows it at its best.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from functools import partial
from pathlib import Path

import aspgames
from aspgames.gdl.program_import import encoding_of_program
from measuring import Way, take_turns

GAMES = "tic_tac_toe", "hexapawn", "gravity_connect(7,6,4)"

_THERE = """
import random, sys, time
from pyggp import game_description_language as gdl
from pyggp.interpreters import ClingoInterpreter
game = ClingoInterpreter.from_ruleset(gdl.parse(open(sys.argv[1]).read()))
rng, states, start = random.Random(1), 0, time.process_time()
while time.process_time() - start < float(sys.argv[2]):
    state = game.get_init_state()
    while not game.is_terminal(state) and time.process_time() - start < float(sys.argv[2]):
        legal = game.get_legal_moves(state)
        moves = {role: rng.choice(sorted(legal[role], key=str)) for role in legal if legal[role]}
        state, states = game.get_next_state(state, moves), states + 1
print(states / (time.process_time() - start))
"""


def there(python: str, file: Path, seconds: float) -> float:
    """States a second of pyggp."""
    command = [python, "-c", _THERE, str(file), str(seconds)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def here(game: aspgames.Game, games: int) -> float:
    """States a second of aspgames, in one thread, without making the net."""
    aspgames.playouts(game.initial, 1, threads=1)
    start = time.process_time()
    found = aspgames.playouts(game.initial, games, threads=1)
    return found.states / (time.process_time() - start)


def main() -> None:
    """Print a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("python", help="a Python that has pyggp")
    parser.add_argument("folder", type=Path, help="the folder src/games of pyggp's sources")
    parser.add_argument("--time", type=float, default=10, help="seconds of pyggp a run")
    parser.add_argument("--games", type=int, default=100_000, help="our games a run")
    parser.add_argument("--runs", type=int, default=3)
    asked = parser.parse_args()
    print(f"{'game':24}{'pyggp':>10}{'aspgames':>14}{'ratio':>10}")
    for name in GAMES:
        file = asked.folder / f"{name}.gdl"
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / f"{name.partition('(')[0]}.lp"
            made.write_text(encoding_of_program(file))
            game = aspgames.load(made)
            ways: dict[str, Way] = {
                "pyggp": partial(there, asked.python, file, asked.time),
                "aspgames": partial(here, game, asked.games),
            }
            found = take_turns(asked.runs, ways)
        slow, fast = (sorted(found[who])[asked.runs // 2] for who in ("pyggp", "aspgames"))
        print(f"{name:24}{slow:10,.0f}{fast:14,.0f}{fast / slow:9,.0f}x", flush=True)


if __name__ == "__main__":
    main()
