"""Matches without a terminal: turns, outcomes, opponents and hints."""

import math
import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import aspgames
from aspgames import BadMove, BadRequest, IllegalMove, State
from aspgames.agents.match.match import Match, Point
from aspgames.agents.match.opponent import RandomOpponent
from aspgames.agents.match.solving_opponent import Solver
from aspgames.agents.match.study import Advice, Study, advise, review
from aspgames.propnet.net import Net
from aspgames.puzzle.problem import Puzzle
from aspgames.puzzle.puzzle_request import puzzle_of
from aspgames.solver.search.puzzle_search import Search
from brute_force import Tree
from cli_helpers import FILES
from engine_helpers import write
from paths import ROOT
from puzzle_files import MIXED, SMALL, is_quick

TICTACTOE = "tictactoe"
AUCTION = str(ROOT / "tests/data/auction.lp")
MAZE = str(ROOT / "tests/data/maze.lp")
SMALL_SPLIT = "********/********/********/********/*****Qq1/*****1q*/*******1/*****1*1 w fire f4"
SPLIT = "********/********/********/**Qq1***/**1Q1***/**3***/********/******** w fire d4"


def match_of(
    game: str,
    position: str = "startpos",
    person: str | None = None,
    puzzle: tuple[str, str, int | None] | None = None,
    **constants: int,
) -> Match:
    state = aspgames.load(game, **constants).position(position)
    persons = () if person is None else (person,)
    return Match(state, persons, Puzzle.of(state, *puzzle) if puzzle else None)


def to_the_end(match: Match, opponent: Solver | RandomOpponent, *moves: str) -> Match:
    """The match after the person's moves and the opponent's replies."""
    for move in [*moves, ""]:
        while match.outcome is None and not match.asked:
            match.reply(opponent.choose(match).move)
        if move:
            match.play(move)
    return match


# --- the match itself -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "error", "words"),
    [
        ("d1-d7 /d7", IllegalMove, "/d7 is not legal"),
        ("d1-d7 /g7 d10-d9", IllegalMove, "d10-d9: it is black's turn then"),
        ("d1-d7 shoot(", BadMove, "shoot"),
        ("d1-d7 d1-d7", IllegalMove, "d1-d7"),
    ],
)
def test_of_a_line_all_or_nothing_is_played(line: str, error: type[Exception], words: str) -> None:
    match = match_of("amazons_10x10")
    with pytest.raises(error, match=words):
        match.play(line)
    assert match.moves == []
    assert match.state == match.points[0].state


def test_a_term_with_blanks_is_one_move() -> None:
    match = match_of("amazons_10x10")
    match.play("move(4, 1, 4, 7)")
    assert match.moves[0].text == "d1-d7"


def test_undo_goes_back_to_where_the_person_played_last() -> None:
    match = match_of("amazons_10x10", person="black")
    start = match.state
    for move in ("move(4,1,4,7)", "fire(7,7)"):
        match.reply(move)
    with pytest.raises(BadRequest, match="nothing to undo"):
        match.undo()
    before = match.state
    assert before != start
    match.play("a7-b7 /a7")
    match.reply("move(4,7,4,6)")
    assert match.undo() == 2
    assert match.moves[-1].text == "a7-b7"
    assert match.undo() == 1
    assert match.state == before
    with pytest.raises(BadRequest, match="nothing to undo"):
        match.undo()


# Puzzles that end at once or after some moves, whether the goal is reached, and the turns.
ENDINGS: list[tuple[str, str, str, int | None, str, bool, int]] = [
    ("3P4/8/8/8/p7/8/8/8 b", "white", "win", 3, "", True, 0),
    ("3P4/8/8/8/p7/8/8/8 b", "black", "win", 3, "", False, 0),
    ("8/8/8/8/P7/8/8/8 w", "white", "win", 0, "", True, 0),
    ("8/3P4/8/8/8/8/p7/8 w", "white", "win", 0, "", False, 1),
    ("8/3P4/8/8/8/8/p7/8 w", "white", "win", 1, "d7-d8", True, 1),
    ("8/8/3P4/8/8/8/1p6/8 w", "white", "win", 1, "d6-d7 b2-b1", False, 1),
    ("8/8/3P4/7p/8/8/8/8 w", "white", "win", 1, "d6-d7 h5-h4", False, 2),
    ("8/8/3P4/7p/8/8/8/8 w", "white", "win", 2, "d6-d7 h5-h4 d7-d8", True, 2),
    ("8/8/3P4/7p/8/8/8/8 w", "white", "win", None, "d6-d7 h5-h4 d7-d8", True, 2),
    ("8/8/3P4/7p/8/8/8/8 b", "white", "win", 1, "h5-h4 d6-d7 h4-h3", False, 2),
    ("8/8/8/2p5/1P6/8/8/8 b", "white", "win", 0, "c5xb4", False, 0),
]


