#!/usr/bin/env bash
# pydraughts==0.6.7 (pip)
#
# Expected: in PDN, the notation of draughts, text in braces is a comment, and a variation in parentheses may end with a
# result, as in PGN. Neither ends the game.
#
# What happens: `PDNReader` ends a game at the first result with a space before and behind it, also in a comment or a
# variation, and drops comments only afterwards. One game becomes two: the first has the result of the comment, the
# second has the other moves and no tags. Words of the comment and moves of the variation may join the game. All of
# this is silent.
#
# For each text, the games read: moves, result, the name of White.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q pydraughts==0.6.7

cat >seen <<'END'
1. 32-28 19-23 2. 28x19 14x23 2-0
  ['32-28', '19-23', '28x19', '14x23'] 2-0 Ann
1. 32-28 19-23 {The match ended 1-1 last time.} 2. 28x19 14x23 2-0
  ['32-28', '19-23'] 1-1 Ann
  ['}', '2', '28x19', '14x23'] 2-0 None
1. 32-28 19-23 (1... 18-23 2. 34-29 0-2 ) 2. 28x19 14x23 2-0
  ['32-28', '19-23', '34-29'] 0-2 Ann
  ['28x19', '14x23'] 2-0 None
END

cat >run.py <<'END'
from draughts.PDN import PDNReader

for moves in (
    "1. 32-28 19-23 2. 28x19 14x23 2-0",
    "1. 32-28 19-23 {The match ended 1-1 last time.} 2. 28x19 14x23 2-0",
    "1. 32-28 19-23 (1... 18-23 2. 34-29 0-2 ) 2. 28x19 14x23 2-0",
):
    print(moves)
    for game in PDNReader(f'[White "Ann"]\n[Result "2-0"]\n\n{moves}\n').games:
        print(" ", game.moves, game.game_ending, game.tags.get("White"))
END

venv/bin/python run.py | diff seen -
