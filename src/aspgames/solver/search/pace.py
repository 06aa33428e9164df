"""How much longer a search takes, judged by how long it took so far."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

_LEAST = 10_000  # evaluations: what took fewer says little of what takes more


class Pace:
    """When each number of turns was refuted: the next one is taken to grow as the last one did."""

    def __init__(self, marks: Iterable[tuple[int, int]] = ()) -> None:
        self.marks = list(marks)
        """Numbers of turns that were refuted, each with the evaluations made until then."""

    def note(self, refuted: int, made: int) -> None:
        """So many turns are refuted, after so many evaluations."""
        if not self.marks or refuted > self.marks[-1][0]:
            self.marks.append((refuted, made))

    def left(self, made: int) -> tuple[float, float] | None:
        """How many times as long as the last number of turns the next one takes, and how many more
        evaluations; below 0: it takes longer than that.

        None where there is nothing to go by.
        """
        if len(self.marks) < 3:
            return None
        before, last = (b - a for (_, a), (_, b) in pairwise(self.marks[-3:]))
        if before < _LEAST:
            return None
        return last / before, self.marks[-1][1] + last * last / before - made

    def text(self, made: int, a_second: float) -> str:
        """The estimate in words, where so many evaluations a second are made; empty for none."""
        found = self.left(made)
        if found is None or a_second <= 0:
            return ""
        growth, evaluations = found
        turns = self.marks[-1][0]
        when = _words(abs(evaluations) / a_second)
        due = f"in about {when}" if evaluations > 0 else f"was due {when} ago"
        return f"within {turns + 1} {due} ({growth:.1f} times what {turns} took)"


def _words(seconds: float) -> str:
    for unit, name in ((86_400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 1.5 * unit:
            return f"{seconds / unit:.0f} {name}"
    return f"{seconds:.0f} s"
