"""A match: turns, moves, undo, and the outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...game.move import Move
from ...game.notation.joint_moves import format_ply, is_joint, parse_joint
from ...game.notation.notations import Notation, notation, status
from ...game.state import State
from ...game.view import View, view_of
from ...play.game_record import Record
from ...puzzle.problem import Puzzle
from ...puzzle.question import turns_text
from ...runtime.errors import BadRequest, IllegalMove


@dataclass(frozen=True, slots=True)
class Ply:
    """The moves of the roles that had a choice, in the order of the roles."""

    moves: tuple[Move, ...]

    @property
    def role(self) -> str | None:
        """The role that moved; None if several roles did."""
        return self.moves[0].role if len(self.moves) == 1 else None

    @property
    def term(self) -> str:
        """The ply as terms: ``move(1,2,1,3)``, or ``white=rock,black=paper``."""
        return format_ply({move.role: move.term for move in self.moves}, self._roles)

    @property
    def text(self) -> str:
        """The ply in the encoding's own move texts."""
        return format_ply({move.role: move.text for move in self.moves}, self._roles)

    def text_in(self, written: Notation) -> str:
        """The ply in a notation."""
        return self.text if written.has_boards else written.joint_text(self.term)

    @property
    def _roles(self) -> tuple[str, ...]:
        return tuple(move.role for move in self.moves)


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a match: a state, and the attacker's turns before it."""

    state: State
    begun: int
    """The number of turns that a puzzle's attacker has begun."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended."""

    reached: bool | None
    """Whether the puzzle's goal was reached; None for a game."""
    text: str
    """The outcome as a sentence."""


