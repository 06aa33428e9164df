"""A book of puzzles in a real browser: solved by mouse, by touch and by keys, without a network."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from aspgames.game.board import parse_square
from book_puzzles import state_of, write_puzzles
from cli_helpers import Call
from training_pages import ANSWER, AS_WELL, Edge, Lesson, TrainingPage

pytestmark = pytest.mark.slow
PHONE = {"width": 390, "height": 844}


@dataclass
class Trainer:
    page: Any
    trouble: list[str]
    held: TrainingPage

    @property
    def said(self) -> str:
        return " ".join(str(self.page.locator("#said").inner_text()).split())

    @property
    def line(self) -> list[str]:
        return [text.strip() for text in self.page.locator("#line button").all_inner_texts()]

    def lesson(self, number: int = 0) -> Lesson:
        return Lesson(self.held.puzzles[number])

    def open(self, number: int = 0) -> None:
        self.page.evaluate(f"location.hash = '#{number + 1}'")
        self.page.locator(
            f"#asked:text-is({self.held.book['cards'][number]['asked']!r})"
        ).wait_for()
        self.page.locator("#index").wait_for(state="hidden")

    def middle(self, square: tuple[int, int]) -> tuple[float, float]:
        box = self.cell(square).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def cell(self, square: tuple[int, int]) -> Any:
        return self.page.locator(f".squares [data-square='{square[0]},{square[1]}']")

    def button(self, name: str) -> Any:
        return self.page.get_by_role("button", name=name, exact=True)


Way = Callable[[Trainer, Edge], None]


def squares_of(text: str) -> list[tuple[int, int]]:
    found = [parse_square(square) for square in re.findall(r"[a-z]\d+", text)]
    return [square for square in found if square]


def by_mouse(book: Trainer, edge: Edge) -> None:
    """Drag the first square's piece to the second, and click what is left."""
    first, *rest = squares_of(edge.text)
    mouse = book.page.mouse
    if not rest:
        mouse.click(*book.middle(first))
        return
    mouse.move(*book.middle(first))
    mouse.down()
    mouse.move(*book.middle(rest[0]), steps=4)
    mouse.up()
    for square in rest[1:]:
        mouse.click(*book.middle(square))


def by_clicks(book: Trainer, edge: Edge) -> None:
    for square in squares_of(edge.text):
        book.page.mouse.click(*book.middle(square))


def by_touch(book: Trainer, edge: Edge) -> None:
    for square in squares_of(edge.text):
        book.cell(square).scroll_into_view_if_needed()
        book.page.touchscreen.tap(*book.middle(square))


def by_keys(book: Trainer, edge: Edge) -> None:
    """Go over the board with the arrows, from wherever the focus is there."""
    press = book.page.keyboard.press
    for square in squares_of(edge.text):
        book.page.locator(".squares [tabindex='0']").focus()
        turned = book.page.evaluate(
            "document.querySelector('.squares [role=gridcell]').dataset.square.startsWith('1,')"
        )
        sign = 1 if turned else -1
        at = book.page.evaluate("document.activeElement.dataset.square").split(",")
        across, up = (sign * (square[n] - int(at[n])) for n in (0, 1))
        for _ in range(abs(across)):
            press("ArrowRight" if across > 0 else "ArrowLeft")
        for _ in range(abs(up)):
            press("ArrowUp" if up > 0 else "ArrowDown")
        focused = book.page.evaluate("document.activeElement.dataset.square")
        assert focused == f"{square[0]},{square[1]}"
        press("Enter")


def by_list(book: Trainer, edge: Edge) -> None:
    book.page.locator("#choices").get_by_role("button", name=edge.text, exact=True).click()


@pytest.fixture
def open_book(call: Call, folder: Path, offline: Any) -> Any:
    """Opens a book of puzzles."""

    def opened(*names: str, **options: Any) -> Trainer:
        write_puzzles(folder / "puzzles.jsonl", *names)
        assert call("book", "puzzles.jsonl", "-o", "book.html").code == 0
        page, trouble = offline(folder / "book.html", **options)
        page.set_default_timeout(5_000)
        return Trainer(page, trouble, TrainingPage((folder / "book.html").read_text()))

    return opened


