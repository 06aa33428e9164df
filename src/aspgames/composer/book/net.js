"use strict";

// The kernel in WebAssembly, for the page and for its workers. A worker runs the text of this
// function, so it refers to nothing outside but KERNEL.
const kernelCode = () => {
  const {
    DONE, MORE, FULL, DEEP, BY_NUMBERS, DEPTH_FIRST, BREADTH_FIRST, REACHED, OVER, ATTACKS, TOGETHER, UNBOUNDED,
    FLUENTS_AT, ROLES_AT, SINGLE_AT, node_report: REPORT, family: FAMILY,
  } = KERNEL; // of aspgames.h: see kernel_numbers in page_net.py
  const ONE = 1n; // a number for the kernel's 64 bits
  const SLICE = 50; // milliseconds of work between looks at the clock
  const SIDE_BY_SIDE = 512; // random games that the kernel plays as fast as one
  const EXPLORATION = 0.3; // of UCB1
  const MEMORY = 512 * 2 ** 20; // of a search [bytes]

  const kernelOf = async (code) => {
    const compiled = await WebAssembly.compile(code);
    const imports = {};
    for (const { module, name } of WebAssembly.Module.imports(compiled)) {
      (imports[module] ??= {})[name] = () => 0;
    }
    const { exports } = await WebAssembly.instantiate(compiled, imports);
    exports._initialize?.();
    const call = (name) => exports[`aspgames_${name}`] || exports[`aspgames_${name}_base`];
    const room = (bytes) => {
      const at = exports.malloc(bytes);
      if (!at) throw new Error("there is no memory left");
      return at;
    };
    const ints = (at, count) => new Int32Array(exports.memory.buffer, at, count);
    const bytes = (at, count) => new Uint8Array(exports.memory.buffer, at, count);
    const copied = (array) => {
      const at = room(array.byteLength);
      ints(at, array.length).set(array);
      return at;
    };
    return { call, room, free: exports.free, ints, bytes, copied, memory: exports.memory };
  };

  // A net's tables (tables.h): answers about one state, given as the bytes of its row.
  const netOf = (kernel, block) => {
    const [fluents, roles] = [block[FLUENTS_AT], block[ROLES_AT]];
    const { call, ints, bytes } = kernel;
    const address = kernel.copied(block);
    const length = Math.ceil(fluents / 64) * 8;
    const place = kernel.room(length);
    const single = call("single_new")(address);
    const put = (row) => bytes(place, length).set(row);

    // Whether the game is over, how many roles are on move, the last of these, the goals, and each
    // role's moves: their numbers, and whether they are marked.
    const ask = (row) => {
      put(row);
      const count = call("single_ask")(single, place);
      if (count < 0) throw new Error("there is no memory left");
      const said = [...ints(call("single_out")(single), count)];
      const [over, movers, mover] = said;
      const moves = [];
      const goals = [];
      for (let role = 0; role < roles; role += 1) {
        const [goal, begin, end] = said.slice(3 + 3 * role, 6 + 3 * role);
        goals.push(goal);
        moves.push(said.slice(begin, end).map((number) => ({ number: number >> 1, marked: Boolean(number & 1) })));
      }
      return { over: Boolean(over), movers, mover, goals, moves };
    };

    // The row after a joint move; -1 stands for the only move of a role. Null if a role has a choice.
    const play = (row, moves) => {
      put(row);
      ints(call("single_moves")(single), roles).set(moves);
      return call("single_play")(single, place) ? null : bytes(call("single_row")(single), length).slice();
    };

    const perft = (row, depth) => {
      if (!depth) return 1;
      put(row);
      const walk = call("walk_new")(depth, place, ONE, 0);
      for (let ply = 0; ply < depth; ply += 1) call("walk_net")(walk, ply, address);
      let status = MORE;
      while (status === MORE) status = call("walk_run")(walk, 64);
      const paths = Number(call("walk_paths")(walk));
      call("walk_free")(walk);
      if (status !== DONE) throw new Error("there is no memory left");
      return paths;
    };

    // The mean goals of random games from a row.
    const playouts = (row, games, seed) => {
      put(row);
      const next = kernel.room(8);
      const lengths = kernel.room(4 * games);
      const goals = kernel.room(4 * games * roles);
      new BigInt64Array(kernel.memory.buffer, next, 1)[0] = 0n;
      const run = call("games_new")(
        address, place, BigInt(games), BigInt(seed), 0n, BigInt(games), 1000, -1, next, lengths,
        goals,
      );
      while (call("games_run")(run, 1000) === MORE);
      const sums = Array(roles).fill(0);
      ints(goals, games * roles).forEach((goal, at) => { sums[at % roles] += Math.max(0, goal); });
      call("games_free")(run);
      for (const at of [next, lengths, goals]) kernel.free(at);
      return sums.map((sum) => sum / games);
    };

    return { ask, play, perft, playouts, roles, length };
  };

  // The search for a forced goal: see puzzle_search.py, which searches in the same rounds.
  const searchOf = (kernel, block, until) => {
    const { call, ints, bytes } = kernel;
    const address = kernel.copied(block);
    const length = Math.ceil(block[FLUENTS_AT] / 64) * 8;
    const place = kernel.room(length);
    const report = kernel.room(8 * REPORT.length);
    const single = Boolean(block[SINGLE_AT]);
    const members = (names, values) => Object.fromEntries(names.map((name, at) => [name, Number(values[at])]));
    const search = call("search_new")(address, BigInt(MEMORY));
    const worker = call("worker_new")(address);
    let cyclic = false;
    let slice = 200;

    const judged = (row) => {
      bytes(place, length).set(row);
      const said = call("worker_judge")(worker, place);
      if (said < 0 || said & TOGETHER) throw new Error("the solver needs a position in which one side is on move");
      return { row, reached: Boolean(said & REACHED), over: Boolean(said & OVER), attacks: Boolean(said & ATTACKS) };
    };

    const known = (state) => {
      if (state.reached) return { lower: 0, upper: 0, evaluated: 0 };
      if (state.over) return { lower: UNBOUNDED + 1, upper: UNBOUNDED + 1, evaluated: 0 };
      bytes(place, length).set(state.row);
      while (call("search_report")(search, place, Number(state.attacks), report)) sweep();
      return members(REPORT, new BigInt64Array(kernel.memory.buffer, report, REPORT.length));
    };

    const sweep = () => {
      if (call("search_sweep")(search)) throw new Error("limit");
    };

    const children = (state) => {
      bytes(place, length).set(state.row);
      if (call("worker_expand")(worker, place)) throw new Error("limit");
      const family = members(FAMILY, ints(call("worker_family")(worker), FAMILY.length));
      const { count, moves, rows, reached, over, attacks } = family;
      return [...Array(count).keys()].map((at) => ({
        move: ints(moves, count)[at],
        child: {
          row: bytes(rows + at * length, length).slice(),
          reached: Boolean(bytes(reached, count)[at]),
          over: Boolean(bytes(over, count)[at]),
          attacks: Boolean(bytes(attacks, count)[at]),
        },
      }));
    };

    // Search for so much effort; returns whether so many turns are decided.
    const work = (state, turns, effort, mode, tell) => {
      let left = effort;
      while (left >= 1) {
        if (performance.now() > until) throw new Error("limit");
        const { node, left: before } = known(state);
        const part = Math.min(left, slice);
        const start = performance.now();
        call("search_allow")(search, BigInt(Math.floor(part)), 0);
        const status = call("search_run")(search, worker, node, turns, mode);
        const spent = performance.now() - start;
        const now = known(state);
        left -= part - now.left;
        tell?.();
        if (status === DONE || now.lower > turns || now.upper <= turns) return true;
        if (status === FULL) sweep();
        else if (status === DEEP) {
          cyclic = true;
          return false;
        } else if (status !== MORE) throw new Error("limit");
        else if (now.left === part) return false;
        slice = Math.max(10, part * Math.min(2, Math.max(0.5, SLICE / (spent + 1e-6))));
      }
      return false;
    };

    const widely = (state, turns, effort, tell) => (
      work(state, turns, effort, cyclic ? BREADTH_FIRST : BY_NUMBERS, tell));

    // Rounds of effort, until `settled` returns something.
    const rounds = (settled, first, second) => {
      const evaluations = (spent, mode) => Number(call("search_round")(BigInt(spent), mode));
      for (let spent = 0; ; spent += evaluations(spent, BY_NUMBERS)) {
        const found = settled();
        if (found !== undefined) return found;
        first(evaluations(spent, BY_NUMBERS));
        second(evaluations(spent, DEPTH_FIRST));
      }
    };

    const forced = (state, turns) => {
      if (state.reached || state.over || turns < 0) return state.reached;
      const most = Math.min(turns, UNBOUNDED);
      return rounds(
        () => {
          const { lower, upper } = known(state);
          return upper <= most || lower > most ? upper <= most : undefined;
        },
        (effort) => widely(state, most, effort),
        (effort) => work(state, Math.min(most, known(state).lower), effort, DEPTH_FIRST),
      );
    };

    const begins = (state, child) => Number(child.attacks && (!state.attacks || single));
    const forcedAfter = (state, child, turns) => forced(child, turns - begins(state, child));

    return { judged, known, children, work, widely, rounds, forced, forcedAfter, begins };
  };

  // A puzzle's answer: the fields of Solution, with moves as numbers. `numbers` are the net's numbers
  // of the solver's moves. `tell` gets the bounds.
  const solve = (kernel, { block, row, within, seconds, numbers }, tell) => {
    const start = performance.now();
    const search = searchOf(kernel, block, start + 1000 * seconds);
    const root = search.judged(row);
    const begun = Number(root.attacks);
    const limit = Math.min(within ?? UNBOUNDED, UNBOUNDED);
    const found = {
      verdict: "unknown", distance: null, at_most: null, not_within: null, keys: [], keys_complete: true, line: [],
    };
    const bounds = () => {
      const { lower, upper } = search.known(root);
      const refuted = lower > UNBOUNDED ? UNBOUNDED : lower - 1 + begun;
      return { refuted, upper: upper > UNBOUNDED ? Infinity : upper + begun };
    };
    const note = () => {
      const { refuted, upper } = bounds();
      found.not_within = refuted >= 0 && refuted < UNBOUNDED ? refuted : null;
      found.at_most = upper <= limit ? upper : null;
      if (found.at_most !== null) found.verdict = "forced";
      if (refuted >= limit) found.verdict = "not_forced";
    };
    const progress = () => {
      note();
      tell({ ...found, positions: search.known(root).evaluated });
    };
    const keysWithin = (turns) => {
      found.keys_complete = false;
      for (const { move, child } of search.children(root)) {
        if (search.forcedAfter(root, child, turns)) found.keys.push(move);
      }
      found.keys_complete = true;
    };
    try {
      if (root.reached) Object.assign(found, { verdict: "forced", distance: 0 });
      else if (root.over) found.verdict = "not_forced";
      else {
        const distance = search.rounds(
          () => {
            const { refuted, upper } = bounds();
            if (refuted >= limit) return null;
            return upper <= limit && upper === refuted + 1 ? upper : undefined;
          },
          (effort) => {
            const { upper } = bounds();
            const most = upper <= limit ? upper - 1 : limit;
            search.widely(root, most < UNBOUNDED ? most - begun : UNBOUNDED, effort, progress);
          },
          (effort) => search.work(root, bounds().refuted + 1 - begun, effort, DEPTH_FIRST, progress),
        );
        note();
        if (distance !== null) {
          found.distance = distance;
          if (root.attacks) keysWithin(distance - 1);
          found.line = lineOf(search, root, distance - begun);
        }
      }
    } catch (error) {
      if (error.message !== "limit") throw error;
      note();
    }
    if (found.distance !== null || found.verdict !== "forced") found.at_most = null;
    if (found.distance !== null || found.verdict === "not_forced") found.not_within = null;
    found.keys_complete &&= found.verdict !== "unknown";
    for (const moves of [found.keys, found.line]) moves.forEach((move, at) => { moves[at] = numbers[move]; });
    return { ...found, positions: search.known(root).evaluated, seconds: (performance.now() - start) / 1000 };
  };

  // A line in which the defender holds out: see Position.best_line. No position occurs twice.
  const lineOf = (search, root, fewest) => {
    const line = [];
    const seen = new Set();
    let state = root;
    let turns = fewest;
    while (!state.reached) {
      seen.add(String(state.row));
      const good = search.children(state).filter(({ child }) => (state.attacks
        ? search.forcedAfter(state, child, turns)
        : turns === 0 || !search.forcedAfter(state, child, turns - 1)));
      const fresh = good.filter(({ child }) => !seen.has(String(child.row)));
      const next = fresh.find(({ child }) => child.reached || !child.attacks || !state.attacks) || fresh[0];
      if (!next) break;
      line.push(next.move);
      turns -= search.begins(state, next.child);
      state = next.child;
    }
    return line;
  };

  // The place of a role's best move: a forced win if one is found soon, else the best mean of random
  // games, shared among the moves by UCB1 (Auer, Cesa-Bianchi and Fischer 2002).
  const choose = (kernel, { block, row, role, joints, seconds, puzzle, numbers }) => {
    const start = performance.now();
    const inTime = () => performance.now() - start < 1000 * seconds;
    if (joints.length < 2) return { place: 0 };
    if (puzzle) {
      const { keys: [key] } = solve(kernel, { block: puzzle, row, seconds: seconds / 3, numbers }, () => {});
      if (key !== undefined) return { place: joints.findIndex((joint) => joint[role] === key) };
    }
    const net = netOf(kernel, block);
    let runs = 0;
    const arms = joints.map((joint, place) => ({ place, row: net.play(row, joint), sum: 0, runs: 0 }));
    const pull = (arm) => {
      const { over, goals } = net.ask(arm.row);
      arm.sum += (over ? goals : net.playouts(arm.row, SIDE_BY_SIDE, runs))[role] / 100;
      arm.runs += 1;
      runs += 1;
    };
    const mean = (arm) => arm.sum / arm.runs;
    const worth = (arm) => (arm.runs ? mean(arm) + EXPLORATION * Math.sqrt(Math.log(runs) / arm.runs) : Infinity);
    const best = (those, value) => those.reduce((one, other) => (value(other) > value(one) ? other : one));
    do pull(best(arms, worth)); while (inTime());
    return { place: best(arms.filter((arm) => arm.runs), mean).place };
  };

  const divide = (kernel, { block, row, depth }) => netOf(kernel, block).perft(row, depth);

  return { kernelOf, netOf, tasks: { solve, choose, perft: divide } };
};

// Run a task of the kernel in a worker of its own. Returns the promise, and a function to stop it.
const kernelTask = (code, task, request, tell = () => {}) => {
  const answer = `const KERNEL = ${JSON.stringify(KERNEL)};
    const { kernelOf, tasks } = (${kernelCode})();
    onmessage = async ({ data: { code, task, request } }) => {
      try {
        const tell = (found) => postMessage({ found });
        postMessage({ result: tasks[task](await kernelOf(code), request, tell) });
      } catch (error) {
        postMessage({ error: error.message });
      }
    };`;
  const url = URL.createObjectURL(new Blob([answer], { type: "text/javascript" }));
  const worker = new Worker(url);
  let reject;
  const promise = new Promise((resolve, refuse) => {
    reject = refuse;
    worker.onmessage = ({ data }) => {
      if (data.found) tell(data.found);
      else if (data.error) refuse(new Error(data.error));
      else resolve(data.result);
    };
    worker.onerror = (event) => refuse(new Error(event.message || "the worker failed"));
    worker.postMessage({ code, task, request });
  }).finally(() => {
    worker.terminate();
    URL.revokeObjectURL(url);
  });
  return { promise, stop: () => { worker.terminate(); reject(new Error("stopped")); } };
};
