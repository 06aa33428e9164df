"""The search in C agrees with brute force on small positions, with all instruction sets."""

import gc
import math
import random
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import pytest

import aspgames
from aspgames import BadRequest, State
from aspgames.propnet.kernel import kernel
from aspgames.propnet.net import Net
from aspgames.propnet.reachable_nets import net_for
from aspgames.puzzle.problem import Puzzle
from aspgames.runtime import budget
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import Interrupted
from aspgames.solver.search.kernel_search import BY_NUMBERS, DEPTH_FIRST, UNBOUNDED, Row
from aspgames.solver.search.puzzle_search import Search
from brute_force import Tree
from engine_helpers import VARIANTS, using, write
from false_certificates import game, rules_of
from game_texts import FAR

PILE = """
    role(white;black).
    init((pile(7);tick(0);on(white);had(white,0);had(black,0))).
    to_move(R) :- true(on(R)).
    other(white,black). other(black,white).
    legal(R,take(1)) :- true(on(R)), true(pile(P)), P > 0.
    legal(R,take(2)) :- true(on(R)), true(pile(P)), P > 1, true(tick(0)).
    legal(R,again) :- true(on(R)), true(pile(P)), P > 2, true(tick(1)).
    legal(R,wait(T)) :- role(R), not true(on(R)), true(tick(T)).
    taken(R,N) :- does(R,take(N)).
    taken(R,1) :- does(R,again).
    next(pile(P-N)) :- true(pile(P)), taken(_,N), P >= N.
    next(had(R,H+N)) :- true(had(R,H)), taken(R,N), H+N <= 7.
    next(had(R,H)) :- true(had(R,H)), not taken(R,_).
    next(on(R)) :- does(R,again).
    next(on(R)) :- true(on(S)), other(R,S), not does(S,again).
    next(tick(1-T)) :- does(_,wait(T)).
    terminal :- true(pile(P)), P < 3, not true(tick(0)).
    goal(R,10*H) :- true(had(R,H)).
"""
"""Turns of several plies, a waiting side that changes the state, and a stuck side."""

Start = tuple[State, str, str]
"""A state, the attacker and the goal."""


def breakthrough() -> Iterator[Start]:
    game = aspgames.load("breakthrough", width=3, height=4)
    chance = random.Random(3)
    yield game.position("1p1/3/P1P/3 w"), "white", "win"
    for attacker in game.roles:
        squares = chance.sample([f"{x},{y}" for x in (1, 2, 3) for y in (2, 3)], 5)
        colours = ["white", "white", "black", "black", "black"]
        facts = [f"cell({s},{c})" for s, c in zip(squares, colours, strict=True)]
        yield game.from_facts([*facts, "control(black)"]), attacker, "win"


def amazons() -> Iterator[Start]:
    game = aspgames.load("amazons_8x8")
    rows = "********/********/********/********/********"
    yield game.position(f"{rows}/q2*****/*2*****/Q*1***** w"), "white", "trap"
    yield game.position(f"{rows}/q2*****/1*1*****/Q1****** w fire a1"), "black", "trap"
    one = aspgames.load("amazons")
    rows = "/".join(["**********"] * 7)
    yield one.position(f"{rows}/q1********/1*1*******/Q1******** b"), "white", "trap"


def tictactoe() -> Iterator[Start]:
    game = aspgames.load("tictactoe")
    yield game.position("X1O/1O1/2X w"), "white", "win"
    yield game.position("3/OXX/O2 b"), "white", "win"
    yield game.position("X2/1OX/1O1 w"), "black", "score>=50"


def hexagons() -> Iterator[Start]:
    """A loop determines the winner."""
    game = aspgames.load("hex", size=3)
    yield game.position("2X/1X1/OO1 w"), "white", "win"
    yield game.position("X1O/1X1/2O b"), "black", "win"
    yield game.position("2O/1O1/X1X b"), "black", "win"


