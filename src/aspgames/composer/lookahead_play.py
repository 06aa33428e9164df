"""The play of a problem by rules of reference: any stipulation, searched move by move."""

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from ..game.board import parse_square
from ..game.state import State
from ..puzzle.problem import Puzzle
from ..runtime.budget import Budget
from ..runtime.errors import BadRequest
from .judgement import with_other_side
from .lookahead import Lookahead, Place
from .problem_play import Line, ProblemPlay

STIPULATION = re.compile(
    r"(?:exact-(?=h[sr]))?(ser-)?(semi-r|hs|hr|h|s|r|)(#=|==|!=|#|=|~|x|\+|00|ep|c81|ct|<>|z[a-h][1-8]|dia|a=>b)"
    r"([0-9]{1,2})(\.[05])?"
)
"""The stipulations that are solved with rules of reference."""


_STATED = ("c81", "ct", "<>")
"""Goals that a fact of the state shows."""


def shown_sign(goal: str) -> str:
    """The sign after a move that reaches a goal; none for goals that the move shows itself."""
    return (
        "" if goal in ("~", "+", "00", "ep", "ct", "<>") else goal[:1] if goal[:1] in "zx" else goal
    )


_Path = tuple[tuple[int, Place], ...]


@dataclass(frozen=True)
class Task:
    """What a stipulation asks for."""

    series: bool
    kind: str
    """``s``, ``r`` and so on at the end of the play; ``h`` where both sides help to the end."""
    helped: bool
    goal: str
    plies: int
    """The plies of help play or of the series; 0 in play against the other side."""
    turns: int
    """The attacker's turns in play against the other side."""

    @staticmethod
    def read(text: str) -> "Task":
        """Read a stipulation. Raises ``BadRequest`` for others."""
        found = STIPULATION.fullmatch(text)
        if found is None:
            raise BadRequest(f"{text!r} is no stipulation here")
        series, kind, goal, number, half = found.groups()
        turns, waits = int(number), half == ".5"
        helped = kind.startswith("h") or goal in ("dia", "a=>b")
        if series:
            end = kind.removeprefix("h")
            if kind.startswith("h") and end:
                raise BadRequest(f"{text!r} isn't solved here")
            return Task(True, kind, helped, goal, turns + (kind == "h"), 0)
        if kind in ("hs", "hr"):
            return Task(False, kind[1:], True, goal, 2 * turns - 1 + waits, 0)
        if helped:
            return Task(False, "h", True, goal, 2 * turns + waits, 0)
        return Task(False, kind, False, goal, 0, turns)


