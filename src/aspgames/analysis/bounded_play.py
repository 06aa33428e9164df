"""All play of so many plies as a program for clingo's solver, which looks for a bad state.

Each ply is one more copy of the circuit (bounded model checking; Biere, Cimatti, Clarke and Zhu
1999, *Symbolic Model Checking without BDDs*). A bad state that the solver finds is reached by play.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ..asp.clingo_api import Model
from ..gdl.rules import Facts
from ..propnet.circuit import FALSE
from ..propnet.circuit_program import CircuitProgram
from ..propnet.invariants import argument_groups
from ..propnet.net import Net
from ..propnet.transitions import wrong_states
from ..runtime.budget import Budget
from ..runtime.errors import LimitReached

_MOST_NODES = 2_000_000  # of all copies of the circuit
_MOST_PLIES = 500

KINDS = ("stuck", "goal_missing", "goals", "content")
"""A role has no move; at the end, it has no goal, or several; a square has no content, or two."""

Line = list[dict[str, str]]
"""Joint moves from the start: the move of each role."""


class BoundedPlay(CircuitProgram):
    """Looks for states in which a role is stuck, goals are wrong, or a square lost its content."""

    def __init__(self, net: Net, roles: Sequence[str], initial: Facts, budget: Budget) -> None:
        super().__init__("--configuration=handy")
        self._net, self._roles, self._budget = net, roles, budget
        self._moves: list[Mapping[tuple[str, str], int]] = []
        self._state = {f: self.true if f in initial else -self.true for f in net.fluents}
        self._groups = content_groups(net.fluents, initial)
        self._plies = 0  # of the state that is looked at
        self.is_all = False
        """Whether no play is longer."""

    @property
    def plies(self) -> int:
        """The plies of all play that was looked at."""
        return max(0, self._plies - 1)

    def counterexamples(self, kinds: set[str]) -> Iterator[tuple[str, Line]]:
        """The kind of each bad state, with the moves to it: a shortest line for each open kind."""
        left = set(kinds)
        try:
            most = min(_MOST_PLIES, _MOST_NODES // self._net.circuit.size)
            while left and self._plies < most:
                self._budget.check()
                with self.writing():
                    bad, terminal = self._copy()
                for kind in sorted(left):
                    if (line := self.find(self._budget, [bad[kind]], self._line)) is not None:
                        left.remove(kind)
                        yield kind, line
                with self.writing():
                    self._go_on(terminal)
                if self.find(self._budget, [], bool) is None:
                    self.is_all = True
                    return
                self._plies += 1
        except LimitReached:
            return

    def _copy(self) -> tuple[dict[str, int], int]:
        """Add the rules of the current state; returns the literals of bad states, and the end."""
        circuit, outputs = self._net.circuit, self._net.outputs
        literal = self.copy(circuit, {circuit.true[f]: n for f, n in self._state.items()})
        terminal = literal(outputs.terminal)
        legal = {move: literal(node) for move, node in outputs.legal.items()}
        goals = {goal: literal(node) for goal, node in outputs.goal.items()}
        bad = wrong_states(self, self._roles, terminal, legal, goals) | {"content": []}
        for group in self._groups:
            held = [self._state[fluent] for fluent in group]
            bad["content"] += [[-number for number in held], [self.several(held)]]
        self._moves.append(
            {
                move: literal(circuit.does[move]) if move in circuit.does else self.choice()
                for move in legal
            }
        )
        for move, number in self._moves[-1].items():
            self.never(number, -legal[move])
        self._state = {f: literal(outputs.next.get(f, FALSE)) for f in self._state}
        return {kind: self.atom(bodies) for kind, bodies in bad.items()}, terminal

    def _go_on(self, terminal: int) -> None:
        self.never(terminal)
        for role in self._roles:
            made = [number for (who, _), number in self._moves[-1].items() if who == role]
            self.never(self.several(made))
            self.never(-self.atom([number] for number in made))

    def _line(self, model: Model) -> Line:
        made = (
            {role: move for (role, move), number in moves.items() if model.is_true(number)}
            for moves in self._moves[: self._plies]
        )
        return list(made)


def content_groups(fluents: Sequence[str], initial: Facts) -> list[tuple[str, ...]]:
    """Groups of fluents, one for each square of a board whose squares all have a content.

    Each has one fluent at the start, and some content is there several times: otherwise the groups
    may be pieces with their squares, and a captured piece has none.
    """
    start, found = set(initial), []
    for groups in argument_groups(fluents):
        held = [[fluent for fluent in group if fluent in start] for group in groups]
        contents = Counter(one[0].rpartition(",")[2] for one in held if one)
        is_board = len(groups) > 2 and all(len(one) == 1 for one in held)
        if is_board and contents.most_common(1)[0][1] > len(groups) // 2:
            found += groups
    return found
