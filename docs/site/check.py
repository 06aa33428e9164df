"""What the generator doesn't see: whether every link of the built pages leads somewhere, and
whether a page loads anything from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

_ELSEWHERE = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
_OUTSIDE = re.compile(rf"(?:mailto|data|javascript):|{_ELSEWHERE.pattern}", re.IGNORECASE)
_STYLED = re.compile(rf"(?:url\(|@import)\s*[\"']?(?:{_ELSEWHERE.pattern})", re.IGNORECASE)


class _Page(HTMLParser):
    """The names, links and loaded files of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take down what an element is called, and where it leads."""
        given = {name: value for name, value in attrs if value is not None}
        self.names |= {given[name] for name in ("id", "name") if name in given}
        targets = [given[name] for name in ("href", "src", "data") if name in given]
        (self.links if tag == "a" else self.loads).extend(targets)


def troubles(site: Path) -> Iterator[str]:
    """A line for each link that leads nowhere and each file that is loaded from elsewhere."""
    for file in sorted(site.rglob("*.html")):
        page = _read(file)
        name = file.relative_to(site)
        yield from (f"{name} loads {target}" for target in page.loads if _ELSEWHERE.match(target))
        for target in page.links + page.loads:
            if not (_OUTSIDE.match(target) or _leads(site, file, target)):
                yield f"{name} has a link that leads nowhere: {target}"
    for file in sorted([*site.rglob("*.css"), *site.rglob("*.html")]):
        if _STYLED.search(file.read_text()):
            yield f"{file.relative_to(site)} loads a file from elsewhere"


@cache
def _read(file: Path) -> _Page:
    return _Page(file.read_text())


def _leads(site: Path, file: Path, target: str) -> bool:
    """Whether a link of a page leads to a file of the site, and to a place in it."""
    path, name = urldefrag(target)
    folder = site if path.startswith("/") else file.parent
    there = (folder / unquote(path).lstrip("/")).resolve() if path else file
    if not there.is_file():
        return False
    if not name or there.suffix != ".html" or there.parent == site / "play":
        return True  # a page to play reads its position from there
    return unquote(name) in _read(there).names
