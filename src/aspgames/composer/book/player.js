"use strict";

// --- shared by all pages -------------------------------------------------------------------------

const get = (id) => document.getElementById(id);
const collator = new Intl.Collator("en", { numeric: true });
const named = (who) => who && `${who[0].toUpperCase()}${who.slice(1)}`;
const turnsText = (number) => `${number} ${number === 1 ? "turn" : "turns"}`;
const [GOAL, OVER, TURNS, AS_WELL] = [-1, -2, -3, -4];

// An element with a text, an element or a list of elements in it.
const element = (tag, content, attributes = {}) => {
  const made = document.createElement(tag);
  made.append(...[content].flat());
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

// A move, with its punctuation, that stays on one line.
const whole = (move) => element("span", move, { class: "move" });

// Put a fragment into the page's address, for a reload.
const keepInAddress = (fragment) => {
  try {
    history.replaceState(null, "", `#${fragment}`);
  } catch { /* a page inside another page may have no address of its own */ }
};

// The line in the page's address, so that a reload keeps it: after the number of a puzzle, or of a
// proof's side, the texts of its moves.
const lineKept = {
  keep: (number, texts) => {
    keepInAddress(texts.length ? `${number}&${new URLSearchParams({ line: texts.join(" ") })}` : number);
  },
  number: () => parseInt(location.hash.slice(1), 10),
  texts: () => (new URLSearchParams(location.hash.slice(1)).get("line") || "").split(" ").filter(Boolean),
};

// In another page's frame, the page has the light or dark colours of a message from that page.
const nightRules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules])
  .filter(({ media }) => media?.mediaText.includes("prefers-color-scheme"));
window.addEventListener("message", ({ data: message }) => {
  const colours = message?.aspgamesColours;
  if (colours !== "dark" && colours !== "light") return;
  document.documentElement.style.colorScheme = colours;
  nightRules.forEach(({ media }) => { media.mediaText = colours === "dark" ? "screen" : "not all"; });
});

