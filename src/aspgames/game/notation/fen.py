"""FEN: ranks from the top, then fields, with the encoding's ``glyph`` and ``fen_field``."""

import re
from collections.abc import Iterable

from ...runtime.errors import BadPosition
from ..board import Board, square_name


def format_fen(board: Board, facts: Iterable[str]) -> str | None:
    """The FEN of a state's facts; None if a FEN can't express them."""
    ranks: dict[int, list[tuple[int, str]]] = {y: [] for y in board.ranks}
    fields: dict[int, str] = {}
    for fact in facts:
        if shown := board.letter(fact):
            (x, y), glyph = shown
            ranks[y].append((x, glyph))
        elif (field := board.field_texts.get(fact)) and field[0] not in fields:
            fields[field[0]] = field[1]
        else:
            return None
    if sorted(fields) != sorted(board.fields)[: len(fields)]:
        return None  # a field is missing before another
    texts = [format_rank(board, y, shown) for y, shown in ranks.items()]
    if None in texts:
        return None
    return " ".join(["/".join(filter(None, texts)), *(fields[n] for n in sorted(fields))])


def format_rank(board: Board, y: int, letters: Iterable[tuple[int, str]]) -> str | None:
    """A rank of a FEN, given the letters on its files; None if a FEN can't express them."""
    glyphs = {x: "#" for x, rank in board.holes if rank == y} if board.holes else {}
    for x, glyph in letters:
        if x in glyphs:
            return None
        glyphs[x] = glyph
    if board.empty and len(glyphs) != board.width:
        return None  # some square has no content
    if not glyphs:
        return str(board.width)
    line = "".join(glyphs.get(x, " ") for x in range(1, board.width + 1))
    return re.sub(" +", lambda run: str(len(run[0])), line)


def parse_fen(board: Board, text: str) -> tuple[str, ...]:
    """The facts of a FEN, sorted; fields may be missing. Raises ``BadPosition`` with the place."""
    placed, *rest = text.split()
    ranks = placed.split("/")
    rows = [_read_row(board, rank) for rank in ranks]
    widths = {len(row) for row in rows}
    if len(rows) != board.height or (len(widths) == 1 and widths != {board.width}):
        raise BadPosition(_other_size(board, rows))
    numbered = zip(board.ranks, ranks, strict=True)
    facts = [fact for y, rank in numbered for fact in read_rank(board, y, rank)]
    return tuple(sorted([*facts, *read_fields(board, rest)]))


def read_rank(board: Board, y: int, text: str) -> list[str]:
    """The facts of a rank, for empty squares, too, if the game has fluents for them.

    Raises ``BadPosition``.
    """
    contents = {**board.contents, **dict(zip(" ", board.empty[:1], strict=False))}
    row = _read_row(board, text)
    if len(row) != board.width:
        raise BadPosition(f"rank {y} has {len(row)} squares, not {board.width}")
    facts = []
    for x, glyph in enumerate(row, start=1):
        if (glyph == "#") != ((x, y) in board.holes):
            is_hole = "is not" if glyph == "#" else "is"
            raise BadPosition(f"{square_name((x, y))} {is_hole} off limits")
        if glyph in contents:
            facts.append(board.fluent((x, y), contents[glyph]))
    return facts


def _read_row(board: Board, row: str) -> str:
    squares, row = "", board.spelled(0, row)
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


def read_fields(board: Board, tokens: list[str]) -> list[str]:
    """The fluents of the fields; each field takes the longest of its texts that fits."""
    facts, left, missing = [], tokens, 0
    for number, texts in sorted(board.fields.items()):
        left = [*(board.spelled(number, text) for text in left[:1]), *left[1:]]
        fitting = [t for t in texts if left[: len(t.split())] == t.split()]
        if not fitting:
            missing = number
            break
        text = max(fitting, key=len)
        facts.append(texts[text])
        left = left[len(text.split()) :]
    forms = [form.split() for form in board.ignored]
    if left and not any(_has_form(left, form) for form in forms if form[1:] or not missing):
        if missing:
            place = len(tokens) - len(left)
            message = f"field {place + 2} of the FEN is {tokens[place][:60]!r}, not "
            raise BadPosition(message + board.form(missing))
        raise BadPosition(f"{' '.join(left)[:60]!r} at the end of the FEN means nothing here")
    return facts


def _has_form(tokens: list[str], form: list[str]) -> bool:
    """Whether tokens match a form; a number in the form stands for any number."""
    return len(tokens) == len(form) and all(
        token == mark or (token.isdecimal() and mark.isdecimal())
        for token, mark in zip(tokens, form, strict=True)
    )
