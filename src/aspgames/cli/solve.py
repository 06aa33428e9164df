"""``aspgames solve``: puzzles."""

from ..puzzle.goal import GOAL_MEANINGS
from ..runtime.errors import BadRequest
from .solve_one import solve_one, solve_problem, solve_together
from .solve_options import AnswerOptions, EffortOptions, PuzzleParameters
from .verb import option, verb


class _SolveParameters(PuzzleParameters):
    puzzles: str | None = option(
        "--puzzles FILE",
        "Solve the puzzles in FILE ('-': standard input), a JSON object a line or EPD, and print a "
        "result a line: JSON, or a table on a terminal without --json. Answers that puzzles have "
        "are checked. GAME is that of EPD (chess).",
    )
    output: str | None = option(
        "--output FILE",
        "With --puzzles: write the results to FILE. An existing file is refused unless "
        "--resume continues the same work. With --popeye: write the problems with their solutions "
        "(.olv, .json), or the problems alone, which aren't solved then (.inp, .fen; .svg: a "
        "diagram of each).",
    )
    popeye: str | None = option(
        "--popeye FILE",
        "Solve the chess problems in FILE ('-': standard input): Popeye's input, Olive's YAML "
        '(pip install "aspgames[yaml]"), JSON entries of YACPDB, or FENs with stipulations.',
    )


@verb(
    example='aspgames solve breakthrough "8/3P4/8/8/8/8/p7/8 w" --attacker white --goal win '
    "--within 3",
    lists={"goals": "\n".join(GOAL_MEANINGS)},
)
def command(
    asked: _SolveParameters, wanted: AnswerOptions, effort: EffortOptions, as_json: bool
) -> int:
    """Solve puzzles: can a side force a goal within K turns?

    The answer has the key moves and a line of best play. These are the goals:

    \b
    {goals}
    score: in a game with chance, the expected goal value of the attacker at the end.

    --stipulation asks as chess problems do; the side on move begins.

    In a game with hidden information, the attacker's plan depends only on what it sees. In a game
    with chance, the answer is the best probability that the attacker can force, and the
    goal counts as forced if it is at least P (--chance).

    K counts the attacker's own turns; a turn already begun counts as one. In a game of one role
    every move is a turn, and the line is a shortest way to the goal.

    --workers and --dask share the search of a hard puzzle: the tree stays in this process, and the
    others search its leaves.

    After Ctrl-C, the results so far are printed.

    Exit codes: 0 forced, 1 not forced, 2 bad input, 3 undecided within the limits, 130 interrupted.
    With --puzzles: 2 if a line was bad, else 3 if a puzzle stayed undecided, else 0. With
    --problem: 0 sound, 1 unsound, 3 undecided.
    """
    effort.budget()  # refuses invalid limits once, not on every line
    wanted.refuse_contradictions()
    if asked.puzzles is not None:
        has_game = bool(asked.game)  # of puzzles in EPD
        if asked.is_question or (asked.constants and not has_game):
            raise BadRequest(
                "--puzzles takes everything from the file, but GAME: leave the other arguments out"
            )
        if wanted.is_given and not wanted.first:
            raise BadRequest("--puzzles prints solutions, nothing else: solve one puzzle at a time")
        if asked.notation != "lp":
            raise BadRequest("--notation is for one puzzle: those of a file have their own")
        from .solve_file import solve_file  # loaded only if necessary

        game = asked.loaded if has_game else None
        return solve_file(asked.puzzles, asked.output, wanted.first, effort, as_json, game)
    if asked.output is not None and asked.popeye is None:
        raise BadRequest("--output goes with --puzzles and --popeye")
    if asked.popeye is not None:
        kept = effort.table is not None or effort.resume is not None
        if asked.is_question or asked.constants or wanted.is_given or effort.given or kept:
            raise BadRequest(
                "--popeye takes all but GAME from the file, and limits: leave the others out"
            )
        from .solve_popeye import solve_popeye  # loaded only if necessary

        game = asked.loaded if asked.game else None
        return solve_popeye(asked.popeye, game, effort, as_json, asked.output)
    question = asked.question
    if question.puzzle.chance is not None:
        wanted.refuse_for_chance(question.helped)
    if question.helped:
        wanted.helped = True
        wanted.refuse_contradictions()
    if effort.table is not None and (wanted.helped or wanted.problem or effort.resume):
        raise BadRequest("--table is no search: leave --together, --problem and --resume out")
    single = {"--together": wanted.helped, "--table": effort.table, "--problem": wanted.problem}
    for name, value in single.items():
        if value and effort.given:
            raise BadRequest(f"{name} is for one process: leave --workers and --dask out")
    if (wanted.helped or wanted.problem) and effort.resume is not None:
        raise BadRequest("--resume continues another search than --together and --problem")
    if wanted.problem:
        return solve_problem(question, wanted.helped, effort, as_json)
    if not wanted.helped:
        return solve_one(question, wanted, effort, as_json)
    return solve_together(question, effort, as_json)
