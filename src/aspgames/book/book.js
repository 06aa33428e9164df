"use strict";
(() => {
  // --- the data: see strategy.py and steps.py ----------------------------------------------------

  const data = JSON.parse(document.getElementById("data").textContent);
  const [ANSWER, KEYS, PLAN, PLANNED] = [0, 2, 3, 4];
  const [GOAL, OVER, TURNS] = [-1, -2, -3];
  const MOST_CHOICES = 300; // buttons; the others are found by their squares
  const attacker = data.roles[data.attacker];
  const defender = data.roles[1 - data.attacker];
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

  const named = (who) => `${who[0].toUpperCase()}${who.slice(1)}`;
  const own = (kind) => kind === ANSWER || kind === PLANNED;
  const text = (step) => data.steps[step][1];
  const role = (step) => data.roles[data.steps[step][0]];
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

  // The attacker's turns that were begun.
  const turns = () => line.slice(0, shown).filter(({ step }, ply) => (
    data.steps[step][0] === data.attacker
    && (ply === 0 || data.steps[line[ply - 1].step][0] !== data.attacker))).length;

  // --- the position ------------------------------------------------------------------------------

  const board = data.board ? boardOf(data, document.querySelector("#board svg")) : null;

  // The first ply of the last turns: of a move and of what was answered to it.
  const recent = (wanted) => {
    let ply = shown;
    for (let left = wanted; ply && left; left -= 1) {
      const who = role(line[ply - 1].step);
      while (ply && role(line[ply - 1].step) === who) ply -= 1;
    }
    return ply;
  };

  const lastSquares = () => line.slice(recent(2), shown).flatMap(({ step }) => squares(step));

  // Where a move that is being clicked together can go on.
  const nextSquares = () => (picked.length
    ? matching().map(({ step }) => squares(step)[picked.length]).filter(Boolean) : []);

  const drawBoard = (held) => board.draw(held, lastSquares(), picked, nextSquares());

  // Who is on move, as the choices tell, or else the side that didn't move last.
  const mover = () => {
    const found = strategy ? node(target()) : null;
    if (found && found.edges.length) return `${named(role(found.edges[0].step))} to move`;
    return "";
  };

  const showPosition = () => {
    const held = position();
    get("mover").textContent = mover();
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

  const inNames = (plies) => {
    const told = [];
    plies.forEach(({ step }) => {
      const last = told[told.length - 1];
      if (last && last.who === role(step)) last.moves.push(text(step));
      else told.push({ who: role(step), moves: [text(step)] });
    });
    return told.map(({ who, moves }) => `${named(who)}: ${moves.join(", ")}.`).join(" ");
  };

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
    render(inNames(line.slice(from)));
    focusChoice();
  };

  const go = (ply) => {
    const list = document.activeElement.closest("#choices, #line");
    const place = list ? [...list.querySelectorAll("button")].indexOf(document.activeElement) : 0;
    shown = Math.max(0, Math.min(line.length, ply));
    render(shown ? `After ${text(line[shown - 1].step)} of ${role(line[shown - 1].step)}.` : "The position of the puzzle.");
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

  const ending = (leaf) => ({
    [GOAL]: `The goal, ${data.goal}, is reached: ${attacker} has forced it in ${turns()} ${turns() === 1 ? "turn" : "turns"}.`,
    [OVER]: `The play ends here without the goal, ${data.goal}: ${defender} has held.`,
    [TURNS]: `No turn is left for ${attacker}, and the goal, ${data.goal}, isn't reached: ${defender} has held out.`,
  })[leaf];

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
    const side = strategy.side === "attack" ? attacker : defender;
    const other = strategy.side === "attack" ? defender : attacker;
    get("plan-note").textContent = `a plan of ${side} settles this: its moves hold whatever ${other} does. `
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
      button.classList.add(`side-${data.steps[step][0]}`);
      button.classList.toggle("later", ply >= shown);
      button.classList.toggle("recent", ply < shown && ply >= recent(2));
      if (ply === shown - 1) button.setAttribute("aria-current", "step");
      button.addEventListener("click", () => go(ply + 1));
      const item = document.createElement("li");
      item.append(button);
      return item;
    }));
    get("first").disabled = get("back").disabled = shown === 0;
    get("last").disabled = shown === line.length;
  };

  const render = (said) => {
    picked = [];
    get("wanted").value = "";
    const found = strategy ? node(target()) : null;
    showPosition();
    showLine();
    showPlan(found);
    showChoices(found);
    get("on").disabled = shown === line.length && !choices().length;
    get("said").textContent = `${said} ${state()}`.trim();
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
    picked = fits(trial) ? trial : fits([square]) ? [square] : [];
    get("wanted").value = "";
    if (!picked.length) {
      narrow();
      get("more").textContent = `No move begins on ${board.name(square)}.`;
      return;
    }
    const whole = matching().filter(({ step }) => squares(step).length === picked.length);
    if (picked.length && whole.length === 1 && matching().length === 1) play(whole[0]);
    else narrow();
  };

  const show = (chosen) => {
    strategy = chosen;
    line = [];
    shown = 0;
    get("note").textContent = chosen ? chosen.note : "There is no proof to go through: nothing was decided.";
    render("The position of the puzzle.");
  };

  if (board) {
    get("board").addEventListener("click", (event) => {
      const square = board.squareAt(event);
      if (square && choices().length) click(square);
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
