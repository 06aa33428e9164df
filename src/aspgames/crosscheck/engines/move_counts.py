"""Printed move counts: lines ``a2a3: 1`` or ``a2a3 1``, and the sum on the last line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...game.notation.uci_notation import label
from ...runtime.errors import EngineFailed

MOST_LINES = 100_000  # of one answer
_COUNT = re.compile(r"(\S+)\s*:?\s+([0-9]+)\Z")


def read_counts(lines: Sequence[str], what: object) -> Mapping[str, int]:
    """Read printed move counts, by labels of turns.

    Raises:
        EngineFailed: A move is listed twice, or the sum is wrong.
    """
    counts: dict[str, int] = {}
    for line in lines[:-1]:
        match = _COUNT.match(line.strip())
        if match and (squares := label(match[1])):
            if squares in counts:
                raise EngineFailed(f"the engine lists {match[1]} twice; {what}")
            counts[squares] = int(match[2])
    total = re.search(r"([0-9]+)\s*\Z", lines[-1])
    if total is None or int(total[1]) != sum(counts.values()):
        said = f"{sum(counts.values())}, not {lines[-1].strip()!r}"
        raise EngineFailed(f"the engine's counts add up to {said}; {what}")
    return counts
