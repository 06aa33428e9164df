"""Composed puzzles and judgements, compared with search by brute force."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest

import aspgames
from aspgames import Game, LimitReached, RulesError
from aspgames.composer.bounded_search import BoundedSearch
from aspgames.composer.economy import can_change
from aspgames.composer.judgement import Judgement, promise, score
from aspgames.composer.judging import judge
from aspgames.composer.order import Order
from aspgames.composer.position_changes import PositionChanges
from aspgames.composer.puzzle_twins import Twins
from aspgames.composer.solution_set import find_solutions
from aspgames.composer.valid_positions import ValidPositions
from aspgames.game.board import square_name
from aspgames.game.state import State
from aspgames.propnet.reachable_nets import net_of_all
from aspgames.puzzle.problem import Puzzle
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import BadPosition
from brute_force import Tree
from cli_helpers import FILES, Run, assert_refused, check, jsonl, run, strict_json
from engine_helpers import write
from paths import ROOT

Json = dict[str, Any]
Call = Callable[..., Run]

SMALL = ["breakthrough", "-c", "width=4", "-c", "height=5", "--goal", "win", "--json"]
ORGAN_PIPES = "2brrb2/8/p7/7Q/1p1kpPp1/1P1pN1P1/3K4/8 w"
COMPOSE = ["compose", *SMALL, "--within", "2", "-n", "3", "--among", "1", "--seed", "1"]


def puzzles_in(text: str) -> list[Json]:
    return [check(strict_json(line), "judged_puzzle") for line in text.splitlines()]


def game_of(puzzle: Json) -> Game:
    return aspgames.load(puzzle["game"], **puzzle.get("const", {}))


def tree_of(puzzle: Json) -> Tree:
    state = game_of(puzzle).position(puzzle["position"])
    return Tree(Puzzle.of(state, puzzle["attacker"], puzzle["goal"], puzzle["within"]))


def assert_sound(puzzle: Json) -> Tree:
    """There is one key alone, and no shorter way: found out by trying all."""
    tree = tree_of(puzzle)
    assert tree.distance(puzzle["within"]) == puzzle["within"]
    assert tree.keys(puzzle["within"]) == set(puzzle["answer"]["keys"])
    assert len(puzzle["answer"]["keys"]) == 1
    return tree


# --- judgements, compared with brute force --------------------------------------------------------


def breakthrough(fen: str, **constants: int) -> State:
    return aspgames.load("breakthrough", **constants).position(fen)


def judged(state: State, within: int | None, attacker: str = "white", **more: Any) -> Judgement:
    return judge(Puzzle.of(state, attacker, "win", within), **more)


def test_a_try_and_duals() -> None:
    """b7 is safe in front of the pawn, which can't capture straight ahead; on a7 it can."""
    found = judged(breakthrough("1p6/8/P7/8/8/8/8/8 w"), 2)
    assert found.sound
    assert (found.verdict, found.distance, found.keys_text) == ("forced", 2, ("a6-b7",))
    assert [(each.move, each.refutation) for each in found.tries] == [("a6-a7", "b8xa7")]
    assert {(dual.after[1], len(dual.moves), dual.turns) for dual in found.duals} == {
        ("b8-a7", 3, 1),
        ("b8-c7", 3, 1),
    }
    assert found.variations == {"2": 2}
    assert (found.superfluous, found.smallest, found.cooks) == ((), None, ())
    assert found.line_text[0] == "a6-b7"
    assert len(found.line_text) == 3


def test_a_cook_and_a_shorter_solution() -> None:
    state = breakthrough("8/P7/8/8/8/7p/8/8 w")
    found = judged(state, 1)
    assert not found.sound
    assert found.keys_text == ("a7-a8", "a7-b8")
    assert found.cooks == ("a7-b8",)
    assert judged(state, 1, intended=found.keys[1:]).cooks == ("a7-a8",)
    assert not found.shorter
    assert judged(state, 2).shorter


def test_a_piece_that_can_go() -> None:
    """The pawn on a8 keeps White from going straight ahead; that on h2 does nothing."""
    found = judged(breakthrough("p7/P7/8/8/8/8/7P/8 w"), 1)
    assert found.sound
    assert found.superfluous == ("h2",)
    assert found.smallest == "p7/P7/8/8/8/8/8/8 w"
    assert (found.pieces, found.smallest_pieces) == (3, 2)


