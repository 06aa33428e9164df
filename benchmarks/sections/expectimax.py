"""Winning chances in EinStein würfelt nicht!, beside OpenSpiel's ``expectiminimax``.

OpenSpiel has the game on 5x5 squares alone. For smaller boards its algorithm gets the rules in
plain Python, with the methods that it calls.
"""

from __future__ import annotations

import re
import time
from functools import partial
from typing import Any

import pyspiel
from open_spiel.python.algorithms.minimax import expectiminimax

import aspgames
from measuring import Way, grid, ratio, table, take_turns

_SIZES = {3: (1, 2, 3, 4), 4: (1, 2, 3), 5: (1, 2)}
"""Turns of the first player, by the size of the board."""


def section(runs: int, _old: str | None) -> None:
    """Seconds of processor time for the exact chance to win within some turns, from the start."""
    ways: dict[tuple[str, str], Way] = {}
    for size, most in _SIZES.items():
        state: Any = Stones(size)
        start, mover = aspgames.load("einstein", size=size).initial, "white"
        if size == 5:
            (state, start), mover = placed(), "black"
        ours(start, mover, 1)  # makes the net
        for turns in most:
            name = f"{size}x{size}, {turns}"
            ways[name, "aspgames"] = partial(ours, start, mover, turns)
            ways[name, "expectiminimax"] = partial(theirs, state, start, mover, turns)
    found = take_turns(runs, ways)
    grid("expectimax: seconds of processor time", "board, turns", found)
    names = dict.fromkeys(name for name, _ in found)
    rows = [(n, ratio(found[n, "expectiminimax"], found[n, "aspgames"])) for n in names]
    table("expectimax: our speed by that of expectiminimax", ("board, turns", "ratio"), rows)


def ours(start: aspgames.State, mover: str, turns: int) -> float:
    """Our time, without that of making the net."""
    begun = time.process_time()
    aspgames.solve(start, goal="win", within=turns, attacker=mover)
    return time.process_time() - begun


def theirs(state: Any, start: aspgames.State, mover: str, turns: int) -> float:
    """OpenSpiel's time, to the end of the other player's turn. Both must find the same."""
    begun = time.process_time()
    value, _ = expectiminimax(state, 2 * turns, lambda _: -1.0, 0)
    seconds = time.process_time() - begun
    exact = aspgames.solve(start, goal="win", within=turns, attacker=mover).probability
    if exact is None or abs((value + 1) / 2 - exact) > 1e-9:
        raise SystemExit(f"{mover} within {turns} turns: {exact}, and by OpenSpiel {value}")
    return seconds


def placed() -> tuple[Any, aspgames.State]:
    """OpenSpiel's game when its stones are placed, and our state. Player 0 is Black."""
    state = pyspiel.load_game("einstein_wurfelt_nicht").new_initial_state()
    for _ in range(12):
        state.apply_action(state.legal_actions()[0])
    sides, facts = {"b": "black", "w": "white"}, []
    for y, line in enumerate(str(state).splitlines()):
        for x, (side, number) in enumerate(re.findall(r"\|([bw_])(.)\|", line), 1):
            if side in sides:
                facts.append(f"cell({x},{5 - y},stone({sides[side]},{number}))")
    assert state.child(1).current_player() == 0
    start = aspgames.load("einstein").position(" ".join([*facts, "rolling(black)"]))
    return state, start


class Stones:
    """EinStein würfelt nicht! as a state for ``expectiminimax``; player 0 goes left and up."""

    def __init__(self, size: int) -> None:
        self.size, self.player, self.die, self.winner = size, 0, 0, -1
        rows = 2 if size < 5 else 3
        self.stones: list[dict[int, tuple[int, int]]] = [{}, {}]
        for i in range(rows):
            for j in range(i + 1):
                self.stones[0][len(self.stones[0]) + 1] = (size - 1 - i + j, rows - 1 - i)
            for j in range(rows - i):
                self.stones[1][len(self.stones[1]) + 1] = (j, size - 1 - i)
        self.number = len(self.stones[0])

    def clone(self) -> Stones:
        """The same state."""
        copy = object.__new__(Stones)
        copy.size, copy.number, copy.player = self.size, self.number, self.player
        copy.die, copy.winner = self.die, self.winner
        copy.stones = [dict(each) for each in self.stones]
        return copy

    def is_terminal(self) -> bool:
        """Whether a player has won."""
        return self.winner >= 0

    def player_return(self, player: int) -> float:
        """1 for the winner, -1 for the loser."""
        return 1.0 if self.winner == player else -1.0

    def is_chance_node(self) -> bool:
        """Whether the die is rolled."""
        return not self.die

    def current_player(self) -> int:
        """The player on move."""
        return self.player

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The numbers of the die."""
        return [(number, 1 / self.number) for number in range(1, self.number + 1)]

    def legal_actions(self) -> list[tuple[int, tuple[int, int]]]:
        """Stones and the squares to which they may go."""
        own = self.stones[self.player]
        numbers = [self.die]
        if self.die not in own:
            lower = [number for number in own if number < self.die]
            higher = [number for number in own if number > self.die]
            numbers = ([max(lower)] if lower else []) + ([min(higher)] if higher else [])
        step = 1 if self.player else -1
        found = []
        for number in numbers:
            x, y = own[number]
            for dx, dy in ((step, 0), (0, -step), (step, -step)):
                if 0 <= x + dx < self.size and 0 <= y + dy < self.size:
                    found.append((number, (x + dx, y + dy)))
        return found

    def apply_action(self, action: Any) -> None:
        """Roll the die or move a stone."""
        if not self.die:
            self.die = action
            return
        number, square = action
        for own in self.stones:
            for other in [each for each, place in own.items() if place == square]:
                del own[other]
        self.stones[self.player][number] = square
        corner = (self.size - 1, 0) if self.player else (0, self.size - 1)
        if square == corner or not self.stones[1 - self.player]:
            self.winner = self.player
        self.player, self.die = 1 - self.player, 0
