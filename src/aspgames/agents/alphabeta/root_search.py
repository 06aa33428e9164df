"""Iterative deepening from one state, in portions, with any number of best moves."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ...propnet.gate_tables import Tables
from ...propnet.single_state import Single
from ...runtime.budget import Budget
from ...runtime.errors import BadRequest
from .alphabeta_search import NO_LIMIT, AlphaBeta
from .learned_value import SCORE_UNIT, SURE_SCORE, WON_SCORE

_DEEPEST_PLIES = 60  # plies
_MARGIN_PLIES = 2  # plies that ``deepest`` may exceed the length of play
_PORTION_SECONDS = 0.05  # the longest call of the kernel [s]: a stop has to wait for it
_EVALUATIONS = 256  # of a call, if states are counted: so runs are repeatable


@dataclass
class RootMove:
    """A move of the root."""

    term: str
    row: bytes
    """The state after it."""
    score: int
    """The mover's score; for a move that isn't among the best ones, an upper bound."""
    is_lost: bool = False
    """Whether the other side was proven to win after it, by another search."""


class RootSearch:
    """Searches the moves of one state, deeper and deeper."""

    def __init__(
        self,
        search: AlphaBeta,
        single: Single,
        row: bytes,
        role: int,
        moves: Mapping[str, int],
        age: int,
    ) -> None:
        """``moves`` are the numbers of the role's moves, by term.

        Raises ``BadRequest`` if another role has a choice, too.
        """
        self._search, self._age = search, age
        self._sign = -1 if role else 1
        rows = [single.play_one(row, role, number) for number in moves.values()]
        after = [each for each in rows if each is not None]
        if len(after) < len(rows):
            raise BadRequest("several roles choose at once")
        scores = self._sign * search.scores(
            np.frombuffer(b"".join(after), np.uint64).reshape(len(after), -1)
        )
        self.moves = [
            RootMove(term, each, _above(score))
            for term, each, score in zip(moves, after, scores.tolist(), strict=True)
        ]
        """The moves, the best one first."""
        self.moves.sort(key=lambda move: -move.score)
        self.is_whole = False
        """Whether all lines were searched to their ends."""
        self.depth = self.deepest = self.states = 0
        """The completed depth, the longest line [plies], and the states evaluated so far."""

    @property
    def best(self) -> RootMove:
        """The best move so far."""
        return self.moves[0]

    @property
    def share(self) -> float:
        """The expected goal of the mover, from 0 to 1."""
        return share_of(self.best.score)

    def lose(self, terms: Collection[str]) -> None:
        """Put moves last that were proven to lose."""
        for move in self.moves:
            move.is_lost |= move.term in terms
        self.moves.sort(key=lambda move: move.is_lost)

    @property
    def is_decided(self) -> bool:
        """Whether deeper searches would change nothing: a proven win, or no other move holds."""
        if self.is_whole or self.best.score > SURE_SCORE:
            return True
        open_ = [move for move in self.moves if not move.is_lost and move.score >= -SURE_SCORE]
        return len(open_) == 0 or (len(open_) == 1 and open_[0] is self.best and self.depth > 1)

    def deepen(self, budget: Budget, lines: int = 1, most: float = math.inf) -> Iterator[None]:
        """Yield whenever the best move has changed, and after each depth.

        ``lines`` is the number of moves with exact scores. The search ends with the budget, which
        raises, or after ``most`` states.
        """
        for depth in range(1, _DEEPEST_PLIES):
            done: list[tuple[RootMove, int]] = []
            self.deepest = 1
            for move in list(self.moves):
                ranked = sorted((score for each, score in done if not each.is_lost), reverse=True)
                least = ranked[lines - 1] if len(ranked) >= lines else -WON_SCORE
                score = (
                    move.score if move.is_lost else self._below(move, depth, least, budget, most)
                )
                if score is None:
                    return
                done.append((move, score))
                # All lines have scores of one depth.
                if len(done) == lines or (
                    len(done) > lines and score > max(ranked, default=WON_SCORE)
                ):
                    self._accept(done)
                    if len(done) > 1:
                        yield
            self.depth = depth
            self.is_whole = self.deepest < depth - _MARGIN_PLIES
            self._accept(done)
            yield
            if self.is_whole or self.states >= most:
                return

    def _accept(self, done: list[tuple[RootMove, int]]) -> None:
        """Give moves the scores of this depth. They come first, by these scores."""
        for move, score in done:
            move.score = score
        ahead = sorted((move for move, _ in done), key=lambda move: (move.is_lost, -move.score))
        found = {id(move) for move in ahead}
        rest = [move for move in self.moves if id(move) not in found]
        self.moves = [*(m for m in ahead if not m.is_lost), *rest, *(m for m in ahead if m.is_lost)]

    def _below(
        self, move: RootMove, depth: int, least: int, budget: Budget, most: float
    ) -> int | None:
        """A move's score, seen by the mover; None if ``most`` states are evaluated before."""
        if depth == 1:
            return move.score
        if least > -WON_SCORE:
            score = self._ask(move, depth, least, least + 1, budget, most)
            if score is None or score <= least:
                return score
        return self._ask(move, depth, least, WON_SCORE, budget, most)

    def _ask(
        self, move: RootMove, depth: int, low: int, high: int, budget: Budget, most: float
    ) -> int | None:
        window = _below_root(low), _below_root(high)
        if self._sign < 0:
            window = -window[1], -window[0]
        counted = most < math.inf
        while True:
            budget.check()
            if self.states >= most and self.depth:
                return None
            left = min(_PORTION_SECONDS, budget.seconds_left)
            answer = self._search.run(
                move.row,
                depth - 1,
                *window,
                most=_EVALUATIONS if counted else NO_LIMIT,
                seconds=0.0 if counted else max(left, 1e-4),
                age=self._age,
            )
            self.states += answer.states
            self.deepest = max(self.deepest, answer.deepest + 1)
            if answer.is_done:
                return _above(self._sign * answer.score)


def share_of(score: int) -> float:
    """The expected goal for a score, from 0 to 1."""
    if abs(score) > SURE_SCORE:
        return float(score > 0)
    return 1 / (1 + math.exp(-score / SCORE_UNIT))


def plies_to_end(score: int) -> int | None:
    """The plies of a proven win or loss, None without a proof."""
    return WON_SCORE - abs(score) if abs(score) > SURE_SCORE else None


def _above(score: int) -> int:
    """A score after a ply, seen before it: wins are a ply farther."""
    return score - (score > SURE_SCORE) + (score < -SURE_SCORE)


def _below_root(score: int) -> int:
    return score + (score > SURE_SCORE) - (score < -SURE_SCORE)


def value_tables(tables: Tables) -> bool:
    """Whether a net's states can be searched with a value: two roles, and a closed net."""
    return tables.roles == 2 and tables.after == tables.fluents
