"""``aspgames train``: a value for the engine, learned by play."""

from __future__ import annotations

import os

from ..game.game import chooses_jointly
from ..runtime.arguments import counted
from ..runtime.budget import MOST_RULES, Budget, is_interrupted
from ..runtime.errors import BadRequest, Interrupted
from .files import write_file
from .output import print_answer, status_line
from .parameters import GameParameters, seed_option, warn_of_mistakes
from .verb import option, verb
from .work_options import stoppable


class _TrainOptions(GameParameters):
    output: str | None = option(
        "-o, --output FILE", "Write the weights to FILE, as JSON, instead of into the cache."
    )
    first: str | None = option(
        "--from FILE", "Begin with the weights in FILE, instead of with random games: go on."
    )
    seconds: float = option("--time SECONDS", "The time for games and weights.", 120.0)
    games: int | None = option(
        "-n, --games N", "Games against itself, in place of the time: repeatable with a seed."
    )
    seed: int = seed_option("Decides the random moves.")


@verb(spare=60.0, example="aspgames train tictactoe --time 5")
def command(wanted: _TrainOptions, as_json: bool) -> None:
    """Train the engine for a game: it learns the value of states by play.

    It plays random games, and then games against itself. From their results a small neural network
    learns what the facts of a state are worth. From then on 'match', 'uci', 'record' and
    'ggp-player' search the game with this value, if two roles move one at a time.

    The weights are kept after each generation: a kill or Ctrl-C loses no more, and --from FILE goes
    on. A generation plays for 6% of the time, and for 45 s at most. The cache keeps the weights, or
    FILE: beside a rule file NAME.lp, the engine reads values/NAME.json.
    """
    # Products of small matrices are quicker in one thread than in two, of which one waits.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    import numpy as np  # only a training needs it

    from ..agents.alphabeta.kept_values import keep_value, read_value
    from ..agents.alphabeta.value_training import train

    game = wanted.loaded
    game.refuse_unsupported(
        but="a learned value doesn't suit: the engine plays such games without training"
    )
    if chooses_jointly(game):
        raise BadRequest(f"a value is learned where sides move one at a time, not for {game.name}")
    first = None if wanted.first is None else read_value(wanted.first)
    budget = Budget(None if wanted.games is not None else wanted.seconds)
    step = None
    np.seterr(over="ignore")
    with stoppable(), status_line() as show:
        show(f"{game.name}: the net")
        tables = game.nets.from_the_start(MOST_RULES).tables
        row = tables.row(game.initial.facts)
        assert row is not None
        show(f"{game.name}: symmetries")
        known = game.initial.facts, tables.names.fluents, tables.names.certain
        symmetries = [
            (goes, exchange)
            for exchange in (False, True)
            for goes in game.proofs.permutations(*known, exchange)
        ]
        show(f"{game.name}: random games")
        for step in train(tables, row, budget, wanted.seed, wanted.games, symmetries, first):
            show(f"{game.name}: generation {step.generation}, {counted(step.games, 'game')}")
            if wanted.output is not None:
                write_file(wanted.output, step.value.pack().decode() + "\n")
            else:
                keep_value(game, step.value)
        interrupted = is_interrupted()
    if step is None:
        raise Interrupted
    report = {
        "game": game.name,
        "const": dict(game.constants),
        "output": wanted.output,
        "generation": step.generation,
        "games": step.games,
        "error": round(step.error, 4),
        "seconds": budget.seconds,
    }
    place, games = wanted.output or "the cache", counted(step.games, "game")
    text = f"{place}: generation {step.generation} after {games}, in {budget.seconds:.0f} s"
    print_answer(report, text, as_json)
    warn_of_mistakes(game)
    if interrupted:
        raise Interrupted
