"""Writing certificates: proofs of verdicts that a checker can verify (``docs/certificates.md``).

A certificate is one side's strategy: at each position one move of its own, or a plan, and all
replies. For one role it is a shortest line, or all positions that are reachable without the goal.
Users don't need to trust this module.
"""

from __future__ import annotations

import gzip
import json
import math
import shutil
from collections import deque
from collections.abc import Generator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from tempfile import TemporaryFile
from typing import IO, Any

from ...gdl.rules import Rules
from ...runtime.budget import UNLIMITED, Budget
from ...runtime.errors import BadRequest, LimitReached, RulesError
from ..problem import Puzzle
from ..solution import Solution, undecided
from ..solved import Position, Solved, first_of
from .claim import MOST_BYTES, STREAM_VERSION, VERSION
from .plans import LONGEST_PLAN
from .situations import situated

_MOST_NODES = 1_000_000
_HEAD_BYTES = 1 << 20  # for everything except nodes
_MOST_POSITIONS = 100_000
"""The most positions for one role; the checker takes about a minute for them."""
_FEW_POSITIONS = 5_000  # the most positions for one role where clingo is known to refute all lines
_FEW_REPLIES = 8

Node = str | dict[str, Any]


def certificate(solved: Solved, solution: Solution) -> dict[str, Any]:
    """The certificate of a solution, as a JSON object.

    If a limit came before the whole answer, it proves the upper bound of the distance, and as large
    a lower bound as its own limits allow. For an undecided puzzle it proves that the turns of
    ``not_within`` are too few: its ``within`` is that number.

    Raises ``BadRequest`` if no turn is known to be too few either, and ``LimitReached`` if the
    certificate would be too large or the budget runs out.
    """
    found = _certificate(solved, solution)
    while solved.fetch():
        found = _certificate(solved, solution)
    return found


def refuse_uncheckable(rules: Rules) -> None:
    """Raise ``RulesError`` for rules about which the checker verifies no certificate."""
    try:
        situated(rules)
    except RulesError as error:
        raise RulesError(f"there can be no certificate: {error}") from None


def refuse_stream_without(defender: str | None) -> None:
    """Raise ``BadRequest`` for a puzzle of one role: its certificate is a plan, and small."""
    if defender is None:
        raise BadRequest("a streamed certificate is for two roles: name a file without .gz")


def write_stream(solved: Solved, solution: Solution, file: IO[bytes]) -> None:
    """Write a solution's certificate as a stream, of any size.

    If a limit came before the whole answer, it proves the upper bound of the distance alone. Raises
    ``BadRequest`` as ``certificate`` and for one role, and ``LimitReached``.
    """
    refuse_stream_without(solved.puzzle.defender)
    puzzle, solution = _decided(solved.puzzle, solution)
    head = claim_of(puzzle, solution)
    root, keys, distance = solved.root, solution.keys, solution.distance
    bits: dict[str, int] = {}
    with TemporaryFile() as lines:
        with gzip.open(lines, "wt", encoding="utf-8") as text:

            def write(attack: bool, turns: float, keys: tuple[str, ...]) -> None:
                _Streamed(attack, solved.budget, text, bits).nodes(root, turns, keys)

            if solution.verdict == "not_forced":
                write(False, puzzle.turns - root.attacks, ())
            else:
                most = solution.at_most if distance is None else distance
                write(True, (most or 0) - root.attacks, keys)
            if distance:
                write(False, distance - 1 - root.attacks, keys)
        lines.seek(0)
        head |= {"certificate": STREAM_VERSION, "fluents": list(bits)}
        file.write(gzip.compress(json.dumps(head).encode() + b"\n"))
        shutil.copyfileobj(lines, file)


def strategy(position: Position, attack: bool, turns: float) -> list[Node]:
    """One side's strategy from a position of a two-role game: a part of a certificate.

    Raises ``LimitReached``.
    """
    return _Strategy(attack, Size()).nodes(position, turns)


