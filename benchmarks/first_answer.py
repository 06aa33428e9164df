"""The first answer: starting the program, the first state, one position.

Run it with: python benchmarks/first_answer.py [--only PART] [--runs N]

Every figure is processor time, of all processes started, unless it says otherwise: a median of
several runs, in which all ways take turns. A ratio is our time divided by the peer's: **below 1,
ours is faster.** The peers are ``import clingo, numpy``, python-chess, and our other ways.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median

import chess

import aspgames
from measuring import command_line, number, run, table, take_turns

_ROOT = Path(__file__).parent.parent
_WIN = ("8/3P4/8/8/8/8/p7/8 w", "--attacker", "white", "--goal", "win")
_MATE = ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", "--attacker", "white", "--goal", "win", "--within", "1")
_STARTS = {
    "aspgames --help": ("--help",),
    "legal breakthrough": ("legal", "breakthrough"),
    "legal chess": ("legal", "chess"),
    "solve breakthrough": ("solve", "breakthrough", *_WIN),
    "solve chess, mate in one": ("solve", "chess", *_MATE),
}
_PROBLEM = "BeginProblem Pieces White Kd5 Rh1 Pb7 Black Kd7 Stipulation #2 EndProblem"
_IMPORT = "import clingo, numpy"
_LOOP = """
import random, time
start = time.perf_counter()
import aspgames
rng, state, plies, since = random.Random(1), aspgames.load({game!r}).initial, 0, start
while True:
    moves = state.legal_moves
    state = state.play(rng.choice(moves)) if moves else state.game.initial
    plies += 1
    if (now := time.perf_counter()) - since > 0.1:
        if plies / (now - since) >= 1000:
            break
        plies, since = 0, now
print(now - start)
"""


def children(*command: str, text: str | None = None) -> float:
    """The processor time of a process and its children [s]."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, input=text, text=True, stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def own(work: Callable[[], object]) -> float:
    """The processor time of some work in this process [s]."""
    start = time.process_time()
    work()
    return time.process_time() - start


def shown(title: str, runs: int, ways: dict[str, Callable[[], float]], ms: float = 1.0) -> None:
    """Print the medians of some ways, with their ratio to the first way."""
    found = {name: median(times) for name, times in take_turns(runs, ways).items()}
    first = next(iter(found.values()))
    rows = [(name, number(1000 * t * ms), number(t / first)) for name, t in found.items()]
    table(title, ("way", "ms", "ratio"), rows)


def boards(count: int) -> list[chess.Board]:
    """Positions of random games of chess."""
    rng, found, board = random.Random(1), list[chess.Board](), chess.Board()
    while len(found) < count:
        if board.is_game_over() or board.halfmove_clock > 90:
            board = chess.Board()
        board.push(rng.choice(list(board.legal_moves)))
        found.append(board.copy(stack=False))
    return found


def starts(runs: int) -> None:
    """Verbs in later processes."""
    program = command_line()
    commands: dict[str, tuple[str, ...]] = {_IMPORT: (sys.executable, "-c", _IMPORT)}
    commands |= {name: (*program, *words) for name, words in _STARTS.items()}
    for name in ("breakthrough", "chess"):  # as somebody who uses the game has it: with its net
        run(*program, "playout", name, "-n", "2")
    for command in commands.values():
        children(*command)
    ways = {name: partial(children, *command) for name, command in commands.items()}
    problem = (*program, "solve", "--popeye", "-")
    children(*problem, text=_PROBLEM)
    ways["solve --popeye, #2"] = partial(children, *problem, text=_PROBLEM)
    shown("Later processes", runs, {**ways})


def serve(runs: int) -> None:
    """Legal moves of chess positions as JSON, a line each."""
    texts = [board.fen() for board in boards(2000)]
    asked = [json.dumps({"op": "legal", "game": "chess", "position": fen}) for fen in texts]
    lines = "\n".join(asked) + "\n"
    peer = (
        "import sys, json, chess\n"
        "for line in sys.stdin:\n"
        "    b = chess.Board(json.loads(line)['position'])\n"
        "    moves = [m.uci() for m in b.legal_moves]\n"
        "    print(json.dumps({'fen': b.fen(), 'legal': moves}), flush=True)"
    )
    ways = {
        "python-chess": lambda: children(sys.executable, "-c", peer, text=lines),
        "serve": lambda: children(*command_line(), "serve", text=lines),
    }
    shown("serve: a position of chess", runs, ways, 1 / len(texts))