def piles() -> Iterator[Start]:
    for attacker in ("white", "black"):
        for goal in ("score>=40", "trap"):
            yield game(PILE).initial, attacker, goal


def othello() -> Iterator[Start]:
    """A net so large that a state is evaluated as bytes, and a few states as words."""
    game = aspgames.load("othello")
    rows = "OX1OOOX1/OXXOXXX1/OXOXOOOO/OOXOXOOO/OOOOXXOX/OOOXXOX1/OOOOXXXX/OOOOOOOO"
    yield game.position(f"{rows} b"), "black", "win"


STARTS: list[Callable[[], Iterator[Start]]] = [breakthrough, amazons, tictactoe, hexagons, piles]


@dataclass(frozen=True)
class Asked:
    """A puzzle, its net, and states of random games from its position, with their results."""

    puzzle: Puzzle
    net: Net
    tree: Tree
    states: list[State]

    def row(self, state: State) -> Row:
        bits = sum(1 << place for place, f in enumerate(self.net.fluents) if f in state.facts)
        return bits.to_bytes((len(self.net.fluents) + 63) // 64 * 8, "little")

    def least(self, state: State) -> int:
        """The fewest further turns that suffice; more than any number if none suffices."""
        return next((turns for turns in range(9) if self.tree.forces(state, turns)), UNBOUNDED + 1)

    def in_step(self, state: State) -> bool:
        """Whether the same side is on move after each move, and after each reply to any."""
        children = self.tree.see(state).moves.values()
        replies = [reply for child in children for reply in self.tree.see(child).moves.values()]
        return all(
            len({self.tree.see(each).attacks for each in level}) < 2
            for level in (children, replies)
        )

    def search(self, general: bool = False, lemmas: bool = False, threads: int = 1) -> Search:
        search = Search(self.puzzle, Budget(), net=self.net, threads=threads)
        search.table.make_tables(general, lemmas)
        return search


def of(start: Start) -> Asked:
    """The questions about a start, with the grounder's answers."""
    state, attacker, goal = start
    puzzle = Puzzle.of(state.game.without_nets.from_facts(state.facts), attacker, goal)
    tree, chance = Tree(puzzle), random.Random(1)
    met = {puzzle.state: None}
    for _ in range(2):
        state = puzzle.state
        while moves := tree.see(state).moves:
            state = chance.choice(list(moves.values()))
            met[state] = None
    return Asked(puzzle, net_for(puzzle.state.game.rules, puzzle.state.facts), tree, list(met))


@pytest.fixture(scope="module", params=STARTS, ids=lambda starts: starts.__name__)
def asked(request: pytest.FixtureRequest) -> list[Asked]:
    return list(map(of, request.param()))


@pytest.fixture(
    scope="module",
    params=[VARIANTS[0], *(pytest.param(each, marks=pytest.mark.slow) for each in VARIANTS[1:])],
)
def variant(request: pytest.FixtureRequest) -> Iterator[str]:
    """An instruction set, in use during the test; the newest is in use in all other tests."""
    with using(request.param):
        yield request.param
        gc.collect()  # the objects made with it must be freed with it


def test_any_number_of_turns_is_the_headers() -> None:
    assert kernel().UNBOUNDED == UNBOUNDED


@pytest.mark.quick(3)
@pytest.mark.usefixtures("variant")
@pytest.mark.parametrize("general", [False, True])
def test_children_are_those_of_the_grounder(asked: list[Asked], general: bool) -> None:
    assert_children(asked, general)


@pytest.mark.usefixtures("variant")
def test_children_in_a_large_net() -> None:
    assert_children(list(map(of, othello())), general=False)


def assert_children(asked: list[Asked], general: bool) -> None:
    for one in asked:
        worker = one.search(general, lemmas=general).table
        for state in one.states:
            seen = one.tree.see(state)
            found = worker.judge(one.row(state))
            assert found
            assert (found.reached, found.over) == (seen.reached, seen.over and not seen.reached)
            if seen.reached or seen.over:
                continue
            assert found.attacks == seen.attacks
            status, children = worker.expand(one.row(state))
            if not (general or one.in_step(state)):
                assert status == kernel().LEFT_OUT
                continue
            assert status == kernel().DONE
            found_moves = {one.net.moves[number][1]: child for number, child in children}
            assert len(found_moves) == len(children)
            assert found_moves.keys() == seen.moves.keys()
            for move, after in seen.moves.items():
                child, then = found_moves[move], one.tree.see(after)
                assert child.key == one.row(after)
                assert (child.reached, child.over) == (then.reached, then.over and not then.reached)
                assert then.over or child.attacks == then.attacks


@pytest.mark.quick(4)
@pytest.mark.usefixtures("variant")
@pytest.mark.parametrize("mode", [BY_NUMBERS, DEPTH_FIRST])
@pytest.mark.parametrize(("lemmas", "threads"), [(False, 1), (True, 1), (False, 2)])
def test_bounds_hold_and_are_sharp_in_the_end(
    asked: list[Asked], mode: str, lemmas: bool, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each search alone, with increasing numbers of turns."""
    if threads > 1:
        monkeypatch.setattr("aspgames.solver.search.puzzle_search._EASY_EFFORT", 0)
    for one in asked:
        search = one.search(general=lemmas, lemmas=lemmas, threads=threads)
        for state in one.states[:: 1 + (threads > 1)]:
            place, least = search.table.state_of(state.facts), one.least(state)
            if place.reached or place.over:
                continue
            for turns in (0, 1, 2, UNBOUNDED):
                while not search.work(place, turns, 3, mode):
                    lower, upper = search.table.bounds(place)
                    assert lower <= least <= upper
                lower, upper = search.table.bounds(place)
                assert lower <= least <= upper
                assert (upper <= turns) == (least <= turns)
                assert (lower > turns) == (least > turns)


@pytest.mark.usefixtures("variant")
def test_answers_and_keys(asked: list[Asked]) -> None:
    for one in asked:
        for within in (None, 0, 2):
            puzzle = Puzzle(one.puzzle.state, one.puzzle.attacker, one.puzzle.goal, within)
            found = Search(puzzle, Budget(), net=one.net).run()
            distance = one.tree.distance(9 if within is None else within)
            assert (found.verdict, found.distance) == (
                "not_forced" if distance is None else "forced",
                distance,
            )
            assert set(found.keys) == (set() if distance is None else one.tree.keys(distance))


@pytest.mark.usefixtures("variant")
@pytest.mark.parametrize(("width", "lemmas"), [(1, False), (8, True), (512, False)])
def test_plans_hold_whatever_the_other_side_does(
    asked: list[Asked], width: int, lemmas: bool
) -> None:
    found = 0
    for one in asked:
        search = one.search(general=lemmas, lemmas=lemmas)
        for state in one.states:
            place = search.table.state_of(state.facts)
            for turns in (0, 1, 3, UNBOUNDED):
                for attack in (False, True):
                    if place.reached or place.over:
                        continue
                    plan = search.table.plan(place, attack, turns, width)
                    if plan is not None:
                        assert one.tree.plan_holds(state, plan, turns, attack)
                        found += 1
    assert found


@pytest.mark.parametrize(
    ("fen", "attacker"), [("4/3p/2pp/P1P1/4 b", "black"), ("4/ppP1/p3/P1P1/4 b", "white")]
)
def test_what_few_plies_can_capture_is_counted(fen: str, attacker: str) -> None:
    """Any single piece may be captured, but not all of them: only counts show that a plan holds."""
    state = aspgames.load("breakthrough", width=4, height=5).position(fen)
    one = of((state, attacker, "win"))
    for turns in (1, 2):
        plans = []
        for counts in (False, True):
            search = one.search(lemmas=counts)
            plans.append(search.table.plan(search.root.state, True, turns, 64))
        assert plans[0] is None
        assert plans[1]
        assert one.tree.plan_holds(one.puzzle.state, plans[1], turns, True)


STONES = """
    #include "shared/alternating.lp".
    init((control({first});at(0);pad(0);stone(1..{stones}))).
    legal(white,step(N)) :- to_move(white), true(at(N-1)), N <= {steps}.
    legal(black,take(S)) :- to_move(black), true(stone(S)).
    next(at(N)) :- does(white,step(N)).
    next(at(N)) :- true(at(N)), to_move(black).
    next(stone(S)) :- true(stone(S)), not does(white,step(S)), not does(black,take(S)).
    next(pad(N+1)) :- true(pad(N)), N < 64.
    left :- true(stone(_)).
    terminal :- not left.
    terminal :- true(at({steps})).
    goal(white,100) :- true(at({steps})), left.
"""
"""White wins with enough steps if a stone is left. Each ply takes one. Rows are long."""


@pytest.mark.quick(7)
@pytest.mark.parametrize("first", ["white", "black"])
@pytest.mark.parametrize(("stones", "steps"), [(6, 3), (7, 3), (7, 4), (8, 4), (9, 4), (9, 5)])
def test_each_ply_of_a_plan_counts_once(
    first: str, stones: int, steps: int, tmp_path: Path
) -> None:
    state = write(STONES.format(first=first, stones=stones, steps=steps), tmp_path).initial
    search = of((state, "white", "win")).search(lemmas=True)
    line = [f"take({stones})"] * (first == "black") + ["step(1)", f"take({stones - 1})"]
    # The second plan is one step shorter, and the first has left its numbers in memory.
    for each in (state, state.play(*line)):
        plan = search.table.plan(search.table.state_of(each.facts), True, steps, 64)
        assert (plan is not None) == (stones >= 2 * steps + (first == "black"))


LOCK = """
    role(white;black).
    init((on(white);tick(0))).
    to_move(R) :- true(on(R)).
    legal(white,pick(1..40)) :- true(on(white)).
    legal(black,wait(T)) :- true(on(white)), true(tick(T)).
    legal(black,{reply}) :- true(on(black)).
    legal(white,noop) :- true(on(black)).
    next(on({then})) :- true(on(white)).
    next(on(white)) :- true(on(black)).
    next(tick(T+1)) :- does(black,wait(T)), T < 2.
    next(tick(T)) :- true(on(black)), true(tick(T)), not does(black,undo).
    next(tick(0)) :- does(black,undo).
    next(first(N)) :- does(white,pick(N)).
    next(first(N)) :- true(on(black)), true(first(N)).
    next(won) :- true(first(25)), does(white,pick(7)), does(black,wait(1)).
    terminal :- true(tick(2)).
    goal(white,100) :- true(won).
"""
"""White wins with the right two of many picks, in a turn or two. Black's waiting moves count."""


@pytest.mark.usefixtures("variant")
@pytest.mark.parametrize(
    ("then", "reply", "turns"),
    [("white", "pass", 0), ("black", "pass", 1), ("black", "(pass;undo)", 9)],
)
def test_the_right_one_of_many_plans_is_found(
    then: str, reply: str, turns: int, tmp_path: Path
) -> None:
    """Beginnings with more moves than a query holds, also of a side that goes on with its turn."""
    start = write(LOCK.format(then=then, reply=reply), tmp_path).initial
    search = of((start, "white", "win")).search()
    place = search.table.state_of(start.facts)
    plan = ["pick(25)", *[None] * (then == "black"), "pick(7)"]
    for most in (0, 1, 2):
        found = search.table.plan(place, True, most, 512)
        assert found == (plan if most >= turns else None)


@pytest.mark.usefixtures("variant")
@pytest.mark.parametrize("turns", [0, 1, 2])
def test_depth_first_search_leaves_loops_within_a_turn(turns: int) -> None:
    start = game(rules_of("a w: b c / b w: a c / c b: a d / d won")).initial
    search = of((start, "white", "win")).search()
    place = search.table.state_of(start.facts)
    assert any(search.work(place, turns, 3, DEPTH_FIRST) for _ in range(9))
    assert search.table.bounds(place) == (turns + 1, UNBOUNDED + 1)


TAKES = """
    #include "shared/alternating.lp".
    init((control(white);pad(0);stone(1..6))).
    legal(white,take(S)) :- to_move(white), true(stone(S)).
    legal(R,wait) :- to_move(R), left.
    next(stone(S)) :- true(stone(S)), not does(white,take(S)).
    next(pad(N+1)) :- true(pad(N)), N < 64.
    left :- true(stone(_)).
    terminal :- not left.
    goal(white,100) :- not left.
"""
"""White removes all stones. Rows are long."""


@pytest.mark.parametrize("lemmas", [False, True])
def test_a_child_with_fewer_stones_needs_fewer_turns(lemmas: bool, tmp_path: Path) -> None:
    one = of((write(TAKES, tmp_path).initial, "white", "win"))
    for stones in (1, 2, 3):
        state = one.puzzle.state.play(
            *(move for stone in range(6, stones, -1) for move in (f"take({stone})", "wait"))
        )
        for turns in range(4):
            search = one.search(lemmas=lemmas)
            place = search.table.state_of(state.facts)
            search.work(place, turns, 50)
            for move, child in search.table.children(place):
                lower, upper = search.table.bounds(child)
                assert lower <= one.least(state.play(move)) <= upper


@pytest.mark.usefixtures("variant")
def test_little_memory_never_changes_an_answer() -> None:
    """The table has a small fixed size, or can grow a little, or without a limit."""
    game = aspgames.load("breakthrough", width=4, height=5)
    puzzle = Puzzle.of(game.position("pp1p/p2p/4/P2P/PP1P w"), "white", "win", 5)
    net = net_for(game.rules, puzzle.state.facts)
    whole = Search(puzzle, Budget(), net=net).run()
    assert whole.verdict != "unknown"
    refuted = (whole.distance or 6) - 1
    verdicts = []
    for memory in (1, 300_000, 1_000_000, 1 << 32):
        found = Search(puzzle, Budget(positions=1_000_000), memory=memory, net=net, threads=1).run()
        verdicts.append(found.verdict)
        if not found.is_complete:
            assert (found.not_within or 0) <= refuted < (found.at_most or math.inf)
        else:
            assert (found.verdict, found.distance, found.keys) == (
                whole.verdict,
                whole.distance,
                whole.keys,
            )
    assert (verdicts[0], verdicts[-1]) == ("unknown", whole.verdict)


@pytest.mark.usefixtures("variant")
def test_a_state_of_thousands_of_moves(tmp_path: Path) -> None:
    game = write(FAR.replace("6000", "1023"), tmp_path)
    one = of((game.from_facts(["at(8)", "control(black)"]), "white", "win"))
    worker = one.search().table
    status, children = worker.expand(one.row(one.puzzle.state))
    assert status == kernel().DONE
    assert {one.net.moves[number][1] for number, _ in children} == {
        f"reply({n})" for n in range(1024)
    }
    rows = {child.key for _, child in children}
    after = one.puzzle.state.play("reply(77)")
    assert rows == {one.row(after)}
    search = one.search()
    assert search.forces(search.root.state, 1)


@pytest.mark.usefixtures("variant")
def test_a_goal_far_away_where_play_can_go_round(tmp_path: Path) -> None:
    """Play continues in few states, so more refuted turns than known states prove nothing."""
    puzzle = Puzzle.of(write(FAR, tmp_path).initial, "white", "win")
    search = Search(puzzle, Budget())
    found = search.run()
    assert search.table.cyclic
    assert (found.verdict, found.distance, found.keys) == ("forced", 9, ("go",))


def from_the_start(limits: Budget) -> tuple[Search, int]:
    """The search for White's win in Breakthrough, and the number of its root."""
    game = aspgames.load("breakthrough")
    search = Search(Puzzle.of(game.initial, "white", "win"), limits)
    return search, int(search.table.report(search.root.state).node)


def test_a_call_of_the_kernel_ends_with_its_time() -> None:
    search, node = from_the_start(Budget())
    assert search.table.run(node, 4, 1 << 40, 0.01, BY_NUMBERS, 1) == kernel().MORE


def test_lemmas_are_proven_only_where_their_time_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aspgames.solver.search.puzzle_search._EASY_EFFORT", 0)
    for seconds, proven in ((None, True), (600, False)):
        search, _ = from_the_start(Budget(seconds))
        search.table.making = 60
        search.work(search.root.state, 2, 10)
        assert search.table.tables.lemmas == proven


def test_ctrl_c_while_threads_start_waits_for_them() -> None:
    """A thread that nobody waits for writes into the data of the next question: a crash."""
    search, node = from_the_start(Budget())
    table, start = search.table, threading.Thread.start

    def start_and_press(thread: threading.Thread) -> None:
        start(thread)
        budget.interrupt()

    try:
        with patch.object(threading.Thread, "start", start_and_press):
            table.run(node, 4, 1_000, 0.0, BY_NUMBERS, 2)
        with pytest.raises(Interrupted):
            search.budget.check()
    finally:
        budget.resume()


@pytest.mark.usefixtures("variant")
def test_states_in_which_it_is_everybodys_turn(tmp_path: Path) -> None:
    """Tables without the phase for such states report that; tables with it judge the states."""
    game = write(
        """
        role(white;black). init((turn(white);n(0))). side(white;black).
        to_move(R) :- true(turn(R)).
        legal(R,(go;both;none)) :- true(turn(R)).
        legal(R,noop) :- role(R), not true(turn(R)).
        next(turn(black)) :- does(white,go).
        next(turn(white)) :- does(black,go).
        next(turn(R)) :- does(_,both), side(R).
        next(n(N+1)) :- true(n(N)), N < 4.
        next(n(4)) :- true(n(4)).
        terminal :- true(n(4)).
        goal(white,100) :- true(n(4)), true(turn(white)).
        """,
        tmp_path,
    )
    puzzle = Puzzle.of(game.initial, "white", "win")
    net = net_for(game.rules, puzzle.state.facts)
    one = Asked(puzzle, net, Tree(puzzle), [])
    both = game.from_facts(["turn(white)", "turn(black)", "n(1)"])
    three = game.from_facts(["turn(white)", "turn(black)", "n(3)"])
    bare = one.search().table
    whole = one.search(general=True).table
    for state in (both, three):
        assert bare.judge(one.row(state)) is None
        with pytest.raises(BadRequest, match="puzzles are for"):
            whole.judge(one.row(state))
        assert bare.expand(one.row(state))[0] == kernel().LEFT_OUT
        assert whole.expand(one.row(state))[0] == kernel().MIXED
        assert [kernel().worker_family(w._workers[0].pointer).evaluated for w in (bare, whole)] == [
            0,
            0,
        ]
        with pytest.raises(BadRequest, match="puzzles are for"):
            one.search().table.state_of(state.facts)
    assert bare.expand(one.row(puzzle.state))[0] == kernel().LEFT_OUT
    assert whole.expand(one.row(puzzle.state))[0] == kernel().MIXED
    with pytest.raises(BadRequest, match="puzzles are for"):
        Search(puzzle, Budget()).run()
    over = game.from_facts(["turn(white)", "turn(black)", "n(4)"])
    assert bare.judge(one.row(over)) is None
    assert whole.judge(one.row(over))
