"""Moves that fail: tries, which a single reply refutes, and natural moves, which look good."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ..puzzle.solved import Position
from .bounded_search import BoundedSearch
from .judgement import Try

_EFFORT = 3000  # evaluations for a question; an undecided move doesn't count as a try


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
