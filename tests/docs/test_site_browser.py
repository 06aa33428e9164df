"""The documentation's site in a browser, from the disk: pages and the search load nothing else."""

import subprocess
import sys
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

import aspgames
from accessibility import AXE_FOUND
from colours import corner
from paths import ROOT
from thoroughly import amount

pytest.importorskip("zensical", reason="needs the extra docs")
pytestmark = pytest.mark.slow
SITE = ROOT / "build/site"


def is_built() -> bool:
    """Whether the site is newer than all that it is made from."""
    built = SITE / "index.html"
    parts = ("docs", "src", "encodings", "examples", "benchmarks", "README.md", "CHANGELOG.md")
    files = (file for part in parts for file in [ROOT / part, *(ROOT / part).rglob("*.*")])
    newest = max(f.stat().st_mtime for f in files if f.is_file() and "__pycache__" not in f.parts)
    return built.exists() and built.stat().st_mtime > newest


@pytest.fixture
def site() -> Path:
    if is_built():
        return SITE
    built = subprocess.run(
        [sys.executable, ROOT / "docs/site/build.py"], capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    return SITE


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A phone's page, of which every request goes to the disk, and that has no complaints."""
    requests: list[str] = []
    complaints: list[str] = []

    def heard(message: Any) -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", heard)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    page.close()
    assert requests
    assert all(request.startswith(("file:", "data:", "about:")) for request in requests)
    assert not complaints


OVERFLOWING = """() => [...document.querySelectorAll("pre code")]
  .filter((code) => code.scrollWidth > code.clientWidth).map((code) => code.textContent)"""


def check_that_rules_fit(site: Path, page: Any) -> None:
    """A rule of 100 characters is read without scrolling on anything wider than a tablet."""
    rules = sorted((ROOT / "encodings").rglob("*.lp"))
    longest = [file for file in rules if max(map(len, file.read_text().splitlines())) >= 100]
    assert len(longest) > 5
    for file in longest:
        page.goto((site / file.relative_to(ROOT)).as_uri() + ".html")
        for width in (1024, 1280, 1440, 1500, 1920):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate(OVERFLOWING) == [], (file, width)


def check_that_diagrams_are_as_dark_as_the_page(site: Path, page: Any) -> None:
    """They are so where a reader chose dark pages in a browser that doesn't ask for them."""
    page.goto((site / "examples/puzzles/index.html").as_uri())
    diagram = page.locator("img.diagram").first
    assert diagram.get_attribute("alt").startswith("white to move. ")
    assert sum(corner(diagram)) > 600
    for _ in range(2):  # from the system's wish to light, and on to dark
        page.locator("label[title^=Switch]:visible").click()
    assert sum(corner(diagram)) < 150


def check_that_boards_are_as_dark_as_the_page(site: Path, page: Any) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto((site / "encodings/breakthrough.lp.html").as_uri())
    board = page.frame_locator("iframe.live").locator("body")
    night = "(body) => getComputedStyle(body).backgroundColor === 'rgb(22, 24, 27)'"
    for dark in (False, False, True):  # the system's wish, light, dark
        page.wait_for_timeout(500)
        assert board.evaluate(night) == dark
        page.locator("label[title^=Switch]:visible").click()
    page.set_viewport_size({"width": 390, "height": 800})


def check_that_axe_finds_nothing_serious(site: Path, browser: Any) -> None:
    """On a page of each kind: text, tables, rules, notebook, Python, JSON, all games."""
    page = browser.new_page()  # axe-core itself makes complaints about files
    axe = pytest.importorskip("axe_playwright_python")
    script = resources.files(axe).joinpath("axe.min.js").read_text(encoding="utf-8")
    kinds = ["index", "docs/scale", "docs/pages", "docs/api/games", "play/index"]
    kinds += ["encodings/breakthrough.lp", "examples/tour.ipynb", "benchmarks/index"]
    kinds += ["docs/schemas/solution.schema.json", "examples/puzzles/index"]
    views = [("light", 1280), ("dark", 1280), ("dark", 390)]
    for number, kind in enumerate(kinds):
        for scheme, width in [*views, *views][number % 3 :][: amount(1, 3)]:
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 800})
            page.goto((site / f"{kind}.html").as_uri())
            page.wait_for_timeout(500)
            page.evaluate(script)
            assert page.evaluate(AXE_FOUND) == [], (kind, scheme, width)
    page.close()


def check_that_boards_are_live(site: Path, page: Any) -> None:
    """The README's puzzle is solved on the first page, and each game is played on its own."""
    page.goto((site / "index.html").as_uri())
    puzzle = page.frame_locator("iframe.live")
    puzzle.get_by_text("The moves as a list").click()
    for move in ("d9-e8/d9", "e6-d6/e6"):
        puzzle.get_by_role("button", name=move, exact=True).first.click()
    puzzle.get_by_text("Solved!").wait_for()
    games = sorted(file.name.removesuffix(".html") for file in site.glob("play/*.html"))
    paged = [name for name in aspgames.games() if not aspgames.load(name).vocabulary.extensions]
    assert sorted(["chess_problems", "index", "puzzle", *paged]) == games
    page.goto((site / "encodings/skirmish.lp.html").as_uri())
    board = page.frame_locator("iframe.live")
    board.locator("#choices button").first.click()
    assert board.locator("#line button").count() == 1
    page.locator(".diagrams a").first.click()  # a puzzle with pieces that play doesn't bring there
    page.locator("#choices button").first.wait_for()
    assert page.locator("#said").inner_text().endswith(" is to move.")


def check_that_search_finds(site: Path, page: Any, words: str, target: str) -> None:
    page.goto((site / "index.html").as_uri())
    page.keyboard.press("Control+k")
    page.keyboard.type(words, delay=20)
    page.locator(f"a[href*='{target}']:visible").first.wait_for()


# One test, so that no two workers build the site at the same time.
def test_the_site_is_read_from_the_disk(site: Path, page: Any, browser: Any) -> None:
    for file in sorted(site.rglob("*.html"))[:: amount(3, 1)]:
        if file.name != "404.html":
            page.goto(file.as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, file
    check_that_rules_fit(site, page)
    check_that_boards_are_as_dark_as_the_page(site, page)  # it leaves the switch as it was
    check_that_diagrams_are_as_dark_as_the_page(site, page)
    check_that_axe_finds_nothing_serious(site, browser)
    check_that_boards_are_live(site, page)
    check_that_search_finds(site, page, "install", "docs/install.html")
    check_that_search_finds(site, page, "hint", "docs/match.html")
    check_that_search_finds(site, page, "knight jumps two squares", "encodings/skirmish.lp.html")
    page.keyboard.press("Enter")
    page.wait_for_url("**/encodings/skirmish.lp.html*")
