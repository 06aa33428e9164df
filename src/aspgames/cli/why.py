"""``aspgames why``: the reasons for a move's legality, for the end of play, and for a goal."""

from ..game.explain import Explanation
from ..game.notation.joint_moves import moves_in
from ..game.notation.notations import unknown_moves
from ..game.reports import explanation_report
from ..runtime.errors import BadRequest
from .output import print_json, print_text
from .parameters import RequiredPosition
from .text_style import highlighted
from .verb import argument, option, verb


class _WhyOptions(RequiredPosition):
    move: str | None = argument(required=False)
    role: str | None = option(
        "--role", "The role that would move; default: the side on move. Or: black=MOVE."
    )
    fluent: str | None = option(
        "--next FLUENT", "Explain why this holds or not after MOVE: --next 'cell(4,7,arrow)'."
    )
    terminal: bool = option("--terminal", "Explain why the game is over, or isn't.")
    goal: str | None = option("--goal ROLE", "Explain a role's value, such as --goal white.")


@verb(example="aspgames why skirmish startpos d1-d7")
def command(wanted: _WhyOptions, as_json: bool) -> None:
    """Explain why a move is legal or not, in the words of the rules.

    A joint move (white=rock,black=paper) is explained role by role.

    An illegal move gets the smallest set of reasons. Each names the rule of the encoding whose
    condition fails, and the facts of the position that cause this. The sentences are the
    encoding's; without sentences, the rules are shown. --notation applies to the question and to
    the facts of the position; rules always appear as in the encoding.
    """
    if (wanted.move is not None) + wanted.terminal + (wanted.goal is not None) != 1:
        raise BadRequest("give either a MOVE, --terminal or --goal ROLE")
    if wanted.move is None and (wanted.role is not None or wanted.fluent is not None):
        raise BadRequest("--role and --next go with a MOVE")
    state, written = wanted.state, wanted.written
    with unknown_moves(state, written):
        found = _explanations(wanted)
    if as_json:
        report = explanation_report(state, found)
        print_json(report | {"facts": sorted(map(written.text, report["facts"]))})
    else:
        each = found.values() if isinstance(found, dict) else [found]
        print_text("\n\n".join(highlighted(str(one), r"\A.*") for one in each))


def _explanations(wanted: _WhyOptions) -> Explanation | dict[str, Explanation]:
    """The explanation; for a joint move one for each role."""
    state, written = wanted.state, wanted.written
    move, role, goal, fluent = (
        part and written.term(part)
        for part in (wanted.move, wanted.role, wanted.goal, wanted.fluent)
    )
    if move is None:
        return state.why_goal(goal) if goal is not None else state.why_terminal()
    if fluent is not None:
        return state.why_next(move if role is None else {role: move}, fluent)
    return (
        state.why_each(move) if role is None and len(moves_in(move)) > 1 else state.why(move, role)
    )