def _certificate(solved: Solved, solution: Solution) -> dict[str, Any]:
    puzzle, solution = _decided(solved.puzzle, solution)
    found = claim_of(puzzle, solution)
    most, refuted = solution.distance, (solution.distance or 0) - 1
    if not solution.is_complete:
        most, known = solution.at_most, solution.not_within
        refuted = -1 if known is None else known
    root, keys, size = solved.root, solution.keys, Size(solved.budget)

    def nodes(attack: bool, turns: float, keys: tuple[str, ...]) -> dict[str, list[Node]]:
        if puzzle.defender is not None:
            return {"nodes": _Strategy(attack, size).nodes(root, turns, keys)}
        if attack:
            return {"nodes": _shortest(root, turns, keys)}
        found = _nowhere(solved, turns, keys)
        size.add(found)
        return {"nodes": found}

    if most is None:
        return found | {"defence": nodes(False, puzzle.turns - root.attacks, ())}
    found["attack"] = nodes(True, most - root.attacks, keys)
    if solution.is_complete and refuted >= 0:
        found["defence"] = nodes(False, refuted - root.attacks, keys)
    if not solution.is_complete:
        attack_size = size
        for least in range(refuted + 1):  # as much as the budget and the size allow
            size = copy(attack_size)
            try:
                found["defence"] = nodes(False, least - root.attacks, ())
            except LimitReached:
                break
            found["not_within"] = least
    return found


def _decided(puzzle: Puzzle, solution: Solution) -> tuple[Puzzle, Solution]:
    """What a certificate proves: of an undecided puzzle, that some turns are too few."""
    if solution.verdict != "unknown" or not solution.not_within:
        return puzzle, solution
    answer = replace(undecided(solution.seconds), verdict="not_forced")
    return replace(puzzle, within=solution.not_within), answer


def claim_of(puzzle: Puzzle, solution: Solution) -> dict[str, Any]:
    """Everything except the strategies.

    Raises ``BadRequest`` for an undecided puzzle without chance.
    """
    if solution.verdict == "unknown" and puzzle.chance is None:
        raise BadRequest("the puzzle is undecided, so there is nothing to certify")
    game = puzzle.state.game
    found = {
        "certificate": VERSION,
        "game": game.encoding.reference,
        "const": dict(game.constants),
        "rules": game.encoding.fingerprint,
        "position": list(puzzle.state.facts),
        "attacker": puzzle.attacker,
        "goal": puzzle.goal.text,
        "within": puzzle.within,
        "verdict": solution.verdict,
        "distance": solution.distance,
        "keys": list(solution.keys),
        "line": list(solution.line),
    }
    if solution.at_most is not None:
        found |= {"at_most": solution.at_most, "not_within": None, "keys_complete": False}
    return found


# --- one role -------------------------------------------------------------------------------------


def _shortest(root: Position, turns: float, keys: tuple[str, ...]) -> list[Node]:
    """How one role reaches the goal: the rest of a line for each key, or a whole line."""

    def rest(position: Position, turns: float) -> Node:
        line = position.best_line(turns)
        return {"plan": line} if line else "goal"

    if not keys:
        return [rest(root, turns)]

    children = ((move, child) for move, child in root.children() if move in keys)
    return [{"moves": {move: rest(c, root.turns_after(c, turns)) for move, c in children}}]


def _nowhere(solved: Solved, turns: float, keys: tuple[str, ...]) -> list[Node]:
    """Why one role doesn't reach the goal within ``turns`` more turns.

    If the list of positions would be too long, the checker must refute all lines with clingo.
    """
    root = solved.root
    if root.over:
        return ["over"]
    if turns < 0 and not keys:
        return ["turns"]
    # One more turn refutes a move that isn't a key.
    first = [
        (move, child, root.turns_after(child, turns + (bool(keys) and move not in keys)))
        for move, child in root.children()
    ]
    plan = root.plan(attack=False, turns=turns)
    nodes = _all_positions(solved, turns, first, _FEW_POSITIONS if plan else _MOST_POSITIONS)
    if nodes is not None:
        return nodes
    if plan and not keys:
        return [{"plan": plan}]
    if turns >= LONGEST_PLAN:
        raise LimitReached(f"the certificate would have more than {_MOST_POSITIONS:,} positions")
    if not keys:
        return [_any_line(turns)]
    return [{"replies": {m: _leaf(child, left) or _any_line(left) for m, child, left in first}}]


def _leaf(position: Position, turns: float) -> str | None:
    """The leaf for a position in a defence; None if the position isn't a leaf."""
    if position.over:
        return "over"
    return "turns" if turns < 0 else None


def _any_line(turns: float) -> dict[str, Any]:
    """The claim that no line reaches the goal in the current turn and ``turns`` more."""
    return {"plan": [None] * int(turns + 1)}


