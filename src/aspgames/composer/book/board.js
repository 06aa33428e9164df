"use strict";

const numbers = (square) => square.split(",").map(Number);

// A drawing of an SVG board, in the layers and with the shapes of the SVG. Squares are "x,y".
const drawingOf = (svg, { size: [width, height], outline, middles }, turned) => {
  const layer = (colour) => [...svg.querySelectorAll(`.aspgames-${colour}`)].at(-1);

  // The upper left corner of a piece on a square.
  const corner = (square) => {
    const [x, y] = middles[square];
    return turned ? [width - x - 50, height - y - 50] : [x - 50, y - 50];
  };

  const add = (colour, tag, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    layer(colour).append(made);
    return made;
  };

  const circle = (colour, square, r) => {
    const [x, y] = corner(square);
    add(colour, "circle", { cx: x + 50, cy: y + 50, r });
  };

  const piece = (colour, square, href) => {
    const [x, y] = corner(square);
    return add(colour, "use", { href, x, y });
  };

  // An arrow from the first square to the second; a ring if there is one square only.
  const arrow = (squares) => {
    if (squares.length === 1) add("arrow", "circle", { cx: corner(squares[0])[0] + 50, cy: corner(squares[0])[1] + 50, r: 44 });
    if (squares.length < 2) return;
    const [[x, y], [u, v]] = squares.map(corner);
    const length = Math.hypot(u - x, v - y);
    const head = Math.min(40, length / 2);
    const d = `M0 -7H${length - head}V-22L${length} 0L${length - head} 22V7H0Z`;
    const turn = Math.atan2(v - y, u - x) * 180 / Math.PI;
    add("arrow", "path", { d, class: "pointer", transform: `translate(${x + 50} ${y + 50}) rotate(${turn})` });
  };

  const tint = (square, opacity) => add("last", "path", { d: `M${corner(square)}${outline}`, opacity });

  if (turned) {
    for (const colour of ["light", "dark", "line", "hole", "hatch"]) {
      layer(colour)?.setAttribute("transform", `rotate(180 ${width / 2} ${height / 2})`);
    }
  }
  return { layer, corner, add, circle, piece, tint, arrow };
};

