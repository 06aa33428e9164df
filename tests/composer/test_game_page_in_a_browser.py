"""Pages of games in a real browser, without a network: the same answers as the command line."""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import aspgames
from aspgames import Game, State
from aspgames.composer.book.game_page import game_page
from aspgames.play.perft_suite import read_suite, suite_path
from aspgames.runtime.budget import Budget
from helpers import FIVE
from paths import ROOT, TESTS

pytestmark = pytest.mark.slow
OTHERS = ["checkers", "chess", "fifteen_puzzle", "hex", "konane", "nim", "othello", "queens"]
FILES = [str(ROOT / f"examples/{name}.kif") for name in ("four_in_a_row",)]
TOO_LARGE = {"amazons", "isolation", "mancala"}
PAGED = [*(name for name in FIVE if name != "amazons"), *OTHERS, *FILES]
ANSWERS = """(async () => {
  const [facts, fen, to_move, over, goals, legal] = await Promise.all(
    ["facts", "fen", "toMove", "isTerminal", "goals", "legal"].map((name) => aspgames[name]()));
  return { facts, fen, to_move, over, goals, legal };
})()"""
Shown = Callable[..., Any]


@pytest.fixture
def shown(browser: Any, tmp_path: Path) -> Iterator[Shown]:
    """Opens the page of a state; fails at the end if the page had an error or asked the network."""
    trouble: list[str] = []
    remote: list[str] = []

    def show(state: State, *goals: str, **settings: Any) -> Any:
        file = tmp_path / "game.html"
        text = game_page(state, goals or ("win", "trap"), Budget(), lambda _text: None)
        file.write_text(text, encoding="utf-8")
        page = browser.new_page(**settings)
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("request", lambda asked: remote.append(asked.url))
        page.goto(file.as_uri())
        page.evaluate("aspgames.ready")
        return page

    yield show
    assert not trouble
    assert not [url for url in remote if not url.startswith(("file:", "blob:", "data:", "about:"))]


def expected(state: State) -> dict[str, Any]:
    return {
        "facts": list(state.facts),
        "fen": state.fen,
        "to_move": state.to_move,
        "over": state.is_terminal,
        "legal": [move.text for move in state.legal_moves],
    }


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", PAGED)
def test_random_games_in_lockstep(shown: Shown, name: str) -> None:
    game = aspgames.load(name)
    page = shown(game.initial)
    rng, state = random.Random(1), game.initial
    for _ in range(80):
        found = page.evaluate(ANSWERS)
        goals = found.pop("goals")
        assert found == expected(state)
        assert not state.is_terminal or goals == state.goals
        if state.is_terminal or not state.legal_moves:
            break
        move = rng.choice(list(state.legal_moves))
        page.evaluate("move => aspgames.play(move)", move.text)
        state = state.play(move)
    if state.fen:  # and the position can be given as a FEN
        page.evaluate("fen => aspgames.setPosition(fen)", state.fen)
        assert page.evaluate("aspgames.facts()") == list(state.facts)


def test_a_waiting_move_may_have_any_name(shown: Shown, tmp_path: Path) -> None:
    """Where one match is left, nobody has a choice."""
    (tmp_path / "matches.lp").write_text(
        """
        role(a;b). init(left(4)). init(on(a)). other(a,b). other(b,a).
        legal(R,take(1..2)) :- true(on(R)), not true(left(1)).
        legal(R,take(1))    :- true(on(R)), true(left(1)).
        legal(R,wait)       :- true(on(S)), other(R,S).
        next(left(N-M))     :- true(left(N)), does(R,take(M)), M < N.
        next(on(R))         :- true(on(S)), other(R,S).
        terminal            :- not true(left(_)).
        goal(R,100)         :- true(on(S)), other(R,S).
        """
    )
    state = aspgames.load(str(tmp_path / "matches.lp")).initial
    page, movers = shown(state, "win"), []
    for move in ("take(2)", "take(1)", "wait"):
        found = page.evaluate(ANSWERS)
        movers.append(found["to_move"])
        assert (found["to_move"], found["facts"]) == (state.to_move, list(state.facts))
        joint: str | dict[str, str] = {} if state.to_move is None else move
        page.evaluate("text => aspgames.play(text)", move if joint else "a=take(1),b=wait")
        state = state.play(joint)
    assert movers == ["a", "b", None]
    assert page.evaluate("aspgames.isTerminal()")


