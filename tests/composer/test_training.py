"""Books of puzzles to train with: what their pages hold, and the command that makes them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import aspgames
from aspgames import State
from aspgames.composer.book import lesson as lessons
from aspgames.composer.book.book_entry import BookEffort
from aspgames.puzzle.problem import Puzzle
from book_puzzles import PUZZLES, state_of, write_puzzles
from brute_force import Tree, reached
from cli_helpers import Call, assert_refused
from training_pages import ANSWER, AS_WELL, GOAL, TRY, TURNS, Lesson, TrainingPage

SLOW = {"black", "score", "hex", "amazons", "split", "falling"}
WHY = {"keys": {"nothing", "threat", "why"}, "score": {"answer"}, "only move": {"turns"}}
"""Kinds of reasons for wrong moves that occur."""
FORCING = ["keys", "replies", "held", "drops", "only move", "no board", *sorted(SLOW)]


@pytest.fixture(autouse=True)
def few_illegal(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """In fast tests the book explains fewer illegal moves."""
    if not request.node.get_closest_marker("slow"):
        monkeypatch.setattr("aspgames.composer.book.book_entry.MOST_EXPLAINED", (20, 8))


def page_of(call: Call, folder: Path, *names: str) -> TrainingPage:
    write_puzzles(folder / "puzzles.jsonl", *names)
    return book_of(call, folder)


def book_of(call: Call, folder: Path, *options: str) -> TrainingPage:
    result = call("book", "puzzles.jsonl", "-o", "book.html", *options)
    assert (result.code, result.out, result.err) == (0, "Page: book.html\n", "")
    return TrainingPage((folder / "book.html").read_text())


def slow(names: list[str]) -> list[object]:
    return [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in names]


# --- what is right, what is wrong, and what is answered -------------------------------------------


class Checker:
    """Holds a lesson against the rules, and against who tries everything."""

    def __init__(self, name: str, lesson: Lesson) -> None:
        asked = PUZZLES[name]
        state = state_of(name)
        self.lesson = lesson
        self.goal = asked["goal"]
        self.tree = Tree(Puzzle.of(state, asked["attacker"], self.goal, asked.get("within")))
        distance = self.tree.distance(asked.get("within") or 6)
        self.attacks = distance is not None
        assert lesson.solver == (asked["attacker"] if self.attacks else self.tree.puzzle.defender)
        turns = asked["within"] if distance is None else distance
        self.turns = turns - (state.to_move == asked["attacker"])
        self.wrong: dict[tuple[State, str], str] = {}
        """What is answered to wrong moves."""
        self.seen: set[tuple[int, State, float]] = set()
        self.reasons: set[str] = set()

    def favoured(self, state: State, turns: float) -> bool:
        """Whether whoever solves the puzzle still does."""
        return self.tree.forces(state, turns) == self.attacks

    def check(self, at: int, state: State, turns: float, lost: bool = False) -> None:
        if (at, state, turns) in self.seen:
            return
        self.seen.add((at, state, turns))
        assert self.favoured(state, turns) != lost
        if at < 0:
            assert (at == GOAL) == reached(state, self.tree.puzzle.attacker, self.goal)
            assert (at == TURNS) <= (turns < 0)
            return
        kind, edges = self.lesson.edges(at)
        legal = {move.text for move in state.legal_moves}
        if kind == ANSWER:
            (edge,) = edges
            self.check_reason(at, state, turns, edge.text)
            assert edge.role == state.to_move != self.lesson.solver
            child, left = self.after(state, edge.text, turns)
            if self.attacks and not lost and left > 0:
                assert not self.tree.forces(child, left - 1), "it holds out for longest"
            self.check(edge.target, child, left, lost)
            return
        assert kind == TRY
        assert state.to_move == self.lesson.solver
        if edges:
            assert sorted(edge.text for edge in edges) == sorted(legal)
        for edge in edges:
            child, left = self.after(state, edge.text, turns)
            assert edge.right == (not lost and self.favoured(child, left))
            if edge.target == AS_WELL:
                assert edge.right
                continue
            if not edge.right and not lost:
                self.wrong[state, edge.text] = self.reply(edge.target)
            self.check(edge.target, child, left, not edge.right)

    def check_reason(self, at: int, state: State, turns: float, answer: str) -> None:
        """Why the move before an answer is wrong: see ``compose.book.threats``."""
        reason = self.lesson.data["lesson"]["reasons"].get(str(at), {})
        texts = {move.text: self.after(state, move.text, turns) for move in state.legal_moves}
        held, _ = texts.pop(answer)
        lost = [after for after in texts.values() if self.tree.forces(*after)]
        self.reasons |= reason.keys()
        if "turns" in reason:
            needed = reason["turns"] - (state.to_move == self.tree.puzzle.attacker)
            assert self.tree.forces(state, needed)
            assert not self.tree.forces(state, needed - 1)
        if reason.get("nothing"):
            assert not lost
        if "attempt" in reason:
            left = self.tree.left(state, held, turns)
            for step in (*reason["attempt"], reason["answer"]):
                held, left = self.after(held, self.lesson.data["steps"][step][1], left)
            assert not self.tree.forces(held, left)
        elif "threat" in reason:
            threat = self.lesson.data["steps"][reason["threat"]][1]
            assert any(
                self.tree.forces(*self.after(child, threat, left))
                for child, left in lost
                if threat in child.legal_moves
            )
            if "answer" in reason:
                last = self.lesson.data["steps"][reason["answer"]][1]
                after = self.after(held, threat, self.tree.left(state, held, turns))
                assert not self.tree.forces(*self.after(after[0], last, after[1]))
            else:
                why = held.why(threat).summary
                assert reason["why"] in why or "no longer stands on" in reason["why"]

    def after(self, state: State, move: str, turns: float) -> tuple[State, float]:
        child = state.play(move)
        return child, self.tree.left(state, child, turns)

    def reply(self, at: int) -> str:
        return self.lesson.edges(at)[1][0].text if at >= 0 else ""


@pytest.mark.quick(2)
@pytest.mark.sample(3)
@pytest.mark.parametrize("name", slow(FORCING))
def test_each_move_is_rightly_right_or_wrong_and_wrong_ones_are_refuted(
    call: Call, folder: Path, name: str
) -> None:
    (data,) = page_of(call, folder, name).puzzles
    checker = Checker(name, Lesson(data))
    checker.check(checker.lesson.root, state_of(name), checker.turns)
    assert checker.wrong or name in ("falling", "held"), "no move is wrong there"
    assert checker.reasons >= WHY.get(name, set())
    line = list(checker.lesson.right_line())
    assert any(edge.right for edge in line)


@pytest.mark.slow
def test_each_wrong_first_move_of_a_chess_problem_has_a_reason(call: Call, folder: Path) -> None:
    """Loyd's mate in two, 1880, on a small board: threats that fail, and attempts."""
    problem = {"game": "minichess", "position": "5/1BB2/NN3/krQ2/4K w", "stipulation": "#2"}
    (folder / "puzzles.jsonl").write_text(json.dumps(problem))
    lesson = Lesson(book_of(call, folder).puzzles[0])
    reasons = lesson.data["lesson"]["reasons"]
    wrong = [edge for edge in lesson.edges(lesson.root)[1] if not edge.right and edge.target >= 0]
    assert len(wrong) > 20
    for edge in wrong:
        assert {"threat", "attempt"} & reasons[str(edge.target)].keys(), edge
    (lost,) = (edge for edge in wrong if edge.text == "c2-d2")  # and Black takes the queen
    assert reasons[str(lost.target)]["why"] == "the white queen no longer stands on d2"


