"""Learns the value of a game's states by play alone.

The first weights are fitted to the results of random games. Then the search plays against itself:
the best weights so far against the latest ones, and the winner is kept. The latest weights go on
learning from all these games (Buro 1995, "Statistical feature combination for the evaluation of
game positions", fits results of games in the same way).
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...propnet.gate_tables import Tables
from ...propnet.lanes import Ints, Rows
from ...propnet.threads import run as run_jobs
from ...runtime.budget import Budget
from ...runtime.errors import BadRequest, Interrupted, LimitReached
from .alphabeta_search import AlphaBeta
from .learned_value import LearnedValue, PhaseWeights, ValueArrays, move_shapes, turns_of
from .self_play import Examples, SelfPlay
from .value_fitting import MOVES, Network, PhaseStates

Symmetry = tuple[Sequence[int], bool]
"""The image of each fluent, and whether the roles are exchanged."""

_FIRST_STATES = 20_000  # for the first fit of a phase
_FEWEST_STATES = 20
_ROUNDS = 5  # through the states of a fit
_GENERATIONS = 10  # of a given number of games
_PLAY_SHARE = 0.06  # of the time, to play for one generation
_LONGEST_PLAY_SECONDS = 45.0  # for one generation [s]: a kill loses no more games than that
_KEPT_STATES = 4_000_000  # states of the latest games
_MOST_HELD_BYTES = 10**9  # values of fluents in the states of a fit [bytes]
_THREADS = 2  # that play, whatever the machine has: the games depend on it
_GAIN = 0.9  # moves count if they reduce the error to this part: they cost time


def _trust(generation: int) -> float:
    """At first, only results are known to be true. Later, scores vary less."""
    return 0.0 if generation <= 2 else 0.5 if generation <= 6 else 0.75


@dataclass(frozen=True)
class TrainingStep:
    """A step of the training."""

    value: LearnedValue
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
    first: LearnedValue | None = None,
) -> Iterator[TrainingStep]:
    """Yield better and better weights until the budget ends.

    ``games`` is the number of games of self-play; then the result does not depend on time. Images
    of states under ``symmetries``, which form a group, are learned from, too. Self-play begins with
    the weights ``first``, or with those from random games.

    Raises ``BadRequest`` for a game whose two roles don't move one at a time and for weights of
    another game, and ``LimitReached`` if there is no time for the first weights.
    """
    if tables.roles != 2:
        raise BadRequest("values are learned for games of two roles that move one at a time")
    if first and len(first.fluents - set(tables.names.fluents)) > len(first.fluents) / 2:
        raise BadRequest("the first weights are of another game: it has few of their fluents")
    trainer = _Trainer(tables, start, seed, symmetries)
    seconds = budget.seconds_left
    trainer.play_at_random(budget, None if games is not None else 0.1 * seconds)
    error = trainer.fit(0, budget, first)
    yield TrainingStep(trainer.best, 0, trainer.games, error)
    try:
        share = None if games is not None else min(_PLAY_SHARE * seconds, _LONGEST_PLAY_SECONDS)
        for number in itertools.count(1):
            trust = _trust(_GENERATIONS if first else number)
            wanted = None if games is None else -(-games // (_GENERATIONS * _THREADS))
            trainer.play_itself(budget, trust, share, wanted)
            yield TrainingStep(trainer.best, number, trainer.games, error)
            if number == _GENERATIONS and games is not None:
                return
            error = trainer.fit(number, budget)
    except (Interrupted, LimitReached):
        return


class _Series:
    """Games between the best weights and the latest ones, which exchange their roles."""

    def __init__(
        self,
        play: SelfPlay,
        values: Sequence[ValueArrays],
        trust: float,
        is_over: Callable[[int], bool],
    ) -> None:
        """``is_over`` says whether so many games are enough."""
        self._play, self._trust, self._is_over = play, trust, is_over
        self._searches = [play.search(value) for value in values]
        self.parts: list[Examples] = []
        self.lead = 0.0
        """By how many games the latest weights lead."""

    def step(self) -> bool:
        """Play a game; returns whether there are more to play."""
        played = len(self.parts)
        if self._is_over(played):
            return False
        order = 1 if played % 2 == 0 else -1
        part, result = self._play.against(self._searches[::order], self._trust)
        self.parts.append(part)
        self.lead += (1 - 2 * result) * order
        return True


class _Trainer:
    def __init__(
        self, tables: Tables, start: bytes, seed: int, symmetries: Sequence[Symmetry]
    ) -> None:
        self._tables, self._seed = tables, seed
        self._plays = [SelfPlay(tables, start, seed + number) for number in range(_THREADS)]
        self._turns = turns_of(tables)
        self._phases = _phases_of(self._turns, tables, symmetries)
        self._networks: dict[int, Network] = {}
        noting = ValueArrays.of(LearnedValue({}), tables, others=True)
        self._counting = AlphaBeta(tables, noting, 2.0**10)  # counts moves, and searches nothing
        self._uncounted: set[int] = set()
        self._examples: Examples | None = None
        self._latest = LearnedValue({turn: PhaseWeights() for turn in self._turns})
        self.best = self._latest
        self._played: list[Examples] = []

    @property
    def games(self) -> int:
        """The games so far."""
        return sum(play.games for play in self._plays)

    # --- games ------------------------------------------------------------------------------------

    def play_at_random(self, budget: Budget, seconds: float | None) -> None:
        """Play random games."""
        began, found = budget.seconds, 0
        parts: list[Examples] = []
        while not parts or (
            found < len(self._turns) * _FIRST_STATES
            and (seconds is None or budget.seconds - began < seconds)
        ):
            budget.check()
            part = self._plays[0].at_random(budget)
            parts.append(part)
            found += len(part.rows)
            if not len(part.rows):
                break
        self._examples = Examples.join(parts)

    def play_itself(
        self, budget: Budget, trust: float, seconds: float | None, games: int | None
    ) -> None:
        """Play games of the best weights so far against the latest ones, and keep the winner.

        The games are joined to those before.
        """
        until = None if seconds is None else budget.seconds + seconds

        def is_over(played: int) -> bool:
            return played == games if until is None else budget.seconds >= until

        values = [ValueArrays.of(value, self._tables) for value in (self.best, self._latest)]
        series = [_Series(play, values, trust, is_over) for play in self._plays]
        run_jobs(series, _THREADS, budget.check)
        if sum(each.lead for each in series) > 0:
            self.best = self._latest
        parts = [part for each in series for part in each.parts]
        if parts:  # a fit to the last generation alone forgets what it learned before
            self._played += parts
            kept = np.cumsum([len(part.worth) for part in reversed(self._played)]) <= _KEPT_STATES
            self._played = self._played[len(kept) - max(1, int(kept.sum())) :]
            self._examples = Examples.join(self._played)

    # --- fitting ----------------------------------------------------------------------------------

    def fit(self, generation: int, budget: Budget, instead: LearnedValue | None = None) -> float:
        """Learn from the examples, or take other weights; returns the mean squared error."""
        examples = self._examples
        assert examples is not None
        rng = np.random.default_rng((self._seed, generation))
        errors = []
        for number in sorted({phase.like for phase in self._phases}):
            most = _MOST_HELD_BYTES // self._tables.fluents if generation else _FIRST_STATES
            sample = self._sample(examples, number, most, rng)
            if len(sample.worth) < _FEWEST_STATES:
                continue
            if instead is not None:
                self._networks[number] = self._network_of(instead, number)
            if number in self._networks:
                network, images = self._networks[number], self._phases[number].images
                rounds = 0 if instead else _ROUNDS
                errors.append(network.fit(sample, images, rounds, budget.check))
            else:
                errors.append(self._fit_first(number, sample, budget))
        self._latest = LearnedValue(
            {
                turn: self._networks[phase.like].weights(phase.places, phase.sign)
                for turn, phase in zip(self._turns, self._phases, strict=True)
                if phase.like in self._networks
            },
            self.games,
        )
        if not generation:
            self.best = self._latest
        return float(np.mean(errors or [0]))

    def _new_network(self, number: int) -> Network:
        rng = np.random.default_rng((self._seed, number))
        return Network(self._tables.names.fluents, rng)

    def _network_of(self, value: LearnedValue, number: int) -> Network:
        network, weights = self._new_network(number), value.phases.get(self._turns[number])
        if weights is not None:
            network.take(weights)
        if weights is None or not weights.mobility:
            self._uncounted.add(number)
        return network

    def _fit_first(self, number: int, sample: PhaseStates, budget: Budget) -> float:
        """Fit the weights of fluents, and of the numbers of moves if they are worth their time."""
        images, networks, errors = self._phases[number].images, [], []
        for moves in (np.zeros_like(sample.moves), sample.moves):
            networks.append(self._new_network(number))
            counted = replace(sample, moves=moves)
            errors.append(networks[-1].fit(counted, images, _ROUNDS, budget.check))
        best = int(errors[1] < _GAIN * errors[0])
        if not best:
            self._uncounted.add(number)
        self._networks[number] = networks[best]
        return errors[best]

    def _sample(
        self, examples: Examples, number: int, most: int, rng: np.random.Generator
    ) -> PhaseStates:
        """States of a phase, and the images of those of other phases with its weights."""
        here, parts = self._phases_in(examples.rows), []
        same = [place for place, phase in enumerate(self._phases) if phase.like == number]
        for place in same:
            phase, chosen = self._phases[place], np.flatnonzero(here == place)
            if len(chosen) > most // len(same):
                chosen = np.sort(rng.choice(chosen, most // len(same), replace=False))
            rows = np.ascontiguousarray(examples.rows[chosen])
            moves = np.zeros((len(rows), MOVES), np.float32)
            if number not in self._uncounted and len(rows):
                moves[:] = move_shapes(self._counting.mobility(rows)).reshape(len(rows), MOVES)
            bits = np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little")
            worth = examples.worth[chosen].astype(np.float32)
            worth = worth if phase.sign > 0 else 1 - worth
            parts.append(PhaseStates(bits[:, phase.places], moves, worth))
        return PhaseStates(
            np.concatenate([part.held for part in parts]),
            np.concatenate([part.moves for part in parts]),
            np.concatenate([part.worth for part in parts]),
        )

    def _phases_in(self, rows: Rows) -> Ints:
        """The number of the phase of each state."""
        numbers = _turn_fluents(self._turns, self._tables)
        held = np.array(
            [rows[:, n // 64] >> np.uint64(n % 64) & np.uint64(1) for n in numbers]
        ).reshape(len(numbers), len(rows))
        found = np.full(len(rows), len(numbers), np.int32)
        if numbers:
            alone = held.sum(axis=0) == 1
            found[alone] = held.argmax(axis=0)[alone]
        return found


@dataclass(frozen=True)
class _PhaseOfPlay:
    """A phase, and the earlier one whose weights it shares by a symmetry: at least itself."""

    like: int
    places: Sequence[int]
    """For each fluent of that phase, its image in this one."""
    sign: int
    """-1 if the symmetry exchanges the roles."""
    images: Sequence[Ints]
    """The orders of fluents of its states' images, itself among them."""


def _phases_of(
    turns: Sequence[str], tables: Tables, symmetries: Sequence[Symmetry]
) -> list[_PhaseOfPlay]:
    numbers, same = _turn_fluents(turns, tables), range(tables.fluents)
    found = []
    for place in range(len(turns)):
        known = [
            (goes, exchange, like)
            for like in range(min(place + 1, len(numbers)))
            for goes, exchange in symmetries
            if place < len(numbers) and goes[numbers[like]] == numbers[place]
        ]
        images = [same, *(goes for goes, exchange, like in known if like == place and not exchange)]
        goes, exchange, like = next(
            (each for each in known if each[2] < place), (same, False, place)
        )
        orders = [np.array(image, np.int32) for image in images]
        found.append(_PhaseOfPlay(like, goes, -1 if exchange else 1, orders))
    return found


def _turn_fluents(turns: Sequence[str], tables: Tables) -> list[int]:
    return [tables.names.fluents.index(turn) for turn in turns[:-1]]
