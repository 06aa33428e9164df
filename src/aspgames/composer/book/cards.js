"use strict";

// --- the index: small diagrams, filters, and the solved puzzles ----------------------------------

const memory = (() => {
  const KEY = "aspgames.puzzles";
  let known = {};
  try {
    known = JSON.parse(localStorage.getItem(KEY)) || {};
  } catch { /* a browser may forbid storage: then the page forgets its solved puzzles */ }
  const keep = () => {
    try {
      localStorage.setItem(KEY, JSON.stringify(known));
    } catch { /* as above */ }
  };
  const order = ["seen", "helped", "solved"];
  return {
    of: (id) => (order.includes(known[id]) ? known[id] : ""),
    note: (id, what) => {
      if (order.indexOf(known[id]) >= order.indexOf(what)) return;
      known[id] = what;
      keep();
    },
    forget: (ids) => {
      ids.forEach((id) => delete known[id]);
      keep();
    },
  };
})();

// The empty board of a look; the definitions of its shapes stay in the page.
const emptyBoards = new Map();
const emptyBoard = (look) => {
  if (!emptyBoards.has(look)) {
    const svg = document.querySelector(`#look-${look} svg`)?.cloneNode(true) ?? null;
    svg?.querySelector("defs")?.remove();
    svg?.setAttribute("aria-hidden", "true");
    emptyBoards.set(look, svg);
  }
  return emptyBoards.get(look)?.cloneNode(true) ?? null;
};

// The facts of a puzzle that its diagram doesn't show.
const factsOf = (card) => card.start.filter((fact) => typeof fact === "string");

// A small diagram: the board of a look, with its pieces.
const diagramOf = (card, looks, onPaper = false) => {
  const look = looks[card.look];
  const svg = emptyBoard(card.look);
  if (!svg) {
    return element("ul", factsOf(card).map((fact) => element("li", fact)), { class: "facts" });
  }
  const [width, height] = look.layout.size;
  if (!onPaper) {
    svg.querySelectorAll("text, .aspgames-background").forEach((one) => one.remove());
    svg.setAttribute("viewBox", `-12 -12 ${width + 24} ${height + 24}`);
  }
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  const { circle, piece } = drawingOf(svg, look.layout, card.solver > 0 && look.layout.grid && !onPaper);
  for (const shown of card.start) {
    if (typeof shown === "string") continue;
    const [square, content] = shown;
    if (shown.length === 1) circle("marked", square, 45);
    else piece(look.contents[content][1], square, `#look-${card.look}-piece-${content}`);
  }
  return svg;
};

// The level of each puzzle, by thirds of the difficulties in its game: those of different games are
// not compared. -1 where a game has fewer than three puzzles.
const LEVELS = ["easy", "medium", "hard"];
const levelsOf = (cards) => cards.map(({ game, difficulty }) => {
  const sorted = cards.filter((other) => other.game === game).map((other) => other.difficulty).sort((one, other) => one - other);
  const [low, high] = [1, 2].map((third) => sorted[Math.ceil(third * sorted.length / 3) - 1]);
  if (sorted.length < 3) return -1;
  return difficulty <= low ? 0 : difficulty <= high ? 1 : 2;
});

