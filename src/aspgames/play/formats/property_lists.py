"""The text of SGF and GGF: games as trees of nodes, and nodes as lists of properties.

``(;GM[11]SZ[5];B[a1];W[b2](;B[c3])(;B[d4]))``. Of several branches the first one is the game. Games
are read one by one, and what is wrong in one of them doesn't concern the next one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import IO

from ...game.game import Game
from ...runtime.errors import AspgamesError, BadRecord
from ..game_record import Record
from .format import FileEntry, Read

Node = list[tuple[str, str]]
"""The properties of a node, in order; one with several values is there several times."""

_MOST_CHARACTERS = 1 << 22  # characters of one game
_TOKEN = re.compile(r"\s+|([A-Za-z]+)|\[((?:[^\]\\]|\\.)*)\]|([();])|(.)", re.DOTALL)
_OPENING = re.compile(r"\(\s*;\s*(?:CA|EV|FF|GM)\[")


def tree_reader(record: Callable[[Node, Game, dict[str, str]], Record], *moves: str) -> Read:
    """A function that reads the games of a stream, without the text before and between them.

    ``record`` makes a game's record from all properties, and from those of the first node without
    ``moves``, or raises ``AspgamesError``.
    """

    def read(stream: IO[bytes], game: Game | None = None) -> Iterator[FileEntry]:
        assert game is not None
        for line, text in _games(stream):
            nodes, error = _nodes(text)
            headers = {name: value for node in nodes[:1] for name, value in node}
            headers = {name: value for name, value in headers.items() if name not in moves}
            try:
                if error:
                    raise BadRecord(error)
                made = record([pair for node in nodes for pair in node], game, headers)
                yield FileEntry(line, made, headers=made.tags)
            except AspgamesError as wrong:
                yield FileEntry(line, error=BadRecord(str(wrong), line), headers=headers)

    return read


def _games(stream: IO[bytes]) -> Iterator[tuple[int, str]]:
    """The text of each game, from its first parenthesis to its last, with its line.

    A game that isn't closed ends where a line begins another one, or with the file.
    """
    text, first, depth, in_value, escape = list[str](), 0, 0, False, False
    size = 0
    for number, raw in enumerate(stream, start=1):
        line = old_text(raw)
        if depth and _OPENING.match(line):
            yield first, "".join(text)
            text, depth, in_value, escape, size = [], 0, False, False, 0
        begin = 0
        for place, mark in enumerate(line):
            if not depth:
                if mark == "(":
                    first, depth, begin = number, 1, place
            elif escape:
                escape = False
            elif in_value:
                escape, in_value = mark == "\\", mark != "]"
            elif mark == "[":
                in_value = True
            elif mark == "(":
                depth += 1
            elif mark == ")":
                depth -= 1
                if not depth:
                    yield first, "".join([*text, line[begin : place + 1]])
                    text, size = [], 0
        if depth:
            size += len(line)
            if size <= _MOST_CHARACTERS:
                text.append(line[begin:])
    if depth:
        yield first, "".join(text)


def _nodes(text: str) -> tuple[list[Node], str]:
    """The nodes of a game's main line, and what is wrong."""
    nodes, name, depth = list[Node](), "", 0
    place = 0
    while place < len(text):
        token = _TOKEN.match(text, place)
        assert token is not None
        place = token.end()
        word, value, mark, wrong = token.groups()
        if wrong is not None:
            shown = repr(text[token.start() : token.start() + 20])
            return nodes, f"this value has no end, or is none: {shown}"
        if mark == "(":
            depth += 1
        elif mark == ")":
            return nodes, ""  # the end of the first branch
        elif mark == ";":
            nodes.append([])
        elif word is not None:
            name = "".join(letter for letter in word if letter.isupper())
        elif value is not None:
            if not nodes or not name:
                return nodes, f"this value has no property: [{value[:20]}]"
            unescaped = re.sub(r"\\(\r\n|\n\r|.)", lambda m: m[1].strip("\r\n"), value, flags=re.S)
            nodes[-1].append((name, unescaped))
    return nodes, "the game has no end"


def properties_text(properties: Mapping[str, str]) -> str:
    """The properties whose names fit, with one value each."""
    escaped = {name: re.sub(r"([\]\\])", r"\\\1", text) for name, text in properties.items()}
    fits = re.compile("[A-Z]{1,2}").fullmatch
    return "".join(f"{name}[{text}]" for name, text in escaped.items() if fits(name))


def old_text(content: bytes) -> str:
    """The text of a file or a line; one that isn't UTF-8 is Latin-1, as in old files."""
    content = content.removeprefix(b"\xef\xbb\xbf")
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("latin-1")
