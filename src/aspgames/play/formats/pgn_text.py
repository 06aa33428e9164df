"""The text of PGN: games one by one, each with tags, moves and a result, as a stream.

It knows no rules. What is wrong in one game doesn't concern the next one.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field

RESULTS = {"1-0": (100, 0), "0-1": (0, 100), "1/2-1/2": (50, 50), "1/2": (50, 50)}
UNFINISHED = "*"
_ENDS = {UNFINISHED, *RESULTS}
_PLAIN = str.maketrans({"½": "1/2", **dict.fromkeys("‐‑‒–—−", "-")})  # noqa: RUF001
"""What PGN writes for other halves and dashes in a result."""

_TAG = re.compile(r'\s*\[\s*([A-Za-z0-9_][\w+#=:-]*)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')
_LOOSE_TAG = re.compile(r'\s*\[\s*([A-Za-z0-9_][\w+#=:-]*)\s+"(.*)"\s*\]\s*\Z')
_TOKEN = re.compile(
    r"""\{[^{}]*\} | ;[^\n]* | \d+[ \t]*(?:\.+|…)\.* | \s+ | \$\d+
    | (?P<move>(?:"(?:[^"\\\x00-\x1f]|\\[^\x00-\x1f])*"|[^\s{};"])+)
    | (?P<open>\{) | (?P<wrong>.)""",
    re.VERBOSE,
)
_IGNORED = re.compile(r"(?:[!?+#=/]|\+-|-\+)+\Z|e\.?p\.?\Z|\.+\Z|…\Z")
_MOST_CHARACTERS = 1 << 24  # characters of one game


@dataclass
class PgnGame:
    """One game of a file."""

    line: int
    tags: dict[str, tuple[int, str]] = field(default_factory=dict)
    """The tags, each with its line."""
    moves: list[str] = field(default_factory=list)
    result: str | None = None
    """The result at the end of the moves."""
    error: tuple[int, str] | None = None
    """What is wrong first, with its line."""
    text: str = ""
    """The text that has the moves ..."""
    text_line: int = 0
    """... its line ..."""
    places: list[int] = field(default_factory=list)
    """... and the place of each move in it."""

    def line_of(self, ply: int) -> int:
        """The line of a move, by its place among the moves."""
        if ply >= len(self.places):
            return self.line
        return self.text_line + self.text.count("\n", 0, self.places[ply])

    def drop_numbers(self) -> None:
        """Leave out numbers of moves without a full stop."""
        kept = [ply for ply, move in enumerate(self.moves) if not move.isdecimal()]
        self.places = [self.places[ply] for ply in kept]
        self.moves = [self.moves[ply] for ply in kept]

    def fail(self, line: int, message: str) -> None:
        """Note what is wrong, unless something is already."""
        self.error = self.error or (line, message)


def read_games(lines: Iterable[bytes | None], ends: Container[str] = _ENDS) -> Iterator[PgnGame]:
    """The games of a file, one after the other; ``None`` marks a line that is too long.

    ``ends`` are the results that end a game.
    """
    game, text, first, size = PgnGame(0), list[str](), 0, 0
    inside = gap = False  # within a comment; after an empty line
    for number, raw in enumerate(lines, start=1):
        if raw is None:
            game.fail(number, "the line is too long")
            continue
        line = raw.decode("utf-8", "surrogateescape")
        line = line.removeprefix("\ufeff") if number == 1 else line
        start = line.lstrip()
        if line.startswith("%") and not inside:
            line = start = "\n"
        # A comment that isn't closed ends where the tags of another game begin.
        is_tag = start.startswith("[") and (not inside or (gap and bool(_TAG.fullmatch(line))))
        if is_tag:
            if text:
                yield from _with_moves(game, "".join(text), first, ends)
                game, text, size = PgnGame(0), [], 0
            inside = False
            for name, value in _tags(line):
                if name in game.tags and (name == "Game" or gap):
                    yield game
                    game = PgnGame(0)
                gap = False
                game.line = game.line or number
                if not name:
                    game.fail(number, 'a tag is written as [Name "value"]')
                elif name in game.tags:
                    game.fail(number, f"the tag {name} is there twice")
                else:
                    plain = value.translate(_PLAIN) if name == "Result" else value
                    game.tags[name] = number, plain
            continue
        gap = not start
        if start or text:
            if not text:
                first = number
                game.line = game.line or number
            size += len(line)
            if size > _MOST_CHARACTERS:
                game.fail(first, f"the game is longer than {_MOST_CHARACTERS:,} characters")
            else:
                text.append(line)
            if "{" in line or "}" in line:
                inside = line.rfind("{") > line.rfind("}")
    if game.line:
        yield from _with_moves(game, "".join(text), first, ends)


def _tags(line: str) -> Iterator[tuple[str, str]]:
    """The tags of a line; an empty name stands for one that is malformed."""
    place = 0
    while place < len(line.rstrip()):
        found = _TAG.match(line, place) or (None if place else _LOOSE_TAG.match(line))
        if not found:
            yield "", ""
            return
        yield found[1], _shown(re.sub(r"\\(.)", r"\1", found[2]))
        place = found.end()


def _shown(text: str) -> str:
    """A text whose bytes were no UTF-8 is one of Latin-1, as old files are."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape").decode("latin-1")
    return text


def _with_moves(game: PgnGame, text: str, first: int, ends: Container[str]) -> Iterator[PgnGame]:
    """The game with the moves of a text, and further games without tags after a result."""
    game.text, game.text_line = text, first
    depth = place = 0
    while place < len(text):
        token = _TOKEN.match(text, place)
        assert token is not None
        begun, place = place, token.end()
        if (move := token["move"]) is not None:
            opened = move.count("(") - move.count(")")
            if depth or move[0] == "(" or move == ")":
                depth = max(0, depth + opened)
                continue
            if opened > 0:  # a variation begins within the word
                place = begun + move.index("(")
                move = text[begun:place]
            if not move.isascii() and (plain := _shown(move).translate(_PLAIN)) in ends:
                move = plain
            if game.result is not None and move not in ends:
                yield game
                game = PgnGame(first + text.count("\n", 0, begun), text=text, text_line=first)
            if move in ends:
                game.result = game.result or move
            elif not _IGNORED.match(move):
                game.moves.append(move)
                game.places.append(begun)
        elif token["open"]:
            place = _end_of_comment(text, begun)
            if not place:
                game.fail(first + text.count("\n", 0, begun), _NO_END.format("{"))
                break
        elif token["wrong"]:
            game.fail(first + text.count("\n", 0, begun), _NO_END.format(token[0]))
            break
    for ply, move in enumerate(game.moves):
        if not move.isascii() and move != _shown(move):
            game.fail(game.line_of(ply), "this is not UTF-8 text")
    if game.tags or game.moves or game.error or game.result:  # more than a comment
        yield game


_NO_END = "this has no end, or no beginning: {}"


def _end_of_comment(text: str, begun: int) -> int:
    """The end of a comment with further braces in it; 0 if it has none.

    Braces that match are nested; else the first closing brace ends the comment.
    """
    depth = 0
    for brace in re.compile("[{}]").finditer(text, begun):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return brace.end()
    return text.find("}", begun) + 1