def test_what_looks_natural_and_fails() -> None:
    """Black gives a pawn up. The capture, as natural, costs both; each try has its one reply."""
    state = breakthrough("4/4/4/pp2/P3/PP2 b", width=4, height=6)
    found = judged(state, 3, "black")
    assert found.sound
    assert found.keys_text == ("b3-b2",)
    assert found.natural == ("b3xa2",)
    tries = {each.move: each.refutation for each in found.tries}
    assert tries == {"a3-b2": "a1xb2", "b3xa2": "b1xa2", "b3-c2": "b1xc2"}
    assert found.variations == {"2": 2, "3": 1}
    assert found.answers == 1  # to a1xb2; the other replies have two answers and more
    assert found.taken == 0.25  # of a1xb2, a2xb3, b1-b2 and b1-c2, if Black passed


def test_a_key_that_takes_costs_and_answers_count() -> None:
    found = judged(breakthrough("pp2/P3/4/4/4/4 w", width=4, height=6), 1)
    assert (found.keys_text, found.captures, found.taken) == (("a5xb6",), True, 0.0)
    quiet = replace(found, captures=False, natural=(), answers=1)
    assert score(replace(quiet, captures=True)) == pytest.approx(score(quiet) - 2)
    assert score(replace(quiet, taken=0.5)) == pytest.approx(score(quiet) - 1)
    assert score(replace(quiet, answers=3)) == pytest.approx(score(quiet) + 2)
    many = [replace(quiet, natural=("a6-a7",) * number) for number in (1, 9)]
    assert score(many[0]) == score(many[1]) > score(quiet)
    (play, *others) = quiet.play
    threats = [replace(play, threats=("a6-a7", "a5-a6", "a4-a5")[:n]) for n in (0, 1, 2, 3)]
    scores = [score(replace(quiet, play=(each, *others))) for each in threats]
    assert scores == pytest.approx([scores[0], scores[0], scores[0] - 0.5, scores[0] - 1])


@pytest.mark.slow
def test_a_key_that_gives_check_takes_all() -> None:
    """The king has as many squares after it, so that no reply is lost."""
    chess = aspgames.load("chess")
    checking = judged(chess.position("1K6/8/8/6Q1/1B6/1k6/8/3R2R1 w - - 1"), 2)
    assert (checking.keys_text, checking.taken) == (("g1-g3",), 1.0)
    quiet = judged(chess.position("8/6Q1/8/5P1k/8/2K5/8/8 w - - 0"), 2)
    assert (quiet.keys_text, quiet.taken) == (("g7-g3",), 0.0)


@pytest.mark.slow
def test_mates_by_masters_are_judged_better_than_composed_ones() -> None:
    """Eleven by Loyd and Baird from 1859 to 1905, and Loyd's organ pipes."""
    lines = (ROOT / "benchmarks/chess_problems.jsonl").read_text().splitlines()
    positions = [ORGAN_PIPES] + [
        each["position"]
        for each in map(json.loads, lines)
        if each["stipulation"] == "#2" and each["problem"].startswith(("Loyd", "Baird"))
    ]
    chess = aspgames.load("chess")
    masters = [judged(chess.position(position), 2).score for position in positions]
    assert len(masters) == 12
    ours = puzzles_in((ROOT / "examples/puzzles/composed/chess.jsonl").read_text())
    assert min(masters) > max(each["judged"]["score"] for each in ours)


def test_no_solution_and_no_answer_in_time() -> None:
    assert judged(breakthrough("8/8/8/p7/8/8/8/7P w"), 2).verdict == "not_forced"
    start = breakthrough("startpos", width=5, height=6)
    assert judged(start, 9, effort=1).verdict == "unknown"


@pytest.mark.slow
def test_all_that_is_said_is_so(call: Call) -> None:
    found = call("compose", *SMALL, "--within", "3", "-n", "2", "--seed", "1")
    assert found.code == 0
    for puzzle in puzzles_in(found.out):
        assert_all_is_so(puzzle)


