"""The learned value and alpha-beta search, compared with plain numpy and a plain minimax."""

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import aspgames
from aspgames import Game
from aspgames.agents.alphabeta.alphabeta_search import AlphaBeta
from aspgames.agents.alphabeta.kept_values import keep_value, kept_value
from aspgames.agents.alphabeta.learned_value import (
    HIDDEN_UNITS,
    OUTPUT_CEILING,
    OUTPUT_UNIT,
    SURE_SCORE,
    WON_SCORE,
    LearnedValue,
    PhaseWeights,
    ValueArrays,
    partners_of,
    turns_of,
)
from aspgames.agents.alphabeta.value_fitting import MOVES, Network, PhaseStates
from aspgames.agents.alphabeta.value_training import train
from aspgames.agents.mcts.player import Player
from aspgames.agents.mcts.tree_search import PlayerOptions
from aspgames.propnet.gate_tables import Tables
from aspgames.propnet.state_nets import key_of
from aspgames.propnet.successors import Successors
from aspgames.runtime import cache as files
from aspgames.runtime.budget import MOST_RULES, Budget
from aspgames.runtime.errors import BadRequest
from cli_helpers import Call, run

GAMES = {
    "tictactoe": {},
    "breakthrough": {"width": 4, "height": 5},
    "connect_four": {},
    "amazons_8x8": {},
    "dots_and_boxes": {},
}


def tables_of(game: Game) -> Tables:
    return game.nets.from_the_start(MOST_RULES).tables


def at_random(tables: Tables) -> LearnedValue:
    """Weights for everything that may have one."""
    rng, names = random.Random(5), tables.names.fluents

    def some(most: int) -> list[int]:
        return [rng.randrange(-most, most) for _ in range(HIDDEN_UNITS)]

    phases = {
        turn: PhaseWeights(
            rng.randrange(-99, 99),
            {name: rng.randrange(-300, 300) for name in names},
            [[99, -30], [50, 20]],
            some(90),
            {name: some(60) for name in names},
            some(300),
        )
        for turn in turns_of(tables)
    }
    return LearnedValue(phases)


class Plain:
    """The same by other means: one state at a time, without a window or a table."""

    def __init__(self, tables: Tables) -> None:
        self.successors = Successors(tables)

    def below(self, row: bytes) -> tuple[int, list[bytes]]:
        found = self.successors.of(np.frombuffer(row, np.uint64).reshape(1, -1).copy())
        return int(found.movers[0]), [each.tobytes() for each in found.parts[0]]

    def minimax(self, search: AlphaBeta, row: bytes, depth: int) -> int:
        mover, after = self.below(row)
        if not depth or not after:
            return int(search.scores(np.frombuffer(row, np.uint64).reshape(1, -1))[0])
        scores = [self.minimax(search, each, depth - 1) for each in after]
        scores = [score - (score > SURE_SCORE) + (score < -SURE_SCORE) for score in scores]
        return min(scores) if mover == 1 else max(scores)


@cache
def walk(name: str) -> tuple[Tables, list[bytes]]:
    """A game's net, and states of random play, none of them terminal."""
    game = aspgames.load(name, **GAMES[name])
    tables, rng = tables_of(game), random.Random(3)
    plain, start, rows = Plain(tables), tables.row(game.initial.facts), []
    assert start is not None
    for length in range(0, 12, 2):
        row = start
        for _ in range(length):
            after = [each for each in plain.below(row)[1] if plain.below(each)[1]]
            row = rng.choice(after) if after else row
        rows.append(row)
    return tables, rows


@pytest.mark.quick(3)
@pytest.mark.parametrize("name", GAMES)
def test_scores_are_those_of_a_plain_evaluation(name: str) -> None:
    """The kernel sums differences for 512 states; numpy multiplies bits by weights."""
    tables, rows = walk(name)
    game = aspgames.load(name, **GAMES[name])
    value = at_random(tables)
    arrays = ValueArrays.of(value, tables)
    states = np.array([np.frombuffer(row, np.uint64) for row in rows])
    mobility = AlphaBeta(tables, arrays).mobility(states)
    found = AlphaBeta(tables, arrays).scores(states)
    turns, partners = turns_of(tables), partners_of(turns_of(tables), game.roles)
    assert arrays.mobility is not None
    assert arrays.hidden is not None
    assert arrays.outputs is not None
    for place, row in enumerate(rows):
        facts = tables.facts(row)
        phase = next((n for n, turn in enumerate(turns) if turn in facts), len(turns) - 1)
        state = game.position(", ".join(facts))
        assert mobility[place, 0] == sum(len(moves) for moves in state.legal.values())
        held = np.array([1, *(int(name in facts) for name in tables.names.fluents)])
        expected = int(arrays.fluents[phase] @ held)
        units = np.clip(held @ arrays.hidden[phase].astype(int), 0, OUTPUT_CEILING)
        expected += int(int(units @ arrays.outputs[phase].astype(int)) / OUTPUT_UNIT)
        for side in (0, 1):
            if not side or partners[phase] >= 0:
                expected += int(arrays.mobility[phase, side, min(255, mobility[place, side])])
        assert found[place] == expected


