"use strict";

const numbers = (square) => square.split(",").map(Number);

// A drawing of an SVG board, in the layers and with the shapes of the SVG. Squares are "x,y".
const drawingOf = (svg, [width, height], turned) => {
  const layer = (colour) => svg.querySelector(`.aspgames-${colour}`);

  const corner = (square) => {
    const [x, y] = numbers(square);
    return turned ? [100 * (width - x), 100 * (y - 1)] : [100 * (x - 1), 100 * (height - y)];
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

  if (turned) {
    for (const colour of ["light", "dark", "hole", "hatch"]) {
      layer(colour)?.setAttribute("transform", `rotate(180 ${50 * width} ${50 * height})`);
    }
  }
  return { layer, corner, add, circle, piece };
};

// A board to play on: a drawing, and over each square an element for fingers, mice, keys and screen
// readers. It calls `click(square)`, `lift(square)` and `drop(from, to)`; `lifts(square)` tells it
// whether a piece can be lifted from a square.
const boardOf = (data, place, { turned = false, prefix = "", click, lift, drop, lifts, cancel }) => {
  const svg = place.querySelector("svg");
  const [width, height] = data.board;
  const { layer, corner, add, circle, piece } = drawingOf(svg, data.board, turned);
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
    left: -left / wide, top: -top / high, width: 100 * width / wide, height: 100 * height / high,
  }).forEach(([side, share]) => grid.style.setProperty(side, `${100 * share}%`));
  grid.style.setProperty("grid-template-columns", `repeat(${width}, 1fr)`);
  grid.style.setProperty("grid-template-rows", `repeat(${height}, 1fr)`);
  place.style.setProperty("--ratio", wide / high);
  const order = (count, down) => [...Array(count).keys()].map((at) => (down ? count - at : at + 1));
  for (const y of order(height, !turned)) {
    const row = document.createElement("div");
    row.setAttribute("role", "row");
    for (const x of order(width, turned)) {
      const cell = document.createElement("div");
      cell.setAttribute("role", "gridcell");
      cell.dataset.square = `${x},${y}`;
      cell.tabIndex = cells.size ? -1 : 0;
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

  // Draw the fluents that hold, tint the squares of the last turns, draw rings and dots.
  const draw = (held, last, rings, dots) => {
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
    new Set(last).forEach((square) => {
      const [x, y] = corner(square);
      add("last", "rect", { x, y, width: 100, height: 100 });
    });
    rings.forEach((square) => circle("marked", square, 45));
    new Set(dots).forEach((square) => circle("arrow", square, contents.has(square) ? 44 : 14));
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
    const [file, rank] = turned
      ? [width - Math.floor(x / 100), Math.floor(y / 100) + 1]
      : [Math.floor(x / 100) + 1, height - Math.floor(y / 100)];
    return cells.has(`${file},${rank}`) ? `${file},${rank}` : null;
  };

  let pressed = null; // the square under a pressed finger or mouse button, and the lifted piece
  const letGo = () => {
    pressed?.drawn?.removeAttribute("transform");
    pressed?.drawn?.classList.remove("lifted");
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

  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  grid.addEventListener("keydown", (event) => {
    const square = event.target.dataset.square;
    if (!square || event.altKey || event.ctrlKey || event.metaKey) return;
    if (ways[event.key]) {
      const [x, y] = numbers(square);
      const [dx, dy] = ways[event.key].map((step) => (turned ? -step : step));
      focusOn(`${x + dx},${y + dy}`);
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
