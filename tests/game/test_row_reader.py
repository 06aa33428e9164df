"""Positions read as rows of the net, compared with the grounder's."""

import random
from pathlib import Path

import pytest

from aspgames import BadPosition, Batch, Game, data, load
from aspgames.game.row_reader import RowReader
from engine_helpers import alone

GAMES: dict[str, dict[str, int]] = {
    "chess": {},
    "breakthrough": {"width": 4, "height": 5},
    "skirmish": {},
    "amazons_10x10": {"width": 5, "height": 5},
    "othello": {},
}


def reader_of(game: Game) -> RowReader:
    """The game's reader, with its net made."""
    assert game.whole_net
    assert game.row_reader
    return game.row_reader


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", GAMES)
def test_a_row_is_the_state_that_the_grounder_reads(name: str) -> None:
    game, rng = load(name, **GAMES[name]), random.Random(name)
    batch = Batch(game, 36, seed=1)
    for ply in range(12):
        batch.step(batch.sample()[3 * ply :], slice(3 * ply, None))
    fens = [str(state.fen) for state in batch]
    wrong = []
    for fen in fens:  # other pieces, sizes, sides and fields
        letters = list(fen)
        for _ in range(rng.randrange(1, 4)):
            letters[rng.randrange(len(letters))] = rng.choice(fen)
        wrong.append("".join(letters))
    facts = [" ".join(state.facts) for state in batch]
    strange = [" ".join(state.facts[rng.randrange(3) :]) for state in batch]
    if name == "chess":
        placed, _, fields = fens[0].partition(" ")
        given = ("qkQK - 5", "HAha - 120 7", "AKhq - 0", "KQkK - 0", "- - 151", "HAhb - 0")
        wrong += [f"{placed} {fields[0]} {more}" for more in given]
        wrong.append(fens[0].replace("q", "q~", 1))
    others = ["startpos", "", fens[0].partition(" ")[0], f" {fens[1]}", "a/b w", "a(1) b(2)"]
    quick, by_grounder = reader_of(game), game.without_nets
    missed = refused = 0
    for text in [*fens, *facts, *wrong, *strange, *others]:
        row = quick.row(text)
        try:
            expected = by_grounder.position(text).facts
        except BadPosition:
            expected = None
        if quick.refuses(tuple(text.split(" "))):
            assert expected is None
            refused += 1
        if row is None:
            assert text not in fens
            assert text not in facts
            missed += expected is not None and text in wrong
        else:
            assert quick.net
            assert quick.net.tables.facts(row) == expected, text
            assert game.position(text).facts == expected
    assert missed <= len(wrong) // 2
    assert refused or name != "chess"
    assert Batch(game, start=fens).states() == batch.states()
    with pytest.raises(BadPosition):
        Batch(game, start=[*fens, "4/4 w"])


def test_the_reader_is_used_when_there_is_a_net(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASPGAMES_CACHE", "off")
    game = alone(load("breakthrough", width=4, height=5))
    quick = game.row_reader
    assert quick
    assert quick.row("pppp/4/4/4/PPPP w") is None
    assert game.position("pppp/4/4/1P2/PPPP w").facts
    assert quick.row("pppp/4/4/4/PPPP w") is None
    assert game.whole_net
    assert quick.row("pppp/4/4/4/PPPP w") is not None
    assert quick.row("pppp/4/4/4/PPPP w 0 1") is not None
    assert game.without_nets.row_reader is None


def test_rows_of_a_file_are_the_states_of_their_positions(tmp_path: Path) -> None:
    game = load("breakthrough", width=4, height=5)
    data.record_games(game.initial, 100, tmp_path / "games.parquet", seed=1)
    file = data.read(tmp_path / "games.parquet")
    assert len(file) > 1024  # read many at a time
    assert list(file)[::40] == [file[row] for row in range(0, len(file), 40)]