# --- solving --------------------------------------------------------------------------------------


def solve(book: Trainer, way: Way, number: int = 0) -> None:
    """Play the book's line, and see each reply on the board."""
    lesson = book.lesson(number)
    played = []
    for edge in lesson.right_line():
        if edge.right is None:
            played.append(edge.text)
            continue
        assert len(book.line) == len(played)
        way(book, edge)
        played.append(edge.text)
        assert book.line[: len(played)] == played
    assert "Solved!" in book.said
    assert book.page.locator("#said").get_attribute("data-mood") == "solved"


ON_BOARDS = ["keys", "replies", "black", "score", "split", "amazons", "drops", "helped"]
WAYS = [*zip(ON_BOARDS, cycle([by_mouse, by_clicks, by_keys]), strict=False)]
WAYS += [(name, by_list) for name in ("no board", "alone", "keys")]


@pytest.mark.sample(5)
@pytest.mark.parametrize(("name", "way"), WAYS)
def test_puzzles_are_solved(open_book: Any, name: str, way: Way) -> None:
    book = open_book(name)
    book.open()
    if (name, way) == ("keys", by_list):
        book.page.get_by_text("The moves as a list").click()
    solve(book, way)


@pytest.mark.parametrize("name", ["split", "black", "hex"])
def test_puzzles_are_solved_by_touch(open_book: Any, name: str) -> None:
    book = open_book(name, viewport=PHONE, has_touch=True, is_mobile=True)
    book.open()
    solve(book, by_touch)
    width = book.page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"]


@pytest.mark.parametrize(("name", "square"), [("hex", "1,1"), ("keys", "1,4")])
def test_rows_come_in_the_order_of_the_board(open_book: Any, name: str, square: str) -> None:
    book = open_book(name)
    book.open()
    first = book.page.locator("#board [role=gridcell]").first
    assert first.get_attribute("data-square") == square


def test_a_piece_is_dragged_by_a_finger(open_book: Any) -> None:
    book = open_book("keys", viewport=PHONE, has_touch=True, is_mobile=True)
    book.open()
    session = book.page.context.new_cdp_session(book.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        session.send("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points],
        })  # fmt: skip

    start, end = book.middle((1, 2)), book.middle((2, 3))
    touch("touchStart", start)
    for part in (0.3, 0.6, 1.0):
        touch("touchMove", tuple(a + part * (b - a) for a, b in zip(start, end, strict=True)))
    assert book.page.locator("#board .lifted").count() == 1
    touch("touchEnd")
    book.page.locator("#line button").first.wait_for()
    assert book.line[0] == "a2-b3"


def test_in_a_column_any_square_will_do(open_book: Any) -> None:
    book = open_book("falling")
    book.open()
    (edge,) = list(book.lesson().right_line())
    x, _ = squares_of(edge.text)[0]
    book.page.mouse.click(*book.middle((x, 6)))
    assert book.line == [edge.text]
    assert "Solved!" in book.said


# --- what is wrong --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["keys", "drops", "split"])
def test_every_wrong_first_move_is_refuted(open_book: Any, name: str) -> None:
    """What the page holds is compared with brute force elsewhere; here it is seen to be played."""
    book = open_book(name)
    book.open()
    lesson = book.lesson()
    at, before = lesson.root, 0
    kind, edges = lesson.edges(at)
    if kind == ANSWER:
        at, before = edges[0].target, 1
        _, edges = lesson.edges(at)
    wrong = [edge for edge in edges if not edge.right]
    assert wrong
    for edge in wrong:
        by_mouse(book, edge)
        expected = [edge.text]
        if edge.target >= 0 and lesson.edges(edge.target)[0] == ANSWER:
            reply = lesson.edges(edge.target)[1][0]
            expected.append(reply.text)
            assert reply.text in book.said
        assert book.line[before : before + len(expected)] == expected
        assert book.said.startswith(f"{edge.text} is wrong: ")
        assert book.page.locator("#said").get_attribute("data-mood") == "wrong"
        book.button("Take back").click()
        assert len(book.line) == before
        assert book.page.locator("#said").get_attribute("data-mood") == ""
    solve(book, by_clicks)
    assert book.page.evaluate("Object.values(JSON.parse(localStorage['aspgames.puzzles']))") == [
        "helped"
    ]


