"""JSON lines: reading, writing, and errors as answers."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import IO, Any

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


def decode(line: bytes | None) -> JsonObject:
    """The JSON object of a line. Raises ``BadJson``, or ``LimitReached`` for a line too long."""
    if line is None:
        raise LimitReached(f"the line is longer than {_LONGEST_LINE} bytes")
    try:
        found = json.loads(line.decode(), parse_constant=_refuse, parse_float=_number)
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