def assert_all_is_so(puzzle: Json) -> None:
    """The judgement of a puzzle with one ply a turn, by brute force."""
    tree, said = assert_sound(puzzle), puzzle["judged"]
    state, turns = tree.puzzle.state, puzzle["within"] - 1
    moves = tree.see(state).moves
    (key,) = puzzle["answer"]["keys"]
    holding: dict[str, list[str]] = {}
    slower = []
    for move, child in moves.items():
        if move != key and not tree.forces(child, tree.left(state, child, turns)):
            seen, after = tree.see(child), tree.left(state, child, turns)
            if tree.forces(child, after + 1):
                slower.append(state.move_text(move))
            if not (seen.reached or seen.over):
                replies = seen.moves.items()
                holds = [r for r, c in replies if not tree.forces(c, tree.left(child, c, after))]
                if len(holds) == 1 < len(seen.moves):
                    holding[state.move_text(move)] = [child.move_text(holds[0])]
    assert {each["move"]: [each["refutation"]] for each in said["tries"]} == holding
    assert sorted(said["slower"]) == sorted(slower)
    assert said["legal"] == len(moves)
    lengths: dict[str, int] = {}
    after_key = moves[key]
    for child in tree.see(after_key).moves.values():
        needed = next(t for t in range(9) if tree.forces(child, tree.left(after_key, child, t)))
        lengths[str(needed + 1)] = lengths.get(str(needed + 1), 0) + 1
    assert said["variations"] == lengths
    assert set(said["superfluous"]) == set(_can_go(tree, key))


def _can_go(tree: Tree, key: str) -> Iterator[str]:
    puzzle, state = tree.puzzle, tree.puzzle.state
    for square in state.occupied:
        try:
            fewer = state.without_piece(square_name(square))
        except BadPosition:
            continue
        other = Tree(Puzzle(fewer, puzzle.attacker, puzzle.goal, puzzle.within))
        if other.distance(puzzle.within or 0) == puzzle.within and other.keys(
            puzzle.within or 0
        ) == {key}:
            yield square_name(square)


# --- composing ------------------------------------------------------------------------------------


def test_composed_puzzles_are_sound(call: Call) -> None:
    found = call(*COMPOSE)
    puzzles = puzzles_in(found.out)
    assert (found.code, len(puzzles)) == (0, 3)
    for puzzle in puzzles:
        assert_sound(puzzle)
        assert puzzle["judged"]["sound"]
    scores = [puzzle["judged"]["score"] for puzzle in puzzles]
    assert scores == sorted(scores, reverse=True)
    assert found.err == ""
    told = call(*[word for word in COMPOSE if word != "--json"], "-o", "puzzles.jsonl")
    assert "3 written" in told.out
    assert Path("puzzles.jsonl").read_text() == found.out


@pytest.mark.slow
def test_the_same_seed_gives_the_same(tmp_path: Path) -> None:
    alone, kept = run(*COMPOSE, cwd=tmp_path), ["--resume", "kept"]
    for more in (["--workers", "2"], ["--threads", "2"], kept, kept):  # at last, from what was kept
        assert run(*COMPOSE, *more, cwd=tmp_path) == alone
    assert run(*COMPOSE[:-1], "2", cwd=tmp_path).out != alone.out


def test_pieces_attackers_and_turns(call: Call) -> None:
    asked = ["--within", "3", "--at-least", "2", "--pieces", "5", "--attacker", "black", "-n", "3"]
    for puzzle in puzzles_in(call("compose", *SMALL, *asked).out):
        assert puzzle["attacker"] == "black"
        assert puzzle["within"] in (2, 3)
        assert puzzle["judged"]["pieces"] <= 5
        assert_sound(puzzle)


def test_improved_puzzles_are_sound_and_better(call: Call) -> None:
    """Changes that are kept by what they promise: more answers, and no key that captures."""
    plain = puzzles_in(call(*COMPOSE).out)
    words = [*COMPOSE, "--improve", "150"]
    found = call(*words)
    puzzles = puzzles_in(found.out)
    assert (found.code, len(puzzles)) == (0, 3)
    for puzzle in puzzles:
        assert_sound(puzzle)
        assert puzzle["composed"]["improve"] == 150
    judged = [[each["judged"] for each in them] for them in (plain, puzzles)]
    answers = [sum(each["answers"] - 2 * each["captures"] for each in them) for them in judged]
    assert answers[1] > answers[0]
    told = call("compose", *SMALL, "--within", "2", "--improve", "9", "--not-forced")
    assert_refused(told, "only puzzles in which the attacker is on move are improved")
    told = call("compose", *SMALL, "--within", "2", "--improve", "-1")
    assert_refused(told, "the number of changes must be a whole number from 0 on, not -1")