def _all_positions(
    solved: Solved, turns: float, first: Sequence[tuple[str, Position, float]], most: int
) -> list[Node] | None:
    """All reachable positions with all moves; None if there are more than ``most``.

    The positions with the most turns left come first. So the first visit to a position has the most
    turns possible there, and edges may lead back to it.
    """
    numbers: dict[Position, int] = {solved.root: 0}
    targets: dict[str, int | str] = {}
    nodes: list[Node] = [{"replies": targets}]
    found = deque[tuple[Position, float]]()

    def target(child: Position, left: float) -> int | str:
        leaf = _leaf(child, left)
        if leaf is None and child not in numbers:
            numbers[child] = len(numbers)
            found.append((child, left))
        return numbers[child] if leaf is None else leaf

    for move, child, left in sorted(first, key=lambda child: -child[2]):
        targets[move] = target(child, left)
    while found:
        solved.budget.check()
        position, turns = found.popleft()
        children = ((m, c, position.turns_after(c, turns)) for m, c in position.children())
        nodes.append({"replies": {move: target(child, left) for move, child, left in children}})
        if len(numbers) > most:
            return None
    return nodes


# --- two roles ------------------------------------------------------------------------------------


class Size:
    """The size of a certificate so far, and the limit on the time to write it."""

    def __init__(self, budget: Budget = UNLIMITED) -> None:
        self._budget, self._nodes, self._bytes = budget, 0, _HEAD_BYTES

    def add(self, nodes: Sequence[Node]) -> None:
        """Count nodes. Raises ``LimitReached`` if the checker doesn't accept so many."""
        self._budget.check()
        self._nodes += len(nodes)
        if self._nodes > _MOST_NODES:
            raise LimitReached(f"the certificate would have more than {_MOST_NODES:,} nodes")
        self._bytes += sum(len(json.dumps(node)) + len(", ") for node in nodes)
        if self._bytes > MOST_BYTES:
            raise LimitReached(f"the certificate would have more than {MOST_BYTES >> 20} MiB")


Target = int | str
"""Where an edge leads: the number of a node, or a leaf."""

Writing = Generator[tuple[Position, float], Target, Node]
"""Writes a node: yields the positions after it, each with the turns left, and gets the targets."""


