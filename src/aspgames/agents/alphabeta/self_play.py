"""Games from which a value is learned: random ones, and those of a search against itself."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...propnet.gate_tables import Tables
from ...propnet.lanes import Flags, Lanes, LegalScope, Rows
from ...propnet.single_state import Single
from ...runtime.budget import Budget
from .alphabeta_search import AlphaBeta, SearchAnswer
from .learned_value import SCORE_UNIT, SURE_SCORE, ValueArrays

Floats = npt.NDArray[np.float64]

_GAMES_TOGETHER = 512  # random games at a time
_MOST_PLIES = 400  # longer games are broken off
_EVALUATIONS = 10  # of a search in self-play, which reaches three or four plies
_DEEPEST_PLIES = 20  # plies at most
_TABLE_BYTES = 2.0**22
_OPENING_PLIES = 12  # at most so many random plies at the start of a game
_RANDOM_SHARE = 0.03  # the share of random moves later


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


class SelfPlay:
    """Plays games from a start, and counts them."""

    def __init__(self, tables: Tables, start: bytes, seed: int) -> None:
        """``start`` is the row of a state; ``seed`` decides the random moves."""
        self._start, self._seed, self._random = start, seed, random.Random(seed)
        self._tables, self._lanes, self._single = tables, Lanes(tables), Single(tables)
        self.games = 0
        """The games so far."""

    def at_random(self, budget: Budget) -> Examples:
        """The states of random games, side by side."""
        count = _GAMES_TOGETHER
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
            self._lanes.fill(rows, answers, LegalScope.ALL_PLAYABLE, ply)
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
            rows = after
        self.games += count
        found, values = [], []
        for states, alive in history:
            known = alive & ~np.isnan(worth)
            found.append(states[known])
            values.append(worth[known])
        return Examples(np.concatenate(found or [rows[:0]]), np.concatenate(values or [worth[:0]]))

    def search(self, value: ValueArrays) -> AlphaBeta:
        """A search for games."""
        return AlphaBeta(self._tables, value, _TABLE_BYTES)

    def against(self, searches: Sequence[AlphaBeta], trust: float) -> tuple[Examples, float]:
        """A game between two searches, one for each role; and what it was worth for the first.

        ``trust`` is the weight of a search's score in a state's worth, beside the game's result.
        """
        rng, row = self._random, self._start
        opening = rng.randrange(_OPENING_PLIES + 1)
        rows, scores, result = [], [], 0.5
        for ply in range(_MOST_PLIES):
            choices = self._choices(row)
            if choices is None:
                last = searches[0].scores(np.frombuffer(row, np.uint64).reshape(1, -1))
                result = float(_worth_of_score(int(last[0])))
                break
            made = [legal[0] for legal in choices]
            role = next((role for role in (0, 1) if len(choices[role]) > 1), None)
            if role is not None and (ply < opening or rng.random() < _RANDOM_SHARE):
                made[role] = rng.choice(choices[role])
            elif role is not None:
                answer = self._searched(searches[role], row)
                made[role] = answer.move
                rows.append(row)
                scores.append(answer.score)
                if abs(answer.score) > SURE_SCORE:  # the rest would be the way to a proven end
                    result = float(_worth_of_score(answer.score))
                    break
            row = self._single.play(row, made)
        self.games += 1
        found = np.frombuffer(b"".join(rows), np.uint64).reshape(-1, len(row) // 8)
        searched = _worth_of_score(np.array(scores, np.int64))
        proven = np.abs(np.array(scores, np.int64)) > SURE_SCORE
        weight = np.where(proven, 1.0, trust)
        return Examples(found, weight * searched + (1 - weight) * result), result

    def _searched(self, search: AlphaBeta, row: bytes) -> SearchAnswer:
        """Search deeper and deeper, while a depth takes few evaluations."""
        best = search.run(row, 1, age=self.games)
        for depth in range(2, _DEEPEST_PLIES):
            if abs(best.score) > SURE_SCORE or best.deepest < depth - 2:
                break
            answer = search.run(row, depth, most=_EVALUATIONS, age=self.games)
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


def _worth_of_score(scores: Any) -> Floats:
    found: Floats = np.where(
        np.abs(scores) > SURE_SCORE, scores > 0, 1 / (1 + np.exp(-np.asarray(scores) / SCORE_UNIT))
    ).astype(np.float64)
    return found
