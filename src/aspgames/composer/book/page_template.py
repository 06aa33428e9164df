"""Self-contained pages, filled from templates.

The page's policy names the hashes of its script and style, so no text of a user's game can run.
"""

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from html import escape
from importlib import resources
from typing import Any

from ..._version import __version__
from ...runtime.errors import BadRequest
from .page_net import kernel_numbers

_OTHER_SCHEME = re.compile(r"(?!https?:)[A-Za-z][A-Za-z0-9+.-]*:")
_FOLDER = resources.files(__package__)


def embedded(data: Any) -> str:
    """JSON for a script element; it can't contain the element's end."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def filled(
    template: str,
    values: Mapping[str, str],
    styles: Sequence[str],
    scripts: Sequence[str],
    computes: bool = False,
) -> str:
    """A page: the file of its body with texts in the places ``{{name}}``, styles and scripts.

    Scripts are file names. So are styles, unless they contain a brace. ``computes``: whether the
    scripts run WebAssembly, and workers of their own.
    """
    style = "\n".join(text if "{" in text else read(text) for text in styles)
    script = "\n".join([*([kernel_numbers()] if computes else []), *map(read, scripts)])
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"style-src {_hash(style)}; script-src {_hash(script)}"
    )
    if computes:
        policy += " 'wasm-unsafe-eval'; worker-src blob:"
    page = _fill(read("page.html"), {"body": read(template).rstrip()})
    for part in ("game_head", "player"):
        page = _fill(page, {part: read(f"{part}.html").rstrip()})
    places = {"actions": "", "list": "div", "summary": "", "puzzles": "", "board": ""}
    places |= {"version": __version__, "policy": policy, "style": style, "script": script}
    return _fill(page, {**places, **values})


def link_bar(links: Sequence[str]) -> str:
    """Links to other pages, each given as ``TEXT=URL``, as HTML. Raises ``BadRequest``."""
    shown = []
    for link in links:
        text, _, target = link.partition("=")
        if not (text and target) or _OTHER_SCHEME.match(target):
            raise BadRequest(
                f"--link {link}: give TEXT=URL, a URL of http or https, or a file beside the page"
            )
        shown.append(f'<a href="{escape(target)}">{escape(text)}</a>')
    bar = f'<nav class="links" aria-label="Other pages">{" ".join(shown)}</nav>\n'
    return bar if shown else ""


def with_bar(page: str, bar: str) -> str:
    """A page with such links at its end."""
    return page.replace("<noscript>", f"{bar}<noscript>", 1)


def _fill(template: str, places: Mapping[str, str]) -> str:
    return re.sub(r"\{\{(\w+)\}\}", lambda place: places.get(place[1], place[0]), template)


def read(name: str) -> str:
    """The text of a file of this package."""
    return _FOLDER.joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
