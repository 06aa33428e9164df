#!/usr/bin/env bash
# chessops==0.15.1 (npm)
#
# Expected: a game in PGN ends with its termination marker (sections 8.2.6 and 18 of the PGN standard: the
# grammar of a file has no blank lines, and line breaks are white space). So two games on two lines are
# two games, and a blank line within the moves of a game ends nothing.
#
# What happens: `parsePgn` ends a game at a blank line, and not at its marker.
# - Two games without tags become one: the moves of both in a row, with the result of the second.
# - The tags of a second game that follow the first without a blank line are lost.
# - A game with a blank line between its moves becomes two. The second starts with White's second move.
# No error is reported in any of these cases.
#
# The lines have the tag Event, the result and the moves of each game.
# Seen on 2026-11-29: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit chessops@0.15.1

cat >seen <<'END'
two games, two lines: ? 0-1 e4 e5 d4 d5
a blank line between them: ? 1-0 e4 e5 | ? 0-1 d4 d5
tags of the second game between them: ? 1-0 e4 e5 | ? 0-1 d4 d5
one game with a blank line: A * e4 e5 | ? 1-0 Nf3 Nc6
END

cat >run.mjs <<'END'
import { parsePgn } from 'chessops/pgn';

const texts = {
  'two games, two lines': '1. e4 e5 1-0\n1. d4 d5 0-1\n',
  'a blank line between them': '1. e4 e5 1-0\n\n1. d4 d5 0-1\n',
  'tags of the second game between them': '1. e4 e5 1-0\n[Event "B"]\n\n1. d4 d5 0-1\n',
  'one game with a blank line': '[Event "A"]\n\n1. e4 e5\n\n2. Nf3 Nc6 1-0\n',
};
for (const [name, text] of Object.entries(texts)) {
  const games = parsePgn(text).map(game =>
    [game.headers.get('Event'), game.headers.get('Result'), ...[...game.moves.mainline()].map(move => move.san)].join(' '));
  console.log(`${name}: ${games.join(' | ')}`);
}
END

node run.mjs | diff seen -
