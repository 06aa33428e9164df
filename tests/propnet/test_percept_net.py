"""Joint moves and percepts of many states: every way to ask has the same answer."""

import numpy as np
import pytest

import aspgames
from aspgames.propnet.lanes import LegalScope
from aspgames.propnet.percept_net import PerceptNet


@pytest.mark.parametrize("name", ["mastermind", "phantom_tictactoe", "kuhn_poker", "rabbit"])
def test_one_move_among_all(name: str) -> None:
    start = aspgames.load(name, **({"pegs": 2} if name == "mastermind" else {})).initial
    net = PerceptNet(start.game.rules, start.facts, ["hidden"])
    rows, checked = net.start, 0
    for _ in range(3):
        steps = net.joint_moves(rows)
        legal = np.empty((len(rows), net.tables.moves), np.bool_)
        net.lanes.fill(rows, {"legal": legal}, LegalScope.AS_THE_RULES_SAY)
        counts = np.stack([legal[:, first:end].sum(1) for first, end in net.bounds], 1)
        assert (net.answers(rows).counts == counts).all()
        for role in range(len(net.roles)):
            for move in range(*net.bounds[role])[:40]:
                found = net.joint_moves(rows, (net.roles[role], net.tables.names.terms[move]))
                among = np.ones(net.tables.moves, np.bool_)
                among[slice(*net.bounds[role])] = False
                among[move] = True
                here = steps.moves[:, role] == move
                for few in (found, net.joint_moves(rows, among=among)):
                    for column in ("parents", "moves", "rows", "percepts"):
                        assert (getattr(few, column) == getattr(steps, column)[here]).all()
                checked += here.sum()
        rows = np.unique(steps.rows, axis=0)[:200]
    assert checked > 20
