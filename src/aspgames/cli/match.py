"""``aspgames match``: a person plays a game or a puzzle against an opponent."""

from __future__ import annotations

import click

from ..agents.match.match import Match
from ..agents.match.opponent import Opponent, RandomOpponent
from ..agents.match.solving_opponent import Solver
from ..agents.match.study import Study
from ..agents.match.table_opponent import ByTable
from ..game.game import State
from ..game.notation.notations import notation as written_in
from ..puzzle.goal import GOAL_LIST
from ..puzzle.problem import Puzzle
from ..runtime.budget import SECONDS, Budget
from ..runtime.errors import BadRequest
from .exit_codes import NO, YES
from .files import refuse_unwritable
from .match_input import lines
from .match_output import Output
from .match_session import Session
from .parameters import (
    example,
    game_argument,
    json_option,
    notation_option,
    position_argument,
    read_game,
    read_records,
    read_state,
    seconds_option,
)
from .verb import Verb

_GAME_SECONDS = 3.0


@click.command(
    "match",
    cls=Verb,
    spare=None,
    epilog=example(
        "printf 'hint\\nd7-d8\\n' | aspgames match breakthrough"
        ' "8/3P4/8/8/8/8/p7/8 w" --attacker white --goal win'
    ),
)
@game_argument()
@position_argument()
@click.option(
    "--as",
    "persons",
    metavar="ROLE",
    multiple=True,
    help="What you play; else the side on move. Repeat it for each role that a person plays.",
)
@click.option(
    "--against",
    type=click.Choice(["solver", "engine", "random"]),
    help="Who plays the rest; default: the solver where two sides take turns, else random. The "
    "engine is the strongest in a game.",
)
@click.option("--attacker", metavar="ROLE", help="A puzzle: who is to reach the goal.")
@click.option("--goal", help=f"{GOAL_LIST} (also score:N).")
@click.option("--within", type=int, metavar="K", help="The attacker's own turns; none: any number.")
@seconds_option(
    "--time",
    "seconds",
    "The opponent's time for a move, or for a hint; unless given, 60 in a puzzle and 3 in a game.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Decides between equally good moves, and what moves are random.",
)
@click.option("--table", metavar="FILE", help="Who plays the rest plays by this table.")
@click.option(
    "--record",
    metavar="FILE",
    help="Write the match to FILE in the end: as a record of games (.pgn), or else as JSON.",
)
@click.option(
    "--from-record",
    metavar="FILE",
    help="Go on with the last game in FILE, which --record wrote; POSITION is where that began.",
)
@notation_option
@json_option
def command(
    game: str,
    constants: tuple[str, ...],
    position: str,
    persons: tuple[str, ...],
    against: str | None,
    attacker: str | None,
    goal: str | None,
    within: int | None,
    seconds: float | None,
    seed: int,
    table: str | None,
    record: str | None,
    from_record: str | None,
    notation: str,
    as_json: bool,
) -> int:
    """Play a game to its end, or a puzzle, against best defence or at random.

    Type moves and commands at the prompt; 'help' lists them: hints, legal moves, taking back. On a
    terminal, Tab completes. Lines may come from a pipe. --json prints an event a line.

    Where several roles choose at the same time, each person is asked in turn, and what is chosen is
    shown when all have chosen.

    In a puzzle the solver holds out for as long as can be, or attacks in the fewest turns. In a
    game it plays a forced win if it finds one in its time, and no move that it sees to lose; else
    it moves at random, where the engine (--against engine) goes by what it sees in random games.

    --notation is about all that is read and shown; a file has the game's own notation all the same,
    so that any match can go on with it.

    Ctrl-C stops a search, and the solver moves by what it knows; at the prompt it ends the match.

    Exit codes: 0 done, 1 you have failed at the puzzle, 2 bad input, 130 interrupted.
    """
    if position == "-":
        raise BadRequest("standard input is for your moves: give the position, or @FILE")
    Budget(seconds)  # refuses a senseless limit at once
    loaded = read_game(game, constants)
    before = read_records(from_record, loaded)[-1] if from_record is not None else None
    if before and position != "startpos":
        raise BadRequest("a record says itself where the game began: leave POSITION out")
    written = written_in(loaded, notation)
    state = loaded.position(before.position) if before else read_state(loaded, position, notation)
    puzzle = _puzzle(state, attacker and written.term(attacker), goal, within)
    match = Match(state, [written.term(role) for role in persons], puzzle, written)
    if before:
        match.go_on_from(before)
    if record is not None:
        refuse_unwritable(record)
    seconds = seconds or (SECONDS if puzzle else _GAME_SECONDS)
    if table is not None and against is not None:
        raise BadRequest("--table is who plays the rest: it doesn't go with --against")
    study = Study(match)
    opponent = (
        ByTable(table, state, seed)
        if table is not None
        else _engine(match, seconds, seed)
        if against == "engine"
        else _opponent(match, against, Solver(study, seconds, seed), RandomOpponent(seed))
    )
    session = Session(match, opponent, study, Output(as_json), seconds)
    try:
        _play(session, as_json)
    finally:
        if record is not None:
            session.record(record)
    return NO if match.lost else YES


def _puzzle(
    state: State, attacker: str | None, goal: str | None, within: int | None
) -> Puzzle | None:
    """The puzzle of a command line; None where it asks for none. Raises ``BadRequest``."""
    if attacker is None and goal is None and within is None:
        return None
    if attacker is None or goal is None:
        raise BadRequest("a puzzle takes --attacker and --goal")
    return Puzzle.of(state, attacker, goal, within)


def _engine(match: Match, seconds: float, seed: int) -> Opponent:
    from ..agents.match.engine_opponent import ByEngine

    return ByEngine(match, seconds, seed)


def _opponent(match: Match, against: str | None, solver: Solver, other: Opponent) -> Opponent:
    """The opponent of a match: unless one is named, the solver where the game has puzzles."""
    if against == other.name:
        return other
    try:
        Puzzle.of(match.state, match.person, "win")  # refuses a game in which sides take no turns
    except BadRequest:
        if against is not None:
            raise
        return other
    return solver


def _play(session: Session, as_json: bool) -> None:
    """All of the match, from its first board to what became of it."""
    session.begin()
    for line in lines(session.match, session.commands, as_json, lambda: session.prompt):
        session.obey(line)
        if session.over:
            break
    session.leave()
