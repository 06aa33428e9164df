"use strict";

// --- play beyond the lines of a puzzle: all legal moves, and an engine's -------------------------

const BEYOND = -5; // the target of a move beyond a guide's lines

// The net beside a puzzle, if there is one. It is unpacked when it is first asked for.
const engineOf = (data, place, player) => {
  const SECONDS = 1;
  let opened = null;
  let task = null;

  const open = async () => {
    const read = async (id) => bytesOf(get(id).textContent);
    const { blocks, ...names } = JSON.parse(new TextDecoder().decode(await read(`engine-${place}`)));
    const code = await read("kernel");
    const [block] = await unpacked(blocks);
    const { kernelOf, netOf } = kernelCode();
    const net = netOf(await kernelOf(code), block);
    return { code, block, game: gameOf(data, names, () => net) };
  };

  const keyOfHeld = (held) => keyOf(opened.game.rowWith(held));
  const edges = (held) => (opened?.game.edgesOf(keyOfHeld(held)) ?? []).map((edge) => ({ ...edge, target: BEYOND }));

  // Play the engine's move in the position shown.
  const move = async () => {
    opened ??= await open();
    const { code, block, game } = opened;
    const held = player.position();
    const key = keyOfHeld(held);
    const found = game.options(key);
    if (!found.length) {
      get("beyond").hidden = true;
      player.say(game.outcome(key));
      return;
    }
    player.say("The engine is thinking …");
    task?.stop();
    task = kernelTask(code, "choose", {
      block, row: rowOf(key), role: found[0].role, joints: found.map(({ joint }) => joint), seconds: SECONDS,
    });
    const chosen = await task.promise.catch(() => null);
    if (chosen && String(player.position()) === String(held)) player.play(edges(held)[chosen.place]);
  };

  // A guide that goes on where another one ends.
  const after = (guide) => {
    const ended = () => !guide.node(player.line.at(-1)?.target ?? guide.root)?.edges.length;
    const isBeyond = () => player.line.at(-1)?.target === BEYOND;
    const state = () => (isBeyond() ? opened.game.outcome(keyOfHeld(player.position())) : guide.state?.() ?? "");
    const mover = (key) => {
      const role = opened.game.onMove(opened.game.asked(key));
      return opened.game.asked(key).over || role < 0 ? null : role;
    };
    return {
      ...guide,
      state,
      beyond: (held) => (opened ? { kind: BEYOND, edges: edges(held) } : null),
      heading: (found) => (found.kind === BEYOND ? `${player.role(found.edges[0].step)} moves on` : guide.heading(found)),
      mover: (target) => (target === BEYOND ? mover(keyOfHeld(player.position())) : guide.mover(target)),
      played: (plies, chosen) => { if (!isBeyond()) guide.played?.(plies, chosen); },
      also: (found) => {
        guide.also?.(found);
        const over = opened && !opened.game.options(keyOfHeld(player.position())).length;
        get("beyond").hidden = over || !ended() || !get(`engine-${place}`);
      },
    };
  };

  get("beyond-move").onclick = move;
  return { after };
};
