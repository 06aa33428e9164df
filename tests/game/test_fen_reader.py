"""Many FENs at once, compared with one position at a time."""

import random
from pathlib import Path
from typing import Any

import pytest

from aspgames import BadPosition, Batch, Game, data, load

GAMES: dict[str, dict[str, int]] = {
    "chess": {},
    "breakthrough": {"width": 4, "height": 5},
    "skirmish": {},
    "amazons_10x10": {"width": 5, "height": 5},
    "othello": {},
}


def one_by_one(game: Game, text: str) -> Any:
    """The row of one position; None if it is refused."""
    try:
        return game.position(text).row_on(game.moves_of(game.whole_net))
    except BadPosition:
        return None


@pytest.mark.parametrize("name", GAMES)
def test_many_fens_are_read_as_one_is(name: str) -> None:
    game, rng = load(name, **GAMES[name]), random.Random(name)
    batch = Batch(game, 60, seed=1)
    for ply in range(12):
        batch.step(batch.sample()[5 * ply :], slice(5 * ply, None))
    fens = [str(state.fen) for state in batch]
    wrong = []
    for fen in fens:  # other pieces, sizes, sides and fields
        letters = list(fen)
        for _ in range(rng.randrange(1, 4)):
            letters[rng.randrange(len(letters))] = rng.choice(fen)
        wrong.append("".join(letters))
    texts = [*fens, *wrong, "startpos", "", fens[0].partition(" ")[0], f" {fens[1]}", "a/b w"]
    assert game.fen_reader
    rows = list(game.fen_reader.rows(texts))
    assert None not in rows[: len(fens)]
    for text, row in zip(texts, rows, strict=True):
        assert row is None or row == one_by_one(game, text), text
    right = [row for row in rows[len(fens) : len(fens) + len(wrong)] if row is not None]
    assert len(right) >= sum(one_by_one(game, text) is not None for text in wrong) // 2
    assert Batch(game, start=fens).states() == batch.states()
    with pytest.raises(BadPosition):
        Batch(game, start=[*fens, "4/4 w"])


def test_rows_of_a_file_are_the_states_of_their_positions(tmp_path: Path) -> None:
    game = load("breakthrough", width=4, height=5)
    data.record_games(game.initial, 100, tmp_path / "games.parquet", seed=1)
    file = data.read(tmp_path / "games.parquet")
    assert len(file) > 1024  # read many at a time
    assert list(file)[::40] == [file[row] for row in range(0, len(file), 40)]