// A board to play on: a drawing, and over each square an element for fingers, mice, keys and screen
// readers. It calls `click(square)`, `lift(square)` and `drop(from, to)`; `lifts(square)` tells it
// whether a piece can be lifted from a square.
const boardOf = (data, place, { turned = false, prefix = "", click, lift, drop, lifts, cancel }) => {
  const svg = place.querySelector("svg");
  const [width, height] = data.board;
  const { size: [across, down], middles } = data.layout;
  const { layer, corner, circle, piece, tint, arrow } = drawingOf(svg, data.layout, turned);
  let contents = new Map(); // from squares to the numbers of their contents

  const letters = (file) => (file > 0
    ? letters(Math.floor((file - 1) / 26)) + String.fromCharCode(97 + (file - 1) % 26) : "");
  const name = (square) => square.replace(/(\d+),(\d+)/, (_, x, y) => letters(Number(x)) + y);

  if (turned) { // the labels of files and ranks change places
    const labels = [...layer("text").querySelectorAll("text")];
    const words = labels.map((label) => label.textContent);
    labels.forEach((label, at) => {
      label.textContent = at < width ? words[width - 1 - at] : words[2 * width + height - 1 - at];
    });
  }

  // --- squares -----------------------------------------------------------------------------------

  const cells = new Map();
  const grid = document.createElement("div");
  grid.className = "squares";
  grid.setAttribute("role", "grid");
  grid.setAttribute("aria-label", "Squares");
  const [left, top, wide, high] = svg.getAttribute("viewBox").split(/[ ,]+/).map(Number);
  Object.entries({
    left: -left / wide, top: -top / high, width: across / wide, height: down / high,
  }).forEach(([side, share]) => grid.style.setProperty(side, `${100 * share}%`));
  place.style.setProperty("--ratio", wide / high);
  const seen = (order) => (turned ? [...order].reverse() : order);
  const files = [...Array(width).keys()].map((at) => at + 1);
  for (const y of seen(data.ranks)) {
    const row = document.createElement("div");
    row.setAttribute("role", "row");
    for (const x of seen(files).filter((file) => middles[`${file},${y}`])) {
      const cell = document.createElement("div");
      cell.setAttribute("role", "gridcell");
      cell.dataset.square = `${x},${y}`;
      cell.tabIndex = cells.size ? -1 : 0;
      const [cornerX, cornerY] = corner(cell.dataset.square);
      Object.entries({
        left: cornerX / across, top: cornerY / down, width: 100 / across, height: 100 / down,
      }).forEach(([side, share]) => cell.style.setProperty(side, `${100 * share}%`));
      cells.set(cell.dataset.square, cell);
      row.append(cell);
    }
    grid.append(row);
  }
  place.querySelector(".squares")?.remove();
  place.append(grid);

  const focusOn = (square) => {
    const cell = cells.get(square);
    if (!cell) return;
    cells.forEach((other) => { other.tabIndex = other === cell ? 0 : -1; });
    cell.focus({ preventScroll: true });
  };

  // --- drawing -----------------------------------------------------------------------------------

  // Draw the fluents that hold, tint the squares of the last turns, draw rings and dots. Squares of
  // the turns before the last one are paler. An arrow leads over the pointed squares.
  const draw = (held, before, latest, rings, dots, pointed) => {
    const last = [...before, ...latest];
    ["last", "marked", "arrow", ...data.contents.map((content) => content[1])]
      .forEach((colour) => layer(colour)?.replaceChildren());
    contents = new Map();
    for (const fluent of held) {
      (data.marks[fluent] || []).forEach((square) => circle("marked", square, 45));
      if (Array.isArray(data.fluents[fluent])) {
        const [square, content] = data.fluents[fluent];
        piece(data.contents[content][1], square, `#${prefix}piece-${content}`).dataset.square = square;
        contents.set(square, content);
      }
    }
    new Set(last).forEach((square) => tint(square, latest.includes(square) ? 1 : 0.5));
    rings.forEach((square) => circle("marked", square, 45));
    new Set(dots).forEach((square) => circle("arrow", square, contents.has(square) ? 44 : 14));
    arrow(pointed);
    layer("arrow").querySelectorAll("circle[r='44']").forEach((ring) => ring.classList.add("around"));
    cells.forEach((cell, square) => {
      const what = contents.has(square) ? data.contents[contents.get(square)][0] : "empty";
      const more = [[rings, "chosen"], [dots, "a move goes there"], [last, "of the last moves"]];
      const told = more.filter(([squares]) => [...squares].includes(square)).map(([, word]) => word);
      cell.setAttribute("aria-label", [name(square), what, ...told].join(", "));
      cell.classList.toggle("lifts", lifts(square));
    });
  };

  // Animate a piece from one square to another.
  const slide = (from, to) => {
    const drawn = svg.querySelector(`use[data-square="${to}"]`);
    if (!drawn || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const [[x, y], [u, v]] = [corner(from), corner(to)];
    drawn.animate(
      [{ transform: `translate(${x - u}px, ${y - v}px)` }, { transform: "none" }],
      { duration: 160, easing: "ease-out" },
    );
  };

  // The position in words, for screen readers.
  const words = (held) => {
    const places = new Map();
    for (const fluent of held) {
      if (!Array.isArray(data.fluents[fluent])) continue;
      const [square, content] = data.fluents[fluent];
      const what = data.contents[content][0];
      places.set(what, [...(places.get(what) || []), name(square)]);
    }
    const parts = [...places].map(([what, squares]) => (
      `${what}: ${squares.sort(collator.compare).join(", ")}.`));
    return parts.join(" ") || "The board is empty.";
  };

  // --- input -------------------------------------------------------------------------------------

  const at = (event) => new DOMPoint(event.clientX, event.clientY)
    .matrixTransform(svg.getScreenCTM().inverse());

  const squareAt = (event) => {
    const { x, y } = at(event);
    const away = (square) => {
      const [u, v] = corner(square);
      return Math.hypot(x - u - 50, y - v - 50);
    };
    const [near] = [...cells.keys()].sort((one, other) => away(one) - away(other));
    return away(near) < 71 ? near : null;
  };

  let pressed = null; // the square under a pressed finger or mouse button, and the lifted piece
  const letGo = () => {
    pressed?.drawn?.removeAttribute("transform");
    pressed?.drawn?.classList.remove("lifted");
    if (pressed?.drawn) svg.append(layer("arrow"));
    pressed = null;
  };

  grid.addEventListener("pointerdown", (event) => {
    if (event.button || pressed) return;
    const square = squareAt(event);
    if (!square) return;
    if (event.pointerType === "mouse") event.preventDefault(); // selects no text
    pressed = { square, x: event.clientX, y: event.clientY, drawn: null, id: event.pointerId };
    if (lifts(square)) grid.setPointerCapture(event.pointerId);
  });
  grid.addEventListener("pointermove", (event) => {
    if (!pressed || event.pointerId !== pressed.id || !lifts(pressed.square)) return;
    if (!pressed.drawn) {
      if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < 6) return;
      lift(pressed.square);
      pressed.drawn = svg.querySelector(`use[data-square="${pressed.square}"]`);
      if (!pressed.drawn) return;
      pressed.drawn.classList.add("lifted");
      pressed.drawn.parentNode.append(pressed.drawn);
      svg.append(pressed.drawn.parentNode); // above the dots
    }
    const [x, y] = corner(pressed.square);
    const point = at(event);
    pressed.drawn.setAttribute("transform", `translate(${point.x - x - 50} ${point.y - y - 50})`);
  });
  grid.addEventListener("pointerup", (event) => {
    if (!pressed || event.pointerId !== pressed.id) return;
    const { square, drawn } = pressed;
    const other = squareAt(event);
    letGo();
    if (drawn && other !== square) drop(square, other);
    else if (other === square) {
      cells.forEach((cell, one) => { cell.tabIndex = one === square ? 0 : -1; });
      click(square);
    }
  });
  grid.addEventListener("pointercancel", letGo);

  const up = data.ranks[0] === 1 ? -1 : 1;
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, up], ArrowDown: [0, -up] };
  grid.addEventListener("keydown", (event) => {
    const square = event.target.dataset.square;
    if (!square || event.altKey || event.ctrlKey || event.metaKey) return;
    if (ways[event.key]) {
      const [x, y] = numbers(square);
      const [dx, dy] = ways[event.key].map((step) => (turned ? -step : step));
      let steps = 1; // to the next square, perhaps over a gap
      const there = () => `${x + steps * dx},${y + steps * dy}`;
      while (!cells.has(there()) && steps < width + height) steps += 1;
      focusOn(there());
    } else if (event.key === "Enter" || event.key === " ") click(square);
    else if (event.key === "Escape") cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  const holds = (square) => contents.has(square);
  const called = (square) => data.contents[contents.get(square)]?.[0];
  return { draw, slide, words, name, holds, called, focusOn };
};
