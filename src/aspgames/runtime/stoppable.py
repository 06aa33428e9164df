"""A budget that ends when another thread says so."""

from __future__ import annotations

from .budget import Budget
from .errors import Interrupted


class Stoppable(Budget):
    """A budget that any thread may end at any moment."""

    def __init__(
        self,
        seconds: float | None = None,
        positions: int | None = None,
        of: Stoppable | None = None,
    ) -> None:
        """The end of the budget ``of`` also ends this one."""
        super().__init__(seconds, positions)
        self._stopped, self._of = False, of

    def stop(self) -> None:
        """Make the computation raise ``Interrupted`` when it next checks its budget."""
        self._stopped = True

    def check(self) -> None:
        """Like ``Budget.check``; also raises ``Interrupted`` after this budget's ``stop``."""
        if self._stopped:
            raise Interrupted
        if self._of:
            self._of.check()
        super().check()