@pytest.mark.parametrize("followed", [0, 5])
def test_of_many_moves_that_are_right_one_is_followed(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch, followed: int
) -> None:
    monkeypatch.setattr(lessons, "_MOST_FOLLOWED", followed)
    (data,) = page_of(call, folder, "keys").puzzles
    checker = Checker("keys", Lesson(data))
    checker.check(checker.lesson.root, state_of("keys"), checker.turns)
    _, edges = checker.lesson.edges(checker.lesson.root)
    targets = [edge.target for edge in edges if edge.right]
    assert len(targets) == 2
    assert (AS_WELL in targets) == (followed == 0)


def test_what_is_refuted_further_on_has_an_end(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = []
    for most in (0, 2_000):
        monkeypatch.setattr(lessons, "_MOST_REFUTING", most)
        (data,) = page_of(call, folder, "keys").puzzles
        checker = Checker("keys", Lesson(data))
        checker.check(checker.lesson.root, state_of("keys"), checker.turns)
        assert all(checker.wrong.values()), "each of them is answered all the same"
        sizes.append(len(data["lesson"]["nodes"]))
    assert sizes[0] <= sizes[1]


def test_alone_the_shortest_way_is_right(call: Call, folder: Path) -> None:
    (data,) = page_of(call, folder, "alone").puzzles
    lesson, state = Lesson(data), state_of("alone")
    line = list(lesson.right_line())
    for edge in line:
        state = state.play(edge.text)
    assert state.is_terminal
    assert len(line) == aspgames.solve(state_of("alone"), attacker="walker", goal="win").distance


def test_both_sides_are_played_where_they_help(call: Call, folder: Path) -> None:
    page = page_of(call, folder, "helped")
    (data,), (card,) = page.puzzles, page.book["cards"]
    assert card["asked"] == "White to move. Both sides help White to win in 2 turns."
    assert data["strategies"] == []
    lesson, state = Lesson(data), state_of("helped")
    line = list(lesson.right_line())
    assert {edge.role for edge in line} == {"white", "black"}
    assert sum(edge.role == "white" for edge in line) == 2
    for edge in line:
        state = state.play(edge.text)
    assert state.goals["white"] == 100

    def possible(state: State, turns: int) -> bool:
        if reached(state, "white", "win") or state.is_terminal or turns < 0:
            return reached(state, "white", "win")
        after = [state.play(move) for move in state.legal_moves]
        return any(possible(child, turns - (child.to_move == "white")) for child in after)

    _, edges = lesson.edges(lesson.root)
    assert {edge.text for edge in edges if edge.right} == {
        move.text
        for move in state_of("helped").legal_moves
        if possible(state_of("helped").play(move), 1)
    }


# --- why moves are illegal ------------------------------------------------------------------------


@pytest.mark.parametrize("name", slow(["keys", "drops", "score", "split", "amazons"]))
def test_why_moves_are_illegal_is_said_by_the_rules(call: Call, folder: Path, name: str) -> None:
    """Each reason is that of the rules, and its move is illegal."""
    (data,) = page_of(call, folder, name).puzzles
    lesson, state = Lesson(data), state_of(name)
    held, told = set(data["start"]), 0
    for edge in lesson.right_line():
        for squares, present, absent, sentence in data["illegal"]:
            if set(present) <= held and not set(absent) & held and edge.right:
                told += 1
                begins = f"({','.join(squares)}"
                terms = [move.term for move in state.legal_moves]
                assert not any(f"{begins}," in term or f"{begins})" in term for term in terms)
                assert sentence.endswith(".")
        step = next(step for step in data["steps"] if step[1] == edge.text and set(step[2]) <= held)
        held = (held - set(step[2])) | set(step[3])
        state = state.play(edge.text)
    assert told > 3


def test_the_reason_is_that_of_the_rules(call: Call, folder: Path) -> None:
    (data,) = page_of(call, folder, "keys").puzzles
    told = {tuple(squares): sentence for squares, _, _, sentence in data["illegal"]}
    assert told["1,2", "1,4"] == (
        "A white piece goes one square ahead, straight or aslant, and not from a2 to a4."
    )
    why = state_of("keys").why("a2-c3")
    assert told["1,2", "3,3"].lower() == f"{why.reasons[0].text}.".lower()


# --- the page -------------------------------------------------------------------------------------


def test_a_page_needs_nothing_but_itself(call: Call, folder: Path) -> None:
    page = page_of(call, folder, "keys", "drops", "no board")
    html = page.html.replace("http://www.w3.org/2000/svg", "")
    assert "://" not in html
    assert not re.search(r"\{\{\w+\}\}", html)
    assert html.count("default-src 'none'") == 1
    assert [card["look"] for card in page.book["cards"]] == [0, 1, 2]
    assert page.book["looks"][2]["board"] is None


def test_the_cards_say_what_is_to_be_done(call: Call, folder: Path) -> None:
    page = page_of(call, folder, "keys", "replies", "held", "only move")
    assert [card["asked"] for card in page.book["cards"]] == [
        "White to move. Win in 2 turns.",
        "Black moves first. As White, win in 2 turns, whatever Black plays.",
        "White moves first. As Black, keep White from winning within 3 turns.",
        "Black to move. Keep White from winning within 2 turns.",
    ]
    assert page.book["cards"][0]["solution"]["keys"] == ["a2-b3", "c2-b3"]
    assert len({card["id"] for card in page.book["cards"]}) == 4


@pytest.mark.slow
def test_a_chess_problem_is_named_and_solved_as_chess_players_do(call: Call, folder: Path) -> None:
    problem = {"game": "minichess", "position": "3k1/2ppp/5/5/R1K2 w"}
    problem["stipulation"] = "#1"
    unsound = problem | {"position": "3k1/2p1p/3p1/5/R1K2 w"}
    (folder / "mate.jsonl").write_text(f"{json.dumps(problem)}\n{json.dumps(unsound)}")
    assert call("book", "mate.jsonl", "-o", "book.html").code == 0
    page = (folder / "book.html").read_text()
    assert "<summary>The rules of Minichess</summary><h3>minichess.lp</h3>" in page
    card, other = TrainingPage(page).book["cards"]
    assert card["asked"] == "White to move. Mate in 1."
    assert other["asked"].startswith("White moves first. As Black, keep White from winning within")
    assert card["solution"] == {"keys": ["Ra5"], "line": [[0, "Ra5"]], "variations": []}
    assert not [fact for fact in card["start"] if isinstance(fact, str)]


def test_the_printed_solution_has_the_other_replies_to_the_key() -> None:
    """After b3-b2, two replies are met by b2xa1; the main line has the third, a1xb2."""
    game = aspgames.load("breakthrough", width=4, height=6)
    puzzle = Puzzle.of(game.position("4/4/4/pp2/P3/PP2 b"), "black", "win", 3)
    solution = BookEffort(60).answer({}, puzzle, lambda _text: None)["card"]["solution"]
    assert [text for _, text in solution["line"][:3]] == ["b3-b2", "a1xb2", "a3xb2"]
    assert solution["variations"] == [(["a2-b3", "b1-c2"], "b2xa1")]


def test_a_puzzles_own_name_and_difficulty(call: Call, folder: Path) -> None:
    more: list[dict[str, Any]] = [
        {"id": "a-first-one"},
        {"id": "x", "title": "Second"},
        {"difficulty": 7},
    ]
    more += [{"difficulty": "hard"}, {"judged": {"difficulty": 2.5}}]
    lines = [json.dumps(PUZZLES["keys"] | each) for each in more]
    (folder / "puzzles.jsonl").write_text("\n\n".join(lines))
    page = book_of(call, folder, "--title", "Some <b> & more")
    assert [card["name"] for card in page.book["cards"]] == ["A first one", "Second", "", "", ""]
    own = page.book["cards"][0]["difficulty"]
    assert [card["difficulty"] for card in page.book["cards"]] == [own, own, 7, own, 2.5]
    assert "<h1>Some &lt;b&gt; &amp; more</h1>" in page.html
    assert page.book["title"] == "Some <b> & more"


@pytest.mark.slow
def test_a_helpmate_is_a_puzzle_in_which_both_sides_help(call: Call, folder: Path) -> None:
    problem = {"game": "minichess", "position": "5/5/1K3/4R/k4 b", "stipulation": "h#1"}
    (folder / "puzzles.jsonl").write_text(json.dumps(problem))
    (card,) = book_of(call, folder).book["cards"]
    assert card["asked"] == "Black to move. Helpmate in 1."


def test_a_puzzle_whose_illegal_moves_have_no_explanation_is_in_the_book(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsettled(*_arguments: object) -> object:
        raise aspgames.RulesError("the rules don't settle what follows from the state")

    monkeypatch.setattr(State, "why_moves", unsettled)
    (data,) = page_of(call, folder, "keys").puzzles
    assert data["illegal"] == []


# --- the command line -----------------------------------------------------------------------------


def test_lines_that_cannot_be_in_a_book_are_told(call: Call, folder: Path) -> None:
    stands = PUZZLES["keys"] | {"position": "P2/3/3/3 b"}
    lines = ["{", json.dumps(PUZZLES["keys"]), "", '{"game": "none"}', json.dumps(stands)]
    (folder / "puzzles.jsonl").write_text("\n".join(lines))
    result = call("book", "puzzles.jsonl", "-o", "book.html")
    assert result.code == 2
    one, four, five = result.err.splitlines()
    assert one.startswith("aspgames: line 1 is left out: the line is not JSON")
    assert four.startswith("aspgames: line 4 is left out: ")
    assert five.startswith("aspgames: line 5 is left out: the goal stands already")
    assert len(TrainingPage((folder / "book.html").read_text()).puzzles) == 1


def test_a_book_of_nothing(call: Call, folder: Path) -> None:
    (folder / "puzzles.jsonl").write_text("")
    assert_refused(call("book", "puzzles.jsonl", "-o", "book.html"), "there is no puzzle")
    assert not (folder / "book.html").exists()
    assert_refused(call("book", "puzzles.jsonl"), "say where to write the book")
    assert_refused(call("book", "none.jsonl", "-o", "book.html"), "none.jsonl")
    assert_refused(call("book", "puzzles.jsonl", "-o", "no/book.html"), "no/book.html")


def test_what_is_not_ready_in_time_is_told(call: Call, folder: Path) -> None:
    write_puzzles(folder / "puzzles.jsonl", "keys")
    result = call("book", "puzzles.jsonl", "-o", "book.html", "--time", "0.000001")
    assert result.code == 3
    assert "line 1 is left out" in result.err
    assert "within" in result.err


def test_without_a_browser_nothing_is_printed(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_puzzles(folder / "puzzles.jsonl", "keys")
    monkeypatch.setenv("ASPGAMES_BROWSER", "no-such-browser")
    result = call("book", "puzzles.jsonl", "--pdf", "book.pdf")
    assert_refused(result, "ASPGAMES_BROWSER is 'no-such-browser'")
    monkeypatch.delenv("ASPGAMES_BROWSER")
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr("aspgames.composer.book.page_printer._PLACES", ())
    result = call("book", "puzzles.jsonl", "--pdf", "book.pdf")
    assert_refused(result, "no Chromium, Chrome or Edge")


@pytest.mark.slow
def test_with_workers_the_book_is_the_same(call: Call, folder: Path) -> None:
    page = page_of(call, folder, "keys", "replies", "drops", "alone").html
    result = call("book", "puzzles.jsonl", "-o", "two.html", "--workers", "2", "--resume", "kept")
    assert result.code == 0
    assert (folder / "two.html").read_text() == page
    assert call("book", "puzzles.jsonl", "-o", "three.html", "--resume", "kept").code == 0
    assert (folder / "three.html").read_text() == page
