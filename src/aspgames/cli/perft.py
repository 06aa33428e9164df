"""``aspgames perft``: counting move sequences."""

from __future__ import annotations

import click

from ..budget import Budget
from ..perft import divide as divided
from ..perft import perft
from ..report import perft_report
from .output import print_json, print_text
from .parameters import (
    example,
    game_argument,
    json_option,
    position_argument,
    read_game,
    read_state,
    time_option,
)


@click.command("perft", epilog=example("aspgames perft skirmish --depth 3 --divide"))
@game_argument()
@position_argument()
@click.option("--depth", type=int, required=True, help="The number of plies to count.")
@click.option("--divide", is_flag=True, help="Print the count behind each first move, too.")
@time_option
@json_option
def command(
    game: str,
    constants: tuple[str, ...],
    position: str,
    depth: int,
    divide: bool,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Count the sequences of exactly so many plies that can be played from a position."""
    state = read_state(read_game(game, constants), position)
    budget = Budget(seconds)
    split = divided(state, depth, budget) if divide else None
    nodes = perft(state, depth, budget) if split is None else sum(split.values())
    if as_json:
        print_json(perft_report(state.game, depth, nodes, split))
        return
    for move, count in (split or {}).items():
        print_text(f"{state.move_text(move)}: {count}")
    print_text(f"{nodes} nodes" if not split else f"\n{nodes} nodes")
