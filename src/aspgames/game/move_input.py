"""Moves as users give them: which move is meant, whose it is, and whether it is legal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from ..runtime.arguments import check_text, quote
from ..runtime.errors import (
    AspgamesError,
    BadMove,
    BadPosition,
    BadRequest,
    IllegalMove,
    UnknownMove,
)
from .board import Square, square_name
from .move import Move
from .notation.joint_moves import format_ply, is_joint, moves_in, parse_joint
from .notation.move_text import (
    count_squares,
    first_square,
    format_move,
    look_like,
    named_squares,
    names_of,
    possible_terms,
    squares_among,
)
from .notation.term_input import parse_facts

if TYPE_CHECKING:
    from .explain import Explanation
    from .game import Game
    from .state import State

OneMove = Move | str
"""A move of one role: a ``Move``, a term or a text. A text may also be a joint move."""
AnyMove = OneMove | Mapping[str, OneMove]
"""A move, or the moves of several roles by their names."""


def term_of(game: Game, move: OneMove) -> str:
    """A move's term. Raises ``BadMove`` for text that isn't a move."""
    if isinstance(move, Move):
        return move.term if move.net_moves is not None else game.parse_move(move.term)
    return game.parse_move(move)


def check_role(game: Game, role: str, error: type[AspgamesError] = BadRequest) -> None:
    """Raise the error if the game has no such role."""
    roles = game.vocabulary.roles
    if role not in roles:
        raise error(f"there is no role {quote(role)}; there are: {', '.join(roles)}")


def moves_by_role(state: State, move: AnyMove) -> Mapping[str, OneMove]:
    """The moves that the user names, by role. Raises ``BadMove`` and ``IllegalMove``."""
    if isinstance(move, Mapping):
        return move
    if _names_roles(move):
        return parse_joint(str(move))
    if (first := _first_able(state, move)) is not None:
        return {first: move}
    return {_mover(state, "give a move for each, as in ROLE=MOVE,ROLE=MOVE"): move}


def joint_of(state: State, move: AnyMove) -> dict[str, str]:
    """The term of every role's move: see ``State.joint``."""
    named = moves_by_role(state, move).items()
    joint = {role: legal_term(state, role, each) for role, each in named}
    if state.is_terminal:
        raise IllegalMove("the game is over")
    for role, moves in state.consequences.legal.items():
        if role not in joint:
            if len(moves) != 1:
                raise IllegalMove(f"say what {role} does: it has {len(moves)} moves")
            joint[role] = moves[0]
    return joint


def legal_term(state: State, role: str, move: OneMove) -> str:
    """The term of a role's legal move. Raises ``BadMove`` and ``IllegalMove``."""
    term = _term_of_role(state, role, move)
    if term not in state.consequences.playable(role):
        raise IllegalMove(_why_illegal(state, role, term))
    return term


def own_move(state: State, text: str) -> Move | None:
    """The move that a text means, if a net finds it quickly; else None.

    None also for a text that is no legal move: ``joint_of`` then says what is wrong.
    """
    game = state.game
    if (legal := state.own_moves()) is None:
        return None
    if short := game.short_moves:
        moves = short.read(text, legal, state.holds)
        if moves:
            return moves[0] if len(moves) == 1 else None
    if (term := game.term_in(text)) and (own := state.own_of(term)):
        return own
    moves = game.other_forms.read(text, legal)
    return moves[0] if len(moves) == 1 else None


def short_moves(state: State, role: str, text: str) -> list[str]:
    """The terms of a role's legal moves that a text such as ``Nf3`` or ``11x25`` may mean."""
    short, legal = state.game.short_moves, state.legal[role]
    found = short.read(text, legal, state.holds) if short else []
    return [move.term for move in found or state.game.other_forms.read(text, legal)]


def _short(state: State, role: str, text: str) -> str | None:
    """The term of a role's legal move that a short text means, or its form with a name, too.

    None without such a move. Raises ``BadMove`` if several moves are written so.
    """
    terms = short_moves(state, role, text)
    if not terms:
        forms, playable = state.game.vocabulary.notation, state.consequences.playable(role)
        names = sorted({name for term in playable for name in names_of(forms, term)})
        terms = [term for term in possible_terms(forms, text, names) if term in playable]
    if len(terms) > 1:
        message = " or ".join(map(state.move_text, terms))
        raise BadMove(f"{text!r} may be {message}: say which")
    return next(iter(terms), None)


