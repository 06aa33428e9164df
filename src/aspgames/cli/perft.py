"""``aspgames perft``: counting move sequences."""

from __future__ import annotations

from functools import partial

import click

from ..budget import Budget
from ..perft import divide as divided
from ..perft import perft
from ..report import perft_report
from .output import print_json, print_text, status_line
from .parameters import (
    example,
    game_argument,
    json_option,
    position_argument,
    read_game,
    read_state,
    reasoner_option,
    time_option,
)


@click.command("perft", epilog=example("aspgames perft skirmish --depth 3 --divide"))
@game_argument()
@position_argument()
@click.option("--depth", type=int, required=True, help="The number of plies to count.")
@click.option("--divide", is_flag=True, help="Print the count behind each first move, too.")
@reasoner_option
@time_option
@json_option
def command(
    game: str,
    constants: tuple[str, ...],
    position: str,
    depth: int,
    divide: bool,
    reasoner: str | None,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Count the sequences of exactly so many plies that can be played from a position."""
    state = read_state(read_game(game, constants), position)
    with status_line() as show:
        count = partial(
            divided if divide else perft,
            reasoner=reasoner,
            budget=Budget(seconds),
            progress=lambda nodes: show(f"{nodes:,} nodes"),
        )
        counted = count(state, depth)
    split = counted if isinstance(counted, dict) else {}
    nodes = sum(split.values()) if isinstance(counted, dict) else counted
    if as_json:
        print_json(perft_report(state.game, depth, nodes, split if divide else None))
        return
    for move, behind in split.items():
        print_text(f"{state.move_text(move)}: {behind}")
    print_text(f"\n{nodes} nodes" if divide else f"{nodes} nodes")
