"""``aspgames match``: a person plays a game or a puzzle against an opponent."""

import click

from ..agents.match.match import Match
from ..agents.match.opponent import (
    LEVELS,
    ByEngine,
    ByNetwork,
    ByPolicy,
    ByTable,
    Opponent,
    PlayerKind,
    RandomOpponent,
)
from ..agents.match.policy import is_policy
from ..agents.match.solving_opponent import Solver
from ..agents.match.study import Study
from ..game.notation.notations import Notation
from ..game.state import State
from ..puzzle.problem import Puzzle
from ..runtime.budget import SECONDS
from ..runtime.errors import BadRequest
from .exit_codes import NO, YES
from .match_input import lines
from .match_session import MatchSession
from .parameters import WrittenParameters, read_records, seed_option
from .solve_options import attacker_option, goal_option, within_option
from .verb import option, verb

_GAME_SECONDS = 3.0
_OF_FILES = PlayerKind.TABLE, PlayerKind.NETWORK, PlayerKind.POLICY


class _Against(click.Choice[str]):
    """A name of the list, or a policy."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return value if is_policy(value) else super().convert(value, param, ctx)


class _MatchOptions(WrittenParameters):
    persons: tuple[str, ...] = option(
        "--as ROLE",
        "Your role; default: the side on move. Repeat it for each role that a person plays.",
    )
    against: str | None = option(
        "--against",
        "The opponent; default: the solver where two sides take turns, else random. The "
        "engine is the strongest in a game. MODULE:FUNCTION or FILE.py:FUNCTION is a function of "
        "yours, from a state and a role to a move.",
        type=_Against([kind.value for kind in PlayerKind if kind not in _OF_FILES]),
    )
    level: str = option(
        "--level", "How far the engine looks.", "hard", type=click.Choice(list(LEVELS))
    )
    attacker: str | None = attacker_option("The side that forces the goal of a puzzle.")
    goal: str | None = goal_option()
    within: int | None = within_option("The attacker's own turns; default: any number.")
    seconds: float | None = option(
        "--time SECONDS",
        "The opponent's time for a move, or for a hint; default: 60 in a puzzle, 3 in a game.",
    )
    seed: int = seed_option("Decides between equally good moves, and random ones.")
    table: str | None = option("--table FILE", "Let the opponent play by this table.")
    net: str | None = option("--net FILE", "Let the opponent play by this neural network, in ONNX.")
    record: str | None = option(
        "--record FILE",
        "Write the match to FILE in the end: as a record of games (.pgn), or else as JSON.",
    )
    from_record: str | None = option(
        "--from-record FILE",
        "Continue the last game in FILE, which --record wrote, from its own start.",
    )


@verb(
    spare=None,
    example="printf 'hint\\nd7-d8\\n' | aspgames match breakthrough"
    ' "8/3P4/8/8/8/8/p7/8 w" --attacker white --goal win',
)
def command(wanted: _MatchOptions, as_json: bool) -> int:
    """Play a game or a puzzle against the computer.

    Type moves and commands at the prompt; 'help' lists them: hints, legal moves, taking back. On a
    terminal, Tab completes. Lines may come from a pipe. --json prints one event a line.

    If several roles choose at the same time, each person is asked in turn. The choices appear when
    all have chosen.

    In a puzzle the solver holds out for as long as possible, or attacks in the fewest turns. In a
    game it plays a forced win if it finds one in time, and avoids moves that it knows to lose. Else
    it moves at random. The engine (--against engine) searches with a value that was learned by play
    (see 'train'), or else by random games. In games with chance or hidden information it searches
    from what its role knows, and the person sees its own side only.

    --notation applies to all input and output at the prompt. A saved file has the game's own
    notation, so that any match can continue it.

    During a search, Ctrl-C stops the search, and the solver moves by its results so far. At the
    prompt, Ctrl-C ends the match.

    Exit codes: 0 done, 1 you have failed at the puzzle, 2 bad input, 130 interrupted.
    """
    if wanted.position == "-":
        raise BadRequest("standard input is for your moves: give the position, or @FILE")
    game, written = wanted.loaded, wanted.written
    source = wanted.from_record
    before = read_records(source, game)[-1] if source is not None else None
    if before and wanted.position != "startpos":
        raise BadRequest("a record has its own start: leave POSITION out")
    state = game.position(before.position) if before else wanted.state
    puzzle = _puzzle(state, wanted, written)
    match = Match(state, [written.term(role) for role in wanted.persons], puzzle, written)
    if before:
        match.go_on_from(before)
    seconds = wanted.seconds or (SECONDS if puzzle else _GAME_SECONDS)
    study = Study(match)
    opponent = _opponent(match, wanted, study, seconds)
    session = MatchSession(match, opponent, study, as_json, seconds)
    try:
        session.begin()
        for line in lines(match, session.commands, as_json, lambda: session.prompt):
            session.obey(line)
            if session.over:
                break
        session.leave()
    finally:
        if wanted.record is not None:
            session.record(wanted.record)
    return NO if match.lost else YES


def _puzzle(state: State, wanted: _MatchOptions, written: Notation) -> Puzzle | None:
    attacker, goal = wanted.attacker, wanted.goal
    if attacker is None and goal is None and wanted.within is None:
        return None
    if attacker is None or goal is None:
        raise BadRequest("a puzzle takes --attacker and --goal")
    return Puzzle.of(state, written.term(attacker), goal, wanted.within)


def _opponent(match: Match, wanted: _MatchOptions, study: Study, seconds: float) -> Opponent:
    """The opponent that the options name; by default the solver if the game has puzzles."""
    seed = wanted.seed
    named = {"--against": wanted.against, "--table": wanted.table, "--net": wanted.net}
    if len(given := [name for name, value in named.items() if value is not None]) > 1:
        raise BadRequest(f"one opponent, not {' and '.join(given)}")
    if wanted.table is not None:
        return ByTable(wanted.table, match.state, seed)
    if wanted.net is not None:
        return ByNetwork(wanted.net, match.state, seconds, seed)
    if wanted.against is not None and is_policy(wanted.against):
        return ByPolicy(wanted.against, seed)
    against = wanted.against and PlayerKind(wanted.against)
    if against is PlayerKind.ENGINE:
        return ByEngine(match, seconds, seed, wanted.level)
    if against is not PlayerKind.RANDOM:
        if against is not None or match.puzzle:
            match.state.game.refuse_unsupported(
                but="the solver doesn't play: the engine does, and random moves do"
            )
        elif match.state.game.chance or match.state.game.hidden:
            return RandomOpponent(seed)
        try:
            Puzzle.of(match.state, match.person, "win")  # refuses games without turns
            return Solver(study, seconds, seed)
        except BadRequest:
            if against is not None:
                raise
    return RandomOpponent(seed)