def test_moves_at_once(shown: Shown) -> None:
    state = aspgames.load("rock_paper_scissors").initial
    page = shown(state)
    for joint in ({"white": "rock", "black": "paper"}, {"white": "paper", "black": "rock"}):
        assert page.evaluate("Promise.all([aspgames.toMove(), aspgames.legal()])") == [None, []]
        page.evaluate("text => aspgames.play(text)", ",".join("=".join(i) for i in joint.items()))
        state = state.play(joint)
        assert page.evaluate("aspgames.facts()") == list(state.facts)


def test_one_side_of_moves_at_once_is_played_by_chance(shown: Shown) -> None:
    page = shown(aspgames.load("rock_paper_scissors").initial)
    choices = page.locator("#choices button")
    assert choices.count() == 9
    assert page.inner_text("#whose") == "Moves of White and Black"
    assert page.locator("#mover").is_hidden()
    assert "engine, 1 s" not in page.inner_text("#players")
    page.select_option("#players label:nth-child(2) select", label="random")
    assert sorted(choices.all_inner_texts()) == ["paper", "rock", "scissors"]
    choices.filter(has_text="paper").click()
    assert page.inner_text("#line li").startswith("white=paper,black=")
    page.select_option("#players label:nth-child(1) select", label="random")
    page.locator("#said:has-text('Game over')").wait_for()


@pytest.mark.sample(12)
@pytest.mark.parametrize("name", sorted(set(aspgames.games()) - TOO_LARGE))
def test_the_suite_of_each_game(shown: Shown, name: str) -> None:
    """On the usual board: the small counts of the positions that play can reach."""
    game = aspgames.load(name)
    if game.vocabulary.extensions:
        pytest.skip("a page of chance or hidden information has no counts")
    page, counted = shown(game.initial), 0
    for case in read_suite(suite_path(name)):
        if case.state.game != game or case.nodes > 10_000:
            continue
        asked = {"position": case.state.fen or " ".join(case.state.facts), "depth": case.depth}
        found = page.evaluate(
            """({position, depth}) => aspgames.setPosition(position)
              .then(() => aspgames.perft(depth)).catch((error) => error.message)""",
            asked,
        )
        if isinstance(found, str):
            assert "is no fact of this page's positions" in found or "can't stand on" in found
        else:
            assert found == case.nodes, asked
            counted += 1
    assert counted


def puzzles() -> Iterator[Any]:
    """Some of an independent engine's, and some that were composed here."""
    composed = sorted((ROOT / "examples/puzzles/composed").glob("*.jsonl"))
    for files, number in (([ROOT / "tests/data/puzzles_mixed.jsonl"], 10), (composed, 8)):
        lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
        found = [
            puzzle
            for puzzle in map(json.loads, lines)
            if puzzle["game"] != "amazons" and puzzle["goal"] in ("win", "trap")
            if not puzzle.keys() & {"const", "stipulation"}
        ]
        yield from random.Random(3).sample(found, min(number, len(found)))


