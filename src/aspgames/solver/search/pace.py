"""The progress of a search in words, and an estimate for the next number of turns."""

from collections.abc import Iterable
from itertools import pairwise

from ...puzzle.question import turns_text

_LEAST_EFFORT = 10_000  # evaluations; fewer give no reliable estimate
_MILLION = 1_000_000


class Pace:
    """When each number of turns was refuted. The estimate assumes that growth stays the same."""

    def __init__(self, marks: Iterable[tuple[int, int]] = ()) -> None:
        self.marks = list(marks)
        """The numbers of turns refuted, each with the evaluations until then."""

    def note(self, refuted: int, made: int) -> None:
        """Note that ``refuted`` turns are refuted, after ``made`` evaluations."""
        if not self.marks or refuted > self.marks[-1][0]:
            self.marks.append((refuted, made))

    def left(self, made: int) -> tuple[float, float] | None:
        """The growth factor from the last number of turns to the next, and the evaluations left.

        An estimate that was missed is doubled, at most twice. None then, and without enough marks.
        """
        if len(self.marks) < 3:
            return None
        before, last = (b - a for (_, a), (_, b) in pairwise(self.marks[-3:]))
        if before < _LEAST_EFFORT:
            return None
        spent, growth = made - self.marks[-1][1], last / before
        growth = next((growth * n for n in (1, 2, 4) if spent < last * growth * n), 0.0)
        return (growth, last * growth - spent) if growth else None

    def text(self, made: int, rate: float) -> str:
        """The estimate in words, at ``rate`` evaluations a second; empty without an estimate."""
        found = self.left(made)
        if found is None or rate <= 0:
            return ""
        growth, evaluations = found
        left = duration(evaluations / rate)
        return f"about {left} left ({growth:.1f} times what {turns_text(self.marks[-1][0])} took)"


def in_short(number: float) -> str:
    """A large number in few characters: ``116 M``."""
    return f"{number:,.0f}" if number < _MILLION else f"{float(f'{number / _MILLION:.3g}'):,g} M"


def duration(seconds: float) -> str:
    """A time in its largest suitable unit: ``13 s``, ``2 h``."""
    for unit, name in ((86_400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 1.5 * unit:
            return f"{seconds / unit:.0f} {name}"
    return f"{seconds:.0f} s"