def test_a_promise_is_a_part_of_the_score() -> None:
    """Its answers, replies and captures are those that a judgement counts."""
    state = breakthrough("4/4/4/pp2/P3/PP2 b", width=4, height=6)
    told, order = judged(state, 3, "black"), Order.of(state.game.roles, "win", 3)
    puzzle = Puzzle.of(state, "black", "win", 3)
    ask = BoundedSearch(puzzle, net_of_all(state.game.rules, [state.facts]), 1000)
    root = ask.at(state.facts, Budget())
    look = find_solutions(root, order, ask, 4)
    assert look is not None
    replies, pieces = sum(told.variations.values()), 5
    assert (told.answers, replies, told.captures) == (1, 3, False)
    answers = {each for one in told.play[0].variations for each in one.answers}
    expected = 1 + 0.1 * replies + 0.2 * len(answers) - 0.03 * pieces
    assert promise(ask, root, look) == pytest.approx(expected)
    two = replace(look, solutions=(*look.solutions, "another"))
    assert promise(ask, root, two) == pytest.approx(expected - 0.7)


@pytest.mark.slow
def test_variations_of_given_puzzles(call: Call, tmp_path: Path) -> None:
    given = tmp_path / "given.jsonl"
    given.write_text(call(*COMPOSE).out)
    found = call(*COMPOSE, "--like", str(given), "-n", "2")
    positions = {puzzle["position"] for puzzle in puzzles_in(given.read_text())}
    for puzzle in puzzles_in(found.out):
        assert_sound(puzzle)
        assert puzzle["position"] not in positions


@pytest.mark.slow
def test_the_defenders_only_move(call: Call) -> None:
    found = call("compose", *SMALL, "--within", "2", "--not-forced", "-n", "2")
    for puzzle in puzzles_in(found.out):
        tree = tree_of(puzzle)
        state = tree.puzzle.state
        assert state.to_move != puzzle["attacker"]
        holds = [
            move
            for move, child in tree.see(state).moves.items()
            if not tree.forces(child, tree.left(state, child, puzzle["within"]))
        ]
        assert holds == puzzle["judged"]["keys"]
    assert len(puzzles_in(found.out)) == 2


@pytest.mark.slow
def test_the_only_line_if_both_help(call: Call) -> None:
    found = call("compose", *SMALL, "--within", "2", "--together", "-n", "2", "--among", "1")
    for puzzle in puzzles_in(found.out):
        state = game_of(puzzle).position(puzzle["position"])
        assert len(list(_shortest_lines(state, puzzle["attacker"], puzzle["within"]))) == 1
        words = [*SMALL[:5], puzzle["position"], "--attacker", puzzle["attacker"], *SMALL[5:]]
        kept = strict_json(call("solve", *words, "--together").out)
        assert kept["distance"] == puzzle["within"]
        assert kept["line"][0] == puzzle["judged"]["keys"][0]
    assert len(puzzles_in(found.out)) == 2


def _shortest_lines(state: State, attacker: str, turns: int) -> list[list[State]]:
    """All lines to a win of no more moves than the shortest has, by trying all."""
    lines = [[state]]
    for _ in range(2 * turns):
        won = [line for line in lines if line[-1].goals[attacker] == 100]
        if won:
            return won
        lines = [
            [*line, line[-1].play(move)]
            for line in lines
            if not line[-1].is_terminal
            for move in line[-1].legal_moves
        ]
    return [line for line in lines if line[-1].goals[attacker] == 100]


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("game", "goal", "within"),
    [
        *[("amazons_8x8", "trap", 2), ("skirmish", "score>=30", 2), ("tictactoe.lp", "win", 2)],
        (str(ROOT / "encodings/gallery/connect_four.lp"), "win", 3),
        (str(ROOT / "examples/tictactoe.kif"), "win", 2),
    ],
)
@pytest.mark.slow
def test_composed_sets_are_verified(game: str, goal: str, within: int, tmp_path: Path) -> None:
    """Each is solved anew, and the proof of that is checked with clingo alone."""
    (tmp_path / "tictactoe.lp").write_bytes(FILES["tictactoe.lp"])
    asked = ["--goal", goal, "--within", str(within), "-n", "3", "--among", "1", "--json"]
    found = run("compose", game, *asked, cwd=tmp_path)
    puzzles = puzzles_in(found.out)
    assert len(puzzles) == 3
    for puzzle in puzzles:
        words = [puzzle["position"], "--attacker", puzzle["attacker"], "--goal", goal]
        again = run(
            *("solve", game, *words, "--within", str(within), "--json", "--certificate", "c.json"),
            cwd=tmp_path,
        )
        answer = strict_json(again.out)
        assert (answer["distance"], answer["keys"]) == (within, puzzle["answer"]["keys"])
        assert run("verify", "c.json", cwd=tmp_path).code == 0
    lines = found.out.encode()
    (tmp_path / "set.jsonl").write_bytes(lines)
    assert run("solve", "--puzzles", "set.jsonl", cwd=tmp_path).err == ""
    judged_again = puzzles_in(run("judge", "set.jsonl", "--json", cwd=tmp_path).out)
    assert [p["judged"] for p in judged_again] == [p["judged"] for p in puzzles]


