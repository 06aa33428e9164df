"""Why a move of a state is legal or not, why the game is over, why a role has its value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..runtime.arguments import check_text
from ..runtime.errors import BadPosition, BadRequest, UnknownMove
from .bare_state import BareState
from .game_rules import GameRules
from .meant import OneMove, known_role, mover, term_of
from .move import Move
from .notation.joint_moves import format_ply, is_joint, parse_joint
from .notation.move_text import first_square, look_like
from .notation.term_input import parse_facts

if TYPE_CHECKING:
    from .explain import Explanation


def why(state: BareState, move: OneMove, role: str | None = None) -> Explanation:
    """Why a move is legal or not: see ``State.why``."""
    if isinstance(move, str) and is_joint(move):
        named = parse_joint(move)
        if role is None and len(named) == 1:
            (role,) = named
        if role not in named:
            raise BadRequest(f"say whose move is to be explained: {' or '.join(named)}")
        move = named[role]
    elif role is None:
        whose = "say whose move it is, as in ROLE=MOVE"
        role = move.role if isinstance(move, Move) else mover(state, whose)
    known_role(state.game, role)
    term = term_of(state.game, move)
    claim = state.move_text(term)
    if state.is_terminal:
        return _why_over(state, f"{claim} is not legal for {role}: the game is over")
    legal = term in state.consequences.playable(role)
    if not legal and not _is_known(state.game, term):
        form = look_like(state.game.vocabulary.notation)
        raise UnknownMove(f"{term} is no move of {state.game.name}: {form}", term)
    claim += f" is legal for {role}" if legal else f" is not legal for {role}"
    return state.game.explainer.legal(state.facts, claim, role, term)


def why_terminal(state: BareState) -> Explanation:
    """Why the game is over, or isn't."""
    return _why_over(state, f"the game is {'' if state.is_terminal else 'not '}over")


def why_goal(state: BareState, role: str) -> Explanation:
    """Why a role has its value. Raises ``BadRequest`` for an unknown role."""
    known_role(state.game, role)
    value = state.goals[role]
    return state.game.explainer.goal(state.facts, f"{role} has {value}", role, value)


def why_next(state: BareState, joint: Mapping[str, str], fluent: str) -> Explanation:
    """Why a fluent holds or doesn't after a joint move, which is legal: see ``State.why_next``."""
    facts = parse_facts(check_text(fluent, "a fluent", BadPosition))
    if len(facts) != 1:
        raise BadPosition(f"give one fluent, not {len(facts)}")
    (fluent,) = facts
    after = state.after(joint).facts
    played = state.move_text(format_ply(joint, state.consequences.movers))
    claim = f"after {played}, {fluent} {'holds' if fluent in after else 'does not hold'}"
    return state.game.explainer.next(state.facts, claim, joint, fluent)


def why_not(state: BareState, role: str, term: str) -> str:
    """Why a move isn't legal, in one line."""
    if state.is_terminal:
        return f"{state.move_text(term)} can't be played: the game is over"
    for other, moves in state.legal.items():
        if other != role and any(move.term == term for move in moves):
            whose = f"but {role} is on move" if role == state.to_move else f"not of {role}"
            return f"{state.move_text(term)} is a move of {other}, {whose}"
    return why(state, Move(role, term, ""), role).summary


def _why_over(state: BareState, claim: str) -> Explanation:
    return state.game.explainer.terminal(state.facts, claim)


def _is_known(rules: GameRules, term: str) -> bool:
    """Whether a move looks like one: it fits a form, or some rule has moves of its name."""
    forms = rules.vocabulary.notation
    if term.partition("(")[0] in forms:
        return first_square(forms, term) is not None
    return rules.explainer.knows(term)
