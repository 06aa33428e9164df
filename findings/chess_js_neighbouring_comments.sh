#!/usr/bin/env bash
# chess.js==1.4.0, chessops==0.15.1 (npm)
#
# Expected: comments may stand anywhere between the tokens of PGN (section 5 of the PGN standard), also two
# in a row, after a variation, or before a glyph. Other programs write them: chessops keeps two comments
# of a move apart. `loadPgn` then reads the game.
#
# What happens: `loadPgn` takes one comment, after a move and its glyphs and before its variations. It
# refuses the whole game if a second comment follows, if a comment follows a variation, or if a glyph
# follows a comment. So it refuses what chessops writes.
#
# Seen on 2026-11-29: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit chess.js@1.4.0 chessops@0.15.1

cat >seen <<'END'
e4 e5: 1. e4 {a} e5 *
e4 e5: 1. e4 $1 {a} e5 *
e4 e5: 1. e4 {a} (1. d4) e5 *
SyntaxError: 1. e4 {a} {b} e5 *
SyntaxError: 1. e4 {a} $1 e5 *
SyntaxError: 1. e4 (1. d4) {a} e5 *
chessops writes: 1. e4 { a } { b } e5 *
SyntaxError: 1. e4 { a } { b } e5 *
END

cat >run.mjs <<'END'
import { Chess } from 'chess.js';
import { makePgn, parsePgn } from 'chessops/pgn';

function read(text) {
  const game = new Chess();
  try {
    game.loadPgn(text);
    console.log(`${game.history().join(' ')}: ${text}`);
  } catch (error) {
    console.log(`${error.name}: ${text}`);
  }
}

const accepted = ['1. e4 {a} e5 *', '1. e4 $1 {a} e5 *', '1. e4 {a} (1. d4) e5 *'];
const refused = ['1. e4 {a} {b} e5 *', '1. e4 {a} $1 e5 *', '1. e4 (1. d4) {a} e5 *'];
[...accepted, ...refused].forEach(read);
const written = makePgn(parsePgn('1. e4 {a} {b} e5 *')[0]).trim().split('\n').pop();
console.log('chessops writes:', written);
read(written);
END

node run.mjs | diff seen -