class Match:
    """Persons at one prompt against an opponent, who plays all other roles.

    One person plays a puzzle, as its attacker or its defender. One or several persons play a game
    to its end. If several roles choose at the same time, the match keeps each person's choice
    until all have chosen.
    """

    def __init__(
        self,
        start: State,
        persons: Sequence[str] = (),
        puzzle: Puzzle | None = None,
        written: Notation | None = None,
    ) -> None:
        """Begin a match; by default the person plays the side on move, and moves are terms.

        Raises ``BadRequest`` if a role doesn't exist or several persons play a puzzle, and
        ``RulesError`` for a puzzle with chance or hidden information. With hidden information there
        is one person, who sees its own moves and percepts only.
        """
        start.game.refuse_unsupported(chance=puzzle is None, hidden=puzzle is None)
        self.written = written or notation(start.game, "lp")
        roles = start.game.roles
        players = start.game.players
        for person in persons:
            if person not in players:
                names = " or ".join(map(self.written.text, players))
                raise BadRequest(f"you can play {names}, not {person!r}")
        movers = (start.to_move or start.consequences.movers[0], *players)
        first = next(role for role in movers if role in players)
        self.persons = tuple(role for role in roles if role in (persons or (first,)))
        self.others = tuple(role for role in roles if role not in self.persons)
        """The roles of the opponent."""
        if start.game.hidden and len(self.persons) > 1:
            raise BadRequest("with hidden information one person plays: all see the screen")
        if puzzle and len(self.persons) > 1:
            raise BadRequest("a puzzle is played by one person, as its attacker or its defender")
        self.puzzle = puzzle
        self.points = [self._point(start, None)]
        """The points before each ply, and the current one."""
        self.moves: list[Ply] = []
        self._seen: list[dict[str, tuple[str, tuple[str, ...]]]] = []
        """Each role's own move and percepts in each ply, with hidden information."""
        self._chosen: dict[str, Move] = {}

    @property
    def point(self) -> Point:
        """The current point."""
        return self.points[-1]

    @property
    def state(self) -> State:
        """The current state."""
        return self.point.state

    def known(self, role: str | None = None, ply: int | None = None) -> View | State:
        """What a role, by default the first person, knows after some plies.

        This is the state, or a view with hidden information.
        """
        end = len(self.moves) if ply is None else ply
        if not self.state.game.hidden:
            return self.points[end].state
        name = role or self.persons[0]
        return view_of(self.points[0].state, name, tuple(seen[name] for seen in self._seen[:end]))

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None while it goes on."""
        return self._outcome(self.point)

    @property
    def asked(self) -> str | None:
        """The person who chooses now; None if it is the opponent's turn or the match is over."""
        if self.outcome is not None:
            return None
        movers = self.state.consequences.movers
        return next((r for r in movers if r in self.persons and r not in self._chosen), None)

    @property
    def person(self) -> str:
        """The person who chooses now, or else the first person."""
        return self.asked or self.persons[0]

    @property
    def choices(self) -> Sequence[Move]:
        """The moves that the person who chooses knows to be legal."""
        if self.asked is None:
            return ()
        known = self.known(self.asked)
        return known.legal_moves if isinstance(known, View) else known.legal[self.asked]

    @property
    def chosen(self) -> tuple[str, ...]:
        """The persons who have chosen while others have not."""
        return tuple(self._chosen)

    @property
    def hidden(self) -> bool:
        """Whether choices are secret, since several persons choose at the same time."""
        asked = [role for role in self.state.consequences.movers if role in self.persons]
        return self.asked is not None and len(asked) > 1

    @property
    def awaited(self) -> tuple[str, ...]:
        """The opponent's roles that choose in this ply."""
        return tuple(r for r in self.state.consequences.movers if r not in self.persons)

    @property
    def attacks(self) -> bool:
        """Whether the person is a puzzle's attacker; always true in a game."""
        return self.puzzle is None or self.puzzle.attacker == self.person

    @property
    def lost(self) -> bool:
        """Whether the person has failed at the puzzle."""
        outcome = self.outcome
        return bool(outcome and outcome.reached is not None and outcome.reached != self.attacks)

    def left(self, point: Point) -> int | None:
        """The attacker's remaining turns at a point, the current one included.

        None without a limit, and for a game.
        """
        if self.puzzle is None or self.puzzle.within is None:
            return None
        return self.puzzle.within - point.begun + (point.state.to_move == self.puzzle.attacker)

    def play(self, text: str) -> list[Ply]:
        """Play a person's move, or all moves of a turn, separated by blanks; returns the plies.

        If several persons choose at the same time, ``text`` is the move of ``asked``, or a joint
        move; no ply is played before the last of them has chosen. After an error nothing is played.
        Raises ``BadMove`` for a malformed text, and ``IllegalMove``.
        """
        before, chosen = len(self.moves), dict(self._chosen)
        parts = self.written.moves(text)
        if self.state.game.hidden and len(parts) > 1:
            raise IllegalMove("give one move: with hidden information you don't know what follows")
        try:
            for part in parts:
                self._choose(part)
        except BaseException:
            self._go_back(before)
            self._chosen = chosen
            raise
        return self.moves[before:]

    def go_on_from(self, record: Record) -> None:
        """Replay a record at the start of the match. Raises the same as ``Record.replay``.

        Raises ``BadRequest`` if the match is over before the record's last ply.
        """
        record.replay(self.state.game)
        for ply, move in enumerate(record.moves, start=1):
            if self.outcome is not None:
                raise BadRequest(f"ply {ply}, {move}: the match is over by then")
            joint = self.state.joint(move)
            self._go_on({role: self.state.legal_move(role, term) for role, term in joint.items()})

    def _choose(self, text: str) -> None:
        """Store one person's choice; play the ply when it is complete."""
        asked, state = self.asked, self.state
        if self.outcome is not None:
            raise IllegalMove("the match is over ('undo' takes the last turn back)")
        if asked is None:
            mover = state.to_move and self.written.text(state.to_move)
            whose = f"it is {mover}'s turn then" if mover else "others move then"
            raise IllegalMove(f"{self.written.joint_text(text)}: {whose}")
        for role, move in (parse_joint(text) if is_joint(text) else {asked: text}).items():
            if role in self.others or role in self._chosen:
                raise IllegalMove(
                    f"{self.written.text(role)} "
                    f"{'is not yours' if role in self.others else 'has chosen already'}"
                )
            try:
                self._chosen[role] = state.legal_move(role, move)
                if isinstance(known := self.known(role), View):
                    known.legal_move(self._chosen[role])
            except IllegalMove:
                if not state.game.hidden:
                    raise
                name = self.written.text(role)  # the reason might tell what is hidden
                raise IllegalMove(
                    f"{name} doesn't know that {self.written.joint_text(move)} is legal"
                ) from None
        if all(role in self._chosen for role in state.consequences.movers):
            self._go_on(self._chosen)

    def reply(self, text: str) -> Ply:
        """Play the opponent's move, or the joint move of its roles.

        Persons must choose first. Raises ``IllegalMove``.
        """
        named = parse_joint(text) if is_joint(text) else {self.awaited[0]: text}
        moves = {role: self.state.legal_move(role, move) for role, move in named.items()}
        return self._go_on(self._chosen | moves)

    def _go_on(self, joint: Mapping[str, Move]) -> Ply:
        state = self.state
        ply = Ply(tuple(joint[role] for role in state.consequences.movers))
        if state.game.hidden:
            terms, sees = state.joint(joint), state.sees(joint)
            self._seen.append({role: (terms[role], sees[role]) for role in sees})
        self.points.append(self._point(state.play(joint), self.point))
        self.moves.append(ply)
        self._chosen = {}
        return ply

    def _go_back(self, ply: int) -> None:
        del self.points[ply + 1 :], self.moves[ply:], self._seen[ply:]
        self._chosen = {}

    def undo(self) -> int:
        """Go back to before a person's last ply; returns the number of plies taken back.

        If persons have begun to choose, only their choices are taken back, and the result is 0.
        Raises ``BadRequest`` if no person has played.
        """
        if self._chosen:
            self._chosen = {}
            return 0
        own = [
            number
            for number, ply in enumerate(self.moves)
            if any(move.role in self.persons for move in ply.moves)
        ]
        if not own:
            raise BadRequest("there is nothing to undo")
        taken = len(self.moves) - own[-1]
        self._go_back(own[-1])
        return taken

    def _point(self, state: State, before: Point | None) -> Point:
        begun = before.begun if before else 0
        if self.puzzle and self._ending(state) is None:
            rules = state.consequences
            if rules.movers != (state.to_move,) and not rules.forced:
                name = state.game.name
                raise BadRequest(f"in {name} several roles move at once; a puzzle takes turns")
            attacker = self.puzzle.attacker
            attacked = before is not None and before.state.to_move == attacker
            begun += self.puzzle.begins_turn(attacked, state.to_move == attacker)
        return Point(state, begun)

    def _outcome(self, point: Point) -> Outcome | None:
        ending = self._ending(point.state)
        puzzle = self.puzzle
        if puzzle is None:
            return None if ending is None else Outcome(None, ending[1])
        attacker = self.written.text(puzzle.attacker)
        done = puzzle.goal.words(self.written.text(puzzle.defender or "")).done
        if ending is not None:
            reached, reason = ending
            text = f"{attacker} has {done} in {turns_text(point.begun)}."
            return Outcome(reached, text if reached else f"{attacker} has not {done}: {reason}")
        if puzzle.within is not None and point.begun > puzzle.within:
            return Outcome(False, f"{attacker} has not {done}{puzzle.limit}.")
        return None

    def _ending(self, state: State) -> tuple[bool, str] | None:
        """Whether the goal is reached, and why play ends; None while play goes on."""
        if self.puzzle and self.puzzle.goal.holds(state.consequences, self.puzzle.attacker):
            return True, ""
        if state.is_terminal:
            return False, f"{status(state, self.written)}."
        stuck = [role for role, moves in state.consequences.legal.items() if not moves]
        if stuck:
            first = state.to_move if state.to_move in stuck else stuck[0]
            return False, f"{self.written.text(first)} has no move."
        return None
