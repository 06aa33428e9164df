"""Pages of games in Chromium: their size, the time until they can be used, and their perft.

Run it with: python benchmarks/pages.py [--runs N]

A page is ready when ``aspgames.ready`` is fulfilled and the first legal moves are known, measured
from the beginning of its loading. Four times slower is Chromium's own emulation of a processor. The
page's perft and that of the native kernel, in its ``base`` variant with one thread, take turns.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import zlib
from pathlib import Path
from statistics import median
from typing import Any

os.environ["ASPGAMES_KERNEL"] = "base"

from playwright.sync_api import sync_playwright

import aspgames
from aspgames.composer.book.game_page import game_page
from aspgames.propnet.web_kernel import web_kernel
from aspgames.runtime.budget import Budget
from measuring import seconds, take_turns

DEPTHS = {"breakthrough": 7, "skirmish": 8, "amazons_10x10": 5, "amazons_8x8": 6}
READY = """async () => {
  await aspgames.ready;
  await aspgames.legal();
  return performance.now() / 1000;
}"""
PERFT = """async (depth) => {
  const start = performance.now();
  await aspgames.perft(depth);
  return (performance.now() - start) / 1000;
}"""


def opened(browser: Any, file: Path, slower: int) -> tuple[Any, float]:
    """A page, with a processor so many times slower, and the time until it was ready [s]."""
    page = browser.new_page()
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.goto(file.as_uri())
    return page, page.evaluate(READY)


def row(browser: Any, file: Path, name: str, runs: int) -> str:
    """A row of the table: one game's page."""
    state, depth = aspgames.load(name).initial, DEPTHS[name]
    file.write_text(game_page(state, ("win", "trap"), Budget(), lambda _text: None), "utf-8")

    def ready(slower: int) -> float:
        page, spent = opened(browser, file, slower)
        page.close()
        return spent

    page, _ = opened(browser, file, 1)
    spent = take_turns(
        runs,
        {
            "ready": lambda: ready(1),
            "slower": lambda: ready(4),
            "page": lambda: page.evaluate(PERFT, depth),
            "native": lambda: seconds(lambda: aspgames.perft(state, depth, threads=1)),
        },
    )
    page.close()
    figures = {name: median(each) for name, each in spent.items()}
    return (
        f"| {name} | {file.stat().st_size / 1000:.0f} kB | {figures['ready']:.2f} s "
        f"| {figures['slower']:.2f} s | {depth} | {figures['page']:.2f} s "
        f"| {figures['native'] / figures['page']:.2f}x |"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    print(
        f"The kernel for browsers: {len(zlib.compress(web_kernel(), 9)) / 1000:.0f} kB compressed\n"
    )
    print("| game | page | ready | four times slower | perft to | in the page | of native speed |")
    print("|---|---|---|---|---|---|---|")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=chromium, args=options)
        for name in DEPTHS:
            print(row(browser, Path(folder) / "game.html", name, runs), flush=True)


if __name__ == "__main__":
    main()
