"""Files of chess problems: Popeye's input, Olive's YAML, entries of YACPDB, FENs with stipulations.

Olive's files and YACPDB's entries have the same fields: https://github.com/dturevski/olive-gui,
``yacpdb/schemas/yacpdb-entry.md``. Each piece, option and twin is as in Popeye's input.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...asp.terms import shorten
from ...runtime.call_arguments import optional_package
from ...runtime.errors import BadRequest
from ...runtime.json_lines import JsonObject
from .popeye_fens import fen_problem, first_side
from .popeye_input import read_problems
from .popeye_problem import PopeyeProblem
from .popeye_twins import twins
from .popeye_words import OPTIONS, meaning

_COLOURS = ("white", "black", "neutral")
_FEN = re.compile(r"(?P<fen>\S+(?:/\S+){7}(?: [wb](?: (?:-|[KQkqA-Ha-h]+))?(?: (?:-|[a-h][36]))?"
                  r"(?: [0-9]+){0,2})?) +(?P<stipulation>\S+)(?P<rest>.*)")  # fmt: skip
_INT = "tag:yaml.org,2002:int"
_KNIGHTS = {ord("N"): "S", ord("n"): "s"}


def problems_in(text: str) -> Iterator[PopeyeProblem]:
    """The problems of a file, with their twins, in order; the text shows what kind of file it is.

    A problem's line is where its entry begins. Raises ``BadRequest`` for text of no such kind.
    """
    rows = filter(str.strip, text.splitlines())
    start = next((row.strip() for row in rows if row[0] != "#"), "")
    if not start:
        raise BadRequest("there is no problem: the text is empty, or has comments alone")
    if start[:1] in ("{", "["):
        entries = _json_entries(text)
    elif _FEN.match(start):
        yield from read_problems("\n".join(map(_from_fen, text.splitlines())))
        return
    elif start == "---" or re.search("^algebraic:", text, re.MULTILINE):
        entries = _yaml_entries(text)
    else:
        yield from read_problems(text)
        return
    line = number = 0
    for at, entry in entries:
        line, number = at, number + 1 if at == line else 1
        yield from twins(_from_entry(entry, line, number))
    if not line:
        raise BadRequest("there is no problem: an entry has its pieces in 'algebraic'")


def _from_fen(row: str) -> str:
    if not row.strip() or row.startswith("#"):
        return ""
    found = _FEN.fullmatch(row.strip())
    if found is None:
        return f"BeginProblem Stipulation {row} EndProblem"
    fen, stipulation, rest = found["fen"], found["stipulation"], found["rest"]
    fen += "" if " " in fen else f" {first_side(stipulation)}"
    words = fen_problem(fen, stipulation, _KNIGHTS, []).replace("NoBoard", "").split()
    return " ".join([*words[:-1], rest, words[-1]])


def _json_entries(text: str) -> Iterator[tuple[int, JsonObject]]:
    """Each entry with its line: of JSON values in a row, or of the values of an array."""
    decoder, place, line = json.JSONDecoder(), 0, 1
    is_array = text.lstrip()[:1] == "["
    skipped = re.compile(r"[\s,\[\]]*" if is_array else r"\s*")
    try:
        if is_array:
            json.loads(text)
        while (end := skipped.match(text, place).end()) < len(text):  # type: ignore[union-attr]
            line += text.count("\n", place, end)
            value, place = decoder.raw_decode(text, end)
            for entry in _nested(value):
                yield line, entry
            line += text.count("\n", end, place)
    except RecursionError:
        raise BadRequest("the JSON nests too deeply") from None
    except json.JSONDecodeError as error:
        raise BadRequest(f"line {error.lineno}: this is not JSON: {error.msg}") from None


def _nested(value: object) -> Iterator[JsonObject]:
    if isinstance(value, dict) and "algebraic" in value:
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _nested(each)


def _yaml_entries(text: str) -> Iterator[tuple[int, JsonObject]]:
    """Each document with its line. Scalars are texts or numbers: ``01-02`` is no date."""
    yaml = optional_package("yaml", "a YAML file", "aspgames[yaml]")

    class Loader(getattr(yaml, "CBaseLoader", yaml.BaseLoader)):  # type: ignore[misc]
        """Reads whole numbers, so that they are written as such."""

    Loader.add_implicit_resolver(_INT, re.compile("[1-9][0-9]{0,8}$"), list("123456789"))
    Loader.add_constructor(_INT, lambda loader, node: int(loader.construct_scalar(node)))
    loader = Loader(text)
    try:
        while loader.check_node():
            node = loader.get_node()
            entry, line = loader.construct_document(node), node.start_mark.line + 1
            if not isinstance(entry, dict):
                raise BadRequest(f"line {line}: an entry has fields such as 'algebraic'")
            yield line, entry
    except RecursionError:
        raise BadRequest("the YAML nests too deeply") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}: " if mark else ""
        raise BadRequest(f"{where}this is not YAML: {getattr(error, 'problem', error)}") from None


def _from_entry(entry: Mapping[str, Any], line: int, number: int) -> PopeyeProblem:
    problem = PopeyeProblem(line, number=number, entry=dict(entry))
    try:
        _read_entry(problem, entry)
    except BadRequest as error:
        problem.error = problem.error or f"{problem.place_text()}: {error}"
    return problem


def _read_entry(problem: PopeyeProblem, entry: Mapping[str, Any]) -> None:
    def read(command: str, words: str) -> None:
        problem.read(problem.line, command, None)
        for word in words.split():
            problem.read(problem.line, command, word)

    problem.texts = {"author": _texts(entry, "authors")}
    source, award = entry.get("source"), entry.get("award")
    if source:
        problem.texts["origin"] = [_source(source)]
    if isinstance(award, Mapping) and award.get("distinction"):
        problem.texts["award"] = [str(award["distinction"])]
    algebraic = entry.get("algebraic")
    if not isinstance(algebraic, Mapping):
        raise BadRequest("'algebraic' has lists of pieces for white and black")
    placed = [f"{colour} {text}" for colour in _COLOURS for text in _texts(algebraic, colour)]
    read("pieces", " ".join(placed))
    read("stipulation", _text("stipulation", entry.get("stipulation", "")))
    for option in _texts(entry, "options"):
        first = (option.split() or [""])[0]
        read("option" if meaning(first, OPTIONS["english"]) else "condition", option)
    changes = entry.get("twins") or {}
    if not isinstance(changes, Mapping):
        raise BadRequest("'twins' has a change for each label")
    for label in sorted(changes):
        read("zeroposition" if label == "a" else "twin", _text("twins", changes[label]))


def _text(field: str, value: object) -> str:
    if not isinstance(value, str | int | float):
        raise BadRequest(f"{field!r} must be a text")
    return str(value)


def _texts(fields: Mapping[str, Any], name: str) -> list[str]:
    found = fields.get(name) or []
    if not isinstance(found, list):
        raise BadRequest(f"{name!r} must be a list, not {shorten(str(type(found).__name__))}")
    return [" ".join(_text(name, each).split()) for each in found]


def _source(source: object) -> str:
    if not isinstance(source, Mapping):
        return _text("source", source)
    date = source.get("date")
    if isinstance(date, Mapping):
        date = "-".join(str(date[part]) for part in ("year", "month", "day") if part in date)
    issue = "/".join(str(source[part]) for part in ("issue", "problemid") if source.get(part))
    return " ".join(map(str, filter(None, [source.get("name"), issue, date])))
