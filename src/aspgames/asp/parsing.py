"""Parses ``.lp`` files, without the traps of clingo's parser."""

import atexit
import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping

from clingo import ast

from ..runtime.budget import UNLIMITED
from ..runtime.errors import RulesError
from .clingo_c import type_of
from .nodes import span_of
from .sources import Source, refusal
from .terms import LARGEST, depth

_DEEPEST = 200
_MOST_OPERATORS = 250  # of one term; its depth is as large
_LONG_EXPRESSION = rf"(?:(?:[-+*/\\~&?^]|\.\.)[\s\w()|@]*){{{_MOST_OPERATORS + 1}}}"
_NUMBER = r"(?<!\w)(?:0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+|[0-9]+)"
# Constructs that make clingo read other files, run code or crash, and why they are refused.
_STRANGE = {
    r"[^\x01-\x7f]": "may only stand in strings and comments",
    r"#include": "must name a file in quotes",
    r"#script": "can't be used: scripts inside an encoding are not run",
    r"@": "can't be used: there are no external functions",
}
# The reasoners read the atoms, so ``#show`` statements are dropped.
_DISPLAY = {ast.ASTType.ShowSignature, ast.ASTType.ShowTerm}


@atexit.register
def _release_no_more() -> None:
    """Don't release statements when Python ends; the system frees the memory.

    Python clears modules in the reverse order of their imports. Modules that keep games are
    imported before clingo, so clingo is already gone when their statements are released.
    """
    with contextlib.suppress(AttributeError):
        del ast.AST.__del__


def parse_parts(sources: Iterable[Source]) -> Mapping[str, tuple[ast.AST, ...]]:
    """The statements of each ``#program`` part: ``base``, ``board``, ``position``, …"""
    parts: dict[str, list[ast.AST]] = {}
    for source in sources:
        part = parts.setdefault("base", [])
        for statement in parse(source):
            if type_of(statement) is ast.ASTType.Program:
                part = parts.setdefault(statement.name, [])
            elif type_of(statement) not in _DISPLAY:
                part.append(statement)
    return {name: tuple(statements) for name, statements in parts.items()}


def parse(source: Source, comments: bool = False) -> Iterator[ast.AST]:
    """The statements, perhaps with comments. Raises ``RulesError`` with file and line."""
    bare = source.bare
    for pattern, why in _STRANGE.items():
        if found := re.search(pattern, bare):
            raise refusal(source.path, bare, found.start(), f"{found[0]!r} {why}")
    if "\0" in source.text:
        place = source.text.index("\0")
        raise refusal(source.path, source.text, place, "there is a NUL character")
    if depth(bare) > _DEEPEST:
        raise RulesError(f"{source.path}: parentheses are nested more than {_DEEPEST} deep")
    for number in re.finditer(_NUMBER, bare):
        if int(number[0], 0 if number[0][1:2].isalpha() else 10) > LARGEST:
            what = f"{number[0][:20]} is too large: numbers go up to {LARGEST:,}"
            raise refusal(source.path, bare, number.start(), what)
    if found := re.search(_LONG_EXPRESSION, bare):
        what = f"a term has more than {_MOST_OPERATORS} operators"
        raise refusal(source.path, bare, found.start(), what)
    messages: list[str] = []
    statements: list[ast.AST] = []
    try:
        ast.parse_string(source.text, statements.append, logger=lambda _, m: messages.append(m))
    except RuntimeError as error:
        UNLIMITED.check()  # clingo may lose the exception of a Ctrl-C within a call from it
        message = next(iter(messages), str(error)).replace("<string>", source.name)
        message = " ".join(message.split())
        full = _without_full_stop(source, message) or message + _prolog(source, message)
        raise RulesError(full) from None
    for statement in statements:
        if comments or type_of(statement) is not ast.ASTType.Comment:
            yield _located(statement, source.name)


def _without_full_stop(source: Source, message: str) -> str:
    found = re.search(r":(\d+):(\d+)\S* error: (syntax error, unexpected (\S+?),?)(?: |$)", message)
    if not found or (found[4] not in (":-", "EOF", "not", "<IDENTIFIER>") and found[4][0] != "#"):
        return ""
    row, column = int(found[1]), int(found[2])
    lines = source.bare.split("\n")[: row - 1]
    text = source.text.split("\n")[row - 1 : row]
    if found[4] != ":-" and any(line[: column - 1].strip() for line in text):
        return ""  # the error is within a line
    before = "\n".join(lines)
    ends = [stop.end() for stop in re.finditer(r"(?<!\.)\.(?!\.)", before)]
    start = ends[-1] if ends else 0
    rest = before[start:]
    if not rest.strip() or any(rest.count(a) != rest.count(b) for a, b in ("()", "{}")):
        return ""
    first = before.count("\n", 0, start + len(rest) - len(rest.lstrip())) + 1
    what = f"the full stop of this rule is missing before line {row}: {found[3].rstrip(',')}"
    return f"{source.name}:{first}: {what}"


def _prolog(source: Source, message: str) -> str:
    """What to write in place of Prolog's signs in a line with a syntax error."""
    found = re.search(r":(\d+):\d+\S* error: syntax error", message)
    lines = source.bare.split("\n")[int(found[1]) - 1 :][:1] if found else []
    signs = any(re.search(r"\\[+=]", line) for line in lines)
    return r" (Prolog's \+ is written not, and \= is !=)" if signs else ""


def place_of(statement: ast.AST) -> str:
    """The file and line of a statement, as in messages."""
    span = span_of(statement)
    return f"{span.file}:{span.first}"


def _located(statement: ast.AST, name: str) -> ast.AST:
    begin, end = statement.location.begin, statement.location.end
    statement.location = ast.Location(
        ast.Position(name, begin.line, begin.column), ast.Position(name, end.line, end.column)
    )
    return statement
