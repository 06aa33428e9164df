"""FEN: ranks from the top, then fields, with the encoding's ``glyph`` and ``fen_field``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...runtime.errors import BadPosition
from ..board import Board, square_name


def format_fen(board: Board, facts: Iterable[str]) -> str | None:
    """The FEN of a state's facts; None if a FEN can't express them."""
    glyphs = dict.fromkeys(board.holes, "#")
    fields: dict[int, str] = {}
    for fact in facts:
        if (shown := board.letter(fact)) and shown[0] not in glyphs:
            glyphs[shown[0]] = shown[1]
        elif (field := board.field_texts.get(fact)) and field[0] not in fields:
            fields[field[0]] = field[1]
        else:
            return None
    if board.empty and len(glyphs) != board.width * board.height:
        return None  # some square has no content
    if sorted(fields) != sorted(board.fields)[: len(fields)]:
        return None  # a field is missing before another
    ranks = []
    for y in range(board.height, 0, -1):
        line = "".join(glyphs.get((x, y), " ") for x in range(1, board.width + 1))
        ranks.append(re.sub(" +", lambda run: str(len(run[0])), line))
    return " ".join(["/".join(ranks), *(fields[number] for number in sorted(fields))])


def parse_fen(board: Board, text: str) -> tuple[str, ...]:
    """The facts of a FEN, sorted; fields may be missing. Raises ``BadPosition`` with the place."""
    placed, *rest = text.split()
    facts = [board.fluent(square, content) for square, content in _read_ranks(board, placed)]
    facts += _read_fields(board, rest)
    return tuple(sorted(facts))


def _read_ranks(board: Board, text: str) -> list[tuple[tuple[int, int], str]]:
    """The squares with their contents; empty squares, too, if the game has fluents for them."""
    contents = {**board.contents, **dict(zip(" ", board.empty[:1], strict=False))}
    rows = [_read_row(board, row) for row in text.split("/")]
    widths = {len(row) for row in rows}
    if len(rows) != board.height or (len(widths) == 1 and widths != {board.width}):
        raise BadPosition(_other_size(board, rows))
    found = []
    for y, row in zip(range(board.height, 0, -1), rows, strict=True):
        if len(row) != board.width:
            raise BadPosition(f"rank {y} has {len(row)} squares, not {board.width}")
        for x, glyph in enumerate(row, start=1):
            if (glyph == "#") != ((x, y) in board.holes):
                is_hole = "is not" if glyph == "#" else "is"
                raise BadPosition(f"{square_name((x, y))} {is_hole} off limits")
            if glyph in contents:
                found.append(((x, y), contents[glyph]))
    return found


def _read_row(board: Board, row: str) -> str:
    squares = ""
    for run, other in re.findall(r"([0-9]+)|(.)", row, re.DOTALL):
        if run:
            if len(run) > 3:
                raise BadPosition(f"no rank has {run[:20]} empty squares")
            squares += " " * int(run)
        elif other == "#" or other in board.contents:
            squares += other
        else:
            known = " ".join(sorted(board.contents))
            raise BadPosition(f"{other!r} in rank {row[:60]!r} is no piece (pieces are: {known})")
    return squares


def _other_size(board: Board, rows: list[str]) -> str:
    width = max(len(row) for row in rows)
    message = f"the FEN's board is {width} wide and {len(rows)} high, the game's is {board.size}"
    if board.constants and len({len(row) for row in rows}) == 1:
        wide, high = board.constants
        if wide.allows(width) and high.allows(len(rows)):
            message += f" (-c {wide.name}={width} -c {high.name}={len(rows)} would fit)"
    return message


def _read_fields(board: Board, tokens: list[str]) -> list[str]:
    """The fluents of the fields; each field takes the longest of its texts that fits."""
    facts = []
    for _, texts in sorted(board.fields.items()):
        fitting = [t for t in texts if tokens[: len(t.split())] == t.split()]
        if not fitting:
            break
        text = max(fitting, key=len)
        facts.append(texts[text])
        tokens = tokens[len(text.split()) :]
    if tokens and not any(_has_form(tokens, form.split()) for form in board.ignored):
        raise BadPosition(f"{' '.join(tokens)[:60]!r} at the end of the FEN means nothing here")
    return facts


def _has_form(tokens: list[str], form: list[str]) -> bool:
    """Whether tokens match a form; a number in the form stands for any number."""
    return len(tokens) == len(form) and all(
        token == mark or (token.isdecimal() and mark.isdecimal())
        for token, mark in zip(tokens, form, strict=True)
    )