def _is_short(state: State, move: AnyMove) -> bool:
    """Whether exactly one legal move of the side on move has another form such as ``Nf3``."""
    try:
        return isinstance(move, str) and bool(_short(state, state.to_move or "", move))
    except BadMove:  # several have it
        return False


def is_legal(state: State, move: AnyMove) -> bool:
    """Whether a move can be played: see ``State.is_legal``."""
    if not isinstance(move, Move | Mapping):
        check_text(move, "a move", BadMove)
    if state.to_move and not _names_roles(move):
        return state.others_wait and (move in state.legal_moves or _is_short(state, move))
    consequences = state.consequences
    try:
        named = moves_by_role(state, move).items()
        terms = {role: _term_of_role(state, role, each) for role, each in named}
    except (BadMove, IllegalMove):
        return False
    playable = {role: consequences.playable(role) for role in consequences.legal}
    return all(term in playable[role] for role, term in terms.items()) and all(
        role in terms or len(moves) == 1 for role, moves in playable.items()
    )


def squares_of(game: Game, move: OneMove) -> list[Square]:
    """The squares of a move or joint move.

    Raises ``BadMove`` if it names none, or if no position of the game has the move.
    """
    forms, board = game.vocabulary.notation, game.vocabulary.board
    given = moves_in(move) if isinstance(move, str) else [move]
    meant = {each: _meant(game, each) for each in given}
    by_name = board.by_coordinates if board and game.encoding.is_sheet else {}
    squares = [
        square
        for term, *_ in meant.values()
        for square in named_squares(forms, term) or squares_among(by_name, term)
    ]
    if not squares or not all(board and board.has(square) for square in squares):
        named = ", ".join(str(each) if more else one for each, (one, *more) in meant.items())
        raise BadMove(f"{named} names no squares of {game.name}, so it can't be shown")
    for each, terms in meant.items():
        if isinstance(each, str) and not game.explainer.is_possible(terms):
            text = format_move(forms, terms[0], ()) if len(terms) == 1 else each
            raise BadMove(f"{text} is legal in no position of {game.name}")
    return squares


def _meant(game: Game, move: OneMove) -> list[str]:
    """The terms that a move may mean; several only for a text without a name of its form."""
    forms, board = game.vocabulary.notation, game.vocabulary.board
    names = board.glyphs if board else ()
    more = possible_terms(forms, move, names) if isinstance(move, str) else []
    try:
        term = term_of(game, move)
    except BadMove:
        if not more:
            raise
        return more
    return [term, *more] if named_squares(forms, term) else more or [term]


def why(state: State, move: OneMove, role: str | None = None) -> Explanation:
    """Why a move is legal or not: see ``State.why``."""
    if isinstance(move, str) and is_joint(move):
        named = parse_joint(move)
        if role is None and len(named) == 1:
            (role,) = named
        if role not in named:
            raise BadRequest(f"say whose move is to be explained: {' or '.join(named)}")
        move = named[role]
    return next(why_moves(state, [move], role))


def why_moves(
    state: State, moves: Iterable[OneMove], role: str | None = None
) -> Iterator[Explanation]:
    """Why some moves of one role are legal or not: see ``State.why_moves``."""
    game, moves = state.game, list(moves)
    if role is None:
        named = {move.role for move in moves if isinstance(move, Move)}
        whose = "say whose move it is, as in ROLE=MOVE"
        role = named.pop() if len(named) == 1 else _mover(state, whose)
    check_role(game, role)
    terms = [
        term_of(game, move) if isinstance(move, Move) else _term_of_role(state, role, move, True)
        for move in moves
    ]
    if state.is_terminal:
        over = f"is not legal for {role}: the game is over"
        claims = [f"{state.move_text(term)} {over}" for term in terms]
        return (game.explainer.terminal(state.facts, claim) for claim in claims)
    playable = state.consequences.playable(role)
    for term in terms:
        if term not in playable and not _is_known(game, term):
            form = look_like(game.vocabulary.notation)
            raise UnknownMove(f"{term} is no move of {game.name}: {form}", term)
    given = {
        term: f"{state.move_text(term)} is {'' if term in playable else 'not '}legal for {role}"
        for term in terms
    }
    return game.explainer.legal(state.facts, role, given)


