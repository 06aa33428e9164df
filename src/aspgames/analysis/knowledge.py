"""What players can know: histories that look alike to a role, though they differ for it.

Haufe and Thielscher, "Automated Verification of Epistemic Properties for General Game Playing"
(KR 2012): a role should know its legal moves, its goal, and whether the game is over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from ..asp.terms import shorten
from ..game.game import Game
from ..game.state import State
from ..runtime.budget import Budget
from ..runtime.errors import LimitReached
from .check_report import WARNING, Finding, Witness

_MOST_STATES = 1_000
"""Histories that are looked at."""

Path = tuple[Mapping[str, str], ...]
"""The joint moves of a history."""


@dataclass
class Knowledge:
    """Compares all histories of a game, those with the fewest plies first."""

    game: Game
    budget: Budget
    plies: int = -1
    """All histories of so many plies were compared."""
    complete: bool = False
    """Whether there are no longer ones."""

    def findings(self) -> Iterator[Finding]:
        """What a player can't know, each once, with two histories."""
        players = self.game.players
        level: dict[tuple[State, tuple[int, ...]], Path] = {
            (self.game.initial, (0,) * len(players)): ()
        }
        known: set[tuple[str, str]] = set()
        seen, histories = 0, dict[tuple[int, str, tuple[str, ...]], int]()
        try:
            while level:
                for number, player in enumerate(players):
                    yield from self._compare(level, number, player, known)
                self.plies += 1
                seen += len(level)
                if seen > _MOST_STATES:
                    return
                level = dict(self._after(level, histories))
            self.complete = True
        except LimitReached:
            return

    def _compare(
        self,
        level: Mapping[tuple[State, tuple[int, ...]], Path],
        number: int,
        player: str,
        known: set[tuple[str, str]],
    ) -> Iterator[Finding]:
        first: dict[int, tuple[State, Path]] = {}
        for (state, views), path in level.items():
            self.budget.check()
            before, other = first.setdefault(views[number], (state, path))
            what = _difference(before, state, player)
            if what and (player, what) not in known:
                known.add((player, what))
                text = f"{player} can't know {what}: to it, this looks like {_text(other)}"
                witness = Witness(path, state.facts, state.fen)
                yield Finding("cannot_know", WARNING, text, witness=witness)

    def _after(
        self,
        level: Mapping[tuple[State, tuple[int, ...]], Path],
        histories: dict[tuple[int, str, tuple[str, ...]], int],
    ) -> Iterator[tuple[tuple[State, tuple[int, ...]], Path]]:
        for (state, views), path in level.items():
            for moves in product(*state.legal.values()):
                self.budget.check()
                joint = {move.role: move.term for move in moves}
                seen = state.sees(joint)
                after = (
                    histories.setdefault((view, joint[player], seen[player]), len(histories) + 1)
                    for view, player in zip(views, self.game.players, strict=True)
                )
                yield (state.play(joint), tuple(after)), (*path, joint)


def _difference(state: State, other: State, player: str) -> str:
    """What a player would have to know to tell two states apart; empty if nothing."""
    if state.is_terminal != other.is_terminal:
        return "whether the game is over"
    if state.is_terminal:
        values, others = state.consequences.values, other.consequences.values  # maybe unsettled
        return "" if values[player] == others[player] else "its goal"
    return "" if state.legal[player] == other.legal[player] else "its legal moves"


def _text(path: Path) -> str:
    moves = (f"{role}={move}" for joint in path for role, move in joint.items() if move != "noop")
    return shorten(" ".join(moves))