@pytest.mark.parametrize(
    ("position", "attacker", "goal", "within", "line", "reached", "turns"), ENDINGS
)
def test_how_a_puzzle_ends(
    position: str,
    attacker: str,
    goal: str,
    within: int | None,
    line: str,
    reached: bool,
    turns: int,
) -> None:
    for person in ("white", "black"):
        match = match_of("breakthrough", position, person, (attacker, goal, within))
        for move in line.split():
            assert match.outcome is None
            if match.asked:
                match.play(move)
            else:
                match.reply(move)
        assert match.outcome is not None
        assert (match.outcome.reached, match.point.begun) == (reached, turns)
        assert match.lost == (reached != (person == attacker))
        assert f"has {'' if reached else 'not '}won" in match.outcome.text


def test_a_goal_that_the_last_reply_reaches_counts() -> None:
    """White has no turn left; Black's reply makes step 60, and White wins."""
    bare = "k7/8/2#2#2/8/8/2#2#2/8/K7 w 10 0 58"
    match = match_of("skirmish", bare, "white", ("white", "win", 1))
    match.play("a1-a2")
    assert match.outcome is None
    match.reply("move(1,8,1,7)")
    assert match.outcome is not None
    assert (match.outcome.reached, match.point.begun) == (True, 1)


# Two plies in turn, then both roles choose.
TURNS_AND_THEN_BOTH = """
    role(a;b).  init(n(0)).  next(n(N+1)) :- true(n(N)), N < 4.
    legal(a,(x;y)) :- true(n(0)).  legal(b,noop) :- true(n(0)).
    legal(b,(x;y)) :- true(n(1)).  legal(a,noop) :- true(n(1)).
    legal(R,(x;y)) :- role(R), true(n(N)), N > 1.
    terminal :- true(n(4)).  goal(R,50) :- role(R).
"""


def test_a_puzzle_is_for_one_person_and_sides_that_take_turns(tmp_path: Path) -> None:
    start = write(TURNS_AND_THEN_BOTH, tmp_path).initial
    puzzle = Puzzle.of(start, "a", "win")
    with pytest.raises(BadRequest, match="played by one person"):
        Match(start, ["a", "b"], puzzle)
    match = Match(start, ["a"], puzzle)
    match.play("x")
    with pytest.raises(BadRequest, match="several roles move at once; a puzzle takes turns"):
        match.reply("x")
    assert len(match.moves) == 1


def test_one_person_and_random_moves_at_the_same_time() -> None:
    state = aspgames.load(AUCTION).initial
    seen = set()
    for seed in range(12):
        match = Match(state, ["player(2)"])
        opponent = RandomOpponent(seed)
        assert not match.hidden, "there is nobody else at the prompt"
        assert match.play("bid(2)") == []
        assert match.awaited == ("player(1)", "player(3)")
        with pytest.raises(IllegalMove, match="others move then"):
            match.play("bid(1)")
        choice = opponent.choose(match).move
        assert choice == opponent.choose(match).move
        ply = match.reply(choice)
        first, own, last = ply.moves
        assert (first.role, own.term, last.role) == ("player(1)", "bid(2)", "player(3)")
        seen.add((first.term, last.term))
        assert match.undo() == 1
        assert (match.state, match.chosen) == (state, ())
        with pytest.raises(IllegalMove, match=r"player\(1\) is not yours"):
            match.play("player(1)=bid(0),player(2)=bid(0)")
    assert len(seen) > 4


