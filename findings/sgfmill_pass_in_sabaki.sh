#!/usr/bin/env bash
# sgfmill==1.1.1 (pip), @sabaki/sgf==3.4.7 (npm)
#
# Expected: a pass that one SGF library writes is a pass for another. In FF[4], both an empty value and, up
# to size 19, "tt" are a pass (the page on Go of the SGF specification), where "tt" is kept for old files.
# sgfmill writes FF[4] and its documentation names no form, so the empty value is what one expects.
#
# What happens: sgfmill writes "tt" on boards up to size 19. `parseVertex` of @sabaki/sgf answers [-1, -1]
# for the empty value, as documented for strings that are no point. For "tt" it answers the point
# [19, 19], which lies outside each of these boards. A program that takes [-1, -1] as a pass plays a stone
# outside the board.
#
# Seen on 2026-11-29: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q sgfmill==1.1.1
npm init -y >/dev/null
npm install --silent --no-fund --no-audit @sabaki/sgf@3.4.7

cat >seen <<'END'
size 9: sgfmill writes B[tt], sabaki reads [19,19]
size 19: sgfmill writes B[tt], sabaki reads [19,19]
size 20: sgfmill writes B[], sabaki reads [-1,-1]
END

cat >write.py <<'END'
import sys

from sgfmill.sgf import Sgf_game

game = Sgf_game(size=int(sys.argv[1]))
game.extend_main_sequence().set_move("b", None)
print(game.serialise().decode())
END

cat >read.cjs <<'END'
const { parse, parseVertex } = require('@sabaki/sgf');

const [value] = parse(require('fs').readFileSync(0, 'utf8'))[0].children[0].data.B;
console.log(`sgfmill writes B[${value}], sabaki reads ${JSON.stringify(parseVertex(value))}`);
END

for size in 9 19 20; do
  echo "size $size: $(venv/bin/python write.py "$size" | node read.cjs)"
done | diff seen -
