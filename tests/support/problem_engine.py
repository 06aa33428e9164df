"""A program with the input and the output of Popeye, on python-chess, for orthodox problems.

The first argument names its fault: none, no-castling, one-key, both-kings, slow, or nothing.
"""

import re
import sys
import time

import chess

FAULT = sys.argv[1] if len(sys.argv) > 1 else "none"


def after(board: chess.Board, move: chess.Move) -> chess.Board:
    found = board.copy()
    found.push(move)
    return found


def mates(board: chess.Board, turns: int) -> list[chess.Move]:
    """The moves that mate within so many turns."""
    return [m for m in board.legal_moves if turns and lost(after(board, m), turns - 1)]


def lost(board: chess.Board, turns: int) -> bool:
    """Whether the side on move is mated within so many turns of the other side."""
    if not any(board.legal_moves):
        return board.is_check()
    return turns > 0 and all(mates(after(board, m), turns) for m in board.legal_moves)


def helps(board: chess.Board, plies: int) -> list[chess.Move]:
    """The moves that lead to a mate by the other side's last move, if both help."""
    if plies == 1:
        return [m for m in board.legal_moves if after(board, m).is_checkmate()]
    return [m for m in board.legal_moves if helps(after(board, m), plies - 1)]


def written(board: chess.Board, move: chess.Move) -> str:
    if board.is_castling(move):
        return "0-0" if chess.square_file(move.to_square) == 6 else "0-0-0"
    piece = chess.piece_symbol(board.piece_type_at(move.from_square) or 0).upper()
    piece = piece.replace("P", "").replace("N", "S")
    start, end = chess.square_name(move.from_square), chess.square_name(move.to_square)
    text = f"{piece}{start}{'*' if board.is_capture(move) else '-'}{end}"
    if board.is_en_passant(move):
        text += " ep."
    if move.promotion:
        text += f"={chess.piece_symbol(move.promotion).upper().replace('N', 'S')}"
    return text


def main() -> None:
    words = {
        line.partition(" ")[0]: line.partition(" ")[2] for line in sys.stdin.read().split("\n")
    }
    stipulation, options = words["Stipulation"], words["Option"]
    board = chess.Board(None)
    board.set_board_fen(words["Forsyth"].translate(str.maketrans("sS", "nN")))
    stays = re.search(r"NoCastling (\S+)", options)
    for corner in ("h1", "a1", "h8", "a8"):
        if corner not in (stays[1] if stays else "") and FAULT != "no-castling":
            board.castling_rights |= chess.BB_SQUARES[chess.parse_square(corner)]
    if passed := re.search(r"EnPassant ..(..)", options):
        board.ep_square = chess.parse_square(passed[1])
    kind, number = stipulation.rstrip(".0123456789"), stipulation.lstrip("h#~")
    board.turn = (kind != "h#" or ".5" in number) != ("HalfDuplex" in options)
    print("Popeye nearly (1024 MB)\n")
    if FAULT == "slow":
        time.sleep(60)
    if FAULT == "both-kings":
        print("both sides need a king")
    elif kind == "h#":
        plies = int(2 * float(number))
        for move in helps(board, plies):
            print(f"  1.{'..' if plies % 2 else ''}{written(board, move)}   2.and so on #")
    else:
        found = list(board.legal_moves) if kind == "~" else mates(board, int(number))
        for move in found[: 1 if FAULT == "one-key" and kind == "#" else None]:
            print(f"   1.{written(board, move)} !\n")
    if FAULT != "nothing":
        print("\nsolution finished. Time = 0.006 s")


if __name__ == "__main__":
    main()
