"""Reads the ``go`` command, and divides the clock among the moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

_MOVES_LEFT = 25  # the assumed number of moves left without ``movestogo``
_RESERVE = 0.2  # the part of the clock that a move never uses
LEAST = 0.001
"""The least time for a move [s]."""

_NUMBERS = {
    "wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime", "perft",
}  # fmt: skip
_MOST = 10**12


@dataclass
class Going:
    """The arguments of a ``go`` command."""

    searchmoves: list[str] = field(default_factory=list)
    ponder: bool = False
    infinite: bool = False
    numbers: dict[str, int] = field(default_factory=dict)
    """The given ones of ``wtime``, ``depth`` and so on."""
    wrong: str = ""
    """A message for the first malformed argument."""

    @staticmethod
    def read(words: list[str]) -> Going:
        """Read the words after ``go``; malformed arguments are skipped."""
        found = Going()
        known = {"searchmoves", "ponder", "infinite", *_NUMBERS}
        rest: Iterator[str] = iter(words)
        word = next(rest, None)
        while word is not None:
            name, word = word, next(rest, None)
            if name == "searchmoves":
                while word is not None and word not in known:
                    found.searchmoves.append(word)
                    word = next(rest, None)
            elif name in ("ponder", "infinite"):
                setattr(found, name, True)
            elif name in _NUMBERS:
                number = _number(word)
                if number is None:
                    found.wrong = found.wrong or f"go {name} takes a whole number"
                else:
                    found.numbers[name] = number
                word = word if word in known else next(rest, None)
            else:
                found.wrong = found.wrong or f"go has no {name[:40]!r}"
        return found

    @property
    def waits(self) -> bool:
        """Whether the move waits for ``stop`` or ``ponderhit``."""
        return self.infinite or self.ponder

    @property
    def limits(self) -> set[str]:
        """The names of the given limits, which end the search."""
        return set(self.numbers) - {"winc", "binc", "movestogo"}

    def seconds(self, first_role: bool, overhead: float, most: float | None) -> float | None:
        """The time for the move of the first or the second role [s]; None for no limit."""
        get = self.numbers.get
        left, gain = get("wtime" if first_role else "btime"), get("winc" if first_role else "binc")
        found = None
        if "movetime" in self.numbers:
            found = self.numbers["movetime"] / 1000 - overhead
        elif left is not None:
            clock = max(0.0, left / 1000 - overhead)
            share = clock / max(1, get("movestogo") or _MOVES_LEFT) + 0.8 * (gain or 0) / 1000
            found = min(share, (1 - _RESERVE) * clock)
        if found is None or most is not None:
            return most if found is None else max(LEAST, min(found, most or found))
        return max(LEAST, found)


def _number(word: str | None) -> int | None:
    """A whole number; negative numbers become 0: interfaces send them for expired clocks."""
    digits = (word or "").removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 20):
        return None
    return 0 if word != digits else min(int(digits), _MOST)
