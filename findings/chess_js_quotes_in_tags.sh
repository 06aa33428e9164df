#!/usr/bin/env bash
# chess.js==1.4.0 (npm)
#
# Expected: `loadPgn` reads what `pgn` writes. A quote in the value of a tag has a backslash before it
# (section 7 of the PGN standard, on strings), so a nickname in quotes can stand in a player's tag.
#
# What happens: `pgn` writes the quote as it is, so the value ends there, and `loadPgn` refuses the text.
# It also refuses the text that follows the standard. A game with such a tag is saved without an error,
# and can't be loaded again.
#
# Seen on 2026-11-29: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit chess.js@1.4.0

cat >seen <<'END'
written: [Event "The "Immortal" game"]
read again: SyntaxError
as the standard has it: SyntaxError
END

cat >run.mjs <<'END'
import { Chess } from 'chess.js';

function read(text) {
  const game = new Chess();
  try {
    game.loadPgn(text);
    return game.getHeaders().Event;
  } catch (error) {
    return error.name;
  }
}

const game = new Chess();
game.setHeader('Event', 'The "Immortal" game');
game.move('e4');
console.log('written:', game.pgn().split('\n')[0]);
console.log('read again:', read(game.pgn()));
console.log('as the standard has it:', read('[Event "The \\"Immortal\\" game"]\n\n1. e4 *'));
END

node run.mjs | diff seen -
