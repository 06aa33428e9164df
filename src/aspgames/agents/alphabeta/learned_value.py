"""A learned value of states: weights of fluents and numbers of moves, and a layer of hidden units.

Scores are the first role's, in thousandths of a logit: 1000 means that it wins with odds of e to
one. A proven result is a score beyond ``SURE_SCORE``.
"""

import itertools
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

WON_SCORE = 30_000
"""The score of a won game; it loses a point for each ply until then."""
SURE_SCORE = 20_000
"""Scores above this one are proven wins of the first role, those below its negative losses."""
SCORE_UNIT = 1000
"""A logit."""
MOST_COUNTED_MOVES = 256
"""Larger numbers of moves count as one less than this."""
HIDDEN_UNITS = 128
"""The hidden units. Each outputs the sum of its weights, from 0 to a ceiling."""
OUTPUT_CEILING = 128
"""The ceiling of a hidden unit."""
OUTPUT_UNIT = 256
"""A hidden unit's output, times its weight, is divided by this number."""
FORMAT = 2

_HIGHEST_WEIGHT = 15_000  # the largest weight of a number of moves
_SHAPES = 2  # how a number of moves counts: its logarithm, and itself
OTHER_PHASES = ""
"""The name of the phase in which no single fluent says whose turn it is."""


def turns_of(tables: Tables) -> list[str]:
    """The fluents that name the phases of a net, and a last phase."""
    from ...propnet.kernel import kernel

    count, first = kernel().numbers(tables.address, 10)[8:]
    places = kernel().numbers(tables.address + first, count)
    return [*(tables.names.fluents[place] for place in places), OTHER_PHASES]


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
    constants: Sequence[int] = ()
    """The constant part of each hidden unit's input."""
    hidden: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """For each fluent, its weight in each hidden unit's input."""
    outputs: Sequence[int] = ()
    """The weights of the hidden units."""

    @property
    def is_whole(self) -> bool:
        """Whether it has weights for no side, or for both; and for no hidden unit, or for all.

        All fit in the arrays of ``ValueArrays``.
        """
        moves = [len(row) for row in self.mobility]
        units = {len(row) for row in (self.constants, self.outputs, *self.hidden.values())}
        numbers = itertools.chain(self.constants, self.outputs, *self.hidden.values())
        others = itertools.chain([self.constant], self.fluents.values(), *self.mobility)
        return (
            moves in ([], [_SHAPES, _SHAPES])
            and units in ({0}, {HIDDEN_UNITS})
            and all(abs(number) < 1 << 15 for number in numbers)
            and all(abs(number) < 1 << 31 for number in others)
        )


@dataclass(frozen=True)
class LearnedValue:
    """The weights of one game."""

    phases: Mapping[str, PhaseWeights]
    """By the fluent that says whose turn it is."""
    games: int = 0
    """The games from which the weights were learned."""

    @property
    def fluents(self) -> set[str]:
        """The fluents that have a weight."""
        return {fluent for weights in self.phases.values() for fluent in weights.fluents}

    def pack(self) -> bytes:
        """The weights as JSON."""
        phases = {name: vars(each) for name, each in self.phases.items()}
        found = {"format": FORMAT, "games": self.games, "phases": phases}
        return json.dumps(found, separators=(",", ":")).encode()

    @staticmethod
    def unpack(data: bytes) -> "LearnedValue":
        """The inverse of ``pack``. Raises ``BadRequest`` if the bytes are damaged."""
        try:
            found = json.loads(data)
            if found["format"] != FORMAT:
                raise BadRequest(f"format {found['format']!r} of weights is unknown; retrain them")
            kinds = {"phases": dict[str, PhaseWeights], "games": int}
            if not (found["phases"] and all(is_of(found[name], kinds[name]) for name in kinds)):
                raise ValueError
            phases = {name: PhaseWeights(**each) for name, each in found["phases"].items()}
            if not all(each.is_whole for each in phases.values()):
                raise ValueError
        except BadRequest:
            raise
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise BadRequest(
                "these are no weights of 'aspgames train', or they are damaged"
            ) from None
        return LearnedValue(phases, found["games"])


@dataclass(frozen=True)
class ValueArrays:
    """Weights by the numbers of a net, as in ``struct value_weights``."""

    fluents: Ints
    hidden: npt.NDArray[np.int16] | None
    outputs: npt.NDArray[np.int16] | None
    mobility: Ints | None
    partners: Ints | None
    results: Ints

    @staticmethod
    def of(value: LearnedValue, tables: Tables, others: bool = False) -> "ValueArrays":
        """The arrays for a net. With ``others``, the other side's moves are found anyway."""
        turns, numbers = turns_of(tables), {f: 1 + n for n, f in enumerate(tables.names.fluents)}
        # What holds in all states counts as a constant.
        places = numbers | dict.fromkeys(tables.names.certain, 0)
        fluents = np.zeros((len(turns), 1 + tables.fluents), np.int32)
        hidden = np.zeros((*fluents.shape, HIDDEN_UNITS), np.int16)
        outputs = np.zeros((len(turns), HIDDEN_UNITS), np.int16)
        mobility = np.zeros((len(turns), 2, MOST_COUNTED_MOVES), np.int32)
        nothing = PhaseWeights()
        for phase, turn in enumerate(turns):
            weights = value.phases.get(turn) or value.phases.get(OTHER_PHASES, nothing)
            fluents[phase, 0] = weights.constant
            for name, weight in weights.fluents.items():
                if name in places:
                    fluents[phase, places[name]] += weight
            if weights.outputs:
                hidden[phase, 0], outputs[phase] = weights.constants, weights.outputs
            for name, row in weights.hidden.items():
                if name in places:
                    hidden[phase, places[name]] += np.array(row, np.int16)
            for side, pair in enumerate(weights.mobility):
                weights_of_counts = move_shapes(np.arange(MOST_COUNTED_MOVES)) @ np.array(pair)
                mobility[phase, side] = np.clip(
                    np.rint(weights_of_counts), -_HIGHEST_WEIGHT, _HIGHEST_WEIGHT
                )
        # The other side's moves cost another evaluation: only where they count.
        others = others or bool(mobility[:, 1].any())
        return ValueArrays(
            fluents,
            hidden if outputs.any() else None,
            outputs if outputs.any() else None,
            mobility if mobility.any() else None,
            np.array(partners_of(turns, tables.names.roles), np.int32) if others else None,
            results(),
        )


def results() -> Ints:
    """The scores of final leads in goal points from -100 to 100."""

    def score(lead: int) -> int:
        if abs(lead) == 100:
            return WON_SCORE * lead // 100
        share = (lead + 100) / 200
        return round(SCORE_UNIT * math.log(share / (1 - share)))

    return np.array([score(lead) for lead in range(-100, 101)], np.int32)
