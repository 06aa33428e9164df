"""Amazons and Breakthrough against OpenSpiel: legal turns, successors, and who has won.

OpenSpiel's player 0 begins: our White. In Amazons its rows count from the top, and a turn is three
actions: from, to, shoot. In Breakthrough player 0 starts at the top, so their board is ours upside
down; with fewer than six rows each side has one row at the start, ours has two.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

import aspgames
from aspgames import Game, Move, State
from helpers import play, turns

pyspiel: Any = pytest.importorskip("pyspiel")


@dataclass(frozen=True)
class Pair:
    """A game of ours and the OpenSpiel game that it should be."""

    game: Game
    oracle: str
    split: bool = False
    """Whether a turn is two plies of ours."""

    def __str__(self) -> str:
        return f"{self.game.name}={self.oracle}"

    @property
    def height(self) -> int:
        assert self.game.board
        return self.game.board.height

    @property
    def is_amazons(self) -> bool:
        return self.oracle.startswith("amazons")

    @property
    def actions(self) -> int:
        """How many of their actions make a turn."""
        return 3 if self.is_amazons else 1

    def start(self) -> tuple[State, Any]:
        oracle = pyspiel.load_game(self.oracle).new_initial_state()
        return self.game.position(their_fen(self, oracle)), oracle


def breakthrough(width: int, height: int) -> Pair:
    game = aspgames.load("breakthrough", width=width, height=height)
    return Pair(game, f"breakthrough(rows={height},columns={width})")


AMAZONS = Pair(aspgames.load("amazons"), "amazons(board_size=10)")
AMAZONS_10 = Pair(aspgames.load("amazons_10x10"), "amazons(board_size=10)", split=True)
AMAZONS_8 = Pair(aspgames.load("amazons_8x8"), "amazons(board_size=8)", split=True)


def their_turns(pair: Pair, oracle: Any) -> dict[str, Any]:
    """The states after their turns, by the same names."""
    turns = [("", oracle)]
    for prefix in ("", "-", "/")[: pair.actions]:
        turns = [
            (name + prefix + our_name(pair, state, action), state.child(action))
            for name, state in turns
            for action in state.legal_actions()
        ]
    return dict(turns)


def our_name(pair: Pair, oracle: Any, action: int) -> str:
    """A square in Amazons, a move in Breakthrough."""
    if pair.is_amazons:
        row, column = divmod(action, pair.height)
        return f"{'abcdefghij'[column]}{pair.height - row}"
    # The row after their 9 is ":", then come ";" and so on.
    origin, row1, target, row2, *capture = oracle.action_to_string(action)
    rank1, rank2 = (pair.height + ord("1") - ord(row) for row in (row1, row2))
    return f"{origin}{rank1}{'x' if capture else '-'}{target}{rank2}"


def their_fen(pair: Pair, oracle: Any) -> str:
    """The position as we write it; the side comes from the number of actions so far."""
    rows = str(oracle).splitlines()[: pair.height]
    if not pair.is_amazons:
        rows = [row[1:] for row in reversed(rows)]
    board = "/".join(rows).translate(str.maketrans("XO#bw", "Qq*Pp"))
    side = "wb"[oracle.move_number() // pair.actions % 2]
    return re.sub(r"\.+", lambda run: str(len(run[0])), board) + f" {side}"


def compare(pair: Pair, state: State, oracle: Any) -> list[tuple[tuple[Move, ...], Any]]:
    """Compare a position; the turns from here, ours and the state after theirs."""
    fen = their_fen(pair, oracle)
    where = f"{pair} {fen}"
    assert state == pair.game.position(fen), f"{where}: ours is {state.fen}"

    ours, theirs = turns(state, pair.split), their_turns(pair, oracle)
    if ours.keys() != theirs.keys():
        missing, extra = sorted(theirs.keys() - ours.keys()), sorted(ours.keys() - theirs.keys())
        pytest.fail(f"{where}: missing {missing[:20]}, extra {extra[:20]}")

    over = oracle.is_terminal()
    assert state.is_terminal == over, f"{where}: terminal should be {over}"
    returns = zip(("white", "black"), oracle.returns(), strict=True)
    goals = {role: {1: 100, -1: 0, 0: 0}[value] for role, value in returns}
    assert state.goals == goals, f"{where}: goals are {state.goals}, not {goals}"
    return [(ours[name], theirs[name]) for name in sorted(ours)]


@pytest.mark.parametrize("pair", [AMAZONS, AMAZONS_10, AMAZONS_8, breakthrough(8, 8)], ids=str)
def test_starts_alike(pair: Pair) -> None:
    state, _ = pair.start()
    assert state == pair.game.initial


@pytest.mark.parametrize(
    ("pair", "seeds"),
    [
        (AMAZONS, [3]),
        pytest.param(AMAZONS, [4], marks=pytest.mark.slow),
        pytest.param(AMAZONS_10, [3, 4], marks=pytest.mark.slow),
        pytest.param(AMAZONS_8, [2], marks=pytest.mark.slow),
        (breakthrough(8, 8), range(2)),
        (breakthrough(4, 5), range(10)),
        (breakthrough(7, 12), range(2)),
    ],
    ids=str,
)
def test_random_games_to_the_end(pair: Pair, seeds: Iterable[int]) -> None:
    for seed in seeds:
        random = Random(seed)
        state, oracle = pair.start()
        while turns := compare(pair, state, oracle):
            turn, oracle = random.choice(turns)
            state = play(state, turn)


@pytest.mark.parametrize(
    "pair",
    [
        breakthrough(2, 4),
        breakthrough(2, 5),
        pytest.param(breakthrough(3, 4), marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_every_position_of_a_small_board(pair: Pair) -> None:
    seen = set()
    waiting = [pair.start()]
    while waiting:
        state, oracle = waiting.pop()
        if state not in seen:
            seen.add(state)
            waiting += ((play(state, turn), after) for turn, after in compare(pair, state, oracle))
