"""Reading encodings: the files of a game, its program parts and its constants.

An encoding is an ``.lp`` file and the files it includes. Includes are resolved here, beside the
including file first and among the encodings that come with aspgames second (clingo itself would
look into the current directory first, where anything might lie).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path

import clingo
from clingo import ast

from .errors import BadConstant, RulesError, UnknownGame
from .symbols import parse_symbol

Constants = Mapping[str, int | str]

_QUIET = re.compile(r'%\*[^\0]*?\*%|%[^\n\0]*|"(?:\\.|[^"\\\n\0])*"')  # comments and strings
_INCLUDE = re.compile(r'%.*|#include[ \t]+"([^"\n]+)"[ \t]*\.')


def encodings_folder() -> Path:
    """The folder of the encodings that come with aspgames: in the package, or beside ``src``."""
    installed = Path(str(resources.files("aspgames"))) / "encodings"
    return installed if installed.is_dir() else Path(__file__).parents[2] / "encodings"


def builtin_names() -> list[str]:
    """The games that come with aspgames, sorted."""
    return sorted(file.stem for file in encodings_folder().glob("*.lp"))


@dataclass(frozen=True)
class Source:
    """One file of an encoding: where it was found, and its text with the includes taken out."""

    path: Path
    text: str


@dataclass(frozen=True)
class Encoding:
    """A game's files, included ones first. Two encodings are equal when their files' texts are."""

    name: str
    """The file's stem: what the game is called."""
    reference: str
    """What to load it by: the name of a built-in game, else the file's absolute path."""
    sources: tuple[Source, ...]

    @cached_property
    def fingerprint(self) -> str:
        """A hexadecimal SHA-256 of the files' names and texts."""
        digest = hashlib.sha256()
        for source in self.sources:
            digest.update(f"{source.path.name}\0{source.text}\0".encode())
        return digest.hexdigest()

    @cached_property
    def parts(self) -> Mapping[str, tuple[ast.AST, ...]]:
        """The statements of each ``#program`` part: ``base``, ``board``, ``position``, …"""
        parts: dict[str, list[ast.AST]] = {}
        for source in self.sources:
            part = parts.setdefault("base", [])
            for statement in _parse(source):
                if statement.ast_type is ast.ASTType.Program:
                    part = parts.setdefault(statement.name, [])
                elif statement.ast_type is not ast.ASTType.Comment:
                    part.append(statement)
        return {name: tuple(statements) for name, statements in parts.items()}

    @cached_property
    def constants(self) -> Constants:
        """The constants that ``#const`` defines, with their default values."""
        found: dict[str, int | str] = {}
        for statements in self.parts.values():
            for statement in statements:
                if statement.ast_type is ast.ASTType.Definition:
                    found.setdefault(statement.name, constant_value(str(statement.value)))
        return dict(sorted(found.items()))

    def statements(self, *parts: str) -> tuple[ast.AST, ...]:
        """The statements of some parts; every constant's definition is among them."""
        chosen = [s for part in parts for s in self.parts.get(part, ())]
        elsewhere = [
            s
            for part, statements in self.parts.items()
            if part not in parts
            for s in statements
            if s.ast_type is ast.ASTType.Definition
        ]
        return tuple(elsewhere + chosen)

    def settle_constants(self, given: Constants) -> Constants:
        """All constants with the values in force.

        Raises ``BadConstant`` for a name that the encoding doesn't define.
        """
        for name in given:
            if name not in self.constants:
                has = ", ".join(self.constants) or "none"
                raise BadConstant(f"{self.name} has no constant {name!r} (it has: {has})")
        values = {name: constant_value(value) for name, value in given.items()}
        return dict(self.constants) | values


def constant_value(value: object) -> int | str:
    """A constant's value as Python has it: a whole number, or any other ground term as text."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise BadConstant(f"{value!r} is no value of a constant: give a whole number or a name")
    symbol = parse_symbol(str(value))
    if symbol is None:
        raise BadConstant(f"{str(value)[:60]!r} is no value of a constant")
    return symbol.number if symbol.type is clingo.SymbolType.Number else str(symbol)


def read_encoding(reference: str) -> Encoding:
    """Read a game by the name of a built-in one or by the path of an ``.lp`` file.

    Raises ``UnknownGame`` if there is none, ``RulesError`` if a file can't be read.
    """
    if reference in builtin_names():
        path = encodings_folder() / f"{reference}.lp"
    elif reference.endswith(".lp"):
        path = Path(reference).absolute()
        if not path.is_file():
            raise UnknownGame(f"there is no file {reference}")
        reference = str(path)
    else:
        near = get_close_matches(reference, builtin_names(), n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(builtin_names())}"
        raise UnknownGame(f"there is no game {reference[:80]!r}; {hint}")
    sources: dict[Path, Source] = {}
    _collect(path, sources, ())
    return _encoding(path.stem, reference, tuple(sources.values()))


@lru_cache(maxsize=64)
def _encoding(name: str, reference: str, sources: tuple[Source, ...]) -> Encoding:
    """One object for the same texts, so that they are parsed once."""
    return Encoding(name, reference, sources)


def _collect(path: Path, sources: dict[Path, Source], including: tuple[Path, ...]) -> None:
    """Add a file, after what it includes; a file that is included twice counts once."""
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
            continue  # a comment
        candidates = [folder / match[1] for folder in (path.parent, encodings_folder())]
        found = next((file for file in candidates if file.is_file()), None)
        if found is None:
            line = text.count("\n", 0, match.start()) + 1
            raise RulesError(f"{path}:{line}: there is no file {match[1]} to include")
        _collect(found.resolve(), sources, (*including, path))
    sources[path] = Source(path, _INCLUDE.sub(lambda found: "" if found[1] else found[0], text))


def _parse(source: Source) -> Iterator[ast.AST]:
    # clingo stops reading at a NUL, and the process dies where a message quotes half a character.
    bare = _QUIET.sub(lambda found: "\n" * found[0].count("\n"), source.text)
    strange = next((c for c in bare if not c.isascii() or c == "\0"), None)
    if strange:
        line = bare.count("\n", 0, bare.index(strange)) + 1
        raise RulesError(
            f"{source.path}:{line}: {strange!r} may only stand in strings and comments"
        )
    messages: list[str] = []
    statements: list[ast.AST] = []
    try:
        ast.parse_string(source.text, statements.append, logger=lambda _, m: messages.append(m))
    except RuntimeError as error:
        message = next(iter(messages), str(error)).replace("<string>", str(source.path))
        raise RulesError(" ".join(message.split())) from None
    for statement in statements:
        if statement.ast_type is ast.ASTType.Script:
            raise RulesError(f"{source.path}: scripts inside an encoding are not run")
        yield statement
