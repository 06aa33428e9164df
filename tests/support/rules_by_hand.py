"""Skirmish, Breakthrough and Amazons in plain Python, written from the texts of their rules.

``said`` gives the consequences of a position, ``after`` the position after a move. The code works
on squares and pieces, and shares only the form of facts with the encodings.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from aspgames.gdl.reasoner import Consequences
from aspgames.gdl.rules import Facts

Square = tuple[int, int]

STRAIGHT = [(0, 1), (1, 0), (0, -1), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
OTHER = {"white": "black", "black": "white"}


class Rules(Protocol):
    """A game's rules by hand."""

    def said(self, facts: Facts) -> Consequences:
        """The legal moves, the end of the game, the goals, and the side on move."""

    def after(self, facts: Facts, move: str) -> Facts:
        """The facts after a legal move."""

    def made(self, rng: random.Random) -> Facts:
        """A random position."""


def numbers(term: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", term)]


def answer(mover: str, moves: list[str], over: bool, goals: Mapping[str, int]) -> Consequences:
    """The consequences; ``moves`` ignore the end of the game, and the waiting side has ``noop``."""
    legal = {mover: tuple(sorted(moves)), OTHER[mover]: ("noop",)}
    return Consequences(legal, over, goals, mover)


# --- Skirmish -------------------------------------------------------------------------------------

HOLES = [(3, 3), (3, 6), (6, 3), (6, 6)]
KINDS = ["pawn", "rook", "knight", "bishop", "queen", "king"]


@dataclass
class Skirmish:
    @dataclass
    class Position:
        """The pieces on the board, and the counters."""

        pieces: dict[Square, tuple[str, str]] = field(default_factory=dict)
        captures: dict[str, int] = field(default_factory=lambda: {"white": 0, "black": 0})
        step: int = 1
        mover: str = "white"

        @classmethod
        def read(cls, facts: Facts) -> Skirmish.Position:
            found = cls()
            for fact in facts:
                name, *words = re.findall(r"\w+", fact)
                if name == "cell":
                    found.pieces[int(words[0]), int(words[1])] = words[2], words[3]
                elif name == "captures":
                    found.captures[words[0]] = int(words[1])
                elif name == "step":
                    found.step = int(words[0])
                else:
                    found.mover = words[0]
            return found

        def write(self) -> Facts:
            facts = [f"cell({x},{y},{k}({side}))" for (x, y), (k, side) in self.pieces.items()]
            facts += [f"captures({side},{count})" for side, count in self.captures.items()]
            return tuple(sorted([*facts, f"step({self.step})", f"control({self.mover})"]))

        def side(self, square: Square) -> str | None:
            return self.pieces[square][1] if square in self.pieces else None

        def goes(self, side: str) -> Iterator[tuple[Square, Square]]:
            """The moves of a side, whether it is on move or not."""
            for square, (kind, owner) in self.pieces.items():
                if owner == side:
                    for target in self.targets(square, kind, side):
                        if self.side(target) != side:
                            yield square, target

        def targets(self, square: Square, kind: str, side: str) -> Iterator[Square]:
            x, y = square
            if kind == "pawn":
                up = 1 if side == "white" else -1
                beside = [(x - 1, y + up), (x + 1, y + up)]
                yield from (s for s in beside if self.side(s) == OTHER[side])
            elif kind == "knight":
                both = [(1, 2), (2, 1)]
                leaps = [(x + i * a, y + j * b) for a, b in both for i in (1, -1) for j in (1, -1)]
                yield from filter(is_open, leaps)
            elif kind == "king":
                yield from filter(is_open, [(x + a, y + b) for a, b in STRAIGHT + DIAGONAL])
            else:
                ways = {"rook": STRAIGHT, "bishop": DIAGONAL, "queen": STRAIGHT + DIAGONAL}
                for a, b in ways[kind]:
                    far = 1
                    while is_open((x + far * a, y + far * b)):
                        yield x + far * a, y + far * b
                        if (x + far * a, y + far * b) in self.pieces:
                            break
                        far += 1

    def said(self, facts: Facts) -> Consequences:
        position = self.Position.read(facts)
        moves = {side: list(position.goes(side)) for side in OTHER}
        over = position.step == 60 or not moves["white"] or not moves["black"]
        goals = {side: min(100, 10 * count) for side, count in position.captures.items()}
        terms = [f"move({x},{y},{u},{v})" for (x, y), (u, v) in moves[position.mover]]
        return answer(position.mover, terms, over, goals)

    def after(self, facts: Facts, move: str) -> Facts:
        position, (x, y, u, v) = self.Position.read(facts), numbers(move)
        kind, side = position.pieces.pop((x, y))
        position.captures[side] += (u, v) in position.pieces
        if kind == "pawn" and v == (8 if side == "white" else 1):
            kind = "queen"
        position.pieces[u, v] = kind, side
        position.step += 1
        position.mover = OTHER[side]
        return position.write()

    def made(self, rng: random.Random) -> Facts:
        """See ``Rules``. Any number of pieces, any counters; no pawn on its last rank."""
        position, fill = self.Position(), rng.random() ** 2
        for square in [(x, y) for x in range(1, 9) for y in range(1, 9)]:
            kind, side = rng.choice(KINDS), rng.choice(["white", "black"])
            last = 8 if side == "white" else 1
            if is_open(square) and rng.random() < fill and (kind, square[1]) != ("pawn", last):
                position.pieces[square] = kind, side
        # A side has at most 59 captures, so a position before a capture has at most 58.
        position.captures = {side: rng.choice([0, 8, 9, 10, 11, 57, 58]) for side in OTHER}
        position.step = rng.choice([*range(1, 61), 58, 59, 60])
        position.mover = rng.choice(["white", "black"])
        return position.write()


def is_open(square: Square) -> bool:
    return 1 <= square[0] <= 8 and 1 <= square[1] <= 8 and square not in HOLES


# --- Breakthrough ---------------------------------------------------------------------------------


@dataclass
class Breakthrough:
    width: int = 8
    height: int = 8

    def said(self, facts: Facts) -> Consequences:
        board, mover = read(facts)
        up = 1 if mover == "white" else -1
        moves = []
        for (x, y), side in board.items():
            for u in (x - 1, x, x + 1) if side == mover else ():
                inside = 1 <= u <= self.width and 1 <= y + up <= self.height
                there = board.get((u, y + up))
                if inside and (there is None or (u != x and there == OTHER[mover])):
                    moves.append(f"move({x},{y},{u},{y + up})")
        won = {
            side: any(y == last and its == side for (_, y), its in board.items())
            or OTHER[side] not in board.values()
            for side, last in (("white", self.height), ("black", 1))
        }
        goals = {side: 100 * won[side] for side in OTHER}
        return answer(mover, moves, any(won.values()), goals)

    def after(self, facts: Facts, move: str) -> Facts:
        board, mover = read(facts)
        x, y, u, v = numbers(move)
        board[u, v] = board.pop((x, y))
        return write(board, f"control({OTHER[mover]})")

    def made(self, rng: random.Random) -> Facts:
        """See ``Rules``. Any number of pieces, rarely on the last rows; not both sides have won."""
        fill = rng.random() ** 2
        squares = [(x, y) for x in range(1, self.width + 1) for y in range(1, self.height + 1)]
        board = {s: rng.choice([*OTHER]) for s in squares if rng.random() < fill}
        if rng.random() < 0.7:
            ends = {(1, "black"), (self.height, "white")}
            board = {(x, y): side for (x, y), side in board.items() if (y, side) not in ends}
        facts = write(board, f"control({rng.choice([*OTHER])})")
        return self.made(rng) if set(self.said(facts).goals.values()) == {100} else facts


# --- the Amazons ----------------------------------------------------------------------------------


@dataclass
class Amazons:
    """The rules of `amazons`; with ``either``, a stuck waiting side also ends the game.

    If ``split``, those of `amazons_10x10` and `amazons_8x8`: a move and its arrow are two plies.
    """

    either: bool = False
    split: bool = False
    size: int = 10

    def said(self, facts: Facts) -> Consequences:
        board, mover = read(facts)
        just_moved = next((f for f in facts if f.startswith("just_moved")), None)
        if just_moved:
            x, y = numbers(just_moved)
            shots = [f"fire({u},{v})" for u, v in self.goes(board, (x, y))]
            return answer(mover, shots, False, dict.fromkeys(OTHER, 0))
        stuck = {
            side: not any(self.goes(board, s) for s, thing in board.items() if thing == side)
            for side in OTHER
        }
        lost = [side for side in (OTHER if self.either else [mover]) if stuck[side]]
        goals = {side: 100 if OTHER[side] in lost else 0 for side in OTHER}
        moves: list[tuple[int, ...]] = [
            (*square, *there)
            for square, thing in board.items()
            if thing == mover
            for there in self.goes(board, square)
        ]
        if not self.split:
            moves = [
                (*move, *shot)
                for move in moves
                for shot in self.goes({s: t for s, t in board.items() if s != move[:2]}, move[2:])
            ]
        terms = [f"move({','.join(map(str, move))})" for move in moves]
        return answer(mover, terms, bool(lost), goals)

    def after(self, facts: Facts, move: str) -> Facts:
        board, mover = read(facts)
        places = numbers(move)
        if not move.startswith("fire"):
            x, y, u, v = places[:4]
            del board[x, y]
            board[u, v] = mover
            if self.split:
                return write(board, f"turn({mover},fire)", f"just_moved({u},{v})")
        p, q = places[-2:]
        board[p, q] = "arrow"
        return write(board, self.begin(OTHER[mover]))

    def begin(self, side: str) -> str:
        """The fluent that has a side begin its turn."""
        return f"turn({side},move)" if self.split else f"control({side})"

    def made(self, rng: random.Random) -> Facts:
        """See ``Rules``. Mostly arrows, like late in a game; any number of amazons."""
        squares = [(x, y) for x in range(1, self.size + 1) for y in range(1, self.size + 1)]
        rng.shuffle(squares)
        free = rng.randint(0, 25)
        amazons = {side: rng.randint(0, 4) for side in OTHER}
        things = [side for side, count in amazons.items() for _ in range(count)]
        things += ["arrow"] * (len(squares) - free - len(things))
        board, mover = dict(zip(squares, things, strict=False)), rng.choice([*OTHER])
        fires = [s for s, thing in board.items() if thing == mover and self.goes(board, s)]
        if self.split and fires and rng.random() < 0.5:
            return write(board, f"turn({mover},fire)", "just_moved({},{})".format(*fires[0]))
        return write(board, self.begin(mover))

    def goes(self, board: dict[Square, str], square: Sequence[int]) -> list[Square]:
        """Where a queen goes."""
        found = []
        for a, b in STRAIGHT + DIAGONAL:
            x, y = square[0] + a, square[1] + b
            while 1 <= x <= self.size and 1 <= y <= self.size and (x, y) not in board:
                found.append((x, y))
                x, y = x + a, y + b
        return found


def read(facts: Facts) -> tuple[dict[Square, str], str]:
    """The board, and the side on move."""
    board: dict[Square, str] = {}
    mover = ""
    for fact in facts:
        name, *words = re.findall(r"\w+", fact)
        if name == "cell":
            board[int(words[0]), int(words[1])] = words[2]
        elif name != "just_moved":
            mover = words[0]
    return board, mover


def write(board: dict[Square, str], *others: str) -> Facts:
    return tuple(sorted([*(f"cell({x},{y},{c})" for (x, y), c in board.items()), *others]))
