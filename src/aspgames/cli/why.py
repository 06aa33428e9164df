"""``aspgames why``: the reasons for a move's being legal or not, for the end, for a goal."""

from __future__ import annotations

import click

from ..game.explain import Explanation
from ..game.explain.explanation_report import explanation_report
from ..game.game import State
from ..game.notation.joint_moves import moves_in
from ..game.notation.notations import notation as written_in
from ..game.notation.notations import unknown_moves
from ..runtime.errors import BadRequest
from .output import print_json, print_text
from .parameters import (
    example,
    game_argument,
    json_option,
    notation_option,
    position_argument,
    read_game,
    read_state,
)
from .verb import Verb


@click.command("why", cls=Verb, epilog=example("aspgames why skirmish startpos d1-d7"))
@game_argument()
@position_argument(required=True)
@click.argument("move", required=False)
@click.option("--role", help="Who would make the move; default: the side on move. Or: black=MOVE.")
@click.option(
    "--next",
    "fluent",
    metavar="FLUENT",
    help="Explain why it holds or not after MOVE: --next 'cell(4,7,arrow)'.",
)
@click.option("--terminal", is_flag=True, help="Explain why the game is over, or isn't.")
@click.option("--goal", metavar="ROLE", help="Explain a role's value, such as --goal white.")
@notation_option
@json_option
def command(
    game: str,
    constants: tuple[str, ...],
    position: str,
    move: str | None,
    role: str | None,
    fluent: str | None,
    terminal: bool,
    goal: str | None,
    notation: str,
    as_json: bool,
) -> None:
    """Say why a move is legal or why it isn't, in the words of the rules.

    A joint move (white=rock,black=paper) is explained role by role. For an illegal move the
    smallest set of reasons is given, each with the rule of the encoding that asks for what is not
    the case, and the facts of the position that it rests on. The
    sentences are the encoding's; without them the rules are shown. --notation is about what is
    asked, and the facts of the position; the rules are those of the encoding all the same.
    """
    if (move is not None) + terminal + (goal is not None) != 1:
        raise BadRequest("give either a MOVE, --terminal or --goal ROLE")
    if move is None and (role is not None or fluent is not None):
        raise BadRequest("--role and --next go with a MOVE")
    state = read_state(read_game(game, constants), position, notation)
    written = written_in(state.game, notation)
    move, role, goal, fluent = (part and written.term(part) for part in (move, role, goal, fluent))
    found: Explanation | dict[str, Explanation]
    with unknown_moves(state, written):
        if move is not None and fluent is not None:
            found = state.why_next(move if role is None else {role: move}, fluent)
        elif move is not None and role is None and len(moves_in(move)) > 1:
            found = state.why_each(move)
        else:
            found = _explanation(state, move, role, goal)
    if as_json:
        report = explanation_report(state, found)
        print_json(report | {"facts": sorted(map(written.text, report["facts"]))})
    else:
        print_text("\n\n".join(map(str, found.values() if isinstance(found, dict) else [found])))


def _explanation(state: State, move: str | None, role: str | None, goal: str | None) -> Explanation:
    if move is not None:
        return state.why(move, role)
    return state.why_goal(goal) if goal is not None else state.why_terminal()
