"""Learns the value of a game's states by play alone.

The first weights are fitted to the results of random games. Then the search plays against itself:
the best weights so far against the latest ones, and the winner is kept. The next weights are fitted
to all these games. Each fit is a logistic regression with
a penalty on large weights, by Newton's method (Buro 1995, "Statistical feature combination for the
evaluation of game positions", fits results of games in the same way).
"""

import itertools
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...propnet.gate_tables import Tables, places_of
from ...propnet.lanes import ALL_PLAYABLE, Flags, Ints, Lanes, Rows
from ...propnet.single_state import Single
from ...runtime.budget import Budget
from ...runtime.errors import BadRequest, Interrupted, LimitReached
from .alphabeta_search import AlphaBeta, SearchAnswer
from .linear_value import (
    SURE,
    UNIT,
    LinearValue,
    PhaseWeights,
    ValueArrays,
    move_shapes,
    turns_of,
)

Floats = npt.NDArray[np.float64]
Symmetry = tuple[Sequence[int], bool]
"""The image of each fluent, and whether the roles are exchanged."""

_SIDE_BY_SIDE = 512  # random games at a time
_MOST_PLIES = 400  # longer games are broken off
_MOST_STATES = 100_000  # for one fit of a phase
_PENALTY = 10.0  # on the squared weights; features are 0 or 1
_STEPS = 12  # of Newton's method
_DEEPEST = 20  # plies of the search in self-play
_OPENING = 12  # at most so many random plies at the start of a game
_SURPRISE = 0.03  # the share of random moves later
_GENERATIONS = 10  # of a given number of games
_LONGEST = 20.0  # the longest time to play for one generation [s]
_KEPT = 500_000  # states of the latest games
_GAIN = 0.9  # moves count if they reduce the error on states left out of the fit to this part


class _Generation(NamedTuple):
    """Games of self-play."""

    evaluations: int
    """Of a search."""
    trust: float
    """The weight of the search's score, beside the result of the game."""


def _generation(number: int) -> _Generation:
    """At first, only results are known to be true. Later, scores vary less."""
    if number <= 2:
        return _Generation(10, 0.0)
    return _Generation(40, 0.5) if number <= 6 else _Generation(100, 0.75)


@dataclass
class Examples:
    """States, and what they are worth for the first role, from 0 to 1."""

    rows: Rows
    worth: Floats

    @staticmethod
    def join(parts: "Sequence[Examples]") -> "Examples":
        """All examples."""
        return Examples(
            np.concatenate([part.rows for part in parts]),
            np.concatenate([part.worth for part in parts]),
        )


@dataclass(frozen=True)
class TrainingStep:
    """A step of the training."""

    value: LinearValue
    generation: int
    """0: fitted to random games."""
    games: int
    """All games so far."""
    error: float
    """The mean squared error of the fit, of values from 0 to 1."""