def test_puzzles(shown: Shown) -> None:
    """Verdict, distance and keys; a key of the page is a key of the command line."""
    pages: dict[str, Any] = {}
    for puzzle in puzzles():
        name, game = puzzle["game"], aspgames.load(puzzle["game"])
        page = pages.setdefault(name, pages.get(name) or shown(game.initial))
        position = game.position(puzzle["position"])
        page.evaluate("text => aspgames.setPosition(text)", puzzle["position"])
        asked = {name: puzzle.get(name) for name in ("attacker", "goal", "within")}
        found = page.evaluate("asked => aspgames.solve(asked)", asked | {"seconds": 60})
        answer = aspgames.solve(position, **asked)
        assert (found["verdict"], found["distance"]) == (answer.verdict, answer.distance), puzzle
        assert sorted(found["keys"]) == sorted(answer.keys)
        assert sorted(found["keys_text"]) == sorted(answer.keys_text)
        assert len(found["line"]) == len(answer.line)
        for move in found["line"]:
            position = position.play(move)


def test_a_search_tells_what_it_has_proven_when_time_is_over(shown: Shown) -> None:
    page = shown(aspgames.load("breakthrough").initial)
    found = page.evaluate("aspgames.solve({attacker: 'white', goal: 'win', seconds: 0.5})")
    assert (found["verdict"], found["distance"]) == ("unknown", None)
    assert found["not_within"] >= 1


def test_the_engine_finds_a_win_and_beats_random_moves(shown: Shown) -> None:
    game = aspgames.load("breakthrough", width=4, height=5)
    page = shown(game.initial)
    rng, state = random.Random(1), game.initial
    while not state.is_terminal:
        if state.to_move == "white":
            text = page.evaluate("aspgames.engineMove(0.3)")
        else:
            text = rng.choice(list(state.legal_moves)).text
        page.evaluate("text => aspgames.play(text)", text)
        state = state.play(text)
    assert state.goals["white"] == 100


REFUSED = [
    ("", "is empty"),
    ("8/8 w", "the FEN's board is 2 high, the game's is 8"),
    ("8/8/8/8/8/8/8/PPPPPPPX w", '"X" is no piece'),
    ("8/8/8/8/8/8/8/PPPPPPPPP w", "rank 1 has 9 squares, not 8"),
    ("8/8/8/8/8/8/8/P7", "whose turn it is"),
    ("8/8/8/8/8/8/8/P7 w w", "means nothing here"),
    ("cell(1,1,white)", "whose turn it is"),
    ("cell(9,9,white) control(white)", "no fact of this page"),
    ("cell(1,1,white", "parentheses"),
    ("x" * 1_000_000, "the FEN's board is 1 high"),
]


def test_positions_that_are_refused(shown: Shown) -> None:
    page = shown(aspgames.load("breakthrough").initial)
    for position, why in REFUSED:
        told = page.evaluate(
            "text => aspgames.setPosition(text).then(() => '', (error) => error.message)", position
        )
        assert why in told
        assert page.evaluate("aspgames.legal()")[0] == "a2-a3"


