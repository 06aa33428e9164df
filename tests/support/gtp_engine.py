"""A program of the Go Text Protocol for tests of the cross-check: Othello or Hex, without aspgames.

    python gtp_engine.py othello|hex BUG

Othello lists its moves as for GoGui, Hex as GNU Go does, and with a file I. BUG is ``none``, or a
square that is never listed.
"""

import sys

Square = tuple[int, int]
GAME, BUG = [*sys.argv[1:3], "", ""][:2]
OTHELLO = GAME == "othello"
LETTERS = "ABCDEFGHJKLMNOP" if OTHELLO else "ABCDEFGHIJKLMNOP"
LIST = "gogui-rules_legal_moves" if OTHELLO else "all_legal"
size = 8
board: dict[Square, str] = {}
OTHER = {"black": "white", "white": "black"}


def clear() -> None:
    board.clear()
    if OTHELLO:
        board.update({(4, 5): "white", (5, 4): "white", (4, 4): "black", (5, 5): "black"})
        # (file, rank from the bottom): d5 and e4 are white, d4 and e5 black


def flipped(colour: str, x: int, y: int) -> list[Square]:
    found: list[Square] = []
    for dx, dy in [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]:
        line, u, v = list[Square](), x + dx, y + dy
        while board.get((u, v)) == OTHER[colour]:
            line.append((u, v))
            u, v = u + dx, v + dy
        found += line if board.get((u, v)) == colour else []
    return found


def connected() -> bool:
    """Whether White has joined the upper side to the lower one, or Black the left to the right."""
    for colour, side in (("white", 1), ("black", 0)):
        reached = {s for s in board if s[side] == 1 and board[s] == colour}
        waiting = list(reached)
        for x, y in waiting:
            for u, v in (
                (x + 1, y),
                (x - 1, y),
                (x, y + 1),
                (x, y - 1),
                (x + 1, y - 1),
                (x - 1, y + 1),
            ):
                if board.get((u, v)) == colour and (u, v) not in reached:
                    reached.add((u, v))
                    waiting.append((u, v))
        if any(s[side] == size for s in reached):
            return True
    return False


def legal(colour: str) -> list[Square]:
    squares = [(x, y) for x in range(1, size + 1) for y in range(1, size + 1)]
    free = [square for square in squares if square not in board]
    if not OTHELLO:
        return [] if connected() else free
    return [square for square in free if flipped(colour, *square)]


def names(colour: str) -> str:
    found = [f"{LETTERS[x - 1]}{y}" for x, y in legal(colour)]
    if OTHELLO and not found and legal(OTHER[colour]):
        return "PASS"
    return " ".join(name for name in found if name != BUG)


def main() -> None:
    global size
    mover = ""
    for line in sys.stdin:
        words = line.split()
        reply = "="
        if words[0] == "list_commands":
            named = "gogui-rules_game_id\n" * OTHELLO
            reply = f"= boardsize\nclear_board\nplay\nquit\n{named}{LIST}"
        elif words[0] == "gogui-rules_game_id":
            reply = "= Othello"
        elif words[0] == "boardsize":
            size = int(words[1])
            reply = "? unacceptable size" if OTHELLO and size != 8 else "="
        elif words[0] == "clear_board":
            mover = "black" if OTHELLO else "white"
            clear()
        elif words[0] == "play":
            colour, vertex = words[1].lower(), words[2].upper()
            if vertex != "PASS":
                square = LETTERS.index(vertex[0]) + 1, int(vertex[1:])
                if square not in legal(colour):
                    reply = "? illegal move"
                for each in [square, *(flipped(colour, *square) if OTHELLO else [])]:
                    board[each] = colour
            mover = OTHER[colour]
        elif words[0] == LIST:
            reply = f"= {names(mover if OTHELLO else words[1])}"
        elif words[0] == "quit":
            print("=\n", flush=True)
            break
        print(f"{reply}\n", flush=True)


if __name__ == "__main__":
    main()
