#!/usr/bin/env bash
# js-chess-engine==1.0.3, chess.js==1.4.0 (npm)
#
# Expected: `checkMate` is "`true` when playing player has checkmate", and the board's `enPassant` is for that "special pawn
# move" (its README). A pawn that gives check by its move of two squares may be captured en passant, so where that is
# legal it is no mate.
#
# What happens: an en passant capture never answers the check of the pawn that it takes. So `moves` has none, `checkMate`
# is true, and the game is finished. Where the king isn't attacked, the same capture is offered.
#
# The positions are made at random: a white pawn gives check by its first move, beside a black pawn. The judge is chess.js.
# Of those with a legal capture en passant: in how many `moves` has it, and how many with no other move are called mate.
# Then three of them: the position, White's move, and all legal answers. Last, the capture where there is no check.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit js-chess-engine@1.0.3 chess.js@1.4.0

cat >seen <<'END'
16224 checks by a pawn that can be captured en passant: the capture is offered in 0
no other legal move in 320: 320 are called mate
B3r3/3R1Q2/8/4k3/4p3/6K1/3P4/rN6 d2-d4: exd3; checkMate true
5b2/3BB3/2R5/7k/7p/5K2/N1n3P1/8 g2-g4: hxg3; checkMate true
7n/2K3B1/8/2k2b1N/4pR2/1Q6/3P4/8 d2-d4: exd3; checkMate true
no check: ["E3","D3"]
END

cat >run.mjs <<'END'
import engine from 'js-chess-engine';
import { Chess } from 'chess.js';

let state = 1;
const random = bound => (state = (state * 48271) % 2147483647) % bound;
const FILES = 'abcdefgh';

function randomPosition() {
  const board = Array.from({ length: 8 }, () => Array(8).fill(''));
  const put = (row, column, piece) => {
    if (row > 7 || column < 0 || column > 7 || board[row][column]) return false;
    board[row][column] = piece;
    return true;
  };
  const file = random(8), side = () => random(2) ? 1 : -1;
  let fits = put(6, file, 'P') && put(4, file, '.') && put(3, file + side(), 'k') && put(4, file + side(), 'p');
  for (const piece of ['K', ...Array.from({ length: 4 }, () => 'QRBN'[random(4)]), ...Array.from({ length: 2 }, () => 'qrbn'[random(4)])]) {
    fits = put(random(8), random(8), piece) && fits;
  }
  if (!fits) return null;
  const rows = board.map(row => row.map(piece => piece.replace('.', '') || '1').join('').replace(/1+/g, ones => ones.length));
  return { rows: rows.join('/'), from: `${FILES[file]}2`, to: `${FILES[file]}4` };
}

let captures = 0, offered = 0, only = 0, mates = 0;
const shown = [];
for (let attempt = 0; attempt < 200000; attempt++) {
  const made = randomPosition();
  if (!made) continue;
  const { rows, from, to } = made;
  if (new Chess(`${rows} b - - 0 1`, { skipValidation: true }).isCheck()) continue;
  const chess = new Chess(`${rows} w - - 0 1`);
  if (!chess.moves({ verbose: true }).some(move => move.from === from && move.to === to)) continue;
  chess.move({ from, to });
  const answers = chess.moves({ verbose: true });
  const capture = answers.find(move => move.isEnPassant());
  if (!chess.isCheck() || !capture) continue;
  captures++;
  const game = new engine.Game(`${rows} w - - 0 1`);
  game.move(from, to);
  const moves = game.moves();
  offered += (moves[capture.from.toUpperCase()] ?? []).includes(capture.to.toUpperCase());
  if (answers.every(move => move.isEnPassant())) {
    only++;
    mates += game.exportJson().checkMate && game.exportJson().isFinished;
    shown.push(`${rows} ${from}-${to}: ${answers.map(move => move.san).join(' ')}; checkMate ${game.exportJson().checkMate}`);
  }
}
console.log(`${captures} checks by a pawn that can be captured en passant: the capture is offered in ${offered}`);
console.log(`no other legal move in ${only}: ${mates} are called mate`);
console.log(shown.slice(0, 3).join('\n'));
console.log('no check:', JSON.stringify(engine.moves('8/8/8/8/3Pp2k/8/8/4K3 b - d3 0 1').E4));
END

node run.mjs | diff seen -
