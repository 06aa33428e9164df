"""Searches on stored nets and tables have the answers of searches on nets made anew."""

from pathlib import Path

import pytest

from aspgames import Game, RulesError, load
from aspgames.propnet.kernel import kernel
from aspgames.propnet.net import Net, StoredNet
from aspgames.puzzle.problem import Puzzle
from aspgames.runtime import cache, cache_upkeep
from aspgames.runtime.budget import MOST_RULES, Budget
from aspgames.solver.search.puzzle_search import Search
from aspgames.solver.search.puzzle_tables import PuzzleTables
from engine_helpers import alone

POSITIONS = ("pppp/4/4/4/PPPP w", "1p2/P2p/4/1P2/3P b", "2p1/3P/p3/P3/4 w")


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game with a cache of its own."""
    monkeypatch.setenv("ASPGAMES_CACHE", str(tmp_path / "kept"))
    return alone(load("breakthrough", width=4, height=5))


def stored(game: Game, text: str) -> StoredNet:
    """The net of all positions, for a position."""
    assert game.nets.all_positions(MOST_RULES)
    found = game.nets.stored([game.position(text).facts])
    assert found
    return found[0]


def puzzles(game: Game) -> list[Puzzle]:
    """A puzzle for each position and side."""
    return [
        Puzzle.read(game.position(text), role, "win", 4)
        for text in POSITIONS
        for role in game.roles
    ]


def test_a_stored_net_has_the_answers_of_a_new_one(game: Game) -> None:
    made = [Search(puzzle, Budget(), threads=1).run() for puzzle in puzzles(game)]
    assert {each.verdict for each in made} == {"forced", "not_forced"}
    for is_stored in (False, True):
        for number, (puzzle, other) in enumerate(zip(puzzles(game), made, strict=True)):
            net = stored(game, " ".join(puzzle.state.facts))
            found = Search(puzzle, Budget(), net=net, threads=1).run()
            assert (found.verdict, found.distance) == (other.verdict, other.distance)
            assert found.keys == other.keys
            assert ("circuit" in vars(net)) == (not is_stored and number < len(game.roles))


def test_stored_tables_are_those_that_were_made(game: Game) -> None:
    def block(puzzle: Puzzle, net: Net, general: bool) -> tuple[bytes, bool, bool]:
        made = PuzzleTables(puzzle, net, general, lemmas=False)
        words = made.address[1]  # how many they are
        buffer = kernel().ffi.buffer(made.address, 4 * words)
        return bytes(buffer), made.general, made.quiet

    for puzzle in puzzles(game)[:2]:
        for general in (False, True):
            net = stored(game, POSITIONS[0])
            first, again = block(puzzle, net, general), block(puzzle, net, general)
            net.key = ""  # so its tables aren't stored
            assert first == again == block(puzzle, net, general)
    kinds = [entry.kind for entry in cache_upkeep.entries(cache.folder())]
    assert kinds.count("search") == 4


def test_another_net_under_the_same_key_is_refused_in_one_line(game: Game) -> None:
    net = stored(game, POSITIONS[0])
    assert game.nets.all_positions(MOST_RULES)
    net.fluents = net.fluents[1:]
    with pytest.raises(RulesError, match="aspgames cache --clear"):
        assert net.circuit


def test_a_game_without_declared_fluents_has_no_net_of_all_positions() -> None:
    bare = alone(load("breakthrough", width=4, height=5))
    bare.nets._base = ()
    assert bare.nets.all_positions(MOST_RULES) is None


def test_the_second_net_of_a_process_is_taken_for_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASPGAMES_CACHE", str(tmp_path))
    skirmish = alone(load("skirmish"))
    placed = (
        "cell(1,1,king(white)) cell(8,8,king(black)) captures(white,10) control(white) step(58)"
    )
    state = skirmish.position(placed)
    skirmish.nets.make(skirmish.initial.facts)
    assert not skirmish.nets.find(state.facts)
    skirmish.nets.make(state.facts)
    found = skirmish.nets.stored([state.facts])
    assert found
    net = found[0]
    assert net.circuit  # made anew, and compared with the stored net
    solved = Search(Puzzle.read(state, "white", "win", 2), Budget(), net=net, threads=1).run()
    assert solved.distance == 1
