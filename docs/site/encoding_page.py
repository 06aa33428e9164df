"""The page of an encoding: its comments as prose, its rules as code with the lines of the file."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate, groupby
from pathlib import Path

_RULER = re.compile(r"% -{3,}\s*(.*?)\s*-*$")
_TITLE = re.compile(r'^title\("(.*)"\)\.$', re.MULTILINE)
_INCLUDE = re.compile(r'#include "(.*)"\.')
_PROGRAM = re.compile(r"#program (.*)\.")
_MARKED = re.compile(r"(#?\b[a-z]\w*(?:/\d+|\([^()]*\)))|[*_<>`\[\]\\]")
"""A predicate, set as code; or a character that Markdown would read as its own."""
Line = tuple[int, str]


def encoding_page(file: Path) -> str:
    """The Markdown text of an encoding's page."""
    text = file.read_text()
    title = _TITLE.search(text)
    parts = [f"# {title[1] if title else file.stem.replace('_', ' ').capitalize()}"]
    parts.append(f"This page is the file [`{file.name}`](<{file.name}>), read aloud.")
    lines = text.splitlines()
    # A blank line belongs to what is above it: rules without a comment between them are one block.
    kinds: Iterable[str] = accumulate(map(_kind, lines), lambda above, kind: kind or above)
    numbered = zip(kinds, enumerate(lines, start=1), strict=True)
    for kind, part in groupby(numbered, key=lambda line: line[0]):
        parts += _PARTS[kind]([line for _, line in part], file)
    return "\n\n".join(parts) + "\n"


def _kind(line: str) -> str:
    """What a line is: a heading, prose, an include, a rule, or nothing (``""``)."""
    if _RULER.match(line) or _PROGRAM.match(line):
        return "heading"
    if line.startswith("%"):
        return "prose"
    if _INCLUDE.match(line):
        return "include"
    return "rule" if line.strip() else ""


def _headings(lines: list[Line], _file: Path) -> Iterator[str]:
    """A ruler with words in it is a heading; one without only stands above ``#program``."""
    for _, line in lines:
        if program := _PROGRAM.match(line):
            yield f"## `#program {program[1]}`"
        elif words := _RULER.sub(r"\1", line):
            yield f"## {words[0].upper()}{words[1:]}"


def _prose(lines: list[Line], _file: Path) -> Iterator[str]:
    """Comments; predicates in them are set as code."""
    text = "\n".join(line.lstrip("% ") for _, line in lines)
    yield _MARKED.sub(lambda found: f"`{found[1]}`" if found[1] else rf"\{found[0]}", text)


def _includes(lines: list[Line], file: Path) -> Iterator[str]:
    """What is included, beside the file or else in the folder of the built-in games."""
    links = []
    for name in _INCLUDE.findall("\n".join(line for _, line in lines)):
        folders = (file.parent, *(folder / "encodings" for folder in file.parents))
        included = next(folder / name for folder in folders if (folder / name).is_file())
        links.append(f"[`{name}`]({os.path.relpath(included, file.parent)})")
    yield f"Includes {', '.join(links)}."


def _rules(lines: list[Line], _file: Path) -> Iterator[str]:
    """Rules as they stand, with their lines' numbers."""
    code = "\n".join(line for _, line in lines).rstrip()
    yield f'```prolog linenums="{lines[0][0]}"\n{code}\n```'


_PARTS: dict[str, Callable[[list[Line], Path], Iterator[str]]] = {
    "heading": _headings,
    "prose": _prose,
    "include": _includes,
    "rule": _rules,
    "": lambda _lines, _file: iter(()),
}
