"""JSON lines: reading, writing, and errors as answers."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from types import NoneType, UnionType
from typing import IO, Any, get_args, get_origin, get_type_hints, is_typeddict

from .errors import AspgamesError, BadJson, LimitReached, one_line

JsonObject = dict[str, Any]

_LONGEST_LINE = 1 << 21  # bytes; clingo never frees texts


def read_lines(stream: IO[bytes]) -> Iterator[bytes | None]:
    """The lines of a stream as they arrive. ``None`` marks a line that exceeds the length limit."""
    while line := stream.readline(_LONGEST_LINE):
        if len(line) < _LONGEST_LINE or line.endswith(b"\n"):
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(_LONGEST_LINE)
        yield None


def read_texts(stream: IO[bytes]) -> Iterator[str | None]:
    """The lines of a stream as texts; ``None`` marks one that is too long or not UTF-8."""
    for line in read_lines(stream):
        try:
            yield None if line is None else line.decode()
        except UnicodeDecodeError:
            yield None


def decode(line: bytes | None) -> JsonObject:
    """The JSON object of a line. Raises ``BadJson``, or ``LimitReached`` for a line too long."""
    if line is None:
        raise LimitReached(f"the line is longer than {_LONGEST_LINE} bytes")
    try:
        found = json.loads(line.decode("utf-8-sig"), parse_constant=_refuse, parse_float=_number)
    except UnicodeDecodeError as error:
        raise BadJson(f"the line is not UTF-8 text (byte {error.start + 1})") from None
    except ValueError as error:
        raise BadJson(f"the line is not JSON: {error}") from None
    except RecursionError:
        raise BadJson("the line nests too deeply") from None
    if not isinstance(found, dict):
        raise BadJson("the line is JSON, but not an object")
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a JSON number")


def _number(text: str) -> float | str:
    """A number. A number that is too large stays a text: JSON answers can't contain infinity."""
    number = float(text)
    return number if math.isfinite(number) else text


def is_of(value: Any, kind: Any) -> bool:
    """Whether a value from JSON has a type, such as ``list[int]``, a ``TypedDict`` or a dataclass.

    Tuples are lists there.
    """
    origin, of = get_origin(kind), get_args(kind)
    if kind is Any:
        return True
    if origin is UnionType:
        return any(is_of(value, each) for each in of)
    if origin in (list, Sequence) or (origin is tuple and of[-1] is ...):
        return isinstance(value, list) and all(is_of(each, of[0]) for each in value)
    if origin is tuple:
        same = isinstance(value, list) and len(value) == len(of)
        return same and all(map(is_of, value, of))
    if origin in (dict, Mapping):
        return isinstance(value, dict) and all(is_of(each, of[1]) for each in value.values())
    if is_typeddict(kind) or is_dataclass(kind):
        fields = get_type_hints(kind).items()
        return isinstance(value, dict) and all(is_of(value.get(name), of) for name, of in fields)
    return type(value) is kind or (kind is float and type(value) is int)


def from_json(kind: Any, value: Any) -> Any:
    """A value of a type, such as a dataclass, from JSON made of its ``asdict``."""
    if kind in (int, str, bool):
        return kind(value)
    origin, of = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and is_dataclass(kind):
        types = get_type_hints(kind)
        return kind(**{name: from_json(types[name], each) for name, each in value.items()})
    if NoneType in of:
        return None if value is None else from_json(of[0], value)
    if origin is Mapping:
        return {from_json(of[0], key): from_json(of[1], each) for key, each in value.items()}
    if origin is tuple and of[-1] is not ...:
        return tuple(map(from_json, of, value))
    assert origin in (tuple, frozenset)
    return origin(from_json(of[0], each) for each in value)


def encode(answer: Any) -> str:
    """An answer as one line of JSON."""
    return json.dumps(answer)


def error_report(error: Exception) -> JsonObject:
    """The answer to a request that failed."""
    if isinstance(error, AspgamesError):
        return {"error": one_line(str(error)), "kind": error.kind}
    if isinstance(error, RecursionError | MemoryError):
        return {"error": "the request is too large", "kind": "limit"}
    return {"error": f"a defect of aspgames: {error!r}"[:500], "kind": "bad_request"}