def test_the_solver_moves_at_random_where_several_roles_do(tmp_path: Path) -> None:
    match = Match(write(TURNS_AND_THEN_BOTH, tmp_path).initial, ["a"])
    solver = Solver(Study(match), 1)
    match.play("x")
    match.reply(solver.choose(match).move)
    match.play("x")
    choice = solver.choose(match)
    assert choice.note == "at random: several roles move at once"
    assert match.reply(choice.move).term in ("a=x,b=x", "a=x,b=y")


def test_a_game_of_one_role_is_played_alone() -> None:
    start = aspgames.load(MAZE).initial
    match = Match(start, (), Puzzle.of(start, "walker", "win", 6))
    study = Study(match)
    while match.outcome is None:
        advice = advise(study, match, None)
        assert advice.solution.distance == match.left(match.point)
        match.play(advice.moves[0])
    assert (match.outcome.reached, match.point.begun, len(match.moves)) == (True, 6, 6)
    match.undo()
    assert match.left(match.point) == 1
    wrong = next(move for move in match.choices if move.term != advice.moves[0])
    match.play(wrong.term)
    assert match.lost
    assert review(study, match, None) == (6, 5)


def test_three_sides_in_turn_against_random_moves(tmp_path: Path) -> None:
    rules = """
        role(a;b;c). after(a,b). after(b,c). after(c,a). init(control(a)). init(left(4)).
        legal(R,(x;y)) :- true(control(R)).
        legal(R,noop) :- role(R), not true(control(R)).
        next(control(S)) :- true(control(R)), after(R,S).
        next(left(N-1)) :- true(left(N)), N > 0.
        terminal :- true(left(0)).
    """
    match = to_the_end(Match(write(rules, tmp_path).initial, ["b"]), RandomOpponent(), "x")
    assert [move.role for move in match.moves] == ["a", "b", "c", "a"]
    assert match.outcome is not None


# --- opponents and hints, against brute force -----------------------------------------------------

Asked = tuple[str, str, dict[str, int], tuple[str, str, int | None]]

TREES: list[Asked] = [
    ("breakthrough", "1p2/4/3P/4/1P2 w", {"width": 4, "height": 5}, ("white", "win", 3)),
    ("hexapawn.lp", "startpos", {}, ("white", "win", 3)),
    ("amazons_8x8", SMALL_SPLIT, {}, ("black", "trap", 2)),
]
LARGE_TREES: list[Asked] = [
    ("hexapawn.lp", "startpos", {}, ("black", "win", None)),
    ("breakthrough", "startpos", {"width": 2, "height": 5}, ("white", "win", 4)),
    ("tictactoe", "3/1X1/O2 w", {}, ("white", "win", 3)),
    ("amazons_8x8", SPLIT, {}, ("white", "trap", 3)),
]


@pytest.mark.sample(4)
@pytest.mark.parametrize("person", ["attacker", "defender"])
@pytest.mark.parametrize(
    "tree",
    [*TREES, *(pytest.param(tree, marks=pytest.mark.slow) for tree in LARGE_TREES)],
    ids=lambda tree: f"{tree[0]} {tree[1][-9:]} {tree[3][2]}",
)
def test_every_reply_is_best_and_every_hint_is_right(
    tree: Asked, person: str, tmp_path: Path
) -> None:
    game, position, constants, asked = tree
    if game.endswith(".lp"):
        file = tmp_path / game
        file.write_bytes(FILES[game])
        game = str(file)
    attacker = asked[0]
    other = {"white": "black", "black": "white"}[attacker]
    match = match_of(
        game, position, attacker if person == "attacker" else other, asked, **constants
    )
    assert match.puzzle
    judge = Judge(match.puzzle)
    study = Study(match)
    opponent = Solver(study, None)
    chance = random.Random(1)
    for _ in range(4):  # the person plays random moves, right or wrong
        while match.outcome is None:
            if match.asked:
                judge.check_hint(match, advise(study, match, None))
                match.play(chance.choice(match.state.legal_moves).term)
            else:
                choice = opponent.choose(match)
                assert choice.note == ""
                assert choice.move in judge.best(match)
                match.reply(choice.move)
        _, lost_by = review(study, match, None)
        assert lost_by == (judge.given_away(match) if match.lost else None)
        while match.moves:
            try:
                match.undo()
            except BadRequest:
                break


