"""The proof book: what its pages hold is the proof, and nothing gets in or out."""

import base64
import hashlib
import json
import random
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import aspgames
from aspgames.composer.book import page_steps as strategies
from aspgames.game.board import parse_square
from aspgames.puzzle.goal import Goal
from book_puzzles import PUZZLES, arguments, state_of
from cli_helpers import SOLVE, Call

ANSWER, REPLIES, KEYS, PLAN, PLANNED, ANY = range(6)
GOAL, OVER, TURNS = -1, -2, -3
FORCED = ["keys", "replies", "for ever", "drops", "alone", "stands"]
FORCED += ["at once", "at once after a reply"]
REFUTED = ["held", "too short"]
SLOW = ["ten turns", "rooms", "score", "thousands of nodes"]
"""Forced, too, by proofs that take seconds."""


class Page(HTMLParser):
    """A page, read as a browser does: its elements, and what is in its scripts and styles."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.inside: dict[str, list[str]] = {"script": [], "style": []}
        self.open = ""
        self.feed(html)
        self.data = json.loads(self.inside["script"][0])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.open = tag
        if tag in self.inside:
            self.inside[tag].append("")

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002
        self.open = ""

    def handle_data(self, data: str) -> None:
        if self.open in self.inside:
            self.inside[self.open][-1] += data


def page_of(call: Call, folder: Path, name: str) -> Page:
    result = call(*arguments(name), "--html", "page.html")
    assert result.code == (name in REFUTED), result.err
    assert result.out.endswith("Page: page.html\n")
    return Page((folder / "page.html").read_text())


# --- the proof ------------------------------------------------------------------------------------


class Reader:
    """Goes through the data of a page as its script does, and plays the same with the rules."""

    def __init__(self, page: Page, name: str, side: dict[str, Any]) -> None:
        self.data, self.side, self.state = page.data, side, state_of(name)
        self.goal = Goal.parse(page.data["goal"])
        self.attacker = page.data["roles"][page.data["attacker"]]
        self.held = set(page.data["start"])
        self.at = side["root"]

    def shown(self, fluent: object) -> str | None:
        """A fluent as the page shows it; None for those that say who is on move."""
        if isinstance(fluent, list):
            square, content = fluent
            return f"{square}: {self.data['contents'][content][0]}"
        return fluent if isinstance(fluent, str) else None

    def check_position(self) -> None:
        shown = {self.shown(self.data["fluents"][fluent]) for fluent in self.held} - {None}
        facts, vocabulary, marks = self.state.facts, self.state.game.vocabulary, set()
        if vocabulary.board:
            marks = set(vocabulary.board.marks)
        scene = self.state.scene
        expected = {f"{x},{y}: {scene.name(c)}" for (x, y), c in scene.occupied.items()}
        assert shown == expected | {
            scene.said(f) for f in vocabulary.beside(facts) if f not in marks
        }

    def edges(self) -> tuple[int, list[tuple[int, int]]]:
        """The kind of the node, and its edges, which are all that can be played, or one of it."""
        kind, *rest = self.side["nodes"][self.at]
        if kind >= PLAN:
            plan, ply, *rest = rest
            planned = self.side["plans"][plan][ply]
            assert (planned is None) == (kind == ANY) or kind == PLAN
        edges = list(zip(rest[::2], rest[1::2], strict=True))
        texts = [self.data["steps"][step][1] for step, _ in edges]
        legal = [move.text for move in self.state.legal_moves]
        whole = kind in (REPLIES, ANY)
        assert sorted(texts) == sorted(legal) if whole else set(texts) <= set(legal)
        assert len(edges) == 1 or kind not in (ANSWER, PLANNED)
        mine = (self.state.to_move == self.attacker) == (self.side["side"] == "attack")
        assert mine == (kind in (ANSWER, KEYS, PLANNED)) or kind == PLAN
        return kind, edges

    def play(self, step: int, target: int) -> None:
        role, text, gone, come, squares = self.data["steps"][step]
        assert self.data["roles"][role] == self.state.to_move
        assert set(gone) <= self.held
        assert not set(come) & self.held
        named = [parse_square(square) for square in re.findall(r"[a-z]\d+", text)]
        assert [tuple(map(int, square.split(","))) for square in squares] in (named, [])
        self.held = (self.held - set(gone)) | set(come)
        self.state, self.at = self.state.play(text), target

    def check_end(self) -> None:
        reached = self.goal.holds(self.state.consequences, self.attacker)
        assert reached == (self.at == GOAL)
        if self.at == OVER:
            assert self.state.is_terminal or not self.state.legal_moves
        if self.at == TURNS:
            assert self.state.to_move == self.attacker


@pytest.mark.quick(5)
@pytest.mark.parametrize(
    "name", FORCED + REFUTED + [pytest.param(name, marks=pytest.mark.slow) for name in SLOW]
)
def test_what_a_page_holds_is_the_proof(call: Call, folder: Path, name: str) -> None:
    page, chance = page_of(call, folder, name), random.Random(name)
    sides = page.data["strategies"]
    forced = ["attack"] if name == "stands" else ["attack", "defence"]
    assert [s["side"] for s in sides] == (["defence"] if name in REFUTED else forced)
    if name == "thousands of nodes":
        assert sum(len(side["nodes"]) for side in sides) > 5000
        assert (folder / "page.html").stat().st_size < 1_000_000
    ends = set()
    for side in sides:
        for _ in range(12):
            reader = Reader(page, name, side)
            reader.check_position()
            while reader.at >= 0:
                kind, edges = reader.edges()
                if kind == PLAN:
                    break
                reader.play(*chance.choice(edges))
                reader.check_position()
            else:
                reader.check_end()
            ends.add((side["side"], min(reader.at, 0)))
    assert {side for side, _ in ends} == {side["side"] for side in sides}
    assert ("attack", GOAL) in ends or name in REFUTED


def test_of_long_plans_only_the_beginning_is_played_out(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "held"
    kinds = {}
    for most in (0, 30, 12_000):
        monkeypatch.setattr(strategies, "_MOST_PLANNED", most)
        (side,) = page_of(call, folder, name).data["strategies"]
        kinds[most] = {node[0] for node in side["nodes"]}
    assert PLAN in kinds[0]
    assert not kinds[0] & {PLANNED, ANY}
    assert kinds[30] >= {PLAN, PLANNED, ANY}
    assert PLAN not in kinds[12_000]


# --- what is on a page ----------------------------------------------------------------------------


def test_a_page_needs_nothing_but_itself(call: Call, folder: Path) -> None:
    page = page_of(call, folder, "keys")
    html = (folder / "page.html").read_text().replace("http://www.w3.org/2000/svg", "")
    assert "://" not in html
    for tag, attributes in page.elements:
        for name in ("src", "href", "action", "data", "srcset"):
            assert (attributes.get(name) or "#").startswith(("#", "data:")), (tag, attributes)
        assert not any(name.startswith("on") or name == "style" for name in attributes)
    (policy,) = (a["content"] for tag, a in page.elements if a.get("http-equiv"))
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    for kind, text in (("script", page.inside["script"][1]), ("style", page.inside["style"][0])):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy


def test_a_page_says_what_was_asked_and_answered(call: Call, folder: Path) -> None:
    page = page_of(call, folder, "keys")
    html = (folder / "page.html").read_text()
    assert PUZZLES["keys"]["goal"] in html.partition("<title>")[2].partition("</title>")[0]
    assert "<h1>Can White win within 3 turns?</h1>" in html
    assert "<summary>The rules</summary>\n<h3>breakthrough.lp</h3>" in html
    assert "aspgames page breakthrough " in html
    assert '<p class="verdict forced">Yes, in 2 turns.</p>' in html
    keys = '<dd><span class="move">a2-b3,</span> <span class="move">c2-b3</span></dd>'
    fen = '<dd class="fen">1p1/3/P1P/3 w</dd>'
    for number in ("<dd>2 turns</dd>", keys, fen):
        assert number in html
    assert f"aspgames {aspgames.__version__}" in html
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_what_a_users_game_says_cannot_break_out(call: Call, folder: Path) -> None:
    (folder / "own.lp").write_text(
        '#include "shared/alternating.lp". board(2,2).\n'
        'init(cell(1,1,s("</script><script>alert(1)</script>"))). init(control(white)).\n'
        'init(name("<!--<script>")).\n'
        "next(F) :- true(F), F != control(R), role(R).\n"
        'legal(R,say("</script><b>")) :- to_move(R).\n'
        "terminal :- true(control(black)). goal(white,100) :- terminal.\n"
        "#program board.\n"
        'title("</title><script>alert(2)</script>"). glyph(s(S),"<i>") :- init(cell(_,_,s(S))).\n'
    )
    result = call(
        "solve", "own.lp", "startpos", "--attacker", "white", "--goal", "win", "--html", "own.html"
    )
    assert result.code == 0, result.err
    page = Page((folder / "own.html").read_text())
    scripts = [attributes for tag, attributes in page.elements if tag == "script"]
    assert len([one for one in scripts if one.get("type") != "text/plain"]) == 2
    assert not {"b", "i"} & {tag for tag, _ in page.elements}
    assert 'say("</script><b>")' in [step[1] for step in page.data["steps"]]


def test_a_puzzle_that_stays_undecided_has_a_page(call: Call, folder: Path) -> None:
    result = call(*SOLVE[:2], "startpos", *SOLVE[3:], "--positions", "500", "--html", "page.html")
    assert result.code == 3
    assert "Page: page.html" in result.out
    page = Page((folder / "page.html").read_text())
    assert page.data["strategies"] == []
    assert "Undecided: the limits are reached" in (folder / "page.html").read_text()


# --- the command line -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--together"], "a line needs no proof"),
        (["--html", "no/such/page.html"], "no/such/page.html"),
        (["--html", "folder.lp"], "folder.lp"),
    ],
)
def test_pages_that_cannot_be(call: Call, folder: Path, more: list[str], words: str) -> None:
    result = call(*SOLVE, "--html", "page.html", *more)
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert words in result.err
    assert not (folder / "page.html").exists()


def test_where_a_page_would_be_too_large_the_answer_is_printed_all_the_same(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strategies, "MOST_EDGES", 1)
    result = call(*arguments("keys"), "--html", "page.html", "--certificate", "proof.json")
    assert result.code == 3
    assert "can win in 2 turns" in result.out
    assert "there is no page: the page would have more than 1 moves" in result.err
    assert not (folder / "page.html").exists()
