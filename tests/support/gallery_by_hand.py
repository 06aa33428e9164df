"""Games of the gallery in plain Python, written from their sources, to count moves with.

A position is a board, square to content, and the side on move. Each function gives the positions
after one move.
"""

from collections.abc import Callable, Iterator
from itertools import product

Square = tuple[int, int]
Board = dict[Square, str]
Position = tuple[Board, str]
Moves = Callable[[Board, str, int, int], Iterator[Board]]

OTHER = {"white": "black", "black": "white"}
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]


def count(moves: Moves, board: Board, mover: str, size: Square, depth: int) -> int:
    after = moves(board, mover, *size)
    if depth == 1:
        return sum(1 for _ in after)
    return sum(count(moves, board, OTHER.get(mover, mover), size, depth - 1) for board in after)


def squares(width: int, height: int) -> Iterator[Square]:
    return product(range(1, width + 1), range(1, height + 1))


def mine(board: Board, mover: str) -> Iterator[Square]:
    return (square for square, content in board.items() if content == mover)


def moved(board: Board, old: Square, new: Square) -> Board:
    return {s: c for s, c in board.items() if s != old} | {new: board[old]}


def domineering(board: Board, mover: str, width: int, height: int) -> Iterator[Board]:
    dx, dy = (0, 1) if mover == "white" else (1, 0)
    free = set(squares(width, height)) - board.keys()
    for x, y in free:
        if (x + dx, y + dy) in free:
            yield board | {(x, y): mover, (x + dx, y + dy): mover}


def fox_and_hounds(board: Board, mover: str, width: int, height: int) -> Iterator[Board]:
    free = set(squares(width, height)) - board.keys()
    for (x, y), (dx, dy) in product(mine(board, mover), DIAGONAL):
        if (mover == "white" or dy < 0) and (x + dx, y + dy) in free:
            yield moved(board, (x, y), (x + dx, y + dy))


def knightthrough(board: Board, mover: str, width: int, height: int) -> Iterator[Board]:
    ahead = 1 if mover == "white" else -1
    if not any(y == (height if c == "white" else 1) for (_, y), c in board.items()):
        for (x, y), (dx, dy) in product(mine(board, mover), [(1, 2), (-1, 2), (2, 1), (-2, 1)]):
            there = x + dx, y + ahead * dy
            if there in set(squares(width, height)) and board.get(there) != mover:
                yield moved(board, (x, y), there)


