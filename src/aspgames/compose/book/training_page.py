"""The page of a training book: an index, and puzzles to solve by moving pieces."""

import json
import re
from collections.abc import Sequence
from html import escape
from typing import Any

from ...runtime.json_lines import JsonObject
from .page_template import embedded, filled, read

_SCRIPTS = ["board.js", "player.js", "proof.js", "lesson.js", "cards.js", "training.js"]


def training_book(entries: Sequence[JsonObject], title: str) -> str:
    """The page of a training book, as self-contained HTML, from the entries of ``entry``."""
    looks: dict[str, int] = {}
    cards = []
    for found in entries:
        number = looks.setdefault(json.dumps(found["look"], sort_keys=True), len(looks))
        cards.append(found["card"] | {"look": number})
    shown = [json.loads(look) for look in looks]
    styles = [look["stones"].replace("look-N", f"look-{n}") for n, look in enumerate(shown)]
    night = next((look["night"] for look in shown if "night" in look), "")
    data: dict[str, Any] = {
        "title": title,
        "cards": cards,
        "looks": [{name: look[name] for name in ("board", "layout", "contents")} for look in shown],
    }
    places = {
        "title": escape(title),
        "boards": "".join(_drawn(look, number) for number, look in enumerate(shown)),
        "data": embedded(data),
        "page": "training",
        "without": "this page has no puzzles",
        "actions": read("actions.html"),
        "list": "details",
        "summary": "<summary>The moves as a list</summary>",
        "puzzles": "".join(_puzzle(found["data"], at) for at, found in enumerate(entries)),
    }
    styles = ["page.css", "training.css", "".join([night, *styles])]
    return filled("training.html", places, [style for style in styles if style], _SCRIPTS)


def _puzzle(data: str, place: int) -> str:
    """A puzzle, which the page unpacks when it is opened."""
    return f'<script type="text/plain" id="puzzle-{place}">{data}</script>'


def _drawn(look: JsonObject, number: int) -> str:
    """A board with unique names of its shapes, so that one page can have many boards."""
    svg = str(look.get("svg", ""))
    svg = re.sub(r'(id="|href="#)((?:piece|shape)-)', rf"\1look-{number}-\2", svg)
    return f'<div id="look-{number}">{svg}</div>' if svg else ""
