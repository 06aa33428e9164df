"""What the page of a game has besides its rules: a live board, counts of moves, and puzzles.

The pages to play are made here as ``aspgames page`` and ``aspgames book`` make them, in ``play``.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from html import escape
from itertools import groupby
from pathlib import Path
from urllib.parse import urlencode

import aspgames
from aspgames import Budget, State
from aspgames.asp.sources import encodings_folder
from aspgames.composer.book.game_page import game_page
from aspgames.composer.book.proof_page import question
from aspgames.game.loading import load_game
from aspgames.play.perft_suite import read_suite, suite_path
from aspgames.puzzle.problem import Puzzle
from aspgames.puzzle.puzzle_request import puzzle_of
from aspgames.runtime.errors import LimitReached

_ASKED = re.compile(
    r'aspgames solve (?P<game>\w+) "(?P<position>[^"]*)" --attacker (?P<attacker>\w+) '
    r"--goal (?P<goal>\w+) --within (?P<within>\d+)"
)
_MOST_SMALLER = 6
_MOST_PUZZLES = 6
_WIDE = "---\nhide:\n  - toc\n---\n\n"
"""The head of a page without a table of contents, so that a board has room beside its moves."""


def live(target: str, title: str) -> str:
    """A page to play, as a part of another page."""
    return (
        f'<iframe class="live" src="{target}" title="{escape(title)}" loading="lazy"></iframe>\n\n'
        f"[Open the board by itself](<{target}>)"
    )


def after_first_paragraph(text: str, part: str) -> str:
    """A page's text with a part below its first sentences."""
    title, first, rest = text.split("\n\n", 2)
    return "\n\n".join([title, first, part, rest])


def game_files(folder: Path) -> dict[str, Path]:
    """The rule book of each built-in game that has a page to play, in a copy of the repository.

    By the games' names. Pages know neither chance nor hidden information.
    """
    games = map(aspgames.load, aspgames.games())
    return {
        game.name: folder
        / "encodings"
        / game.encoding.sources[-1].path.relative_to(encodings_folder())
        for game in games
        if not game.vocabulary.extensions
    }


def add_game(name: str, page: Path, play: Path) -> None:
    """Put a live board, counts and puzzles on the page of a game's rules."""
    state = _written(name, play)
    title = state.scene.vocabulary.title
    there = os.path.relpath(play / f"{name}.html", page.parent)
    parts = [live(there, f"{title}, to play")]
    if state.game.constants != aspgames.load(name).constants:
        constants = ", ".join(f"{key} {value}" for key, value in state.game.constants.items())
        parts.append(
            f"The board is smaller here ({constants}): the usual one is too much for a page."
        )
    text = after_first_paragraph(page.read_text(), "\n\n".join(parts))
    glossary = os.path.relpath(play.parent / "docs/glossary.md", page.parent)
    more = [*_counts(name, glossary), *_puzzles(state, page, there)]
    page.write_text(_WIDE + "\n\n".join([text.rstrip(), *more]) + "\n")


def _written(name: str, play: Path) -> State:
    """Write the page to play a game, on a smaller board if need be. Returns where it begins."""
    constants: Mapping[str, int | str] = {}
    for _ in range(_MOST_SMALLER):
        game = aspgames.load(name, **constants)
        try:
            page = game_page(game.initial, ["win", "trap"], Budget(120), lambda _text: None)
        except LimitReached:
            constants = {
                key: value - 1 if isinstance(value, int) else value
                for key, value in game.constants.items()
            }
            continue
        (play / f"{name}.html").write_text(page, encoding="utf-8")
        return game.initial
    raise LimitReached(f"no board of {name} is small enough for a page")


def _counts(name: str, glossary: str) -> Iterator[str]:
    """The counts of the game's suite, by position and depth."""
    cases = read_suite(suite_path(name))
    depths = sorted({case.depth for case in cases})
    yield "## Counts"
    yield (
        f"The number of lines of play ([perft]({glossary})) from each position of the suite, by "
        f"their length in plies. `aspgames perft --suite {name}` counts them again."
    )
    rows = [["position", *map(str, depths)], ["---", *["---:"] * len(depths)]]
    for _, group in groupby(cases, lambda case: case.line):
        found = list(group)
        by_depth = {case.depth: f"{case.nodes:,}" for case in found}
        code = found[0].position.strip().replace("|", "\\|")
        rows.append([f"`{code}`", *(by_depth.get(depth, "") for depth in depths)])
    yield "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _puzzles(shown: State, page: Path, there: str) -> Iterator[str]:
    """Some puzzles of the game as pictures, which lead to the position on the page to play."""
    found = list(_known_puzzles(shown.game.name))[:_MOST_PUZZLES]
    if not found:
        return
    yield "## Puzzles"
    yield "A picture opens its position on the live board, where you can play it and solve it."
    items = []
    for number, puzzle in enumerate(found, start=1):
        state = puzzle.state
        picture = page.with_name(f"{shown.game.name}_{number}.svg")
        picture.write_text(state.svg(theme="auto", size=240))
        drawn = f'<img class="diagram" src="{picture.name}" alt="{escape(state.scene.words())}">'
        if state.game.constants == shown.game.constants:
            link = f"{there}#{urlencode({'position': state.fen or ' '.join(state.facts)})}"
            drawn = f'<a href="{escape(link)}">{drawn}</a>'
        items.append(f"<figure>{drawn}<figcaption>{escape(question(puzzle))}</figcaption></figure>")
    yield f'<div class="diagrams">{"".join(items)}</div>'


def _known_puzzles(name: str) -> list[Puzzle]:
    """The example puzzles of a game, then those that were composed."""
    folder = encodings_folder().parent / "examples/puzzles"
    found = []
    for file in (folder / "puzzles.jsonl", folder / f"composed/{name}.jsonl"):
        for line in file.read_text().splitlines() if file.exists() else ():
            asked = json.loads(line)
            if asked["game"] == name and asked.get("stipulation") is None:
                found.append(puzzle_of(asked, load_game))
    return found


def write_puzzle(text: str, file: Path) -> None:
    """Write a training book of the puzzle that a page asks on the command line."""
    asked = _ASKED.search(text)
    assert asked, "the page asks no puzzle"
    write_book(json.dumps(asked.groupdict() | {"within": int(asked["within"])}), file)


def write_book(puzzles: str, file: Path) -> None:
    """Write a training book of puzzles, given as JSON lines."""
    command = [sys.executable, "-m", "aspgames", "book", "-", "-o", str(file), "--workers", "2"]
    subprocess.run(command, input=puzzles, text=True, check=True, stdout=subprocess.DEVNULL)


def gallery(files: Mapping[str, Path], folder: Path) -> str:
    """A page of all games, with their pictures, which are put into its folder."""
    items = []
    for name, file in files.items():
        state = aspgames.load(name).initial
        title = escape(state.scene.vocabulary.title)
        link = f"{os.path.relpath(file, folder)}.html"
        picture = ""
        if state.game.board:
            (folder / f"{name}.svg").write_text(state.svg(theme="auto", size=240))
            picture = f'<img class="diagram" src="{name}.svg" alt="The start of {title}">'
        items.append(f'<figure><a href="{link}">{picture}{title}</a></figure>')
    return (
        f"{_WIDE}# All games\n\nEach game has a page with its rules, a live board to play and "
        f'solve it, and counts of its moves.\n\n<div class="diagrams">{"".join(items)}</div>\n'
    )
