"""The gallery: rule books of well-known games, against other engines and known counts."""

import re
from itertools import product
from pathlib import Path
from random import Random

import clingo
import pytest

import aspgames
from aspgames import State, perft
from aspgames.asp.sources import encodings_folder
from aspgames.gdl.predicates import GAME, GIVEN, TELLING
from aspgames.play.perft_suite import read_suite, run_suite, suite_path
from cli_helpers import Call
from gallery_by_hand import (
    Moves,
    ataxx,
    count,
    domineering,
    fox_and_hounds,
    isolation,
    kalah,
    knightthrough,
    konane,
    pentago,
    sokoban,
    tablut,
    tron,
)
from helpers import FIVE
from paths import ROOT

FAIRY = encodings_folder() / "gallery/fairy"
BOOKS = sorted((encodings_folder() / "gallery").glob("*.lp"))
NAMES = [book.stem for book in BOOKS]

SMALLER = {
    "bulls_and_cows": {"digits": 2},
    "counterfeit_coin": {"coins": 4},
    "mastermind": {"pegs": 2},
}
"""Constants with which a game has fewer moves."""

each_book = pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.stem)
each_game = pytest.mark.parametrize("name", NAMES)


def solved(name: str, attacker: str, **constants: int) -> str:
    start = aspgames.load(name, **constants).initial
    return aspgames.solve(start, attacker=attacker, goal="win").verdict


@each_book
def test_a_rule_book_begins_with_its_idea_and_its_source(book: Path) -> None:
    text = book.read_text()
    assert text.startswith("% ")
    assert "% Source: " in text.partition("\n\n")[0]
    assert max(map(len, text.splitlines())) <= 100


@each_game
def test_a_game_has_a_suite_and_a_row_in_the_list(name: str) -> None:
    assert read_suite(suite_path(name))
    assert f"\n| [`{name}`](gallery/{name}.lp) |" in (ROOT / "encodings/README.md").read_text()


def test_each_building_block_is_there_for_several_games() -> None:
    """The cookbook's games count, too. The parts of chess are for any number of pieces."""
    home = encodings_folder()
    texts = [path.read_text() for path in home.rglob("*.lp")]
    texts += (ROOT / "docs/write_a_game.md").read_text().split("###")
    for block in (home / "shared").glob("*.lp"):
        included = re.compile(rf'#include ".*\b{block.stem}\.lp"')
        assert len([text for text in texts if included.search(text)]) > 1, block


@pytest.mark.sample(14)
@pytest.mark.slow
@pytest.mark.parametrize("book", [*BOOKS, *sorted(FAIRY.glob("*.lp"))], ids=lambda book: book.stem)
def test_a_certificate_of_the_start_is_verified(book: Path, call: Call) -> None:
    game = aspgames.load(str(book))
    asked = (str(book), "startpos", "--attacker", game.roles[0], "--goal", "win", "--within", "1")
    found = call("solve", *asked, "--certificate", "proof.json", "--time", "60")
    if found.code == 2:
        joint = len(game.initial.consequences.movers) > 1  # both choose at once
        assert joint or game.chance, found.err
    elif found.code < 2 and not (game.hidden and found.code == 1):  # only a forced goal has a plan
        proved = call("verify", "proof.json")
        assert proved.code == 0, proved.err


def test_the_grammar_of_editors_reads_all_encodings() -> None:
    tree_sitter = pytest.importorskip("tree_sitter")
    clingo_grammar = pytest.importorskip("tree_sitter_clingo")
    parser = tree_sitter.Parser(tree_sitter.Language(clingo_grammar.language()))
    files = [f for part in ("encodings", "examples") for f in (ROOT / part).rglob("*.lp")]
    assert len(files) > 100
    assert not [f for f in files if parser.parse(f.read_bytes()).root_node.has_error]
    # Its documentation of predicates is what mkdoclingo shows.
    tree = parser.parse((ROOT / "encodings/shared/predicates.lp").read_bytes())
    documented = [node for node in tree.root_node.children if node.type == "doc_comment"]
    assert len(documented) > 40


def test_the_known_predicates_are_documented_in_the_same_words_for_mkdoclingo() -> None:
    def words(text: str) -> str:
        linked = re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", text.replace("*given*: ", ""))
        return " ".join(linked.split()).removesuffix(".").casefold()

    readme = (ROOT / "encodings/README.md").read_text().partition("## Names in other")[0]
    rows = re.findall(r"^\| (`[a-z_]+[(`][^|]*) \| ([^|]+) \|$", readme, re.MULTILINE)
    expected = {
        head: words(text) for heads, text in rows for head in re.findall("`([^`]+)`", heads)
    }
    file = (ROOT / "encodings/shared/predicates.lp").read_text()
    found = {
        head: words(text.partition("\nArgs:")[0])
        for head, text in re.findall(r"%\*! (\S+)\n(.*?)\*%", file, re.DOTALL)
    }
    assert expected.items() <= found.items()
    known = GAME | GIVEN | TELLING
    heads = {f"{name}({','.join(form)})" if form else name for name, form in known.items()}
    assert expected.keys() == heads - {"true(F)", "does(R,M)"}
    assert all(f"    - {name}: " in file for head in found for name in re.findall("[A-Z]", head))


