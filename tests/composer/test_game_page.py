"""The page of a game: its data, its size, and what is refused. A browser runs it elsewhere."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import aspgames
from aspgames.composer.book import game_page as pages
from aspgames.composer.book import page_net
from aspgames.composer.book.position_sentences import position_sentences
from aspgames.propnet import native_sources, web_kernel
from aspgames.runtime.budget import Budget
from cli_helpers import Call, assert_refused


@pytest.fixture(autouse=True)
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel takes half a minute to compile; these tests don't run it."""
    monkeypatch.setattr(page_net, "web_kernel", lambda: b"kernel")
    monkeypatch.setattr(web_kernel, "is_compiled", lambda: True)


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page)
    assert found
    return dict(json.loads(found[1]))


def test_a_rule_without_a_comment_speaks_for_itself(tmp_path: Path) -> None:
    """A comment is that of the rule itself, or of the rule that has it as its only condition."""
    (tmp_path / "one.lp").write_text(
        """
        role(a). init(step(1)). next(step(N+1)) :- true(step(N)), N < 3. legal(a,go).
        terminal :- far.
        far :- true(step(3)).

% Nobody goes this far.
        terminal :- beyond.

        beyond :- true(step(2)), true(step(3)). goal(a,100).
        """
    )
    game = aspgames.load(str(tmp_path / "one.lp"))
    net = next(pages._nets(game.initial, Budget()))
    sentences = position_sentences(game, net.tables(game.nets.marked), Budget())
    assert sentences
    told = {text for kind, text, *_ in sentences[0] if kind == "rule"}
    assert told == {"Its rule: far :- true(step(3)).", "Nobody goes this far."}


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", ["breakthrough", "amazons_8x8", "skirmish"])
def test_a_page_has_at_most_a_mebibyte(name: str) -> None:
    page = pages.game_page(aspgames.load(name).initial, ["win", "trap"], Budget(), print)
    assert len(page.encode()) + 100_000 < 2**20, "a kernel has less than 100,000 bytes"


def test_the_rules_are_there_to_read() -> None:
    page = pages.game_page(aspgames.load("breakthrough").initial, ["win"], Budget(), print)
    assert '<p class="about">The first side to bring' in page
    assert data_of(page)["person"] is None
    assert "<p>White moves up the board, Black down.</p>" in page
    assert "#program" not in page


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["amazons"], " ground rules, and a page has room for 64,000"),
        (["breakthrough", "--goal", "mate"], "mate"),
        (["breakthrough", "8/8 w"], "the FEN's board"),
        (["chess_with_dice"], "chess_with_dice"),
        (["breakthrough", "-o", "no/such/folder.html"], "no/such"),
        (["breakthrough", "--notation", "kif"], "No such option '--notation'"),
        (["breakthrough", "--link", "play.html"], "--link play.html: give TEXT=URL"),
        (["breakthrough", "--link", "x=javascript:alert(1)"], "a URL of http or https"),
    ],
)
def test_what_is_refused(call: Call, folder: Path, arguments: list[str], why: str) -> None:
    done = call("page", *arguments)
    assert (done.code, done.out) == (3 if "amazons" in arguments else 2, "")
    assert why in done.err
    assert done.code == 2 or "amazons is too large for a page: its net has " in done.err
    assert done.err.count("\n") == 1
    assert not list(folder.glob("*.html"))


def test_pages_of_games_proofs_and_books_have_links(call: Call, folder: Path) -> None:
    links = ("--link", "A <proof>=proof.html#x", "--link", "Play=https://example.org/?a&b")
    bar = '<a href="proof.html#x">A &lt;proof&gt;</a> <a href="https://example.org/?a&amp;b">'
    puzzle = ("8/3P4/8/8/8/8/p7/8 w", "--attacker", "white", "--goal", "win")
    (folder / "puzzles.jsonl").write_text(
        '{"game": "breakthrough", "position": "8/3P4/8/8/8/8/p7/8 w", "attacker": "white", '
        '"goal": "win"}'
    )
    for name, words in {
        "play": ("page", "tictactoe", "-o"),
        "proof": ("solve", "breakthrough", *puzzle, "--html"),
        "book": ("book", "puzzles.jsonl", "-o"),
    }.items():
        assert call(*words, f"{name}.html", *links).code == 0
        assert (folder / f"{name}.html").read_text().count(bar) == 1
    refused = call("solve", "breakthrough", *puzzle, *links)
    assert_refused(refused, "--link is for the page of --html")


def test_a_page_that_would_be_too_large(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MOST_BYTES", 10_000)
    done = call("page", "breakthrough")
    assert done.code == 3
    assert "breakthrough would have a page of 0.1 MiB, more than 0 MiB" in done.err


def test_a_position_may_have_a_smaller_net_than_its_game(call: Call, folder: Path) -> None:
    """The Amazons are too large for a page, but not where most squares are burnt."""
    position = "********Q1/" + "**********/" * 8 + "q1******** w"
    assert call("page", "amazons", position, "-o", "p.html").code == 0
    assert (folder / "p.html").stat().st_size < 400_000


def test_a_missing_compiler_is_named(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_net, "web_kernel", web_kernel.web_kernel)
    monkeypatch.setattr(native_sources, "web_file", lambda _: Path("missing.wasm"))
    monkeypatch.setenv("ASPGAMES_CACHE", "off")
    monkeypatch.setitem(sys.modules, "ziglang", None)
    done = call("page", "breakthrough")
    assert (done.code, done.out) == (2, "")
    assert 'pip install "aspgames[page]"' in done.err


def test_a_page_for_a_position(call: Call, folder: Path) -> None:
    done = call("page", "breakthrough", "8/3P4/8/8/8/8/p7/8 w", "--goal", "win", "-o", "p.html")
    assert (done.code, done.out) == (0, "Page: p.html\n")
    data = data_of((folder / "p.html").read_text(encoding="utf-8"))
    assert [data["terms"][number] for number in data["position"]] == [
        "cell(1,2,black)",
        "cell(4,7,white)",
        "control(white)",
    ]
    assert list(data["puzzles"]) == ["win"]
