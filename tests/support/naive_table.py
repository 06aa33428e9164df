"""Simple tablebases: all states by the grounding reasoner, and values by plain iteration.

Play is cut off after 1, 2, 3, … plies until no value changes; a state without a value then has no
end. Only the definition of a role's preference is the same as in the tested code.
"""

from itertools import product
from pathlib import Path

import aspgames
from aspgames import Game, State
from aspgames.solver.table.lookup import Value

Outcome = tuple[int, ...]
Known = tuple[Outcome, int] | None
"""The goals at the end and the plies to it; None without an end."""


class NaiveTable:
    def __init__(self, start: State) -> None:
        self.roles = start.game.roles
        self.states: dict[State, list[State]] = {}
        self.chooser: dict[State, int] = {}
        waiting = [start]
        while waiting:
            state = waiting.pop()
            if state in self.states:
                continue
            legal = {} if state.is_terminal else state.legal
            joints = [
                dict(zip(legal, moves, strict=True)) for moves in product(*legal.values()) if legal
            ]
            self.states[state] = [state.play(joint) for joint in joints]
            numbers = [n for n, moves in enumerate(legal.values()) if len(moves) > 1]
            self.chooser[state] = numbers[0] if numbers else 0
            waiting += self.states[state]

    def values(self, circles: bool = False) -> dict[State, Value]:
        """The value of each state; with ``circles``, two roles are strict opponents.

        Then the first pass finds wins and losses; endless play and even ends are equal. In the
        other states, both roles take the shortest way to an even end.
        """
        self.circles = circles and len(self.roles) == 2
        ended: dict[State, Known] = {
            state: None if after else (tuple(state.goals.values()), 0)
            for state, after in self.states.items()
        }
        even = {
            s: v if v and self.circles and len(set(v[0])) == 1 else None for s, v in ended.items()
        }
        known = self._settled({s: None if even[s] else v for s, v in ended.items()}, self.states)
        if self.circles:
            left = {s: [t for t in self.states[s] if not known[t]] for s in known if not known[s]}
            known |= self._settled({s: even[s] for s in left}, left)
        return {
            state: Value(None, None)
            if value is None
            else Value(dict(zip(self.roles, value[0], strict=True)), value[1])
            for state, value in known.items()
        }

    def _settled(
        self, known: dict[State, Known], after: dict[State, list[State]]
    ) -> dict[State, Known]:
        """The values after cutting off play later and later, until nothing changes."""
        ends = known
        while True:
            later = {
                state: ends[state] or (self._best(self.chooser[state], [known[t] for t in onward]))
                if onward
                else ends[state]
                for state, onward in after.items()
            }
            if later == known:
                return known
            known = later

    def _best(self, role: int, values: list[Known]) -> Known:
        found = max(values, key=lambda value: self._liking(role, value))
        return None if found is None else (found[0], found[1] + 1)

    def _liking(self, role: int, value: Known) -> tuple[object, ...]:
        """A sort key: the role's own goal first; then defeats late, and other ends soon.

        A single role prefers any end to none. With ``circles``, a role prefers any end but a defeat
        to none.
        """
        if value is None:
            return (0,) if len(self.roles) > 1 else (-1,)
        goals, plies = value
        hurries = goals[role] == max(goals)
        side = (1 if hurries else -1) if len(self.roles) == 2 and self.circles else 0
        return side, goals[role], hurries, -plies if hurries else plies, goals


def walk_game(
    folder: Path, edges: list[tuple[int, int]], movers: dict[int, str], ends: dict[int, Outcome]
) -> Game:
    """A game in which a token walks along edges; the owner of its place moves it."""
    roles = ("white", "black", "red")[: len(next(iter(ends.values())))]
    rules = [f"role({role})." for role in roles]
    rules += [f"edge({a},{b})." for a, b in edges]
    rules += [f"owner({place},{role})." for place, role in movers.items() if place not in ends]
    rules += [f"over({place})." for place in ends]
    rules += [
        f"goal({role},{goal}) :- true(at({place}))."
        for place, goals in ends.items()
        for role, goal in zip(roles, goals, strict=True)
    ]
    rules += [
        "init(at(0)).",
        "legal(R,go(B)) :- true(at(A)), edge(A,B), owner(A,R).",
        "legal(R,noop) :- role(R), true(at(A)), not owner(A,R).",
        "next(at(B)) :- does(_,go(B)).",
        "terminal :- true(at(A)), over(A).",
    ]
    file = folder / "walk.lp"
    file.write_text("\n".join(rules))
    return aspgames.load(file)
