"""The play of a chess problem: keys, tries, threats, variations, and lines of help play.

A number of turns is the number that the attacker may still begin, as in ``Position``. All methods
that search raise ``Undecided`` and ``LimitReached``.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from ..game.state import State
from ..gdl.rules import Facts
from ..propnet.net import Net
from ..propnet.single_state import Single
from ..puzzle.problem import Puzzle
from ..puzzle.solved import Position
from ..runtime.budget import MOST_RULES, Budget
from ..solver.planner.cooperative_search import HelpLines
from .bounded_search import BoundedSearch
from .judgement import with_other_side

CHECKED = "goal(R,1) :- to_move(R), checked, not terminal.\n#defined checked/0.\n"
"""The rule that shows checks: the side on move has the goal value 1."""

_WIDEST = 200_000_000  # states evaluated in the search for a shortest line

Line = tuple[tuple[str, State], ...]
"""Moves as terms, each with the state after it."""


@dataclass(frozen=True)
class Reply:
    """A defender's move with the attacker's moves that force the goal soonest."""

    term: str
    after: State
    answers: "tuple[Attack, ...]"


@dataclass(frozen=True)
class Attack:
    """An attacker's move with the play after it."""

    term: str
    after: State
    threats: "tuple[Attack, ...] | None"
    """None where the defender can't pass, as in check; none in zugzwang."""
    replies: tuple[Reply, ...]
    refutations: tuple[tuple[str, State], ...] = ()
    """The defender's moves that refute a try."""


