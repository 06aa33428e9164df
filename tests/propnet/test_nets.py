"""Compares nets with the grounder: random play, artificial positions, awkward encodings."""

import contextlib
import gc
import itertools
import random
import signal
import threading
from _thread import interrupt_main
from pathlib import Path
from unittest.mock import Mock, patch

import pytest

import aspgames
from aspgames import BadPosition, Game, LimitReached, RulesError, State, divide, perft, playouts
from aspgames.gdl.encoding import read_encoding
from aspgames.gdl.rules import Facts, Rules
from aspgames.propnet import open_grounding, reachable_nets, state_nets
from aspgames.propnet.gate_tables import Tables
from aspgames.propnet.net import Net
from aspgames.propnet.net_reasoner import NetReasoner
from aspgames.propnet.reachable_nets import net_for
from aspgames.runtime import budget
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import Interrupted, NotBuilt, OutOfTime, TooLarge
from aspgames.runtime.workers.worker import Worker
from awkward import AWKWARD
from engine_helpers import alone, assert_same, on_net, on_net_alone, random_game, write
from helpers import record_calls
from thoroughly import amount

SLOW_SPLIT = pytest.param("amazons_10x10", marks=pytest.mark.slow)
SPLIT_AND_OTHERS = [SLOW_SPLIT, "amazons_8x8", "breakthrough", "skirmish"]

Played = list[tuple[State, dict[str, str]]]
"""States that the grounder answers, each with a joint move or none."""


def assert_agreement(game: Game, reasoner: NetReasoner, played: Played) -> None:
    """Check that a game's nets and another net give the grounder's answers."""
    for state, joint in played:
        assert reasoner.consequences(state.facts) == state.consequences
        assert_same(game.state(state.facts), state)
        if not joint:
            continue
        facts = state.play(joint).facts
        assert reasoner.successor(state.facts, joint) == facts
        assert game.state(state.facts).play(joint).facts == facts
        for move in game.state(state.facts).legal_moves:
            if joint[move.role] == move.term:
                # Both the state and the move come from a net.
                on_net = game.state(state.facts).play(move)
                assert_same(on_net, state.game.state(facts))
                assert on_net.facts == facts


def played(game: Game, seeds: range) -> Played:
    return [pair for seed in seeds for pair in random_game(game.initial, random.Random(f"{seed}"))]


@pytest.mark.quick(1)
@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "seeds", [range(1), pytest.param(range(100, amount(102, 106)), marks=pytest.mark.slow)], ids=len
)
@pytest.mark.parametrize("name", SPLIT_AND_OTHERS)
def test_nets_and_grounder_agree_along_random_games(name: str, seeds: range) -> None:
    game = aspgames.load(name)
    reasoner = NetReasoner(game.rules, game.initial.facts)
    assert_agreement(on_net_alone(game), reasoner, played(game.without_nets, seeds))


def artificial(game: Game, rng: random.Random) -> State:
    """A random position: any pieces on any squares, in any number."""
    board = game.board
    assert board is not None
    squares = [(x, y) for x in range(1, board.width + 1) for y in range(1, board.height + 1)]
    fill = rng.random()
    while True:
        facts = [
            f"cell({x},{y},{rng.choice(sorted(board.glyphs))})"
            for x, y in squares
            if (x, y) not in board.holes and rng.random() < fill
        ]
        side = rng.choice([text for text in board.fields[1] if "fire" not in text])
        try:
            return game.from_facts([*facts, board.fields[1][side]])
        except BadPosition:
            fill *= 0.9


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", SPLIT_AND_OTHERS)
def test_nets_and_grounder_agree_on_artificial_positions(name: str) -> None:
    """Also on positions with unreachable fluents: a net that lacks a fluent is replaced."""
    game = aspgames.load(name)
    rng, ground = random.Random(5), game.without_nets
    states = [artificial(ground, rng) for _ in range(6)]
    pairs = [pair for s in states for pair in itertools.islice(random_game(s, rng), 3)]
    reasoner = NetReasoner(game.rules, game.initial.facts)
    assert_agreement(on_net_alone(game, *(state.facts for state, _ in pairs)), reasoner, pairs)


