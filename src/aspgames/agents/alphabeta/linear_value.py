"""A learned value of states: a linear function of fluents, numbers of moves and threats.

Scores are the first role's, in thousandths of a logit: 1000 means that it wins with odds of e to
one. A proven result is a score beyond ``SURE``.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ...propnet.gate_tables import Tables
from ...propnet.lanes import Ints
from ...runtime.errors import BadRequest
from ...runtime.json_lines import is_of

WON = 30_000
"""The score of a won game; it loses a point for each ply until then."""
SURE = 20_000
"""Scores above this one are proven wins of the first role, those below its negative losses."""
UNIT = 1000
"""A logit."""
COUNTED = 256
"""Larger numbers of moves count as one less than this."""
FORMAT = 1

_MOST = 15_000  # the largest weight
_SHAPES = 2  # how a number of moves counts: its logarithm, and itself
OTHERWISE = ""
"""The name of the phase in which no single fluent says whose turn it is."""


def turns_of(tables: Tables) -> list[str]:
    """The fluents that name the phases of a net, and a last phase."""
    from ...propnet.kernel import kernel

    count, first = kernel().numbers(tables.address, 10)[8:]
    places = kernel().numbers(tables.address + first, count)
    return [*(tables.names.fluents[place] for place in places), OTHERWISE]


def partners_of(turns: Sequence[str], roles: Sequence[str]) -> list[int]:
    """The phase in which the other side is on move instead; -1 if there is none."""
    one, other = roles
    swap = {one: other, other: one}
    others = [re.sub(r"\w+", lambda word: swap.get(word[0], word[0]), turn) for turn in turns]
    return [
        turns.index(other) if other != turn and other in turns else -1
        for turn, other in zip(turns, others, strict=True)
    ]


def move_shapes(counts: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """What a number of moves contributes, ``(..., 2)``: its logarithm and a tenth of it."""
    numbers = np.asarray(counts, np.float64)
    return np.stack([np.log1p(numbers), numbers / 10], axis=-1)


@dataclass(frozen=True)
class PhaseWeights:
    """The weights of the states in which one fluent says whose turn it is."""

    constant: int = 0
    fluents: Mapping[str, int] = field(default_factory=dict)
    mobility: Sequence[Sequence[int]] = ()
    """For the side on move and the other one: the weights of ``move_shapes``."""
    threats: Sequence[Mapping[str, int]] = ()
    """For the same sides: the weights of the fluents that their moves may end."""

    @property
    def is_whole(self) -> bool:
        """Whether it has weights for no side, or for both."""
        sizes = [len(row) for row in self.mobility]
        return sizes in ([], [_SHAPES, _SHAPES]) and len(self.threats) in (0, 2)


@dataclass(frozen=True)
class LinearValue:
    """The weights of one game."""

    phases: Mapping[str, PhaseWeights]
    """By the fluent that says whose turn it is."""
    taken: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """For each move, the fluents that it may end."""
    games: int = 0
    """The games from which the weights were learned."""

    @property
    def fluents(self) -> set[str]:
        """The fluents that have a weight."""
        return {fluent for weights in self.phases.values() for fluent in weights.fluents}

    def pack(self) -> bytes:
        """The weights as JSON."""
        phases = {name: vars(each) for name, each in self.phases.items()}
        found = {"format": FORMAT, "games": self.games, "phases": phases, "taken": self.taken}
        return json.dumps(found, separators=(",", ":")).encode()

    @staticmethod
    def unpack(data: bytes) -> "LinearValue":
        """The inverse of ``pack``. Raises ``BadRequest`` if the bytes are damaged."""
        try:
            found = json.loads(data)
            if found["format"] != FORMAT:
                raise BadRequest(f"format {found['format']!r} of weights is unknown; retrain them")
            kinds = {"phases": dict[str, PhaseWeights], "taken": dict[str, list[str]], "games": int}
            if not (found["phases"] and all(is_of(found[name], kinds[name]) for name in kinds)):
                raise ValueError
            phases = {name: PhaseWeights(**each) for name, each in found["phases"].items()}
            if not all(each.is_whole for each in phases.values()):
                raise ValueError
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise BadRequest(
                "these are no weights of 'aspgames train', or they are damaged"
            ) from None
        return LinearValue(phases, found["taken"], found["games"])


@dataclass(frozen=True)
class ValueArrays:
    """Weights by the numbers of a net, as in ``struct value_weights``."""

    fluents: Ints
    mobility: Ints | None
    threats: Ints | None
    partners: Ints | None
    taken_starts: Ints
    taken: Ints
    results: Ints

    @staticmethod
    def of(value: LinearValue, tables: Tables, others: bool = False) -> "ValueArrays":
        """The arrays for a net. With ``others``, the other side's moves are found anyway."""
        turns, numbers = turns_of(tables), {f: n for n, f in enumerate(tables.names.fluents)}
        certain = set(tables.names.certain)
        shape = len(turns), 2
        fluents = np.zeros((len(turns), 1 + tables.fluents), np.int32)
        mobility = np.zeros((*shape, COUNTED), np.int32)
        threats = np.zeros((*shape, tables.fluents), np.int32)
        nothing = PhaseWeights()
        for place, turn in enumerate(turns):
            weights = value.phases.get(turn) or value.phases.get(OTHERWISE, nothing)
            fluents[place, 0] = weights.constant
            for name, weight in weights.fluents.items():
                if name in numbers:
                    fluents[place, 1 + numbers[name]] = weight
                elif name in certain:
                    fluents[place, 0] += weight
            for side, pair in enumerate(weights.mobility):
                weights_of_counts = move_shapes(np.arange(COUNTED)) @ np.array(pair)
                mobility[place, side] = np.clip(np.rint(weights_of_counts), -_MOST, _MOST)
            for side, by_name in enumerate(weights.threats):
                for name, weight in by_name.items():
                    if name in numbers:
                        threats[place, side, numbers[name]] = weight
        starts, taken = [0], []
        for term in tables.names.terms:
            taken += [numbers[name] for name in value.taken.get(term, ()) if name in numbers]
            starts.append(len(taken))
        # The other side's moves cost another evaluation: only where they count.
        others = others or bool(mobility[:, 1].any() or threats[:, 1].any())
        return ValueArrays(
            fluents,
            mobility if mobility.any() else None,
            threats if threats.any() else None,
            np.array(partners_of(turns, tables.names.roles), np.int32) if others else None,
            np.array(starts, np.int32),
            np.array(taken, np.int32),
            results(),
        )


def results() -> Ints:
    """The scores of final leads in goal points from -100 to 100."""

    def score(lead: int) -> int:
        if abs(lead) == 100:
            return WON * lead // 100
        share = (lead + 100) / 200
        return round(UNIT * math.log(share / (1 - share)))

    return np.array([score(lead) for lead in range(-100, 101)], np.int32)
