"""Files of games: contents, resumed runs, other readers, and conversion to records."""

import json
import os
import shutil
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import numpy as np
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import aspgames
from aspgames import BadPosition, BadRequest, Game, Record, RulesError, State, Workers, data
from aspgames.rl.data import recording
from aspgames.rl.data.columns import text_of
from aspgames.rl.data.game_columns import COLUMNS
from aspgames.rl.data.played_games import write_groups
from aspgames.rl.data.position_columns import PositionTexts
from aspgames.runtime.budget import MOST_RULES
from aspgames.runtime.errors import IllegalMove, LimitReached, OutOfTime
from aspgames.runtime.workers.work_folder import WorkFolder
from cli_helpers import Call, assert_refused, check
from faults import at_each_line, full_disk, killed
from helpers import Stopping, record_calls
from paths import ROOT
from thoroughly import amount

slow = pytest.mark.slow
SMALL = {"width": 3, "height": 5}
SMALL_OPTIONS = ("-c", "width=3", "-c", "height=5")
QUICK = [
    "breakthrough",
    "rock_paper_scissors",
    pytest.param("examples/tictactoe.kif", marks=slow),
    pytest.param("tests/data/auction.lp", marks=slow),
    pytest.param("tests/data/maze.lp", marks=slow),
]
GAMES = [
    *QUICK,
    *(pytest.param(name, marks=slow) for name in ("skirmish", "amazons_8x8", "amazons_10x10")),
    *(pytest.param(name, marks=slow) for name in ("connect_four", "hex", "peg_solitaire")),
]


@cache
def load(name: str) -> Game:
    constants = SMALL if name == "breakthrough" else {}
    return aspgames.load(ROOT / name if "/" in name else name, **constants)


