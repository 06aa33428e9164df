"""Fits the weights of one phase to states and their worth: a linear part and hidden units.

Stochastic gradient descent on the logistic loss (Adam: Kingma and Ba 2015, "Adam: a method for
stochastic optimization"), in batches.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...propnet.lanes import Ints
from .learned_value import HIDDEN_UNITS, OUTPUT_CEILING, OUTPUT_UNIT, SCORE_UNIT, PhaseWeights

Floats = npt.NDArray[np.float32]
Parameters = dict[str, Floats]

MOVES = 4
"""The columns of numbers of moves: those of ``move_shapes`` for both sides."""

_BATCH_STATES = 8192  # states at most ...
_SMALL_BATCH_STATES = 64  # ... and at least,
_ROUND_BATCHES = 100  # if there are fewer batches in a round
_RATE = 0.004  # of learning, after the first steps
_SLOW_STEPS = 50
_DECAY = 0.01  # of weights, as a part of the rate
_HIGHEST_WEIGHT = 2.0  # the largest weight of a hidden unit's input, whose ceiling is 1
_HIGHEST = 32_000  # the largest sum of a hidden unit's weights, for 16 bits
_OUT = SCORE_UNIT * OUTPUT_UNIT / OUTPUT_CEILING


@dataclass(frozen=True)
class PhaseStates:
    """States of one phase, and what they are worth."""

    held: npt.NDArray[np.uint8]
    """``(n, fluents)``: 1 where a fluent holds."""
    moves: Floats
    """``(n, MOVES)``: numbers of moves."""
    worth: Floats
    """For the first role, from 0 to 1."""

    def some(self, chosen: Ints, image: Ints | None = None) -> "tuple[Floats, Floats]":
        """The columns and the worth of some states: 1, which fluents hold, and numbers of moves.

        ``image`` is the order of the fluents in the states' images under a symmetry.
        """
        count = self.held.shape[1]
        columns = np.ones((len(chosen), 1 + count + MOVES), np.float32)
        held = self.held[chosen]
        columns[:, 1 : 1 + count] = held if image is None else held.take(image, 1)
        columns[:, 1 + count :] = self.moves[chosen]
        return columns, self.worth[chosen]


class _Adam:
    """Changes parameters by their slopes, each in steps of about the same size."""

    def __init__(self, parameters: Parameters) -> None:
        self._parameters, self.steps = parameters, 0
        self._means = {name: np.zeros_like(each) for name, each in parameters.items()}
        self._squares = {name: np.zeros_like(each) for name, each in parameters.items()}

    def step(self, slopes: Parameters, part: float) -> None:
        """A step with a part of the usual rate."""
        self.steps += 1
        rate = _RATE * part * min(1, self.steps / _SLOW_STEPS)
        for name, slope in slopes.items():
            mean, square, weights = self._means[name], self._squares[name], self._parameters[name]
            mean += 0.1 * (slope - mean)
            square += 0.01 * (slope * slope - square)
            spread = np.sqrt(square / (1 - 0.99**self.steps)) + 1e-8
            weights -= rate * (mean / (1 - 0.9**self.steps) / spread + _DECAY * weights)


class Network:
    """The weights of a phase as numbers of logits, while they are learned."""

    def __init__(self, fluents: Sequence[str], rng: np.random.Generator) -> None:
        """Weights that value all states alike."""
        self._fluents, self._rng = fluents, rng
        inputs = 1 + len(fluents)
        self.parameters: Parameters = {
            "linear": np.zeros(inputs + MOVES, np.float32),
            "hidden": 0.15 * rng.standard_normal((inputs, HIDDEN_UNITS), np.float32),
            "outputs": 0.1 * rng.standard_normal(HIDDEN_UNITS, np.float32),
        }

    def fit(
        self, sample: PhaseStates, images: Sequence[Ints], rounds: int, check: Callable[[], None]
    ) -> float:
        """Learn from each state in so many rounds; returns the mean squared error.

        The error is that on a tenth of the states, which are not learned from. Each batch is
        replaced by one of its images under a symmetry of the rules; ``images`` are the orders of
        fluents. ``check`` is called before each batch.
        """
        numbers = np.arange(len(sample.worth))
        learned = numbers[numbers % 10 != 0]
        count, adam = len(learned), _Adam(self.parameters)
        size = min(_BATCH_STATES, max(_SMALL_BATCH_STATES, count // _ROUND_BATCHES))
        steps = rounds * -(-count // size)
        for _ in range(rounds):
            order = self._rng.permutation(learned)
            for first in range(0, count, size):
                check()
                chosen = order[first : first + size]
                image = images[int(self._rng.integers(len(images)))]
                slopes = self._slopes(*sample.some(chosen, image))
                adam.step(slopes, max(0.02, 1 - adam.steps / steps))
                np.clip(
                    self.parameters["hidden"],
                    -_HIGHEST_WEIGHT,
                    _HIGHEST_WEIGHT,
                    out=self.parameters["hidden"],
                )
        return self._error(*sample.some(numbers[numbers % 10 == 0]))

    def _units(self, columns: Floats) -> Floats:
        """The outputs of the hidden units, from 0 to 1."""
        inputs = columns[:, : 1 + len(self._fluents)] @ self.parameters["hidden"]
        return np.clip(inputs, 0, 1, out=inputs)

    def _wrong(self, columns: Floats, worth: Floats, units: Floats) -> Floats:
        """What is expected of each state, less what it is worth."""
        logits = columns @ self.parameters["linear"] + units @ self.parameters["outputs"]
        wrong: Floats = 1 / (1 + np.exp(-np.clip(logits, -30, 30))) - worth
        return wrong

    def _slopes(self, columns: Floats, worth: Floats) -> Parameters:
        """The derivatives of the mean loss."""
        units = self._units(columns)
        wrong = self._wrong(columns, worth, units) / len(worth)
        below = np.outer(wrong, self.parameters["outputs"]) * ((units > 0) & (units < 1))
        return {
            "linear": columns.T @ wrong,
            "hidden": columns[:, : 1 + len(self._fluents)].T @ below,
            "outputs": units.T @ wrong,
        }

    def _error(self, columns: Floats, worth: Floats) -> float:
        wrong = self._wrong(columns, worth, self._units(columns))
        return float(np.mean(wrong**2)) if len(wrong) else 0.0

    # --- the weights of a value -------------------------------------------------------------------

    def weights(self, places: Sequence[int], sign: int) -> PhaseWeights:
        """The weights as whole numbers, of each fluent's image under a symmetry.

        ``sign`` is -1 if it exchanges the roles.
        """
        names = [self._fluents[place] for place in places]
        linear = np.rint(sign * SCORE_UNIT * self.parameters["linear"]).astype(int).tolist()
        hidden = OUTPUT_CEILING * self.parameters["hidden"]
        hidden = hidden * np.minimum(1, _HIGHEST / np.abs(hidden).sum(axis=0))
        constants, *rows = np.rint(hidden).astype(int).tolist()
        outputs = np.rint(sign * _OUT * self.parameters["outputs"])
        moves = linear[len(linear) - MOVES :]
        return PhaseWeights(
            linear[0],
            {name: each for name, each in zip(names, linear[1:-MOVES], strict=True) if each},
            [moves[:2], moves[2:]] if any(moves) else [],
            constants,
            dict(zip(names, rows, strict=True)),
            np.clip(outputs, -_HIGHEST, _HIGHEST).astype(int).tolist(),
        )

    def take(self, weights: PhaseWeights) -> None:
        """Go on with weights that were learned before."""
        linear = [weights.constant, *(weights.fluents.get(name, 0) for name in self._fluents)]
        moves = np.ravel(weights.mobility) if weights.mobility else np.zeros(MOVES)
        self.parameters["linear"][:] = np.concatenate([linear, moves]) / SCORE_UNIT
        if weights.outputs:
            rows = [weights.hidden.get(name, [0] * HIDDEN_UNITS) for name in self._fluents]
            self.parameters["hidden"][:] = np.array([weights.constants, *rows]) / OUTPUT_CEILING
            self.parameters["outputs"][:] = np.array(weights.outputs) / _OUT