# --- twins ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["chess", "breakthrough"])
def test_a_net_allows_the_positions_that_the_grounder_allows(name: str) -> None:
    game, chance = aspgames.load(name), Random(1)
    changes, valid, facts = PositionChanges(game), ValidPositions(game), game.initial.facts
    seen = set()
    for _ in range(40):
        changed = changes.changed(facts, chance, grows=True)
        try:
            allowed = game.checked(changed).facts == changed
        except BadPosition:
            allowed = False
        assert (changed in valid) == allowed, changed
        facts = changed if allowed else facts
        seen.add(allowed)
    assert seen == {True, False}


def test_a_game_without_a_net_of_all_positions_has_no_quick_answers() -> None:
    """Amazons' net would be too large. The sheet in KIF declares no fluents."""
    with pytest.raises(LimitReached):
        ValidPositions(aspgames.load("amazons"))
    with pytest.raises(RulesError):
        ValidPositions(aspgames.load(str(ROOT / "examples/tictactoe.kif")))


def test_mirrored_twins_are_alike() -> None:
    game = aspgames.load("breakthrough")
    twins = Twins(game)
    state = game.position("8/1p6/8/2P5/8/8/6P1/8 w")
    assert twins.add(state.facts, "white")
    assert not twins.add(state.facts, "white")
    assert not twins.add(state.mirror("left to right").facts, "white")
    assert not twins.add(state.mirror("top to bottom", exchange=True).facts, "black")
    assert not twins.add(game.position("8/p7/8/1P6/8/8/5P2/8 w").facts, "white")  # shifted
    assert twins.add(state.facts, "black")
    assert twins.add(game.position("8/p7/8/2P5/8/8/5P2/8 w").facts, "white")


def test_what_is_no_symmetry_makes_no_twins() -> None:
    """Upside down, discs would hang from above."""
    game = aspgames.load("connect_four")
    twins = Twins(game)
    lying, standing = ("7/7/7/7/7/X6 w", "7/7/7/7/7/6X w")
    assert twins.add(game.position(lying).facts, "white")
    assert not twins.add(game.position(standing).facts, "white")


@pytest.mark.slow
def test_a_set_has_no_twins(call: Call) -> None:
    puzzles = puzzles_in(call("compose", *SMALL, "--within", "2", "-n", "6").out)
    states = [game_of(puzzle).position(puzzle["position"]) for puzzle in puzzles]
    seen: set[tuple[str, ...]] = set()
    for state, puzzle in zip(states, puzzles, strict=True):
        mirrored = state.mirror("left to right")
        turned = [each.mirror("top to bottom", exchange=True) for each in (state, mirrored)]
        assert not {s.facts for s in chain([state, mirrored], turned)} & seen
        seen.add(state.facts)
        assert puzzle["judged"]["sound"]
    assert len(seen) == 6


# --- the examples ---------------------------------------------------------------------------------

COMPOSED = sorted((ROOT / "examples/puzzles/composed").glob("*.jsonl"))

each_file = pytest.mark.parametrize("file", COMPOSED, ids=lambda file: file.stem)


@each_file
def test_the_examples_are_no_twins_and_have_certificates(file: Path) -> None:
    puzzles = puzzles_in(file.read_text())
    assert len(puzzles) == 12
    twins = Twins(aspgames.load(file.stem))
    for puzzle in puzzles:
        state = game_of(puzzle).position(puzzle["position"])
        assert puzzle["judged"]["sound"]
        if "stipulation" not in puzzle and puzzle["goal"] != "win":
            assert twins.add(state.facts, puzzle["attacker"])
        proof = json.loads((file.parent / puzzle["certificate"]).read_text())
        assert proof["position"] == list(state.facts)
        for name in ("attacker", "goal", "within"):
            assert proof[name] == puzzle[name]
        answer = puzzle["answer"]
        assert {name: proof[name] for name in answer} == answer


