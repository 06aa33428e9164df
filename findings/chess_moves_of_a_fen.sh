#!/usr/bin/env bash
# chess==1.5.1 (npm)
#
# Expected: a pawn may advance two squares on its first move (FIDE Laws of Chess, 3.7.2), so from its second row. The
# third field of a FEN says who may castle, and the fourth where a pawn may be captured en passant. The package "loads
# board position from FEN" and lists valid moves, with "en passant validation" (its README). So all of this holds for a
# loaded position.
#
# What happens: whether a pawn has moved is taken from a count of its moves, which is 0 for each pawn that was loaded.
# So each of them may advance two squares once, from any row, and promote from the sixth. Such moves are listed and can
# be played, silently. The square of the fourth field is not read, so the capture isn't listed. Nor is the third field:
# castling is listed where the FEN denies it. In a game from the start all of this is right.
#
# An ending of kings and a pawn on c4, loaded, and the same after the move that the rules forbid. Then a pawn on each
# square of a row, with the kings elsewhere: how many of the eight may advance two squares. Then a capture en passant,
# and castling for three values of the third field.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit chess@1.5.1

cat >seen <<'END'
pawn on c4: c5 c6
after c6: 8/5k2/2P5/8/8/8/5K2/8
row 2: 8 of 8 advance two squares; a pawn on h2 has h3 h4
row 3: 8 of 8 advance two squares; a pawn on h3 has h4 h5
row 4: 8 of 8 advance two squares; a pawn on h4 has h5 h6
row 5: 8 of 8 advance two squares; a pawn on h5 has h6 h7
row 6: 8 of 8 advance two squares; a pawn on h6 has h7 h8B h8N h8Q h8R
loaded, with d6 in the FEN: e6
the same after moves: e6 exd6
castling with the field KQ: 0-0-0 0-0; with K: 0-0-0 0-0; with -: 0-0-0 0-0
END

cat >run.cjs <<'END'
const chess = require('chess');

const pawnMoves = client => Object.keys(client.getStatus().notatedMoves).filter(move => /^[a-h]/.test(move)).sort();

const ending = chess.fromFEN('8/5k2/8/8/2P5/8/5K2/8 w - - 0 1');
console.log(`pawn on c4: ${pawnMoves(ending).join(' ')}`);
ending.move('c6');
console.log(`after c6: ${ending.getFen().split(' ')[0]}`);

for (let row = 2; row <= 6; row++) {
  let two = 0, moves = '';
  for (let file = 0; file < 8; file++) {
    const kings = file < 4 ? 7 : 0;
    const line = (at, piece) => `${at || ''}${piece}${7 - at || ''}`;
    const rows = Array(8).fill('8');
    rows[0] = line(kings, 'k');
    rows[7] = line(kings, 'K');
    rows[8 - row] = line(file, 'P');
    const found = pawnMoves(chess.fromFEN(`${rows.join('/')} w - - 0 1`));
    if (found.some(move => Number(move[1]) === row + 2)) two++;
    moves = found.join(' ');
  }
  console.log(`row ${row}: ${two} of 8 advance two squares; a pawn on h${row} has ${moves}`);
}

const passing = chess.fromFEN('rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3');
console.log(`loaded, with d6 in the FEN: ${pawnMoves(passing).filter(move => move[0] === 'e').join(' ')}`);
const game = chess.create();
for (const move of ['e4', 'a6', 'e5', 'd5']) game.move(move);
console.log(`the same after moves: ${pawnMoves(game).filter(move => move[0] === 'e').join(' ')}`);

const castling = ['KQ', 'K', '-'].map(field => {
  const { notatedMoves } = chess.fromFEN(`4k3/8/8/8/8/8/8/R3K2R w ${field} - 0 1`).getStatus();
  return `${field}: ${Object.keys(notatedMoves).filter(move => move[0] === '0').join(' ')}`;
});
console.log(`castling with the field ${castling.join('; with ')}`);
END

node run.cjs | diff seen -