@pytest.mark.quick(4)
@pytest.mark.parametrize("name", [*NAMES, *FIVE])
def test_a_random_game_is_listed_drawn_and_written(name: str) -> None:
    game = aspgames.load(name, **SMALLER.get(name, {}))
    assert game.title
    random = Random(name)
    state = game.initial
    for _ in range(8):
        if state.is_terminal:
            break
        state = state.play({role: random.choice(moves) for role, moves in state.legal.items()})
        assert set(state.facts) <= game.vocabulary.base
        assert game.from_facts(state.facts) == state
        assert not state.fen or game.position(state.fen) == state
    if game.board:
        assert state.svg().startswith("<svg")


@pytest.mark.quick(4)
@pytest.mark.sample(12)
@pytest.mark.parametrize("most", [2_000, pytest.param(20_000, marks=pytest.mark.slow)])
@each_game
def test_its_suite_holds(name: str, most: int) -> None:
    cases = [case for case in read_suite(suite_path(name)) if case.nodes <= most]
    assert not list(run_suite(cases))


@pytest.mark.quick(8)
@each_book
def test_plain_clingo_lists_legal_moves_and_the_states_after_them(book: Path) -> None:
    constants = SMALLER.get(book.stem, {})
    game = aspgames.load(book.stem, **constants)
    control = clingo.Control(["0", *(f"-c{name}={value}" for name, value in constants.items())])
    for path in (book, ROOT / "examples" / "state.lp"):
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(encodings_folder())
            control.load(str(path))
    control.ground()
    found = {}
    with control.solve(yield_=True) as models:
        for model in models:
            shown = [(s.name, [*map(str, s.arguments)]) for s in model.symbols(shown=True)]
            joint = {words[0]: words[1] for name, words in shown if name == "does"}
            after = tuple(sorted(words[0] for name, words in shown if name == "next"))
            found[tuple(sorted(joint.items()))] = after
    state = game.initial
    joint_moves = (
        dict(zip(state.legal, moves, strict=True)) for moves in product(*state.legal.values())
    )
    assert found == {
        tuple(sorted((role, move.term) for role, move in joint.items())): state.play(joint).facts
        for joint in joint_moves
    }


def test_plain_clingo_goes_on_from_the_facts_of_a_position(call: Call, tmp_path: Path) -> None:
    state = aspgames.load("othello").initial.play("d3")
    (tmp_path / "position.lp").write_text(call("show", "othello", str(state.fen), "--facts").out)
    control = clingo.Control(["0", "-c", "start=no"])
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(encodings_folder())
        for path in ("gallery/othello.lp", ROOT / "examples/state.lp", tmp_path / "position.lp"):
            control.load(str(path))
    control.ground()
    with control.solve(yield_=True) as models:
        shown = [model.symbols(shown=True) for model in models]
    found = {tuple(sorted(str(s.arguments[0]) for s in m if s.name == "next")) for m in shown}
    assert found == {state.play(move).facts for move in state.legal_moves}


@pytest.mark.sample(12)
@pytest.mark.slow
@each_game
def test_it_is_a_game(name: str) -> None:
    report = aspgames.check(name, 20)
    endless = name in ("fifteen_puzzle", "sokoban")
    slow = name in ("bulls_and_cows", "counterfeit_coin", "mastermind")  # too many codes
    assert report.verdict == ("unknown" if endless else "game") or (slow and not endless)
    assert not [finding for finding in report.findings if finding.severity == "error"]


