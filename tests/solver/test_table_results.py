"""Tables of games with published results."""

from pathlib import Path

import pytest

import aspgames
from aspgames.solver.table.table_maker import make_table

pytest.importorskip("pyarrow")

slow = pytest.mark.slow


@pytest.mark.parametrize(
    ("width", "height", "winner", "plies"),
    [
        (2, 4, "black", 8),
        pytest.param(2, 5, "black", 10, marks=slow),
        pytest.param(2, 6, "white", 15, marks=slow),
        pytest.param(3, 4, "black", 12, marks=slow),
        pytest.param(2, 7, "black", 20, marks=slow),
        pytest.param(3, 5, "black", 18, marks=slow),
        pytest.param(4, 4, "black", 14, marks=slow),
    ],
)
def test_breakthrough(width: int, height: int, winner: str, plies: int, tmp_path: Path) -> None:
    game = aspgames.load("breakthrough", width=width, height=height)
    value = make_table(game.initial, tmp_path / "table").table.value(game.initial)
    assert value.goals == {"white": 0, "black": 0} | {winner: 100}
    assert value.distance == plies


@pytest.mark.parametrize(
    ("name", "constants", "states", "plies"),
    [("tictactoe", {}, 5478, 9), ("connect_four", {"width": 4, "height": 4}, 161_029, 16)],
)
def test_draws_whose_states_others_have_counted(
    name: str, constants: dict[str, int], states: int, plies: int, tmp_path: Path
) -> None:
    game = aspgames.load(name, **constants)
    table = make_table(game.initial, tmp_path / "table", with_symmetries=False).table
    assert len(table) == states
    assert table.goals(game.initial) == {"white": 50, "black": 50}
    assert table.distance(game.initial) == plies


@pytest.mark.parametrize("size", [2, 3, pytest.param(4, marks=slow)])
def test_who_begins_wins_at_hex(size: int, tmp_path: Path) -> None:
    game = aspgames.load("hex", size=size)
    table = make_table(game.initial, tmp_path / "table").table
    assert table.goals(game.initial) == {"white": 100, "black": 0}
    assert not table.about.has_circles
