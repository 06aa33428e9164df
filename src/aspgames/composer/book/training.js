"use strict";

// The page of a book: the index, and the puzzle that the address names.
(() => {
  const book = JSON.parse(get("data").textContent);
  const { cards, looks } = book;
  const index = indexOf(book);
  let open = 0; // counts the puzzles opened, so that late answers are ignored
  let player = null;
  let guide = null;
  let helped = false;
  let done = false; // whether it is solved, or its solution was shown
  let hints = 0;

  const read = async (text) => JSON.parse(new TextDecoder().decode(await bytesOf(text)));

  const offer = (names) => {
    const focused = document.activeElement;
    ["again", "hint", "solution", "proof", "solve", "next"].forEach((id) => {
      get(id).hidden = !names.includes(id);
    });
    if (focused.closest("#actions") && focused.hidden) {
      get("actions").querySelector(":not([hidden])")?.focus({ preventScroll: true });
    }
  };

  const mood = (what) => { get("said").dataset.mood = what; };

  // The index is ready before all puzzles are read.
  const everythingIsRead = () => document.readyState !== "loading"
    || new Promise((read) => { document.addEventListener("DOMContentLoaded", read, { once: true }); });

  const show = async (place) => {
    const turn = ++open;
    await everythingIsRead();
    const card = cards[place];
    const data = { ...looks[card.look], ...await read(get(`puzzle-${place}`).textContent) };
    if (turn !== open) return;
    const turned = card.solver > 0 && data.layout?.grid;
    document.title = `${index.called(card, place)}: ${book.title}`;
    get("puzzle").className = `look-${card.look}`;
    get("game").textContent = [card.name, card.game, index.level(place)].filter(Boolean).join(", ");
    get("asked").textContent = card.asked;
    const drawn = emptyBoard(card.look);
    get("board").replaceChildren(...(drawn ? [drawn] : []));
    player = playerOf(data, { slides: true, turned, prefix: `look-${card.look}-` });
    const engine = engineOf(data, place, player);
    get("list").open = !player.board;
    const around = index.places().includes(place) ? index.places() : [...cards.keys()];
    const at = around.indexOf(place);
    get("place").textContent = `${at + 1} of ${around.length}`;
    get("all").parentElement.hidden = cards.length < 2;
    [["before", around[at - 1]], ["behind", around[at + 1]]].forEach(([id, other]) => {
      if (other === undefined) get(id).removeAttribute("href");
      else get(id).href = `#${other + 1}`;
    });
    get("index").hidden = true;
    get("puzzle").hidden = false;
    get("player").hidden = false;

    const proof = data.strategies.length ? ["proof"] : [];
    const nextPuzzle = () => {
      const next = index.unsolved(place);
      if (next === null) get("next").removeAttribute("href");
      else get("next").href = `#${next + 1}`;
      return next === null ? [] : ["next"];
    };

    // The buttons for now: to continue, or after the end, to see more.
    const offerHelp = () => {
      if (guide.wrongAt() >= 0) offer(["again", "solution"]);
      else if (done) offer(["solve", ...proof, ...nextPuzzle()]);
      else offer(["hint", "solution"]);
    };

    const keep = () => lineKept.keep(place + 1, player.texts);

    const told = (what) => {
      keep();
      hints = 0;
      const wrong = guide.wrongAt() >= 0;
      helped = helped || wrong;
      if (what === "solved") {
        done = true;
        memory.note(card.id, helped ? "helped" : "solved");
        index.show();
      }
      mood(wrong ? "wrong" : ["right", "solved"].includes(what) ? what : "");
      offerHelp();
    };

    const begin = () => {
      hints = 0;
      helped = false;
      done = false;
      mood("");
      get("sides").hidden = true;
      get("player").classList.remove("proving");
      guide = lessonGuide(data, player, told);
      player.begin(engine.after(guide));
      keep();
      offerHelp();
    };

    get("again").onclick = () => {
      const before = player.line.slice(0, guide.wrongAt());
      player.lay(before, before.length, guide.note);
      told("back");
    };
    get("hint").onclick = () => {
      const given = guide.hint(hints);
      if (!given) return;
      helped = true;
      hints += 1;
      mood("");
      player.mark(given[0]);
      player.say(...[given[1]].flat());
    };
    get("solution").onclick = () => {
      const { plies, from } = guide.solution();
      helped = true;
      done = true;
      memory.note(card.id, "seen");
      index.show();
      player.lay(plies, plies.length, "The solution: ", ...plies.slice(from).flatMap(({ step }, ply, all) => [
        whole(`${player.text(step)}${ply + 1 < all.length ? "," : "."}`), " "]), "Go through it with Back and On.");
      mood("");
      offerHelp();
    };
    get("proof").onclick = () => {
      mood("");
      get("player").classList.add("proving");
      get("list").open = true;
      offer(["solve", ...nextPuzzle()]);
      playProof(data, player, engine);
    };
    get("solve").onclick = () => {
      get("list").open = !player.board;
      begin();
    };
    const kept = lineKept.texts();
    begin();
    const before = player.plies(kept);
    if (before.length) {
      player.lay(before, before.length, guide.note);
      done = guide.solved();
      told(guide.wrongAt() < 0 ? "back" : "wrong");
    }
    if (document.hasFocus()) get("asked").focus({ preventScroll: true }); // not as a part of a page
    scrollTo(0, 0);
  };

  const showIndex = () => {
    open += 1;
    get("puzzle").hidden = true;
    get("player").hidden = true;
    get("index").hidden = false;
    document.title = book.title;
    index.show();
  };

  const goThere = () => {
    const place = lineKept.number() - 1;
    if (cards[place]) show(place);
    else showIndex();
  };
  window.addEventListener("hashchange", goThere);
  goThere();
})();