@pytest.mark.parametrize("order", ["ascending", "descending"])
def test_games_of_goofspiel_end_as_openspiels(order: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game(f"goofspiel(num_cards=5,points_order={order})")
    for seed in range(4):
        state, other = (
            aspgames.load("goofspiel", cards=5, order=order).initial,
            theirs.new_initial_state(),
        )
        random = Random(seed)
        while not state.is_terminal:
            bids = {role: random.choice(moves) for role, moves in state.legal.items()}
            if not other.is_terminal():  # it plays the last card by itself
                other.apply_actions([int(bids[role].text[4:-1]) - 1 for role in ("white", "black")])
            state = state.play(bids)
        assert other.is_terminal()
        assert list(state.goals.values()) == [50 + 50 * value for value in other.returns()]


# --- the same rules in plain Python ---------------------------------------------------------------


@pytest.mark.quick(5)
@pytest.mark.parametrize(
    ("name", "by_hand", "constants", "depth"),
    [
        ("domineering", domineering, {"width": 4, "height": 5}, 3),
        ("fox_and_hounds", fox_and_hounds, {}, 4),
        ("isolation", isolation, {"width": 4, "height": 3}, 2),
        ("knightthrough", knightthrough, {"width": 4, "height": 4}, 4),
        ("konane", konane, {}, 4),
        ("konane", konane, {"width": 5, "height": 4}, 5),
        ("sokoban", sokoban, {}, 5),
        ("tablut", tablut, {}, 2),
    ],
)
def test_perft_as_counted_by_hand(
    name: str, by_hand: Moves, constants: dict[str, int], depth: int
) -> None:
    game = aspgames.load(name, **constants)
    assert game.board
    size = game.board.width, game.board.height
    random, state = Random(2), game.initial
    for _ in range(8 // depth):
        if state.is_terminal:
            break
        assert state.to_move
        expected = count(by_hand, dict(state.occupied), state.to_move, size, depth)
        assert perft(state, depth) == expected
        for _ in range(depth):
            if not state.is_terminal:
                state = state.play(random.choice(state.legal_moves))


@pytest.mark.quick(3)
@pytest.mark.parametrize(
    ("name", "by_hand", "constants"),
    [
        ("ataxx", ataxx, {}),
        ("pentago", pentago, {}),
        ("konane", konane, {}),
        ("mancala", kalah, {}),
        ("mancala", kalah, {"pits": 2, "seeds": 12}),
    ],
)
def test_positions_after_each_move_are_those_by_hand(
    name: str, by_hand: Moves, constants: dict[str, int]
) -> None:
    state, random = aspgames.load(name, **constants).initial, Random(4)
    while not state.is_terminal:
        assert state.game.board
        assert state.to_move
        size = state.game.board.width, state.game.board.height
        if random.random() < 0.15:
            after = by_hand(dict(state.occupied), state.to_move, *size)
            ours = (dict(state.play(move).occupied) for move in state.legal_moves)
            assert sorted(sorted(board.items()) for board in ours) == sorted(
                sorted(board.items()) for board in after
            )
        state = state.play(random.choice(state.legal_moves))
    assert not list(by_hand(dict(state.occupied), str(state.to_move), *size))


@pytest.mark.parametrize(("south", "captured"), [("4m4", True), ("9", False), ("4S4", False)])
def test_a_swede_between_the_king_and_a_muscovite(south: str, captured: bool) -> None:
    """Linnaeus's tenth law: Muscovites stand on the other three sides of the king's castle."""
    state = aspgames.load("tablut").position(f"6m2/9/9/4m4/3mKS3/{south}/9/9/9 b")
    assert perft(state, 2) == count(tablut, dict(state.occupied), "black", (9, 9), 2)
    assert ((6, 5) not in dict(state.play("g9-g5").occupied)) == captured


@pytest.mark.parametrize(("repetition", "over"), [(0, False), (3, False), (4, True), (8, True)])
def test_a_position_that_comes_again_draws_lines_of_action(repetition: int, over: bool) -> None:
    state = aspgames.load("lines_of_action", repetition=repetition).initial
    for move in ("b1-b3", "a2-c2", "b3-b1", "c2-a2"):
        assert not state.is_terminal
        state = state.play(move)
    assert state.is_terminal == over
    assert set(state.goals.values()) == {50 if over else 0}


def test_games_of_tron_as_driven_by_hand() -> None:
    for seed in range(4):
        state, random = aspgames.load("tron", width=5, height=4).initial, Random(seed)
        while not state.is_terminal:
            moves = {role: random.choice(moves) for role, moves in state.legal.items()}
            board = tron(
                dict(state.occupied), {role: move.text for role, move in moves.items()}, 5, 4
            )
            state = state.play(moves)
            assert dict(state.occupied) == board
        left = [role for role in state.goals if role in board.values()]
        assert len(left) < 2
        assert [state.goals[role] for role in left] == [100] * len(left)


# --- known counts and values ----------------------------------------------------------------------


@pytest.mark.parametrize(("size", "count"), [(4, 2), (6, 4), (8, 92)])
def test_the_solutions_of_the_queens_problem(size: int, count: int) -> None:
    assert perft(aspgames.load("queens", size=size).initial, size) == count


def test_the_knights_tours_from_a_corner_of_5_by_5() -> None:
    assert perft(aspgames.load("knights_tour", width=5, height=5).initial, 24) == 304


@pytest.mark.slow
def test_the_fifteen_puzzle_of_2_by_3_reaches_half_of_all_orders() -> None:
    seen, waiting = set[State](), [aspgames.load("fifteen_puzzle", width=2, height=3).initial]
    while waiting:
        state = waiting.pop()
        if state not in seen:
            seen.add(state)
            waiting += map(state.play, state.legal_moves)
    assert sum(state.is_terminal for state in seen) == 1
    assert len(seen) in (360, 359)  # play ends in order


@pytest.mark.slow
def test_the_hounds_shut_in_the_fox() -> None:
    """Winning Ways, chapter 20."""
    assert solved("fox_and_hounds", "black") == "forced"
    assert solved("fox_and_hounds", "white") == "not_forced"
