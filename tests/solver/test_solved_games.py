"""Solved games (``docs/solved.md``): the small boards again, by the search and in plain Python."""

import re
from collections.abc import Callable, Iterator
from functools import reduce
from itertools import product
from operator import xor

import pytest

import aspgames
from cli_helpers import Call, check
from gallery_by_hand import OTHER, Board, Moves, domineering, konane, mine, moved, squares
from paths import ROOT

PAGE = dict(
    re.findall(
        r"^\| (\w+ [\w=]+(?: misère)?) \| ([^|]+?) \|", (ROOT / "docs/solved.md").read_text(), re.M
    )
)


def breakthrough(board: Board, mover: str, width: int, height: int) -> Iterator[Board]:
    ahead = 1 if mover == "white" else -1
    if not any(y == (height if c == "white" else 1) for (_, y), c in board.items()):
        for (x, y), dx in product([*mine(board, mover)], (-1, 0, 1)):
            there = x + dx, y + ahead
            if 1 <= x + dx <= width and (there not in board or (dx and board[there] != mover)):
                yield moved(board, (x, y), there)


def clobber(board: Board, mover: str, *_size: int) -> Iterator[Board]:
    for (x, y), (dx, dy) in product([*mine(board, mover)], [(1, 0), (-1, 0), (0, 1), (0, -1)]):
        if board.get((x + dx, y + dy)) == OTHER[mover]:
            yield moved(board, (x, y), (x + dx, y + dy))


def answer(moves: Moves, board: Board, first: str, width: int, height: int) -> str:
    """The winner, and the number of its turns, if a side that can't move loses."""
    known: dict[tuple[frozenset[object], str], int] = {}

    def plies(board: Board, mover: str) -> int:
        key = frozenset(board.items()), mover
        if key not in known:
            after = [plies(b, OTHER[mover]) for b in moves(board, mover, width, height)]
            losing = [n for n in after if n % 2 == 0]
            known[key] = 1 + (min(losing) if losing else max(after, default=-1))
        return known[key]

    found = plies(board, first)
    return f"{first if found % 2 else OTHER[first]} in {(found + 1) // 2}"


def checkered(width: int, height: int, odd: str) -> Board:
    return {(x, y): odd if (x + y) % 2 else OTHER[odd] for x, y in squares(width, height)}


def rows(width: int, height: int) -> Board:
    row = {1: "white", 2: "white", height - 1: "black", height: "black"}
    return {(x, y): row[y] for x, y in squares(width, height) if y in row}


def by_search(game: str, first: str, **constants: int | str) -> str:
    start = aspgames.load(game, **constants).initial
    for attacker in (first, OTHER[first]):
        found = aspgames.solve(start, attacker=attacker, goal="win")
        if found.verdict == "forced":
            return f"{attacker} in {found.distance}"
    return "draw"


Start = Callable[[int, int], Board]
PLAIN: dict[str, tuple[Moves, str, Start, str]] = {
    "breakthrough": (breakthrough, "white", rows, "2x4 3x4 2x5"),
    "domineering": (domineering, "white", lambda _w, _h: {}, "2x2 3x2 3x3 4x3 4x4"),
    "konane": (konane, "black", lambda w, h: checkered(w, h, "white"), "4x4"),
    "clobber": (
        clobber,
        "white",
        lambda w, h: checkered(w, h, "black" if h % 2 else "white"),
        "2x1 3x1 4x1 5x1 6x1 7x1 8x1 2x2 3x2 4x2 3x3",
    ),
}


@pytest.mark.quick(6)
@pytest.mark.parametrize(
    ("game", "size"), [(game, size) for game, row in PLAIN.items() for size in row[3].split()]
)
def test_plain_python_the_search_and_the_page_agree(game: str, size: str) -> None:
    moves, first, start, _ = PLAIN[game]
    width, height = map(int, size.split("x"))
    expected = answer(moves, start(width, height), first, width, height)
    assert by_search(game, first, width=width, height=height) == expected
    assert PAGE[f"{game} {size}"] == expected


@pytest.mark.parametrize("heaps", [1, 2, 3, 4])
@pytest.mark.parametrize("misere", ["no", "yes"])
def test_nim_is_won_by_the_sum_without_carries(heaps: int, misere: str) -> None:
    sizes = [2 * heap - 1 for heap in range(1, heaps + 1)]
    first = bool(reduce(xor, sizes))
    if misere == "yes" and max(sizes) == 1:
        first = not first  # Bouton 1901: only heaps of one are different
    found = by_search("nim", "white", heaps=heaps, misere=misere)
    assert found.startswith("white" if first else "black")
    assert PAGE[f"nim {heaps}{' misère' if misere == 'yes' else ''}"] == found


KNOWN = {
    "hex 2": "white", "hex 3": "white", "y 1": "white", "y 2": "white", "y 3": "white",  # Nash 1949
    "connect_four 4x4": "draw",  # Tromp 2006
    "breakthrough 3x5": "black",
}  # fmt: skip


@pytest.mark.quick(4)
@pytest.mark.parametrize("name", KNOWN)
def test_the_search_agrees_with_the_literature(name: str) -> None:
    game, size = name.split()
    sides = [int(side) for side in size.split("x")]
    constants = dict(zip(("width", "height"), sides, strict=True)) if sides[1:] else {}
    found = by_search(game, "white", **(constants or {"size": sides[0]}))
    assert found.startswith(KNOWN[name])
    assert PAGE[name] == found


SHIPPED = re.findall(
    r"^\| (\w+) (\d)x(\d) \| (\w+) \|.*at most (\d+) turns: \[([\d,]+) nodes\]\(\.\./(\S+)\)",
    (ROOT / "docs/solved.md").read_text(),
    re.M,
)


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, id=row[6], marks=() if "clobber" in row else pytest.mark.slow)
        for row in SHIPPED
    ],
)
def test_the_certificates_of_the_page_prove_it(call: Call, row: tuple[str, ...]) -> None:
    game, width, height, winner, turns, nodes, file = row
    found = check(call("verify", str(ROOT / file), "--json").json, "verification")
    start = aspgames.load(game, width=int(width), height=int(height)).initial
    assert (found["verified"], found["verdict"], found["at_most"]) == (True, "forced", int(turns))
    assert (found["game"], found["const"]) == (game, start.game.constants)
    assert (found["attacker"], found["goal"]) == (winner, "win")
    assert found["position"] == list(start.facts)
    assert found["nodes"] == int(nodes.replace(",", ""))


def test_all_certificates_of_the_folder_are_on_the_page() -> None:
    files = {f"examples/solved/{path.name}" for path in (ROOT / "examples/solved").iterdir()}
    assert files == {row[6] for row in SHIPPED}