def test_a_wrong_move_can_be_played_on(open_book: Any) -> None:
    book = open_book("keys")
    book.open()
    _, edges = book.lesson().edges(book.lesson().root)
    wrong = next(edge for edge in edges if not edge.right)
    by_clicks(book, wrong)
    book.page.get_by_text("The moves as a list").click()
    while book.page.locator("#choices button").count():
        book.page.locator("#choices button").first.click()
    assert "is wrong" in book.said
    assert "has no turn left" in book.said
    plies = len(book.line)
    book.button("Engine's move").click()
    book.page.locator(f"#line li:nth-child({plies + 1})").wait_for()
    (worker,) = book.trouble
    assert worker.startswith("blob:")
    book.trouble.clear()
    book.button("Take back").click()
    solve(book, by_clicks)


def test_why_a_move_is_illegal(open_book: Any) -> None:
    book = open_book("keys")
    book.open()
    by_mouse(book, Edge("a2-a4", "white", 0, None))
    assert book.said == (
        "No move goes from a2 on to a4. A white piece goes one square ahead, straight or aslant, "
        "and not from a2 to a4."
    )
    assert book.line == []
    assert book.page.locator("#board .lifted").count() == 0
    solve(book, by_mouse)


def test_why_a_drop_is_illegal(open_book: Any) -> None:
    book = open_book("drops")
    book.open()
    book.page.mouse.click(*book.middle((2, 2)))
    assert book.said.startswith("No move begins on b2. ")
    state = state_of("drops")
    assert state.why("b2").reasons[0].text.lower() in book.said.lower()


def test_a_half_clicked_move_is_left_again(open_book: Any) -> None:
    book = open_book("split")
    book.open()
    first, second = squares_of(next(book.lesson().right_line()).text)[:2]
    book.page.mouse.click(*book.middle(first))
    assert book.page.locator("#board .aspgames-arrow circle").count() > 0
    book.page.keyboard.press("Tab")
    book.page.locator(".squares [tabindex='0']").focus()
    book.page.keyboard.press("Escape")
    assert book.page.locator("#board .aspgames-arrow circle").count() == 0
    book.page.mouse.click(*book.middle(first))
    book.page.mouse.click(*book.middle(first))
    assert book.page.locator("#board .aspgames-arrow circle").count() == 0
    book.page.mouse.click(*book.middle(second))
    assert book.line == []


def test_what_a_move_will_do_is_seen_before_its_last_square_is_named(open_book: Any) -> None:
    book = open_book("amazons")
    book.open()
    edge = next(book.lesson().right_line())
    first, second, _ = squares_of(edge.text)
    book.page.mouse.click(*book.middle(first))
    book.page.mouse.click(*book.middle(second))
    assert "white" in book.cell(second).get_attribute("aria-label")
    assert "empty" in book.cell(first).get_attribute("aria-label")


# --- help -----------------------------------------------------------------------------------------


def test_hints_say_more_each_time(open_book: Any) -> None:
    book = open_book("score", "drops", "no board")
    book.open(0)
    said = []
    for _ in range(3):
        book.button("Hint").click()
        said.append(book.said)
    assert said == ["It is the white rook on a7.", "It goes from a7 to a4.", "The move is a7-a4."]
    assert book.page.locator("#board .aspgames-marked circle").count() == 2
    solve(book, by_clicks, 0)
    book.open(1)
    book.button("Hint").click()
    assert book.said == "It is on the a file."
    book.button("Hint").click()
    assert book.said == "The move is a1."
    book.open(2)
    book.button("Hint").click()
    assert book.said.startswith("It begins with ")
    states = book.page.evaluate("Object.values(JSON.parse(localStorage['aspgames.puzzles']))")
    assert states == ["helped"], "and the others aren't solved"


