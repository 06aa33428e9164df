"""``aspgames playout``: random games."""

from __future__ import annotations

import click

from ..game.game import Game
from ..game.notation.notations import Notation
from ..game.notation.notations import notation as written_in
from ..play.playout import Playouts, playout_report, playouts, playouts_through
from ..runtime.budget import Budget
from ..runtime.errors import Interrupted, LimitReached
from .executors import threads_for, way_of, way_options
from .output import print_json, print_text, status_line
from .parameters import (
    example,
    game_argument,
    json_option,
    notation_option,
    position_argument,
    read_game,
    read_state,
    reasoner_option,
    threads_option,
    time_option,
)
from .signals import stoppable
from .verb import Verb


@click.command(
    "playout",
    cls=Verb,
    epilog=example("aspgames playout breakthrough -n 100000 --seed 1 --threads 2"),
)
@game_argument()
@position_argument()
@click.option("-n", "--games", type=int, default=1000, show_default=True, help="How many games.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="The same seed gives the same games.",
)
@reasoner_option
@threads_option
@way_options
@time_option
@notation_option
@json_option
def command(
    game: str,
    constants: tuple[str, ...],
    position: str,
    games: int,
    seed: int,
    reasoner: str | None,
    threads: int | None,
    workers: int | None,
    dask: str | None,
    resume: str | None,
    seconds: float | None,
    notation: str,
    as_json: bool,
) -> None:
    """Play random games from a position to their ends: results, lengths, states a second.

    Every move is chosen uniformly among the legal ones, independently of all other choices.
    After Ctrl-C, and when the time is over, the games that have ended are told of.
    """
    state = read_state(read_game(game, constants), position, notation)
    written = written_in(state.game, notation)
    played = Playouts(state.game.roles)
    budget = Budget(seconds)
    try:
        with (
            status_line() as show,
            stoppable(),
            way_of(workers, dask, resume, "blocks of games", show, budget) as way,
        ):
            if way is not None:
                threads = threads_for(threads, workers, dask)
                playouts_through(way, state, games, seed, reasoner, threads, into=played)
            else:
                playouts(
                    state,
                    games,
                    seed,
                    reasoner=reasoner,
                    threads=threads,
                    budget=budget,
                    progress=lambda ended: show(f"{ended:,} of {games:,} games"),
                    into=played,
                )
    except (LimitReached, Interrupted):
        if played.games:
            if not as_json:
                print_text(
                    f"Stopped: {played.games} of {games} games have ended, short ones first."
                )
            _show(state.game, written, seed, played, as_json)
        raise
    _show(state.game, written, seed, played, as_json)


def _show(game: Game, written: Notation, seed: int, played: Playouts, as_json: bool) -> None:
    if as_json:
        print_json(playout_report(game, seed, played, written.text))
    else:
        _print(played, written)


def _print(played: Playouts, written: Notation) -> None:
    most = sorted(played.results.items(), key=lambda found: (-found[1], found[0]))
    for goals, games in most[:10]:
        result = ", ".join(
            f"{written.text(r)} {g}" for r, g in zip(played.roles, goals, strict=True)
        )
        print_text(f"{result}: {games} games ({100 * games / played.games:.1f} %)")
    if len(played.results) > 10:
        print_text(f"... and {len(played.results) - 10} other results")
    if played.games:
        shortest, longest = min(played.lengths), max(played.lengths)
        print_text(f"plies: {played.mean_length:.1f} on average, {shortest} to {longest}")
    speed = f", {played.states / played.seconds:,.0f} a second" if played.seconds else ""
    print_text(f"{played.states} states in {played.seconds:.2f} s{speed}")