def test_chess_positions_are_refused_as_by_the_rules(shown: Shown) -> None:
    game = aspgames.load("chess")
    page = shown(game.initial)
    whole = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"  # ends with a field that is ignored
    assert page.evaluate(f"aspgames.setPosition('{whole}').then(() => aspgames.fen())") == (
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0"
    )
    for given, meant in (("qK", "Kq"), ("hQA", None), ("AhHa", "KQkq")):  # in any order, and X-FEN
        text = f"r3k2r/8/8/8/8/3q~4/8/R3K2R w {given} - 120 1"
        told = page.evaluate(
            f"aspgames.setPosition('{text}').then(() => aspgames.fen(), () => null)"
        )
        assert told == (meant and f"r3k2r/8/8/8/8/3q4/8/R3K2R w {meant} - 100")
    short = "6k1/5ppp/8/8/8/8/8/K3R3 w"  # leaves out what has a default
    counted = page.evaluate(f"aspgames.setPosition('{short}').then(() => aspgames.perft(2))")
    assert counted == aspgames.perft(game.position(short), 2)
    for wrong in ("8/8/8/8/8/8/8/8 w", "k7/8/8/8/8/8/8/KK6 w", "k6R/8/8/8/8/8/8/K7 w"):
        with pytest.raises(aspgames.BadPosition) as refusal:
            game.position(f"{wrong} - - 0 1")
        refused = f"aspgames.setPosition('{wrong} - - 0 1').catch((error) => error.message)"
        assert page.evaluate(refused) == str(refusal.value)


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("name", "position", "told"),
    [
        ("breakthrough", "3P4/8/8/8/8/8/p7/8 b", "White stands on its last row, on d8."),
        ("amazons_8x8", "Q*5q/**4**/8/8/8/8/8/8 w", "White is stuck."),
        ("chess", "R3k3/8/4K3/8/8/8/8/8 b - - 0 1", "Black is in check and can't move."),
        ("chess", "4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", "Black can't move, and is not in check."),
        ("chess", "4k3/8/4K3/8/8/8/8/8 b - - 0 1", "Kings alone can't mate."),
        ("clobber", "oo4/6/6/6/6 w", "White can't move."),
        ("connect_four", "7/7/7/7/OOO4/XXXX3 b", "White has 4 in a row."),
        ("nine_mens_morris", "startpos", ""),
        ("rock_paper_scissors", "throw(4)", "The game ends after the last throw."),
        (FILES[0], "", ""),
    ],
)
def test_the_page_says_what_has_ended_a_game(
    shown: Shown, name: str, position: str, told: str
) -> None:
    """In the sentences for explanations, else by the comment of the rule."""
    page = shown(aspgames.load(name).initial)
    page.evaluate("text => aspgames.setPosition(text || 'startpos')", position)
    said = page.inner_text("#said")
    assert said.startswith("Game over: ") == bool(told)
    assert said.endswith(told)


def test_a_square_of_an_own_move_at_once_is_clicked(shown: Shown) -> None:
    """In Tron the square that the own cycle drives to; it doesn't tell where the other one goes."""
    page = shown(aspgames.load("tron").initial, viewport={"width": 1200, "height": 900})
    page.select_option("#players label:nth-child(2) select", label="random")
    page.click(".squares [data-square='2,4']")
    assert page.inner_text("#line li").startswith("white=east,black=")


def test_a_page_in_a_frame_has_the_colours_of_the_page_around_it(shown: Shown) -> None:
    page = shown(aspgames.load("nim").initial, color_scheme="light")
    grounds = []
    for colours in ("dark", "light", "dark", "none"):
        page.evaluate("colours => postMessage({ aspgamesColours: colours }, '*')", colours)
        page.wait_for_timeout(100)
        grounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert grounds == ["rgb(22, 24, 27)", "rgb(255, 253, 248)", *["rgb(22, 24, 27)"] * 2]


def test_pieces_are_set_up(shown: Shown) -> None:
    page = shown(aspgames.load("chess").initial, viewport={"width": 1200, "height": 900})
    page.evaluate("aspgames.setPosition('4k3/8/8/8/8/8/8/4K3 w - - 0 1')")
    page.click("#look summary")
    page.select_option("#piece", label="white queen")
    page.click(".squares [data-square='4,1']")
    page.select_option("#side", label="control(black)")
    assert page.evaluate("aspgames.fen()") == "4k3/8/8/8/8/8/8/3QK3 b - - 0"
    page.select_option("#piece", label="white king")
    page.click(".squares [data-square='1,1']")
    told = "The rules refuse this position: white has two kings: on a1 and e1."
    assert page.inner_text("#wrong") == told
    page.select_option("#piece", label="nothing")
    page.click(".squares [data-square='1,1']")
    assert page.inner_text("#wrong") == ""
    # In the text of the position, arrow keys move the cursor.
    page.fill("#text", "4k3/8/8/8/8/8/8/3QK3 x")
    page.press("#text", "ArrowLeft")
    assert page.input_value("#text").endswith(" x")
    page.click("#setting button")
    assert page.inner_text("#wrong") == '"x" at the end of the FEN means nothing here.'


