"""Engines with perft for tests of the cross-check: one for UCI, one for perftree.

    python perft_engine.py uci GAME BUG
    python perft_engine.py perftree GAME BUG DEPTH FEN [MOVES]

They use aspgames; BUG is ``none``, or a legal move (``a2a3``) that the engine leaves out.
"""

import sys

import aspgames
from aspgames import State
from aspgames.crosscheck.engines.turn_labels import label_of
from aspgames.game.notation.uci_notation import coordinates


def counts(state: State, depth: int, bug: str) -> list[tuple[str, int]]:
    """The count of each move; the move ``bug`` is left out at every depth."""
    found = []
    for move in state.legal_moves:
        name = coordinates(label_of(state.game, (move.term,)))
        if name != bug:
            below = counts(state.play(move), depth - 1, bug) if depth > 1 else [("", 1)]
            found.append((name, sum(count for _, count in below)))
    return found


def played(game: str, fen: str, moves: list[str]) -> State:
    state = aspgames.load(game).position(fen)
    for move in moves:
        options = {coordinates(label_of(state.game, (m.term,))): m.term for m in state.legal_moves}
        state = state.play(options[move])
    return state


def uci(game: str, bug: str) -> None:
    state = None
    for line in sys.stdin:
        words = line.split()
        if words == ["uci"]:
            print(f"option name UCI_Variant type combo default {game} var chess var {game}")
            print("id name perft_engine\nuciok", flush=True)
        elif words[:3] == ["setoption", "name", "UCI_Variant"]:
            if words[-1] == game:  # others are ignored, like in Fairy-Stockfish
                start = aspgames.load(game).initial.fen
                print(f"info string variant {game} files 8 ranks 8 startpos {start} 0 1")
        elif words == ["isready"]:
            print("readyok", flush=True)
        elif words[0] == "position":
            split = words.index("moves") if "moves" in words else len(words)
            state = played(game, " ".join(words[2:split]), words[split + 1 :])
        elif words[:2] == ["go", "perft"] and state:
            found = counts(state, int(words[2]), bug)
            print("info string counting")
            for name, count in found:
                print(f"{name}: {count}")
            print(f"\nNodes searched: {sum(count for _, count in found)}\n", flush=True)
        elif words == ["quit"]:
            return


def perftree(game: str, bug: str, depth: str, fen: str, moves: str = "") -> None:
    found = counts(played(game, fen, moves.split()), int(depth), bug)
    for name, count in found:
        print(name, count)
    print(f"\n{sum(count for _, count in found)}")


if __name__ == "__main__":
    if sys.argv[1] == "uci":
        uci(*sys.argv[2:])
    else:
        perftree(*sys.argv[2:])
