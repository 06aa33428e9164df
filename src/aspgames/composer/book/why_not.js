"use strict";

// Why a move isn't legal, read from the net's tables (tables.h): the fluents that make its literal
// false, on as few squares as possible. Null if no rule gives the role this move at its turn.
// `things` names what a fluent is about, such as a square.
const causesOf = (block, row, role, move, thing) => {
  const [, , fluents, , , , , , turnCount, turns, phases] = block;
  const bit = (fluent) => row[fluent >> 3] >> (fluent & 7) & 1;
  const held = [...Array(turnCount).keys()].filter((turn) => bit(block[turns + turn]));
  const phase = block[phases + (held.length === 1 ? held[0] : turnCount)];
  const [segments, count] = block.slice(phase, phase + 2);
  const [slots, , , choices, , literals, moves] = block.slice(phase + 9, phase + 16);
  const [first, end] = block.slice(choices + 2 * role, choices + 2 * role + 2);
  const place = block.subarray(moves + first, moves + end).indexOf(move);
  if (place < 0) return null;

  const values = new Uint8Array(slots);
  const runs = new Int32Array(slots); // where each gate's run is
  const definitions = new Map(); // the literals of a loop's variables
  values[0] = 1;
  for (let fluent = 0; fluent < fluents; fluent += 1) values[fluent + 1] = bit(fluent);
  const truth = (literal) => values[literal >> 1] ^ (literal & 1);
  const operands = (slot) => {
    const [positive, negative, , start] = block.subarray(runs[slot], runs[slot] + 4);
    const at = runs[slot] + 4 + (slot - start) * (positive + negative);
    return [...block.subarray(at, at + positive + negative)].map((operand, n) => 2 * operand + Number(n >= positive));
  };
  for (let segment = segments; segment < segments + 4 * count; segment += 4) {
    const [begin, stop, variables, several] = block.subarray(segment, segment + 4);
    let settled = false;
    while (!settled) {
      for (let at = begin; at < stop;) {
        const [positive, negative, gates, start] = block.subarray(at, at + 4);
        const width = positive + negative;
        for (let gate = 0, from = at + 4; gate < gates; gate += 1, from += width) {
          let all = 1;
          for (let n = 0; n < width; n += 1) all &= values[block[from + n]] ^ Number(n >= positive);
          values[start + gate] = all;
          runs[start + gate] = at;
        }
        at += 4 + gates * width;
      }
      settled = true;
      for (let n = 0; n < several; n += 1) {
        const [slot, literal] = block.subarray(variables + 2 * n, variables + 2 * n + 2);
        definitions.set(slot, literal);
        if (truth(literal) !== values[slot]) [values[slot], settled] = [truth(literal), false];
      }
    }
  }

  const known = new Map();
  const size = (causes) => new Set(causes.map(thing)).size;
  // The fluents that settle a slot; null while it is being settled.
  const causes = (slot) => {
    if (slot <= fluents) return slot ? [slot - 1] : [];
    if (definitions.has(slot)) return settle(slot, [definitions.get(slot)]);
    const parts = operands(slot);
    return settle(slot, values[slot] ? parts : parts.filter((literal) => !truth(literal)));
  };
  const settle = (slot, parts) => {
    if (known.has(slot)) return known.get(slot);
    known.set(slot, null);
    const found = parts.map((literal) => causes(literal >> 1));
    const every = values[slot] || definitions.has(slot);
    const some = found.filter(Boolean).sort((one, other) => size(one) - size(other));
    const best = every ? (some.length === found.length ? [...new Set(found.flat())] : null) : some[0] ?? null;
    known.set(slot, best);
    return best;
  };
  const literal = block[literals + first + place];
  return truth(literal) ? null : causes(literal >> 1);
};
