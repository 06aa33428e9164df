"""From what people give for a move to what every role does, if that is legal."""

from __future__ import annotations

from collections.abc import Mapping

from ..runtime.arguments import check_text
from ..runtime.errors import BadMove, IllegalMove
from .bare_state import BareState
from .explaining import why_not
from .meant import AnyMove, OneMove, by_role, term_of_role
from .move import Move
from .notation.joint_moves import is_joint


def is_stuck(state: BareState) -> bool:
    """Whether a role has no legal move though the game isn't over, so that play can't go on."""
    if state.is_terminal:
        return False
    if state.to_move is not None and state.others_wait:
        return not state.legal_moves
    return not all(state.consequences.legal.values())


def joint_of(state: BareState, move: AnyMove) -> dict[str, str]:
    """What every role does when a move is played, as terms: see ``State.joint``."""
    joint = {role: legal_term(state, role, each) for role, each in by_role(state, move).items()}
    if state.is_terminal:
        raise IllegalMove("the game is over")
    for role, moves in state.consequences.legal.items():
        if role not in joint:
            if len(moves) != 1:
                raise IllegalMove(f"say what {role} does: it has {len(moves)} moves")
            joint[role] = moves[0]
    return joint


def legal_term(state: BareState, role: str, move: OneMove) -> str:
    """A move's term, if it is legal. Raises ``BadMove`` and ``IllegalMove``."""
    term = term_of_role(state, role, move)
    if term not in state.consequences.playable(role):
        raise IllegalMove(why_not(state, role, term))
    return term


def is_legal(state: BareState, move: AnyMove) -> bool:
    """Whether a move can be played: see ``State.is_legal``."""
    if not isinstance(move, Move | Mapping):
        check_text(move, "a move", BadMove)
    alone = not isinstance(move, Mapping) and not (isinstance(move, str) and is_joint(move))
    if alone and state.to_move:
        return move in state.legal_moves and state.others_wait
    said = state.consequences
    try:
        moves = by_role(state, move).items()
        chosen = {role: term_of_role(state, role, each) for role, each in moves}
    except (BadMove, IllegalMove):
        return False
    return all(term in said.playable(role) for role, term in chosen.items()) and all(
        role in chosen or len(said.playable(role)) == 1 for role in said.legal
    )
