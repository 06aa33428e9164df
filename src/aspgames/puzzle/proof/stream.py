"""Checking streamed certificates: a node a line, in parts that any process can check.

Each line states its node's position and the turns for which the node holds. So a part needs only
its own lines and what the lines of its edges' targets state (``docs/certificates.md``). Those are
kept in a temporary file, not in memory.
"""

import gzip
import json
import math
import struct
import threading
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple

from ...asp.canonical import canonical
from ...game.game_rules import GameRules
from ...game.loading import SentGame
from ...runtime.budget import Budget
from ...runtime.errors import BadJson, BadRequest, LimitReached, Rejected
from ...runtime.json_lines import JsonObject
from ...runtime.workers.task_runner import TaskRunner
from .claim import MOST_BYTES, STREAM_VERSION, Claim, LoadGame, read_claim
from .plans import counterexample
from .stepper import State, Stepper
from .strategy import Arrival, Strategy, targets_of
from .verify import Proof, Verification, required, verified

MAGIC = b"\x1f\x8b"
"""The first bytes of a compressed file, and so of a streamed certificate."""
_LINES_A_PART = 2000  # lines
_PARTS_AHEAD = 16  # parts that wait for a process
_NUMBER_LIMIT = 1 << 31  # the limit on numbers of nodes and of turns
_SIDES = ("attack", "defence")


class NodeLine(NamedTuple):
    """A line of a stream."""

    side: str
    number: int
    """The number of the node among those of its side."""
    state: State
    """The fluents of the position that play can change, a bit each."""
    turns: float
    """The turns that the attacker may still begin after the position."""
    node: Any

    def stated(self, place: int = 0) -> "StatedPosition":
        """What the line states about its position."""
        turns = self.turns
        if self.node in ("goal", "over"):  # at any number of turns
            turns = -math.inf if self.side == "attack" else math.inf
        return StatedPosition(place, turns, self._attacks, self.state)

    @property
    def _attacks(self) -> bool:
        """Whether the attacker is on move, by the form of the node; the check finds out."""
        own = self.side == "attack"
        match self.node:
            case {"move": _} | {"moves": _} | {"plan": [str(), *_]}:
                return own
            case {"replies": _} | {"plan": [None, *_]}:
                return not own
        return bool(self.node == "turns")


class StatedPosition(NamedTuple):
    """A position and the turns for which it is proven, as a line states them."""

    place: int
    """The number of the line."""
    turns: float
    attacks: bool
    """Whether the attacker is on move."""
    state: State

    def arrival(self, side: str, static: State) -> Arrival:
        """What is stated, with the strongest claim if the other side were on move."""
        never = -math.inf if side == "attack" else math.inf
        turns = (self.turns, never) if self.attacks else (never, self.turns)
        return Arrival(self.state | static, *turns, place=self.place)


@dataclass(frozen=True)
class Part:
    """Some lines of one strategy, with what the lines of their targets state."""

    head: str
    """The claim, as JSON."""
    game: SentGame
    lines: tuple[tuple[int, NodeLine], ...]
    """The lines with their numbers in the file."""
    targets: tuple[tuple[int, StatedPosition], ...]


_own = threading.local()
"""The head of the last part that this thread checked, with the claim and the stepper."""


def check_part(part: Part) -> JsonObject:
    """Check a part, with its plans; returns its numbers of edges and plans. Raises ``Rejected``."""
    if getattr(_own, "head", None) != part.head:
        _own.head = None
        _own.found = _opened(json.loads(part.head), lambda _, given: part.game.load(given))
        _own.head = part.head
    claim, stepper, static = _own.found
    side = part.lines[0][1].side
    turns, keys = next(each[1:] for each in required(claim) if each[0] == side)
    stated = [*part.targets, *((line.number, line.stated(place)) for place, line in part.lines)]
    arrivals = {number: each.arrival(side, static) for number, each in stated}
    nodes = {line.number: line.node for _, line in part.lines}
    strategy = Strategy(nodes, side, turns, keys, claim.puzzle, stepper, arrivals)
    try:
        strategy.prepare()
        strategy.check()
        failure = counterexample(claim.puzzle, strategy.plans, stepper.fluents, stepper.budget)
    except BadRequest as error:
        raise Rejected(str(error)) from None
    finally:
        stepper.forget()
    if failure is not None:
        raise Rejected(f"{failure[0].place}: the plan doesn't hold: {failure[1]}")
    return {"lines": len(part.lines), "edges": strategy.edges, "plans": len(strategy.plans)}


def _opened(head: Mapping[str, Any], load: LoadGame) -> tuple[Claim, Stepper, State]:
    """A stream's claim, its stepper, and the facts of its position that never change."""
    fluents = head.get("fluents")
    if not isinstance(fluents, list) or not all(isinstance(each, str) for each in fluents):
        raise Rejected("fluents: it must be a list of terms")
    if len(set(fluents)) < len(fluents) or any(canonical(each) != each for each in fluents):
        raise Rejected("fluents: each must be a term, and there once")
    claim = read_claim(head, load, STREAM_VERSION)
    stepper = Stepper(claim.puzzle, Budget(), fluents)
    return claim, stepper, stepper.start >> len(fluents) << len(fluents)


