"""Pairs of our games and OpenSpiel's, with equal positions and equal names of turns."""

import re
from dataclasses import dataclass
from typing import Any

import pytest

import aspgames
from aspgames import Game, State

pyspiel: Any = pytest.importorskip("pyspiel")


@dataclass(frozen=True)
class Pair:
    """A game of ours, and the equivalent OpenSpiel game."""

    game: Game
    oracle: str
    split: bool = False
    """Whether a turn is two plies in our game."""

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
        """The number of OpenSpiel actions in a turn."""
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
AMAZONS_6 = Pair(aspgames.load("amazons", width=6, height=6), "amazons(board_size=6)")


def their_turns(pair: Pair, oracle: Any) -> dict[str, Any]:
    """The OpenSpiel states after each turn, by our names of turns."""
    turns = [("", oracle)]
    for prefix in ("", "-", "/")[: pair.actions]:
        turns = [
            (name + prefix + our_name(pair, state, action), state.child(action))
            for name, state in turns
            for action in state.legal_actions()
        ]
    return dict(turns)


def our_name(pair: Pair, oracle: Any, action: int) -> str:
    """Our name of an OpenSpiel action: a square in Amazons, a move in Breakthrough."""
    if pair.is_amazons:
        row, column = divmod(action, pair.height)
        return f"{'abcdefghij'[column]}{pair.height - row}"
    # OpenSpiel counts rows by characters: after "9" come ":", ";" and so on.
    origin, row1, target, row2, *capture = oracle.action_to_string(action)
    rank1, rank2 = (pair.height + ord("1") - ord(row) for row in (row1, row2))
    return f"{origin}{rank1}{'x' if capture else '-'}{target}{rank2}"


def their_fen(pair: Pair, oracle: Any) -> str:
    """Our FEN of an OpenSpiel state; the number of actions so far gives the side."""
    rows = str(oracle).splitlines()[: pair.height]
    if not pair.is_amazons:
        rows = [row[1:] for row in reversed(rows)]
    board = "/".join(rows).translate(str.maketrans("XO#bw", "Qq*Pp"))
    side = "wb"[oracle.move_number() // pair.actions % 2]
    return re.sub(r"\.+", lambda run: str(len(run[0])), board) + f" {side}"
