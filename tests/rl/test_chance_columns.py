"""Files of games with chance and percepts: each row holds against the rules."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import aspgames
from aspgames import Game, State, data
from aspgames.game import percept_answers
from aspgames.game.percept_answers import PerceptAnswers
from aspgames.propnet import percept_net, state_nets
from aspgames.rl.data.columns import KEY
from aspgames.runtime.errors import TooLarge
from helpers import record_calls
from paths import ROOT

GAMES: dict[str, dict[str, Any]] = {
    "pig": {"target": 9},
    "einstein": {"size": 3},
    "kuhn_poker": {},
    "leduc_poker": {},
    "monty_hall": {},
    "tests/data/weighted_dice.lp": {},
    "counterfeit_coin": {"coins": 4},
    "tests/data/auction.lp": {},
}
AT_ONCE = """
    % Two players and a loaded die move at once. Each sees the die, and whether it was outbid.
    role(white;black;random). init(left(3)). player(white;black).
    legal(R,bid(1..3)) :- player(R). legal(random,die(1..2)) :- true(left(2)).
    legal(random,die(1..3)) :- true(left(1)). legal(random,wait) :- true(left(3)).
    weight(die(N),N) :- true(left(1)), N = 1..3.
    next(left(N-1)) :- true(left(N)), N > 0.
    sees(R,die(N)) :- player(R), does(random,die(N)).
    sees(R,more(S)) :- player(R), player(S), R != S, does(R,bid(N)), does(S,bid(M)), M > N.
    terminal :- true(left(0)). goal(R,50) :- player(R)."""


def load(name: str, folder: Path) -> Game:
    if name == "at once":
        (folder / "at_once.lp").write_text(AT_ONCE)
        return aspgames.load(folder / "at_once.lp")
    return aspgames.load(ROOT / name if "/" in name else name, **GAMES[name])


def rows_in(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return found


def hold_against_the_rules(game: Game, rows: list[dict[str, Any]]) -> None:
    """Replay each game by the grounder, with the view of each player."""
    state: State = game.initial
    views = {}
    for row in rows:
        if row["ply"] == 0:
            state = game.without_nets.initial
            views = {role: game.initial.view(role) for role in game.players}
        goes_on = not state.is_terminal
        chance = [{"term": move.term, "chance": str(each)} for move, each in state.chance]
        assert row.get("chance", []) == (chance if goes_on else [])
        seen = {role: row.get(f"sees_{role}") for role in game.players}
        if row["term"] is None:
            assert set(seen.values()) == {None}
            continue
        joint = state.joint(row["term"])
        if game.hidden:
            found = game.without_nets.grounder.percepts(state.facts, joint)
            assert seen == {role: list(found[role]) for role in game.players}
            views = {r: view.after(joint[r], found[r]) for r, view in views.items()}
        state = state.play(joint)
        if game.hidden and len(next(iter(views.values())).history) < 4:
            assert all(state.facts in [s.facts for s in view.states] for view in views.values())


@pytest.mark.quick(5)
@pytest.mark.parametrize("reasoner", ["propnet", "grounder"])
@pytest.mark.parametrize("name", [*GAMES, "at once"])
def test_chance_and_percepts_are_those_of_the_rules(
    name: str, reasoner: str, tmp_path: Path
) -> None:
    game, path = load(name, tmp_path), tmp_path / "games.parquet"
    number = 8 if reasoner == "propnet" else 2
    data.record_games(game.initial, number, path, 1, reasoner=reasoner, threads=1)
    rows = rows_in(path)
    assert ("chance" in rows[0]) == game.chance
    assert [n for n in rows[0] if n[:5] == "sees_"] == [f"sees_{r}" for r in game.players] * (
        game.hidden
    )
    hold_against_the_rules(game, rows)
    if name == "at once":
        chances = {tuple(each["chance"] for each in row["chance"]) for row in rows}
        assert chances == {(), ("1/2", "1/2"), ("1/6", "1/3", "1/2")}
    again = tmp_path / "again.parquet"
    data.write(again, data.read(path).records())
    if reasoner == "propnet":
        assert pq.read_table(again).equals(pq.read_table(path))


@pytest.mark.parametrize("name", ["pig", "kuhn_poker"])
@pytest.mark.parametrize("reasoner", ["propnet", "grounder"])
def test_a_game_that_is_broken_off_shows_its_last_chances(
    name: str, reasoner: str, tmp_path: Path
) -> None:
    game, path = load(name, tmp_path), tmp_path / "games.parquet"
    data.record_games(game.initial, 20, path, 3, max_plies=1, reasoner=reasoner)
    rows = rows_in(path)
    hold_against_the_rules(game, rows)
    last = [row for row in rows if row["ply"] == 1]
    assert any(row["chance"] for row in last)
    assert min(row["legal"] for row in last) > 0
    assert None not in [row["to_move"] for row in last]


def test_without_a_net_of_percepts_the_rules_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A net of percepts that exceeds a limit is no error."""
    start = aspgames.load("leduc_poker").initial

    def too_large(*_: object) -> None:
        raise TooLarge

    with monkeypatch.context() as patched:
        patched.setattr(percept_net, "PerceptNet", too_large)
        patched.setattr(start.game, "percept_answers", PerceptAnswers(start.game))
        asked = record_calls(patched, start.game.grounder, "percepts")
        data.record_games(start, 9, tmp_path / "rules.parquet", 1, threads=1)
        assert len(asked) > 9
    data.record_games(start, 9, tmp_path / "net.parquet", 1, threads=1)
    assert rows_in(tmp_path / "net.parquet") == rows_in(tmp_path / "rules.parquet")