class Judge:
    """Finds the right answers at a point of a match by brute force."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.tree = Tree(puzzle)
        self.within = 20 if puzzle.within is None else puzzle.within

    def left(self, match: Match, ply: int) -> float:
        """The turns that the attacker may still begin after a ply."""
        states = [point.state for point in match.points[: ply + 1]]
        turns: float = self.within - self.tree.see(states[0]).attacks
        for before, after in pairwise(states):
            turns = self.tree.left(before, after, turns)
        return turns

    def needs(self, match: Match, ply: int) -> dict[str, float]:
        """The attacker's turns needed after each move; infinite if they exceed the limit."""
        state, left = match.points[ply].state, int(self.left(match, ply))
        found = {}
        for move, child in self.tree.see(state).moves.items():
            enough = (
                turns
                for turns in range(left + 1)
                if self.tree.forces(child, self.tree.left(state, child, turns))
            )
            found[move] = next(enough, math.inf)
        return found

    def forced(self, match: Match, ply: int) -> bool:
        return self.tree.forces(match.points[ply].state, self.left(match, ply))

    def best(self, match: Match) -> set[str]:
        needs = self.needs(match, len(match.moves))
        attacks = self.tree.see(match.state).attacks
        if attacks and not self.forced(match, len(match.moves)):
            needs = {move: self.holding(match, move) for move in needs}
        bound = (min if attacks else max)(needs.values())
        return {move for move, turns in needs.items() if turns == bound}

    def holding(self, match: Match, move: str) -> float:
        """The number of replies that hold after the turn that a move begins."""

        def count(state: State, turns: float) -> float:
            seen = self.tree.see(state)
            after = [(c, self.tree.left(state, c, turns)) for c in seen.moves.values()]
            if not after:
                return math.inf
            if seen.attacks:
                return min(count(*child) for child in after)
            return sum(not self.tree.forces(*child) for child in after)

        child = self.tree.see(match.state).moves[move]
        return count(child, self.tree.left(match.state, child, self.left(match, len(match.moves))))

    def given_away(self, match: Match) -> int | None:
        """The person's last ply that gave away its result."""
        wanted = match.attacks
        plies = [n for n, move in enumerate(match.moves) if move.role == match.person]
        return max((ply for ply in plies if self.forced(match, ply) == wanted), default=None)

    def check_hint(self, match: Match, advice: Advice) -> None:
        here = len(match.moves)
        forced = self.forced(match, here)
        found = advice.solution
        assert found.verdict == ("forced" if forced else "not_forced")
        assert advice.lost_by == (None if forced == match.attacks else self.given_away(match))
        needs = self.needs(match, here)
        if forced:
            bound = (min if match.attacks else max)(needs.values())
            assert found.distance == bound + match.attacks
            assert set(advice.moves) == {move for move, turns in needs.items() if turns == bound}
        elif match.attacks:
            assert advice.moves == ()
        else:
            assert [needs[move] for move in advice.moves] == [math.inf]


# --- opponents, against an independent engine's answers -------------------------------------------


def play_out(puzzle: dict[str, Any]) -> None:
    """The person plays the keys; the solver must hold out as long as possible, or for ever."""
    asked = puzzle_of(puzzle, lambda name, const: aspgames.load(name, **const))
    answer = puzzle["answer"]
    match = Match(asked.state, [asked.attacker], asked)
    opponent = Solver(Study(match), None)
    while match.outcome is None:
        if match.asked:
            left = match.left(match.point)
            found = aspgames.solve(
                match.state, attacker=asked.attacker, goal=asked.goal.text, within=left
            )
            match.play(found.keys[0] if found.keys else match.state.legal_moves[0].term)
        else:
            match.reply(opponent.choose(match).move)
    assert match.outcome.reached == (answer["verdict"] == "forced")
    if match.outcome.reached:
        assert match.point.begun == answer["distance"]


