"""The plan of a cross-check, and its division into walks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...gdl.reasoner import Facts
from ...play.game_record import Record

_GAMES, _MADE = 100, 1000  # at most, in one walk


@dataclass(frozen=True)
class Plan:
    """The positions to compare, and how."""

    starts: Sequence[Facts]
    """The first positions of games, in turn."""
    games: int = 100
    """The number of random games."""
    made: int = 1000
    """The number of positions made at random."""
    depth: int = 0
    """The depth of perft by divide from each start [plies or turns]; 0: no perft."""
    records: Sequence[Record] = ()
    """Games to compare first, position by position ..."""
    recorded: str | None = None
    """... and their file."""
    only: bool = False
    """Whether to compare nothing but the starts and the positions one turn later."""
    seed: int | str = 0
    seconds: float | None = None
    """The time for comparing, without the time for reducing [s]."""
    keep_going: bool = False
    """Whether to continue after a disagreement, for one of each sort."""
    reasoner: str | None = None
    """Our side's reasoner: ``"propnet"``, however long its net takes to make, ``"grounder"``, or
    None for the faster one; against one of them, the other."""
    opens: bool = True
    """Whether to compare the starts themselves."""
    notation: str = "lp"
    """The name of the notation for positions and moves in reports."""
    again: Sequence[str] = ()
    """More options for the command that reproduces a disagreement."""


def split_plan(plan: Plan) -> list[Plan]:
    """A plan in parts, one for each walk, whatever the number of processes."""
    parts = max(1, -(-plan.games // _GAMES), -(-plan.made // _MADE))
    return [
        replace(
            plan,
            games=plan.games * (part + 1) // parts - plan.games * part // parts,
            made=plan.made * (part + 1) // parts - plan.made * part // parts,
            seed=plan.seed if not part else f"{plan.seed} {part}",
            opens=not part,
            records=plan.records if not part else (),
        )
        for part in range(parts)
    ]
