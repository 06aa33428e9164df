#!/usr/bin/env bash
# python-shogi==1.1.1, cshogi==1.1.0 (pip)
#
# Expected: a KIF file has the moves of the game first. A line such as 変化：2手 begins a variation from that move
# number (kakinoki.o.oo7.jp/kif_format.html, by the author of the format), and Kifu for Windows writes a plus sign
# behind a move that has variations. `shogi.KIF.Parser` gives the moves of the game, or raises ParserException.
#
# What happens: a move with the plus sign is left out, and the moves of all variations are added to the end of the
# game. So a commented game becomes a list of moves that are not legal in a row, and no error is raised. cshogi
# reads the same text as it is meant.
#
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q python-shogi==1.1.1 cshogi==1.1.0

cat >seen <<'END'
without variations
  cshogi: 7g7f 3c3d 2g2f
  python-shogi: 7g7f 3c3d 2g2f
with a variation
  cshogi: 7g7f 3c3d 2g2f
  python-shogi: 7g7f 3c3d 2g2f 8c8d 2g2f
with a variation and its plus sign
  cshogi: 7g7f 3c3d 2g2f
  python-shogi: 7g7f 2g2f 8c8d 2g2f
END

cat >run.py <<'END'
import cshogi
import cshogi.KIF
import shogi.KIF

GAME = """手合割：平手
手数----指手---------消費時間--
   1 ７六歩(77)   ( 0:00/00:00:00)
   2 ３四歩(33)   ( 0:00/00:00:00){plus}
   3 ２六歩(27)   ( 0:00/00:00:00)
   4 投了         ( 0:00/00:00:00)
まで3手で先手の勝ち
"""
VARIATION = """
変化：2手
   2 ８四歩(83)   ( 0:00/00:00:00)
   3 ２六歩(27)   ( 0:00/00:00:00)
"""
texts = {
    "without variations": GAME.format(plus=""),
    "with a variation": GAME.format(plus="") + VARIATION,
    "with a variation and its plus sign": GAME.format(plus="+") + VARIATION,
}
for name, text in texts.items():
    right = [cshogi.move_to_usi(move) for move in cshogi.KIF.Parser.parse_str(text).moves]
    (game,) = shogi.KIF.Parser.parse_str(text)
    print(name, f"  cshogi: {' '.join(right)}", f"  python-shogi: {' '.join(game['moves'])}", sep="\n")
END

venv/bin/python run.py | diff seen -