def rows_in(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return found


def hold_against_the_grounder(game: Game, rows: Sequence[dict[str, Any]]) -> None:
    """Replay a game's rows with the grounder, and check all columns."""
    state: State = game.without_nets.position(rows[0]["position"])
    for ply, row in enumerate(rows):
        assert row["ply"] == ply
        assert row["length"] == len(rows) - 1
        assert row["position"] == text_of(state)
        counts = [len(moves) for moves in state.legal.values()]
        over = state.is_terminal or 0 in counts
        assert row["legal"] == np.prod(counts)
        assert row["to_move"] == (None if over else state.to_move)
        if over:
            assert ply == len(rows) - 1
            assert row["move"] is row["term"] is None
            assert {role: row[f"goal_{role}"] for role in game.roles} == state.goals
            return
        joint = state.joint(row["term"])
        assert state.joint(row["move"]) == joint
        assert row["move"] == state.move_text(row["term"])
        if "number" in row:
            move = game.moves[row["number"]]
            assert joint[move.role] == move.term == row["term"]
        else:
            numbered = {role: game.moves[row[f"number_{role}"]] for role in game.roles}
            assert {role: move.term for role, move in numbered.items()} == joint
            assert all(move.role == role for role, move in numbered.items())
        state = state.play(joint)
    raise AssertionError("the last state is missing")


def test_the_docs_have_each_column_with_its_type() -> None:
    text = (ROOT / "docs/data.md").read_text()
    for column in COLUMNS:
        kind = "text" if column.kind == "string" else column.kind
        assert f"\n| `{column.name}` | {kind} |" in text or f"column `{column.name}` for" in text


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", GAMES)
def test_rows_say_what_the_grounder_says(name: str, tmp_path: Path) -> None:
    game, path = load(name), tmp_path / "games.parquet"
    made = data.record_games(game.initial, 40, path, seed=5)
    rows = rows_in(path)
    assert len(rows) == made.rows
    of_game: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        of_game.setdefault(row["game"], []).append(row)
    assert list(of_game) == list(range(40))
    for number in Random(name).sample(range(40), 2):
        hold_against_the_grounder(game, of_game[number])


@pytest.mark.parametrize("name", QUICK)
def test_batches_write_what_is_written_state_by_state(name: str, tmp_path: Path) -> None:
    """Records are replayed state by state."""
    game = load(name)
    data.record_games(game.initial, 60, tmp_path / "games.parquet", seed=2)
    records = list(data.read(tmp_path / "games.parquet").records())
    rows = data.write(tmp_path / "again.parquet", records)
    again = pq.read_table(tmp_path / "again.parquet")
    assert again.equals(pq.read_table(tmp_path / "games.parquet"))
    assert rows == again.num_rows


@pytest.mark.parametrize("reasoner", ["propnet", "grounder"])
def test_they_are_the_games_of_playouts(reasoner: str, tmp_path: Path) -> None:
    start = load("breakthrough").initial.play("b2-b3")
    for games in (1, 70 if reasoner == "propnet" else 3):
        data.record_games(start, games, tmp_path / "games.parquet", 9, reasoner=reasoner)
        played = aspgames.playouts(start, games, 9, reasoner=reasoner)
        last = [row for row in rows_in(tmp_path / "games.parquet") if row["ply"] == row["length"]]
        assert Counter(row["length"] for row in last) == played.lengths
        assert Counter((row["goal_white"], row["goal_black"]) for row in last) == played.results


@pytest.mark.parametrize("name", QUICK)
def test_any_rows_are_written_as_states_are(name: str) -> None:
    """Also unreachable rows: two pieces on one square, no side on move."""
    assert_written_as_states(load(name))


def test_any_rows_of_a_game_with_several_fields(tmp_path: Path) -> None:
    rules = "init(m(1)). next(m(2)) :- does(_,go). #program board. fen_field(2,2,m(2))."
    text = (ROOT / "encodings/gallery/tictactoe.lp").read_text()
    text = text.replace("#program board.", rules, 1)
    text = text.replace("legal(", "legal(xplayer,go). legal(", 1)
    (tmp_path / "own.lp").write_text(text + 'glyph(z,"o").')
    assert_written_as_states(aspgames.load(tmp_path / "own.lp"))


def assert_written_as_states(game: aspgames.Game) -> None:
    tables = game.nets.from_the_start(MOST_RULES).tables
    chance = np.random.default_rng(1)
    for density in (0.02, 0.1, 0.5):
        bits = chance.random((150, 64 * (tables.row_bytes // 8))) < density
        bits[:, tables.fluents :] = False
        rows = np.packbits(bits, axis=1, bitorder="little").view(np.uint64)
        found = PositionTexts(game.board, tables).of(rows).to_pylist()
        states = [game.state(tables.facts(row.tobytes())) for row in rows]
        assert found == [text_of(state) for state in states]


def record(path: Path, **how: Any) -> bytes:
    data.record_games(load("breakthrough").initial, 300, path, seed=4, **how)
    assert not path.with_name(f"{path.name}.work").exists()
    return path.read_bytes()


@slow
def test_the_file_is_the_same_whoever_does_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "_BLOCK_GAMES", 100)
    alone = record(tmp_path / "alone.parquet", threads=1)
    assert record(tmp_path / "threads.parquet", threads=3) == alone
    with Workers(2) as workers:
        assert record(tmp_path / "workers.parquet", executor=workers) == alone


def test_a_killed_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "_BLOCK_GAMES", 32)
    whole = record(tmp_path / "whole.parquet", threads=1)
    path, kept = tmp_path / "games.parquet", tmp_path / "games.parquet.work/games"
    assert killed(3, lambda step: record(path, threads=1, progress=step))
    assert not path.exists()
    with kept.open("ab") as file:  # half-written data is ignored
        file.write(b"half a block")
    blocks = record_calls(monkeypatch, recording, "play_block")
    assert record(path, threads=1) == whole
    assert min(block.numbers.start for block, *_ in blocks) > 0


@pytest.mark.parametrize("steps", [5, pytest.param(amount(3, 1), marks=slow)])
@pytest.mark.slow
def test_a_run_goes_on_wherever_it_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    """Each run gets some lines further than the one before."""
    monkeypatch.setattr(recording, "_BLOCK_GAMES", 100)
    whole, path = record(tmp_path / "whole.parquet", threads=1), tmp_path / "games.parquet"
    joining = recording._Joining

    def run(step: Any) -> None:
        folder = (WorkFolder.begin, WorkFolder.keep, WorkFolder.remove, shutil.rmtree)
        at_each_line(step, joining.__init__, joining.add, joining.finish, write_groups, *folder)
        record(path, threads=1)

    runs = 0
    while killed(steps * runs, run):
        runs += 1
        assert not path.exists() or path.read_bytes() == whole
    assert runs * steps > 40
    assert path.read_bytes() == whole
    assert record(path, threads=1) == whole


@pytest.mark.parametrize("size", [0, 100, 20_000])
def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(recording, "_BLOCK_GAMES", 100)
    path, whole = tmp_path / "games.parquet", record(tmp_path / "whole.parquet")
    with full_disk(size), pytest.raises(LimitReached, match="the disk is full, or a file"):
        record(path)
    assert not path.exists()
    assert record(path) == whole


def test_a_run_that_was_stopped_goes_on_and_another_one_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "_BLOCK_GAMES", 32)
    path = tmp_path / "games.parquet"
    with pytest.raises(OutOfTime):
        record(path, threads=1, budget=Stopping(100))
    assert (tmp_path / "games.parquet.work").exists()
    with pytest.raises(BadRequest, match="unfinished work on another file of games"):
        data.record_games(load("breakthrough").initial, 301, path, seed=4)
    assert record(path) == record(tmp_path / "whole.parquet")


def test_a_run_goes_on_with_the_reasoner_with_which_it_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A time limit may leave too little for a net."""
    start, path = load("breakthrough").initial, tmp_path / "games.parquet"
    with monkeypatch.context() as hurried:
        hurried.setattr(recording, "net_for_games", lambda *_: None)
        with pytest.raises(OutOfTime):
            data.record_games(start, 8, path, 4, threads=1, budget=Stopping(30))
    assert (tmp_path / "games.parquet.work").exists()
    data.record_games(start, 8, path, 4)
    data.record_games(start, 8, tmp_path / "whole.parquet", 4, reasoner="grounder")
    assert path.read_bytes() == (tmp_path / "whole.parquet").read_bytes()


def test_two_runs_dont_write_over_each_other(tmp_path: Path) -> None:
    def again(_text: str) -> None:
        with pytest.raises(BadRequest, match="another process is at work on this file of games"):
            record(tmp_path / "games.parquet")

    record(tmp_path / "games.parquet", progress=again)


def test_pandas_polars_and_duckdb_read_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "_BLOCK_GAMES", 50)  # several blocks in one file
    path = tmp_path / "games.parquet"
    made = data.record_games(load("breakthrough").initial, 300, path, seed=1)
    rows = rows_in(path)
    assert len(rows) == made.rows
    frame = pandas.read_parquet(path)
    assert {str(frame[name].dtype) for name in ("number", "goal_white")} == {"Int32"}
    assert frame.astype(object).where(frame.notna(), None).to_dict("records") == rows
    assert polars.scan_parquet(path).collect().to_dicts() == rows
    assert duckdb.execute(f"from '{path}'").fetchall() == [tuple(row.values()) for row in rows]


@slow
@pytest.mark.parametrize(("player", "seconds"), [("solver", 10), ("engine", 0.05)])
def test_players_play_their_roles(tmp_path: Path, player: str, seconds: float) -> None:
    game = load("breakthrough")
    players = {"white": player}
    path = tmp_path / "games.parquet"
    made = data.record_games(game.initial, 3, path, players=players, move_seconds=seconds)
    assert made.about.players == {"white": player, "black": "random"}
    rows = rows_in(path)
    for number in range(3):
        hold_against_the_grounder(game, [row for row in rows if row["game"] == number])
    if player == "solver":
        assert {row["goal_white"] for row in rows} == {100}, "white wins by force on 3 x 5"
    assert next(data.read(path).records()).players == made.about.players


def test_a_policy_of_yours_plays_a_role(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def last(state, role): return state.legal[role][-1].term")
    policy = f"{tmp_path / 'mine.py'}:last"
    made = data.record_games(
        load("tictactoe").initial, 3, tmp_path / "games", players={"white": policy}, threads=1
    )
    assert made.about.players == {"white": policy, "black": "random"}
    for row in rows_in(tmp_path / "games"):
        if row["to_move"] == "white" and row["term"] is not None:
            state = load("tictactoe").position(row["position"])
            assert row["term"] == state.legal["white"][-1].term


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", ["kuhn_poker", "pig"])
def test_thinking_players_roll_and_see_their_views(name: str, tmp_path: Path) -> None:
    """A policy gets what its role knows, and chance follows its probabilities."""
    (tmp_path / "mine.py").write_text(
        "from aspgames import State\n"
        "def last(known, role):\n"
        "    if isinstance(known, State):\n"
        "        return known.legal[role][-1]\n"
        "    assert known.role == role\n"
        "    return 'bet' if 'card(king)' in known.text else 'pass'\n"
    )
    game, policy = load(name), f"{tmp_path / 'mine.py'}:last"
    how: dict[str, Any] = {"players": {"black": policy}, "max_plies": 9, "threads": 1}
    data.record_games(game.initial, 60, tmp_path / "games", seed=3, **how)
    rows = rows_in(tmp_path / "games")
    rolls = Counter(row["term"] for row in rows if row["to_move"] == "random" and row["term"])
    assert len(rolls) == (3 if name == "kuhn_poker" else 6)
    assert min(rolls.values()) > 5
    for row in rows if name == "kuhn_poker" else ():
        if row["to_move"] == "black" and row["term"] is not None:
            assert (row["term"] == "pass") == ("hand(black,king)" not in row["position"])
    data.record_games(game.initial, 12, tmp_path / "again", seed=3, **how)
    again = rows_in(tmp_path / "again")
    assert again == rows[: len(again)]
    with pytest.raises(BadRequest, match="random moves by chance"):
        data.record_games(game.initial, 1, tmp_path / "no", players={"random": policy})
    with pytest.raises(RulesError, match="the solver doesn't play"):
        data.record_games(game.initial, 1, tmp_path / "no", players="solver")


@pytest.mark.slow
def test_the_engine_is_recorded_by_its_view(tmp_path: Path) -> None:
    """In Kuhn poker it never calls with the jack, and always with the king."""
    how: dict[str, Any] = {"players": {"black": "engine"}, "move_seconds": 0.1, "threads": 1}
    data.record_games(load("kuhn_poker").initial, 20, tmp_path / "games", seed=1, **how)
    calls = Counter(
        (row["position"].split("hand(black,")[1].partition(")")[0], row["term"])
        for row in rows_in(tmp_path / "games")
        if row["to_move"] == "black" and row["term"] and "bet(white)" in row["position"]
    )
    # One move may have had too little of its time on a busy machine.
    assert calls["jack", "bet"] + calls["king", "pass"] <= 1
    assert len(calls) > 2


def test_weights_decide_the_rolls_of_games_with_players(tmp_path: Path) -> None:
    """A die that is loaded for six: 1000 chances, and one for each other side."""
    rules = (ROOT / "encodings/gallery/pig.lp").read_text()
    rules = rules.replace('"shared/', f'"{ROOT}/encodings/shared/')
    loaded = rules + "#program base.\nweight(die(N),1) :- N = 1..5.\nweight(die(6),1000).\n"
    (tmp_path / "loaded.lp").write_text(loaded)
    start = aspgames.load(tmp_path / "loaded.lp").initial.play("roll")
    for reasoner in ("grounder", "propnet"):
        how: dict[str, Any] = {"max_plies": 1, "threads": 1, "reasoner": reasoner}
        data.record_games(start, 6, tmp_path / reasoner, seed=1, **how)
        terms = [row["term"] for row in rows_in(tmp_path / reasoner) if row["ply"] == 0]
        assert terms == ["die(6)"] * 6


def test_refused_arguments(tmp_path: Path) -> None:
    start, path = load("breakthrough").initial, tmp_path / "games.parquet"
    for how, words in {
        (0,): "from 1 on, not 0",
        (True,): "not True",
        (1, path, "x"): "seed",
        (
            1,
            path,
            0,
            ("players", "bob"),
        ): "random, solver, engine or MODULE:FUNCTION, not 'bob'; for "
        "each role: white=engine,black=random",
        (1, path, 0, ("move_seconds", 0)): "time",
        (1, path, 0, ("threads", 0)): "threads",
        (1, path, 0, ("reasoner", "x")): "reasoner",
        (1, tmp_path): "folder",
        (1, tmp_path / "no/where"): "No such file",
    }.items():
        values: list[Any] = [value for value in how if not isinstance(value, tuple)]
        values[1:1] = [path] if len(values) == 1 else []
        named: Any = dict(value for value in how if isinstance(value, tuple))
        with pytest.raises(BadRequest, match=words):
            data.record_games(start, *values, **named)
    joint = load("rock_paper_scissors").initial
    with pytest.raises(BadRequest, match="take turns"):
        data.record_games(joint, 1, path, players="solver")
    assert not list(tmp_path.iterdir())


def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    """A pipe stands for devices such as /dev/stdout, which root could replace by mistake."""
    start, pipe = load("breakthrough").initial, tmp_path / "pipe"
    os.mkfifo(pipe)
    for refused in (
        lambda: data.record_games(start, 1, pipe),
        lambda: data.write(pipe, [Record.of(start)]),
        lambda: aspgames.make_table(start, pipe),
    ):
        with pytest.raises(BadRequest, match=r"pipe isn't a file for"):
            refused()
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


def test_links_and_names_of_any_bytes(tmp_path: Path) -> None:
    start, link = load("breakthrough").initial, tmp_path / "link"
    target = tmp_path / os.fsdecode(b"g\xff.parquet")
    link.symlink_to(target)
    data.record_games(start, 1, link)
    assert link.is_symlink()
    assert data.read(target)[0] == data.read(link)[0] == start


def test_rows_are_positions(tmp_path: Path) -> None:
    game, path = load("breakthrough"), tmp_path / "games.parquet"
    data.record_games(game.initial, 20, path, seed=1)
    file = data.read(path)
    texts = [row["position"] for row in rows_in(path)]
    assert [state.fen for state in file] == texts
    assert len(file) == len(texts)
    assert (file[7].fen, file[-1].fen) == (texts[7], texts[-1])
    assert file.game == game
    with pytest.raises(IndexError, match="has no row"):
        file[len(texts)]
    positions = polars.read_parquet(path).select("position").unique().sort("position")
    positions.write_parquet(tmp_path / "some.parquet")
    some = data.read(tmp_path / "some.parquet", game)
    assert [state.fen for state in some] == sorted(set(texts))
    with pytest.raises(BadRequest, match="doesn't say of which game"):
        data.read(tmp_path / "some.parquet")[0]
    with pytest.raises(BadRequest, match="has no column game"):
        next(some.records())


def test_unfinished_games_are_written_and_read(tmp_path: Path) -> None:
    game, path = load("breakthrough"), tmp_path / "games.parquet"
    start = game.initial.play("a2-a3")
    records = [
        Record.of(start, ["a4xb3"] if "a4xb3" in start.legal_moves else []),
        Record.of(start),
    ]
    data.write(path, records)
    assert [row["goal_white"] for row in rows_in(path)] == [None] * len(rows_in(path))
    assert list(data.read(path).records()) == records
    with pytest.raises(IllegalMove, match=r"game 1: ply 1, a2-a3: "):
        data.write(path, [records[0], Record.of(start).__class__(**vars(records[0]) | WRONG)])
    with pytest.raises(BadRequest, match="give records"):
        data.write(path, [])
    assert len(list(tmp_path.iterdir())) == 1


WRONG = {"moves": ("a2-a3",)}


BAD: dict[str, tuple[Any, str]] = {
    "no Parquet": (b"PAR1 or so", "no Parquet file, or not whole"),
    "empty": (b"", "no Parquet file, or not whole"),
    "no positions": ({"game": [1]}, "has no column position"),
    "numbers": ({"position": [1]}, "has int64, not texts"),
    "not a position": ({"position": ["startpos", "x"]}, "row 1: the game has no fluent x"),
    "missing": ({"position": ["startpos", None]}, "row 1: a position is a text, not None"),
    "impossible": (
        {"position": ["ppp/ppp/3/PPP/PPP w", "ppp/ppp/3/PPP/PPPP w"]},
        "row 1: rank 1 has 4 squares, not 3",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files(case: str, tmp_path: Path, call: Call) -> None:
    content, words = BAD[case]
    path = tmp_path / "bad.parquet"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        pq.write_table(pa.table(content), path)
    with pytest.raises((BadRequest, BadPosition), match=words):
        list(data.read(path, load("breakthrough")))
    found = call("show", "breakthrough", *SMALL_OPTIONS, f"@{path}:1")
    assert_refused(found, "bad.parquet", words)


def test_a_file_that_is_cut_off_or_damaged(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    whole = record(path)
    path.write_bytes(whole[:-100])
    with pytest.raises(BadRequest, match="not whole"):
        data.read(path)
    path.write_bytes(whole[:50] + bytes(5000) + whole[5050:])
    with pytest.raises(BadRequest, match=r"can't be read to its end|, row "):
        list(data.read(path))


def test_games_of_another_game_and_torn_games(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    data.record_games(load("breakthrough").initial, 3, path)
    for game, words in (("skirmish", "not of skirmish"), ("breakthrough", "with height=5 width=3")):
        with pytest.raises(BadRequest, match=words):
            data.read(path, aspgames.load(game))
    table = pq.read_table(path)
    pq.write_table(table.slice(1), path)
    with pytest.raises(BadRequest, match="row 0 isn't ply 0 of its game"):
        list(data.read(path).records())
    pq.write_table(table.slice(0, table.num_rows - 1), path)
    with pytest.raises(BadRequest, match=r"row \d+ has the game's last move, and no end"):
        list(data.read(path).records())
    note = {b"aspgames.games": b'{"format": 99}'}
    pq.write_table(table.replace_schema_metadata(note), path)
    with pytest.raises(BadRequest, match="another version"):
        data.read(path)
    pq.write_table(table.replace_schema_metadata({b"aspgames.games": b"{"}), path)
    with pytest.raises(BadRequest, match="doesn't say of which game"):
        data.read(path)
    known = json.loads(table.schema.metadata[b"aspgames.games"])
    for name, wrong in ("game", 5), ("const", []), ("players", "random"), ("start", [1]):
        note = {b"aspgames.games": json.dumps(known | {name: wrong}).encode()}
        pq.write_table(table.replace_schema_metadata(note), path)
        with pytest.raises(BadRequest, match="description of the game is broken"):
            data.read(path, load("skirmish"))


def test_the_program(call: Call, tmp_path: Path) -> None:
    path = str(tmp_path / "games.parquet")
    asked = ("record", "breakthrough", *SMALL_OPTIONS, "-n", "20", "-o", path)
    found = call(*asked)
    assert (found.code, found.err) == (0, "")
    assert "20 games" in found.out
    named = call("record", "tictactoe", "-n", "1", "-o", str(tmp_path / "games.csv"))
    assert named.code == 0
    assert "games.csv is a Parquet file" in named.err
    assert_refused(call(*asked, "--players", "red=random"), "no role 'red'")
    report = check(call(*asked, "--json").json, "record")
    rows = rows_in(Path(path))
    assert report["rows"] == len(rows)
    shown = call("legal", "breakthrough", *SMALL_OPTIONS, f"@{path}:3", "--json").json
    assert shown["fen"] == rows[3]["position"]
    puzzle = ("solve", "breakthrough", *SMALL_OPTIONS, f"@{path}:{len(rows) - 2}", "--goal", "win")
    winner = "white" if rows[-1]["goal_white"] else "black"
    assert call(*puzzle, "--attacker", winner, "--within", "1").code == 0
    assert_refused(call("show", "breakthrough", *SMALL_OPTIONS, f"@{path}"), "which row", ":0 to ")
    assert_refused(call("show", "breakthrough", *SMALL_OPTIONS, f"@{path}:999"), "has no row 999")
    assert_refused(call("show", "skirmish", f"@{path}:3"), "of breakthrough, not of skirmish")


@slow
def test_the_cross_check_reads_positions_and_games(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    data.record_games(load("breakthrough").initial, 20, path)
    rows = rows_in(path)
    none = ("--against", "grounder", "--games", "0", "--made", "0")
    agreed = call("crosscheck", "breakthrough", *SMALL_OPTIONS, *none, "--positions", str(path))
    assert agreed.out.startswith(f"Agreement: {len({row['position'] for row in rows})} positions")
    agreed = call("crosscheck", "breakthrough", *SMALL_OPTIONS, *none, "--from-record", str(path))
    assert f" {len(rows) + 1} positions, 20 games" in agreed.out


@slow
def test_out_of_time(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    asked = ["record", "breakthrough", *SMALL_OPTIONS, "-o", str(path)]
    asked += ["-n", "60000", "--threads", "1"]
    found = call(*asked, "--time", "0.2")
    assert_refused(found, "not finished within 0.2 seconds: the same command continues", code=3)
    assert call(*asked).code == 0
    assert rows_in(path)[-1]["game"] == 59_999


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(BadRequest, match=r'pip install "aspgames\[data\]"'):
        record(tmp_path / "games.parquet")


@pytest.mark.parametrize("reasoner", ["propnet", "grounder"])
def test_games_without_an_end_have_no_goals(reasoner: str, tmp_path: Path) -> None:
    """A walk that is over at 3 steps to the right, where two goals of Black clash at 4 plies."""
    rules = tmp_path / "walk.lp"
    rules.write_text("""
        role(white;black).  init(at(0)).  init(ply(0)).  legal(black,noop).
        legal(white,(right;stay)).
        next(at(N)) :- true(at(N)), does(white,stay).
        next(at(N+1)) :- true(at(N)), does(white,right), N < 3.
        next(ply(N+1)) :- true(ply(N)), N < 5.  next(ply(5)) :- true(ply(5)).
        terminal :- true(at(3)).  goal(white,100) :- true(at(3)).  goal(black,1).
        goal(black,2) :- true(ply(4)).
    """)
    start, path = aspgames.load(rules).initial, tmp_path / "games.parquet"
    made = data.record_games(start, 40, path, 3, max_plies=5, reasoner=reasoner)
    rows, kinds = polars.read_parquet(path), set()
    for (_, length), game in rows.group_by("game", "length"):
        last = game.sort("ply").row(-1, named=True)
        over = "at(3)" in last["position"]
        assert over or length == 5
        white, black = (100, None if length == 4 else 1) if over else (None, None)
        assert set(game["goal_white"]) == {white}
        assert set(game["goal_black"]) == {black}
        kinds.add((length, over))
    assert kinds == {(3, True), (4, True), (5, True), (5, False)}
    found = aspgames.playouts(start, 40, 3, max_plies=5, reasoner=reasoner)
    assert made.rows == found.states


def test_searches_as_a_table(tmp_path: Path) -> None:
    game = aspgames.load("tictactoe")
    batch = aspgames.Batch(game, 40, seed=1)
    for _ in range(6):
        batch.step(batch.sample())

    def evaluate(seen: Any, legal: Any) -> tuple[Any, Any]:
        return legal, np.zeros(len(seen))

    heat = np.linspace(0, 1, 40)
    found = aspgames.mcts.search(batch, evaluate, 30, temperature=heat)
    table = data.search_table(batch, found, heat)
    going = np.flatnonzero(~batch.is_terminal)
    assert 0 < len(going) < 40
    pq.write_table(table, tmp_path / "searches.parquet")
    states = list(data.read(tmp_path / "searches.parquet", game))
    rows = pq.read_table(tmp_path / "searches.parquet").to_pylist()
    for number, state, row in zip(going, states, rows, strict=True):
        assert state == batch[int(number)]
        assert (row["state"], row["to_move"]) == (number, state.to_move)
        moves = [game.moves[move] for move in row["legal"]]
        assert moves == sorted(state.legal_moves, key=game.moves.index)
        assert row["visits"] == found.visits[number][row["legal"]].tolist()
        assert sum(row["visits"]) == 30
        assert (row["number"], row["value"]) == (found.moves[number], found.values[number])
        assert row["temperature"] == np.float32(heat[number])
    batch.step(found.moves)
    with pytest.raises(BadRequest, match="of other states"):
        data.search_table(batch, found)
    with pytest.raises(BadRequest, match="of other states"):
        data.search_table(aspgames.Batch(game, 40), found)