def isolation(board: Board, mover: str, width: int, height: int) -> Iterator[Board]:
    for (x, y), (dx, dy) in product(list(mine(board, mover)), STRAIGHT + DIAGONAL):
        there = x + dx, y + dy
        if there in set(squares(width, height)) and there not in board:
            after = moved(board, (x, y), there)
            starts = {((width + 1) // 2, 1), (width // 2 + 1, height)}
            for taken in set(squares(width, height)) - after.keys() - starts:
                yield after | {taken: "taken"}


def konane(board: Board, mover: str, width: int, height: int) -> Iterator[Board]:
    free = set(squares(width, height)) - board.keys()
    if len(free) < 2:
        corners = {1, width}, {1, height}
        middle = {(width + 1) // 2, width // 2 + 1}, {(height + 1) // 2, height // 2 + 1}
        for x, y in mine(board, mover):
            opens = any(x in xs and y in ys for xs, ys in (corners, middle))
            if opens if not free else any((x + dx, y + dy) in free for dx, dy in STRAIGHT):
                yield {s: c for s, c in board.items() if s != (x, y)}
        return
    for (x, y), (dx, dy) in product(mine(board, mover), STRAIGHT):
        after = board
        while after.get((x + dx, y + dy)) == OTHER[mover] and (x + 2 * dx, y + 2 * dy) in free:
            after = moved(after, (x, y), (x + 2 * dx, y + 2 * dy))
            after = {s: c for s, c in after.items() if s != (x + dx, y + dy)}
            x, y = x + 2 * dx, y + 2 * dy
            yield after


def sokoban(board: Board, mover: str, width: int, height: int) -> Iterator[Board]:  # noqa: ARG001
    walls = "#######\n#   ###\n# #$  #\n#  @o #\n##$#o #\n##   ##\n#######".splitlines()
    floor = {s for s in squares(width, height) if walls[height - s[1]][s[0] - 1] != "#"}
    boxes, stores, workers = (
        {square for square, content in board.items() if content in names}
        for names in (("box", "stored"), ("store", "stored", "keeper"), ("worker", "keeper"))
    )
    ((x, y),) = workers
    for dx, dy in STRAIGHT if boxes - stores else []:
        there, beyond = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
        if there in floor and (there not in boxes or beyond in floor - boxes):
            pushed = boxes - {there} | ({beyond} & floor if there in boxes else set())
            yield dict.fromkeys(stores, "store") | {
                square: name[square in stores]
                for name, found in ((("box", "stored"), pushed), (("worker", "keeper"), {there}))
                for square in found
            }


def tablut(board: Board, mover: str, width: int, height: int) -> Iterator[Board]:
    kings = [square for square, content in board.items() if content == "king"]
    if not kings or {1, 9} & set(kings[0]):
        return
    own = [s for s, c in board.items() if (c == "black") == (mover == "black")]
    for (x, y), (dx, dy) in product(own, STRAIGHT):
        u, v = x + dx, y + dy
        while (u, v) in set(squares(width, height)) - board.keys() - {(5, 5)}:
            after = moved(board, (x, y), (u, v))
            taken = set(_enclosed(after, mover, (u, v)))
            yield {square: c for square, c in after.items() if square not in taken}
            u, v = u + dx, v + dy


def _enclosed(board: Board, mover: str, arrived: Square) -> Iterator[Square]:
    own = {s for s, c in board.items() if (c == "black") == (mover == "black")}
    for dx, dy in STRAIGHT:
        x, y = arrived[0] + dx, arrived[1] + dy
        if (x, y) in board.keys() - own:
            if board[x, y] == "king" and abs(x - 5) + abs(y - 5) < 2:
                if all((x + i, y + j) in own | {(5, 5)} for i, j in STRAIGHT):
                    yield x, y
            elif (x + dx, y + dy) in own | _deserted(board):
                yield x, y


def _deserted(board: Board) -> set[Square]:
    beside = [board.get((5 + i, 5 + j)) for i, j in STRAIGHT]
    return {(5, 5)} if board.get((5, 5)) == "king" and beside.count("black") == 3 else set()


def ataxx(board: Board, mover: str, width: int, height: int) -> Iterator[Board]:
    near = {d for d in product((-1, 0, 1), repeat=2) if d != (0, 0)}
    both = [{*mine(board, role)} for role in (mover, OTHER[mover])]
    after: dict[tuple[Square, Square | None], Board] = {}
    for (x, y), (dx, dy) in product(both[0], product(range(-2, 3), repeat=2)):
        there, left = (x + dx, y + dy), None if (dx, dy) in near else (x, y)
        if there in set(squares(width, height)) - board.keys():
            beside = {(there[0] + a, there[1] + b) for a, b in near} & both[1]
            turned = board | dict.fromkeys({there, *beside}, mover)
            after[there, left] = {s: c for s, c in turned.items() if s != left}
    yield from after.values() if all(both) else ()


def pentago(board: Board, mover: str, width: int, height: int) -> Iterator[Board]:
    fives = (
        {(x + i * dx, y + i * dy): 0 for i in range(5)}
        for (x, y), (dx, dy) in product(squares(width, height), [*STRAIGHT, *DIAGONAL])
    )
    if any({board.get(s) for s in five} in ({"white"}, {"black"}) for five in fives):
        return
    for new in set(squares(width, height)) - board.keys():
        for (p, q), turn in product(product((2, 5), repeat=2), (1, -1)):
            after = board | {new: mover}
            quarter = [s for s in after if max(abs(s[0] - p), abs(s[1] - q)) < 2]
            twisted = {(p - turn * (y - q), q + turn * (x - p)): after[x, y] for x, y in quarter}
            yield {s: c for s, c in after.items() if s not in quarter} | twisted


def kalah(board: Board, mover: str, width: int, height: int) -> Iterator[Board]:
    pits = [(x, 1) for x in range(2, width)], [(x, height) for x in range(width - 1, 1, -1)]
    own, others, store = (*pits, (width, 1)) if mover == "white" else (*pits[::-1], (1, 2))
    seeds, places = (
        {square: int(number) for square, number in board.items()},
        [*own, store, *others],
    )
    for pit in own if any(seeds[other] for other in others) else []:
        after, last = seeds | {pit: 0}, places.index(pit) + seeds[pit]
        for place in range(places.index(pit) + 1, last + 1):
            after[places[place % len(places)]] += 1
        x, y = end = places[last % len(places)]
        if end in own and after[end] == 1 and after[x, 3 - y]:
            after |= {store: after[store] + 1 + after[x, 3 - y], end: 0, (x, 3 - y): 0}
        if seeds[pit]:
            yield {square: str(number) for square, number in after.items()}


def tron(board: Board, moves: dict[str, str], width: int, height: int) -> Board:
    way = dict(zip(("east", "west", "north", "south"), STRAIGHT, strict=True))
    here = {c: s for s, c in board.items() if c in moves}
    aims = {c: (x + way[moves[c]][0], y + way[moves[c]][1]) for c, (x, y) in here.items()}
    free = set(squares(width, height)) - board.keys()
    arrive = {s: c for c, s in aims.items() if s in free and len(set(aims.values())) == 2}
    return dict.fromkeys(board, "wall") | arrive