def test_moves_are_counted_one_by_one(shown: Shown) -> None:
    start = aspgames.load("breakthrough", width=4, height=5).initial
    page = shown(start)
    page.click("#look summary")
    page.fill("#depth", "3")
    page.click("#counting button")
    page.locator("#counted:has-text('lines')").wait_for()
    ours = {move.text: aspgames.perft(start.play(move), 2) for move in start.legal_moves}
    assert page.inner_text("#counted").startswith(f"{sum(ours.values()):,} lines of 3 plies")
    lines = str(page.text_content("#divided")).split("  ")
    told = dict(line.split(": ") for line in lines)
    assert told == {move: f"{count:,}" for move, count in ours.items()}


def test_an_answer_names_its_question(shown: Shown, tmp_path: Path) -> None:
    file = tmp_path / "mine.lp"
    file.write_text('#include "gallery/konane.lp".\n')
    page = shown(aspgames.load(str(file)).initial)
    page.click("#solver summary")
    page.fill("#within", "2")
    page.click("#question button[type=submit]")
    page.locator("#answer:has-text('No:')").wait_for()
    assert page.inner_text("#answer").endswith("can't force it within 2 turns.")
    assert "aspgames solve mine.lp '" in page.inner_text("#answer-line")
    assert " --within 2 --certificate" in page.inner_text("#answer-line")
    page.evaluate("aspgames.legal().then(([move]) => aspgames.play(move))")
    assert page.inner_text("#answer") == ""


def test_an_illegal_move_is_refused(shown: Shown) -> None:
    page = shown(aspgames.load("breakthrough").initial)
    told = page.evaluate("aspgames.play('a1-a9').catch((error) => error.message)")
    assert told == '"a1-a9" is no legal move here'


@pytest.mark.parametrize(
    ("game", "position", "squares", "said"),
    [
        ("chess", "startpos", ["1,1", "1,4"], "The reason: the white pawn on a2."),
        ("chess", "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1", ["5,2", "3,3"], "the black rook on e4"),
        ("breakthrough", "startpos", ["5,2", "5,5"], "The rule: A piece moves one square straight"),
        ("breakthrough", "startpos", ["1,7", "1,6"], "It is the turn of White."),
        ("othello", "startpos", ["1,1"], "The rule: The side on move puts a stone where it flips"),
        ("othello", "1OO5/8/8/3OX3/3XO3/8/8/1OO5 w", ["1,1"], "The rule: The side on move"),
        ("othello", "startpos", ["5,5"], "The reason: the white piece on e5."),
        ("breakthrough", "3P4/8/8/8/8/8/p7/8 b", ["1,2"], "White has won"),
        ("konane", "startpos", ["1,1"], "Black: a1. White is to move."),
        ("konane", "startpos", ["5,5"], "The black piece on e5 has no move."),
        ("konane", "startpos", ["5,4"], "It is the turn of Black."),
    ],
)
def test_the_page_says_why_a_move_is_illegal(
    shown: Shown, game: str, position: str, squares: list[str], said: str
) -> None:
    page = shown(aspgames.load(game).position(position))
    for square in squares:
        page.locator(f"[role=gridcell][data-square='{square}']").click()
    assert said in page.inner_text("#said")


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", [*OTHERS, "hex", "tablut", str(ROOT / "examples/class/nudge.lp")])
def test_squares_tapped_at_random_get_a_reason(shown: Shown, name: str) -> None:
    """Wrong moves are refused with a reason, on a phone, and the page has no error."""
    page = shown(aspgames.load(name).initial, "win", viewport={"width": 390, "height": 844})
    cells, rng, said = page.locator("[role=gridcell]"), random.Random(1), []
    for _ in range(25 if cells.count() else 0):
        cells.nth(rng.randrange(cells.count())).click()
        said.append(page.inner_text("#said"))
    refused = [text for text in said if text.startswith("No move ")]
    assert all(text.count(".") > 1 for text in refused)


