"""Puzzles with hidden information: published values, and random games against brute force."""

from fractions import Fraction
from pathlib import Path

import pytest

import aspgames
from aspgames import BadRequest, LimitReached, RulesError, Solution
from aspgames.puzzle.problem import Puzzle
from aspgames.puzzle.proof.verify import verify
from aspgames.puzzle.verdict_text import verdict_text
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import Interrupted
from aspgames.solver.belief import belief_outcomes, bound_writer, hidden_puzzle, sure_search
from aspgames.solver.belief.hidden_puzzle import HiddenPuzzle
from cli_helpers import Call, check
from hidden_games import brute_force, random_game
from paths import TESTS
from thoroughly import amount


def solved(name: str, within: int | None = None, chance: object = 1, **constants: int) -> Solution:
    start = aspgames.load(name, **constants).initial
    return aspgames.solve(start, goal="win", within=within, chance=chance)  # type: ignore[arg-type]


slow = pytest.mark.slow


@pytest.mark.quick(5)
@pytest.mark.parametrize(
    ("name", "constants", "turns"),
    [
        ("mastermind", {"pegs": 2, "colours": 3}, 3),
        pytest.param("mastermind", {"pegs": 3, "colours": 3}, 4, marks=slow),
        ("mastermind", {"pegs": 3, "colours": 4}, 4),
        pytest.param("mastermind", {"pegs": 4, "colours": 6}, 5, marks=slow),
        *(("rabbit", {"holes": holes}, 2 * holes - 4) for holes in range(3, 9)),
        ("counterfeit_coin", {"coins": 3, "weighings": 2}, 3),
        ("counterfeit_coin", {"coins": 4, "weighings": 2}, None),
        pytest.param("counterfeit_coin", {"coins": 12, "weighings": 3}, 4, marks=slow),
        pytest.param("counterfeit_coin", {"coins": 13, "weighings": 3}, None, marks=slow),
        ("bulls_and_cows", {"digits": 1}, 10),
    ],
)
def test_published_numbers_of_turns(
    name: str, constants: dict[str, int], turns: int | None
) -> None:
    found = solved(name, **constants)
    assert (found.distance, found.hidden) == (turns, True)
    assert found.verdict == ("not_forced" if turns is None else "forced")
    if turns:
        assert found.probability == 1
        assert solved(name, turns - 1, **constants).verdict == "not_forced"


def test_the_monty_hall_problem() -> None:
    found = solved("monty_hall")
    assert (found.verdict, found.probability) == ("not_forced", Fraction(2, 3))
    assert solved("monty_hall", chance="2/3").distance == 2
    assert solved("monty_hall", chance="0.67").verdict == "not_forced"
    # The player has chosen door 1, and the host has opened door 2. The car's place is unknown
    # to the player only after chance has hidden it.
    state = aspgames.load("monty_hall").initial.play("hide(3)").play("choose(1)").play("open(2)")
    assert aspgames.solve(state, goal="win").keys == ("switch",)


@pytest.mark.quick(2)
@pytest.mark.parametrize("seed", range(amount(12, 200)))
def test_random_games_as_by_brute_force(seed: int, tmp_path: Path) -> None:
    path = tmp_path / f"graph_{seed}.lp"
    path.write_text(random_game(seed))
    foe = tmp_path / f"foe_{seed}.lp"
    foe.write_text(random_game(seed).replace("random", "foe"))
    opposed = aspgames.load(foe).initial
    start = aspgames.load(path).initial
    previous = Fraction(0)
    for turns in range(4):
        expected = brute_force(start, "player", turns)
        solution = aspgames.solve(start, goal="win", within=turns)
        assert solution.probability == expected
        assert (solution.verdict == "forced") == (expected == 1)
        # An opponent who knows everything, in place of chance, leaves only what is sure.
        against = aspgames.solve(opposed, attacker="player", goal="win", within=turns)
        assert (against.verdict, against.probability) == (solution.verdict, None)
        if expected:
            exact = aspgames.solve(start, goal="win", within=3, chance=expected)
            assert exact.verdict == "forced"
            if expected > previous:
                assert exact.distance == turns
        previous = expected


def test_what_is_refused(tmp_path: Path) -> None:
    start = aspgames.load("rabbit").initial
    with pytest.raises(BadRequest, match="nobody to trap"):
        aspgames.solve(start, goal="trap")
    path = tmp_path / "foe.lp"
    path.write_text(random_game(0).replace("random", "foe"))
    with pytest.raises(BadRequest, match="--chance must be 1"):
        aspgames.solve(aspgames.load(path).initial, attacker="player", goal="win", chance="1/2")
    # Chance moves once or twice, and the player doesn't see how often.
    path = tmp_path / "lost_count.lp"
    path.write_text(
        "role(player). role(random). init(on(random,0)).\n"
        "legal(random,(stop;more)) :- true(on(random,_)). legal(player,go) :- true(on(player,_)).\n"
        "legal(player,wait) :- true(on(player,_)).\n"
        "legal(R,noop) :- role(R), true(on(S,_)), R != S.\n"
        "next(on(random,N+1)) :- does(random,more), true(on(_,N)), N < 2.\n"
        "next(on(player,N)) :- does(random,stop), true(on(_,N)).\n"
        "next(on(player,N)) :- does(random,more), true(on(_,N)), N >= 2.\n"
        "next(on(over,0)) :- does(player,go). next(on(player,N)) :- does(player,wait), "
        "true(on(_,N)).\n"
        "terminal :- true(on(over,_)). goal(player,100) :- true(on(over,_)).\n"
        "sees(player,done) :- does(player,go)."
    )
    with pytest.raises(RulesError, match="can't know by what it sees whether it is on move"):
        aspgames.solve(aspgames.load(path).initial, goal="win")


