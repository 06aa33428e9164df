"""Actions that stand for several moves, of which at most one is legal at a time."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..runtime.arguments import quote
from ..runtime.errors import BadRequest

_SIMPLE = r"[^(),]+"  # a number or a name


class ActionGroups:
    """The moves that share an action, because they differ only where a pattern has ``_``.

    >>> ActionGroups("drop(X,_)", ["drop(1,1)", "drop(1,2)", "drop(2,1)", "noop"]).actions
    3
    """

    def __init__(self, pattern: object, terms: Sequence[str], roles: Sequence[str] = ()) -> None:
        """Group moves, given as terms; ``roles`` are those of the moves, unless all have one.

        Moves of two roles share an action too. Raises ``BadRequest`` if no move matches.
        """
        if not isinstance(pattern, str):
            raise BadRequest(f"actions is a pattern of moves as drop(X,_), not {quote(pattern)}")
        self._pattern, self._terms = pattern, terms
        expression = re.compile(_expression_of(pattern))
        keys = [found.groups() if (found := expression.fullmatch(t)) else t for t in terms]
        if not any(isinstance(key, tuple) for key in keys):
            raise BadRequest(f"no move matches actions={quote(pattern)}; a move is {terms[0]}")
        numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        self.actions = len(numbers)
        """The number of actions."""
        groups = np.array([numbers[key] for key in keys])
        self._order = np.argsort(groups, kind="stable")
        self._starts = np.searchsorted(groups[self._order], np.arange(self.actions))
        self._members = {role: self._members_of(groups, role, roles) for role in {None, *roles}}

    def _members_of(
        self, groups: npt.NDArray[Any], role: str | None, roles: Sequence[str]
    ) -> npt.NDArray[np.intp]:
        """The moves of each action, those of a role first, filled up with the first one."""
        rows: list[list[int]] = [[] for _ in range(self.actions)]
        for move in sorted(range(len(groups)), key=lambda m: bool(roles) and roles[m] != role):
            rows[groups[move]].append(move)
        most = max(map(len, rows))
        return np.array([row + row[:1] * (most - len(row)) for row in rows])

    def masks(self, legal: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The legal actions, from legal moves, ``(n, moves)``.

        Raises ``BadRequest`` if two moves of an action are legal.
        """
        counts = np.add.reduceat(legal.astype(np.int32)[:, self._order], self._starts, axis=1)
        if (counts > 1).any():
            row = int((counts > 1).any(axis=1).argmax())
            members = self._members[None][int(counts[row].argmax())]
            clash = [self._terms[m] for m in dict.fromkeys(members.tolist()) if legal[row, m]]
            raise BadRequest(
                f"actions={self._pattern!r} has one action for {clash[0]} and {clash[1]}, which "
                "are both legal"
            )
        return counts.astype(legal.dtype)

    def moves(
        self, actions: npt.NDArray[Any], legal: npt.NDArray[Any], role: str
    ) -> npt.NDArray[np.int32]:
        """The legal move of each action, or some illegal one; -1 stays."""
        members = self._members.get(role, self._members[None])[actions]
        chosen = np.take_along_axis(legal, members, axis=1).argmax(axis=1)
        found = np.take_along_axis(members, chosen[:, np.newaxis], axis=1)[:, 0]
        return np.where(actions < 0, -1, found).astype(np.int32)


def _expression_of(pattern: str) -> str:
    """A pattern of terms as a regular expression: a variable stands for a number or a name."""
    known: set[str] = set()

    def expression(found: re.Match[str]) -> str:
        name = found[0]
        if name == "_":
            return _SIMPLE
        if name in known:
            return f"(?P={name})"
        known.add(name)
        return f"(?P<{name}>{_SIMPLE})"

    escaped = re.escape(re.sub(r"\s", "", pattern))
    return re.sub(r"(?<![A-Za-z0-9_])(?:_|[A-Z][A-Za-z0-9_]*)(?![A-Za-z0-9_])", expression, escaped)
