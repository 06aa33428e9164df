"use strict";
(() => {
  // --- the data: see strategy.py and steps.py ----------------------------------------------------

  const data = JSON.parse(document.getElementById("data").textContent);
  const [ANSWER, KEYS, PLAN, PLANNED] = [0, 2, 3, 4];
  const [GOAL, OVER, TURNS] = [-1, -2, -3];
  const MOST_CHOICES = 300; // buttons; the others are found by their squares
  const named = (who) => who && `${who[0].toUpperCase()}${who.slice(1)}`;
  const attacker = named(data.roles[data.attacker]);
  const defender = named(data.roles[1 - data.attacker]);
  const get = (id) => document.getElementById(id);
  const collator = new Intl.Collator("en", { numeric: true });

  let strategy = data.strategies[0];
  let line = []; // plies that were played: a step, and where it leads to
  let shown = 0; // how many of them the board shows
  let picked = []; // squares of a move that is being clicked together

  const target = () => (shown ? line[shown - 1].target : strategy.root);

  // The node of a target, taken apart; null for a leaf.
  const node = (number) => {
    if (number < 0) return null;
    const [kind, ...rest] = strategy.nodes[number];
    const planned = kind >= PLAN;
    const edges = [];
    for (let i = planned ? 2 : 0; i + 1 < rest.length; i += 2) {
      edges.push({ step: rest[i], target: rest[i + 1] });
    }
    return { kind, edges, plan: planned ? strategy.plans[rest[0]] : null, ply: rest[1] };
  };

  const own = (kind) => kind === ANSWER || kind === PLANNED;
  const text = (step) => data.steps[step][1];
  const side = (step) => data.steps[step][0];
  const role = (step) => named(data.roles[side(step)]);
  const squares = (step) => data.steps[step][4];

  const position = () => {
    const held = new Set(data.start);
    for (const { step } of line.slice(0, shown)) {
      const [, , gone, come] = data.steps[step];
      gone.forEach((fluent) => held.delete(fluent));
      come.forEach((fluent) => held.add(fluent));
    }
    return [...held].sort((one, other) => one - other);
  };

  // Whether a turn begins with a ply: the other side's before is over, or there is no other.
  const begins = (ply) => !defender || !ply || side(line[ply].step) !== side(line[ply - 1].step);

  // The attacker's turns that were begun.
  const turns = () => line.slice(0, shown).filter(({ step }, ply) => (
    side(step) === data.attacker && begins(ply))).length;

  // --- the position ------------------------------------------------------------------------------

  const board = data.board ? boardOf(data, document.querySelector("#board svg")) : null;

  // The first ply of the last turns: of a move and of what was answered to it.
  const recent = (wanted) => {
    const beginnings = line.slice(0, shown).map((_, ply) => ply).filter(begins);
    return beginnings.slice(-wanted)[0] || 0;
  };

  const lastSquares = () => line.slice(recent(2), shown).flatMap(({ step }) => squares(step));

  // Where a move that is being clicked together can go on.
  const nextSquares = () => (picked.length
    ? matching().map(({ step }) => squares(step)[picked.length]).filter(Boolean) : []);

  const drawBoard = (held) => board.draw(held, lastSquares(), picked, nextSquares());

  // Who is on move, by the place among the roles; null where the game is over.
  const mover = () => {
    if (!strategy) return data.mover;
    const found = node(target());
    if (!found) return { [TURNS]: data.attacker, [GOAL]: data.goal === "trap" ? 1 - data.attacker : null }[target()] ?? null;
    if (found.edges.length) return side(found.edges[0].step);
    const planning = strategy.side === "attack" ? data.attacker : 1 - data.attacker;
    return found.plan[found.ply] === null ? 1 - planning : planning;
  };

  const showPosition = () => {
    const held = position();
    const who = mover();
    get("mover").hidden = who === null;
    get("mover").className = `side side-${who}`;
    get("mover").textContent = `${named(data.roles[who])} to move`;
    const beside = held.map((fluent) => data.fluents[fluent]).filter((fact) => typeof fact === "string");
    get("facts").classList.toggle("all", !data.board);
    get("facts").replaceChildren(...beside.map((fact) => element("li", fact)));
    if (board) {
      drawBoard(held);
      get("board").setAttribute("aria-label", `Board. ${board.words(held)}`);
    } else {
      get("board").hidden = true;
    }
  };

  // --- the moves ---------------------------------------------------------------------------------

  const element = (tag, content, attributes = {}) => {
    const made = document.createElement(tag);
    made.textContent = content;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };

  const choices = () => {
    if (!strategy) return [];
    const found = node(target());
    const edges = found ? found.edges : [];
    return [...edges].sort((one, other) => collator.compare(text(one.step), text(other.step)));
  };

  // The choices with the squares that were clicked and the text that was typed.
  const matching = () => choices().filter(({ step }) => (
    picked.every((square, place) => squares(step)[place] === square)
    && text(step).includes(get("wanted").value.trim())));

  // A move with what stands behind it, which no end of a line takes apart.
  const whole = (move) => element("span", move, { class: "move" });

  const inNames = (plies) => plies.flatMap(({ step }, ply) => {
    const same = (other) => other && role(other.step) === role(step);
    return [
      same(plies[ply - 1]) ? "" : `${role(step)}: `,
      whole(`${text(step)}${same(plies[ply + 1]) ? "," : "."}`), " ",
    ];
  });

  // Play a choice, and the answers to it.
  const play = (edge) => {
    line = [...line.slice(0, shown), edge];
    let found = node(edge.target);
    while (found && own(found.kind)) {
      line.push(found.edges[0]);
      found = node(found.edges[0].target);
    }
    const from = shown;
    shown = line.length;
    render(...inNames(line.slice(from)));
    focusChoice();
  };

  const go = (ply) => {
    const list = document.activeElement.closest("#choices, #line");
    const place = list ? [...list.querySelectorAll("button")].indexOf(document.activeElement) : 0;
    shown = Math.max(0, Math.min(line.length, ply));
    if (shown) {
      const { step } = line[shown - 1];
      render("After ", whole(text(step)), ` of ${role(step)}. `);
    } else render(strategy.note);
    if (!list) return;
    const buttons = list.querySelectorAll("button"); // the focus stays where it was
    (buttons[Math.min(place, buttons.length - 1)] || get("back")).focus({ preventScroll: true });
  };

  const on = () => {
    const focused = [...get("choices").querySelectorAll("button")].indexOf(document.activeElement);
    if (shown < line.length) go(shown + 1);
    else if (strategy && matching().length) play(matching()[Math.max(0, focused)]);
  };

  const focusChoice = () => {
    const next = get("choices").querySelector("button") || get("back");
    next.focus({ preventScroll: true });
  };

  const ending = (leaf) => {
    const reached = `${defender ? "forced" : "reached"} it in ${turns()} ${turns() === 1 ? "turn" : "turns"}`;
    return {
      [GOAL]: `The goal, ${data.goal}, is reached: ${attacker} has ${reached}.`,
      [OVER]: `The play ends here without the goal, ${data.goal}${defender ? `: ${defender} has held` : ""}.`,
      [TURNS]: `No turn is left for ${attacker}, and the goal, ${data.goal}, isn't reached`
        + `${defender ? `: ${defender} has held out` : ""}.`,
    }[leaf];
  };

  const state = () => {
    if (!strategy) return "";
    const found = node(target());
    if (!found) return ending(target());
    if (found.kind === PLAN) return "A plan settles the rest.";
    return turns() ? `Turns of ${attacker} so far: ${turns()}.` : "";
  };

  const heading = (found) => {
    if (!found || !found.edges.length) return "";
    const who = role(found.edges[0].step);
    const count = found.edges.length;
    if (own(found.kind)) return `The move of ${who}`;
    if (found.kind === KEYS) return count === 1 ? `The key of ${who}` : `The ${count} keys of ${who}`;
    return count === 1 ? `The only move of ${who}` : `The ${count} moves of ${who}`;
  };

  const showChoices = (found) => {
    const all = choices();
    const some = matching();
    get("whose").textContent = heading(found);
    get("filter").hidden = all.length <= 12;
    get("choices").replaceChildren(...some.slice(0, MOST_CHOICES).map((edge) => {
      const button = element("button", text(edge.step), { type: "button" });
      button.classList.toggle("key", found.kind === KEYS || own(found.kind));
      button.addEventListener("click", () => play(edge));
      const item = document.createElement("li");
      item.append(button);
      return item;
    }));
    const hidden = some.length - Math.min(some.length, MOST_CHOICES);
    get("more").textContent = hidden ? `and ${hidden} more` : all.length && !some.length ? "No move is like that." : "";
    get("board").classList.toggle("open", all.some(({ step }) => squares(step).length));
  };

  const showPlan = (found) => {
    get("plan").hidden = !found || !found.plan;
    if (get("plan").hidden) return;
    const [planner, other] = strategy.side === "attack" ? [attacker, defender] : [defender, attacker];
    get("plan-note").textContent = `A plan of ${planner} settles this: its moves hold whatever ${other} does. `
      + (found.kind === PLAN ? "There are too many lines to play through from here; the plan goes on so:" : "");
    const rest = found.plan.map((move, ply) => ({ move, ply })).slice(found.kind === PLAN ? found.ply : 0);
    get("plan-moves").replaceChildren(...rest.map(({ move, ply }) => {
      const item = element("li", move === null ? `any move of ${other}` : move);
      item.classList.toggle("any", move === null);
      if (ply === found.ply) item.setAttribute("aria-current", "step");
      return item;
    }));
  };

  const showLine = () => {
    get("line").replaceChildren(...line.map(({ step }, ply) => {
      const button = element("button", text(step), {
        type: "button", "aria-label": `${ply + 1}, ${role(step)}: ${text(step)}`,
      });
      button.classList.add("side", `side-${side(step)}`);
      button.classList.toggle("later", ply >= shown);
      button.classList.toggle("recent", ply < shown && ply >= recent(2));
      if (ply === shown - 1) button.setAttribute("aria-current", "step");
      button.addEventListener("click", () => go(ply + 1));
      const item = document.createElement("li");
      item.append(button);
      return item;
    }));
    get("played").hidden = !line.length;
    get("first").disabled = get("back").disabled = shown === 0;
    get("last").disabled = shown === line.length;
  };

  // Show where the line is, and say what is given and how it stands.
  const render = (...said) => {
    picked = [];
    get("wanted").value = "";
    const found = strategy ? node(target()) : null;
    showPosition();
    showLine();
    showPlan(found);
    showChoices(found);
    get("on").disabled = shown === line.length && !choices().length;
    get("said").replaceChildren(...said, " ", state());
  };

  // --- what a reader does ------------------------------------------------------------------------

  const narrow = () => {
    if (board) drawBoard(position());
    showChoices(node(target()));
  };

  const click = (square) => {
    const trial = [...picked, square];
    const fits = (squaresPicked) => choices().some(({ step }) => (
      squaresPicked.every((one, place) => squares(step)[place] === one)));
    const from = picked[picked.length - 1];
    picked = fits(trial) ? trial : fits([square]) ? [square] : [];
    get("wanted").value = "";
    if (!picked.length) {
      narrow();
      const name = board.name(square);
      get("said").textContent = from
        ? `No move goes from ${board.name(from)} on to ${name}.` : `No move begins on ${name}.`;
      return;
    }
    const complete = matching().filter(({ step }) => squares(step).length === picked.length);
    if (complete.length === 1 && matching().length === 1) play(complete[0]);
    else narrow();
  };

  const show = (chosen) => {
    strategy = chosen;
    line = [];
    shown = 0;
    render(chosen ? chosen.note : "There is no proof to go through: nothing was decided.");
  };

  if (board) {
    get("board").addEventListener("click", (event) => {
      const square = board.squareAt(event);
      if (square && choices().length) click(square);
      else if (square) get("said").textContent = "Nothing is left to be played here.";
    });
  }
  get("first").addEventListener("click", () => go(0));
  get("back").addEventListener("click", () => go(shown - 1));
  get("on").addEventListener("click", on);
  get("last").addEventListener("click", () => go(line.length));
  get("wanted").addEventListener("input", narrow);

  const chooseBeside = (way) => {
    const buttons = [...get("choices").querySelectorAll("button")];
    if (!buttons.length) return;
    const place = buttons.indexOf(document.activeElement) + way;
    buttons[Math.max(0, Math.min(buttons.length - 1, place))].focus();
  };

  const keys = {
    ArrowLeft: () => go(shown - 1),
    ArrowRight: on,
    ArrowUp: () => chooseBeside(-1),
    ArrowDown: () => chooseBeside(1),
    Home: () => go(0),
    End: () => go(line.length),
  };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, summary");
    if (typing || event.altKey || event.ctrlKey || event.metaKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });

  if (data.strategies.length > 1) {
    get("sides").hidden = false;
    data.strategies.forEach((each, place) => {
      const label = element("label", "");
      const choice = element("input", "", { type: "radio", name: "side" });
      choice.checked = place === 0;
      choice.addEventListener("change", () => show(each));
      label.append(choice, each.title);
      get("sides").append(label);
    });
  }
  document.querySelector(".controls").hidden = !strategy;
  show(strategy);
})();