def test_a_role_that_waits_needs_a_move(tmp_path: Path) -> None:
    path = tmp_path / "idle.lp"
    text = random_game(0).replace(
        "role(R), true(at(_,S)), S != R.", "R = ROLE, true(at(_,S)), S != R."
    )
    for role, idle in (("random", "player"), ("player", "random")):
        path = tmp_path / f"{role}.lp"
        path.write_text(text.replace("ROLE", role))
        with pytest.raises(
            RulesError, match=f"{role}.lp: {idle} has no move in a state that isn't"
        ):
            aspgames.solve(aspgames.load(path).initial, goal="win", within=2)


def test_a_sheet_with_hidden_information() -> None:
    """Monty Hall in GDL-II: the car is hidden while a door is chosen."""
    start = aspgames.load(TESTS / "data/monty_hall.kif").initial
    found = aspgames.solve(start, goal="win", chance="2/3")
    assert (found.distance, str(found.probability)) == (2, "2/3")
    assert len(found.keys) == 3


def test_the_answer_in_json_and_in_words(call: Call) -> None:
    asked = ("solve", "mastermind", "-c", "pegs=2", "-c", "colours=3", "--goal", "win")
    found = call(*asked, "--json")
    report = check(found.json, "solution")
    assert (report["hidden"], report["probability"], report["distance"]) == (True, "1", 3)
    assert "player can surely win in 3 turns" in call(*asked).out
    found = call(*asked, "--within", "1")
    assert found.code == 1
    assert "can't surely win within 1 turn; at best with probability 1/9." in found.out