@pytest.mark.quick(8)
@pytest.mark.sample(6)
@pytest.mark.parametrize(
    "seeds", [range(2), pytest.param(range(2, amount(6, 20)), marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("name", AWKWARD)
def test_nets_and_grounder_agree_on_awkward_encodings(
    name: str, seeds: range, tmp_path: Path
) -> None:
    game = write(AWKWARD[name], tmp_path)
    ground, net = game.without_nets, on_net_alone(game)
    pairs = [
        pair
        for seed in seeds
        for pair in itertools.islice(random_game(ground.initial, random.Random(seed)), 12)
    ]
    reasoner = NetReasoner(game.rules, game.initial.facts)
    assert_agreement(net, reasoner, pairs)
    for depth in (1, 2, 3):
        if depth > 1 and perft(game.initial, depth, threads=1) > 3_000:
            break  # the grounder would take long
        counts = [divide(game.initial, depth, reasoner=r, threads=1) for r in REASONERS]
        assert counts[0] == counts[1]
        paths = [perft(game.initial, depth, reasoner=r, threads=1) for r in REASONERS]
        assert paths[0] == paths[1] == sum(counts[0].values())
        if paths[0] > 100:
            break  # the grounder evaluates them one by one


REASONERS = ("propnet", "grounder")


@pytest.mark.usefixtures("nothing_kept")
def test_a_net_that_lacks_a_fluent_is_not_asked() -> None:
    """The grounder answers until a net knows the state."""
    game = on_net(aspgames.load("skirmish"))
    king = game.position("8/8/2#2#2/8/4K3/2#2#2/8/r7 w 0 0 1")
    assert game.nets.find(king.facts) is None
    ground = game.without_nets
    assert_same(game.state(king.facts), ground.state(king.facts))
    assert len(game.state(king.facts).legal_moves) == 7
    # Play leads back to states of the first net, or continues without it.
    for move in game.state(king.facts).legal_moves:
        assert_same(game.state(king.facts).play(move), ground.state(king.facts).play(move.term))
    game.nets.make(king.facts)
    assert game.nets.find(king.facts)
    assert game.nets.find(game.initial.facts)
    vars(game)["reasoner"] = None  # a question to the grounder is an error
    assert_same(game.state(king.facts), ground.state(king.facts))
    assert_same(game.state(game.initial.facts), ground.initial)


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("name", ["breakthrough", "tictactoe", "nim"])
def test_later_processes_know_what_changes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = aspgames.load(name).rules

    def made(facts: Facts) -> tuple[object, ...]:
        for remembered in (reachable_nets._changing, reachable_nets.bounded_program):
            remembered.cache_clear()
        net = net_for(rules, facts)
        return net.certain, net.fluents, net.moves, net.exclusive, net.tables().pack()

    start = aspgames.load(name).initial
    first = made(start.facts)
    monkeypatch.setattr(reachable_nets, "_first_changes", None)  # it isn't looked for again
    assert made(start.facts) == first
    assert made(start.play(start.legal_moves[0]).facts)


@pytest.fixture
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn off the nets on disk."""
    monkeypatch.setenv("ASPGAMES_CACHE", "off")


def asked(game: Game, seconds: float = 0.002, times: int = 51) -> None:
    """Charge the game's account for questions about its start, and wait for a net's process."""
    for _ in range(times):
        game.nets.charge(game.initial.facts, seconds)
    if making := game.nets.making:
        making.join()


@pytest.mark.usefixtures("nothing_kept")
@pytest.mark.parametrize(
    ("most", "seconds", "times"), [(15_000, 0.002, 51), (100, 0.002, 51), (15_000, 0.1, 4)]
)
def test_a_net_is_made_after_some_questions(
    most: int, seconds: float, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At once if it is small, and another process isn't worth while; else by another process."""
    monkeypatch.setattr(state_nets, "_SMALL_RULES", most)
    threads = record_calls(monkeypatch, state_nets, "Thread")
    game = alone(aspgames.load("breakthrough", width=4, height=5))
    asked(game, seconds, times - 2)
    assert game.nets.find(game.initial.facts) is None
    asked(game, seconds, 2)
    assert game.nets.find(game.initial.facts)
    assert len(threads) == (most == 100 or times == 4)
    away = game.position("cell(2,2,white) cell(2,4,black) control(white)")
    state, ground = game.state(away.facts), game.without_nets.state(away.facts)
    assert_same(state.play("b2-b3"), ground.play("b2-b3"))


@pytest.mark.usefixtures("nothing_kept")
def test_a_library_that_must_be_built_again_is_told_before_another_process_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(state_nets, "kernel", Mock(side_effect=NotBuilt("built for another kind")))
    game = alone(aspgames.load("tictactoe"))
    with pytest.raises(NotBuilt, match="another kind"):
        asked(game, 0.1, 4)
    assert game.nets.making is None


@pytest.mark.usefixtures("nothing_kept")
def test_another_process_makes_the_net_of_all_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_nets, "_SMALL_RULES", 1)
    game = alone(aspgames.load("tictactoe"))
    asked(game)
    away = ("cell(1,1,o)", "cell(1,2,o)", "cell(2,2,x)", "control(o)")
    assert game.nets.find(away) is None
    for _ in range(4):
        game.nets.charge(away, 0.05)
    assert game.nets.making
    game.nets.making.join()
    assert game.nets.find(away)
    assert_same(game.state(away), game.without_nets.state(away))


NETLESS = """
    role(solo). to_move(solo). init(a). legal(solo,go) :- true(a).
    { lucky }. :- not lucky. next(a) :- lucky.
"""


@pytest.mark.usefixtures("nothing_kept")
@pytest.mark.parametrize("text", [NETLESS, ""])
def test_a_net_that_cannot_be_made_is_not_tried_again(
    tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not text:  # too large for the other process, too

        def refuse(*_: object) -> None:
            raise TooLarge("there are more")

        monkeypatch.setattr(Worker, "call", refuse)
        monkeypatch.setattr(state_nets, "_SMALL_RULES", 1)
    game = alone(write(text, tmp_path) if text else aspgames.load("breakthrough"))
    asked(game)
    with patch.object(game.nets, "make", None):
        asked(game)
    assert game.nets.find(game.initial.facts) is None
    assert game.initial.play(game.initial.legal_moves[0])


@pytest.mark.usefixtures("kept")
def test_a_net_that_was_too_large_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = aspgames.load("breakthrough", width=5, height=6)
    facts = game.initial.facts
    with pytest.raises(TooLarge) as first:
        alone(game).nets.tables_from(facts, 200)
    with monkeypatch.context() as nothing_grounded:
        nothing_grounded.setattr("aspgames.propnet.open_grounding.ground", None)
        for most_rules in (200, 100):
            with pytest.raises(TooLarge) as second:
                alone(game).nets.tables_from(facts, most_rules)
            assert str(second.value) == str(first.value)
        monkeypatch.setattr("aspgames.play.playout._RULES_A_GAME", 100)
        assert playouts(alone(game).initial, 2).games == 2
    monkeypatch.setattr("aspgames.propnet.state_nets._WORTH_SECONDS", 0)
    assert alone(game).nets.tables_from(facts, 2_000_000)
    assert alone(game).nets.tables_from(facts, 100)  # it exists by now


def test_a_net_that_nobody_asked_for_leaves_time_for_the_grounder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[Budget] = []

    def refuse(_facts: Facts, _most_rules: int, budget: Budget) -> Tables:
        given.append(budget)
        raise OutOfTime("no answer within so many seconds")

    game = alone(aspgames.load("breakthrough", width=2, height=4))
    monkeypatch.setattr(game.nets, "tables_from", refuse)
    whole = Budget(60)
    assert playouts(game.initial, 3, budget=whole).games == 3
    assert 0 < given[0].seconds_left <= 30
    for limit, reasoner in ((whole, "propnet"), (Budget(), None)):
        with contextlib.suppress(OutOfTime):
            playouts(game.initial, 3, reasoner=reasoner, budget=limit)
        assert given[-1] is limit


def test_perft_does_without_a_net_that_would_be_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Tables:
        raise TooLarge("there are too many")

    monkeypatch.setattr("aspgames.propnet.counting.PlyNets.after", refuse)
    initial = aspgames.load("breakthrough", width=2, height=4).initial
    assert perft(initial, 2) == perft(initial, 2, reasoner="grounder")
    assert divide(initial, 2) == divide(initial, 2, reasoner="grounder")
    with pytest.raises(TooLarge):
        perft(initial, 2, reasoner="propnet")


LONG = """
role(solo). init(at(1)). to_move(solo). place(1..3000). legal(solo,(back;on)).
next(at(N+1)) :- true(at(N)), place(N+1), does(solo,on).
next(at(1))   :- true(at(N)), does(solo,back).
terminal :- true(at(3000)). goal(solo,100) :- terminal.
"""


def test_games_that_have_not_ended_in_time_say_how_long_they_are(tmp_path: Path) -> None:
    game = write(LONG, tmp_path)
    for games, going_on in ((1, "the game goes on"), (600, "all of 512 games go on")):
        with pytest.raises(LimitReached, match=rf"{going_on} after [1-9][\d,]* plies"):
            playouts(game.initial, games, budget=Budget(positions=50 * games), threads=1)
    with pytest.raises(LimitReached, match="positions: a game goes on after 9 plies"):
        playouts(game.initial, 9, reasoner="grounder", budget=Budget(positions=9))


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("{ lucky }. next(a) :- lucky.", "the rules choose something"),
        (":- true(a).", "constrain or choose"),
        ("p :- true(a), not q. q :- true(a), not p. next(a) :- p.", "recur through negation"),
        ("terminal :- true(a), not terminal.", "terminal.* own negation"),
        ("a | b :- true(a).", "constrain or choose"),
        ("goal(solo,1) :- does(solo,go).", "depends on the moves"),
        ("terminal :- does(solo,go).", "depends on the moves"),
        ("legal(solo,on) :- does(solo,go).", "depends on the moves"),
    ],
)
def test_rules_that_settle_nothing_have_no_net(rules: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "own.lp"
    file.write_text(f"role(solo). init(a). legal(solo,go) :- true(a). {rules}")
    with pytest.raises(RulesError, match=message):
        Net(Rules(read_encoding(str(file)), {}, ("solo",)), (), ("a",), closed=True).tables()


@pytest.mark.parametrize("what", ["legal(ghost,go).", "goal(ghost,1).", "to_move(ghost)."])
@pytest.mark.parametrize("always", [True, False])
def test_what_is_said_of_nobody_counts_nothing(what: str, always: bool, tmp_path: Path) -> None:
    ghost = what if always else f"{what[:-1]} :- true(a)."
    rules = "role(solo). init(a). legal(solo,go) :- true(a). next(b) :- does(solo,go). "
    game = write(f"{rules} next(c) :- does(ghost,go). terminal :- true(b). {ghost}", tmp_path)
    net = Net(game.rules, (), ("a",), closed=True)
    assert net.moves == [("solo", "go")]
    assert set(net.outputs.next) == {"b"}
    state = game.without_nets.initial
    assert (state.goals, state.to_move) == ({"solo": 0}, "solo")
    assert list(state.legal) == ["solo"]
    assert state.play("go").facts == ("b",)


ENDLESS = """
role(white;black).  init(count(0)).  init(control(white)).  to_move(R) :- true(control(R)).
legal(R,(add;pass)) :- to_move(R).  legal(R,noop) :- role(R), not to_move(R).
next(count(N+1)) :- true(count(N)), does(_,add).
next(count(N))   :- true(count(N)), not does(_,add).
next(control(S)) :- true(control(R)), role(S), S != R.
terminal :- true(count(3)), true(control(black)).
goal(R,100) :- role(R), terminal.
"""


@pytest.fixture
def endless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game whose grounding goes on until 2,000,000 rules: nobody notices that it has no end."""
    monkeypatch.setattr(open_grounding, "_MOST_RESULTS", 1 << 30)
    return write(ENDLESS, tmp_path)


@pytest.mark.usefixtures("nothing_kept")
def test_the_time_bounds_the_making_of_nets(endless: Game) -> None:
    """Without the limit, the grounder would reach 2,000,000 rules."""
    with pytest.raises(LimitReached, match=r"no answer within 0\.1 seconds"):
        net_for(endless.rules, endless.initial.facts, 2_000_000, Budget(0.1))
    for reasoner in (None, "propnet"):
        with pytest.raises(LimitReached, match=r"no answer within 0\.1 seconds"):
            playouts(endless.initial, 100, reasoner=reasoner, budget=Budget(0.1))


@pytest.mark.usefixtures("nothing_kept")
def test_nothing_is_grounded_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    initial = aspgames.load("breakthrough", width=3, height=7).initial
    monkeypatch.setattr("aspgames.propnet.open_grounding.ground", None)
    for threads in (1, 2):
        for ask in (
            lambda: perft(initial, 4, threads=threads, budget=Budget(1e-9)),  # noqa: B023
            lambda: divide(initial, 4, threads=threads, budget=Budget(1e-9)),  # noqa: B023
            lambda: playouts(initial, 9, threads=threads, budget=Budget(1e-9)),  # noqa: B023
        ):
            with pytest.raises(LimitReached, match="no answer within 1e-09 seconds"):
                ask()


def test_ctrl_c_stops_the_grounder(endless: Game) -> None:
    """Both as Python's ``KeyboardInterrupt`` and as a stop of the budget."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        for press, raised in ((interrupt_main, KeyboardInterrupt), (budget.stop, Interrupted)):
            timer = threading.Timer(0.3, press)
            timer.start()
            try:
                with pytest.raises(raised):
                    net_for(endless.rules, endless.initial.facts, 2_000_000)
            finally:
                timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
        budget.resume()


@pytest.mark.usefixtures("nothing_kept")
def test_a_net_names_a_counter_as_the_reason_where_there_is_one(tmp_path: Path) -> None:
    counter = write(ENDLESS, tmp_path)
    with pytest.raises(TooLarge, match=r"1,000 ground rules \(own.lp:\d: .*give .N\+1. a bound\)$"):
        net_for(counter.rules, counter.initial.facts, 1000)
    large = aspgames.load("amazons")
    with pytest.raises(TooLarge, match=r"1,000 ground rules, too .*: up to .* needs none$"):
        net_for(large.rules, large.initial.facts, 1000)


@pytest.mark.usefixtures("nothing_kept")
def test_the_limit_holds_for_all_that_is_grounded_for_a_net(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits = record_calls(monkeypatch, open_grounding, "GroundRules")
    game = aspgames.load("breakthrough", width=3, height=6)
    rules = Rules(game.encoding, game.constants, game.roles)  # new rules without cached results
    net_for(rules, game.initial.facts, 54_321)
    assert len(limits) > 2
    assert {most_rules for most_rules, _ in limits} == {54_321}


@pytest.mark.usefixtures("nothing_kept")
def test_a_net_that_would_be_too_large_is_not_made() -> None:
    game = Game(aspgames.load("amazons").encoding, {})  # another test's game may have a net
    with pytest.raises(LimitReached, match="more than 150,000 ground rules"):
        net_for(game.rules, game.initial.facts)
    with pytest.raises(LimitReached):
        playouts(game.initial, 1, reasoner="propnet")


def test_what_never_changes_is_constant_in_the_net_of_a_position() -> None:
    game = aspgames.load("amazons_8x8")
    rows = ["*" * 8] * 6 + ["2" + "*" * 6, "qQ1" + "*" * 5]
    state = game.position("/".join(rows) + " w")
    net = net_for(game.rules, state.facts)
    arrows = {fact for fact in state.facts if "arrow" in fact}
    assert set(net.certain) == arrows
    assert len(net.moves) < 60  # the board has 5 open squares; the whole game has 3,042 moves
    tables = net.tables()
    row = tables.row(state.facts)
    assert row is not None
    assert tables.facts(row) == state.facts
    # It doesn't know a state without one of the arrows, with another arrow, or a different state.
    fewer = tuple(fact for fact in state.facts if fact != "cell(3,2,arrow)")
    assert tables.row(fewer) is None
    assert tables.row((*fewer, "cell(9,9,arrow)")) is None
    assert tables.row(game.initial.facts) is None


def test_what_can_never_move_or_be_reached_is_constant_too() -> None:
    game = aspgames.load("amazons_8x8")
    rows = ["*" * 8, "*" * 6 + "1*", *["*" * 8] * 5, "*qQ1***Q"]
    state = game.position("/".join(rows) + " w")
    net = net_for(game.rules, state.facts)
    assert "cell(8,1,white)" in net.certain  # walled in
    assert "cell(3,1,white)" in net.fluents
    assert "cell(7,7,arrow)" not in net.fluents  # an unreachable empty square


def test_what_is_guessed_to_last_makes_no_difference_to_the_net() -> None:
    """A net after many others of the game equals the first net of new rules."""
    game = on_net(aspgames.load("amazons_8x8"))
    states = [state for state, _ in random_game(game.initial, random.Random(2))]
    for state in states[-24::6]:
        rules = Rules(game.encoding, game.constants, game.roles)
        one, other = net_for(game.rules, state.facts), net_for(rules, state.facts)
        assert set(one.certain) == set(other.certain)
        assert one.fluents == other.fluents
        assert one.moves == other.moves
        assert one.outputs.next.keys() == other.outputs.next.keys()


def test_python_looks_for_cycles_again_after_a_net_is_made() -> None:
    for was_enabled in (True, False):
        (gc.enable if was_enabled else gc.disable)()
        try:
            with contextlib.suppress(TooLarge), state_nets.without_collections():
                assert not gc.isenabled()
                raise TooLarge
            assert gc.isenabled() == was_enabled
        finally:
            gc.enable()
