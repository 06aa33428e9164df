"""``aspgames train``: a value for the engine, learned by play."""

from __future__ import annotations

from dataclasses import dataclass

from ..game.game import chooses_jointly
from ..runtime.arguments import counted
from ..runtime.budget import MOST_RULES, Budget
from ..runtime.errors import BadRequest, Interrupted
from .files import refuse_unwritable
from .output import print_json, print_text, status_line
from .parameters import GameParameters, json_option, seed_option, warn_of_mistakes
from .verb import ParameterGroup, option, verb
from .work_options import stoppable


class _TrainOptions(ParameterGroup):
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


@dataclass
class _Learned:
    """What a training has reached."""

    generation: int
    games: int
    error: float


@verb(
    "train", GameParameters, _TrainOptions, spare=60.0, example="aspgames train tictactoe --time 5"
)
@json_option
def command(asked: GameParameters, wanted: _TrainOptions, as_json: bool) -> None:
    """Train the engine for a game: it learns the value of states by play.

    It plays random games, and then games against itself. Their results give weights to the facts
    of a state, the number of moves and threats. From then on 'match', 'uci', 'record' and
    'ggp-player' search the game with this value, if two roles move one at a time.

    Ctrl-C ends the training; the weights so far are kept. The cache keeps them, or FILE: beside a
    rule file NAME.lp, the engine reads values/NAME.json.
    """
    import numpy as np  # only a training needs it

    from ..agents.alphabeta.kept_values import keep_value, read_value
    from ..agents.alphabeta.value_training import train
    from .files import write_file

    game = asked.loaded
    game.refuse_unsupported()
    if chooses_jointly(game):
        raise BadRequest(f"a value is learned where sides move one at a time, not for {game.name}")
    if wanted.output is not None:
        refuse_unwritable(wanted.output)
    first = None if wanted.first is None else read_value(wanted.first)
    budget = Budget(None if wanted.games is not None else wanted.seconds)
    learned: _Learned | None = None
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
            learned = _Learned(step.generation, step.games, step.error)
            value = step.value
            show(f"{game.name}: generation {step.generation}, {counted(step.games, 'game')}")
            if wanted.output is not None:
                write_file(wanted.output, value.pack().decode() + "\n")
            else:
                keep_value(game, value)
    if learned is None:
        raise Interrupted
    if as_json:
        print_json(
            {
                "game": game.name,
                "const": dict(game.constants),
                "output": wanted.output,
                "generation": learned.generation,
                "games": learned.games,
                "error": round(learned.error, 4),
                "seconds": budget.seconds,
            }
        )
    else:
        place = wanted.output or "the cache"
        games = counted(learned.games, "game")
        print_text(
            f"{place}: generation {learned.generation} after {games}, in {budget.seconds:.0f} s"
        )
    warn_of_mistakes(game)
