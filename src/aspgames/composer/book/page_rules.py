"""The rules of a game in a page, as people read them."""

import re
from html import escape
from itertools import groupby, takewhile

from ...asp.sources import Source
from ...game.game import Game

_NOT_ABOUT = re.compile(r"(Source|Squares)s?:|$")


def rules_html(game: Game) -> str:
    """The rules of all files of a game as HTML, the game's own file first."""
    sources = reversed(game.encoding.sources)
    return "".join(_rules(source) for source in sources if source.bare.strip())


def about(source: Source, title: str) -> str:
    """What a game is about: the comment at the head of its file, without its title and sources."""
    head = takewhile(lambda line: line.startswith("%"), source.text.splitlines())
    lines = takewhile(lambda line: not _NOT_ABOUT.match(line), (line.lstrip("% ") for line in head))
    said = " ".join(lines).removeprefix(f"{title}: ")
    return said[:1].upper() + said[1:]


def _rules(source: Source) -> str:
    """The rules of a file as HTML: comments as text, the rest as code, without the board's part."""
    text = source.text.partition("\n#program ")[0]
    shown = [f"<h3>{escape(source.path.name)}</h3>"]
    for is_text, lines in groupby(text.splitlines(), lambda line: line.startswith("%")):
        message = "\n".join(lines).strip("\n")
        if is_text:
            shown.append(f"<p>{escape(re.sub('(?m)^%[ -]*|[ -]*$', '', message))}</p>")
        elif message:
            shown.append(f"<pre>{escape(message)}</pre>")
    return "".join(shown)
