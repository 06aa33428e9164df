"""Symmetries of a game that its rules show: mirrors and turns of a board.

A symmetry says where each fluent goes, so that what is true of a state is true of its image.
Numbers in terms are taken for coordinates, which is no more than a guess. What counts is the
circuit: with its inputs renamed, each output must be the same expression as the output that it goes
to. Goals and the end of the game go to themselves, so that roles are never exchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from typing import TypeVar

from .circuit import TRUE, Circuit
from .net import Net

Permutation = tuple[int, ...]
"""Where each fluent goes, by the numbers of the fluents."""
Point = tuple[int, int]
Key = TypeVar("Key")

_NUMBER = re.compile(r"(?<=[(,])-?[0-9]+(?=[,)])")
_MOST_WORK = 4_000_000  # gates that are looked at for one guess
_MOST = 64


def symmetries(net: Net) -> tuple[Permutation, ...]:
    """The symmetries of a closed net, all but the identity; together with it they are a group."""
    rounds = sum(len(loop.variables) * (loop.end - loop.first) for loop in net.circuit.loops)
    if net.circuit.size + rounds > _MOST_WORK:
        return ()
    own = _outputs(net, lambda term: term)
    numbers = {fluent: number for number, fluent in enumerate(net.fluents)}
    found: set[Permutation] = set()
    for goes in _guesses(net.fluents):
        places = tuple(numbers.get(goes(fluent), -1) for fluent in net.fluents)
        is_permutation = sorted(places) == list(range(len(places)))
        if is_permutation and places not in found and _is_symmetry(net, goes, own):
            found.add(places)
    return _group(found, len(numbers))


def _guesses(fluents: Sequence[str]) -> Iterator[Callable[[str], str]]:
    """Mirrors and turns of a board whose coordinates are pairs of numbers in terms.

    A number that is left over stays, or is a coordinate along the board.
    """
    numbers = [list(map(int, _NUMBER.findall(fluent))) for fluent in fluents]
    xs = [x for each in numbers for x in each[: len(each) // 2 * 2 : 2]]
    ys = [y for each in numbers for y in each[1::2]]
    if not xs:
        return
    width, height = min(xs) + max(xs), min(ys) + max(ys)
    moved: list[tuple[Callable[[int, int], Point], bool]] = [
        (lambda x, y: (width - x, y), True),
        (lambda x, y: (x, height - y), False),
        (lambda x, y: (width - x, height - y), True),
        (lambda x, y: (y, x), False),
        (lambda x, y: (y, width - x), False),
        (lambda x, y: (height - y, x), False),
        (lambda x, y: (height - y, width - x), False),
    ]
    for point, turns_back in moved:
        yield partial(_renamed, point, lambda x: x)
        if turns_back:
            yield partial(_renamed, point, lambda x: width - x)


def _renamed(point: Callable[[int, int], Point], single: Callable[[int], int], term: str) -> str:
    """A term with its pairs of numbers moved, and the last one by itself if it is left over."""
    numbers = list(map(int, _NUMBER.findall(term)))
    pairs = zip(numbers[::2], numbers[1::2], strict=False)
    moved = [n for pair in pairs for n in point(*pair)]
    if len(moved) < len(numbers):
        moved.append(single(numbers[-1]))
    left = iter(moved)
    return _NUMBER.sub(lambda _: str(next(left)), term)


def _is_symmetry(net: Net, goes: Callable[[str], str], own: Mapping[str, bytes]) -> bool:
    """Whether each output, with renamed inputs, is the output that it goes to."""
    renamed = _outputs(net, goes)
    return len(renamed) == len(own) and all(own.get(k) == v for k, v in renamed.items())


def _outputs(net: Net, goes: Callable[[str], str]) -> dict[str, bytes]:
    """The expressions of all outputs, by what they go to, with inputs renamed."""
    marks = _expressions(net.circuit, goes)

    def of(literal: int) -> bytes:
        return _negated(marks[-literal]) if literal < 0 else marks[literal]

    outputs, fluents = net.outputs, set(net.fluents)
    found = {f"next {goes(f)}": of(n) for f, n in outputs.next.items() if f in fluents}
    found |= {f"legal {role} {goes(m)}": of(n) for (role, m), n in outputs.legal.items()}
    found |= {f"goal {role} {value}": of(n) for (role, value), n in outputs.goal.items()}
    return found | {"terminal": of(outputs.terminal)}


def _expressions(circuit: Circuit, goes: Callable[[str], str]) -> list[bytes]:
    """A digest of each node's expression, the same for the same expression of the same inputs.

    The variables of a loop are as many rounds of it as there are: that is its least fixpoint.
    """
    marks = [b""] * (circuit.size + 1)
    marks[TRUE] = _digest(b"true")
    false = _negated(marks[TRUE])
    for fluent, node in circuit.true.items():
        marks[abs(node)] = _digest(b"fluent", goes(fluent).encode())
    for (role, move), node in circuit.does.items():
        marks[abs(node)] = _digest(b"does", role.encode(), goes(move).encode())
    gates = circuit.gates
    loops = {loop.first: loop for loop in circuit.loops}

    def of(literal: int) -> bytes:
        return _negated(marks[-literal]) if literal < 0 else marks[literal]

    def compute(first: int, end: int) -> None:
        for node in range(first, end):
            if node in gates:
                marks[node] = _digest(b"and", *sorted(map(of, gates[node])))

    for loop in circuit.loops:
        for variable in loop.variables:
            marks[variable] = false
    node = TRUE + 1
    while node <= circuit.size:
        if node not in loops:
            compute(node, node + 1)
            node += 1
            continue
        loop = loops[node]
        for _ in loop.variables:
            compute(loop.first, loop.end)
            for variable, mark in zip(
                loop.variables, [of(literal) for literal in loop.definitions], strict=True
            ):
                marks[variable] = mark
        compute(loop.first, loop.end)
        node = max(loop.end, node + 1)
    return marks


def _digest(*parts: bytes) -> bytes:
    return blake2b(b"\0".join(parts), digest_size=16).digest()


def _negated(mark: bytes) -> bytes:
    """The digest of a negation: its own inverse."""
    return bytes(255 - byte for byte in mark)


def _group(found: set[Permutation], size: int) -> tuple[Permutation, ...]:
    """All that follows from some symmetries, one after another; none, if these are too many."""
    identity = tuple(range(size))
    group, waiting = {identity}, [identity]
    while waiting:
        one = waiting.pop()
        for other in found:
            both = tuple(other[place] for place in one)
            if both not in group:
                group.add(both)
                waiting.append(both)
        if len(group) > _MOST:
            return ()
    return tuple(sorted(group - {identity}))
