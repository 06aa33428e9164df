"""Every kind of page has no serious finding of axe-core, light and dark, large and small."""

from importlib import resources
from pathlib import Path
from typing import Any

import pytest

import aspgames
from accessibility import AXE_FOUND
from aspgames.composer.book.game_page import game_page
from aspgames.runtime.budget import Budget
from book_puzzles import arguments
from cli_helpers import Call
from crosscheck_helpers import python
from paths import ROOT

pytestmark = pytest.mark.slow


def write(kind: str, file: Path, call: Call) -> None:
    if kind == "proof":
        assert call(*arguments("keys"), "--html", str(file)).code in (0, 1)
    elif kind == "training":
        puzzles = ROOT / "examples/puzzles/puzzles.jsonl"
        lines = [line for line in puzzles.read_text().splitlines() if "breakthrough" in line][:3]
        (file.parent / "some.jsonl").write_text("\n".join(lines))
        run = call("book", str(file.parent / "some.jsonl"), "-o", str(file))
        assert run.code == 0, run.err
    elif kind == "crosscheck":
        engine = f"cmd:{python('planted_engine.py', 'straight capture')}"
        run = call("crosscheck", "breakthrough", "--against", engine, "--html", str(file))
        assert run.code == 1, run.err
    else:
        state = aspgames.load(kind).initial
        file.write_text(game_page(state, ["win"], Budget(), lambda _text: None), encoding="utf-8")


@pytest.mark.sample(5)
@pytest.mark.parametrize("kind", ["proof", "training", "crosscheck", "hex", "nim"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_have_no_serious_finding(
    browser: Any, tmp_path: Path, call: Call, kind: str, scheme: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python")
    script = resources.files(axe).joinpath("axe.min.js").read_text(encoding="utf-8")
    file = tmp_path / "page.html"
    write(kind, file, call)
    size = {"width": 390, "height": 844} if scheme == "dark" else {"width": 1200, "height": 800}
    page = browser.new_page(color_scheme=scheme, viewport=size, reduced_motion="reduce")
    for place in ("", "#1") if kind == "training" else ("",):
        page.goto(file.as_uri() + place)
        page.wait_for_timeout(300)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        if kind in ("hex", "nim"):
            page.evaluate("aspgames.ready")
        if page.locator("#choices button").first.is_visible():
            page.locator("#choices button").first.click()  # a line and a message are shown then
        page.evaluate(script)
        assert page.evaluate(AXE_FOUND) == []
        assert page.get_by_role("main").count() == 1
    page.close()
