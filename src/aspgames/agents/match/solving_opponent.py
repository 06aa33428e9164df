"""The opponent that plays by the solver."""

from __future__ import annotations

from ...puzzle.prospects import FOREVER, Better, longest, prospects, quickest
from ...puzzle.question import others
from ...puzzle.solved import Position, Solved
from ...runtime.errors import AspgamesError, Interrupted, LimitReached
from .match import Match
from .opponent import Choice, PlayerKind, at_random, chance
from .study import Study


class Solver:
    """Plays a puzzle perfectly, and a game as well as it can within its time.

    As a puzzle's defender it holds out as long as possible. As its attacker it needs the fewest
    turns; if the goal isn't forced, it leaves the fewest replies that hold. In a game it plays a
    forced win if it finds one, and avoids moves that provably lose. If all moves lose, it plays one
    that loses latest. The seed decides between equally good moves.
    """

    kind = PlayerKind.SOLVER

    def __init__(self, study: Study, seconds: float | None, seed: int = 0) -> None:
        """``seconds`` is the time for each move, without making a net; None for no limit."""
        self._study = study
        self._seconds = seconds
        self._seed = seed

    def choose(self, match: Match) -> Choice:
        """A move; after a limit or a stop, the best move known."""
        rules = match.state.consequences
        mover, *others = rules.movers
        if others:
            note = "" if rules.forced else "at random: several roles move at once"
            return at_random(self._seed, match, note)
        legal = match.state.legal[mover]
        if len(legal) == 1:
            return Choice(legal[0].term)
        try:
            ranked, note = self._ranked(match)
        except (AspgamesError, Interrupted) as error:
            why = "stopped" if isinstance(error, Interrupted) else str(error)
            ranked, note = {move.term: () for move in legal}, f"at random: {why}"
        best = min(ranked.values())
        moves = [move for move, rank in ranked.items() if rank == best]
        return Choice(chance(self._seed, match).choice(moves), note)

    def _ranked(self, match: Match) -> tuple[dict[str, tuple[float, ...]], str]:
        """The rank of each move, where the lowest is the best, and a note."""
        mover = match.state.to_move or ""
        if match.puzzle is None:
            return self._in_game(match, mover), ""
        search = self._search(match, match.puzzle.attacker)
        verdict = search.run().verdict
        note = "not certain: stopped, or out of time" if verdict == "unknown" else ""
        attacks = mover == match.puzzle.attacker
        if attacks and verdict == "not_forced":
            return _replies_that_hold(search), ""
        return _ranks(search, quickest if attacks else longest), note

    def _in_game(self, match: Match, mover: str) -> dict[str, tuple[float, ...]]:
        attack = self._search(match, mover)
        attack.run()
        if any(prospect.most < FOREVER for prospect in prospects(attack)):
            return _ranks(attack, quickest)
        other, *_ = others(match.state.game.roles, mover)
        defence = self._search(match, other)
        defence.look_at_moves()
        if all(prospect.most < FOREVER for prospect in prospects(defence)):
            defence.run()  # finds the moves that lose latest
        return _ranks(defence, longest)

    def _search(self, match: Match, attacker: str) -> Solved:
        shares = 2 if match.puzzle is None else 1
        seconds = self._seconds and self._seconds / shares
        return self._study.search(match.point, attacker, seconds)


def _ranks(solved: Solved, better: Better) -> dict[str, tuple[float, ...]]:
    return {prospect.move: better(prospect) for prospect in prospects(solved)}


def _replies_that_hold(solved: Solved) -> dict[str, tuple[float, ...]]:
    """The number of replies that hold after each turn, by the turn's first move.

    Moves that end play, and moves not searched in time, come last.
    """

    def holding(position: Position, turns: float) -> float:
        if position.over:
            return FOREVER
        after = [child for _, child in position.children()]
        if position.attacks:
            return min(holding(child, position.turns_after(child, turns)) for child in after)
        return sum(not position.forced_after(child, turns) for child in after)

    root = solved.root
    children = root.children()
    ranks: dict[str, tuple[float, ...]] = {move: (FOREVER,) for move, _ in children}
    try:
        for move, child in children:
            ranks[move] = (holding(child, root.turns_after(child, solved.turns_left)),)
    except (LimitReached, Interrupted):
        pass  # the moves searched so far decide
    return ranks