def test_many_questions_make_a_net_of_percepts(monkeypatch: pytest.MonkeyPatch) -> None:
    game = aspgames.load("kuhn_poker")
    answers = PerceptAnswers(game)
    deal = {"white": "noop", "black": "noop", "random": "deal(king)"}
    seen = {"white": ("card(king)",), "black": (), "random": ()}
    monkeypatch.setattr(state_nets, "_GROUNDING_SECONDS", 0)
    monkeypatch.setattr(percept_answers, "_RULES_A_SECOND", 10**9)
    asked = record_calls(monkeypatch, game.grounder, "percepts")
    assert [answers.of(game.initial.facts, deal) for _ in range(9)] == [seen] * 9
    assert len(asked) == 4
    apart = PerceptAnswers(game.without_nets)
    assert [apart.of(game.initial.facts, deal) for _ in range(9)] == [seen] * 9
    assert apart.__dict__["_nets"] == {}


def test_a_game_without_chance_has_no_columns_about_it(tmp_path: Path) -> None:
    game = aspgames.load("breakthrough", width=3, height=5)
    data.record_games(game.initial, 1, tmp_path / "games.parquet")
    names = {*rows_in(tmp_path / "games.parquet")[0]}
    assert {"number", "goal_white", "goal_black"} <= names
    assert "chance" not in names
    assert not [name for name in names if name.startswith(("sees_", "number_"))]


def test_files_without_these_columns_are_read(tmp_path: Path) -> None:
    """They were written before there were any."""
    path, old = tmp_path / "games.parquet", tmp_path / "old.parquet"
    data.record_games(aspgames.load("kuhn_poker").initial, 5, path, 1)
    table = pq.read_table(path)
    note = json.loads(pq.read_metadata(path).metadata[KEY])
    del note["chance"], note["sees"]
    table = table.drop_columns(["chance", "sees_white", "sees_black"])
    pq.write_table(table.replace_schema_metadata({KEY: json.dumps(note)}), old)
    assert list(data.read(old)) == list(data.read(path))
    assert list(data.read(old).records()) == list(data.read(path).records())


def test_other_programs_read_the_lists(tmp_path: Path) -> None:
    import duckdb  # here, because it takes long
    import pandas
    import polars

    path = tmp_path / "games.parquet"
    data.record_games(aspgames.load("kuhn_poker").initial, 50, path, 1)
    rows = rows_in(path)
    assert polars.read_parquet(path).to_dicts() == rows
    asked = f"select sees_black, chance[1].chance from '{path}'"
    assert duckdb.execute(asked).fetchall() == [
        (row["sees_black"], row["chance"][0]["chance"] if row["chance"] else None) for row in rows
    ]
    frame = pandas.read_parquet(path)
    assert [list(each) for each in frame["chance"]] == [row["chance"] for row in rows]
