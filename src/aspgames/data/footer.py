"""Parquet files joined as they are: one footer for what several have.

A Parquet file is its data and, at the end, a footer that says where each part of the data lies. So
files of the same columns that stand one after the other are one file, if a footer at the end says
where all parts lie then. It is written in Thrift's compact protocol, of which this reads and writes
what it needs: https://github.com/apache/parquet-format has the fields, by number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

MAGIC = b"PAR1"

_ROWS, _GROUPS = 3, 4  # of the file's metadata
_COLUMNS, _FILE_OFFSET, _ORDINAL = 1, 5, 7  # of a group of rows
_OFFSETS_OF_COLUMN = (2, 4, 6)  # its own, and those of its indices
_METADATA = 3
_OFFSETS_OF_METADATA = (9, 10, 11, 14)  # of its pages, and of its filter

_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 12
_NUMBERS = (4, 5, 6)

Struct = dict[int, tuple[int, Any]]
"""The fields of a struct, by number: the type of each, and its value."""


def footer_bytes(tail: bytes) -> int:
    """How long the footer of a file is, of whose bytes these are the last eight.

    Raises ``ValueError`` if it is no whole Parquet file.
    """
    if len(tail) < 8 or tail[-4:] != MAGIC:
        raise ValueError("it doesn't end as Parquet files do")
    return int.from_bytes(tail[-8:-4], "little") + 8


def joined(footers: Iterable[tuple[int, bytes]]) -> bytes:
    """The footer for files one after the other: where each begins, and its own footer."""
    whole: Struct = {}
    rows, groups = 0, []
    for begin, footer in footers:
        found = _Reader(footer[:-8]).struct()
        whole = whole or found
        rows += found[_ROWS][1]
        groups += [_moved(group, begin) for group in found[_GROUPS][1][1]]
    whole[_ROWS] = (whole[_ROWS][0], rows)
    whole[_GROUPS] = (_LIST, (_STRUCT, groups))
    written = b"".join(_struct(whole))
    return written + len(written).to_bytes(4, "little") + MAGIC


def _moved(group: Struct, by: int) -> Struct:
    """A group of rows that lies so much further on."""
    _add(group, (_FILE_OFFSET,), by)
    group.pop(_ORDINAL, None)  # its number in the file, which may be left out
    for column in group[_COLUMNS][1][1]:
        _add(column, _OFFSETS_OF_COLUMN, by)
        _add(column[_METADATA][1], _OFFSETS_OF_METADATA, by)
    return group


def _add(struct: Struct, fields: tuple[int, ...], by: int) -> None:
    for field in fields:
        kind, value = struct.get(field, (0, 0))
        if value:  # 0: there is none
            struct[field] = (kind, value + by)


class _Reader:
    """Reads one struct after the other."""

    def __init__(self, data: bytes) -> None:
        self._data, self._place = data, 0

    def struct(self) -> Struct:
        found: Struct = {}
        number = 0
        while head := self._byte():
            step, kind = head >> 4, head & 15
            number = number + step if step else self._number()
            found[number] = (kind, kind == _TRUE if kind in (_TRUE, _FALSE) else self._value(kind))
        return found

    def _value(self, kind: int) -> Any:
        if kind in _NUMBERS:
            return self._number()
        if kind == _BINARY:
            return self._bytes(self._unsigned())
        if kind == _STRUCT:
            return self.struct()
        if kind in (_LIST, _SET):
            head = self._byte()
            size = head >> 4 if head >> 4 < 15 else self._unsigned()
            return head & 15, [self._value(head & 15) for _ in range(size)]
        if kind in (_TRUE, _FALSE, _BYTE):  # each a byte in lists
            return self._byte()
        if kind == _DOUBLE:
            return self._bytes(8)
        raise ValueError("a footer of Parquet has nothing of this kind")

    def _byte(self) -> int:
        self._place += 1
        return self._data[self._place - 1]

    def _bytes(self, size: int) -> bytes:
        self._place += size
        return self._data[self._place - size : self._place]

    def _unsigned(self) -> int:
        found = shift = 0
        while True:
            byte = self._byte()
            found |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return found

    def _number(self) -> int:
        found = self._unsigned()
        return found >> 1 ^ -(found & 1)


def _struct(struct: Struct) -> Iterator[bytes]:
    before = 0
    for number, (kind, value) in sorted(struct.items()):
        kind = (_TRUE if value else _FALSE) if kind in (_TRUE, _FALSE) else kind
        if number - before < 16:
            yield bytes([number - before << 4 | kind])
        else:
            yield bytes([kind]) + _number(number)
        before = number
        if kind not in (_TRUE, _FALSE):
            yield from _value(kind, value)
    yield b"\0"


def _value(kind: int, value: Any) -> Iterator[bytes]:
    if kind in _NUMBERS:
        yield _number(value)
    elif kind == _BINARY:
        yield _unsigned(len(value)) + value
    elif kind == _STRUCT:
        yield from _struct(value)
    elif kind in (_LIST, _SET):
        inner, items = value
        size = len(items)
        yield bytes([min(size, 15) << 4 | inner]) + (_unsigned(size) if size >= 15 else b"")
        for item in items:
            yield from _value(inner, item)
    else:
        yield bytes([value]) if isinstance(value, int) else value


def _number(value: int) -> bytes:
    return _unsigned(2 * value if value >= 0 else -2 * value - 1)


def _unsigned(value: int) -> bytes:
    found = bytearray()
    while value >= 128:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])