def test_moves_of_the_other_side_are_those_with_the_turn_exchanged() -> None:
    game = aspgames.load("breakthrough", **GAMES["breakthrough"])
    tables = tables_of(game)
    state = game.position("1p2/4/3P/1p2/P1P1 w")
    exchanged = game.position("1p2/4/3P/1p2/P1P1 b")
    rows = [np.frombuffer(tables.row(each.facts) or b"", np.uint64) for each in (state, exchanged)]
    search = AlphaBeta(tables, ValueArrays.of(LearnedValue({}), tables, others=True))
    mobility = search.mobility(np.array(rows))
    assert mobility[0].tolist() == mobility[1, ::-1].tolist()
    assert mobility[0, 0] == len(state.legal_moves) + 1
    assert mobility[0, 1] == len(exchanged.legal_moves) + 1


@pytest.mark.quick(3)
@pytest.mark.parametrize("name", GAMES)
def test_alphabeta_has_the_score_of_minimax(name: str) -> None:
    """With a table that is full of other results, and also if it is stopped all the time."""
    tables, rows = walk(name)
    plain = Plain(tables)
    search = AlphaBeta(tables, ValueArrays.of(at_random(tables), tables), 2.0**16)
    for row in rows:
        for depth in (1, 2, 3):
            if len(plain.below(row)[1]) ** depth > 2_000:
                continue
            answer = search.run(row, depth, is_plain=True, most=10)
            while not answer.is_done:
                answer = search.run(row, depth, is_plain=True, most=10)
            assert answer.score == plain.minimax(search, row, depth)


def test_results_are_exact_and_counted_in_plies() -> None:
    game = aspgames.load("breakthrough", **GAMES["breakthrough"])
    tables = tables_of(game)
    search = AlphaBeta(tables, ValueArrays.of(LearnedValue({}), tables))
    row = tables.row(game.position("1p2/4/3P/4/1P2 w").facts)
    assert row is not None
    assert [search.run(row, depth, is_plain=True).score > SURE_SCORE for depth in (2, 3)] == [
        False,
        True,
    ]
    assert search.run(row, 5, is_plain=True).score == WON_SCORE - 3
    move = tables.names.terms[search.run(row, 5, is_plain=True).move]
    assert (
        move in aspgames.solve(game.position("1p2/4/3P/4/1P2 w"), attacker="white", goal="win").keys
    )


# --- training -------------------------------------------------------------------------------------


def both_or_neither() -> PhaseStates:
    """States that are won if both fluents hold, or neither: no sum of weights tells them."""
    held = np.random.default_rng(1).integers(0, 2, (2000, 2), np.uint8)
    return states_of(held, held[:, 0] == held[:, 1])


def states_of(held: NDArray[np.uint8], worth: NDArray[Any]) -> PhaseStates:
    moves = np.zeros((len(held), MOVES), np.float32)
    return PhaseStates(held, moves, worth.astype(np.float32))


def test_hidden_units_learn_what_no_sum_of_weights_tells() -> None:
    sample, network = both_or_neither(), Network(["a", "b"], np.random.default_rng(2))
    images = [np.arange(2, dtype=np.int32)]
    assert network.fit(sample, images, 40, lambda: None) < 0.01
    again = Network(["a", "b"], np.random.default_rng(3))
    assert again.fit(sample, images, 0, lambda: None) > 0.2
    again.take(network.weights([0, 1], 1))
    assert again.fit(sample, images, 0, lambda: None) < 0.01


