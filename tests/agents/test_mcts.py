"""The engine's search: random games from many states, the tree, the solver, and the moves."""

import random
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aspgames
from aspgames import Game, State
from aspgames.agents.mcts.forced_moves import ForcedSearch
from aspgames.agents.mcts.player import Player
from aspgames.agents.mcts.thoughts import Thought
from aspgames.agents.mcts.tree_search import PlayerOptions, TreeSearch
from aspgames.propnet.gate_tables import Tables
from aspgames.propnet.random_play import phases_of, play_from
from aspgames.runtime.budget import MOST_RULES, Budget
from aspgames.runtime.errors import BadRequest, IllegalMove, Interrupted, LimitReached
from helpers import FIVE
from puzzle_files import MIXED

SOLVED = [
    parameter
    for parameter in MIXED
    for puzzle in parameter.values
    if puzzle["game"] in ("breakthrough", "skirmish", "amazons_8x8")
    if puzzle["goal"] == "win" and puzzle["answer"]["keys"]
]
"""Puzzles with an independent engine's answers: the attacker is on move and wins by force."""


def small(width: int = 4, height: int = 5) -> Game:
    return aspgames.load("breakthrough", width=width, height=height)


def noughts() -> Game:
    return aspgames.load("tictactoe")


def tables_of(game: Game) -> Tables:
    return game.nets.from_the_start(MOST_RULES).tables


def rows_of(states: list[State]) -> np.ndarray:
    tables = tables_of(states[0].game)
    rows = [tables.row(state.facts) or b"" for state in states]
    return np.frombuffer(b"".join(rows), np.uint64).reshape(len(states), -1).copy()


def begun(state: State, **settings: object) -> TreeSearch:
    search = TreeSearch(tables_of(state.game), PlayerOptions(**settings))  # type: ignore[arg-type]
    row = tables_of(state.game).row(state.facts)
    assert row is not None
    search.go_to(row)
    return search


def last(state: State, player: Player, games: int, role: str | None = None) -> Thought:
    *_, thought = player.think(state, role or state.to_move or "", Budget(), games)
    return thought


# --- random games from many states ----------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2])
def test_games_from_many_states_are_those_from_each(threads: int) -> None:
    """Also if the states have different sides on move, and with any number of threads."""
    game = aspgames.load("amazons_8x8")
    rng, state, states = random.Random(1), game.initial, []
    for _ in range(5):
        states.append(state)
        state = state.play(rng.choice(list(state.legal_moves)))
    rows, tables = rows_of(states), tables_of(game)
    order = np.argsort(phases_of(tables, rows), kind="stable")
    assert len(set(phases_of(tables, rows).tolist())) == 4
    rows, each = np.ascontiguousarray(rows[order]), 200
    found = play_from(tables, rows, each, 7, 0, Budget(), threads)
    for place in range(len(states)):
        alone = play_from(tables, rows[place : place + 1].copy(), each, 7, place * each, Budget())
        assert (found[place * each : (place + 1) * each] == alone).all()


# --- the tree -------------------------------------------------------------------------------------


@pytest.mark.parametrize("settles", [True, False])
def test_what_a_node_has_is_the_sum_of_what_is_below(settles: bool) -> None:
    search = begun(small().initial, settles=settles, games=64)
    played = sum(search.round(64, Budget()) for _ in range(60))
    tree = search.tree
    assert played == tree.games[0]
    assert not tree._arrays["pending"][: tree.size].any()
    inner = np.flatnonzero(tree.firsts >= 0)
    assert len(inner) > 20
    for node in inner:
        children = np.array(tree.children(int(node)))
        assert (tree.parents[children] == node).all()
        assert tree.games[children].sum() <= tree.games[node]
        if not settles and node == 0:
            assert tree.goals[children][tree.settled[children] == 0].sum() <= tree.goals[node].sum()
    open_ = tree.settled == 0
    assert (tree.goals[open_].sum(axis=1) == 100 * tree.games[open_]).all(), "somebody wins each"


@cache
def worth(state: State) -> tuple[int, ...]:
    """The value of a state for each role, by full search."""
    if state.is_terminal:
        return tuple(state.goals.values())
    place = state.game.roles.index(state.to_move or "")
    return max((worth(state.play(move)) for move in state.legal_moves), key=lambda g: g[place])


@pytest.mark.parametrize("game", [pytest.param(noughts(), marks=pytest.mark.slow), small(3, 4)])
def test_what_is_settled_is_so(game: Game) -> None:
    """Settled nodes have the right values, and the best line ends after the given plies."""
    search = begun(game.initial)
    while not search.tree.settled[0]:
        search.round(512, Budget())
    tree, moves = search.tree, game.moves_of(game.nets.from_the_start(MOST_RULES))
    settled = np.flatnonzero(tree.settled)
    for node in random.Random(3).sample(settled.tolist(), 50):
        state = State.made(game, None, moves, tree.rows[node].tobytes())
        assert tuple(tree.goals[node].astype(int)) == worth(state)
    state, plies = game.initial, int(tree.plies[0])
    for child in search.line(0):
        before = int(tree.parents[child])
        state = state.play(state.legal_moves[child - tree.children(before).start])
    assert state.is_terminal
    assert len(search.line(0)) == plies


def test_what_is_known_stays_known_when_play_goes_on() -> None:
    state = small().initial
    search = begun(state)
    for _ in range(30):
        search.round(512, Budget())
    tree = search.tree
    child = search.best_first(0)[0]
    grandchild = search.best_first(child)[0]
    games, row = int(tree.games[grandchild]), tree.rows[grandchild].tobytes()
    goals = tree.goals[grandchild].tolist()
    below, size = search.line(grandchild), tree.size
    assert games
    search.go_to(row)
    assert tree is search.tree
    assert (int(tree.games[0]), tree.goals[0].tolist()) == (games, goals)
    assert len(search.line(0)) == len(below)
    assert tree.size < size
    inner = np.flatnonzero(tree.firsts >= 0)
    for node in inner:
        assert (tree.parents[np.array(tree.children(int(node)))] == node).all()
    search.round(512, Budget())
    assert tree.games[0] > games
    search.go_to(tables_of(state.game).row(state.facts) or b"")
    assert search.tree is not tree, "there is no way back"


