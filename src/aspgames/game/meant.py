"""Which move is meant, and whose, by what people give for one: a ``Move``, a text, a mapping."""

from __future__ import annotations

from collections.abc import Mapping

from ..runtime.arguments import told
from ..runtime.errors import AspgamesError, BadMove, BadRequest, IllegalMove
from .bare_state import BareState
from .board import Square
from .game_rules import GameRules
from .move import Move
from .notation.joint_moves import is_joint, moves_in, parse_joint
from .notation.move_text import named_squares

OneMove = Move | str
"""A move of one role: itself, its term, or as people write it; a text may be a joint move, too."""
AnyMove = OneMove | Mapping[str, OneMove]
"""A move, or what several roles do, by their names."""


def term_of(rules: GameRules, move: OneMove) -> str:
    """A move's term. Raises ``BadMove`` if it is none."""
    if isinstance(move, Move):
        return move.term if move.net_moves is not None else rules.parse_move(move.term)
    return rules.parse_move(move)


def term_of_role(state: BareState, role: str, move: OneMove) -> str:
    """The term of what is called a move of a role. Raises ``BadMove`` and ``IllegalMove``."""
    term = term_of(state.game, move)
    known_role(state.game, role, IllegalMove)
    if isinstance(move, Move) and move.role != role:
        known_role(state.game, move.role, IllegalMove)
        raise IllegalMove(f"{move} is a move of {move.role}, but {role} is on move")
    return term


def by_role(state: BareState, move: AnyMove) -> Mapping[str, OneMove]:
    """The moves that are named, by their roles. Raises ``BadMove`` and ``IllegalMove``."""
    if isinstance(move, Mapping):
        return move
    if isinstance(move, str) and is_joint(move):
        return parse_joint(move)
    if (only := _only(state, move)) is not None:
        return {only: move}
    return {mover(state, "give a move for each, as in ROLE=MOVE,ROLE=MOVE"): move}


def _only(state: BareState, move: OneMove) -> str | None:
    """Who alone can make a move, where nobody has a choice or is said to be on move."""
    if state.to_move or any(len(moves) != 1 for moves in state.consequences.legal.values()):
        return None
    term, legal = term_of(state.game, move), state.consequences.legal.items()
    able = [role for role, moves in legal if moves == (term,)]
    if isinstance(move, Move):
        able = [role for role in able if role == move.role]
    return able[0] if len(able) == 1 else None


def mover(state: BareState, wanted: str) -> str:
    """Who makes a move of which it isn't said; where several could, the error asks for it."""
    if state.to_move:
        return state.to_move
    if state.is_terminal:
        raise IllegalMove("the game is over")
    first, *others = state.consequences.movers
    if others:
        raise IllegalMove(f"several roles move at once here: {wanted}")
    return first


def known_role(rules: GameRules, role: str, error: type[AspgamesError] = BadRequest) -> None:
    """Raise the error if there is no such role."""
    if role not in rules.roles:
        raise error(f"there is no role {told(role)}; there are: {', '.join(rules.roles)}")


def squares_of(rules: GameRules, move: OneMove) -> list[Square]:
    """The squares that a move names. Raises ``BadMove``."""
    forms, board = rules.vocabulary.notation, rules.board
    terms = [term_of(rules, each) for each in (moves_in(move) if isinstance(move, str) else [move])]
    squares = [square for term in terms for square in named_squares(forms, term)]
    if not squares or not all(board and board.has(square) for square in squares):
        named = ", ".join(terms)
        raise BadMove(f"{named} names no squares of {rules.name}, so it can't be shown")
    return squares
