"""The turns of a position by their labels; joint moves are made on demand.

The number of joint moves is the product of the numbers of each role's moves.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from random import Random

from ...game.notation.joint_moves import format_joint, parse_joint
from ...runtime.errors import BadMove
from .engine import Turn

Options = Mapping[str, Turn]
"""The turns of a position, by their labels."""


class JointMoves(Options):
    """The joint moves of several roles, by their texts (``white=rock,black=paper``)."""

    def __init__(self, moves: Mapping[str, Sequence[str]]) -> None:
        """``moves`` has the moves of each role with a choice."""
        self._moves = moves

    def __iter__(self) -> Iterator[str]:
        for terms in product(*self._moves.values()):
            yield format_joint(dict(zip(self._moves, terms, strict=True)))

    def __getitem__(self, text: str) -> Turn:
        try:
            joint = parse_joint(text)
        except BadMove:
            raise KeyError(text) from None
        if list(joint) != list(self._moves):
            raise KeyError(text)
        if not all(move in self._moves[role] for role, move in joint.items()):
            raise KeyError(text)
        return (text,)

    def __len__(self) -> int:
        """Their number, at most ``sys.maxsize``, the largest length."""
        return min(prod(map(len, self._moves.values())), sys.maxsize)

    def draw(self, random: Random) -> str:
        """A joint move, chosen uniformly."""
        return format_joint({role: random.choice(moves) for role, moves in self._moves.items()})


def some(options: Options, count: int, random: Random) -> list[Turn]:
    """At most ``count`` different turns, chosen at random."""
    if isinstance(options, JointMoves) and len(options) > 1000:
        labels = [*dict.fromkeys(options.draw(random) for _ in range(count))]
    else:
        labels = random.sample(sorted(options), min(count, len(options)))
    return [options[label] for label in labels]
