"""Recorded games as questions, position by position."""

from __future__ import annotations

from collections.abc import Iterator

from ...game.game import Game, State
from ...game.notation.joint_moves import format_ply
from ...play.game_record import Record
from ..engines.engine import Engine, Question, Turn, asked


def questions_of(record: Record, game: Game, engine: Engine) -> list[Question]:
    """The questions about the positions of a recorded game.

    Raises:
        BadRequest: The record doesn't fit the game.
        IllegalMove: A recorded move is illegal.
    """
    states = record.replay(game)
    start = states[0]
    made = start != game.initial
    found = [asked(game, start.facts, made=made)]
    before, turns = start, tuple[Turn, ...]()
    for turn, after in _turns(record, states, engine.whole_turns):
        if engine.sets_up:
            found.append(Question(game, before.facts, (turn,), after.facts, made))
        else:
            turns = (*turns, turn)
            found.append(Question(game, start.facts, turns, after.facts, made))
        before = after
    return found


def _turns(record: Record, states: tuple[State, ...], whole: bool) -> Iterator[tuple[Turn, State]]:
    """The plies or whole turns of a record, each with the state after it."""
    turn: Turn = ()
    for move, before, after in zip(record.moves, states, states[1:], strict=False):
        turn = (*turn, format_ply(before.joint(move), before.consequences.movers))
        if not whole or after.to_move != before.to_move or after.is_terminal:
            yield turn, after
            turn = ()