class Stream:
    """A streamed certificate in a file that is open for reading."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        head = next(self._read(), None)
        if not isinstance(head, dict):
            raise BadRequest("this is not a certificate: its first line is not a JSON object")
        self.head: JsonObject = head
        self.size = len(head["fluents"]) if isinstance(head.get("fluents"), list) else 0
        """The number of fluents."""

    def _read(self) -> Iterator[Any]:
        self._file.seek(0)
        try:
            with gzip.open(self._file) as lines:
                while text := lines.readline(MOST_BYTES + 1):
                    if len(text) > MOST_BYTES:
                        raise LimitReached(f"a line is longer than {MOST_BYTES >> 20} MiB")
                    yield json.loads(text)
        except (OSError, EOFError, zlib.error) as error:
            raise BadRequest(f"the certificate is damaged: {error}") from None
        except (ValueError, RecursionError) as error:
            raise BadJson(f"the certificate has a line that is not JSON: {error}") from None

    def lines(self) -> Iterator[tuple[int, NodeLine]]:
        """The lines of nodes, each with its number."""
        for place, found in enumerate(self._read(), start=1):
            if place > 1:
                yield place, self._line(place, found)

    def _line(self, place: int, found: Any) -> NodeLine:
        match found:
            case [str(side), int(number), str(state), int() | None as turns, node] if (
                side in _SIDES
                and 0 <= number < _NUMBER_LIMIT
                and (turns is None or abs(turns) < _NUMBER_LIMIT)
                and not {type(number), type(turns)} & {bool}
                and state.isalnum()
            ):
                try:
                    bits = int(state, 16)
                except ValueError:
                    bits = 1 << self.size
                if bits >> self.size == 0:
                    return NodeLine(side, number, bits, math.inf if turns is None else turns, node)
        raise Rejected(f"line {place}: it must be [side, number, state, turns, node]")


class _Index:
    """What each line states, in a temporary file."""

    def __init__(self, file: IO[bytes], size: int) -> None:
        self._file, self._bytes = file, size // 8 + 1
        self._form = struct.Struct(f">Qd?{self._bytes}s")

    def put(self, place: int, line: NodeLine) -> None:
        """Note a line."""
        stated = line.stated()
        state = stated.state.to_bytes(self._bytes, "big")
        try:
            self._seek(line.side, line.number)
            self._file.write(self._form.pack(place, stated.turns, stated.attacks, state))
        except OSError as error:
            raise LimitReached(f"no room for what the lines state: {error.strerror}") from None

    def get(self, side: str, number: int) -> StatedPosition | None:
        """What the line of a node states; None without a line."""
        self._seek(side, number)
        found = self._file.read(self._form.size)
        if len(found) < self._form.size or not any(found):
            return None
        place, turns, attacks, state = self._form.unpack(found)
        return StatedPosition(place, turns, attacks, int.from_bytes(state, "big"))

    def _seek(self, side: str, number: int) -> None:
        self._file.seek((number * len(_SIDES) + _SIDES.index(side)) * self._form.size)


def verify_stream(
    file: IO[bytes], budget: Budget, load: LoadGame, runner: TaskRunner
) -> Verification:
    """Check a streamed certificate with clingo alone, in parts, which ``runner`` gives out.

    Raises what ``verify`` raises, and ``BadRequest`` for a damaged file.
    """
    stream = Stream(file)
    head = stream.head
    claim, stepper, _ = _opened(head, load)
    try:
        Proof(claim, stepper).check()
    except BadRequest as error:
        raise Rejected(str(error)) from None
    sides = [side for side, _, _ in required(claim)]
    with TemporaryFile(buffering=0) as room:
        index = _Index(room, stream.size)
        lines = 0
        for place, line in stream.lines():
            if line.side not in sides:
                raise Rejected(f"line {place}: the claim needs no {line.side}")
            index.put(place, line)
            lines += 1
            if lines % _LINES_A_PART == 0:
                budget.check()
                runner.show(f"{lines:,} lines read")
        for side in sides:
            if index.get(side, 0) is None:
                raise Rejected(f"{side}: there is no node 0")
        if runner.progress:
            runner.progress.total = lines // _LINES_A_PART + 1
        checked = [0, 0, 0]
        parts = _parts(stream, index, json.dumps(head), claim.puzzle.state.game)
        for future in runner.map(check_part, parts, ahead=_PARTS_AHEAD):
            budget.check()
            found = future.result()
            for place, name in enumerate(("lines", "edges", "plans")):
                checked[place] += found[name]
    if checked[0] != lines:
        raise Rejected("the file has changed during the check")
    return verified(claim, budget, *checked)


def _parts(stream: Stream, index: _Index, head: str, game: GameRules) -> Iterator[Part]:
    """The lines in parts. Raises ``Rejected`` for a node that is there twice."""
    sent = SentGame.of(game)
    lines: list[tuple[int, NodeLine]] = []
    targets: dict[int, StatedPosition] = {}
    for place, line in stream.lines():
        if lines and (len(lines) == _LINES_A_PART or lines[0][1].side != line.side):
            yield Part(head, sent, tuple(lines), tuple(targets.items()))
            lines, targets = [], {}
        if index.get(line.side, line.number) != line.stated(place):
            raise Rejected(f"{line.side}.nodes[{line.number}]: it is there twice")
        for target in targets_of(line.node).values():
            if type(target) is int and 0 <= target < _NUMBER_LIMIT:
                stated = index.get(line.side, target)
                targets |= {target: stated} if stated else {}
        lines.append((place, line))
    if lines:
        yield Part(head, sent, tuple(lines), tuple(targets.items()))