class LookaheadPlay(ProblemPlay):
    """The play of a problem by rules of reference."""

    def __init__(
        self,
        state: State,
        task: Task,
        budget: Budget,
        no_threats: bool,
        end: Sequence[str] = (),
        *,
        after_key: bool = False,
        options: Mapping[str, str] | None = None,
    ) -> None:
        """``end`` has the cells at the end of a proof game.

        With ``after_key``, the defender is on move. Of Popeye's ``options`` these count:
        ``quodlibet`` (the attacker may reach the goal himself), ``threat``, ``nontrivial``, and
        ``startmovenumber`` and ``uptomovenumber`` for the first move.

        Raises ``RulesError`` and ``LimitReached``.
        """
        self.task, self._budget, self._no_threats = task, budget, no_threats
        self._game = state.game
        self._other = with_other_side(state)
        states = [each for each in (state, self._other) if each]
        given = options or {}
        self._quodlibet = "quodlibet" in given
        self._threat = int(given.get("threat") or 1000)
        self._spare, self._trivial = map(int, (given.get("nontrivial") or "0 1000").split())
        self._look = Lookahead(state.game, states, budget)
        self._first = self._look.at(state)
        if {"startmovenumber", "uptomovenumber"} & given.keys():
            first, last = (
                int(given.get(each) or 0) for each in ("startmovenumber", "uptomovenumber")
            )
            self._first = self._look.limited(self._first, max(first, 1), last or None)
        self._end = self._look.pattern(end) if end else None
        mover = state.to_move or ""
        self.puzzle = Puzzle.read(state, mover, "win", None)
        late = task.helped and not task.series and task.plies % 2 == 0
        self._attacker = self._look.roles.index(mover) ^ late ^ after_key
        self._known: dict[Hashable, bool] = {}
        self._failed: set[tuple[bytes, int]] = set()
        self._places: dict[int, tuple[State, Place]] = {}
        self._goals: dict[int, State] = {}
        self.root = self._shown(self._first)

    # --- what is shown ----------------------------------------------------------------------------

    def _shown(self, place: Place, reached: bool = False) -> State:
        moves = self._look.net_moves
        state = State.made(self._game, None, moves, place.row)
        self._places[id(state)] = state, place
        if reached:
            self._goals[id(state)] = state
        return state

    def _place(self, state: State) -> Place:
        return self._places[id(state)][1]

    @property
    def passed_root(self) -> State | None:
        """The problem's position with the other side on move; None if there is none."""
        turned = self._look.turned(self._first)
        return self._shown(turned) if self._look.is_lawful(turned) else None

    def children(self, state: State) -> Iterator[tuple[str, State]]:
        """The moves of a state as terms, each with the state after it."""
        if self.reached(state):
            return
        place = self._place(state)
        for move, after in self._choices(place):
            reached = self._ends(place, move, after)
            yield self._look.parts[move].term, self._shown(after, reached)

    def name(self, term: str) -> str:
        """The move without a capture where it ends: with and without it, a threat is the same."""
        term = re.sub(r"joins\(\d,\d\)", "joins", term)  # wherever the partner stands
        x, y, u, v, p, q, what = f"{term},,,,,,".split(",", 6)
        return ",".join((x, y, u, v, *((p, q) if (p, q) not in (("0", "0"), (u, v)) else ()), what))

    def series_set_play(self) -> list[Line]:
        """What reaches the goal at once if the side that makes no series is on move."""
        start = self.passed_root
        if start is None or self.task.kind not in ("h", "r", "s"):
            return []
        moves = self._choices(self._place(start))
        found = [one for one in moves if self._goal(*one)]
        if self.task.kind == "s" and len(found) < len(moves):
            return []  # no move is forced
        return [
            ((self._look.parts[move].term, self._shown(after, reached=True)),)
            for move, after in found
        ]

    def obliged(self) -> Sequence[tuple[str, State]]:
        """The attacker's first moves that reach the goal: in reflex play, one must be played."""
        if self.task.kind != "r" or self._first.mover != self._attacker:
            return ()
        return [
            (self._look.parts[move].term, self._shown(after, reached=True))
            for move, after in self._choices(self._first)
            if self._goal(move, after)
        ]

    def reached(self, state: State) -> bool:
        """Whether the goal is reached."""
        return id(state) in self._goals

    def mated(self, state: State) -> bool:
        """Whether the side on move is mated."""
        return self._look.mated(self._place(state))

    def attacks(self, state: State) -> bool:
        """Whether the attacker is on move, and the goal isn't reached."""
        return self._place(state).mover == self._attacker and not self.reached(state)

    def checked(self, state: State) -> bool:  # type: ignore[override]
        """Whether the side on move is in check."""
        return self._place(state).checked

    def passed(self, state: State) -> State | None:
        """A state after a null move; None in check, or if the net doesn't know it."""
        place = self._place(state)
        turned = self._look.turned(place)
        lawful = not place.checked and self._look.is_lawful(turned)
        return self._shown(turned) if lawful else None

    def forced(self, state: State, turns: int) -> bool:
        """Whether the attacker forces the goal within so many turns."""
        if self.reached(state) or turns < 0:
            return self.reached(state)
        place = self._place(state)
        return self._forced(place, turns + (place.mover == self._attacker))

    def lines(self, state: State, plies: int, most: int) -> Iterator[Line]:
        """All lines to the goal if both sides help.

        Before play against the other side, the last move is a key; in series, what reaches the
        goal follows.
        """
        for path in islice(self._paths(self._place(state), plies), most):
            last = self.task.kind in ("h", "")  # whether the last move reaches the goal
            line: list[tuple[str, State]] = []
            for number, (move, after) in enumerate(path, start=1):
                shown = self._shown(after, last and number == len(path))
                line.append((self._look.parts[move].term, shown))
                if self.task.series and number < len(path) - (self.task.kind == "h"):
                    line.append(("pass", self._shown(self._look.turned(after))))
            if not last:
                for move, after in self._choices(path[-1][1]):
                    if self._goal(move, after):
                        term = self._look.parts[move].term
                        yield (*line, (term, self._shown(after, reached=True)))
            else:
                yield tuple(line)

    # --- the search -------------------------------------------------------------------------------

    @property
    def _winner(self) -> int:
        """The side that reaches the goal in play against the other side."""
        selfplay = self.task.kind in ("s", "r", "semi-r")
        return 1 - self._attacker if selfplay else self._attacker

    def _obliged(self, mover: int) -> bool:
        return self.task.kind == "r" or (self.task.kind == "semi-r" and mover != self._attacker)

    def _choices(self, place: Place) -> list[tuple[int, Place]]:
        """The moves of a place; in reflex play, only those that reach the goal if there are any."""
        found = self._look.allowed(place)
        if not self._obliged(place.mover):
            return found
        return [one for one in found if self._goal(*one)] or found

    def _forced(self, place: Place, turns: int) -> bool:
        """Whether the attacker, who begins so many turns from here, forces the goal."""
        mine = place.mover == self._attacker
        if mine and not turns:
            return False
        if not mine and turns >= self._threat and not place.checked:
            passed = self._look.turned(place)
            if not (self._look.is_lawful(passed) and self._forced(passed, self._threat)):
                return False
        spare = self._spare
        if not mine and turns > self._trivial:
            self._spare += 1 - self._nontrivial(place)
        found = self._spare >= 0 and self._settled(
            (turns, place.row, place.mover, self._spare, place is self._first),
            place,
            mine,
            lambda move, after: self._wins(place, move, after, turns - mine),
        )
        self._spare = spare
        return found

    def _nontrivial(self, place: Place) -> int:
        """The number of the defender's moves that the attacker doesn't answer at once.

        At once means within the second number of the option ``nontrivial``, and one move more if
        he reaches the goal himself. No more are counted than are allowed, and one.
        """
        turns = self._trivial + (self._winner == self._attacker)
        found = (one for one in self._choices(place) if not self._wins(place, *one, turns))
        return sum(1 for _ in islice(found, self._spare + 2))

    def _settled(
        self, key: Hashable, place: Place, attacks: bool, wins: Callable[[int, Place], bool]
    ) -> bool:
        """Whether one of the attacker's moves wins, or each of the defender's, if there are any."""
        found = self._known.get(key)
        if found is None:
            children = self._choices(place)
            outcomes = (wins(*child) for child in children)
            found = any(outcomes) if attacks else bool(children) and all(outcomes)
            self._known[key] = found
        return found

    def _wins(self, before: Place, move: int, place: Place, turns: int) -> bool:
        if self._ends(before, move, place):
            return True
        if self._obliged(before.mover) and self._goal(move, place):
            return False
        return self._forced(place, turns)

    def _ends(self, before: Place, move: int, place: Place) -> bool:
        """Whether a move reaches what the attacker plays for."""
        reaches = self._quodlibet or before.mover == self._winner
        return reaches and self._goal(move, place)

    def _goal(self, move: int, place: Place) -> bool:
        return self._is_goal(self.task.goal, move, place)

    def _is_goal(self, goal: str, move: int, place: Place) -> bool:
        look = self._look
        if goal == "#":
            return look.mated(place)
        if move < 0:  # nothing was played
            return goal == "+" and place.checked
        parts = look.parts[move]
        if goal == "!=":
            place = look.turned(place)
        if goal in ("=", "!="):
            return not place.checked and look.stuck(place)
        if goal == "#=":
            return look.stuck(place)
        if goal == "==":
            return not place.checked and look.stuck(place) and look.stuck(look.turned(place))
        if goal[0] == "z":
            return parts.exit == parse_square(goal[1:]) and look.stands(parts.exit, place)
        if goal in _STATED:
            return look.holds("reached", place)
        if goal in ("dia", "a=>b"):
            return self._end is not None and self._missing(place) == 0
        tests = {
            "~": True,
            "x": parts.taken[0] > 0,
            "+": place.checked,
            "00": parts.castles,
            "ep": parts.taken[0] > 0 and parts.taken != parts.end,
        }
        return tests[goal]

    def _missing(self, place: Place) -> int:
        """The cells of a proof game's end that aren't there; -1 if only others are there, too."""
        mask, bits = self._end or (0, 0)
        row = int.from_bytes(place.row, "little") & mask
        return -1 if row != bits and not bits & ~row else (bits & ~row).bit_count()

    def _paths(self, place: Place, plies: int) -> Iterator[_Path]:
        """All lines of help play or of a series, of exactly so many plies before ``turns``."""
        key = place.row, plies
        if key in self._failed or (self._end and self._missing(place) > 2 * plies):
            return
        found = False
        for move, after in self._choices(place):
            for rest in self._rests(move, after, plies - 1):
                found = True
                yield ((move, after), *rest)
        if not found and place is not self._first:  # its moves may be limited
            self._failed.add(key)

    def _rests(self, move: int, after: Place, left: int) -> Iterator[_Path]:
        task, look = self.task, self._look
        if left == 0:
            if task.kind in ("s", "r", "semi-r"):
                if self._forced(after, 0) and not (task.kind == "r" and self._goal(move, after)):
                    yield ()
            elif self._goal(move, after):
                yield ()
            return
        selfplay = task.kind in ("s", "r", "semi-r") and (task.series or left % 2 == 0)
        if selfplay and self._forced(after, 0):
            return  # the play ends
        reaches = task.kind == "" if task.series else task.kind == "h" and left % 2 == 0
        if reaches and task.goal not in ("dia", "a=>b") and self._goal(move, after):
            return  # the play ends
        if not task.series or (task.kind == "h" and left == 1):
            yield from self._paths(after, left)
        elif not after.checked:
            turned = look.turned(after)
            if look.is_lawful(turned):
                yield from self._paths(turned, left)