class ProblemPlay:
    """The play of one problem, on one net."""

    shows_early = False
    """Whether the defender's replies that reach the goal at once are shown beside others."""

    def __init__(self, puzzle: Puzzle, budget: Budget, effort: int, no_threats: bool) -> None:
        """``puzzle`` is of rules with ``CHECKED``; ``no_threats`` shows all variations.

        Raises ``RulesError`` and ``LimitReached``.
        """
        self.puzzle, self._budget, self._no_threats = puzzle, budget, no_threats
        self._game = puzzle.state.game
        self._other = with_other_side(puzzle.state)
        states = [state.facts for state in (puzzle.state, self._other) if state]
        self._net, single = self._game.nets.stored(states) or self._own_net(states)
        self._moves = self._game.moves_of(single)
        self._ask = BoundedSearch(puzzle, self._net, effort, deep=True)
        self._positions: dict[Facts, Position] = {}
        self._help: dict[Facts, HelpLines] = {}
        self.root = self._at(puzzle.state.facts)

    def _own_net(self, states: Sequence[Facts]) -> tuple[Net, Single]:
        """The net of the states that play reaches from some."""
        from ..propnet.reachable_nets import net_of_all  # imports clingo

        net = net_of_all(self._game.rules, states, MOST_RULES, remembers=True)
        return net, Single(net.tables())

    def _at(self, facts: Facts) -> State:
        row = self._moves.net.tables.row(facts)
        return State.made(self._game, facts, None if row is None else self._moves, row or b"")

    @cached_property
    def passed_root(self) -> State | None:
        """The problem's position with the other side on move; None if there is none."""
        return self._at(self._other.facts) if self._other else None

    def children(self, state: State) -> Iterator[tuple[str, State]]:
        """The moves of a state as terms, each with the state after it."""
        for move in () if state.is_terminal else state.legal_moves:
            after = state.after_own(move)
            if after is not None:
                yield move.term, after

    def position(self, state: State) -> Position:
        """A state as the search knows it."""
        if state.facts not in self._positions:
            self._positions[state.facts] = self._ask.at(state.facts, self._budget)
        return self._positions[state.facts]

    def reached(self, state: State) -> bool:
        """Whether the goal is reached."""
        return self.position(state).goal_reached

    def sign(self, state: State, goal: str) -> str:
        """The sign of a goal, if a move to this state has reached it."""
        return goal if self.reached(state) else ""

    def attacks(self, state: State) -> bool:
        """Whether the attacker is on move, and the goal isn't reached."""
        return state.to_move == self.puzzle.attacker and not self.reached(state)

    def forced(self, state: State, turns: int) -> bool:
        """Whether the attacker forces the goal within so many turns."""
        return turns >= 0 and self._ask(self.position(state), turns)

    @staticmethod
    def checked(state: State) -> bool:
        """Whether the side on move is in check."""
        return not state.is_terminal and state.goals.get(state.to_move or "") == 1

    def passed(self, state: State) -> State | None:
        """A state after a null move; None in check, or if the net doesn't know it."""
        if self._other is None or state.is_terminal or self.checked(state):
            return None
        # Back again, there is nothing to capture en passant.
        back = with_other_side(self._other) or self.puzzle.state
        sides = {*back.facts} ^ {*self._other.facts}
        ours = [fact for fact in state.facts if fact in sides]
        if not ours:
            return None
        facts = tuple(sorted({*state.facts, *(sides - {*ours})} - {*ours}))
        if self._moves.net.tables.row(facts) is None or not self._ask.knows(facts):
            return None
        found = self._at(facts)
        return found if found.to_move != state.to_move else None

    def name(self, term: str) -> str:
        """What a threat and a move after a reply have in common if they are the same."""
        return term

    def obliged(self) -> Sequence[tuple[str, State]]:
        """The attacker's first moves that reach the goal although he plays against it."""
        return ()

    def attack(self, term: str, after: State, turns: int) -> Attack:
        """The play after an attacker's move, with what refutes it.

        ``turns`` is the number that the attacker may still begin. Replies that reach the goal at
        once are left out, as in Popeye, unless all of them do and the move is given.
        """
        if self.reached(after) or self.attacks(after):
            return Attack(term, after, None, ())
        turns *= not (term and self.forced(after, 0))
        passed = None if self._no_threats or not turns else self.passed(after)
        threats = None if passed is None else tuple(self.answers(passed, turns - 1))
        names = [self.name(threat.term) for threat in threats or ()]
        replies, refutations = [], []
        for reply, state in self.children(after):
            reached = self.reached(state)
            if not reached and not self.forced(state, turns - 1):
                refutations.append((reply, state))
                continue
            if reached and turns and not self.shows_early:
                continue
            children = {self.name(t): s for t, s in self.children(state)} if names else {}
            left = turns - 1 if len(names) == 0 else self._length(threats)
            stand = (name in children and self.forced(children[name], left) for name in names)
            if names and (self.forced(state, left - 1) or all(stand)):
                continue  # the threats remain, or the attacker is quicker than they
            replies.append(Reply(reply, state, tuple(self.answers(state, turns - 1))))
        return Attack(term, after, threats, tuple(replies), tuple(refutations))

    def _length(self, threats: tuple[Attack, ...] | None) -> int:
        """The turns that the attacker begins after a threat."""
        after = (threats or ())[0].after
        return next(turns for turns in range(1000) if self.forced(after, turns))

    def answers(self, state: State, turns: int) -> Iterator[Attack]:
        """The attacker's moves that force the goal soonest, within so many further turns."""
        if not self.attacks(state):
            return
        for left in range(turns + 1):
            if self.forced(state, left):
                for term, after in self.children(state):
                    if self.forced(after, left):
                        yield self.attack(term, after, left)
                return

    def shortest(self, most: int) -> int | None:
        """The fewest turns of the attacker that force the goal, the first included.

        None if ``most`` turns don't suffice.
        """
        return next((k for k in range(1, most + 1) if self.forced(self.root, k - 1)), None)

    def keys(self, turns: int) -> list[tuple[str, State]]:
        """The attacker's first moves that force the goal within so many turns."""
        if not self.attacks(self.root):
            return []
        self.forced(self.root, turns - 1)  # settles many moves together
        return [
            (term, after)
            for term, after in self.children(self.root)
            if self.forced(after, turns - 1)
        ]

    def refutations(self, after: State, turns: int, most: int) -> int:
        """The number of the defender's moves that refute a try, at most ``most + 1``."""
        return sum(1 for _ in islice(self.refuting(after, turns), most + 1))

    def refuting(self, after: State, turns: int) -> Iterator[tuple[str, State]]:
        """The defender's moves that refute a try, each with the state after it."""
        for term, state in self.children(after):
            if not self.forced(state, turns - 1) and not self.reached(state):
                yield term, state

    def tries(self, turns: int, most: int) -> Iterator[tuple[str, State]]:
        """The moves with one to ``most`` refutations."""
        for term, after in self.children(self.root):
            plays = not (after.is_terminal or self.reached(after) or self.attacks(after))
            if plays and 1 <= self.refutations(after, turns - 1, most) <= most:
                yield term, after

    def set_play(self, turns: int) -> tuple[Reply, ...]:
        """What answers each of the defender's moves already, if it were on move."""
        passed = self.passed_root
        if passed is None or self.checked(self.root):
            return ()
        found = (
            Reply(term, after, tuple(self.answers(after, turns - 2)))
            for term, after in self.children(passed)
        )
        # What reaches the goal at once.
        shown = turns == 1 or self.shows_early or self.forced(passed, 0)
        return tuple(
            reply for reply in found if reply.answers or (shown and self.reached(reply.after))
        )

    def lines(self, state: State, plies: int, most: int) -> Iterator[Line]:
        """All lines of exactly so many plies to the goal if both sides help, at most ``most``."""
        if state.facts not in self._help:
            puzzle = replace(self.puzzle, state=self._game.state(state.facts))
            given = self._ask.search, self._budget, _WIDEST
            self._help[state.facts] = HelpLines(puzzle, *given)
        for terms in self._help[state.facts].lines(plies, most):
            if terms[-1] == "pass":  # a series after which its side is stalemated reaches no goal
                continue
            line, at = [], state
            for term in terms:
                at = dict(self.children(at))[term]
                line.append((term, at))
            yield tuple(line)


