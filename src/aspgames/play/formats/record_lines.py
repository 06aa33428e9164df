"""JSON lines: a record or a position on each line, as ``aspgames convert --json`` writes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

from ...game.game import Game
from ...game.notation.joint_moves import format_joint
from ...runtime.errors import AspgamesError, BadRecord
from ...runtime.json_lines import JsonObject, decode, encode, read_lines
from ..game_record import OWN_TAGS, Record, changed_constants
from .format import FileEntry, Format, write_lines

_KINDS = {"game": str, "const": dict, "position": str, "moves": list, "headers": dict}


def read(stream: IO[bytes], game: Game | None = None) -> Iterator[FileEntry]:
    """The records and positions of a file; ``game`` is that of lines that don't name theirs."""
    for number, line in enumerate(read_lines(stream), start=1):
        if line is not None and not line.strip():
            continue
        try:
            found = decode(line)
            if "error" in found:
                raise BadRecord(str(found["error"]))
            if not found.keys() & {"moves", "position", "fen", "facts"}:
                raise BadRecord("the object has no moves and no position")
            headers = found.get("headers", {})
            is_position = "moves" not in found
            yield FileEntry(number, _record(found, game), headers=headers, is_position=is_position)
        except AspgamesError as error:
            message = str(error).replace("the line is", "this is")
            yield FileEntry(number, error=BadRecord(message, number))


def _record(found: JsonObject, game: Game | None) -> Record:
    own: JsonObject = {"const": {}, "moves": [], "headers": {}}
    if game:
        own |= {"game": game.encoding.reference, "const": changed_constants(game)}
    if found.get("game", game and game.name) != (game and game.name):
        own |= {"game": found["game"], "const": {}}
    facts = found.get("facts")
    given = (" ".join(map(str, facts)) or "empty") if isinstance(facts, list) else None
    own["position"] = found.get("fen") or given or "startpos"
    found = own | {name: value for name, value in found.items() if name != "game"}
    for key, kind in _KINDS.items():
        if not isinstance(found.get(key), kind):
            raise BadRecord(f"{key} is missing, or of the wrong kind")
    moves = tuple(format_joint(m) if isinstance(m, dict) else m for m in found["moves"])
    if not all(isinstance(move, str) for move in moves):
        raise BadRecord("moves are texts, or objects with a move for each role")
    tags = {n: str(v) for n, v in found["headers"].items() if n not in (*OWN_TAGS, "SetUp")}
    goals: Any = found.get("result")
    if not (isinstance(goals, dict) and all(isinstance(v, int) for v in goals.values())):
        goals = None  # the JSON of a match tells the result in words, too
    return Record(
        found["game"], moves, found["const"], found["position"], goals, tags=tags, adjudicated=True
    )


JSON_LINES = Format(
    "jsonl",
    (".jsonl", ".json"),
    "JSON lines: a record or a position on each line",
    read,
    write_lines(lambda played: encode(played.report) + "\n"),
)