def positions(runs: int) -> None:
    """A FEN and its legal moves, from Python, with the nets made."""
    fens = [board.fen() for board in boards(1000)]

    def ours(name: str, texts: Sequence[str]) -> Callable[[], float]:
        game = aspgames.load(name)
        assert game.whole_net
        for text in texts:  # until the net of refusals is made
            game.position(text)
        return lambda: own(lambda: [list(game.position(text).legal_moves) for text in texts])

    def played(name: str) -> list[str]:
        rng, state, found = random.Random(1), aspgames.load(name).initial, list[str]()
        while len(found) < len(fens):
            state = state.play(rng.choice(state.legal_moves))
            found.append(str(state.fen))
            state = state.game.initial if state.is_terminal else state
        return found

    ways = {
        "python-chess": lambda: own(lambda: [list(chess.Board(f).legal_moves) for f in fens]),
        "chess": ours("chess", fens),
        **{name: ours(name, played(name)) for name in ("amazons_10x10", "breakthrough")},
    }
    shown("A FEN and its legal moves", runs, ways, 1 / len(fens))


def san(runs: int) -> None:
    """A ply written and read in algebraic notation."""
    game, games = aspgames.load("chess"), list[list[str]]()
    assert game.whole_net
    for seed in range(10):
        board, rng, moves = chess.Board(), random.Random(seed), list[str]()
        while len(moves) < 80 and not board.is_game_over():
            moves.append(board.san(rng.choice(list(board.legal_moves))))
            board.push_san(moves[-1])
        games.append(moves)

    def ours() -> None:
        for moves in games:
            state = game.initial
            for move in moves:
                state = state.play(move)

    def theirs() -> None:
        for moves in games:
            board = chess.Board()
            for move in moves:
                board.push_san(move)

    ours()
    ways = {"python-chess": lambda: own(theirs), "aspgames": lambda: own(ours)}
    shown("A ply of algebraic notation", runs, ways, 1 / sum(map(len, games)))


def loop(runs: int) -> None:
    """Wall-clock time: the loop of legal moves and play reaches 1,000 plies a second."""
    os.environ["ASPGAMES_CACHE"] = "off"
    for name in ("amazons", "chess", "breakthrough"):
        text = _LOOP.format(game=name)
        playout = (*command_line(), "playout", name, "-n", "10")  # enough for a net
        ways: dict[str, Callable[[], float]] = {
            "playout": lambda p=playout: run(*p).seconds,  # type: ignore[misc]
            "loop": lambda t=text: run(sys.executable, "-c", t).seconds,  # type: ignore[misc]
        }
        shown(f"{name}, cold, wall-clock time to 1,000 plies a second", runs, ways)
        ended = run(*playout)
        print(f"\nplayout: {ended.mebibytes:.0f} MiB")
    del os.environ["ASPGAMES_CACHE"]


def puzzles(runs: int) -> None:
    """Many small puzzles, beside one process for each."""
    rng, found = random.Random(1), list[str]()
    while len(found) < 1000:
        white, black = rng.sample(range(1, 9), 2)
        ranks = [rank_of(white, "P"), "8", "8", "8", "8", rank_of(black, "p")]
        fen = "/".join(["8", *ranks, "8"]) + " w"
        asked = {"game": "breakthrough", "position": fen, "attacker": "white", "goal": "win"}
        found.append(json.dumps({**asked, "within": 2}))
    lines, few = "\n".join(found), [json.loads(line)["position"] for line in found[:10]]
    words = ("--attacker", "white", "--goal", "win", "--within", "2")

    def each() -> float:
        return sum(children(*command_line(), "solve", "breakthrough", f, *words) for f in few) / 10

    ways = {
        "a process for each": each,
        "solve --puzzles": lambda: (
            children(*command_line(), "solve", "--puzzles", "-", text=lines) / len(found)
        ),
    }
    shown("A small puzzle", runs, ways)


def rank_of(file: int, piece: str) -> str:
    """A rank of eight squares with one piece, as in a FEN."""
    return f"{file - 1 or ''}{piece}{8 - file or ''}"


def install(runs: int) -> None:
    """``pip install .`` in a new environment: all instruction sets, and this machine's."""
    with tempfile.TemporaryDirectory() as folder:

        def installed(variants: str) -> float:
            shutil.rmtree(folder, ignore_errors=True)
            subprocess.run([sys.executable, "-m", "venv", folder], check=True)
            os.environ["ASPGAMES_VARIANTS"] = variants
            return children(str(Path(folder, "bin", "pip")), "install", "-q", str(_ROOT))

        ways = {"all": lambda: installed("all"), "this machine's": lambda: installed("")}
        shown("pip install .", runs, ways)


PARTS = {each.__name__: each for each in (starts, serve, positions, san, loop, puzzles, install)}


def main() -> None:
    """Print the tables of all parts, or of one."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # as it is installed
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", choices=PARTS, help="one part instead of all")
    parser.add_argument("--runs", type=int, default=3, help="runs a figure (3)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ASPGAMES_CACHE"] = folder
        for name, part in PARTS.items():
            if options.only in (None, name):
                part(options.runs)


if __name__ == "__main__":
    main()