def test_the_solution_and_the_whole_proof(open_book: Any) -> None:
    book = open_book("keys", "replies")
    book.open()
    book.button("Solution").click()
    assert book.line == [edge.text for edge in book.lesson().right_line()]
    assert book.said.startswith("The solution: ")
    book.button("◀︎ Back").click()
    assert book.page.locator("#line [aria-current]").count() == 1
    book.button("The proof").click()
    assert book.page.get_by_label("How White forces it").is_checked()
    assert sorted(book.page.locator("#choices button").all_inner_texts()) == ["a2-b3", "c2-b3"]
    book.page.get_by_label("Why not sooner").check()
    assert book.page.locator("#choices button").count() == len(state_of("keys").legal_moves)
    book.page.locator("#choices button").first.click()
    assert len(book.line) == 2
    book.button("Solve it again").click()
    assert book.line == []
    assert book.page.locator("#sides").is_hidden()
    solve(book, by_clicks)
    book.page.get_by_role("link", name="Next puzzle", exact=True).click()
    book.page.locator("#asked", has_text="Black moves first").wait_for()


def test_what_is_right_as_well_is_said(open_book: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("aspgames.composer.book.lesson._MOST_FOLLOWED", 0)
    book = open_book("keys")
    book.open()
    _, edges = book.lesson().edges(book.lesson().root)
    other = next(edge for edge in edges if edge.target == AS_WELL)
    main = next(edge for edge in edges if edge.right and edge is not other)
    by_mouse(book, other)
    assert book.said.startswith(
        f"{other.text} is right. So is {main.text}, and the book continues with it. "
    )
    assert book.line[0] == main.text


def test_a_reload_keeps_the_line(open_book: Any) -> None:
    book = open_book("keys", "drops")
    book.open(1)
    lesson = book.lesson(1)
    by_clicks(book, next(edge for edge in lesson.edges(lesson.root)[1] if edge.right))
    before, asked = book.line, book.page.locator("#asked").inner_text()
    assert before
    book.page.reload()
    book.trouble.clear()
    book.page.locator("#line button").first.wait_for()
    assert (book.line, book.page.locator("#asked").inner_text()) == (before, asked)


# --- the index ------------------------------------------------------------------------------------


def test_what_was_solved_is_remembered(open_book: Any) -> None:
    book = open_book("keys", "drops", "score")
    assert book.page.locator("#progress").inner_text() == "3 puzzles, 0 solved"
    book.open(1)
    solve(book, by_clicks, 1)
    book.page.get_by_role("link", name="All puzzles").click()
    assert book.page.locator("#progress").inner_text() == "3 puzzles, 1 solved"
    book.page.reload()
    book.trouble.clear()
    assert book.page.locator("#progress").inner_text() == "3 puzzles, 1 solved"
    cards = book.page.locator("#cards li:visible")
    book.page.get_by_label("Order").select_option("as in the file")
    assert [("solved" in text) for text in cards.all_inner_texts()] == [False, True, False]
    book.page.get_by_label("unsolved only").check()
    assert cards.count() == 2
    book.button("Forget them").click()
    assert cards.count() == 3


def test_filters_by_game_and_difficulty(open_book: Any) -> None:
    book = open_book("keys", "drops", "score", "replies")
    cards = book.page.locator("#cards li:visible")
    assert cards.count() == 4
    book.page.get_by_label("Game").select_option("Breakthrough")
    assert cards.count() == 2
    book.page.get_by_label("Game").select_option("")
    # Difficulties of different games are not compared, and each game has two puzzles at most.
    assert book.page.get_by_label("Difficulty").is_hidden()
    book = open_book("keys", "held", "replies", "black")
    cards = book.page.locator("#cards li:visible")
    found = []
    for level in ("easy", "medium", "hard"):
        book.page.get_by_label("Difficulty").select_option(level)
        found.append(cards.count())
        assert all(level in text for text in cards.all_text_contents())
    assert sum(found) == len(book.held.book["cards"])
    assert min(found) >= 1


def test_the_easiest_puzzles_are_first(open_book: Any) -> None:
    book = open_book("score", "keys", "drops", "replies")
    held = book.held.book["cards"]

    def rank(at: int) -> float:
        """The part of the puzzles of its game that are easier."""
        same = [card["difficulty"] for card in held if card["game"] == held[at]["game"]]
        easier = [other for other in same if other < held[at]["difficulty"]]
        return len(easier) / len(same)

    order = sorted(range(4), key=rank)
    assert order != [0, 1, 2, 3]
    links = book.page.locator("#cards li a")
    assert links.evaluate_all("all => all.map(one => one.hash)") == [f"#{at + 1}" for at in order]
    book.button("Next unsolved").click()
    for at in order[:2]:
        asked = book.held.book["cards"][at]["asked"]
        book.page.locator(f"#asked:text-is({asked!r})").wait_for()
        book.page.get_by_label("The next puzzle").click()


def test_diagrams_are_the_positions(open_book: Any) -> None:
    book = open_book("keys", "black", "no board")
    book.page.get_by_label("Order").select_option("as in the file")
    cards = book.page.locator("#cards li")
    for place, name in enumerate(("keys", "black")):
        drawn = cards.nth(place).locator(".diagram use")
        assert drawn.count() == len(state_of(name).occupied)
        shown = drawn.first.evaluate("one => one.getBoundingClientRect().width")
        assert shown > 5, "its shape is found"
    assert "step(0)" in cards.nth(2).inner_text()


def test_the_solvers_side_is_below(open_book: Any) -> None:
    book = open_book("black")
    book.open()
    assert book.middle((1, 1))[1] < book.middle((1, 5))[1]
    labels = book.page.locator("#board .aspgames-text text").all_text_contents()
    assert labels[:2] == ["b", "a"]
    assert book.line, "White has begun"


# --- for everybody --------------------------------------------------------------------------------


def test_squares_and_what_is_said_can_be_heard(open_book: Any) -> None:
    book = open_book("keys")
    book.open()
    assert book.page.locator("#said").get_attribute("aria-live") == "polite"
    assert book.cell((2, 4)).get_attribute("aria-label") == "b4, black"
    assert book.cell((1, 1)).get_attribute("aria-label") == "a1, empty"
    assert book.page.get_by_role("grid", name="Squares").count() == 1
    book.page.mouse.click(*book.middle((1, 2)))
    assert book.cell((1, 2)).get_attribute("aria-label") == "a2, white, chosen"
    assert book.cell((2, 3)).get_attribute("aria-label") == "b3, empty, a move goes there"


def test_fingers_hit(open_book: Any) -> None:
    book = open_book("keys", "score", viewport=PHONE)
    for opens in (False, True):
        if opens:
            book.open()
            by_clicks(book, Edge("a2-a3", "white", 0, False))
        heights = book.page.evaluate(
            "[...document.querySelectorAll('button, select, nav a[href], .button')]"
            ".filter(one => one.offsetParent).map(one => one.getBoundingClientRect().height)"
        )
        assert min(heights) >= 44
        assert book.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


# --- on paper -------------------------------------------------------------------------------------


def test_six_diagrams_a_page_and_the_solutions_at_the_end(open_book: Any) -> None:
    names = ["keys", "replies", "held", "drops", "score", "alone", "black"]
    book = open_book(*names)
    book.page.get_by_label("Order").select_option("as in the file")
    book.page.emulate_media(media="print")
    book.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    figures = [sheet.locator("figure").count() for sheet in book.page.locator(".sheet").all()]
    assert figures == [6, 1]
    assert book.page.locator(".solutions li").count() == 7
    captions = book.page.locator(".sheet figcaption").all_inner_texts()
    assert [text.split(".")[0] for text in captions] == list("1234567")
    assert "Breakthrough" in captions[0]
    assert re.search(r"1\.\.\. .+ 2\. ", book.page.locator(".solutions").inner_text())
    assert book.page.locator(".solutions li").first.inner_text().startswith("No. 1: 1. a2-b3")
    assert book.page.locator("#index").is_hidden()


def test_the_print_is_a_pdf_of_as_many_pages(call: Call, folder: Path, browser: Any) -> None:
    assert browser
    write_puzzles(folder / "puzzles.jsonl", "keys", "replies", "held", "drops", "score", "alone",
                  "black")  # fmt: skip
    result = call("book", "puzzles.jsonl", "--pdf", "book.pdf")
    assert (result.code, result.out) == (0, "Print: book.pdf\n")
    pdf = (folder / "book.pdf").read_bytes()
    assert pdf.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 3
