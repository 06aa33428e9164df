"""Circuits as a logic program, so that clingo's solver can search or prove over all states."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import TypeVar

from ..asp.clingo_api import Backend, Control, Model, limit_conflicts
from ..runtime.budget import Budget
from ..runtime.errors import LimitReached
from .circuit import TRUE, Circuit, needed

_WAIT = 0.05  # seconds between looks at the budget
_SHORT = 2_000  # conflicts of clingo's

Weighted = Sequence[tuple[int, int]]
"""Literals with their weights."""

_T = TypeVar("_T")


class CircuitCopy:
    """A copy of a circuit in a program: a function from its literals to those of the program."""

    def __init__(self, atoms: dict[int, int]) -> None:
        self.atoms = atoms
        """The program's literals for nodes of the circuit."""
        self.negations: dict[int, int] = {}
        """The atoms of nodes that are false, if these depend on a loop."""

    def __call__(self, literal: int) -> int:
        """The program's literal for one of the circuit."""
        if literal > 0:
            return self.atoms[literal]
        return self.negations.get(-literal) or -self.atoms[-literal]


class CircuitProgram:
    """Copies of circuits in one clingo control, with rules and constraints on their literals.

    Literals are numbers, negative for negations. Make them within ``writing``.
    """

    def __init__(self, *options: str) -> None:
        """An empty program; ``options`` are clingo's."""
        self.control = Control(options, logger=lambda *_: None)
        self.backend: Backend
        """clingo's, within ``writing``."""
        with self.writing():
            self.true = self.atom([()])
            """A literal that is always true."""

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A context in which the program can be extended."""
        with self.control.backend() as self.backend:
            yield
        del self.backend

    def atom(self, bodies: Iterable[Sequence[int]]) -> int:
        """A literal that is true where any of some conjunctions is true."""
        atom = self.backend.add_atom()
        for body in bodies:
            self.backend.add_rule([atom], body)
        return atom

    def choice(self) -> int:
        """A literal that may be true or not."""
        atom = self.backend.add_atom()
        self.backend.add_rule([atom], [], True)
        return atom

    def never(self, *body: int) -> None:
        """Forbid that all of some literals hold."""
        self.backend.add_rule([], body)

    def at_least(self, bound: int, weighted: Weighted) -> int:
        """A literal that is true where the weights of the true literals reach a bound."""
        positive = []
        for literal, weight in weighted:
            if weight < 0:  # clingo rejects those
                bound -= weight
                literal, weight = -literal, -weight
            if weight:
                positive.append((literal, weight))
        if bound <= 0:
            return self.true
        atom = self.backend.add_atom()
        self.backend.add_weight_rule([atom], bound, positive)
        return atom

    def several(self, literals: Iterable[int]) -> int:
        """A literal that is true where two or more of some literals are true."""
        return self.at_least(2, [(literal, 1) for literal in literals])

    def copy(
        self,
        circuit: Circuit,
        inputs: Mapping[int, int] = MappingProxyType({}),
        outputs: Sequence[int] | None = None,
        nodes: Sequence[int] = (),
    ) -> CircuitCopy:
        """Add a circuit.

        A gate that depends on a loop becomes two atoms, one for true and one for false. Otherwise a
        negation could support the loop, and the loop would not have its least fixpoint.

        Args:
            circuit: The circuit. inputs: The program's literals for some nodes; other inputs are
            open. outputs: The literals that are needed. Defaults to all. nodes: The nodes that
            are needed, if they are known, in order.
        """
        literal = CircuitCopy({TRUE: self.true} | dict(inputs))
        atoms = literal.atoms
        looped = {
            variable: definition
            for loop in circuit.loops
            for variable, definition in zip(loop.variables, loop.definitions, strict=True)
        }
        regions = [(loop.first, loop.end) for loop in circuit.loops]
        gates = circuit.gates

        depending: set[int] = set(looped)
        everything = range(TRUE + 1, circuit.size + 1)
        for node in nodes or sorted(everything if outputs is None else needed(circuit, outputs)):
            if node in atoms:
                continue
            gate = gates.get(node)
            if gate is None:
                atoms[node] = self.atom(()) if node in looped else self.choice()
                continue
            atoms[node] = self.atom([[literal(each) for each in gate]])
            if any(first <= node < end for first, end in regions) and any(
                abs(each) in depending for each in gate
            ):
                depending.add(node)
                literal.negations[node] = self.atom([literal(-each)] for each in gate)
        for variable, definition in looped.items():
            if variable in atoms:
                self.backend.add_rule([atoms[variable]], [literal(definition)])
        return literal

    def excludes(self, *literals: int) -> bool:
        """Whether a short proof shows that some literals are never true together."""
        limit_conflicts(self.control, _SHORT)
        return bool(self.control.solve(assumptions=literals).unsatisfiable)

    def find(
        self, budget: Budget, assumptions: Iterable[int], read: Callable[[Model], _T]
    ) -> _T | None:
        """The result of ``finding``. Raises ``LimitReached`` when the budget runs out."""
        return finish(self.finding(assumptions, read), budget.check)

    def finding(
        self,
        assumptions: Iterable[int],
        read: Callable[[Model], _T],
        conflicts: int | None = None,
    ) -> Generator[None, None, _T | None]:
        """The result of ``read`` for a model in which some literals hold; None without a model.

        Yields now and then while clingo works. Raises ``LimitReached`` after ``conflicts``.
        """
        limit_conflicts(self.control, conflicts)
        with self.control.solve(assumptions=list(assumptions), yield_=True, async_=True) as handle:
            while not handle.wait(_WAIT):
                yield
            model = handle.model()
            if model is not None:
                return read(model)
            if not handle.get().exhausted:
                raise LimitReached("clingo gave up")
        return None


def finish(work: Generator[None, None, _T], check: Callable[[], None]) -> _T:
    """The result of work that yields now and then, where ``check`` is called."""
    while True:
        check()
        try:
            next(work)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
