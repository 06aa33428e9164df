"""Amazons and Breakthrough against Fairy-Stockfish: legal turns, successors, and who has won.

Fairy-Stockfish's Amazons have move and arrow in one turn, written ``d1d7,d7g7``; two plies of a
split game are joined to such a turn. An ended game has no legal moves there either. Its
Breakthrough has no rule for a side without pieces, but such a side is stuck, which loses.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

import pytest

import aspgames
from aspgames import Game, State
from helpers import play, turns

pyffish: Any = pytest.importorskip("pyffish")

# Boards of other sizes, in Fairy-Stockfish's language for variants.
pyffish.load_variant_config("""
[amazons8x8:amazons]
maxRank = 8
maxFile = 8
startFen = 2q2q2/8/q6q/8/8/Q6Q/8/2Q2Q2 w - - 0 1

[amazons5x6:amazons]
maxRank = 6
maxFile = 5
startFen = 1q1q1/q3q/5/5/Q3Q/1Q1Q1 w - - 0 1

[breakthrough4x5:breakthrough]
maxRank = 5
maxFile = 4
startFen = pppp/pppp/4/PPPP/PPPP w 0 1
flagRegionWhite = *5
flagRegionBlack = *1
""")


@dataclass(frozen=True)
class Pair:
    """A game of ours and the variant that it should be."""

    game: Game
    variant: str
    split: bool = False
    """Whether a turn is two plies of ours."""

    def __str__(self) -> str:
        return f"{self.game.name}={self.variant}"


AMAZONS = Pair(aspgames.load("amazons"), "amazons")
AMAZONS_10 = Pair(aspgames.load("amazons_10x10"), "amazons", split=True)
AMAZONS_8 = Pair(aspgames.load("amazons_8x8"), "amazons8x8", split=True)
AMAZONS_5 = Pair(aspgames.load("amazons_8x8", width=5, height=6), "amazons5x6", split=True)
BREAKTHROUGH = Pair(aspgames.load("breakthrough"), "breakthrough")
BREAKTHROUGH_4 = Pair(aspgames.load("breakthrough", width=4, height=5), "breakthrough4x5")

PAIRS = [AMAZONS, AMAZONS_10, AMAZONS_8, AMAZONS_5, BREAKTHROUGH, BREAKTHROUGH_4]


def their_turns(pair: Pair, fen: str) -> dict[str, str]:
    """Their turns by the same names."""
    return {our_name(turn): turn for turn in pyffish.legal_moves(pair.variant, fen, [])}


def our_name(turn: str) -> str:
    origin, target, *shot = re.findall(r"[a-z]\d+", turn)
    return f"{origin}-{target}" + "".join(f"/{square}" for square in shot[1:])


def compare(pair: Pair, state: State, random: Random, successors: int) -> State | None:
    """Compare a position and some successors; the last of these, or None if there is none."""
    fen = str(state.fen)
    where = f"{pair} {fen}"
    ours, theirs = (
        {name.replace("x", "-"): turn for name, turn in turns(state, pair.split).items()},
        their_turns(pair, fen),
    )
    if ours.keys() != theirs.keys():
        missing, extra = sorted(theirs.keys() - ours.keys()), sorted(ours.keys() - theirs.keys())
        pytest.fail(f"{where}: missing {missing[:20]}, extra {extra[:20]}")

    over = not theirs
    assert state.is_terminal == over, f"{where}: terminal should be {over}"
    mover_wins = over and pyffish.game_result(pair.variant, fen, []) > 0
    for role, value in state.goals.items():
        expected = 100 if over and (role == state.to_move) == mover_wins else 0
        assert value == expected, f"{where}: {role} has {value}, not {expected}"

    after = None
    for name in random.sample(sorted(ours), min(successors, len(ours))):
        after = play(state, ours[name])
        expected_fen = pyffish.get_fen(pair.variant, fen, [theirs[name]])
        expected_state = pair.game.position(expected_fen)
        assert after == expected_state, f"{where} {name}: {after.fen}, not {expected_fen}"
    return after


def random_placement(pair: Pair, random: Random) -> State:
    """Any number of pieces anywhere, and a side on move.

    Left out are Breakthrough positions in which the side on move has won already (it stands on its
    last row, or faces no piece). No play leads there, and there Fairy-Stockfish plays on.
    """
    board = pair.game.board
    assert board
    mover, other = random.sample(["white", "black"], 2)
    breakthrough = pair.variant.startswith("breakthrough")
    scales = (1, 1, 1, 0) if breakthrough else (1, 0.2, 0.2, 1)
    weights = [scale * random.random() for scale in scales]
    just_won = random.random() < 0.1
    last_row = {"white": board.height, "black": 1}
    cells = []
    for x, y in product(range(1, board.width + 1), range(1, board.height + 1)):
        (content,) = random.choices(["empty", mover, other, "arrow"], weights)
        arrived = (
            breakthrough and y == last_row.get(content) and not (content == other and just_won)
        )
        if content != "empty" and not arrived:
            cells.append(f"cell({x},{y},{content})")
    if breakthrough and not any(other in cell for cell in cells):
        return random_placement(pair, random)
    turn = f"turn({mover},move)" if pair.split else f"control({mover})"
    return pair.game.from_facts([*cells, turn])


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_starts_alike(pair: Pair) -> None:
    assert pair.game.position(pyffish.start_fen(pair.variant)) == pair.game.initial


@pytest.mark.parametrize(
    ("pair", "seeds"),
    [
        (AMAZONS, [2]),  # White's
        pytest.param(AMAZONS, [5], marks=pytest.mark.slow),  # Black's
        pytest.param(AMAZONS_10, [2, 5], marks=pytest.mark.slow),
        pytest.param(AMAZONS_8, [0], marks=pytest.mark.slow),
        (AMAZONS_5, range(3)),
        (BREAKTHROUGH, range(1)),
        (BREAKTHROUGH_4, range(5)),
    ],
    ids=str,
)
def test_random_games_to_the_end(pair: Pair, seeds: Iterable[int]) -> None:
    for seed in seeds:
        random = Random(seed)
        state: State | None = pair.game.initial
        while state:
            state = compare(pair, state, random, successors=1)


@pytest.mark.parametrize(
    ("pair", "seeds"),
    [
        (AMAZONS, range(10)),
        pytest.param(AMAZONS, range(10, 30), marks=pytest.mark.slow),
        pytest.param(AMAZONS_10, range(16), marks=pytest.mark.slow),
        (AMAZONS_8, range(10)),
        (AMAZONS_5, range(10)),
        (BREAKTHROUGH, range(15)),
        pytest.param(BREAKTHROUGH, range(15, 60), marks=pytest.mark.slow),
        (BREAKTHROUGH_4, range(15)),
        pytest.param(BREAKTHROUGH_4, range(15, 60), marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_random_placements(pair: Pair, seeds: Iterable[int]) -> None:
    for seed in seeds:
        random = Random(seed)
        compare(pair, random_placement(pair, random), random, successors=5)
