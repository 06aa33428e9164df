"""Models of a clingo control, and work that yields now and then."""

from collections.abc import Callable, Generator, Iterable
from typing import TypeVar

from ..runtime.errors import LimitReached
from .clingo_api import Control, Model, limit_conflicts

WAIT_SECONDS = 0.05
"""The time between looks at the budget [s]."""

_T = TypeVar("_T")


def finding(
    control: Control,
    read: Callable[[Model], _T],
    assumptions: Iterable[int] = (),
    conflicts: int | None = None,
    message: str = "clingo gave up",
) -> Generator[None, None, _T | None]:
    """The result of ``read`` for a model in which some literals hold; None without a model.

    Yields now and then while clingo works. Raises ``LimitReached`` with ``message`` after
    ``conflicts``.
    """
    limit_conflicts(control, conflicts)
    with control.solve(assumptions=list(assumptions), yield_=True, async_=True) as handle:
        while not handle.wait(WAIT_SECONDS):
            yield
        model = handle.model()
        if model is not None:
            return read(model)
        if not handle.get().exhausted:
            raise LimitReached(message)
    return None


def finish(work: Generator[None, None, _T], check: Callable[[], None]) -> _T:
    """The result of work that yields now and then, where ``check`` is called."""
    while True:
        check()
        try:
            next(work)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
