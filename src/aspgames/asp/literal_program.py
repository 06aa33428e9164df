"""Programs of numbered literals, and best answer sets."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from ..runtime.budget import Budget
from .clingo_api import Backend, Control, HeuristicType, Model, Symbol, limit_conflicts
from .solving import WAIT_SECONDS, finding, finish

_SHORT_SEARCH_CONFLICTS = 2_000  # conflicts of clingo's
_THREADLESS_CONFLICTS = 100  # conflicts of a search that needs no thread of its own

Weighted = Sequence[tuple[int, int]]
"""Literals with their weights."""

_T = TypeVar("_T")


class LiteralProgram:
    """Rules and constraints on literals, in one clingo control.

    Literals are numbers, negative for negations. Make them within ``writing``.
    """

    def __init__(self, *options: str) -> None:
        """An empty program; ``options`` are clingo's."""
        self._control = Control(options, logger=lambda *_: None)
        self._backend: Backend
        with self.writing():
            self.true = self.atom([()])
            """A literal that is always true."""

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A context in which the program can be extended."""
        with self._control.backend() as self._backend:
            yield
        del self._backend

    def atom(self, bodies: Iterable[Sequence[int]] = ()) -> int:
        """A literal that is true where any of some conjunctions is true."""
        atom = self._backend.add_atom()
        for body in bodies:
            self.derive(atom, *body)
        return atom

    def derive(self, atom: int, *body: int) -> None:
        """Let an atom be true where all literals of a body are."""
        self._backend.add_rule([atom], body)

    def choice(self) -> int:
        """A literal that may be true or not."""
        atom = self._backend.add_atom()
        self._backend.add_rule([atom], [], True)
        return atom

    def try_first(self, atom: int, *condition: int) -> None:
        """Let clingo's heuristic decide for an atom early, where a condition holds."""
        self._backend.add_heuristic(atom, HeuristicType.True_, 1, 1, condition)

    def never(self, *body: int) -> None:
        """Forbid that all of some literals hold."""
        self._backend.add_rule([], body)

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
        atom = self._backend.add_atom()
        self._backend.add_weight_rule([atom], bound, positive)
        return atom

    def several(self, literals: Iterable[int]) -> int:
        """A literal that is true where two or more of some literals are true."""
        return self.at_least(2, [(literal, 1) for literal in literals])

    def excludes(self, *literals: int) -> bool:
        """Whether a short proof shows that some literals are never true together."""
        limit_conflicts(self._control, _SHORT_SEARCH_CONFLICTS)
        return bool(self._control.solve(assumptions=literals).unsatisfiable)

    def find(
        self, budget: Budget, assumptions: Iterable[int], read: Callable[[Model], _T]
    ) -> _T | None:
        """The result of ``finding``. Raises ``LimitReached`` when the budget runs out.

        A short search needs no thread, which would take longer than the search.
        """
        budget.check()
        assumed = list(assumptions)
        limit_conflicts(self._control, _THREADLESS_CONFLICTS)
        with self._control.solve(assumed, yield_=True) as handle:
            if (model := handle.model()) is not None:
                return read(model)
            if handle.get().exhausted:
                return None
        return finish(self.finding(assumed, read), budget.check)

    def finding(
        self, assumptions: Iterable[int], read: Callable[[Model], _T], conflicts: int | None = None
    ) -> Generator[None, None, _T | None]:
        """``finding`` a model of this program in which some literals hold."""
        return finding(self._control, read, assumptions, conflicts)


def best_answer(
    text: str,
    parts: Iterable[str] = ("base",),
    options: Sequence[str] = (),
    conflicts: int | None = None,
    goes_on: Callable[[], bool] = lambda: True,
) -> list[Symbol] | None:
    """The shown atoms of the best answer set that clingo finds in time; None if it finds none.

    It stops after so many ``conflicts``, or when ``goes_on`` says so.
    """
    control = Control(options, logger=lambda *_: None)
    control.add(text)
    control.ground([(part, []) for part in parts])
    limit_conflicts(control, conflicts)
    best: list[Symbol] | None = None

    def keep(model: Model) -> None:
        nonlocal best
        best = list(model.symbols(shown=True))

    with control.solve(on_model=keep, async_=True) as handle:
        while not handle.wait(WAIT_SECONDS):
            if not goes_on():
                handle.cancel()
                break
    return best
