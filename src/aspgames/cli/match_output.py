"""The output of a match: sentences and boards, or one JSON event a line."""

from __future__ import annotations

from collections.abc import Iterable

from ..agents.match.match import Match
from ..agents.match.ply import Ply
from ..game.notation.move_text import named_squares
from ..puzzle.problem import turns_text
from .output import print_json, print_position, print_text


class MatchOutput:
    """Prints events: as text, or as JSON lines."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json

    def event(self, name: str, text: str | None = None, /, **fields: object) -> None:
        """Print an event: its text for people, if any, or its fields as JSON."""
        if not self.as_json:
            if text is not None:
                print_text(text)
        else:
            told = {"event": name, **fields}
            print_json(told if text is None else told | {"text": text})

    def board(self, match: Match, plies: Iterable[Ply] = ()) -> None:
        """Show the position, with the squares of some plies marked; not as JSON.

        In a puzzle, the attacker's remaining turns are below it.
        """
        if self.as_json:
            return
        state = match.state
        forms = state.game.vocabulary.notation
        print_text("")
        moves = [move for ply in plies for move in ply.moves]
        marked = [s for move in moves for s in named_squares(forms, move.term)]
        print_position(state, match.written, marked)
        left = match.left(match.point)
        if match.puzzle and left is not None and match.outcome is None:
            attacker = match.written.text(match.puzzle.attacker)
            print_text(f"{attacker} has {turns_text(left)} left")
        print_text("")
