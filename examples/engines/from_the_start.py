"""An engine that can't set up a position, and its adapter to JSON lines of aspgames crosscheck.

aspgames crosscheck tictactoe --against "moves:python examples/engines/from_the_start.py"
"""

import json
import re
import sys

LINES = ["123", "456", "789", "147", "258", "369", "159", "357"]


class Engine:
    """Tic-tac-toe, always from the start: replace it by calls of your own engine."""

    def __init__(self) -> None:
        self.squares = dict.fromkeys("123456789", "")

    def play(self, square: str) -> None:
        """Play a move of the side on move."""
        self.squares[square] = "xo"[len(self.legal()) % 2 == 0]

    def legal(self) -> list[str]:
        """The empty squares."""
        return [square for square, stone in self.squares.items() if not stone]

    def over(self) -> bool:
        """Whether a line is full of one side's stones, or the board is full."""
        lines = [{self.squares[square] for square in line} for line in LINES]
        return {"x"} in lines or {"o"} in lines or not self.legal()


for request in map(json.loads, sys.stdin):  # {"op": "play", "moves": ["mark(1,2)"], ...}
    engine, sides = Engine(), ["white", "black"]
    for move in request.get("moves", []):
        x, y = map(int, re.findall(r"\d", move))
        engine.play(str(3 * y - 3 + x))
        sides.reverse()
    cells = [divmod(int(square) - 1, 3) for square in engine.legal()]
    moves = [f"mark({x + 1},{y + 1})" for y, x in cells]
    over = engine.over()
    legal = {sides[0]: [] if over else moves, sides[1]: [] if over else ["noop"]}
    print(json.dumps({"terminal": over, "legal": legal}), flush=True)
