"use strict";

// The page of a game. `window.aspgames` offers the same to scripts.
(() => {
  const data = JSON.parse(get("data").textContent);
  const LEVELS = { person: 0, random: 0, "engine, 0.3 s": 0.3, "engine, 1 s": 1, "engine, 5 s": 5 };

  let weigher = null; // the net of chances
  const draw = drawer(data, () => weigher ??= netOf(kernel, blocks[data.weights_net]));

  let net = null;
  const { rowWith, openIn, asked, onMove, moveText, options, edgesOf, outcome } = gameOf(data, data, () => net);
  const numberOf = new Map(data.terms.map((term, number) => [term, number]));
  const always = data.terms.map((_, number) => number).slice(data.open);
  const factsIn = (row) => [...openIn(row), ...always].map((number) => data.terms[number]).sort();

  // --- positions as text: see fen.py -------------------------------------------------------------

  // Lists of pieces: see piece_list.py.
  const listOf = (row) => {
    const { pieces, side, count } = data.list;
    const held = new Set([...openIn(row), ...always]);
    const size = held.size;
    const found = (texts) => Object.keys(texts).filter((text) => held.has(texts[text]) && held.delete(texts[text]));
    const place = (text) => Number(text.replace(/\D/g, ""));
    const lists = Object.keys(pieces).sort().reverse().map((letter) => (
      `${letter}${found(pieces[letter]).sort((one, other) => place(one) - place(other)).join(",")}`));
    const [[mover], [number]] = [found(side), found(count)];
    if (!size || held.size || !mover) return null;
    return [mover.toUpperCase(), ...lists, ...(number ? [`H${number}`] : [])].join(":");
  };

  const fromList = (text) => {
    const { pieces, side, count } = data.list;
    const [mover, ...parts] = text.replace(/\s|\.$/g, "").split(":");
    const number = (texts, one, what) => {
      if (texts[one] === undefined) throw new Error(`"${one}" is no ${what}`);
      return texts[one];
    };
    const held = [number(side, mover.toLowerCase(), "side on move")];
    for (const part of parts) {
      const [letter, rest] = [part.slice(0, 1).toUpperCase(), part.slice(1)];
      if (pieces[letter]) {
        for (const item of rest.split(",").filter(Boolean)) {
          const [, prefix, first, last] = item.match(/^([A-Za-z]*)(\d+)(?:-(\d+))?$/) || [null, item, "", ""];
          for (let at = Number(first); at <= Number(last || first); at += 1) {
            held.push(number(pieces[letter], `${prefix.toUpperCase()}${at}`, `piece of ${letter}`));
          }
        }
      } else if (letter === "H") held.push(number(count, String(Number(rest)), "number of moves here"));
      else if (letter !== "F") throw new Error(`"${part}" is no list of a side's pieces`);
    }
    return held;
  };

  const fenOf = (row) => {
    const { fen } = data;
    if (data.list) return listOf(row);
    if (!fen) return null;
    const [width, height] = data.board;
    const glyphs = new Map(fen.holes.map((square) => [square, "#"]));
    const fields = new Map();
    for (const number of [...openIn(row), ...always]) {
      const [square, letter] = fen.letters[number] || [];
      const field = fen.fields.findIndex((texts) => Object.values(texts).includes(number));
      if (square && !glyphs.has(square)) glyphs.set(square, letter);
      else if (field >= 0 && !fields.has(field) && fen.shown.includes(number)) {
        fields.set(field, Object.keys(fen.fields[field]).find((text) => fen.fields[field][text] === number));
      } else return null;
    }
    if (fen.blank && glyphs.size !== width * height) return null;
    const after = [...fields.keys()].sort((one, other) => one - other);
    if (after.some((field, place) => field !== place)) return null;
    const ranks = [];
    for (const y of data.ranks) {
      const line = [...Array(width).keys()].map((x) => glyphs.get(`${x + 1},${y}`) || " ").join("");
      ranks.push(line.replace(/ +/g, (run) => run.length));
    }
    return [ranks.join("/"), ...after.map((field) => fields.get(field))].join(" ");
  };

  const squareText = (x, y) => player.board.name(`${x},${y}`);

  // A field of a FEN as the rules spell it: aliases, and letters in any order.
  const spelled = (field, text) => {
    const { fen } = data;
    const aliases = new Map(fen.aliases[field + 1]);
    if (!fen.anyOrder[field]) return aliases.get(text) ?? text;
    const sorted = (letters) => [...letters].map((letter) => aliases.get(letter) ?? letter).sort().join("");
    return Object.keys(fen.fields[field]).find((known) => sorted(known) === sorted(text)) ?? text;
  };

  const fromFen = (text) => {
    const { fen } = data;
    const [width, height] = data.board;
    const [placed, ...rest] = text.split(/\s+/);
    const plain = fen.aliases[0].reduce((text, [alias, meant]) => text.replaceAll(alias, meant), placed);
    const rows = plain.split("/").map((row) => row.replace(/\d+/g, (run) => " ".repeat(Math.min(999, Number(run)))));
    if (rows.length !== height) throw new Error(`the FEN's board is ${rows.length} high, the game's is ${height}`);
    const numbers = new Map(Object.entries(fen.letters).map(([number, [square, letter]]) => [`${square},${letter}`, Number(number)]));
    const letters = new Set(Object.values(fen.letters).map(([, letter]) => letter));
    const held = [];
    rows.forEach((row, above) => {
      const y = data.ranks[above];
      if (row.length !== width) throw new Error(`rank ${y} has ${row.length} squares, not ${width}`);
      [...row].forEach((letter, left) => {
        const square = `${left + 1},${y}`;
        const hole = fen.holes.includes(square);
        if ((letter === "#") !== hole) throw new Error(`${squareText(left + 1, y)} is ${hole ? "" : "not "}off limits`);
        if (letter === "#" || (letter === " " && !fen.blank)) return;
        if (!letters.has(letter)) throw new Error(`"${letter}" is no piece`);
        const number = numbers.get(`${square},${letter}`);
        if (number === undefined) throw new Error(`"${letter}" can't stand on ${squareText(left + 1, y)}`);
        held.push(number);
      });
    });
    for (const [at, texts] of fen.fields.entries()) {
      if (rest.length) rest[0] = spelled(at, rest[0]);
      const fits = Object.keys(texts).filter((field) => field.split(" ").every((word, place) => rest[place] === word));
      if (!fits.length) break;
      const field = fits.sort((one, other) => other.length - one.length)[0];
      held.push(texts[field]);
      rest.splice(0, field.split(" ").length);
    }
    const number = (word) => /^\d+$/.test(word);
    const ignored = fen.ignored.map((form) => form.split(" ")).some((form) => form.length === rest.length
      && form.every((word, at) => word === rest[at] || (number(word) && number(rest[at]))));
    if (rest.length && !ignored) throw new Error(`"${rest.join(" ")}" at the end of the FEN means nothing here`);
    return held;
  };

  const fromFacts = (text) => {
    const facts = [];
    let depth = 0;
    let fact = "";
    for (const letter of `${text} `) {
      if (letter === "(") depth += 1;
      if (letter === ")") depth -= 1;
      if (!depth && /[\s.,]/.test(letter)) {
        if (fact) facts.push(fact);
        fact = "";
      } else if (/\S/.test(letter)) fact += letter;
    }
    if (depth || fact) throw new Error("the position's parentheses don't match");
    return facts.map((one) => {
      if (!numberOf.has(one)) throw new Error(`"${one}" is no fact of this page's positions`);
      return numberOf.get(one);
    });
  };

  // The row of a position. Throws an error with the reason.
  const parsed = (text) => {
    const trimmed = text.trim();
    if (trimmed === "startpos") return rowWith(data.position);
    if (!trimmed) throw new Error("the position is empty: give a FEN or facts");
    const isList = data.list && trimmed.includes(":");
    const read = trimmed.includes("(") ? fromFacts : isList ? fromList : data.fen ? fromFen : fromFacts;
    const held = read(trimmed);
    const predicate = (number) => data.terms[number].split("(")[0];
    held.push(...data.defaults.filter((number) => !held.some((other) => predicate(other) === predicate(number))));
    const missing = always.find((number) => !held.includes(number));
    if (missing !== undefined) throw new Error(`the position lacks ${data.terms[missing]}, which play never changes`);
    const row = rowWith(held);
    const said = net.ask(row);
    const words = (one) => (fenOf(one) || "").split(" ").length;
    if (words(row) < words(rowWith(data.position))) {
      throw new Error("the position doesn't say exactly what stands where and whose turn it is");
    }
    const [refusal] = told(row, "refused");
    if (refusal) throw new Error(refusal);
    if (!said.over && !said.moves.some((each) => each.length)) throw new Error("nobody has a move in this position");
    return row;
  };

  // The sentences of a kind that are true in a position: see position_sentences.py.
  const told = (row, kind) => {
    if (!data.sentences.length) return [];
    sayings ??= netOf(kernel, blocks.at(-1));
    const { goals } = sayings.ask(row);
    const forms = new Map();
    data.sentences.filter(([other], at) => other === kind && goals[at] === 1).forEach(([, form, place, text]) => {
      const holes = forms.get(form) || forms.set(form, []).get(form);
      (holes[place] ??= []).push(text);
    });
    const filled = (form, terms) => form.split("\x01").reduce((said, part, place) => `${said}${terms[place - 1] ?? "…"}${part}`);
    return [...forms].flatMap(([form, holes]) => (holes.length === 1 ? holes[0].map((term) => filled(form, [term]))
      : filled(form, holes.map((terms) => (terms.length === 1 ? terms[0] : null))))).sort();
  };

  // --- the game as the player's guide ------------------------------------------------------------

  const { kernelOf, netOf } = kernelCode();
  let code = null;
  let blocks = null; // the net's tables, and the solver's
  let kernel = null;
  let sayings = null; // the net of sentences
  // What has ended the game, as sentences.
  const ending = (key) => {
    const [over, rules] = ["over", "rule"].map((kind) => told(rowOf(key), kind));
    return (over.length ? over.map((text) => `${named(text)}.`) : rules).join(" ");
  };

  const status = (key) => `${outcome(key)} ${asked(key).over ? ending(key) : ""}`;

  const player = playerOf(Object.assign(data, { start: data.position, mover: null }), { slides: true });
  const here = () => player.line.at(-1)?.target ?? guide.root;
  const startLevel = (role) => (role === "random" ? "random" : data.person && role !== data.person ? "engine, 1 s" : "person");
  const players = data.roles.map(startLevel);
  let running = null; // the task under way

  // Where all move at once: the roles that choose, by whether a person chooses for them.
  const choosing = (key) => {
    const { over, moves } = asked(key);
    const roles = over || onMove(asked(key)) >= 0 ? [] : data.roles.map((_, role) => role).filter((role) => moves[role].length > 1);
    return {
      people: roles.filter((role) => players[role] === "person"),
      others: roles.filter((role) => players[role] !== "person"),
    };
  };

  // The squares of some roles' moves: those that change whatever the others choose, and that don't
  // always change. So they don't tell what the others choose.
  const ownSquares = (all, { joint }, roles) => {
    const common = (edges) => edges.map(({ step }) => data.steps[step][4])
      .reduce((some, others) => some.filter((square) => others.includes(square)));
    const always = common(all);
    const alike = all.filter((other) => roles.every((role) => other.joint[role] === joint[role]));
    return common(alike).filter((square) => !always.includes(square));
  };

  // The moves to choose from. What others choose at the same time is drawn before, and not shown.
  const drawn = new Map();
  const drawOf = (found, key, role) => draw(found, data.roles[role] === "random" ? key : null, ({ number }) => number);
  const choicesAt = (key) => {
    const { people, others } = choosing(key);
    if (!people.length || !others.length) return edgesOf(key);
    if (!drawn.has(key)) {
      const { moves } = asked(key);
      const picks = moves.map((each, role) => drawOf(each, key, role).number);
      const own = (joint) => people.map((role) => moveText(moves[role].find(({ number }) => number === joint[role])));
      const all = edgesOf(key);
      drawn.set(key, all.filter(({ joint }) => others.every((role) => joint[role] === picks[role])).map((edge) => {
        data.steps.push([...data.steps[edge.step].slice(0, 4), ownSquares(all, edge, people)]);
        return { ...edge, step: data.steps.length - 1, label: own(edge.joint).join(",") };
      }));
    }
    return drawn.get(key);
  };

  // Why no move of the role on move has these squares: what stands there, or what the rules miss.
  const whyNot = (trial) => {
    const key = here();
    const role = onMove(asked(key));
    if (role < 0) return "";
    const row = rowOf(key);
    const held = [...openIn(row), ...always];
    const about = (number) => (Array.isArray(data.fluents[number]) ? data.fluents[number] : [null]);
    const on = (square) => held.find((number) => about(number)[0] === square);
    const content = (number) => data.contents[about(number)[1]];
    const place = (square) => player.board.name(square);
    const [from, to] = [trial[0], trial.at(-1)];
    const piece = on(from);
    const own = data.moves.map((move, number) => [move, number]).filter(([[mover, , , , squares]]) => mover === role && squares.length);
    if (own.every(([[, , , , squares]]) => squares.length !== 1)) {
      if (piece === undefined) return `Nothing stands on ${place(from)}.`;
      const owner = content(piece)[2];
      if (owner >= 0 && owner !== role) return `It is the turn of ${named(data.roles[role])}.`;
    }
    const nameOf = ([name, , owner]) => (name === data.roles[owner] ? `${name} piece` : name);
    const said = (square) => (on(square) === undefined ? `nothing stands on ${place(square)}` : `the ${nameOf(content(on(square)))} on ${place(square)}`);
    const thing = (number) => about(number)[0] ?? number;
    const tried = own.filter(([[, , , , squares]]) => trial.every((square, at) => squares[at] === square));
    const causes = tried.map(([, number]) => causesOf(blocks[0], row, role, number, thing)).filter(Boolean)
      .sort((one, other) => new Set(one.map(thing)).size - new Set(other.map(thing)).size)[0] ?? [];
    const comments = new Set((tried.length ? tried : own).map(([[, term]]) => data.comments[term.split("(")[0]]).filter(Boolean));
    const rule = comments.size === 1 ? `The rule: ${[...comments][0]}` : "";
    const squares = [...new Set(causes.map(thing))].filter((one) => typeof one === "string");
    const standing = squares.filter((square) => on(square) !== undefined);
    // Of a move with one square, the rule says more than a piece elsewhere, which has the wrong colour, say.
    const alone = from === to && rule;
    const taken = alone ? standing.filter((square) => square === from) : standing;
    if (alone && !taken.length) return rule;
    if (from !== to && (!causes.length || String(squares) === from)) {
      return rule || (piece === undefined ? "" : `T${said(from).slice(1)} doesn't go to ${place(to)}.`);
    }
    if (!causes.length || (!taken.length && squares.length > 2)) return rule;
    // Of several moves that begin there, the reason against one says little, unless it is there.
    if (tried.length > 1 && !squares.some((square) => trial.includes(square))) {
      if (rule || piece === undefined) return rule;
      const owner = content(piece)[2];
      return owner >= 0 && owner !== role ? `It is the turn of ${named(data.roles[role])}.` : `T${said(from).slice(1)} has no move.`;
    }
    const reasons = [
      ...(taken.length ? taken : squares).slice(0, 4).map(said),
      ...causes.filter((number) => about(number)[0] === null)
        .map((number) => `${data.terms[number]}, which ${held.includes(number) ? "holds" : "does not hold"}`),
    ];
    return `The reason: ${reasons.join("; ")}.`;
  };

  const guide = {
    why: whyNot,
    tries: true,
    root: keyOf(rowWith(data.position)),
    note: "",
    steps: false,
    node: (key) => ({ kind: 0, edges: choicesAt(key) }),
    answers: () => false,
    heading: () => {
      const { people } = choosing(here());
      const whose = people.length ? people : [onMove(asked(here()))].filter((role) => role >= 0);
      return whose.length ? `Moves of ${whose.map((role) => named(data.roles[role])).join(" and ")}` : "Moves";
    },
    mover: (key) => {
      const role = asked(key).over ? -1 : onMove(asked(key));
      return role < 0 ? null : role;
    },
    state: () => status(here()),
    played: () => { halt(); drawn.clear(); shown(); answer(); },
    gone: () => { halt(); shown(); },
    place: (square) => {
      const piece = get("piece").value;
      if (piece === "play") return false;
      const on = (number) => Array.isArray(data.fluents[number]) && data.fluents[number][0] === square;
      const held = openIn(rowOf(here())).filter((number) => !on(number));
      const put = data.fluents.findIndex((fluent, number) => on(number) && fluent[1] === Number(piece));
      if (piece !== "nothing") held.push(put);
      if (put < 0 && piece !== "nothing") player.say(`${data.contents[piece][0]} can't stand on ${player.board.name(square)}.`);
      else setUp(held);
      return true;
    },
  };

  // Show a position that is being set up, which may still be wrong.
  const setUp = (held) => {
    setRow(rowWith(held));
    const [refusal] = told(rowWith(held), "refused");
    get("wrong").textContent = refusal ? `The rules refuse this position: ${refusal}.` : "";
  };

  const setRow = (row) => {
    halt();
    data.start = [...openIn(row), ...always];
    guide.root = keyOf(row);
    player.begin(guide);
    shown();
  };

  // --- the engine --------------------------------------------------------------------------------

  const run = (task, request, tell) => kernelTask(code, task, request, tell);

  const halt = () => {
    running?.stop();
    running = null;
    get("halt").hidden = true;
  };

  const engineMove = async (seconds) => {
    const key = here();
    const found = options(key);
    if (!found.length) throw new Error("there is no move to make");
    const { role, number } = found[0];
    if (number === undefined || data.roles[role] === "random") return draw(found, key).text;
    halt();
    const own = run("choose", {
      block: blocks[0], row: rowOf(key), role, joints: found.map(({ joint }) => joint), seconds,
      puzzle: blocks[data.puzzles.win?.[data.roles[role]]], numbers: data.solver_moves,
    });
    running = own;
    get("halt").hidden = false;
    try {
      return found[(await own.promise).place].text;
    } finally {
      if (running === own) halt();
    }
  };

  const playText = (text) => {
    const typed = text.trim();
    const plain = (one) => one.replace(/\s/g, "").replace(/(?<=[a-z]\d*)x(?=[a-z]+\d)/g, "-");
    const edge = edgesOf(here()).find((one) => one.text === typed || data.moves[one.number]?.[1] === typed.replace(/\s/g, ""))
      || edgesOf(here()).find((one) => plain(one.text) === plain(typed));
    if (!edge) throw new Error(`"${typed}" is no legal move here`);
    player.play(edge);
  };

  // Let the engine or chance move, if one of them plays the role on move.
  const answer = async () => {
    const key = here();
    const role = guide.mover(key);
    const { people, others } = choosing(key);
    const together = others.length && !people.length;
    const level = role === null ? (together ? "random" : "person") : players[role];
    if (level === "person" || !options(key).length) return;
    let text = null;
    if (level === "random") {
      await new Promise((resolve) => { setTimeout(resolve, 200); }); // people want to see the move
      text = draw(options(key), key).text;
    } else {
      player.say("The engine is thinking …");
      text = await engineMove(LEVELS[level]).catch(() => null);
    }
    if (text !== null && here() === key) playText(text);
  };

  // --- solving -----------------------------------------------------------------------------------

  const bounds = ({ at_most: most, not_within: refuted }) => [
    most === null ? "" : `in at most ${turnsText(most)}`, refuted === null ? "" : `not within ${turnsText(refuted)}`,
  ].filter(Boolean).join(", ");

  const solve = async ({ attacker = data.roles[0], goal = "win", within = null, seconds = 60 }, tell = () => {}) => {
    const block = blocks[data.puzzles[goal]?.[attacker]];
    if (!block) throw new Error(`this page can't solve "${goal}" for ${attacker}`);
    halt();
    const key = here();
    const own = run("solve", { block, row: rowOf(key), within, seconds, numbers: data.solver_moves }, tell);
    running = own;
    try {
      const found = await own.promise;
      const texts = [];
      let at = key;
      for (const number of found.line) {
        const edge = edgesOf(at).find((one) => one.number === number);
        if (!edge) break;
        texts.push(edge.text);
        at = edge.target;
      }
      const texted = new Map(options(key).map(({ number, text }) => [number, text]));
      const terms = (numbers) => numbers.map((number) => data.moves[number][1]);
      return {
        ...found, keys: terms(found.keys), line: terms(found.line),
        keys_text: found.keys.map((number) => texted.get(number)), line_text: texts,
      };
    } finally {
      if (running === own) halt();
    }
  };

  const verdict = (found, { attacker, goal, within }) => {
    const who = named(attacker);
    if (found.verdict === "not_forced") return `No: ${who} can't force it${within === null ? "" : ` within ${turnsText(within)}`}.`;
    if (found.verdict === "unknown") return `Undecided${found.not_within === null ? "" : `, ${bounds(found)}`}.`;
    if (found.distance === null) return `${who} forces it, ${bounds(found)}.`;
    return found.distance ? `${who} forces it in ${turnsText(found.distance)} (${goal}).` : "It stands already.";
  };

  const command = ({ attacker, goal, within, key }) => {
    const constants = Object.entries(data.constants).map(([name, value]) => ` -c ${name}=${value}`).join("");
    const position = fenOf(rowOf(key)) || factsIn(rowOf(key)).join(" ");
    const limit = within === null ? "" : ` --within ${within}`;
    return `aspgames solve ${data.file} '${position}'${constants} --attacker ${attacker} --goal '${goal}'${limit} --certificate proof.json`;
  };

  // --- the parts of the page ---------------------------------------------------------------------

  const shown = () => {
    const row = rowOf(here());
    get("text").value = fenOf(row) || factsIn(row).join(" ");
    const fragment = new URLSearchParams({
      position: fenOf(rowOf(guide.root)) || factsIn(rowOf(guide.root)).join(" "),
      moves: player.texts.join(" "),
    });
    get("link").href = `#${fragment}`;
    keepInAddress(fragment);
    get("moves-text").textContent = options(here()).map(({ text }) => text).join(" ");
    for (const id of ["counted", "divided", "wrong", "answer", "answer-line"]) get(id).textContent = "";
    showSide();
  };

  const perft = (depth) => run("perft", { block: blocks[0], row: rowOf(here()), depth }).promise;

  // Perft of each move, told one by one. `halt` stops it.
  const divide = async (depth, tell) => {
    const counts = [];
    for (const { text, target } of depth ? edgesOf(here()) : []) {
      running = run("perft", { block: blocks[0], row: rowOf(target), depth: depth - 1 });
      counts.push([text, await running.promise]);
      tell(counts);
    }
    running = null;
    return counts;
  };

  // The choice of the side on move, from the first field of a FEN.
  const sides = () => {
    const texts = data.list?.side || data.fen?.fields[0] || {};
    return Object.keys(texts).length > 1 ? texts : {};
  };
  const showSide = () => {
    const held = new Set(openIn(rowOf(here())));
    const side = Object.values(sides()).find((number) => held.has(number));
    if (side !== undefined) get("side").value = side;
  };

  const wholeNumber = (id, least) => {
    const value = Number(get(id).value || NaN);
    if (!Number.isInteger(value) || value < least) throw new Error(`"${get(id).value}" is no whole number from ${least} on`);
    return value;
  };

  const connect = () => {
    get("anew").onclick = () => { setRow(rowWith(data.position)); answer(); };
    get("engine").onclick = () => engineMove(1).then(playText).catch((error) => player.say(`${error.message}.`));
    get("halt").onclick = halt;
    get("players").replaceChildren(...data.roles.flatMap((role, place) => {
      if (role === "random") return []; // the page rolls
      const levels = Object.keys(LEVELS).filter((level) => !LEVELS[level] || onMove(asked(guide.root)) >= 0);
      const choice = element("select", levels.map((level) => element("option", level)));
      choice.value = players[place];
      choice.onchange = () => { players[place] = choice.value; drawn.clear(); player.go(player.line.length); answer(); };
      return element("label", [`${named(role)} `, choice]);
    }));
    get("setting").onsubmit = (event) => {
      event.preventDefault();
      try {
        setRow(parsed(get("text").value));
      } catch (error) {
        get("wrong").textContent = `${error.message}.`;
      }
    };
    const pieces = (data.contents || []).map(([name], place) => element("option", name, { value: place }));
    get("piece").replaceChildren(
      element("option", "(play)", { value: "play" }), ...pieces, element("option", "nothing", { value: "nothing" }),
    );
    get("side").replaceChildren(...Object.values(sides()).map((number) => element("option", data.terms[number], { value: number })));
    get("side").parentElement.hidden = !Object.keys(sides()).length;
    get("side").onchange = () => {
      const others = new Set(Object.values(sides()));
      setUp([...openIn(rowOf(here())).filter((number) => !others.has(number)), Number(get("side").value)]);
    };
    get("set-up").hidden = !data.board;
    get("counting").onsubmit = async (event) => {
      event.preventDefault();
      try {
        const depth = wholeNumber("depth", 0);
        halt();
        get("stop-count").hidden = false;
        get("counted").textContent = "Counting …";
        const start = performance.now();
        const told = (counts) => {
          get("divided").textContent = counts.map(([text, count]) => `${text}: ${count.toLocaleString("en")}`).join("  ");
        };
        const counts = await divide(depth, told);
        const paths = depth ? counts.reduce((sum, [, count]) => sum + count, 0) : 1;
        const seconds = (performance.now() - start) / 1000;
        get("counted").textContent = `${paths.toLocaleString("en")} lines of ${depth} plies (${seconds.toFixed(1)} s)`;
      } catch (error) {
        get("counted").textContent = error.message;
      } finally {
        get("stop-count").hidden = true;
      }
    };
    get("stop-count").onclick = halt;
    const goals = Object.keys(data.puzzles).filter((goal) => Object.keys(data.puzzles[goal]).length);
    get("solver").hidden = !goals.length;
    get("asker").replaceChildren(...data.roles.map((role) => element("option", named(role), { value: role })));
    get("goal").replaceChildren(...goals.map((goal) => element("option", goal)));
    get("give-up").onclick = halt;
    get("question").onsubmit = async (event) => {
      event.preventDefault();
      const [attacker, goal] = [get("asker").value, get("goal").value];
      get("give-up").hidden = false;
      get("answer-line").textContent = "";
      let proven = "";
      try {
        const within = get("within").value.trim() ? wholeNumber("within", 0) : null;
        const question = { attacker, goal, within, key: here() };
        const found = await solve({ ...question, seconds: wholeNumber("seconds", 1) }, (progress) => {
          proven = bounds(progress);
          get("answer").textContent = `Searching … ${proven} (${progress.positions.toLocaleString("en")} positions)`;
        });
        const keys = found.keys_text.length ? ` ${found.keys_text.length === 1 ? "Key" : "Keys"}: ${found.keys_text.join(", ")}.` : "";
        get("answer").textContent = `${verdict(found, question)}${keys}`;
        const line = found.line_text.length ? [`Line: ${found.line_text.join(" ")}. `] : [];
        const proof = found.verdict === "unknown" && !bounds(found)
          ? [] : ["A proof that can be checked: ", element("code", command(question))];
        get("answer-line").replaceChildren(...line, ...proof);
        player.mark(found.keys.flatMap((term) => data.moves.find(([, other]) => other === term)[4]));
      } catch (error) {
        const stopped = error.message === "stopped" && proven;
        get("answer").textContent = stopped ? `Stopped. So far: ${proven}.` : `${error.message}.`;
      } finally {
        get("give-up").hidden = true;
      }
    };
  };

  const begin = async () => {
    code = await bytesOf(data.kernel);
    blocks = await unpacked(data.blocks);
    kernel = await kernelOf(code);
    net = netOf(kernel, blocks[0]);
    connect();
    follow();
    if (data.roles[guide.mover(here())] === "random") answer();
    window.addEventListener("hashchange", follow); // not called by history.replaceState
  };

  // Show the position and the moves of the address.
  const follow = () => {
    const wanted = new URLSearchParams(location.hash.slice(1));
    try {
      setRow(wanted.get("position") ? parsed(wanted.get("position")) : rowWith(data.position));
      (wanted.get("moves") || "").split(" ").filter(Boolean).forEach(playText);
    } catch (error) {
      setRow(rowWith(data.position));
      player.say(`The link is wrong: ${error.message}.`);
    }
  };

  const ready = begin();
  const afterwards = (work) => async (...values) => {
    await ready;
    return work(...values);
  };
  const state = () => asked(here());
  window.aspgames = {
    ready,
    facts: afterwards(() => factsIn(rowOf(here()))),
    fen: afterwards(() => fenOf(rowOf(here()))),
    toMove: afterwards(() => data.roles[onMove(state())] ?? null),
    isTerminal: afterwards(() => state().over),
    goals: afterwards(() => Object.fromEntries(data.roles.map((role, at) => [role, Math.max(0, state().goals[at])]))),
    legal: afterwards(() => (onMove(state()) < 0 ? [] : options(here()).map(({ text }) => text))),
    play: afterwards(playText),
    back: afterwards(() => player.go(player.line.length - 1)),
    setPosition: afterwards((text) => setRow(parsed(text))),
    perft: afterwards(perft),
    solve: afterwards((question) => solve(question)),
    engineMove: afterwards(engineMove),
  };
})();