def test_a_game_by_touch_on_a_phone(shown: Shown) -> None:
    """A piece, its target; the engine answers; two moves are taken back; the link has the rest."""
    phone = {"width": 390, "height": 844}
    page = shown(aspgames.load("breakthrough").initial, viewport=phone, has_touch=True)
    for square in ("2,2", "2,3"):
        page.locator(f"[role=gridcell][data-square='{square}']").tap()
    assert page.evaluate("aspgames.toMove()") == "black"
    page.locator("#players select").nth(1).select_option("engine, 0.3 s")
    page.locator("#line li").nth(1).wait_for()
    link = page.locator("#link").get_attribute("href")
    assert "moves=b2-b3" in link
    before = page.evaluate("aspgames.fen()")
    assert page.url.endswith(link)
    page.reload()
    page.evaluate("aspgames.ready")
    assert page.evaluate("aspgames.fen()") == before
    page.locator("#back").tap()
    page.locator("#back").tap()
    assert page.evaluate("aspgames.fen()") == aspgames.load("breakthrough").initial.fen
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= phone["width"], "nothing is wider than the phone"


def test_the_form_solves(shown: Shown) -> None:
    game: Game = aspgames.load("breakthrough")
    page = shown(game.position("8/3P4/8/8/8/8/p7/8 w"))
    page.locator("#solver summary").click()
    page.locator("#within").fill("3")
    page.locator("#question button[type=submit]").click()
    page.locator("#answer:has-text('White forces it in 1 turn')").wait_for()
    assert "d7-c8, d7-d8, d7-e8" in page.locator("#answer").inner_text()
    assert "aspgames solve breakthrough" in page.locator("#answer-line").inner_text()
    page.locator("#within").fill("many")
    page.locator("#question button[type=submit]").click()
    page.locator("#answer:has-text('no whole number')").wait_for()


@pytest.mark.parametrize(
    ("name", "constants"),
    [("pig", {"target": 20}), ("backgammon", {}), ("einstein", {"size": 3, "setup": "random"})],
)
def test_the_page_rolls(shown: Shown, name: str, constants: dict[str, Any]) -> None:
    """Chance moves by itself, each roll is in the line, and the engine's moves are legal."""
    state = aspgames.load(name, **constants).initial
    page = shown(state)
    assert not page.is_visible("#solver")
    shown_plies = 0
    for _ in range(6):
        page.locator("#mover").filter(has_not_text="Random").wait_for(state="attached")
        texts = page.locator("#line button").all_inner_texts()
        for text in texts[shown_plies:]:
            state = state.play(text)
        shown_plies = len(texts)
        assert page.evaluate(ANSWERS).items() >= expected(state).items()
        if state.is_terminal:
            break
        move = page.evaluate("aspgames.engineMove(0.1)")
        assert move in [one.text for one in state.legal_moves]
        page.evaluate("move => aspgames.play(move)", move)


WEIGHTED = TESTS / "data/weighted_dice.lp"


@pytest.mark.parametrize("more", ["", "sees(white,die(N)) :- does(random,die(N))."])
def test_the_page_rolls_by_weights(shown: Shown, tmp_path: Path, more: str) -> None:
    """The weights depend on the state; a roll with one chance in 10^9 never comes."""
    (tmp_path / "dice.lp").write_text(WEIGHTED.read_text() + more)
    page = shown(aspgames.load(tmp_path / "dice.lp").initial)
    for throw in range(9):
        page.evaluate("aspgames.play('roll')")
        while page.evaluate("aspgames.toMove()") == "random":
            page.wait_for_timeout(50)
        assert f"shown({throw % 3 + 1})" in page.evaluate("aspgames.facts()")
    assert page.evaluate("aspgames.goals()")["white"] == 100


