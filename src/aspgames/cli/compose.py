"""``aspgames compose``: puzzles from the rules alone."""

import click

from ..composer.collection import Collection, compose
from ..composer.order import FORCED, NOT_FORCED, Order
from ..game.game import Game
from ..game.loading import load_game
from ..gdl.rules import Facts
from ..puzzle.puzzle_request import puzzle_of
from ..puzzle.question import ONE_LINE
from ..puzzle.stipulation import TOGETHER
from ..runtime.budget import Budget
from ..runtime.errors import AspgamesError, BadRequest
from ..runtime.json_lines import JsonObject, decode, encode
from .exit_codes import INTERRUPTED, NO, UNDECIDED, YES
from .files import opened, write_file
from .output import print_answer, status_line
from .parameters import TIME, GameParameters
from .solve_options import attacker_option, goal_option, within_option
from .verb import option, verb
from .work_options import THREADS, WorkerOptions, numbered_lines, resume_option, stoppable

_ENDED = {
    "time": "the time is over",
    "interrupted": "interrupted",
    "in vain": "nothing new was found for a long time",
}
_CODES = {"": YES, "time": UNDECIDED, "interrupted": INTERRUPTED, "in vain": UNDECIDED}


class _ComposeOptions(GameParameters):
    goal: str = goal_option(required=True)
    within: int = within_option("The attacker's own turns.", required=True)
    at_least: int | None = option(
        "--at-least K", "Accept puzzles of fewer turns, too, but at least K."
    )
    number: int = option("-n, --number N", "The number of puzzles.", 10)
    output: str | None = option("-o, --output FILE", "Write them to FILE, a JSON object a line.")
    attacker: str | None = attacker_option("The side that forces the goal; default: either.")
    mover: str | None = option("--to-move ROLE", "The side on move; default: either.")
    not_forced: bool = option(
        "--not-forced", "Ask for the defender's only move that prevents the goal."
    )
    helped: bool = option("--together", "Both sides help: ask for the only shortest line.")
    most_pieces: int | None = option("--pieces N", "At most N pieces.")
    like: str | None = option("--like FILE", "Vary the puzzles in FILE.")
    seed: int = option("--seed N", "The same seed gives the same puzzles.", 0)
    among: int = option("--among N", "Keep the best of N times as many.", 2)
    improve: int = option("--improve N", "Try N changes to improve each candidate.", 0)
    seconds: float | None = TIME
    threads: int | None = THREADS
    resume: str | None = resume_option("Keep puzzles in FILE, and continue with those it holds.")

    @property
    def stipulation(self) -> str:
        if self.not_forced and self.helped:
            raise BadRequest("--not-forced and --together don't go together")
        return NOT_FORCED if self.not_forced else TOGETHER if self.helped else FORCED


@verb(example="aspgames compose breakthrough -c width=4 -c height=6 --goal win --within 2 -n 2")
def command(wanted: _ComposeOptions, workers: WorkerOptions, as_json: bool) -> int:
    """Compose puzzles with exactly one key.

    They take exactly --within turns. Candidates come from the ends of random games, and from
    changes to near misses. The sound ones are judged as by 'aspgames judge', and the best are
    printed. No two are images of each other by symmetries of the rules. With --json and in FILE,
    they have the form that 'aspgames solve --puzzles' reads.

    After Ctrl-C or the time limit, the puzzles found so far are kept.

    Exit codes: 0 done, 1 no puzzle was found, 2 bad input, 3 fewer than requested, 130 interrupted.
    """
    stipulation = wanted.stipulation
    for name, value in (("-n", wanted.number), ("--among", wanted.among)):
        if not 1 <= value <= 100_000:
            raise BadRequest(f"{name} must be a whole number from 1 to 100,000, not {value}")
    game = wanted.loaded
    game.refuse_unsupported(but=ONE_LINE)
    order = Order.of(
        game.roles,
        wanted.goal,
        wanted.within,
        wanted.at_least,
        stipulation,
        wanted.attacker,
        wanted.mover,
        wanted.most_pieces,
    )
    variations = [] if wanted.like is None else _positions(wanted.like, game)
    budget = Budget(wanted.seconds)
    with status_line() as show, stoppable(), workers.executor() as executor:
        found = compose(
            game,
            order,
            wanted.number,
            wanted.seed,
            among=wanted.among,
            improve=wanted.improve,
            called=wanted.game,
            like=variations,
            threads=workers.threads_each(wanted.threads),
            budget=budget,
            executor=executor,
            resume=wanted.resume,
            show=show,
        )
    _write(found, wanted.output, as_json)
    return _CODES[found.ended] if found.puzzles or found.ended == "interrupted" else NO


def _write(found: Collection, output: str | None, as_json: bool) -> None:
    for place, puzzle in enumerate(found.best, start=1):
        print_answer(puzzle, f"{_row(place, puzzle)}\n       {puzzle['position']}", as_json)
    ended = f" ({_ENDED[found.ended]})" if found.ended else ""
    if not as_json or ended:
        click.echo(f"{found}, {len(found.best):,} written{ended}", err=as_json)
    if output is not None:
        write_file(output, "".join(f"{encode(puzzle)}\n" for puzzle in found.best))


def _row(place: int, puzzle: JsonObject) -> str:
    judged = puzzle["judged"]
    turns = "" if judged["distance"] is None else f"in {judged['distance']}"
    marks = f"difficulty {judged['difficulty']:4.1f}  score {judged['score']:4.1f}"
    what = f"{puzzle['attacker']} {puzzle['goal']} {turns}"
    return f"{place:>5}  {what:<22} {marks}  {', '.join(judged['keys_text'])}"


def _positions(name: str, game: Game) -> list[Facts]:
    found = []
    with opened(name, "rb") as stream:
        for number, line in numbered_lines(stream):
            try:
                puzzle = puzzle_of(decode(line), load_game)
            except AspgamesError as error:
                raise BadRequest(f"{name}, line {number}: {error}") from None
            if puzzle.state.game != game:
                raise BadRequest(f"{name}, line {number}: the puzzle is of another game")
            found.append(puzzle.state.facts)
    if not found:
        raise BadRequest(f"{name}: there is no puzzle in it")
    return list(dict.fromkeys(found))