def test_the_weights_of_an_image_are_those_of_the_exchanged_fluents() -> None:
    network = Network(["a", "b"], np.random.default_rng(2))
    network.fit(both_or_neither(), [np.arange(2, dtype=np.int32)], 5, lambda: None)
    one, other = network.weights([0, 1], 1), network.weights([1, 0], -1)
    assert one.hidden["a"] == other.hidden["b"] != one.hidden["b"]
    assert one.fluents["a"] == -other.fluents["b"]
    assert [-each for each in one.outputs] == list(other.outputs)


def trained(seed: int) -> list[bytes]:
    game = aspgames.load("tictactoe")
    tables = tables_of(game)
    row = tables.row(game.initial.facts)
    assert row is not None
    return [step.value.pack() for step in train(tables, row, Budget(), seed, games=60)]


class FastClock(Budget):
    """A time in which each look at the clock takes a second."""

    looks = 0

    @property
    def seconds(self) -> float:
        self.looks += 1
        return float(self.looks)


def test_a_generation_of_a_long_training_is_short() -> None:
    """A kill loses the games since the last weights: 45 s of a day, not 6 % of it."""
    game = aspgames.load("tictactoe")
    tables = tables_of(game)
    row = tables.row(game.initial.facts)
    assert row is not None
    steps = train(tables, row, budget := FastClock(86_400))
    next(steps)
    before = budget.looks
    next(steps)
    assert 40 < budget.looks - before < 200


@pytest.mark.slow
def test_training_is_repeatable() -> None:
    first = trained(1)
    assert first == trained(1)
    assert first != trained(2)
    assert len(first) == 11


def test_images_of_states_are_learned_from() -> None:
    """The second fluent is never seen, but the first one's image."""
    held = np.random.default_rng(1).integers(0, 2, (2000, 2), np.uint8)
    held[:, 1] = 0
    network = Network(["a", "b"], np.random.default_rng(2))
    images = [np.array(each, np.int32) for each in ((0, 1), (1, 0))]
    network.fit(states_of(held, held[:, 0]), images, 20, lambda: None)
    unseen = states_of(np.ascontiguousarray(held[:, ::-1]), held[:, 0])
    assert network.fit(unseen, images[:1], 0, lambda: None) < 0.01


def test_the_exchanged_state_has_the_opposite_value() -> None:
    game = aspgames.load("breakthrough", **GAMES["breakthrough"])
    tables, state = tables_of(game), game.initial
    known = state.facts, tables.names.fluents, tables.names.certain
    symmetries = [
        (goes, exchange)
        for exchange in (False, True)
        for goes in game.proofs.permutations(*known, exchange)
    ]
    row = tables.row(state.facts)
    assert row is not None
    *_, last = train(tables, row, Budget(), 1, games=8, symmetries=symmetries)
    search = AlphaBeta(tables, ValueArrays.of(last.value, tables))
    state = state.play("a2-b3")
    exchanged = state.mirror("top to bottom", exchange=True)
    rows = [tables.row(each.facts) or b"" for each in (state, exchanged)]
    one, other = search.scores(np.frombuffer(b"".join(rows), np.uint64).reshape(2, -1)).tolist()
    assert one == -other != 0


def test_games_of_joint_moves_are_refused(call: Call) -> None:
    found = call("train", "rock_paper_scissors", "--time", "5")
    assert found.code == 2
    assert "one at a time" in found.err


@pytest.mark.slow
def test_the_verb_trains_for_the_cache_or_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(files.VARIABLE, str(tmp_path / "cache"))
    game = aspgames.load("tictactoe")
    assert kept_value(game) is None
    path = tmp_path / "weights.json"
    found = run("train", "tictactoe", "-n", "30", "--json", "-o", str(path), cwd=tmp_path)
    report = found.json
    assert (report["game"], report["generation"]) == ("tictactoe", 10)
    assert report["games"] > 30
    assert kept_value(game) is None
    run("train", "tictactoe", "-n", "30", cwd=tmp_path)
    assert kept_value(game) == LearnedValue.unpack(path.read_bytes())
    more = run("train", "tictactoe", "-n", "10", "--from", str(path), "-o", "b.json", cwd=tmp_path)
    assert more.code == 0
    other = run("train", "nim", "-n", "10", "--from", str(path), cwd=tmp_path)
    assert (other.code, other.err.count("\n")) == (2, 1)
    assert "another game" in other.err
    path.write_text("{}")
    bad = run("train", "tictactoe", "-n", "10", "--from", str(path), cwd=tmp_path)
    assert (bad.code, bad.err.count("\n")) == (2, 1)
    assert path.name in bad.err
    files.put(key_of(game.rules, "value"), "value", b'{"format":2,"phases":{"":{}}}')
    assert kept_value(game) is None, "a damaged entry counts as missing"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b'{"format":1}',
        b'{"format":2,"games":0,"phases":{}}',
        b'{"format":2,"games":0,"phases":{"":{"constant":"1","fluents":{},"mobility":[],'
        b'"constants":[],"hidden":{},"outputs":[]}}}',
        b'{"format":2,"games":0,"phases":{"":{"constant":1,"fluents":{},"mobility":[],'
        b'"constants":[],"hidden":{"a":[1]},"outputs":[]}}}',
        b'{"format":2,"games":0,"phases":{"":{"constant":0,"fluents":{"a":1%s},"mobility":[],'
        b'"constants":[],"hidden":{},"outputs":[]}}}' % (b"0" * 30),
    ],
)
def test_damaged_weights_are_refused_in_a_line(data: bytes) -> None:
    with pytest.raises(BadRequest) as caught:
        LearnedValue.unpack(data)
    assert "\n" not in str(caught.value)