const indexOf = ({ cards, looks, title }) => {
  const levels = levelsOf(cards);
  // The part of the puzzles of its game that are easier.
  const ranks = cards.map(({ game, difficulty }) => {
    const same = cards.filter((other) => other.game === game);
    return same.filter((other) => other.difficulty < difficulty).length / same.length;
  });
  const called = (card, at) => card.name || `Puzzle ${at + 1}`;
  const options = (id, names) => {
    get(id).replaceChildren(...names.map(([value, name]) => element("option", name, { value })));
    get(id).addEventListener("change", () => show());
  };
  const games = [...new Set(cards.map(({ game }) => game))].sort(collator.compare);
  options("of-game", [["", "all"], ...games.map((game) => [game, game])]);
  options("of-level", [["", "all"], ...LEVELS.map((level, at) => [String(at), level])]);
  get("of-level").closest("label").hidden = levels.every((level) => level < 0);
  options("of-order", [["", "easiest first"], ["file", "as in the file"]]);
  get("of-order").closest("label").hidden = cards.length < 2;
  get("of-game").closest("label").hidden = games.length < 2;
  get("of-unsolved").addEventListener("change", () => show());
  get("filters").addEventListener("submit", (event) => event.preventDefault());

  const watching = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries.filter((entry) => entry.isIntersecting)) {
      if (!isIntersecting) continue;
      watching.unobserve(target);
      target.replaceChildren(diagramOf(cards[Number(target.dataset.place)], looks));
    }
  }, { rootMargin: "300px" });

  const items = cards.map((card, at) => {
    const diagram = element("div", "", { class: "diagram", "data-place": at });
    watching.observe(diagram);
    const level = LEVELS[levels[at]];
    const kind = [
      element("span", games.length > 1 ? `${card.game}${level ? ", " : ""}` : "", { class: "of" }),
      level ? element("span", level, { class: `level level-${levels[at]}` }) : "",
      element("span", "", { class: "state" }),
    ];
    const title = element("h2", called(card, at));
    const about = [
      element("p", card.asked, { class: `asked side side-${card.mover ?? "none"}` }),
      element("p", kind, { class: "kind" }),
    ];
    const parts = [title, diagram, element("div", about, { class: "about" })];
    return element("li", element("a", parts, { href: `#${at + 1}`, class: `card look-${card.look}` }));
  });
  const wanted = (card, at) => (
    (!get("of-game").value || card.game === get("of-game").value)
    && (!get("of-level").value || levels[at] === Number(get("of-level").value))
    && (!get("of-unsolved").checked || memory.of(card.id) !== "solved"));

  let places = []; // of the puzzles that match the filters
  const show = () => {
    const order = [...cards.keys()];
    if (!get("of-order").value) order.sort((one, other) => ranks[one] - ranks[other] || one - other);
    if (order.some((at, place) => get("cards").children[place] !== items[at])) {
      get("cards").replaceChildren(...order.map((at) => items[at]));
    }
    places = order.filter((at) => wanted(cards[at], at));
    items.forEach((item, at) => {
      item.hidden = !places.includes(at);
      const what = memory.of(cards[at].id);
      item.firstElementChild.dataset.state = what;
      item.querySelector(".state").textContent = what
        ? `, ${{ solved: "solved", helped: "solved with help", seen: "looked up" }[what]}` : "";
    });
    const solved = cards.filter(({ id }) => memory.of(id) === "solved").length;
    get("progress").textContent = `${cards.length} ${cards.length === 1 ? "puzzle" : "puzzles"}, ${solved} solved`;
    get("found").textContent = `${places.length} shown`;
    get("none").hidden = places.length > 0;
    get("next-unsolved").disabled = unsolved(-1) === null;
  };

  // The next unsolved puzzle after one, in the order shown, or the first one.
  const unsolved = (current) => {
    const from = places.indexOf(current) + 1;
    const open = [...places.slice(from), ...places.slice(0, from)].filter((at) => !memory.of(cards[at].id));
    return open.find((at) => at !== current) ?? null;
  };

  get("next-unsolved").addEventListener("click", () => {
    location.hash = `#${unsolved(-1) + 1}`;
  });
  get("forget").addEventListener("click", () => {
    memory.forget(cards.map(({ id }) => id));
    show();
  });

  // --- on paper: six diagrams a page, the solutions at the end -----------------------------------

  const printed = () => {
    const chosen = places.length ? [...places].sort((one, other) => one - other) : [...cards.keys()];
    const diagrams = chosen.map((at) => {
      const card = cards[at];
      const who = element("span", card.asked, { class: `side side-${card.mover ?? "none"}` });
      const caption = element("figcaption", [element("b", `${at + 1}. ${card.name}`), who]);
      const beside = looks[card.look].board ? factsOf(card) : [];
      caption.append(element("small", [card.game, LEVELS[levels[at]], ...beside].filter(Boolean).join(", ")));
      return element("figure", [diagramOf(card, looks, true), caption], { class: `look-${card.look}` });
    });
    const solutions = chosen.map((at) => {
      const { keys, line, variations = [] } = cards[at].solution;
      const item = element("li", [element("b", `No. ${at + 1}: `)]);
      const others = keys.filter((key) => key !== line[0]?.[1]);
      let turn = 0;
      line.forEach(([role, text], ply) => {
        const begins = !ply || (role === line[0][0] && role !== line[ply - 1][0]);
        if (begins) turn += 1;
        const number = begins ? `${turn}. ` : "";
        const move = whole(number + text);
        if (keys.length && !ply) move.classList.add("first");
        item.append(move, " ");
      });
      const told = variations.map(([replies, answer]) => `1... ${replies.join(", ")} 2. ${answer}`);
      if (told.length) item.append(element("small", told.map(whole).flatMap((text) => [text, " "])));
      if (others.length) {
        const some = others.slice(0, 8);
        const more = others.length - some.length;
        item.append("Also ", ...some.flatMap((text) => [whole(text), " "]), more ? `and ${more} more` : "");
      }
      return item;
    });
    const sheets = [];
    for (let at = 0; at < diagrams.length; at += 6) {
      sheets.push(element("section", diagrams.slice(at, at + 6), { class: "sheet" }));
    }
    const end = [element("h2", "Solutions"), element("ol", solutions, { class: "solutions" })];
    get("print").replaceChildren(element("h1", title), ...sheets, element("section", end, { class: "end" }));
  };
  window.addEventListener("beforeprint", printed);
  window.addEventListener("afterprint", () => get("print").replaceChildren());

  show();
  return { show, unsolved, called, level: (at) => LEVELS[levels[at]], places: () => places };
};