@pytest.mark.parametrize(
    ("name", "constants", "sample"),
    [("mastermind", {"pegs": 2, "colours": 3}, 40), ("bulls_and_cows", {"digits": 2}, 200)],
)
def test_quick_plans_and_too_many_joint_moves(
    name: str, constants: dict[str, int], sample: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in large games: plans among samples of moves, and no search through all of them."""
    exact = solved(name, **constants).distance
    start = aspgames.load(name, **constants).initial
    monkeypatch.setattr(hidden_puzzle, "_LARGE_SET", 1)
    monkeypatch.setattr(sure_search, "_SAMPLE_OUTCOMES", sample)
    search = HiddenPuzzle(Puzzle.read(start, None, "win", None, 1), Budget(), lambda _text: None)
    assert search.run().distance == exact
    monkeypatch.setattr(belief_outcomes, "_MOST_ENTRIES", sample + 20)
    search = HiddenPuzzle(Puzzle.read(start, None, "win", None, 1), Budget(), lambda _text: None)
    found = search.run()
    assert (found.verdict, found.distance) == ("forced", exact)
    proof = search.own_certificate(found)
    assert proof is not None
    assert "bounds" not in proof
    assert verify(proof).at_most == exact


@slow
def test_seven_guesses_suffice_in_bulls_and_cows() -> None:
    """As has been known since the 1980s; see the source in the rule book."""
    start = aspgames.load("bulls_and_cows").initial
    search = HiddenPuzzle(Puzzle.read(start, None, "win", 7, 1), Budget(), lambda _text: None)
    found = search.run(first=True)
    assert (found.verdict, found.at_most) == ("forced", 7)


@pytest.mark.parametrize(("memory", "time"), [(1e5, None), (None, 1e-9)])
def test_bounds_while_a_puzzle_is_prepared(memory: float | None, time: float | None) -> None:
    start = aspgames.load("mastermind").initial
    found = aspgames.solve(start, goal="win", memory=memory, time=time)
    bounds = f"{found.probability_at_least} {found.probability_at_most}"
    assert (found.verdict, found.positions, found.hidden, bounds) == ("unknown", 0, True, "0 1")


def test_bounds_after_an_interrupt_while_a_puzzle_is_prepared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupt(*_: object) -> None:
        raise Interrupted

    monkeypatch.setattr(HiddenPuzzle, "_prepare", interrupt)
    start = aspgames.load("mastermind").initial
    search = HiddenPuzzle(Puzzle.read(start, None, "win", None, 1), Budget(), lambda _text: None)
    found = search.run()
    assert (found.verdict, search.interrupted, search.own_certificate(found)) == (
        "unknown", True, None,
    )  # fmt: skip


def test_bounds_after_a_limit() -> None:
    start = aspgames.load("mastermind", pegs=3, colours=4).initial
    puzzle = Puzzle.read(start, None, "win", None, 1)
    found = aspgames.solve(start, goal="win", budget=Budget(positions=20))
    bounds = found.probability_at_least, found.probability_at_most
    assert (found.verdict, *map(str, bounds)) == ("unknown", "0", "1")
    said = f"not within {found.not_within} turns; at best with a probability from 0"
    assert (found.not_within or 0) > 1
    assert f"Undecided: the limits are reached; {said}" in verdict_text(puzzle, found)
    assert _of_stopped(HiddenPuzzle(puzzle, Budget(), lambda _text: None)) == ("unknown", None, 2)
    puzzle = Puzzle.read(start, None, "win", 6, 1)
    stopped = HiddenPuzzle(puzzle, Budget(), lambda _text: None)
    assert _of_stopped(stopped) == ("forced", 6, 2)
    found = stopped.run()
    assert (found.verdict, found.distance) == ("forced", None)
    assert "can surely win in at most 6 turns (not within 2)" in verdict_text(puzzle, found)


def test_turns_that_counting_refutes_are_told_with_a_limit_on_turns() -> None:
    start = aspgames.load("mastermind", pegs=3, colours=4).initial
    for within, proved in (5, ("unknown", None, 3)), (3, ("not_forced", None, None)):
        puzzle = Puzzle.read(start, None, "win", within, 1)
        search = HiddenPuzzle(puzzle, Budget(), lambda _text: None)
        assert _of_stopped(search) == proved


def _of_stopped(search: HiddenPuzzle) -> tuple[str, int | None, int | None]:
    """What is proved of a search that a limit stops before it looks at 3 or 5 turns."""
    won = search.sure.all_won

    def until_odd(turns: int) -> bool:
        if turns in (3, 5):
            raise LimitReached("stop")
        return won(turns)

    search.sure.all_won = until_odd  # type: ignore[method-assign]
    proof = search.own_certificate(search.run())
    assert proof is not None
    claim = verify(proof)
    return claim.verdict, claim.at_most, claim.not_within


def test_less_than_certainty_in_endless_play(tmp_path: Path) -> None:
    """Each turn wins with 1/2: any probability below 1 is forced at last, and 1 never is."""
    path = tmp_path / "coin.lp"
    path.write_text(
        "role(player). role(random). init(on(player)). to_move(R) :- true(on(R)).\n"
        "legal(player,toss) :- true(on(player)). legal(random,(heads;tails)) :- true(on(random)).\n"
        "legal(R,noop) :- role(R), not to_move(R). next(on(random)) :- does(player,toss).\n"
        "next(on(player)) :- does(random,tails). next(won) :- does(random,heads).\n"
        "terminal :- true(won). goal(player,100) :- true(won). goal(player,0) :- not true(won).\n"
        "sees(player,heads) :- does(random,heads)."
    )
    start = aspgames.load(path).initial
    assert aspgames.solve(start, goal="win", chance="127/128").distance == 7
    assert aspgames.solve(start, goal="win", chance=f"{2**70 - 1}/{2**70}").distance == 70
    found = aspgames.solve(start, goal="win")
    assert (found.verdict, str(found.probability_at_most)) == ("not_forced", "1")
    # That no number of turns suffices has no certificate; that each of many is too few has one.
    search = HiddenPuzzle(Puzzle.read(start, None, "win", None, 1), Budget(), lambda _text: None)
    proof = search.own_certificate(search.run())
    claim = verify(proof or {})
    assert (claim.verdict, (claim.not_within or 0) > 20) == ("unknown", True)
    assert claim.probability_at_least == found.probability_at_least


@pytest.mark.usefixtures("folder")
@pytest.mark.slow
def test_bounds_that_are_too_large_prove_fewer_turns(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bound_writer, "MOST_NODES", 2)
    wanted = "solve mastermind -c pegs=3 -c colours=4 --goal win --within 3 --certificate a.json"
    found = call(*wanted.split())
    assert (found.code, "can't surely win within 3 turns" in found.out) == (1, True)
    assert "the certificate proves that the goal isn't forced within 2 turns" in found.err
    assert "within 2 turns" in call("verify", "a.json").out


def test_a_turn_of_several_tries() -> None:
    """White wins on one of three squares. Black hides a stone on one: White's second try wins."""
    game = aspgames.load("phantom_tictactoe")
    stones = "cell(1,1,white) cell(1,3,white) cell(3,3,white) cell(2,1,black) cell(3,1,black) "
    found = aspgames.solve(game.position(stones + "control(black)"), attacker="white", goal="win")
    assert (found.verdict, found.distance, found.hidden) == ("forced", 1, True)
    found = aspgames.solve(game.position(stones + "control(white)"), attacker="white", goal="win")
    tries = "put(2,1)", "put(3,1)"  # they fail, and the turn goes on
    assert (found.distance, {*found.keys}) == (1, {"put(1,2)", "put(2,2)", "put(2,3)", *tries})
    fewer = stones.replace("cell(1,3,white) ", "") + "control(black)"
    found = aspgames.solve(game.position(fewer), attacker="white", goal="win", within=1)
    assert found.verdict == "not_forced"