def why_next(state: State, joint: Mapping[str, str], fluent: str) -> Explanation:
    """Why a fluent holds or doesn't after a legal joint move: see ``State.why_next``."""
    facts = parse_facts(check_text(fluent, "a fluent", BadPosition))
    if len(facts) != 1:
        raise BadPosition(f"give one fluent, not {len(facts)}")
    (fluent,) = facts
    played = state.move_text(format_ply(joint, state.consequences.movers))
    holds = "holds" if fluent in state.after(joint).facts else "does not hold"
    return state.game.explainer.next(
        state.facts, f"after {played}, {fluent} {holds}", joint, fluent
    )


def _names_roles(move: AnyMove) -> bool:
    return isinstance(move, Mapping) or (isinstance(move, str) and is_joint(move))


def _term_of_role(state: State, role: str, move: OneMove, illegal: bool = False) -> str:
    """The term of a move; with ``illegal`` also that of a short move that isn't legal."""
    may_be_short = isinstance(move, str) and role in state.game.vocabulary.roles
    try:
        term = term_of(state.game, move)
        if may_be_short and term not in state.consequences.playable(role):
            short = _short(state, role, str(move))
            term = short or (term == move and _illegal_short(state, role, term, illegal)) or term
    except BadMove:
        text = str(move)
        term = _short(state, role, text) or "" if may_be_short else ""
        term = term or (may_be_short and _illegal_short(state, role, text, illegal)) or ""
        if not term:
            raise
    check_role(state.game, role, IllegalMove)
    if isinstance(move, Move) and move.role != role:
        check_role(state.game, move.role, IllegalMove)
        raise IllegalMove(f"{move} is a move of {move.role}, but {role} is on move")
    return term


def _illegal_short(state: State, role: str, text: str, illegal: bool) -> str | None:
    """The term of an illegal short move such as ``Nf3``; None if the text isn't one.

    Raises ``IllegalMove`` with the reason, unless the caller takes ``illegal`` moves.
    """
    short, vocabulary = state.game.short_moves, state.game.vocabulary
    if state.game.other_forms.names_column(text):
        raise IllegalMove(f"no move in column {text} is legal")
    if short is None:
        return None
    own = {s: content for s, content in state.occupied.items() if vocabulary.owner(content) == role}
    match short.why_illegal(text, own):
        case None:
            return None
        case (_, start, target):
            try:
                term = term_of(state.game, f"{square_name(start)}-{square_name(target)}")
            except BadMove:
                raise IllegalMove(f"{text} is not legal here") from None
            if illegal:
                return term
            reasons = "" if state.is_terminal else why(state, Move(role, term, ""), role).told
            told = f"{text} is not legal: {reasons}" if reasons else _why_illegal(state, role, term)
            raise IllegalMove(told)
        case reason:
            raise IllegalMove(reason)


def _first_able(state: State, move: OneMove) -> str | None:
    """In a forced ply, the first role that can make a move."""
    if state.to_move or not state.consequences.forced:
        return None
    term, legal = term_of(state.game, move), state.consequences.legal.items()
    able = [role for role, moves in legal if moves == (term,)]
    if isinstance(move, Move):
        able = [role for role in able if role == move.role]
    return next(iter(able), None)


def _mover(state: State, wanted: str) -> str:
    """The role that makes a move given without one; if several could, the error asks for it."""
    if state.to_move:
        return state.to_move
    if state.is_terminal:
        raise IllegalMove("the game is over")
    first, *others = state.consequences.movers
    if others:
        raise IllegalMove(f"several roles move at once here: {wanted}")
    return first


def _why_illegal(state: State, role: str, term: str) -> str:
    """Why a move isn't legal, in one line."""
    if state.is_terminal:
        return f"{state.move_text(term)} can't be played: the game is over"
    for other, moves in state.legal.items() if role == state.to_move else ():
        if other != role and any(move.term == term for move in moves):
            return f"{state.move_text(term)} is a move of {other}, but {role} is on move"
    return why(state, Move(role, term, ""), role).summary


def _is_known(game: Game, term: str) -> bool:
    """Whether the game may have a move: one that fits a form, or that some rule may derive."""
    forms = game.vocabulary.notation
    if count_squares(forms.get(term.partition("(")[0], "")):
        return first_square(forms, term) is not None
    return game.explainer.knows(term)