def test_memory_is_kept_to_and_the_search_goes_on() -> None:
    search = begun(small(5, 6).initial, memory=500_000.0)
    for _ in range(60):
        search.round(512, Budget())
    tree = search.tree
    assert 0.9 < tree.fullness <= 1
    assert sum(array.nbytes for array in tree._arrays.values()) <= 500_000
    assert tree.games[0] > 20_000


def test_a_stop_leaves_the_tree_as_it_was() -> None:
    search = begun(small().initial)
    search.round(512, Budget())
    before = search.tree.games.copy()
    budget = Budget()
    budget.stop()
    with pytest.raises(Interrupted):
        search.round(512, budget)
    assert (search.tree.games == before).all()
    assert not search.tree._arrays["pending"][: search.tree.size].any()


# --- moves ----------------------------------------------------------------------------------------


def test_the_same_seed_thinks_the_same() -> None:
    def thoughts(seed: int) -> list[tuple[str, int, str]]:
        state, player, found = small().initial, Player(small(), PlayerOptions(seed=seed)), []
        for _ in range(4):
            thought = last(state, player, 3000)
            line = " ".join(move.text for _, move in thought.lines(1)[0].plies)
            found.append((thought.move, thought.games, line))
            state = state.play(thought.move)
        return found

    first = thoughts(1)
    assert first == thoughts(1)
    assert any(first != thoughts(seed) for seed in (2, 3, 4))


@pytest.mark.parametrize("solver", [True, False], ids=["solver", "tree alone"])
def test_a_win_in_two_is_seen_and_a_losing_move_is_not_played(solver: bool) -> None:
    game = small()
    state = game.position("1p2/4/3P/4/1P2 w")
    keys = aspgames.solve(state, attacker="white", goal="win").keys
    player = Player(game, PlayerOptions(solver=solver))
    thought = last(state, player, 20_000)
    assert thought.move in keys
    assert thought.certain
    assert thought.lines(1)[0].turns == 2
    replied = state.play(thought.move)
    reply = last(replied, player, 20_000)
    assert reply.certain
    assert reply.lines(1)[0].turns == -1
    for move in replied.legal_moves:
        after = replied.play(move)
        won = last(after, player, 20_000)
        assert after.play(won.move).goals["white"] == 100


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize("puzzle", SOLVED[::2])
def test_forced_wins_are_found(puzzle: dict[str, Any]) -> None:
    game = aspgames.load(puzzle["game"], **puzzle.get("const", {}))
    state = game.position(puzzle["position"])
    move = last(state, Player(game), 100_000).move
    after = aspgames.solve(state.play(move), attacker=puzzle["attacker"], goal="win")
    assert after.verdict == "forced"


def test_a_move_without_a_choice_comes_at_once() -> None:
    state = noughts().initial.play("a1", "a2", "b1", "b2", "a3", "c1", "c2", "b3")
    (thought,) = Player(state.game).think(state, state.to_move or "", Budget())
    assert thought.certain
    assert thought.move == state.legal_moves[0].term


def test_where_another_role_is_stuck_any_move_is_as_good(tmp_path: Path) -> None:
    rules = tmp_path / "stuck.lp"
    rules.write_text(
        "role(a;b). init(first). legal(R,(x;y)) :- role(R), true(first). legal(a,(x;y))."
        "next(second). terminal :- not true(first), not true(second). goal(R,50) :- role(R)."
    )
    state = aspgames.load(rules).initial.play({"a": "x", "b": "x"})
    assert [len(moves) for moves in state.legal.values()] == [2, 0]
    (thought,) = Player(state.game).think(state, "a", Budget(), 50)
    assert thought.certain


def test_choosing_takes_a_limit_and_a_move() -> None:
    player, state = Player(small()), small().position("P3/4/4/p3/4 b")
    with pytest.raises(IllegalMove, match="game over: white 100"):
        player.choose(state, seconds=1)
    with pytest.raises(BadRequest, match="seconds"):
        player.choose(small().initial)


def against_random(name: str, games: int, each: int, **constants: int) -> int:
    """The number of games won; the player changes sides after each game."""
    won = 0
    for number in range(games):
        game = aspgames.load(name, **constants)
        player, rng, state = Player(game, PlayerOptions(seed=number)), random.Random(number), None
        own, other = game.roles if number % 2 else game.roles[::-1]
        state = game.initial
        while not state.is_terminal and state.legal_moves:
            if state.to_move == own:
                state = state.play(player.choose(state, games=each))
            else:
                state = state.play(rng.choice(list(state.legal_moves)))
        won += state.goals[own] > state.goals[other]
    return won


def test_random_moves_are_beaten() -> None:
    assert against_random("breakthrough", 4, 300, width=4, height=5) == 4


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize("name", FIVE)
def test_random_moves_are_beaten_in_every_game(name: str) -> None:
    games, each = (2, 800) if name == "amazons" else (4, 500)  # Amazons has thousands of moves
    assert against_random(name, games, each) == games


def test_the_solver_beside_the_tree_leaves_large_positions_alone() -> None:
    """The grounder could go on without a net, but not within a move's time."""
    search = ForcedSearch(2.0**20, threads=1)
    with pytest.raises(LimitReached):
        search.begin(aspgames.load("amazons").initial, None, Budget())
