"""Reading ``.lp`` files: includes, and parsing without clingo's traps.

Includes are resolved here, beside the including file first and among the encodings that come with
aspgames second (clingo itself would look into the current directory first, where anything might
lie).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from clingo import ast

from .errors import RulesError
from .symbols import depth

_DEEPEST = 200
_SKIPPED = r'%\*[^\0]*?\*%|%[^\n\0]*|"(?:\\.|[^"\\\n\0])*"'  # comments and strings
_INCLUDE = re.compile(rf'#include\s+"([^"\n]+)"\s*\.|{_SKIPPED}')
_QUIET = re.compile(_SKIPPED)
# What clingo would fetch from elsewhere, run, or not survive, and why it is refused.
_STRANGE = {
    r"[^\x01-\x7f]": "may only stand in strings and comments",
    r"#include": "must name a file in quotes",
    r"#script": "can't be used: scripts inside an encoding are not run",
    r"@": "can't be used: there are no external functions",
}


@dataclass(frozen=True)
class Source:
    """One file of an encoding: where it was found, and its text with the includes taken out."""

    path: Path
    text: str


@cache
def encodings_folder() -> Path:
    """The folder of the encodings that come with aspgames: in the package, or beside ``src``."""
    installed = Path(str(resources.files("aspgames"))) / "encodings"
    return installed if installed.is_dir() else Path(__file__).parents[2] / "encodings"


def is_file(path: Path) -> bool:
    """Whether there is such a file; a name that no file can have is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def read_sources(path: Path) -> tuple[Source, ...]:
    """A file and all that it includes, included ones first, each once. Raises ``RulesError``."""
    sources: dict[Path, Source] = {}
    _collect(path, sources, ())
    return tuple(sources.values())


def parse(source: Source) -> Iterator[ast.AST]:
    """The statements of a source, without comments. Raises ``RulesError`` with file and line."""
    bare = _QUIET.sub(_blank, source.text)
    for pattern, why in _STRANGE.items():
        if found := re.search(pattern, bare):
            raise _at(source.path, bare, found.start(), f"{found[0]!r} {why}")
    if "\0" in source.text:
        raise _at(source.path, source.text, source.text.index("\0"), "there is a NUL character")
    if depth(bare) > _DEEPEST:
        raise RulesError(f"{source.path}: parentheses are nested more than {_DEEPEST} deep")
    messages: list[str] = []
    statements: list[ast.AST] = []
    try:
        ast.parse_string(source.text, statements.append, logger=lambda _, m: messages.append(m))
    except RuntimeError as error:
        message = next(iter(messages), str(error)).replace("<string>", str(source.path))
        raise RulesError(" ".join(message.split())) from None
    for statement in statements:
        if statement.ast_type is not ast.ASTType.Comment:
            yield _located(statement, str(source.path))


def _collect(path: Path, sources: dict[Path, Source], including: tuple[Path, ...]) -> None:
    if path in including:
        raise RulesError(f"{path} includes itself")
    if path in sources:
        return
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise RulesError(f"{path} can't be read: {reason}") from None
    for match in _INCLUDE.finditer(text):
        if not match[1]:
            continue  # a comment or a string
        candidates = [folder / match[1] for folder in (path.parent, encodings_folder())]
        found = next((file for file in candidates if is_file(file)), None)
        if found is None:
            raise _at(path, text, match.start(), f"there is no file {match[1]!r} to include")
        _collect(found.resolve(), sources, (*including, path))
    sources[path] = Source(path, _INCLUDE.sub(lambda m: _blank(m) if m[1] else m[0], text))


def _blank(found: re.Match[str]) -> str:
    """Nothing but a match's line breaks, so that lines keep their numbers."""
    return "\n" * found[0].count("\n")


def _at(path: Path, text: str, place: int, what: str) -> RulesError:
    line = text.count("\n", 0, place) + 1
    return RulesError(f"{path}:{line}: {what}")


def _located(statement: ast.AST, name: str) -> ast.AST:
    """The statement with the file's name in its location, for clingo's messages."""
    begin, end = statement.location.begin, statement.location.end
    statement.location = ast.Location(
        ast.Position(name, begin.line, begin.column), ast.Position(name, end.line, end.column)
    )
    return statement
