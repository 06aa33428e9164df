"use strict";

// --- a game in a page, by the net of its rules: see page_net.py ------------------------------------

const bytesOf = async (text) => {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

// The inverse of packed_blocks in page_net.py.
const unpacked = async ({ lengths, kept, text }) => {
  const planes = await bytesOf(text);
  const apart = (start, count) => Int32Array.from({ length: count }, (_, at) => {
    const byte = (plane) => planes[start + at + plane * count] << 8 * plane;
    const folded = byte(0) | byte(1) | byte(2) | byte(3);
    return (folded >>> 1) ^ -(folded & 1);
  });
  const [numbers, copies] = [apart(0, kept), apart(4 * kept, planes.length / 4 - kept)];
  const found = new Int32Array(lengths.reduce((one, other) => one + other));
  let [at, from] = [0, 0];
  const keep = (count) => {
    found.set(numbers.subarray(from, from + count), at);
    [at, from] = [at + count, from + count];
  };
  for (let copy = 0; copy < copies.length; copy += 3) {
    keep(copies[copy]);
    for (const end = at + copies[copy + 1]; at < end; at += 1) found[at] = found[at - copies[copy + 2]];
  }
  keep(kept - from);
  for (let place = 1; place < found.length; place += 1) found[place] += found[place - 1];
  let end = 0;
  return lengths.map((count) => found.slice(end, end += count));
};

const keyOf = (row) => String.fromCharCode(...row);
const rowOf = (key) => Uint8Array.from(key, (letter) => letter.charCodeAt(0));


// Random numbers from 0 to 1 (mulberry32), the same for the same `?seed=` in the page's address.
const dice = () => {
  let state = Number(new URLSearchParams(location.search).get("seed") ?? Math.random() * 2 ** 32) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

// Draws one of some joint moves of a state. Those of chance follow `weight/2`: `data.weights` has a
// move and its chances for each role of the net `weigher()`, true where that role's goal is 1. Without
// a key, all are alike.
const drawer = (data, weigher) => {
  const roll = dice();
  const chance = data.roles.indexOf("random");
  return (found, key, moveOf = ({ joint }) => joint[chance]) => {
    const goals = key !== null && data.weights.length ? weigher().ask(rowOf(key)).goals : [];
    const chances = new Map(data.weights.filter((_, at) => goals[at] === 1));
    if (!chances.size) return found[Math.floor(roll() * found.length)];
    const each = found.map((one) => chances.get(moveOf(one)));
    if (each.includes(undefined)) throw new Error("weight/2 gives chances to some moves of chance, and not to all");
    let left = roll() * each.reduce((sum, weight) => sum + weight);
    return found.find((_, at) => (left -= each[at]) < 0) ?? found.at(-1);
  };
};

// The game of a net, which `net()` returns. States are rows of bits as text. `data` is the player's,
// whose fluents have the net's numbers; the other argument has the moves and the number of fluents.
const gameOf = (data, { moves: names, open }, net) => {
  const MOST_JOINT = 2000; // joint moves of a state
  const length = Math.ceil(open / 64) * 8; // of a row [bytes]

  const rowWith = (held) => {
    const row = new Uint8Array(length);
    held.filter((number) => number < open).forEach((number) => { row[number >> 3] |= 1 << (number & 7); });
    return row;
  };
  const openIn = (row) => {
    const held = [];
    row.forEach((byte, at) => {
      for (let bit = 0; byte >> bit; bit += 1) if (byte >> bit & 1) held.push(8 * at + bit);
    });
    return held;
  };
  const known = new Map(); // what was asked about rows

  const asked = (key) => {
    if (!known.has(key)) {
      if (known.size > 5000) known.clear();
      known.set(key, net().ask(rowOf(key)));
    }
    return known.get(key);
  };

  // The role on move, or that would be if the game weren't over; -1: none, or several. See
  // the_one_on_move in gdl/reasoner.
  const onMove = ({ movers, mover, moves }) => {
    if (movers) return movers === 1 ? mover : -1;
    const term = ({ number }) => names[number][1];
    const acting = data.roles.map((_, role) => role)
      .filter((role) => moves.length === 1 || moves[role].length !== 1 || term(moves[role][0]) !== "noop");
    const found = acting.length > 1 ? acting.filter((role) => moves[role].length !== 1) : acting;
    return found.length === 1 ? found[0] : -1;
  };

  const moveText = ({ number, marked }) => names[number][marked ? 3 : 2];

  // The moves to choose from, as joint moves: numbers by role, and a text.
  const options = (key) => {
    const said = asked(key);
    if (said.over || said.moves.some((each) => !each.length)) return [];
    const role = onMove(said);
    if (role >= 0 && said.moves.every((each, other) => other === role || each.length === 1)) {
      return said.moves[role].map((move) => ({
        role, joint: said.moves.map(([only], other) => (other === role ? move : only).number),
        text: moveText(move), number: move.number,
      }));
    }
    let joint = [{ role: null, joint: [], words: [] }];
    said.moves.forEach((each, other) => {
      joint = joint.flatMap((one) => each.map((move) => ({
        role: null, joint: [...one.joint, move.number], words: [...one.words, `${data.roles[other]}=${moveText(move)}`],
      })));
      if (joint.length > MOST_JOINT) throw new Error("the roles have too many joint moves for a page");
    });
    return joint.map(({ words, ...rest }) => ({ ...rest, text: words.join(",") }));
  };

  // The squares of a move that names none: those that it changes.
  const changed = (gone, come) => {
    const on = (numbers) => new Set(numbers.map((number) => data.fluents[number]).filter(Array.isArray).map(([square]) => square));
    const [emptied, filled] = [on(gone), on(come)];
    const found = [...[...emptied].filter((square) => !filled.has(square)), ...[...filled].filter((square) => !emptied.has(square))];
    return found.length ? found : [...filled];
  };

  const edges = new Map();
  const edgesOf = (key) => {
    if (!edges.has(key)) {
      const before = openIn(rowOf(key));
      edges.set(key, options(key).map(({ role, joint, text, number }) => {
        const after = net().play(rowOf(key), joint);
        const now = openIn(after);
        const [were, are] = [new Set(before), new Set(now)];
        const gone = before.filter((fluent) => !are.has(fluent));
        const come = now.filter((fluent) => !were.has(fluent));
        const squares = number === undefined ? [] : names[number][4];
        data.steps.push([role, text, gone, come, squares.length ? squares : changed(gone, come)]);
        return { step: data.steps.length - 1, target: keyOf(after), text, number, joint };
      }));
    }
    return edges.get(key);
  };

  // Who is to move, or how the game has ended.
  const outcome = (key) => {
    const { over, goals } = asked(key);
    const role = onMove(asked(key));
    if (!over && options(key).length) return role < 0 ? "All move at once." : `${named(data.roles[role])} is to move.`;
    if (!over) return "No move is left, though the game isn't over.";
    const values = data.roles.map((_, at) => Math.max(0, goals[at]));
    const won = values.filter((value) => value === 100).length === 1 ? named(data.roles[values.indexOf(100)]) : "";
    const equal = values.length > 1 && values.every((value) => value === values[0]);
    const scores = data.roles.map((one, at) => `${named(one)} ${values[at]}`).join(", ");
    return `Game over: ${won ? `${won} has won` : equal ? "a draw" : "nobody has won"} (${scores}).`;
  };

  return { rowWith, openIn, asked, onMove, moveText, options, edgesOf, outcome };
};
