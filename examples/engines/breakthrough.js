// Breakthrough as an engine that aspgames can cross-check: node breakthrough.js
// It reads a JSON object a line and answers one a line; see docs/check_your_engine.md.

const readline = require("readline");

const other = { white: "black", black: "white" };
const ahead = { white: 1, black: -1 };

// The facts "cell(1,2,white) ... control(white)" as a board: a map from "1,2" to "white".
function read(facts) {
  const state = { board: new Map(), mover: null };
  for (const [, x, y, side] of facts.matchAll(/cell\((\d+),(\d+),(\w+)\)/g))
    state.board.set(`${x},${y}`, side);
  state.mover = facts.match(/control\((\w+)\)/)[1];
  return state;
}

function write(state) {
  const cells = [...state.board].map(([square, side]) => `cell(${square},${side})`);
  return [...cells, `control(${state.mover})`].sort();
}

// A side has won when it stands on its last row, or when the other has no piece left.
function hasWon(state, side, height) {
  const last = side === "white" ? height : 1;
  const pieces = [...state.board];
  return (
    pieces.some(([square, owner]) => owner === side && +square.split(",")[1] === last) ||
    !pieces.some(([, owner]) => owner === other[side])
  );
}

// Straight ahead onto an empty square, or aslant onto any square that isn't one's own.
function moves(state, width, height) {
  const found = [];
  for (const [square, owner] of state.board) {
    if (owner !== state.mover) continue;
    const [x, y] = square.split(",").map(Number);
    const v = y + ahead[owner];
    if (v < 1 || v > height) continue;
    for (const u of [x - 1, x, x + 1]) {
      if (u < 1 || u > width) continue;
      const there = state.board.get(`${u},${v}`);
      if (u === x ? !there : there !== owner) found.push(`move(${x},${y},${u},${v})`);
    }
  }
  return found.sort();
}

function play(state, move) {
  const [x, y, u, v] = move.match(/\d+/g);
  state.board.delete(`${x},${y}`);
  state.board.set(`${u},${v}`, state.mover);
  state.mover = other[state.mover];
}

function answer(request) {
  const { width, height } = { width: 8, height: 8, ...request.const };
  const state = read(request.position);
  for (const move of request.moves || []) {
    if (!moves(state, width, height).includes(move)) throw new Error(`${move} is not legal`);
    play(state, move);
  }
  const won = ["white", "black"].filter((side) => hasWon(state, side, height));
  const over = won.length > 0;
  return {
    facts: write(state),
    to_move: state.mover,
    terminal: over,
    goals: { white: won.includes("white") ? 100 : 0, black: won.includes("black") ? 100 : 0 },
    legal: {
      [state.mover]: over ? [] : moves(state, width, height),
      [other[state.mover]]: over ? [] : ["noop"],
    },
  };
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  let reply;
  try {
    reply = answer(request);
  } catch (error) {
    reply = { error: error.message };
  }
  console.log(JSON.stringify({ id: request.id, ...reply }));
});
