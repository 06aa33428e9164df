"""The rules' net in a page: its tables, and the moves that they number."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...game.notation.move_text import format_move, named_squares
from ...game.picture.scene import Scene
from ...game.state import State
from ...propnet.gate_tables import Tables
from ...propnet.kernel import kernel
from ...propnet.reachable_nets import net_for
from ...propnet.web_kernel import web_kernel
from ...runtime.budget import MOST_RULES_IN_PLAY, Budget
from ...runtime.errors import AspgamesError

if TYPE_CHECKING:
    from ...solver.search.puzzle_tables import PuzzleTables

ENGINE_SCRIPTS = ["net.js", "net_game.js", "engine.js"]
"""The scripts for play beyond a puzzle's lines."""

Numbers = npt.NDArray[np.int32]

_LEAST_REPEATED = 6  # numbers of a repetition that is worth a copy
_MOST_CHARACTERS = 300_000  # of the net beside a puzzle


def kernel_numbers() -> str:
    """The script with the numbers of ``aspgames.h``, and the names of structures' members.

    The structures have members of one size, 64 bits in ``node_report`` and 32 bits in ``family``,
    where WebAssembly's pointers count as numbers.
    """
    ffi = kernel().ffi
    enums = [f"enum aspgames_{name}" for name in ("status", "mode", "verdict", "turns", "place")]
    found: dict[str, Any] = {
        name.removeprefix("ASPGAMES_"): number
        for enum in enums
        for name, number in ffi.typeof(enum).relements.items()
    }
    for name in ("node_report", "family"):
        found[name] = [member for member, _ in ffi.typeof(f"struct {name}").fields]
    return f"const KERNEL = {json.dumps(found)};"


def kernel_text() -> str:
    """The kernel in base 64."""
    return b64encode(zlib.compress(web_kernel(), 9)).decode()


def packed(data: Any) -> str:
    """JSON, deflated and in base 64."""
    text = json.dumps(data, separators=(",", ":"))
    return b64encode(zlib.compress(text.encode(), 9)).decode()


def page_part(name: str, text: str) -> str:
    """Packed data as a part of a page, which unpacks it when it is asked for."""
    return f'<script type="text/plain" id="{name}">{text}</script>'


def engine_parts(engines: Sequence[str]) -> str:
    """The nets beside puzzles, and the kernel, as parts of a page; empty without a net."""
    parts = [page_part(f"engine-{n}", text) for n, text in enumerate(engines) if text]
    return "".join([*parts, page_part("kernel", kernel_text())]) if parts else ""


def net_beside(state: State, budget: Budget) -> tuple[list[str], str] | None:
    """The fluents of the net for play from a state, and the net, packed.

    Returns None if the kernel is missing, or the net is too large for a page that has a puzzle.
    """
    try:
        web_kernel()
        net = net_for(state.game.rules, state.facts, MOST_RULES_IN_PLAY, budget)
    except AspgamesError:
        budget.check()
        return None
    tables = net.tables(state.game.nets.marked)
    names = tables.names
    data = {
        "open": len(names.fluents),
        "moves": list(net_moves(state.scene, tables)),
        "blocks": packed_blocks([block_of(tables)]),
    }
    text = packed(data)
    return ([*names.fluents, *names.certain], text) if len(text) <= _MOST_CHARACTERS else None


def net_moves(scene: Scene, tables: Tables) -> Iterator[list[object]]:
    """Each move: its role's number, its term, its text (plain and marked), and its squares."""
    names, forms = tables.names, scene.vocabulary.notation
    for role, (first, end) in enumerate(zip(names.bounds[::2], names.bounds[1::2], strict=True)):
        for term in names.terms[first:end]:
            squares = named_squares(forms, term)
            texts = [format_move(forms, term, occupied) for occupied in ((), squares)]
            yield [role, term, *texts, [f"{x},{y}" for x, y in squares]]


def block_of(tables: Tables | PuzzleTables) -> Numbers:
    """The numbers of tables."""
    size = kernel().numbers(tables.address, 2)[1]
    return np.array(kernel().numbers(tables.address, size), np.int32)


def packed_blocks(blocks: Sequence[Numbers]) -> dict[str, Any]:
    """Blocks of numbers as text; ``unpacked`` in ``net_game.js`` is the inverse.

    The differences of neighbours repeat at long distances, which zlib doesn't see. So longer
    repetitions become copies (LZ77, Ziv and Lempel 1977), and zlib packs the rest byte by byte.
    """
    steps = np.diff(np.concatenate(blocks), prepend=np.int32(0))
    data = steps.tobytes()
    numbers = steps.tolist()
    places: dict[bytes, int] = {}
    kept: list[int] = []
    copies: list[int] = []
    at = begun = 0
    while at < len(numbers):
        key = data[4 * at : 4 * (at + _LEAST_REPEATED)]
        found = places.get(key)
        places[key] = at
        if found is None:
            at += 1
            continue
        length = _LEAST_REPEATED
        while at + length < len(numbers) and numbers[found + length] == numbers[at + length]:
            length += 1
        kept += numbers[begun:at]
        copies += at - begun, length, at - found
        at = begun = at + length
    kept += numbers[begun:]
    return {
        "lengths": [len(block) for block in blocks],
        "kept": len(kept),
        "text": b64encode(zlib.compress(_bytes_apart(kept) + _bytes_apart(copies), 9)).decode(),
    }


def _bytes_apart(numbers: Sequence[int]) -> bytes:
    """The lowest byte of each number, then the second, and so on; signs are in the lowest bit."""
    values = np.array(numbers, np.int32)
    folded = (values << 1) ^ (values >> 31)
    return folded.view(np.uint8).reshape(-1, 4).T.tobytes()
