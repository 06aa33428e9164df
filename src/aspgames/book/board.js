"use strict";

// A board that is drawn by the shapes and in the layers which its SVG brings along. Squares are "x,y".
const boardOf = (data, svg) => {
  const collator = new Intl.Collator("en", { numeric: true });
  const layer = (colour) => svg.querySelector(`.aspgames-${colour}`);

  const corner = (square) => {
    const [x, y] = square.split(",").map(Number);
    return [100 * (x - 1), 100 * (data.board[1] - y)];
  };

  const add = (colour, tag, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    layer(colour).append(element);
  };

  const circle = (colour, square, r) => {
    const [x, y] = corner(square);
    add(colour, "circle", { cx: x + 50, cy: y + 50, r });
  };

  // Draw the fluents that hold, tint the squares of the last turn, ring some, and dot others.
  const draw = (held, last, rings, dots) => {
    ["last", "marked", "arrow", ...data.contents.map((content) => content[1])]
      .forEach((colour) => layer(colour).replaceChildren());
    for (const fluent of held) {
      (data.marks[fluent] || []).forEach((square) => circle("marked", square, 45));
      if (Array.isArray(data.fluents[fluent])) {
        const [square, content] = data.fluents[fluent];
        const [x, y] = corner(square);
        add(data.contents[content][1], "use", { href: `#piece-${content}`, x, y });
      }
    }
    new Set(last).forEach((square) => {
      const [x, y] = corner(square);
      add("last", "rect", { x, y, width: 100, height: 100 });
    });
    rings.forEach((square) => circle("marked", square, 45));
    new Set(dots).forEach((square) => circle("arrow", square, 14));
  };

  const letters = (file) => (file > 0
    ? letters(Math.floor((file - 1) / 26)) + String.fromCharCode(97 + (file - 1) % 26) : "");
  const name = (square) => square.replace(/(\d+),(\d+)/, (_, x, y) => letters(Number(x)) + y);

  // What stands where, for those who can't see it.
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

  // The square on which somebody clicks; null beside the board.
  const squareAt = (event) => {
    const { x, y } = new DOMPoint(event.clientX, event.clientY)
      .matrixTransform(svg.getScreenCTM().inverse());
    const [file, rank] = [Math.floor(x / 100) + 1, data.board[1] - Math.floor(y / 100)];
    const within = file >= 1 && file <= data.board[0] && rank >= 1 && rank <= data.board[1];
    return within ? `${file},${rank}` : null;
  };

  return { draw, words, squareAt, name };
};
