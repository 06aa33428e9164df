"""Sound, unique puzzles that are composed in a minute.

python benchmarks/compose.py --workers 2
"""

from __future__ import annotations

import argparse
import time

import aspgames
from aspgames.composer.collection import compose
from aspgames.composer.order import Order
from aspgames.runtime.budget import Budget

ORDERS = {
    "Amazons rooms, 2 to 4 turns": ("amazons", "trap", 4, 2),
    "Amazons 8x8 rooms, 2 to 4 turns": ("amazons_8x8", "trap", 4, 2),
    "Breakthrough 8x8, wins in 4 to 6": ("breakthrough", "win", 6, 4),
    "Skirmish, score>=30 in 2 or 3": ("skirmish", "score>=30", 3, 2),
}


def main() -> None:
    """Compose puzzles until the time is over, and print how many that is a minute."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=60)
    asked = parser.parse_args()
    for name, (title, goal, most, least) in ORDERS.items():
        game = aspgames.load(title)
        order = Order.of(game.roles, goal, most, least)
        compose(game, order, 1)  # nets and proofs of symmetries are kept on disk from now on
        begun = time.monotonic()
        with aspgames.Workers(asked.workers) as workers:
            found = compose(
                game, order, 100_000, seed=1, budget=Budget(asked.seconds), executor=workers
            )
            workers.kill()
        minutes = (time.monotonic() - begun) / 60
        print(f"{name}: {len(found.puzzles) / minutes:.0f} a minute ({found})", flush=True)


if __name__ == "__main__":
    main()
