"""The page of a training book: an index, and puzzles to solve by moving pieces."""

import json
import re
from collections.abc import Sequence
from html import escape
from typing import Any

from ...runtime.json_lines import JsonObject
from .page_net import ENGINE_SCRIPTS, engine_parts, page_part
from .page_template import embedded, filled, read

_SCRIPTS = ["board.js", "player.js", *ENGINE_SCRIPTS, "proof.js", "lesson.js", "cards.js"]
_SEEN = ("board", "ranks", "layout", "contents")  # of a look, by the scripts


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
    rules_of = {str(found["card"]["game"]): str(found.get("rules", "")) for found in entries}
    data: dict[str, Any] = {
        "title": title,
        "cards": cards,
        "looks": [{name: look[name] for name in _SEEN} for look in shown],
    }
    places = {
        "title": escape(title),
        "boards": "".join(_drawn(look, number) for number, look in enumerate(shown)),
        "data": embedded(data),
        "rules": "".join(_rules(*rules) for rules in rules_of.items()),
        "page": "training",
        "without": "this page has no puzzles",
        "actions": read("actions.html"),
        "list": "details",
        "summary": "<summary>The moves as a list</summary>",
        "puzzles": "".join(
            page_part(f"puzzle-{at}", found["data"]) for at, found in enumerate(entries)
        ),
    }
    engines = engine_parts([found.get("engine", "") for found in entries])
    places["puzzles"] += engines
    styles = ["page.css", "training.css", "".join([night, *styles])]
    styles = [style for style in styles if style]
    return filled("training.html", places, styles, [*_SCRIPTS, "training.js"], bool(engines))


def _rules(game: str, rules: str) -> str:
    summary = f"<summary>The rules of {escape(game)}</summary>"
    return f'<details class="rules">{summary}{rules}</details>' if rules else ""


def _drawn(look: JsonObject, number: int) -> str:
    """A board with unique names of its shapes, so that one page can have many boards."""
    svg = str(look.get("svg", ""))
    svg = re.sub(r'(id="|href="#)((?:piece|shape)-)', rf"\1look-{number}-\2", svg)
    return f'<div id="look-{number}">{svg}</div>' if svg else ""
