#!/usr/bin/env bash
# pygammon==0.0.3 (pip)
#
# Expected: the rules of backgammon. With a die larger than the distance of a checker, the checker is borne off only if
# none of that side is on a higher point; else one of those must be moved. Where either die can be played but not both,
# the larger one must be.
#
# What happens: with all checkers in the home board, each of them can be borne off by a die that is large enough, whatever
# is behind it. So with checkers on the six point and the ace point, a 5 takes the one on the ace point. And the smaller
# die is accepted where the larger one must be played. The engine refuses other illegal moves; these pass silently.
#
# One position of each kind. Then all placements of one to four checkers on the six home points, with each die: moves that
# the engine accepts, and those of them that the rule for bearing off forbids.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q pygammon==0.0.3

cat >seen <<'END'
checkers on 6 and 1, a 5: from 6 True from 1 True
a checker on 13, 7 is blocked, 1 and 5: 1 of the dice can be played
  accepted first: 1 True 5 True
3024 moves accepted, 1014 of them forbidden
END

cat >run.py <<'END'
from copy import deepcopy
from itertools import combinations_with_replacement

from pygammon import Side
from pygammon.core import Game
from pygammon.exceptions import GameWon, InvalidMove
from pygammon.structures import Point


def position(points, dice, blocks=()):
    """A game in which the first side has checkers on the points, from 1, and has borne off the others."""
    game = Game(Side.FIRST)
    game.board[:] = [Point() for _ in range(24)]
    for point in points:
        game.board[point - 1].side = Side.FIRST
        game.board[point - 1].count += 1
    for point in blocks:
        game.board[point - 1] = Point(Side.SECOND, 2)
    game.players[Side.FIRST].borne = 15 - len(points)
    game.dice = dice
    return game


def accepted(game, die_index, point):
    """Whether the engine makes the move."""
    try:
        deepcopy(game).move(die_index, point - 1)
    except GameWon:
        return True
    except InvalidMove:
        return False
    return True


game = position([6, 1], (5, 5))
print("checkers on 6 and 1, a 5:", *(f"from {point} {accepted(game, 0, point)}" for point in (6, 1)))

game = position([13], (1, 5), blocks=[7])
print(f"a checker on 13, 7 is blocked, 1 and 5: {game.get_max_move_count()} of the dice can be played")
print("  accepted first:", *(f"{die} {accepted(game, index, 13)}" for index, die in enumerate(game.dice)))

moves = forbidden = 0
for size in range(1, 5):
    for points in combinations_with_replacement(range(1, 7), size):
        for die in range(1, 7):
            game = position(points, (die, die))
            for point in set(points):
                if accepted(game, 0, point):
                    moves += 1
                    forbidden += die > point and max(points) > point
print(f"{moves} moves accepted, {forbidden} of them forbidden")
END

venv/bin/python run.py | diff seen -