def under_way(parameters: list[Any]) -> Iterator[Any]:
    return (p for p in parameters if p.values[0]["answer"]["distance"] != 0)


QUICK = [SMALL[3], *(p for p in MIXED[6:70:15] if is_quick(p))]


@pytest.mark.quick(2)
@pytest.mark.parametrize("puzzle", [*under_way(QUICK)])
def test_the_solver_holds_out_for_the_whole_distance(puzzle: dict[str, Any]) -> None:
    play_out(puzzle)


@pytest.mark.sample(4)
@pytest.mark.slow
@pytest.mark.parametrize("puzzle", [*under_way([*SMALL[2:60:16], *MIXED[1::16]])])
def test_the_solver_holds_out_in_many_puzzles(puzzle: dict[str, Any]) -> None:
    play_out(puzzle)


# --- opponents in a game --------------------------------------------------------------------------


def test_the_solver_never_loses_tictactoe() -> None:
    for seed in range(3):
        match = match_of(TICTACTOE, person="white")
        solver, chance = Solver(Study(match), 0.5, seed), random.Random(seed)
        while match.outcome is None:
            if match.asked:
                match.play(chance.choice(match.state.legal_moves).term)
            else:
                match.reply(solver.choose(match).move)
        assert match.state.goals["black"] >= 50


def test_in_a_game_the_solver_wins_by_force_and_prevents_what_it_can() -> None:
    won = match_of("breakthrough", "8/3P4/8/8/8/p7/8/8 w", "black")
    assert won.state.move_text(Solver(Study(won), 1).choose(won).move) in {
        "d7-c8",
        "d7-d8",
        "d7-e8",
    }
    # Black must take on c7 or lose; the other seven moves lose at once.
    threat = match_of("breakthrough", "3p4/2P5/8/8/8/8/8/7P b", "white")
    for seed in range(5):
        choice = Solver(Study(threat), 1, seed).choose(threat)
        assert threat.state.move_text(choice.move) == "d8xc7"


@pytest.mark.parametrize(
    ("fen", "latest"), [("2p1/4/P2P/4/4 b", {"c5-d4"}), ("pp1p/4/1P2/P3/4 b", {"d5-c4", "d5-d4"})]
)
def test_where_all_is_lost_the_solver_loses_late(fen: str, latest: set[str]) -> None:
    """White wins after any move, but sooner after most moves."""
    match = match_of("breakthrough", fen, "white", width=4, height=5)
    chosen = {Solver(Study(match), 2, seed).choose(match).move for seed in range(4)}
    assert {match.state.move_text(move) for move in chosen} <= latest


def test_a_position_too_large_is_played_at_random_and_said_so() -> None:
    match = match_of("amazons", person="black")
    choice = Solver(Study(match), 1).choose(match)
    assert "too large" in choice.note
    assert choice.move in {move.term for move in match.state.legal_moves}


@pytest.mark.parametrize("seconds", [None, 30])
def test_a_net_of_a_game_serves_what_follows_and_no_more(seconds: float | None) -> None:
    """After an undone capture, a net made after the capture lacks the piece."""
    match = match_of("breakthrough", "1p2/4/3P/4/1P2 w", width=4, height=5)
    study = Study(match)
    match.play("d3-c4")
    match.reply("move(2,5,3,4)")
    assert advise(study, match, seconds).solution.verdict == "not_forced"
    match.undo()
    advice = advise(study, match, seconds)
    assert (advice.solution.distance, advice.moves) == (2, ("move(4,3,4,4)",))


def test_in_a_game_a_new_net_is_made_where_that_is_cheap() -> None:
    """A net is cheap if it takes less time than a search; both attackers share a net."""

    def net(study: Study, point: Point, attacker: str, seconds: float | None) -> Net:
        search = study.search(point, attacker, seconds)
        assert isinstance(search, Search)
        return search.table.net

    for seconds, same in ((1e6, False), (1e-9, True), (None, True)):
        match = match_of("breakthrough", width=2, height=5)
        study = Study(match)
        first = net(study, match.point, "white", seconds)
        assert net(study, match.point, "black", seconds) is first
        match.play("a2-a3")
        assert (net(study, match.point, "white", seconds) is first) == same
