"""Parquet as a format of records, and columns of texts as pandas and Polars write them."""

import io
from pathlib import Path
from random import Random
from typing import Any

import pytest

import aspgames.record
from aspgames.play.formats.registry import entries, format_named
from cli_helpers import Call
from format_helpers import converted, random_game, read_again, written

pandas: Any = pytest.importorskip("pandas")
polars: Any = pytest.importorskip("polars")

GAME = aspgames.load("breakthrough", width=4, height=5)
SIZE = ["-c", "width=4", "-c", "height=5"]


def test_games_are_written_and_read_again() -> None:
    games = [random_game(GAME, Random(number), most) for number, most in enumerate((99, 3, 0))]
    text = written("parquet", games)
    assert [each.states for each in read_again("parquet", GAME, text)] == [g.states for g in games]
    (bad,) = entries(io.BytesIO(text[:-9]), "x", GAME, format_named("parquet"))
    assert "no Parquet file, or not whole" in str(bad.error)


def test_convert_reads_and_writes_parquet(call: Call, folder: Path) -> None:
    (folder / "g.parquet").write_bytes(written("parquet", [random_game(GAME, Random(1))]))
    (found,) = converted(call, "breakthrough", *SIZE, "g.parquet")
    assert call("convert", "breakthrough", *SIZE, "g.parquet", "-o", "g.pgn").code == 0
    assert call("convert", "breakthrough", *SIZE, "g.pgn", "-o", "h.parquet").code == 0
    data = (folder / "h.parquet").read_bytes()
    (again,) = converted(call, "breakthrough", *SIZE, "-", "--from", "parquet", stdin=data)
    assert found == again
    (record,) = aspgames.record.read(folder / "h.parquet", GAME)
    assert record.replay(GAME)[-1].is_terminal


def test_columns_with_a_dictionary_are_texts(folder: Path) -> None:
    (folder / "g.parquet").write_bytes(written("parquet", [random_game(GAME, Random(1))]))
    plain = list(aspgames.data.read("g.parquet", GAME))
    table = pandas.read_parquet("g.parquet")
    names = ["position", "move", "term", "to_move"]
    table.astype(dict.fromkeys(names, "category")).to_parquet("a.parquet")
    frame = polars.read_parquet("g.parquet")
    frame.with_columns(polars.col(names).cast(polars.Categorical)).write_parquet("b.parquet")
    for name in ("a.parquet", "b.parquet"):
        found = aspgames.data.read(name, GAME)
        assert list(found) == plain
        assert found[1] == plain[1]
        assert next(found.records()).moves == next(aspgames.data.read("g.parquet").records()).moves
    table["position"] = table["ply"].astype("category")
    table.to_parquet("c.parquet")
    with pytest.raises(aspgames.BadRequest, match="position has int"):
        aspgames.data.read("c.parquet", GAME)


@pytest.mark.parametrize(
    ("form", "name", "most"),
    [("wtb", "othello", 99), ("pdn", "checkers", 9), ("ggf", "othello", 9)],
)
def test_verbs_that_take_records_take_all_formats(
    form: str, name: str, most: int, call: Call, folder: Path
) -> None:
    game = aspgames.load(name)
    played = random_game(game, Random(2), most)
    (folder / f"g.{form}").write_bytes(written(form, [played]))
    (record,) = aspgames.record.read(folder / f"g.{form}", game)
    assert record.replay(game) == played.states
    run = call(
        *["crosscheck", name, "--against", "grounder", "--games", "0", "--made", "0", "--json"],
        *["--from-record", f"g.{form}"],
    )
    assert (run.code, run.json["positions"] >= len(played.states)) == (0, True)
