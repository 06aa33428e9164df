"use strict";

// The page of a game with hidden information. A person sees what a role knows: the facts of all
// states that fit its own moves and percepts. Between two people there is a curtain.
// `window.aspgames` knows no more than the page shows.
(() => {
  const data = JSON.parse(get("data").textContent);
  const MOST = 20000; // states that fit
  const chance = data.roles.indexOf("random");
  let net = null;
  const { rowWith, openIn, asked, onMove, outcome } = gameOf(data, data, () => net);
  let kernel = null;
  let blocks = null; // of the nets
  let weigher = null; // the net of chances
  const draw = drawer(data, () => weigher ??= kernelCode().netOf(kernel, blocks[data.weights_net]));
  const always = data.terms.map((_, number) => number).slice(data.open);

  // Percepts are fluents of the state after a move: see percept_net.py.
  const percepts = data.terms.map((term) => {
    const [, role, percept] = term.match(/^aspgames_seen\((\w+),(.*)\)$/) || [];
    return role ? [data.roles.indexOf(role), percept] : null;
  });

  // The state after a joint move, and what each role sees.
  const after = (key, joint) => {
    const held = openIn(net.play(rowOf(key), joint));
    const saw = data.roles.map((_, role) => held.map((number) => percepts[number])
      .filter((one) => one?.[0] === role).map(([, text]) => text).sort().join(", "));
    return { key: keyOf(rowWith(held.filter((number) => !percepts[number]))), saw };
  };

  // The joint moves of a state in which a role makes a move.
  const joints = ({ moves }, role, move) => moves.reduce((made, each, other) => made.flatMap((joint) => each
    .filter(({ number }) => other !== role || number === move).map(({ number }) => [...joint, number])), [[]]);

  let state = null; // the state of play
  let fits = []; // for each role the states that fit what it knows
  let told = []; // for each role its moves and percepts
  let viewer = null; // the role whose view is shown; null behind the curtain
  const players = data.roles.map((role) => (data.person && role !== data.person ? "random" : "person"));

  const isPerson = (role) => role !== chance && players[role] === "person";
  const textOf = (number) => data.moves[number][2]; // it says nothing of what stands there
  const mover = () => (asked(state).over ? null : onMove(asked(state)));

  const make = (joint) => {
    const by = onMove(asked(state));
    const { key, saw } = after(state, joint);
    fits = fits.map((keys, role) => {
      const found = new Set();
      for (const one of role === chance ? [] : keys.filter((other) => !asked(other).over)) {
        for (const each of joints(asked(one), role, joint[role])) {
          const next = after(one, each);
          if (next.saw[role] === saw[role]) found.add(next.key);
        }
        if (found.size > MOST) throw new Error(`more than ${MOST} positions fit what ${named(data.roles[role])} knows`);
      }
      return [...found];
    });
    told.forEach((ply, role) => ply.push([role === by ? textOf(joint[role]) : "", saw[role]].filter(Boolean).join(": ") || "."));
    state = key;
  };

  // Let chance and the roles that play at random move. Then a person is on move.
  const goOn = () => {
    for (let role = mover(); role !== null && !isPerson(role); role = mover()) {
      const all = role < 0 ? [] : joints(asked(state), null, null);
      if (!all.length) throw new Error("several roles move at once, or nobody can move: a page can't hide that");
      make(draw(all.map((joint) => ({ joint })), state).joint);
    }
    if (players.filter((_, role) => isPerson(role)).length === 1) viewer = players.findIndex((_, role) => isPerson(role));
    show();
  };

  const open = () => (mover() === null ? [state] : viewer === null ? [] : fits[viewer]);
  const facts = () => {
    const [first, ...rest] = open();
    if (first === undefined) return [];
    const others = rest.map((key) => new Set(openIn(rowOf(key))));
    return [...openIn(rowOf(first)).filter((number) => others.every((held) => held.has(number))), ...always];
  };

  // The moves that the viewer knows to be legal, if it is on move.
  const choices = () => {
    const role = mover();
    if (role === null || role !== viewer) return [];
    const each = fits[role].filter((key) => !asked(key).over).map((key) => asked(key).moves[role].map(({ number }) => number));
    return each[0].filter((number) => each.every((numbers) => numbers.includes(number)));
  };

  const choose = (number) => {
    make(joints(asked(state), viewer, number)[0]);
    goOn();
  };

  const player = playerOf(Object.assign(data, { start: [], mover: null, attacker: 0, steps: [] }));
  const guide = {
    root: "here", note: "", steps: false,
    node: (target) => ({
      kind: 0,
      edges: target !== "here" ? [] : choices().map((number) => {
        data.steps.push([viewer, textOf(number), [], [], data.moves[number][4]]);
        return { step: data.steps.length - 1, target: "there", number };
      }),
    }),
    answers: () => false,
    heading: () => `Moves of ${named(data.roles[viewer])}`,
    mover: () => mover(),
    state: () => {
      if (mover() === null) return outcome(state);
      if (viewer === null) return "The board is covered.";
      const count = fits[viewer].length;
      return `${named(data.roles[viewer])} looks. ${count === 1 ? "One position fits" : `${count} positions fit`} what it knows.`;
    },
    played: (_, { number }) => attempt(() => choose(number)),
  };

  const show = () => {
    const role = mover();
    data.start = facts();
    data.steps = [];
    get("seen").replaceChildren(...(viewer === null || role === null ? [] : told[viewer].map((text) => element("li", text))));
    get("cover").hidden = role === null || viewer === role || !isPerson(role);
    get("cover").textContent = viewer === null ? `I am ${named(data.roles[role])}: show what I know` : `Cover the board, for ${named(data.roles[role])}`;
    player.begin(guide);
  };

  const attempt = (work) => {
    try {
      work();
    } catch (error) {
      player.say(`${error.message}.`);
    }
  };

  // Take a person's view away, or show that of the person on move.
  const turn = () => {
    if (get("cover").hidden) return;
    viewer = viewer === null ? mover() : null;
    show();
  };

  const anew = () => {
    state = keyOf(rowWith(data.position));
    fits = data.roles.map(() => [state]);
    told = data.roles.map(() => []);
    viewer = null;
    goOn();
  };

  const begin = async () => {
    kernel = await kernelCode().kernelOf(await bytesOf(data.kernel));
    blocks = await unpacked(data.blocks);
    net = kernelCode().netOf(kernel, blocks[0]);
    get("anew").onclick = () => attempt(anew);
    get("cover").onclick = turn;
    get("players").replaceChildren(...data.roles.flatMap((role, place) => {
      const choice = element("select", ["person", "random"].map((level) => element("option", level)));
      choice.value = players[place];
      choice.onchange = () => { players[place] = choice.value; attempt(anew); };
      return place === chance ? [] : [element("label", [`${named(role)} `, choice])];
    }));
    attempt(anew);
  };

  const ready = begin();
  const afterwards = (work) => async (...values) => {
    await ready;
    return work(...values);
  };
  const refused = afterwards(() => { throw new Error("this page shows what a role knows, and no more"); });
  window.aspgames = {
    ready,
    viewer: afterwards(() => data.roles[viewer] ?? null),
    cover: afterwards(turn),
    sees: afterwards(() => (viewer === null ? [] : [...told[viewer]])),
    facts: afterwards(() => facts().map((number) => data.terms[number]).sort()),
    fen: afterwards(() => null),
    toMove: afterwards(() => data.roles[mover()] ?? null),
    isTerminal: afterwards(() => mover() === null),
    goals: afterwards(() => Object.fromEntries(data.roles.map((role, at) => [role, mover() === null ? Math.max(0, asked(state).goals[at]) : 0]))),
    legal: afterwards(() => choices().map(textOf)),
    play: afterwards((text) => {
      const number = choices().find((one) => [textOf(one), data.moves[one][1]].includes(text.trim()));
      if (number === undefined) throw new Error(`"${text}" is no move that ${named(data.roles[viewer]) || "anybody here"} knows to be legal`);
      choose(number);
    }),
    back: refused, setPosition: refused, perft: refused, solve: refused, engineMove: refused,
  };
})();