class _Strategy:
    """One side's strategy as nodes; transpositions share a node."""

    is_streamed = False
    """Whether each node needs its position. Then other processes write no parts."""

    def __init__(self, attack: bool, size: Size) -> None:
        self.attack, self.size = attack, size
        self.written: dict[int, Node] = {}
        """The nodes by number, in the order in which they were finished."""
        self.begun = 0  # the number of nodes begun
        self.known: dict[Position, list[tuple[float, int]]] = {}
        """The nodes of each position, with the turns for which each node is valid."""
        self.ways: dict[tuple[Position, float], tuple[str, Position]] = {}
        """The attacker's next moves on its ways through its turns."""

    def nodes(self, root: Position, turns: float, keys: tuple[str, ...] = ()) -> list[Node]:
        """The nodes from the root on. The first edge to each comes from an earlier one."""
        if keys:
            self.write(self.begin(root, turns), self.keys_node(root, turns, keys))
        elif isinstance(found := self.target(root, turns), str):
            self.put(self.begin(root, turns), found)
        elif found is None:
            self.write(*self.begin_at(root, turns))
        numbers = {number: place for place, number in enumerate(reversed(self.written))}
        return [_renumbered(node, numbers) for node in reversed(self.written.values())]

    def write(self, number: int, writing: Writing) -> None:
        """Write a node and those below it. The stack is a list, so lines may be of any length."""
        stack = [(number, writing)]
        target: Target | None = None
        while stack:
            number, writing = stack[-1]
            try:
                position, turns = next(writing) if target is None else writing.send(target)
            except StopIteration as stop:
                stack.pop()
                self.put(number, stop.value)
                target = number
                continue
            target = self.target(position, turns)
            if target is None:
                stack.append(self.begin_at(position, turns))

    def begin(self, position: Position, turns: float) -> int:  # noqa: ARG002
        """The number of a new node."""
        self.begun += 1
        return self.begun - 1

    def begin_at(self, position: Position, turns: float) -> tuple[int, Writing]:
        """The number of a position's new node, and how to write it."""
        number = self.begin(position, turns)
        self.known.setdefault(position, []).append((turns, number))
        return number, self.node(position, turns)

    def put(self, number: int, node: Node) -> None:
        """Keep a finished node. Raises ``LimitReached``."""
        self.size.add([node])
        self.written[number] = node

    def keys_node(self, root: Position, turns: float, keys: tuple[str, ...]) -> Writing:
        """The root of a puzzle with keys: it separates the keys from the other moves."""
        targets: dict[str, Target] = {}
        for move, child in root.children():
            granted = turns + (not self.attack and move not in keys)
            if move in keys and not self.attack and turns < 0:
                targets[move] = "turns"
            elif move in keys or not self.attack:
                targets[move] = yield child, root.turns_after(child, granted)
        return {"moves" if self.attack else "replies": targets}

    def target(self, position: Position, turns: float) -> Target | None:
        """A leaf, or the number of a node that is valid; None if there is none yet."""
        if position.goal_reached:
            return "goal"
        if position.over:
            return "over"
        if turns < 0:
            return "turns"
        for known_turns, number in self.known.get(position, ()):
            if known_turns <= turns if self.attack else known_turns >= turns:
                return number
        part = None if self.is_streamed else position.part(self.attack, turns)
        if part is None:
            return None
        numbers = {place: self.begin(position, turns) for place in range(len(part) or 1)}
        for place, node in reversed([*enumerate(part or ["turns"])]):
            self.put(numbers[place], _renumbered(node, numbers))
        self.known.setdefault(position, []).append((turns, numbers[0]))
        return numbers[0]

    def node(self, position: Position, turns: float) -> Writing:
        """A plan if the search finds one; else the side's move, or all replies."""
        children = position.children()
        own = position.attacks == self.attack
        if own:
            for move, child in children:
                if child.goal_reached if self.attack else child.over:
                    return {"move": move, "to": "goal" if self.attack else "over"}
        # The checker is faster with a few replies that end at once than with a plan.
        few = not own and self.attack and turns <= 1 and len(children) <= _FEW_REPLIES
        plan = None if few else position.plan(self.attack, turns)
        if plan is not None:
            return {"plan": plan}
        if own:
            move, child = self.choice(position, turns)
            return {"move": move, "to": (yield child, position.turns_after(child, turns))}
        targets: dict[str, Target] = {}
        for move, child in children:
            targets[move] = yield child, position.turns_after(child, turns)
        return {"replies": targets}

    def choice(self, position: Position, turns: float) -> tuple[str, Position]:
        """A move that serves the side, preferably one that needs no search."""
        if self.attack:
            here = position
            if (position, turns) not in self.ways:
                for move, child in position.way_out(turns, quick=True):
                    self.ways.setdefault((here, turns), (move, child))
                    here = child
            return self.ways[position, turns]
        children = [(m, c, position.turns_after(c, turns)) for m, c in position.children()]
        for move, child, left in children:
            if child.known(left) is False:
                return move, child
        return first_of((m, c) for m, c, left in children if not c.forced(left))


class _Streamed(_Strategy):
    """A strategy whose nodes are written as soon as they are finished."""

    is_streamed = True

    def __init__(self, attack: bool, budget: Budget, file: IO[str], bits: dict[str, int]) -> None:
        """``bits`` numbers the fluents of the positions so far."""
        super().__init__(attack, Size())
        self.budget, self.file, self.bits = budget, file, bits
        self.places: dict[int, tuple[Position, float]] = {}
        """The positions and turns of unfinished nodes."""

    def begin(self, position: Position, turns: float) -> int:
        number = super().begin(position, turns)
        self.places[number] = position, turns
        return number

    def put(self, number: int, node: Node) -> None:
        """Write a finished node."""
        self.budget.check()
        position, turns = self.places.pop(number)
        state = sum(1 << self.bits.setdefault(f, len(self.bits)) for f in sorted(position.fluents))
        left = None if turns == math.inf else turns
        side = "attack" if self.attack else "defence"
        self.file.write(json.dumps([side, number, f"{state:x}", left, node]) + "\n")


def _renumbered(node: Node, numbers: Mapping[int, int]) -> Node:
    """A node whose edges have other numbers."""

    def renumbered(target: Target) -> Target:
        return numbers[target] if isinstance(target, int) else target

    if isinstance(node, str):
        return node
    match node:
        case {"to": target, "move": move}:
            return {"move": move, "to": renumbered(target)}
        case {"replies": targets}:
            return {"replies": {move: renumbered(target) for move, target in targets.items()}}
        case {"moves": targets}:
            return {"moves": {move: renumbered(target) for move, target in targets.items()}}
        case _:
            return node