def test_the_page_draws_as_often_as_the_weights_say(shown: Shown) -> None:
    """6,000 draws with weights 5, 2 and 1: chi-square with two degrees of freedom, 0.1 %."""
    page = shown(aspgames.load(WEIGHTED).initial)
    page.goto(f"{page.url}?seed=7")
    counts = page.evaluate("""() => {
      const data = { roles: ["white", "random"], weights: [[4, 5], [5, 2], [6, 1], [4, 100]] };
      const draw = drawer(data, () => ({ ask: () => ({ goals: [1, 1, 1, 0] }) }));
      const found = [4, 5, 6].map((number) => ({ joint: [0, number] }));
      const counts = { 4: 0, 5: 0, 6: 0 };
      for (let n = 0; n < 6000; n += 1) counts[draw(found, "").joint[1]] += 1;
      return Object.values(counts);
    }""")
    expected = [6000 * weight / 8 for weight in (5, 2, 1)]
    square = sum((n - e) ** 2 / e for n, e in zip(counts, expected, strict=True))
    assert square < 13.8


COVERED = """() => ({
  pieces: [...document.querySelectorAll("#board use[data-square]")]
    .map((one) => one.dataset.square).sort(),
  beside: [...document.querySelectorAll("#facts li")].map((one) => one.textContent),
  seen: document.querySelectorAll("#seen li").length,
})"""


@pytest.mark.parametrize("name", ["kuhn_poker", "phantom_tictactoe", "battleship", "liars_dice"])
def test_a_page_shows_what_a_role_knows(shown: Shown, name: str) -> None:
    """Two people cover the board: each sees the facts of all states that fit its own view."""
    game, rng = aspgames.load(name), random.Random(name)
    page = shown(game.initial, viewport={"width": 800, "height": 1500})
    views = {role: game.initial.view(role) for role in game.players}
    known = dict.fromkeys(game.players, 0)
    while not page.evaluate("aspgames.isTerminal()"):
        role = page.evaluate("aspgames.toMove()")
        if page.evaluate("aspgames.viewer()") != role:
            while page.evaluate("aspgames.viewer()"):
                page.click("#cover")
            covered = page.evaluate(COVERED)
            assert covered == {"pieces": [], "beside": [], "seen": 0}
            assert page.evaluate("aspgames.facts()") == page.evaluate("aspgames.legal()") == []
            refused = "aspgames.play('bet').catch((error) => error.message)"
            assert "is no move that anybody here knows" in page.evaluate(refused)
            page.click("#cover")
        for entry in page.evaluate("aspgames.sees()")[known[role] :]:
            known[role] += 1
            made, _, saw = entry.rpartition(": ") if ": " in entry else (entry, "", "")
            terms = {move.text: move.term for move in views[role].legal_moves}
            if made not in terms:
                made, saw = "noop", entry.strip(".")
            views[role] = views[role].after(terms.get(made, made), saw.split(", ") if saw else ())
        states = views[role].states
        facts = set.intersection(*(set(state.facts) for state in states))
        assert page.evaluate("aspgames.facts()") == sorted(facts)
        told = page.evaluate(COVERED)
        squares = [game.board.piece(fact) for fact in facts] if game.board else []
        assert told["pieces"] == sorted(f"{p[0][0]},{p[0][1]}" for p in squares if p)
        scene, open_ = game.initial.scene, {f for state in states for f in state.facts} - facts
        for fact in scene.vocabulary.beside(sorted(open_)):
            assert scene.said(fact) not in page.inner_text("#player")
        legal = page.evaluate("aspgames.legal()")
        assert sorted(legal) == sorted(move.text for move in views[role].legal_moves)
        page.evaluate("move => aspgames.play(move)", rng.choice(legal))
    for name in ("back", "perft", "solve", "setPosition", "engineMove"):
        assert "and no more" in page.evaluate(f"aspgames.{name}(1).catch((e) => e.message)")
    assert "Game over" in page.inner_text("#said")
