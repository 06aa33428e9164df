"""The documentation as a site in ``build/site``, for reading from a server or from the disk.

Run it with: python docs/site/build.py

Pages lie in ``build/docs`` as they lie in the repository, so that links which hold here hold there.
Added are pages that are made from what they describe: one for each encoding, each JSON Schema and
each notebook, and the command line's verbs. The pages of games have live boards, and so has the
first page. Boards of letters become pictures. Broken links stop the build.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from check import troubles
from command_page import verbs
from diagrams import with_diagrams
from encoding_page import encoding_page
from live_boards import (
    add_game,
    after_first_paragraph,
    gallery,
    game_files,
    live,
    write_book,
    write_puzzle,
)
from notebook_page import notebook_page
from schema_page import schema_index, schema_page

ROOT = Path(__file__).parents[2]
LAID_OUT, SITE = ROOT / "build/docs", ROOT / "build/site"
COPIED = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "tests/README.md")
COPIED_FOLDERS = ("docs", "encodings", "examples", "benchmarks", "tests/data")
MADE: dict[str, Callable[[Path], str]] = {
    "**/*.lp": encoding_page,
    "**/*.schema.json": schema_page,
    "**/*.ipynb": notebook_page,
}
"""Makers of pages by pattern of file. A page has the file's name with ``.md`` appended."""
LIVE = {
    "README.md": ("puzzle.html#1", "A puzzle to solve: White traps Black"),
    "docs/book.md": ("puzzle.html#1", "A training book of one puzzle"),
    "docs/chess_problems.md": ("chess_problems.html", "A training book of four chess problems"),
    "docs/pages.md": ("breakthrough.html", "A page of Breakthrough"),
}
"""Pages with a live board below their first paragraph, by the name of the page."""
_PICTURE = re.compile(r"<img .*>\n\n")
"""The picture in the README, in whose place the site has the puzzle itself."""


def copy_pages() -> None:
    """Put all pages and the files that they link to into ``build/docs``."""
    shutil.rmtree(LAID_OUT, ignore_errors=True)
    LAID_OUT.mkdir(parents=True)
    for name in COPIED_FOLDERS:
        shutil.copytree(
            ROOT / name, LAID_OUT / name, ignore=shutil.ignore_patterns("__pycache__", ".*")
        )
    for name in COPIED:
        shutil.copy(ROOT / name, LAID_OUT / name)
    shutil.rmtree(LAID_OUT / "docs/site")
    for pattern, make in MADE.items():
        for file in sorted(LAID_OUT.glob(pattern)):
            page_of(file).write_text(make(file))
    command_line = LAID_OUT / "docs/command_line.md"
    command_line.write_text(command_line.read_text() + verbs())
    schemas = LAID_OUT / "docs/schemas"
    (schemas / "README.md").write_text(schema_index(sorted(schemas.glob("*.json"))))
    for page in LAID_OUT.rglob("*.md"):
        page.write_text(relinked(page))
        page.write_text(with_diagrams(page))
    add_live_boards()


def add_live_boards() -> None:
    """Put live boards on the pages of games, on the first page, and on those about such pages."""
    play = LAID_OUT / "play"
    play.mkdir()
    games = game_files(LAID_OUT)
    for name, file in games.items():
        add_game(name, page_of(file), play)
    (play / "README.md").write_text(gallery(games, play))
    home = LAID_OUT / "README.md"
    write_puzzle(home.read_text(), play / "puzzle.html")
    problems = ROOT / "examples/puzzles/chess_problems.jsonl"
    # All twelve take two minutes.
    lines = problems.read_text(encoding="utf-8").splitlines()
    write_book("\n".join(lines[:2] + lines[-2:]), play / "chess_problems.html")
    home.write_text(_PICTURE.sub("", home.read_text()))
    for name, (target, title) in LIVE.items():
        page = LAID_OUT / name
        target = os.path.relpath(play / target, page.parent)
        page.write_text(after_first_paragraph(page.read_text(), live(target, title)))


def page_of(file: Path) -> Path:
    """The page that is made from a file."""
    return file.with_name(f"{file.name}.md")


def relinked(page: Path) -> str:
    """The text of a page. Links to files that have a page lead to the page."""

    def target(link: re.Match[str]) -> str:
        file = page.parent / link[1]
        if page_of(file).is_file():
            return f"]({link[1]}.md)"
        if (file / "README.md").is_file():
            return f"]({link[1].rstrip('/')}/README.md)"
        return link[0]

    return re.sub(r"\]\(([^)#:\s]+)\)", target, page.read_text())


def main() -> None:
    """Build the site; exit with 1 if anything is wrong with it."""
    copy_pages()
    command = ["zensical", "build", "--strict", "--clean"]
    built = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=False)
    wrong = list(troubles(SITE)) if built.returncode == 0 else ["the site isn't built"]
    sys.exit("\n".join(wrong) or None)


if __name__ == "__main__":
    main()