MoveGoal = Callable[[State, str, State], bool]
"""Whether a move reaches a goal, from the state before it, its term, and the state after it."""


class MoveGoalPlay(ProblemPlay):
    """The play of a problem whose goal is a kind of move, such as a capture."""

    def __init__(
        self, puzzle: Puzzle, budget: Budget, no_threats: bool, goal: MoveGoal, mover: str
    ) -> None:
        """``mover`` is the role that makes the move."""
        self._goal, self._mover = goal, mover
        self._reached: dict[int, State] = {}  # by identity; they are kept, so it lasts
        self._known: dict[tuple[Facts, int], bool] = {}
        super().__init__(puzzle, budget, 1, no_threats)

    def children(self, state: State) -> Iterator[tuple[str, State]]:
        """The moves of a state as terms, each with the state after it."""
        for term, after in super().children(state):
            if state.to_move == self._mover and self._goal(state, term, after):
                self._reached[id(after)] = after
            yield term, after

    def reached(self, state: State) -> bool:
        """Whether the goal is reached."""
        return id(state) in self._reached

    @staticmethod
    def checked(state: State) -> bool:
        """Whether the side on move is in check, or mated, which isn't the goal."""
        mated = state.is_terminal and 100 in state.goals.values()
        return mated or ProblemPlay.checked(state)

    def forced(self, state: State, turns: int) -> bool:
        """Whether the attacker forces the goal within so many turns, by a plain search."""
        if self.reached(state):
            return True
        key = state.facts, turns
        if turns >= 0 and key not in self._known:
            self._budget.check()
            after = (child for _, child in self.children(state))
            if self.attacks(state):
                self._known[key] = any(self.forced(child, turns) for child in after)
            else:
                found = [self.reached(child) or self.forced(child, turns - 1) for child in after]
                self._known[key] = bool(found) and all(found)
        return turns >= 0 and self._known[key]

    def lines(self, state: State, plies: int, most: int) -> Iterator[Line]:
        """All lines of exactly so many plies to the goal if both sides help, at most ``most``."""
        self._budget.check()
        for term, after in self.children(state):
            if plies == 1 and self.reached(after):
                yield ((term, after),)
            elif plies > 1 and not self.reached(after):
                yield from (((term, after), *line) for line in self.lines(after, plies - 1, most))
