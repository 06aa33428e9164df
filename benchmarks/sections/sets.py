"""Sets of states that look alike: their members through ``legal`` and ``sees``."""

from __future__ import annotations

import time
from functools import partial

import numpy as np

import aspgames
from aspgames.propnet.percept_net import PerceptNet
from measuring import Way, grid, take_turns

_TIMES = 40


def section(runs: int, _old: str | None) -> None:
    """Millions of members in a second of processor time, on one thread, without making nets.

    *Asked*: all answers about a state. *One move*: the state and the percepts after the same move
    of the player in each member. *All moves*: after each of its moves, counted as members.
    """
    ways: dict[tuple[str, str], Way] = {}
    for name in ("mastermind", "counterfeit_coin", "rabbit", "phantom_tictactoe"):
        start = aspgames.load(name, **({"coins": 6} if "coin" in name else {})).initial
        net = PerceptNet(start.game.rules, start.facts, ["hidden"])
        rows = net.start
        role = net.roles[0] if net.roles[0] != "random" else net.roles[1]
        for _ in range(3 if name == "phantom_tictactoe" else 1):
            rows = np.unique(net.joint_moves(rows).rows, axis=0)
        members = np.ascontiguousarray(np.tile(rows, (max(1, 5000 // len(rows)), 1)))
        move = next(move for move in map(str, start.play(start.legal_moves[0]).legal[role]))
        ways[name, "asked"] = partial(speed, net, members, "asked", (role, move))
        ways[name, "one move"] = partial(speed, net, members, "one", (role, move))
        ways[name, "all moves"] = partial(speed, net, members, "all", (role, move))
    grid("sets of states: millions of members a second", "game", take_turns(runs, ways))


def speed(net: PerceptNet, members: np.ndarray, what: str, given: tuple[str, str]) -> float:
    """Our speed."""
    begun, done = time.process_time(), 0
    for _ in range(1 if what == "all" else _TIMES):
        if what == "asked":
            done += len(net.answers(members).terminal)
        elif what == "one":
            net.joint_moves(members, given)
            done += len(members)
        else:
            done += len(net.joint_moves(members).rows)
    return done / (time.process_time() - begun) / 1e6
