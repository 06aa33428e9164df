"""``aspgames playout``: random games."""

from ..game.notation.notations import Notation
from ..play.playout import Playouts, playout_report, playouts
from ..runtime.arguments import counted
from ..runtime.errors import Interrupted, LimitReached
from . import parameters
from .output import print_json, print_position, print_text
from .parameters import WrittenParameters
from .verb import verb
from .work_options import ResumableRunOptions


class _PlayoutOptions(WrittenParameters):
    games: int = parameters.games_option(1000)
    seed: int = parameters.seed_option()
    max_plies: int | None = parameters.MAX_PLIES


@verb(example="aspgames playout breakthrough -n 100000 --seed 1 --threads 2")
def command(wanted: _PlayoutOptions, work: ResumableRunOptions, as_json: bool) -> None:
    """Play random games from a position to their ends.

    Results, lengths and states a second are printed. Each move is uniform among the legal ones,
    independent of all other choices.

    A game that goes on after --max-plies is broken off and counted apart; so is a game that ends
    where the rules give a role several goals, and one such position is shown. After Ctrl-C or the
    time limit, the report has the games that have ended.
    """
    state, games = wanted.state, wanted.games
    threads = work.threads_each(work.threads)
    played = Playouts(state.game.roles)
    stopped = None
    try:
        with work.run("blocks of games", work.resume) as run:
            playouts(
                state,
                games,
                wanted.seed,
                max_plies=wanted.max_plies,
                reasoner=work.reasoner,
                threads=threads,
                budget=run.budget,
                progress=run.counting(lambda ended: f"{ended:,} of {games:,} games"),
                into=played,
                executor=run.way,
            )
    except (LimitReached, Interrupted) as error:
        stopped = error
        if not played.games + played.broken_off:
            raise
    if stopped and not as_json:
        ended = "1 game has" if played.games == 1 else f"{played.games} of {games} games have"
        print_text(f"Stopped: {ended} ended, short ones first.")
    if as_json:
        print_json(playout_report(state.game, wanted.seed, played, wanted.written.text))
    else:
        _print(played, wanted.written)
    if stopped:
        raise stopped


def _print(played: Playouts, written: Notation) -> None:
    most = sorted(played.results.items(), key=lambda found: (-found[1], found[0]))
    for goals, games in most[:10]:
        result = ", ".join(
            f"{written.text(r)} {g}" for r, g in zip(played.roles, goals, strict=True)
        )
        share = 100 * games / played.games
        print_text(f"{result}: {games} game{'s' * (games != 1)} ({share:.1f} %)")
    if len(played.results) > 10:
        print_text(f"... and {counted(len(played.results) - 10, 'other result')}")
    if played.games:
        shortest, longest = min(played.lengths), max(played.lengths)
        plies = f"plies: {played.mean_length:.1f} on average, {shortest} to {longest}"
        print_text(plies + " (biased: long games are missing)" * played.is_biased)
    if played.broken_off:
        print_text(f"{played.broken_off_text}.")
    if end := played.unsettled_end:
        ended = counted(played.unsettled, "game")
        print_text(f"{ended} ended without a result. The first of these ends:")
        print_position(end, written)
    speed = f", {played.states / played.seconds:,.0f} a second" if played.seconds else ""
    print_text(f"{played.states} states in {played.seconds:.2f} s{speed}")
