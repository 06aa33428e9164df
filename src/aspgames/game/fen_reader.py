"""Reads many FENs at once as rows of a game's net.

Each rank is read once. One circuit, of the rules that refuse positions, checks all positions.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt

from ..asp.grounding import parse_statements
from ..asp.statements import needed_rules, rule_of
from ..gdl.reasoner import Rules
from ..propnet.circuit import FALSE, TRUE, Circuit, build, needed
from ..propnet.gate_tables import Tables
from ..propnet.open_grounding import OpenProgram
from ..runtime.errors import AspgamesError, BadPosition
from .board import Board
from .notation.fen import read_fields, read_rank

_STATES = 1 << 12  # checked at a time
_MOST_KEPT = 1 << 20  # texts of ranks
_INVALID = parse_statements("""
goal("invalid",1) :- refused(_,_).
goal("invalid",1) :- default(F), not true(F).
""")
_ASKED = {("refused", 2), ("default", 1)}

Flags = npt.NDArray[np.bool_]


class FenReader:
    """Reads FENs as rows of a net. Texts that need more care get None."""

    def __init__(self, rules: Rules, board: Board, tables: Tables) -> None:
        self._rules, self._board, self._tables = rules, board, tables
        names = tables.names
        self._bits = {f: 1 << n for n, f in enumerate((*names.fluents, *names.certain))}
        self._known: dict[tuple[int, str], int | None] = {}

    def rows(self, texts: Sequence[str]) -> Iterator[bytes | None]:
        """The row of each text, in order.

        It is None for anything but a FEN with all fields, for a wrong position, and for one that
        the net doesn't know.
        """
        for first in range(0, len(texts), _STATES):
            found = list(map(self._row, texts[first : first + _STATES]))
            size = self._tables.row_bytes
            packed = b"".join(row or bytes(size) for row in found)
            columns = np.frombuffer(packed, np.uint8).reshape(len(found), size).T
            invalid = self._invalid(columns)
            yield from (None if wrong else r for r, wrong in zip(found, invalid, strict=True))

    def _row(self, text: str) -> bytes | None:
        placed, _, fields = text.partition(" ")
        ranks = placed.split("/")
        if len(ranks) != self._board.height:
            return None
        bits = self._bits_of(0, fields)
        for y, rank in zip(range(len(ranks), 0, -1), ranks, strict=True):
            more = self._bits_of(y, rank)
            if bits is None or more is None:
                return None
            bits |= more
        fluents = self._tables.fluents
        if bits is None or bits >> fluents != (1 << len(self._bits) - fluents) - 1:
            return None
        return (bits & (1 << fluents) - 1).to_bytes(self._tables.row_bytes, "little")

    def _bits_of(self, y: int, text: str) -> int | None:
        """The fluents of a rank, or of the fields (0), as bits."""
        if (y, text) not in self._known:
            if len(self._known) > _MOST_KEPT:
                self._known.clear()
            try:
                read = partial(read_rank, self._board, y) if y else partial(_fields, self._board)
                self._known[y, text] = sum(self._bits[fact] for fact in set(read(text)))
            except (BadPosition, KeyError):
                self._known[y, text] = None
        return self._known[y, text]

    @cached_property
    def _check(self) -> tuple[Circuit, int] | None:
        """A circuit, and its literal for positions that are refused, or lack a fluent."""
        encoding, constants, names = self._rules.encoding, self._rules.constants, self._tables.names
        try:
            statements = encoding.checked(constants, "base", "board", "position")
            rules = needed_rules(list(map(rule_of, statements)), _ASKED)
            program = OpenProgram([*(rule.statement for rule in rules), *_INVALID], constants)
            circuit, outputs = build(program.ground(names.certain, names.fluents, closed=False))
        except AspgamesError:
            return None
        return None if circuit.loops else (circuit, outputs.goal.get(('"invalid"', 1), FALSE))

    def _invalid(self, columns: npt.NDArray[np.uint8]) -> Flags:
        """Whether each position is invalid, given the bytes of all rows; True if unknown."""
        count = columns.shape[1]
        if self._check is None:
            return np.ones(count, np.bool_)
        circuit, output = self._check
        values = {TRUE: np.ones(count, np.bool_)}
        inputs = {node: self._bits[f].bit_length() - 1 for f, node in circuit.true.items()}

        def literal(number: int) -> Flags:
            return values[number] if number > 0 else ~values[-number]

        for node in sorted(needed(circuit, [output]) - {TRUE}):
            if node in inputs:
                number = inputs[node]
                values[node] = (columns[number >> 3] >> (number & 7) & 1).astype(np.bool_)
            else:
                values[node] = np.logical_and.reduce([literal(n) for n in circuit.gates[node]])
        return literal(output)


def _fields(board: Board, text: str) -> list[str]:
    return read_fields(board, text.split())