def train(
    tables: Tables,
    start: bytes,
    budget: Budget,
    seed: int = 0,
    games: int | None = None,
    symmetries: Sequence[Symmetry] = (),
    first: LinearValue | None = None,
) -> Iterator[TrainingStep]:
    """Yield better and better weights until the budget ends.

    ``games`` is the number of games of self-play; then the result does not depend on time. Weights
    are the same for all images of a fluent under ``symmetries``, which form a group. Self-play
    begins with the weights ``first``, or with those from random games.

    Raises ``BadRequest`` for a game whose two roles don't move one at a time and for weights of
    another game, and ``LimitReached`` if there is no time for the first weights.
    """
    if tables.roles != 2:
        raise BadRequest("values are learned for games of two roles that move one at a time")
    if first and not first.fluents & set(tables.names.fluents):
        raise BadRequest("the first weights are of another game: they have none of its fluents")
    trainer = _Trainer(tables, start, seed, symmetries)
    seconds = budget.seconds_left
    trainer.play_at_random(budget, None if games is not None else 0.1 * seconds)
    error = trainer.fit(0, first)
    yield TrainingStep(trainer.best, 0, trainer.games, error)
    try:
        share = None if games is not None else min(_LONGEST, 0.06 * seconds)
        for number in itertools.count(1):
            generation = _generation(_GENERATIONS if first else number)
            wanted = None if games is None else -(-games // _GENERATIONS)
            trainer.play_itself(budget, generation, share, wanted)
            yield TrainingStep(trainer.best, number, trainer.games, error)
            if number == _GENERATIONS and games is not None:
                return
            error = trainer.fit(number)
    except (Interrupted, LimitReached):
        return


class _Trainer:
    def __init__(
        self, tables: Tables, start: bytes, seed: int, symmetries: Sequence[Symmetry]
    ) -> None:
        self._tables, self._start, self._seed = tables, start, seed
        self._symmetries = symmetries
        self._random = random.Random(seed)
        self._turns = turns_of(tables)
        self._lanes, self._single = Lanes(tables), Single(tables)
        self._taken: dict[str, list[str]] = {}
        self._chosen: dict[tuple[int, int], bool] = {}
        self._examples: Examples | None = None
        self._latest = LinearValue({turn: PhaseWeights() for turn in self._turns})
        self.best = self._latest
        self._played: list[Examples] = []
        self.games = 0

    # --- games ------------------------------------------------------------------------------------

    def play_at_random(self, budget: Budget, seconds: float | None) -> None:
        """Play random games, and note which fluents moves end."""
        began, found = budget.seconds, 0
        parts: list[Examples] = []
        ended: dict[int, set[int]] = {}
        while not parts or (
            found < len(self._turns) * _MOST_STATES / 2
            and (seconds is None or budget.seconds - began < seconds)
        ):
            budget.check()
            part = self._random_games(ended, budget)
            parts.append(part)
            found += len(part.rows)
            if not len(part.rows):
                break
        self._examples = Examples.join(parts)
        names = self._tables.names
        self._taken = {
            names.terms[move]: sorted(names.fluents[f] for f in fluents)
            for move, fluents in sorted(ended.items())
        }

    def _random_games(self, ended: dict[int, set[int]], budget: Budget) -> Examples:
        count = _SIDE_BY_SIDE
        rng = np.random.default_rng((self._seed, self.games))
        keys = rng.integers(1 << 63, size=count, dtype=np.uint64)
        rows: Rows = np.tile(np.frombuffer(self._start, np.uint64), (count, 1))
        worth, over = np.full(count, np.nan), np.zeros(count, np.bool_)
        history: list[tuple[Rows, Flags]] = []
        for ply in range(_MOST_PLIES):
            budget.check()
            terminal = np.empty(count, np.bool_)
            goals, choices = (np.zeros((count, 2), np.int32) for _ in range(2))
            answers = {"terminal": terminal, "goals": goals, "choices": choices, "keys": keys}
            self._lanes.fill(rows, answers, ALL_PLAYABLE, ply)
            stuck = ~terminal & (choices < 0).any(axis=1)
            new = (terminal | stuck) & ~over
            worth[new] = 0.5 + (goals[new, 0] - goals[new, 1]) / 200
            over |= new
            if over.all():
                break
            history.append((rows, ~over))
            playing = np.flatnonzero(~over)
            after = rows.copy()
            after[playing] = self._lanes.play(
                np.ascontiguousarray(rows[playing]), np.ascontiguousarray(choices[playing])
            )
            self._note_ended(ended, rows[playing], after[playing], choices[playing])
            rows = after
        self.games += count
        found, values = [], []
        for states, alive in history:
            known = alive & ~np.isnan(worth)
            found.append(states[known])
            values.append(worth[known])
        return Examples(np.concatenate(found or [rows[:0]]), np.concatenate(values or [worth[:0]]))

    def _note_ended(
        self, ended: dict[int, set[int]], rows: Rows, after: Rows, choices: Ints
    ) -> None:
        """Note the other side's fluents that ended by moves: they name its role, not the mover."""
        masks = self._owned()
        for role in (0, 1):
            lost = rows & ~after & masks[1 - role]
            for state in np.flatnonzero(lost.any(axis=1)):
                move = int(choices[state, role])
                if not self._is_choice(role, move, rows[state].tobytes()):
                    continue
                ended.setdefault(move, set()).update(places_of(lost[state].tobytes()))

    def _is_choice(self, role: int, move: int, row: bytes) -> bool:
        """Whether a move was one of several when it was first seen: waiting ends nothing."""
        if (role, move) not in self._chosen:
            legal = self._choices(row)
            self._chosen[role, move] = legal is not None and len(legal[role]) > 1
        return self._chosen[role, move]

    def _owned(self) -> Rows:
        """The fluents that name each role, other than those that name a phase."""
        names, rows = self._tables.names, []
        for role in names.roles:
            row = sum(
                1 << number
                for number, fluent in enumerate(names.fluents)
                if role in re.findall(r"\w+", fluent) and fluent not in self._turns
            )
            rows.append(np.frombuffer(row.to_bytes(self._tables.row_bytes, "little"), np.uint64))
        return np.array(rows)

    def play_itself(
        self, budget: Budget, generation: _Generation, seconds: float | None, games: int | None
    ) -> None:
        """Play games of the best weights so far against the latest ones, and keep the winner.

        The games are joined to those before.
        """
        searches = [
            AlphaBeta(self._tables, ValueArrays.of(value, self._tables), 2.0**22)
            for value in (self.best, self._latest)
        ]
        first, parts, began = searches[0], list[Examples](), budget.seconds
        played, lead = 0, 0.0
        while (games is None or played < games) and (
            seconds is None or budget.seconds - began < seconds
        ):
            budget.check()
            part, result = self._own_game(searches, generation)
            parts.append(part)
            lead += (1 - 2 * result) * (1 if searches[0] is first else -1)
            searches.reverse()
            played += 1
        self.games += played
        if lead > 0:
            self.best = self._latest
        if played:  # a fit to the last generation alone forgets what it learned before
            self._played += parts
            kept = np.cumsum([len(part.worth) for part in reversed(self._played)]) <= _KEPT
            self._played = self._played[len(kept) - max(1, int(kept.sum())) :]
            self._examples = Examples.join(self._played)

    def _own_game(
        self, searches: Sequence[AlphaBeta], generation: _Generation
    ) -> tuple[Examples, float]:
        """A game between two searches, one for each role; and what it was worth for the first."""
        rng, row = self._random, self._start
        opening = rng.randrange(_OPENING + 1)
        rows, scores, result = [], [], 0.5
        for ply in range(_MOST_PLIES):
            choices = self._choices(row)
            if choices is None:
                last = searches[0].scores(np.frombuffer(row, np.uint64).reshape(1, -1))
                result = float(_worth_of_score(int(last[0])))
                break
            made = [legal[0] for legal in choices]
            role = next((role for role in (0, 1) if len(choices[role]) > 1), None)
            if role is None:
                row = self._single.play(row, made)
                continue
            if ply < opening or rng.random() < _SURPRISE:
                made[role] = rng.choice(choices[role])
            else:
                answer = self._searched(searches[role], row, generation.evaluations)
                made[role] = answer.move
                rows.append(row)
                scores.append(answer.score)
            row = self._single.play(row, made)
        found = np.frombuffer(b"".join(rows), np.uint64).reshape(-1, len(row) // 8)
        searched = _worth_of_score(np.array(scores, np.int64))
        proven = np.abs(np.array(scores, np.int64)) > SURE
        trust = np.where(proven, 1.0, generation.trust)
        return Examples(found, trust * searched + (1 - trust) * result), result

    def _searched(self, search: AlphaBeta, row: bytes, evaluations: int) -> SearchAnswer:
        """Search deeper and deeper, while a depth takes at most so many evaluations."""
        best = search.run(row, 1, age=self.games)
        for depth in range(2, _DEEPEST):
            if abs(best.score) > SURE or best.deepest < depth - 2:
                break
            answer = search.run(row, depth, most=evaluations, age=self.games)
            if not answer.is_done:
                break
            best = answer
        return best

    def _choices(self, row: bytes) -> list[list[int]] | None:
        """The moves of each role; None if the game is over."""
        said = self._single.ask(row)
        ends = [said[4 + 3 * role : 6 + 3 * role] for role in (0, 1)]
        if said[0] or any(first == end for first, end in ends):
            return None
        return [[each >> 1 for each in said[first:end]] for first, end in ends]

    # --- fitting ----------------------------------------------------------------------------------

    def fit(self, generation: int, instead: LinearValue | None = None) -> float:
        """Fit new weights to the examples; returns the mean squared error.

        ``instead`` replaces these weights.
        """
        examples = self._examples
        assert examples is not None
        tables = self._tables
        noting = ValueArrays.of(LinearValue({}, self._taken), tables, others=True)
        search = AlphaBeta(tables, noting, 2.0**10)
        fits, errors = {}, []
        places = self._phases(examples.rows)
        for number in range(len(self._turns)):
            chosen = np.flatnonzero(places == number)
            if len(chosen) > _MOST_STATES:
                rng = np.random.default_rng((self._seed, generation, number))
                chosen = np.sort(rng.choice(chosen, _MOST_STATES, replace=False))
            if not len(chosen):
                continue
            rows = np.ascontiguousarray(examples.rows[chosen])
            mobility, threats = search.features(rows)
            matrix = np.concatenate(
                [
                    np.ones((len(rows), 1), np.float32),
                    _bits(rows, tables.fluents),
                    move_shapes(mobility).reshape(len(rows), -1),
                    _bits(threats[:, 0].copy(), tables.fluents),
                    _bits(threats[:, 1].copy(), tables.fluents),
                ],
                axis=1,
                dtype=np.float32,
            )
            fits[number], error = _better_fit(matrix, 1 + tables.fluents, examples.worth[chosen])
            errors.append(error)
        phases = {
            self._turns[number]: self._named(weights)
            for number, weights in self._symmetrical(fits).items()
        }
        has_threats = any(side for phase in phases.values() for side in phase.threats)
        taken = self._taken if has_threats else {}
        self._latest = instead or LinearValue(phases, taken, self.games)
        if not generation:
            self.best = self._latest
        return float(np.mean(errors or [0]))

    def _symmetrical(self, fits: Mapping[int, Floats]) -> Mapping[int, Floats]:
        """The means of the weights of each phase and of their images."""
        count, turns = self._tables.fluents, self._phase_fluents()
        images = {number: [weights] for number, weights in fits.items()}
        for goes, exchange in self._symmetries:
            fluents = np.array(goes)
            places = np.arange(3 * count + 5)
            for first in (1, count + 5, 2 * count + 5):
                places[first : first + count] = first + fluents
            for number, weights in fits.items():
                image = np.empty_like(weights)
                image[places] = -weights if exchange else weights
                there = turns.index(goes[turns[number]]) if number < len(turns) else number
                images.setdefault(there, []).append(image)
        return {number: np.mean(each, axis=0) for number, each in images.items()}

    def _phase_fluents(self) -> list[int]:
        return [self._tables.names.fluents.index(turn) for turn in self._turns[:-1]]

    def _phases(self, rows: Rows) -> Ints:
        numbers = self._phase_fluents()
        held = np.array(
            [rows[:, n // 64] >> np.uint64(n % 64) & np.uint64(1) for n in numbers]
        ).reshape(len(numbers), len(rows))
        found = np.full(len(rows), len(numbers), np.int32)
        if numbers:
            alone = held.sum(axis=0) == 1
            found[alone] = held.argmax(axis=0)[alone]
        return found

    def _named(self, weights: Floats) -> PhaseWeights:
        names, count = self._tables.names.fluents, self._tables.fluents
        numbers = np.rint(UNIT * weights).astype(int).tolist()
        constant, rest = numbers[0], numbers[1:]

        def named(part: Sequence[int]) -> Mapping[str, int]:
            return {name: each for name, each in zip(names, part, strict=True) if each}

        fluents, rest = rest[:count], rest[count:]
        mobility, rest = rest[:4], rest[4:]
        return PhaseWeights(
            constant,
            named(fluents),
            [mobility[:2], mobility[2:]],
            [named(rest[:count]), named(rest[count:])],
        )


def _worth_of_score(scores: Any) -> Floats:
    found: Floats = np.where(
        np.abs(scores) > SURE, scores > 0, 1 / (1 + np.exp(-np.asarray(scores) / UNIT))
    ).astype(np.float64)
    return found


def _bits(rows: Rows, count: int) -> npt.NDArray[np.float32]:
    bits = np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little")[:, :count]
    return bits.astype(np.float32)


def _better_fit(matrix: npt.NDArray[np.float32], plain: int, worth: Floats) -> tuple[Floats, float]:
    """Fit the first ``plain`` columns alone, and all of them; returns what is worth its time.

    The error is that on a tenth of the rows, which are not part of the fit.
    """
    left_out = np.arange(len(matrix)) % 10 == 0
    found = []
    for columns, every in ((plain, 1), (matrix.shape[1], 4)):
        rows = np.flatnonzero(~left_out)[::every]
        used = np.union1d([0], np.flatnonzero(matrix[rows, :columns].any(axis=0)))
        weights = np.zeros(matrix.shape[1])
        weights[used] = _regression(matrix[np.ix_(rows, used)], worth[rows])
        wrong = worth[left_out] - _chance(matrix[left_out], weights)
        found.append((weights, float(np.mean(wrong**2))))
    alone, together = found
    return together if together[1] < _GAIN * alone[1] else alone


def _regression(matrix: npt.NDArray[np.float32], worth: Floats) -> Floats:
    """Logistic regression with a penalty; returns the weights."""
    weights = np.zeros(matrix.shape[1])
    penalty = np.full(matrix.shape[1], _PENALTY)
    penalty[0] = 1e-3
    for _ in range(_STEPS):
        expected = _chance(matrix, weights)
        slope = matrix.T @ (worth - expected).astype(np.float32) - penalty * weights
        spread = np.maximum(expected * (1 - expected), 1e-4).astype(np.float32)
        curve = (matrix * spread[:, None]).T @ matrix + np.diag(penalty)
        step = np.linalg.solve(curve, slope)
        weights += step
        if np.abs(step).max() < 1e-3:
            break
    return weights


def _chance(matrix: npt.NDArray[np.float32], weights: Floats) -> npt.NDArray[Any]:
    return 1 / (1 + np.exp(-np.clip(matrix @ weights.astype(np.float32), -30, 30)))
