"""``solve --popeye``: chess problems in the language of Popeye."""

from pathlib import Path

from ..crosscheck.engines.peers import needed_peer
from ..crosscheck.engines.popeye_input import peer_for, read_problems, rule_book
from ..crosscheck.engines.popeye_problem import PopeyeProblem
from ..game.game import Game
from ..puzzle.stipulation import STIPULATION, STIPULATION_HELP, series_constants
from ..runtime.errors import AspgamesError, BadRequest, LimitReached
from ..runtime.process_messages import tell
from ..runtime.temporary_files import TemporaryFolder
from .exit_codes import BAD_INPUT, NO, UNDECIDED, YES, worst
from .files import read_text
from .output import print_json, print_text, warn
from .solve_one import solve_one, solve_problem, solve_together
from .solve_options import AnswerOptions, EffortOptions, PuzzleParameters

_LONGEST = 16_000_000  # bytes of a file


def solve_popeye(name: str, game: Game | None, effort: EffortOptions, as_json: bool) -> int:
    """Solve each problem of a file ('-': standard input); returns the exit code.

    The rules are those of ``game``, or of the rule books that have the conditions and pieces.
    Where an option asks for set play, tries or variations, the whole solution is printed.
    """
    if game is not None:
        needed_peer(game, "popeye")  # refused once, not for every problem
    tell(seconds=None)  # the limit applies to each problem
    codes = {YES}
    number = 0
    for problem in read_problems(read_text(name, _LONGEST)):
        number += problem.label in ("", "a")
        if not as_json:
            title = ": ".join([f"Problem {number}{problem.label}", *problem.texts[:1]])
            heading = ", ".join([title, *problem.texts[1:]])
            print_text(f"{chr(10) * (number > 1)}{heading}  ({problem.stipulation})")
        try:
            _check(problem)
            with TemporaryFolder() as folder:
                rules = game or rule_book(problem, Path(folder))
                codes.add(_solve(problem, rules, effort, as_json))
        except AspgamesError as error:
            codes.add(UNDECIDED if isinstance(error, LimitReached) else BAD_INPUT)
            where = "" if str(error).startswith("line ") else f"line {problem.line}: "
            if as_json:
                print_json({"error": f"{where}{error}"})
            else:
                warn(f"{where}{error}")
    return worst(codes - {NO})


def _check(problem: PopeyeProblem) -> None:
    if problem.error:
        raise BadRequest(problem.error)
    if not (problem.pieces and problem.stipulation):
        raise BadRequest(f"line {problem.line}: a problem has pieces and a stipulation")
    if not STIPULATION.fullmatch(problem.solved):
        line = problem.lines.get("stipulation", problem.line)
        text = f"the stipulation must be {STIPULATION_HELP}, not {problem.stipulation!r}"
        raise BadRequest(f"line {line}: {text}")


def _solve(problem: PopeyeProblem, rules: Game, effort: EffortOptions, as_json: bool) -> int:
    peer = peer_for(problem, rules)
    asked = PuzzleParameters(
        game=rules.encoding.reference,
        constants=tuple(
            f"{name}={value}"
            for name, value in series_constants(problem.solved, problem.mover).items()
        ),
        position=problem.fen(peer),
        attacker=None,
        goal=None,
        within=None,
        stipulation=problem.solved,
        notation="lp",
        goal_choice=None,
    ).question
    if problem.wants_all:
        return solve_problem(asked, asked.helped, effort, as_json)
    if asked.helped:
        return solve_together(asked, effort, as_json)
    return solve_one(asked, _ANSWER, effort, as_json)


_ANSWER = AnswerOptions(
    first=False, helped=False, all_lines=False, problem=False, certificate=None, html=None
)
