"""The proof book in a real browser: clicked through, by keyboard, on a phone, without a network."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from aspgames import State
from aspgames.game.board import square_name
from book_puzzles import arguments, state_of
from cli_helpers import Call
from colours import colour, contrast

pytestmark = pytest.mark.slow
PHONE = {"width": 390, "height": 844}


@dataclass
class Book:
    page: Any
    trouble: list[str]
    state: State

    @property
    def choices(self) -> list[str]:
        return [text.strip() for text in self.page.locator("#choices button").all_inner_texts()]

    @property
    def line(self) -> list[str]:
        return [text.strip() for text in self.page.locator("#line button").all_inner_texts()]

    @property
    def shown(self) -> int:
        """How many plies of the line are on the board."""
        return int(self.page.evaluate(
            "[...document.querySelectorAll('#line button')]"
            ".findIndex(button => button.getAttribute('aria-current')) + 1"
        ))  # fmt: skip

    @property
    def said(self) -> str:
        return str(self.page.locator("#said").inner_text())

    def choose(self, text: str) -> None:
        self.page.get_by_role("button", name=text, exact=True).last.click()

    def check_board(self) -> None:
        state = self.state
        for text in self.line[: self.shown]:
            state = state.play(text)
        drawn = self.page.evaluate(
            "[...document.querySelectorAll('#board use:not(defs *)')].map(use => "
            "[use.getAttribute('x') / 100 + 1, use.getAttribute('y') / 100])"
        )
        board = state.game.board
        assert board is not None
        assert {(x, board.height - y) for x, y in drawn} == set(state.occupied)
        label = self.page.locator("#board").get_attribute("aria-label")
        for square, content in state.occupied.items():
            assert re.search(rf"{content}: [^.]*\b{square_name(square)}\b", label)


@pytest.fixture
def open_book(call: Call, folder: Path, offline: Any) -> Any:
    """Opens the page of a puzzle."""

    def opened(name: str, *more: str, **options: Any) -> Book:
        call(*arguments(name), *more, "--html", "page.html")
        page, trouble = offline(folder / "page.html", **options)
        return Book(page, trouble, state_of(name))

    return opened


# --- a whole proof, both ways ---------------------------------------------------------------------


def click_through(book: Book, ends: list[str]) -> None:
    """Click through all that there is from the position on, and step back each time."""
    book.check_board()
    choices, plies = book.choices, book.shown
    if not choices:
        ends.append(book.said)
    for text in choices:
        book.choose(text)
        assert book.shown > plies
        click_through(book, ends)
        while book.shown > plies:
            book.page.get_by_role("button", name="Back").click()
        assert book.choices == choices


def test_a_whole_proof_both_ways(open_book: Any) -> None:
    book = open_book("keys")
    ends: list[str] = []
    assert book.choices == ["a2-b3", "c2-b3"]
    click_through(book, ends)
    assert len(ends) > 3
    assert all("White has won in 2 turns" in end for end in ends)
    book.page.get_by_label("Why not sooner").check()
    assert len(book.choices) == len(book.state.legal_moves)
    ends.clear()
    click_through(book, ends)
    assert len(ends) > 3
    assert all("White" in end and "has not won" in end for end in ends)


def test_the_engine_answers_where_a_proof_ends(open_book: Any) -> None:
    book = open_book("held")
    while book.choices:
        assert book.page.locator("#beyond").is_hidden()
        book.choose(book.choices[0])
    assert "no turn left" in book.said
    state = book.state
    for text in book.line:
        state = state.play(text)
    book.page.click("#beyond-move")
    for ply in (len(book.line) + 1, len(book.line) + 2):  # the engine's move, and any answer to it
        book.page.locator(f"#line li:nth-child({ply})").wait_for()
        state = state.play(book.line[-1])
        book.check_board()
        if state.is_terminal:
            break
        assert book.choices == sorted(move.text for move in state.legal_moves)
        if ply == len(book.line):
            book.choose(book.choices[0])
    (worker,) = book.trouble
    assert worker.startswith("blob:")
    book.trouble.clear()


# --- the keyboard, squares, and the list ----------------------------------------------------------


def test_the_keyboard_alone(open_book: Any) -> None:
    book = open_book("keys")
    press = book.page.keyboard.press
    press("ArrowDown")
    press("ArrowDown")
    press("ArrowRight")
    assert book.line[0] == "c2-b3"
    assert book.page.evaluate("document.activeElement.closest('#choices') !== null")
    press("Enter")
    whole = book.line
    assert len(whole) > 2
    press("ArrowLeft")
    assert book.shown == len(whole) - 1
    assert book.page.evaluate("document.activeElement.matches('#back, #choices button')")
    book.check_board()
    press("Home")
    assert (book.shown, book.line) == (0, whole)
    press("ArrowRight")
    press("End")
    assert book.shown == len(whole)
    book.check_board()


def test_the_line_can_be_gone_through(open_book: Any) -> None:
    book = open_book("keys")
    book.choose("a2-b3")
    book.choose(book.choices[0])
    book.page.locator("#line button").first.click()
    assert (book.shown, len(book.line)) == (1, 3)
    assert book.page.evaluate("document.activeElement.textContent") == "a2-b3"
    book.check_board()
    book.page.get_by_role("button", name="To the end of the line").click()
    assert book.shown == 3


def test_a_reload_keeps_the_line(open_book: Any) -> None:
    book = open_book("keys")
    book.choose("a2-b3")
    book.choose(book.choices[0])
    before = book.line
    book.page.reload()
    book.trouble.clear()
    assert (book.line, book.shown) == (before, 3)
    book.check_board()


def click_square(book: Book, square: str) -> None:
    place = book.page.evaluate(
        "([x, y]) => { const svg = document.querySelector('#board svg');"
        "const at = new DOMPoint(100 * x + 50, 1050 - 100 * y)"
        ".matrixTransform(svg.getScreenCTM());"
        "return [at.x, at.y]; }",
        [ord(square[0]) - ord("a"), int(square[1:])],
    )
    book.page.mouse.click(*place)


def test_the_last_two_moves_and_who_is_on_move_are_seen(open_book: Any) -> None:
    book = open_book("replies")
    assert book.page.locator("#mover").inner_text() == "Black to move"
    for _ in range(2):
        book.choose(book.choices[0])
    recent = book.page.locator("#line .recent")
    assert recent.all_inner_texts() == book.line[-2:]
    sides = [button.get_attribute("class").split()[1] for button in recent.all()]
    assert sides == ["side-1", "side-0"]
    squares = {square for move in book.line[-2:] for square in re.findall(r"[a-z]\d+", move)}
    assert book.page.locator("#board .aspgames-last path").count() == len(squares)


def test_moves_are_found_by_their_squares_and_by_what_is_typed(open_book: Any) -> None:
    book = open_book("ten turns")
    book.page.get_by_label("Why not sooner").check()
    every = book.choices
    wanted = next(text for text in every if sum(one[:3] == text[:3] for one in every) > 2)
    before = book.said
    click_square(book, "a10")  # a burnt one
    assert book.said == "No move begins on a10."
    assert book.choices == every
    first, *others = re.findall(r"[a-z]\d+", wanted)
    click_square(book, first)
    assert book.said == before
    click_square(book, "a10")
    assert book.said == f"No move goes from {first} on to a10."
    for square in (first, *others):
        click_square(book, square)
        if not book.line:
            assert len(book.choices) < len(every)
    assert book.line[0] == wanted
    book.page.keyboard.press("Home")
    wanted = book.page.get_by_label("Show moves with")
    wanted.fill("/")
    assert book.choices == every
    wanted.fill("zz")
    assert book.choices == []
    assert "No move matches" in book.page.locator("#more").inner_text()


# --- plans ----------------------------------------------------------------------------------------


def test_a_plan_is_told_and_played(open_book: Any) -> None:
    book = open_book("held")
    plan = book.page.locator("#plan")
    for _ in range(8):
        if plan.is_visible() or not book.choices:
            break
        book.choose(book.choices[-1])
    assert plan.is_visible()
    assert "it works whatever White plays" in plan.inner_text()
    assert "any move of White" in plan.inner_text()
    assert book.choices, "its lines are played out"
    assert plan.locator("[aria-current]").count() == 1


# --- devices, and what there is without a board ---------------------------------------------------


@pytest.mark.parametrize("name", ["ten turns", "rooms", "score", "too short"])
def test_a_phone_shows_the_replies_at_once(open_book: Any, name: str) -> None:
    """Nobody scrolls for the first two rows of them, whatever was played; fingers hit them."""
    book = open_book(name, viewport=PHONE)
    sides = book.page.get_by_role("radio").all()
    for side in sides or [None]:
        if side:
            side.check()
        for _ in range(4):
            rows = sorted(set(boxes(book, "#choices button", "bottom")))
            assert not rows or rows[:2][-1] <= PHONE["height"]
            buttons = "button, input[type=text], #sides label, summary"
            assert min(boxes(book, buttons, "height") + boxes(book, "button", "width")) >= 44
            if rows:
                book.choose(book.choices[0])
    book.page.set_viewport_size({"width": 375, "height": 667})  # a small phone
    assert book.page.evaluate("document.documentElement.scrollWidth") <= 375


def boxes(book: Book, elements: str, side: str) -> list[float]:
    """A side, the width or the height of all elements that are shown."""
    found: list[float] = book.page.evaluate(
        "([elements, side]) => [...document.querySelectorAll(elements)]"
        ".filter(one => one.offsetParent).map(one => one.getBoundingClientRect()[side])",
        [elements, side],
    )
    return found


LINES = """() => [...document.querySelectorAll(".move, #choices button, #line button, #plan li")]
  .filter((one) => one.offsetParent).map((one) => {
    const text = document.createRange();
    text.selectNodeContents(one);
    return [one.textContent, text.getClientRects().length];
  })"""


def test_no_move_is_taken_apart_by_the_end_of_a_line(open_book: Any) -> None:
    book = open_book("ten turns")
    for _ in range(3):
        book.choose(book.choices[0])
    assert book.said.count("/") == sum(text.count("/") for text in book.line[-2:]), "all told"
    for width in range(280, 480, 10):
        book.page.set_viewport_size({"width": width, "height": 800})
        moves = book.page.evaluate(LINES)
        assert len(moves) > 10
        assert all(lines == 1 for _, lines in moves), moves


@pytest.mark.parametrize(("name", "scheme"), [("held", "light"), ("score", "dark")])
def test_stones_stand_out(open_book: Any, name: str, scheme: str) -> None:
    book = open_book(name, color_scheme=scheme)
    book.choose(book.choices[0])
    stones = book.page.evaluate(
        "[...document.querySelectorAll('#line .side, #mover')].map(one => {"
        "const stone = getComputedStyle(one, '::before');"
        "return [stone.backgroundColor, stone.borderTopColor, getComputedStyle(one).color,"
        "Math.min(parseFloat(stone.width), parseFloat(stone.height))]; })"
    )
    sides = {fill for fill, *_ in stones}
    assert len(sides) == 2, "one for White, one for Black"
    assert contrast(*sides) >= 3
    assert all(border == ink and size >= 9 for _, border, ink, size in stones)
    paper = book.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(colour(paper)) < 300) == (scheme == "dark")
    assert book.page.evaluate("document.getAnimations().length") == 0


def test_a_page_is_printed_dark_on_light_and_without_what_is_clicked(open_book: Any) -> None:
    book = open_book("keys", color_scheme="dark")
    book.choose("a2-b3")
    book.page.emulate_media(media="print", color_scheme="dark")
    assert book.page.locator("#board, #line button").first.is_visible()
    for gone in (".controls", "#sides", "#choices", "#said", ".keys"):
        assert book.page.locator(gone).is_hidden()
    colours = "[...'color backgroundColor'.split(' ')]"
    ink, paper = book.page.evaluate(f"{colours}.map(name => getComputedStyle(document.body)[name])")
    assert sum(colour(ink)) < 200 < 600 < sum(colour(paper))
    squares = "getComputedStyle(document.querySelector('#board .aspgames-light')).fill"
    assert sum(colour(book.page.evaluate(squares))) > 600


def test_alone_every_move_is_a_turn(open_book: Any) -> None:
    book = open_book("alone")
    while book.choices:
        book.choose(book.choices[0])
    distance = len(book.line)
    assert distance > 2
    assert f"Walker has won in {distance} turns." in book.said
    assert book.page.locator("#line .recent").count() == 2
    assert "undefined" not in book.page.locator("main").inner_text()


def test_a_game_without_a_board_shows_its_facts(open_book: Any) -> None:
    book = open_book("too short")
    assert book.page.locator("#facts").inner_text().split() == ["control(white)", "step(0)"]
    book.choose("up(2)")
    assert "step(" in book.page.locator("#facts").inner_text()
    assert book.page.locator("#board").is_hidden()


def test_an_undecided_puzzle_shows_its_position(open_book: Any) -> None:
    book = open_book("keys", "--positions", "1")
    book.check_board()
    assert book.choices == []
    assert book.said == "There is no proof: the puzzle is undecided."
    assert book.page.locator("#mover").inner_text() == "White to move"
    book.page.locator("#board").click()
    assert book.said == "There is no move to play here."


def test_the_focus_goes_from_the_top_to_the_bottom(open_book: Any) -> None:
    book = open_book("held", viewport=PHONE)
    book.choose(book.choices[0])
    assert book.page.locator("[tabindex]:not(.squares *)").count() == 0
    assert book.page.locator("[tabindex='0']").count() == 1, "one square of the board"
    tops = book.page.evaluate(
        "[...document.querySelectorAll('button, input, summary')]"
        ".filter(one => one.offsetParent).map(one => one.getBoundingClientRect().top)"
    )
    assert len(tops) > 6
    assert tops == sorted(tops)
