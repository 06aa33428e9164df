"""The main play: the lines after the key in which the defender holds out longest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from ..puzzle.solved import Position
from .bounded_search import BoundedSearch
from .judgement import Dual, Try

_MOST_NODES = 300
_EFFORT = 3000  # evaluations for a question; an undecided move doesn't count as a try


class MainPlay:
    """The lines after one key, with the attacker's first best move in each position."""

    def __init__(self, ask: BoundedSearch, root: Position, distance: int, key: str) -> None:
        """Raises ``Undecided``, and ``LimitReached`` if the budget is over."""
        self._ask, self._left = ask, _MOST_NODES
        self._met: set[tuple[Position, float]] = set()
        self.duals: list[Dual] = []
        """Turns with several best moves, among the positions examined."""
        self.line: tuple[str, ...] = ()
        """The first line, in the game's own notation."""
        self.variations: dict[str, int] = {}
        """The number of replies to the key, by the turns in which they lose (the key included)."""
        after = dict(root.children())[key]
        text = ask.state(root).move_text(key)
        self._below(after, root.turns_after(after, distance - 1), (text,))

    def _below(self, position: Position, turns: float, line: tuple[str, ...]) -> None:
        if position.goal_reached:
            self.line = self.line or line
            return
        if self.line and (self._left <= 0 or (position, turns) in self._met):
            return
        if not position.attacks and not self.variations:
            self.variations = self._lengths(position)
        self._left -= 1
        self._met.add((position, turns))
        best, state = list(self._best(position, turns)), self._ask.state(position)
        if position.attacks and len(best) > 1:
            texts = tuple(state.move_text(move) for move, _ in best)
            self.duals.append(Dual(line, texts, int(turns) + 1))
        for move, child in best[: 1 if position.attacks else None]:
            after = position.turns_after(child, turns)
            self._below(child, after, (*line, state.move_text(move)))

    def _lengths(self, position: Position) -> dict[str, int]:
        found: Counter[int] = Counter()
        for _, child in position.children():
            turns = 0
            while not self._ask(child, position.turns_after(child, turns)):
                turns += 1
            found[turns + 1] += 1
        return {str(turns): number for turns, number in sorted(found.items())}

    def _best(self, position: Position, turns: float) -> Iterator[tuple[str, Position]]:
        """The best moves, if ``turns`` turns are just enough."""
        for move, child in position.children():
            if position.attacks:
                best = self._ask(child, position.turns_after(child, turns))
            else:
                # Without turns left, all replies are equal.
                later = turns == 0 or position.turns_after(child, turns - 1)
                best = later is True or not self._ask(child, later)
            if best:
                yield move, child


def tries(
    ask: BoundedSearch, root: Position, distance: int, keys: Collection[str]
) -> Iterator[Try]:
    """The moves that only one reply refutes."""
    for move, child in root.children():
        if move in keys or child.goal_reached or child.over or child.attacks:
            continue
        turns = root.turns_after(child, distance - 1)
        replies = child.children()
        refuting: list[str] = []
        for reply, position in replies:
            found = ask.seems(position, child.turns_after(position, turns), _EFFORT)
            if found is None:
                refuting = []
                break
            if not found:
                refuting.append(reply)
                if len(refuting) > 1:
                    break
        if len(refuting) == 1 < len(replies):
            text = ask.state(root).move_text(move)
            yield Try(text, ask.state(child).move_text(refuting[0]))


def slower(ask: BoundedSearch, root: Position, distance: int, keys: Collection[str]) -> list[str]:
    """The moves that force the goal one turn later."""
    return [
        move
        for move, child in root.children()
        if move not in keys and ask.seems(child, root.turns_after(child, distance), _EFFORT)
    ]


def natural(ask: BoundedSearch, root: Position, keys: Collection[str]) -> list[str]:
    """The failing moves that look at least as good as the key, one move ahead.

    A move looks better if it captures more pieces, or else leaves the other side fewer moves.
    """
    words = ask.puzzle.state.game.vocabulary
    other = ask.puzzle.defender

    def look(child: Position) -> tuple[int, int]:
        over = child.goal_reached or child.over
        if child.attacks and other and not over:  # looks ahead to the end of the turn
            return min((look(after) for _, after in child.children()), default=(0, 0))
        contents = map(words.content, child.fluents)
        pieces = sum(words.owner(content or "") == other for content in contents)
        return pieces, 0 if over else len(child.children())

    looks = {move: look(child) for move, child in root.children()}
    best = min(looks[key] for key in keys)
    return [move for move, seen in looks.items() if move not in keys and seen <= best]