// The player: a board, the moves to choose from, the line played so far, and a message.
//
// A guide has the positions: `root`, and `node(target)`, which is `{ kind, edges }` with steps and
// targets as edges, or null at an end. It also has
// - `answers(node)`: whether the page plays the node's only move by itself,
// - `heading(node)`, `state()`, `note`: the heading of moves, the state of play, the first message,
// - `also(node)`: shows more,
// - `played(edges)`: is called after moves, and may change the message,
// - `why(squares, held)`: why a move is illegal; without it, illegal moves can't be tried,
// - `mover(target)`: the role on move, where no edge tells it,
// - `beyond(position)`: the node where `node` has no moves,
// - `place(square)`: sets something on a clicked square; false if squares choose moves.
const playerOf = (data, { slides = false, turned = false, prefix = "" } = {}) => {
  const MOST_CHOICES = 300; // buttons; other moves are found by their squares
  const attacker = named(data.roles[data.attacker]);
  const defender = named(data.roles[1 - data.attacker]);

  let guide = null;
  let line = []; // the plies played: steps and targets
  let shown = 0; // the number of plies on the board
  let picked = []; // the squares of a move chosen so far
  let marked = []; // the squares of a hint
  let pointed = []; // the squares of an arrow

  const target = () => (shown ? line[shown - 1].target : guide.root);
  const here = () => {
    const found = guide ? guide.node(target()) : null;
    return found?.edges.length ? found : guide?.beyond?.(position()) ?? found;
  };

  const text = (step) => data.steps[step][1];
  const side = (step) => data.steps[step][0];
  const role = (step) => named(data.roles[side(step)]) || "All"; // nobody's alone, if all move at once
  const squares = (step) => data.steps[step][4];

  // The squares where a ply changes what stands there, such as flips and pushes.
  const flipped = (step) => data.steps[step][3].map((fluent) => data.fluents[fluent]).filter(Array.isArray).map(([square]) => square);

  const after = (held, [, , gone, come]) => {
    gone.forEach((fluent) => held.delete(fluent));
    come.forEach((fluent) => held.add(fluent));
  };
  const inOrder = (held) => [...held].sort((one, other) => one - other);
  const position = (plies = shown) => {
    const held = new Set(data.start);
    line.slice(0, plies).forEach(({ step }) => after(held, data.steps[step]));
    return inOrder(held);
  };

  // The position with the common effects of all moves that fit the picked squares.
  const foreseen = () => {
    const held = new Set(position());
    const [first, ...rest] = picked.length > 1 ? matching().map(({ step }) => data.steps[step]) : [];
    if (!first) return inOrder(held);
    const common = (part) => first[part].filter((fluent) => rest.every((step) => step[part].includes(fluent)));
    after(held, [0, 0, common(2), common(3)]);
    return inOrder(held);
  };

  // Whether a ply begins a turn: the other side played before it, or there is one side only.
  const begins = (ply) => !defender || !ply || side(line[ply].step) !== side(line[ply - 1].step);

  // The number of turns that the attacker has begun.
  const turns = () => line.slice(0, shown).filter(({ step }, ply) => (
    side(step) === data.attacker && begins(ply))).length;

  // The first ply of the last turns, such as a move and its answer.
  const recent = (wanted) => {
    const beginnings = line.slice(0, shown).map((_, ply) => ply).filter(begins);
    return beginnings.slice(-wanted)[0] || 0;
  };

  // --- the moves to choose from ------------------------------------------------------------------

  const choices = () => {
    const found = here();
    return [...(found ? found.edges : [])].sort((one, other) => (
      collator.compare(called(one), called(other))));
  };

  const fitting = (trial) => choices().filter(({ step }) => (
    trial.every((square, place) => squares(step)[place] === square)));

  // What a choice is called: its text, unless that would tell what others choose.
  const called = ({ label, step }) => label ?? text(step);

  // The choices that fit the clicked squares and the typed text.
  const matching = () => fitting(picked).filter((edge) => (
    called(edge).includes(get("wanted").value.trim())));

  // The next squares of the moves that fit the clicked ones.
  const nextSquares = () => (picked.length
    ? matching().map(({ step }) => squares(step)[picked.length]).filter(Boolean) : []);

  // In a game where pieces fall, any square of a file stands for the square that the piece falls to.
  const fallsTo = (square) => {
    const file = ([one]) => one.split(",")[0];
    const all = choices().map(({ step }) => squares(step));
    if (!all.every((each) => each.length === 1) || board.holds(square)) return square;
    const there = all.filter((each) => file(each) === square.split(",")[0]);
    return there.length === 1 ? there[0][0] : square;
  };

  // --- display -----------------------------------------------------------------------------------

  let before = null; // the message that a refusal has replaced
  const say = (...said) => {
    before = null;
    get("said").replaceChildren(...said);
  };

  const drawBoard = () => {
    const tinted = (start, end) => line.slice(start, end).flatMap(({ step }) => [...squares(step), ...flipped(step)]);
    board?.draw(foreseen(), tinted(recent(2), recent(1)), tinted(recent(1), shown), [...picked, ...marked], nextSquares(), pointed);
  };

  // The number of the role on move; null where the game is over.
  const mover = () => {
    if (!guide) return data.mover;
    const found = here();
    if (found?.edges.length) return side(found.edges[0].step);
    return guide.mover ? guide.mover(target()) : null;
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
    get("board").hidden = !board;
    drawBoard();
    get("board").setAttribute("aria-label", board ? `Board. ${board.words(held)}` : "The board");
  };

  const showChoices = (found) => {
    const all = choices();
    const some = matching();
    get("whose").textContent = found?.edges.length ? guide.heading(found) : "";
    get("filter").hidden = all.length <= 12;
    get("choices").replaceChildren(...some.slice(0, MOST_CHOICES).map((edge) => {
      const button = element("button", called(edge), { type: "button" });
      button.classList.toggle("key", Boolean(guide.shows?.(found)));
      button.addEventListener("click", () => play(edge));
      return element("li", button);
    }));
    const hidden = some.length - Math.min(some.length, MOST_CHOICES);
    get("more").textContent = hidden ? `and ${hidden} more` : all.length && !some.length ? "No move matches." : "";
    get("board").classList.toggle("open", all.some(({ step }) => squares(step).length));
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
      return element("li", button);
    }));
    get("played").hidden = !line.length;
    get("first").disabled = get("back").disabled = shown === 0;
    get("last").disabled = shown === line.length;
  };

  // Show the position, the line and a message with the state of play.
  const render = (...said) => {
    picked = [];
    marked = [];
    pointed = [];
    get("wanted").value = "";
    const found = here();
    showPosition();
    showLine();
    showChoices(found);
    guide?.also?.(found);
    get("on").disabled = shown === line.length && (guide?.steps === false || !choices().length);
    say(...said, " ", guide?.state?.() || "");
  };

  const inNames = (plies) => plies.flatMap(({ step }, ply) => {
    const same = (other) => other && role(other.step) === role(step);
    return [
      same(plies[ply - 1]) ? "" : `${role(step)}: `,
      whole(`${text(step)}${same(plies[ply + 1]) ? "," : "."}`), " ",
    ];
  });

  // --- playing -----------------------------------------------------------------------------------

  // An edge with its answers.
  const answered = (edge) => {
    const plies = [edge];
    let found = guide.node(edge.target);
    while (found && guide.answers(found)) {
      plies.push(found.edges[0]);
      found = guide.node(found.edges[0].target);
    }
    return plies;
  };

  const focusChoice = () => {
    if (document.activeElement.closest(".squares")) return;
    const next = get("choices").querySelector("button") || get("back");
    if (next.offsetParent) next.focus({ preventScroll: true });
  };

  // Animate the pieces of some plies.
  const show = (plies) => {
    if (!slides || !board) return;
    for (const { step } of plies) {
      const [, , gone, come] = data.steps[step];
      const placed = (fluents) => fluents.map((fluent) => data.fluents[fluent]).filter(Array.isArray);
      for (const [to, what] of placed(come)) {
        const from = placed(gone).find(([, content]) => content === what);
        if (from) board.slide(from[0], to);
      }
    }
  };

  // Play a choice and its answers.
  const play = (chosen, byHand = false) => {
    const edge = guide.instead?.(chosen) || chosen;
    const plies = answered(edge);
    line = [...line.slice(0, shown), ...plies];
    shown = line.length;
    render(...inNames(plies));
    show(byHand && edge === chosen ? plies.slice(1) : plies);
    guide.played?.(plies, chosen);
    focusChoice();
  };

  const go = (ply) => {
    const list = document.activeElement.closest("#choices, #line");
    const place = list ? [...list.querySelectorAll("button")].indexOf(document.activeElement) : 0;
    shown = Math.max(0, Math.min(line.length, ply));
    if (shown) {
      const { step } = line[shown - 1];
      render("After ", whole(text(step)), ` of ${role(step)}. `);
    } else render(guide ? guide.note : "");
    guide?.gone?.();
    if (!list) return;
    const buttons = list.querySelectorAll("button"); // the focus stays at its place
    (buttons[Math.min(place, buttons.length - 1)] || get("back")).focus({ preventScroll: true });
  };

  const on = () => {
    const focused = [...get("choices").querySelectorAll("button")].indexOf(document.activeElement);
    if (shown < line.length) go(shown + 1);
    else if (matching().length && guide.steps !== false) play(matching()[Math.max(0, focused)]);
  };

  const narrow = () => {
    drawBoard();
    showChoices(here());
  };

  // The message for squares without a move.
  const refuse = (trial) => {
    picked = [];
    narrow();
    const name = board.name(trial[trial.length - 1]);
    const from = trial[trial.length - 2];
    const reason = guide.why?.(trial, position());
    const kept = [...get("said").childNodes];
    say(from ? `No move goes from ${board.name(from)} on to ${name}.` : `No move begins on ${name}.`,
      reason ? ` ${reason}` : "");
    before = kept;
  };

  // Whether an illegal move from a square may be tried, to learn why it is illegal.
  const mayTry = (square) => guide.tries && board.holds(square)
    && choices().some(({ step }) => squares(step).length > 1);

  // Add a square to the move; an illegal one may be tried to learn the reason.
  const click = (clicked, dropped = false) => {
    if (guide?.place?.(clicked)) return;
    if (!choices().length) {
      say("There is no move to play here. ", guide?.state?.() || "");
      return;
    }
    if (before) say(...before);
    const square = picked.length || fitting([clicked]).length ? clicked : fallsTo(clicked);
    get("wanted").value = "";
    marked = [];
    if (picked.length === 1 && picked[0] === square && !fitting([square, square]).length) {
      picked = [];
      narrow();
      return;
    }
    const trial = [...picked, square];
    if (fitting(trial).length) picked = trial;
    else if (!dropped && fitting([square]).length) picked = [square];
    else if (trial.length === 1 && mayTry(square)) picked = trial;
    else {
      refuse(trial);
      return;
    }
    const found = matching();
    const reached = found.filter(({ step }) => squares(step).length === picked.length);
    if (found.length === 1 && reached.length) play(found[0], dropped);
    else {
      narrow();
      if (found.length && reached.length === found.length) { // such as promotions
        get("list").open = true;
        say("Several moves go there: choose one in the list.");
      }
    }
  };

  const lift = (from) => {
    if (picked[picked.length - 1] === from) return;
    picked = fitting([from]).length || mayTry(from) ? [from] : [];
    marked = [];
    narrow();
  };

  const drop = (from, to) => {
    lift(from);
    if (to && picked.length) click(to, true);
    else cancel();
  };

  const begin = (chosen) => {
    guide = chosen;
    line = [];
    shown = 0;
    render(chosen ? chosen.note : "There is no proof: the puzzle is undecided.");
    const found = here();
    if (found && guide.opens && guide.answers(found)) play(found.edges[0]);
  };

  // Set the line, and show some of its plies.
  const lay = (plies, count, ...said) => {
    line = plies;
    shown = count;
    render(...said);
  };

  // The plies with these texts from the start, as far as the guide has them.
  const plies = (texts) => {
    const found = [];
    for (const wanted of texts) {
      const edge = guide.node(found.at(-1)?.target ?? guide.root)?.edges.find(({ step }) => text(step) === wanted);
      if (!edge) break;
      found.push(edge);
    }
    return found;
  };

  const cancel = () => {
    picked = [];
    narrow();
  };

  // A piece can be lifted from the first square of a move, and from the last chosen one.
  const lifts = (square) => Boolean(guide) && choices().some(({ step }) => squares(step).length > 1)
    && (square === picked[picked.length - 1] || (board.holds(square)
      && (mayTry(square) || fitting([square]).length > 0)));

  const board = data.board && get("board").querySelector("svg")
    ? boardOf(data, get("board"), { turned, prefix, click, lift, drop, lifts, cancel }) : null;

  // --- keys and buttons --------------------------------------------------------------------------

  get("first").onclick = () => go(0);
  get("back").onclick = () => go(shown - 1);
  get("on").onclick = on;
  get("last").onclick = () => go(line.length);
  get("wanted").oninput = narrow;

  const chooseBeside = (way) => {
    const buttons = [...get("choices").querySelectorAll("button")];
    if (!buttons.length || !buttons[0].offsetParent) return;
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
  document.onkeydown = (event) => {
    const typing = event.target.matches("input, select, textarea, summary");
    const modified = event.altKey || event.ctrlKey || event.metaKey;
    if (typing || modified || !keys[event.key] || get("player").hidden) return;
    event.preventDefault();
    keys[event.key]();
  };

  return {
    begin, go, lay, plies, render, say, here, turns, text, role, squares, position, play,
    attacker, defender, board,
    get line() { return line.slice(0, shown); },
    get texts() { return line.slice(0, shown).map(({ step }) => text(step)); },
    mark: (wanted) => { marked = wanted; drawBoard(); },
    point: (wanted) => { pointed = wanted; drawBoard(); },
  };
};
