"""A match: whose turn it is, what has been played, taking back, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import BadMove, BadRequest, IllegalMove
from ..move import Move
from ..puzzle.problem import Puzzle, others, turns_text
from ..state import State


@dataclass(frozen=True, slots=True)
class Point:
    """Where a match stands: a state, and what it took to come there."""

    state: State
    begun: int
    """The turns that a puzzle's attacker has begun, one under way included."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended."""

    reached: bool | None
    """Whether the puzzle's goal was reached; None for a game, which has none."""
    text: str
    """A sentence that says so."""


class Match:
    """One person against an opponent, who plays all other roles.

    The person plays out a puzzle, as its attacker or its defender, or a game to its end.
    """

    def __init__(
        self, start: State, person: str | None = None, puzzle: Puzzle | None = None
    ) -> None:
        """Begin. The person is the side on move, if not said otherwise.

        ``puzzle`` is one of this very state. Raises ``BadRequest`` where several roles move at
        once, or the game has one role or not that of the person.
        """
        roles = start.game.roles
        if len(roles) < 2:
            raise BadRequest(f"a match takes two sides, and {start.game.name} has one role")
        _refuse_at_once(start)
        person = person or start.to_move or roles[0]
        if person not in roles:
            raise BadRequest(f"you can play {' or '.join(roles)}, not {person!r}")
        self.person = person
        self.puzzle = puzzle
        self.points = [self._point(start, None)]
        """Where the match stood before each ply, and stands."""
        self.moves: list[Move] = []

    @property
    def point(self) -> Point:
        """Where the match stands."""
        return self.points[-1]

    @property
    def state(self) -> State:
        """The state that the match has come to."""
        return self.point.state

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None while it goes on."""
        return self._outcome(self.point)

    @property
    def persons_turn(self) -> bool:
        """Whether the person is to play."""
        return self.outcome is None and self.state.to_move == self.person

    @property
    def attacks(self) -> bool:
        """Whether the person has something to reach: a puzzle's goal, or else the game."""
        return self.puzzle is None or self.puzzle.attacker == self.person

    @property
    def lost(self) -> bool:
        """Whether the person has failed at the puzzle."""
        outcome = self.outcome
        return bool(outcome and outcome.reached is not None and outcome.reached != self.attacks)

    def left(self, point: Point) -> int | None:
        """The turns that the attacker may use from a point on, one under way included.

        None for any number, and for a game.
        """
        if self.puzzle is None or self.puzzle.within is None:
            return None
        return self.puzzle.within - point.begun + (point.state.to_move == self.puzzle.attacker)

    def play(self, text: str) -> list[Move]:
        """Play the person's move, or several between blanks: the plies of a turn; all or none.

        Raises ``BadMove`` and ``IllegalMove``.
        """
        points, moves = [self.point], list[Move]()
        for part in self._parts(text):
            state = points[-1].state
            if self._outcome(points[-1]) is not None:
                raise IllegalMove("the match is over ('undo' takes the last turn back)")
            if state.to_move != self.person:
                raise IllegalMove(f"{part}: it is {state.to_move}'s turn then")
            moves.append(_move(state, part))
            points.append(self._point(state.play(moves[-1]), points[-1]))
        self.points += points[1:]
        self.moves += moves
        return moves

    def reply(self, term: str) -> Move:
        """Play the move of the opponent, which must be on move. Raises ``IllegalMove``."""
        move = _move(self.state, term)
        self.points.append(self._point(self.state.play(move), self.point))
        self.moves.append(move)
        return move

    def undo(self) -> int:
        """Go back to where the person played last; returns how many plies that took.

        Raises ``BadRequest`` if the person hasn't played.
        """
        own = [ply for ply, move in enumerate(self.moves) if move.role == self.person]
        if not own:
            raise BadRequest("there is nothing to undo")
        taken = len(self.moves) - own[-1]
        del self.points[own[-1] + 1 :], self.moves[own[-1] :]
        return taken

    def _parts(self, text: str) -> list[str]:
        """The moves of a line; a term may have blanks in it."""
        try:
            self.state.game.parse_move(text)
        except BadMove:
            return text.split()
        return [text]

    def _point(self, state: State, before: Point | None) -> Point:
        if not state.is_terminal:
            _refuse_at_once(state)
        begun = before.begun if before else 0
        if self.puzzle and self._ending(state) is None:
            attacker = self.puzzle.attacker
            went_on = before is not None and before.state.to_move == attacker
            begun += state.to_move == attacker and not went_on
        return Point(state, begun)

    def _outcome(self, point: Point) -> Outcome | None:
        ending = self._ending(point.state)
        puzzle = self.puzzle
        if puzzle is None:
            return None if ending is None else Outcome(None, ending[1])
        if ending is not None:
            reached, reason = ending
            text = f"{puzzle.attacker} has reached {puzzle.goal.text} in {turns_text(point.begun)}."
            return Outcome(reached, text if reached else f"{self._missed}: {reason}")
        if puzzle.within is not None and point.begun > puzzle.within:
            return Outcome(False, f"{self._missed} within {turns_text(puzzle.within)}.")
        return None

    @property
    def _missed(self) -> str:
        assert self.puzzle is not None
        return f"{self.puzzle.attacker} has not reached {self.puzzle.goal.text}"

    def _ending(self, state: State) -> tuple[bool, str] | None:
        """Whether a state has the goal, and why nothing follows; None where play goes on."""
        if self.puzzle and self.puzzle.goal.holds(state.consequences, self.puzzle.attacker):
            return True, ""
        if state.is_terminal:
            return False, f"{state.status}."
        if not state.legal_moves:
            return False, f"{state.to_move} has no move."
        return None


def _move(state: State, text: str) -> Move:
    term = state.game.parse_move(text)
    return Move(state.to_move or "", term, state.move_text(term))


def _refuse_at_once(state: State) -> None:
    """Raise ``BadRequest`` where more than one role has something to choose."""
    consequences = state.consequences
    waiting = others(state.game.roles, state.to_move)
    at_once = state.to_move is None or not all(map(consequences.waits, waiting))
    if at_once and not state.is_terminal:
        raise BadRequest(f"in {state.game.name} several roles move at once; a match takes turns")