# --- the player -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    """A game with a learned value in the cache."""
    game = aspgames.load("breakthrough", **GAMES["breakthrough"])
    tables = tables_of(game)
    row = tables.row(game.initial.facts)
    assert row is not None
    (*_, last) = train(tables, row, Budget(), 1, games=30)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(files.VARIABLE, str(tmp_path_factory.mktemp("cache")))
        keep_value(game, last.value)
        yield game


def test_more_pieces_are_worth_more(taught: Game) -> None:
    tables = tables_of(taught)
    rows = [
        np.frombuffer(tables.row(taught.position(fen).facts) or b"", np.uint64)
        for fen in ("pppp/4/4/PPPP/PPPP w", "pppp/pppp/4/4/PPPP w")
    ]
    value = kept_value(taught)
    assert value is not None
    more, fewer = AlphaBeta(tables, ValueArrays.of(value, tables)).scores(np.array(rows))
    assert more > fewer


def test_the_player_searches_with_the_value(taught: Game) -> None:
    def thoughts() -> list[tuple[str, int, int, str]]:
        player, state, found = Player(taught, PlayerOptions(seed=1)), taught.initial, []
        for _ in range(3):
            *_, thought = player.think(state, state.to_move or "", Budget(), 20_000)
            line = thought.lines(1)[0]
            found.append((thought.move, thought.games, thought.depth, str(line.plies[0][1])))
            assert line.plies[0][1].term == thought.move
            assert thought.deepest >= thought.depth > 3
            state = state.play(thought.move)
        return found

    assert thoughts() == thoughts()


def test_the_best_lines_have_exact_scores(taught: Game) -> None:
    state = taught.initial
    thoughts = Player(taught, PlayerOptions(solver=False)).think(
        state, "white", Budget(), 5_000, lines=3
    )
    *_, thought = thoughts
    lines = thought.lines(3)
    assert len({line.plies[0][1].term for line in lines}) == 3
    assert [line.mean for line in lines] == sorted((line.mean for line in lines), reverse=True)


@pytest.mark.parametrize("solver", [True, False], ids=["solver", "value alone"])
def test_a_win_is_seen_and_no_losing_move_is_played(taught: Game, solver: bool) -> None:
    state = taught.position("1p2/4/3P/4/1P2 w")
    player = Player(taught, PlayerOptions(solver=solver))
    *_, thought = player.think(state, "white", Budget(), 20_000)
    assert thought.certain
    assert thought.lines(1)[0].turns == 2
    replied = state.play(thought.move)
    *_, reply = player.think(replied, "black", Budget(), 20_000)
    assert reply.certain
    assert reply.lines(1)[0].turns == -1
    *_, only = player.think(state, "white", Budget(), 500, {"move(2,1,2,2)", "move(2,1,1,2)"})
    assert only.move in {"move(2,1,2,2)", "move(2,1,1,2)"}


def test_a_position_that_was_searched_before_is_searched_on(taught: Game) -> None:
    """An answer from the table doesn't count as a line that ends with the game."""
    player, depths = Player(taught, PlayerOptions(solver=False)), []
    for states in (20_000, 20_000, 20_000, 200_000):
        *_, thought = player.think(taught.initial, "white", Budget(), states)
        assert not thought.certain
        depths.append(thought.depth)
    assert depths == sorted(depths)
    assert depths[-1] > depths[0]
