#!/usr/bin/env bash
# kokopu==4.13.4 (npm)
#
# Expected: PGN has two kinds of comments: in braces, and from a semicolon to the end of the line (section
# 5 of the PGN standard). Lines that begin with a percent sign are ignored (section 6). The README of
# kokopu offers to parse PGN with its advanced features.
#
# What happens: `pgnRead` knows only the comments in braces. It refuses a game with one of the other two,
# also if the line stands before the first move.
#
# Seen on 2026-11-29: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit kokopu@4.13.4

cat >seen <<'END'
"1. e4 {x}\ne5 *": e4 e5
"1. e4 ; x\ne5 *": Unrecognized character or group of characters.
"; x\n1. e4 e5 *": Unrecognized character or group of characters.
"% x\n1. e4 e5 *": Unrecognized character or group of characters.
END

cat >run.mjs <<'END'
import kokopu from 'kokopu';

for (const text of ['1. e4 {x}\ne5 *', '1. e4 ; x\ne5 *', '; x\n1. e4 e5 *', '% x\n1. e4 e5 *']) {
  let answer;
  try {
    answer = kokopu.pgnRead(text, 0).nodes().map(node => node.notation()).join(' ');
  } catch (error) {
    answer = error.message;
  }
  console.log(`${JSON.stringify(text)}: ${answer}`);
}
END

node run.mjs | diff seen -
