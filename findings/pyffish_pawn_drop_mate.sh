#!/usr/bin/env bash
# pyffish==0.0.90, python-shogi==1.1.1 (pip)
#
# Expected: a pawn drop that mates (uchifuzume) is illegal in shogi. Fairy-Stockfish's variants.ini
# describes the rule `shogiPawnDropMateIllegal` as a prohibition, and shogi has it. So `legal_moves` lists
# no such drop, as `legal_moves` of python-shogi doesn't.
#
# What happens: `legal_moves` of pyffish lists the drop. After it, the mated side has no move, and
# `game_result` says that the mated side wins. So perft counts differ from those of other shogi programs,
# and whoever takes a side without moves as mated gets the winner wrong.
#
# Seen on 2026-11-29: the lines below `seen`. 32000 is a win for the side to move.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q pyffish==0.0.90 python-shogi==1.1.1

cat >seen <<'END'
python-shogi: pawn False, lance True
pyffish: pawn True, lance True
after the pawn: 0 replies, result 32000
after the lance: 0 replies, result -32000
END

cat >run.py <<'END'
import pyffish
import shogi

# A king in the corner 1a beside its own knight, a gold at 1c, and a piece to drop at 1b.
moves = {m.usi() for m in shogi.Board("7nk/9/8G/9/9/9/9/9/K8 b PL 1").legal_moves}
print(f"python-shogi: pawn {'P*1b' in moves}, lance {'L*1b' in moves}")
fen = "7nk/9/8G/9/9/9/9/9/K8[PL] w - - 0 1"
assert pyffish.validate_fen(fen, "shogi") == pyffish.FEN_OK
drops = pyffish.legal_moves("shogi", fen, [])
print(f"pyffish: pawn {'P@i8' in drops}, lance {'L@i8' in drops}")
for piece, move in ("pawn", "P@i8"), ("lance", "L@i8"):
    replies = pyffish.legal_moves("shogi", fen, [move])
    result = pyffish.game_result("shogi", fen, [move])
    print(f"after the {piece}: {len(replies)} replies, result {result}")
END

venv/bin/python run.py | diff seen -
