"""Why a game has no puzzles: the nearest state that no puzzle can have."""

from collections import deque
from itertools import product

from ..game.state import State
from ..gdl.reasoner import UNSETTLED, unsettled_goals
from ..puzzle.problem import Puzzle
from ..runtime.errors import BadRequest

_MOST_STATES = 300  # states to look at


def unfit(puzzle: Puzzle) -> BadRequest:
    """The error for a puzzle whose search met a state that no puzzle can have."""
    turns = "puzzles are for games in which one side moves at a time"
    values = "whose end has one goal value for each role"
    waiting, seen = deque([puzzle.state]), {puzzle.state}
    while waiting:
        state = waiting.popleft()
        if found := _fault(state):
            needed = f"puzzles are for games {values}" if state.is_terminal else turns
            return BadRequest(f"{found}: {state.fen or ' '.join(state.facts)}; {needed}")
        legal = state.consequences.legal
        joints = product(*legal.values()) if not state.is_terminal else ()
        for joint in joints:
            if len(seen) >= _MOST_STATES:
                break
            after = state.play(dict(zip(legal, joint, strict=True)))
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return BadRequest(f"{turns}, and {values}")


def _fault(state: State) -> str:
    """What a puzzle can't have about a state; empty if it is fit."""
    consequences = state.consequences
    if state.is_terminal:
        roles = (role for role, value in consequences.values.items() if value == UNSETTLED)
        role = next(roles, None)
        return "" if role is None else f"the game is over, but {unsettled_goals(role)}"
    if consequences.forced or len(consequences.movers) == 1:
        return ""
    several = [role for role, moves in consequences.legal.items() if len(moves) > 1]
    return f"several roles move at once ({', '.join(several)})"