@each_file
@pytest.mark.slow
def test_the_examples_are_verified_and_judged_alike(file: Path, tmp_path: Path) -> None:
    for proof in sorted(file.parent.glob(f"{file.stem}_[0-9]*.json")):
        assert run("verify", str(proof), cwd=tmp_path).code == 0
    again = puzzles_in(run("judge", str(file), "--json", cwd=tmp_path).out)
    assert again == puzzles_in(file.read_text())


# --- judge: files, and what is wrong --------------------------------------------------------------

PUZZLE = {
    "game": "breakthrough",
    "position": "1p6/8/P7/8/8/8/8/8 w",
    "attacker": "white",
    "goal": "win",
    "within": 2,
}
COOKED = PUZZLE | {"position": "8/P7/8/8/8/7p/8/8 w", "within": 1}


def test_judge_says_it_in_words(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "puzzles.jsonl"
    file.write_bytes(jsonl(PUZZLE))
    found = call("judge", str(file))
    assert found.code == 0
    assert "1.a6-a7? b8xa7!" in found.out
    file.write_bytes(jsonl(PUZZLE, COOKED))
    found = call("judge", str(file))
    assert found.code == 1
    assert "cooks: a7-b8" in found.out
    file.write_bytes(jsonl(PUZZLE, COOKED) + b"no\n" + jsonl(PUZZLE | {"stipulation": "x"}))
    found = call("judge", str(file), "--json")
    assert found.code == 2
    lines = found.lines
    assert [line.get("kind") for line in lines] == [None, None, "bad_json", "bad_request"]


def test_the_author_s_key_is_no_cook(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "puzzles.jsonl"
    file.write_bytes(jsonl(COOKED | {"answer": {"keys": ["move(1,7,2,8)"]}}))
    (puzzle,) = puzzles_in(call("judge", str(file), "--json").out)
    assert puzzle["judged"]["cooks"] == ["a7-a8"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--goal", "mate", "--within", "2"], "goal"),
        (["--goal", "win", "--within", "0"], "most turns"),
        (["--goal", "win", "--within", "2", "--at-least", "3"], "least turns"),
        (["--goal", "win", "--within", "2", "--attacker", "red"], "attacker"),
        (["--goal", "win", "--within", "2", "--attacker", "white", "--to-move", "black"], "black"),
        (["--goal", "win", "--within", "2", "--not-forced", "--together"], "together"),
        (["--goal", "win", "--within", "2", "-n", "0"], "-n"),
        (["--goal", "win", "--within", "2", "--pieces", "0"], "pieces"),
        (["--goal", "win", "--within", "2", "--like", "nowhere.jsonl"], "nowhere.jsonl"),
        (["--goal", "win", "--within", "2", "-o", "no/where.jsonl"], "no/where.jsonl"),
    ],
)
def test_what_makes_no_sense_is_refused(words: list[str], told: str, call: Call) -> None:
    assert_refused(call("compose", "breakthrough", *words), told)


def test_a_puzzle_of_another_game_has_no_variations_here(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "puzzles.jsonl"
    file.write_bytes(jsonl(PUZZLE))
    assert_refused(call(*COMPOSE, "--like", str(file)), "line 1", "another game")


def test_the_time_is_over(call: Call) -> None:
    """What was found by then is written; here that is nothing."""
    found = call("compose", "breakthrough", "--goal", "win", "--within", "2", "--time", "0.001")
    assert (found.code, found.err) == (1, "")
    assert "the time is over" in found.out


@pytest.mark.parametrize("own", [False, True])
def test_a_users_game_says_itself_which_positions_are_valid(own: bool, tmp_path: Path) -> None:
    text = (ROOT / "encodings/gallery/tictactoe.lp").read_text()
    part = '\n#program position.\nrefused("a third stone",()) :- true(cell(1,1,third)).\n'
    game = write(text + part * own, tmp_path)
    assert can_change(game) == own
    assert can_change(aspgames.load("tictactoe"))
    assert can_change(aspgames.load(str(ROOT / "encodings/gallery/tictactoe.lp")))
