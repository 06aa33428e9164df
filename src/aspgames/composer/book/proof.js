"use strict";

// --- a proof as the player's guide: see page_steps.py --------------------------------------------

const proofGuide = (data, strategy, player) => {
  const [ANSWER, KEYS, PLAN, PLANNED] = [0, 2, 3, 4];
  const { attacker, defender } = player;

  // The node of a target; null for a leaf.
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

  const answers = ({ kind }) => kind === ANSWER || kind === PLANNED;
  const target = () => player.line.at(-1)?.target ?? strategy.root;

  const mover = (number) => {
    const found = node(number);
    if (!found) {
      return { [TURNS]: data.attacker, [GOAL]: data.goalMover }[number] ?? null;
    }
    const planning = strategy.side === "attack" ? data.attacker : 1 - data.attacker;
    return found.plan[found.ply] === null ? 1 - planning : planning;
  };

  const ending = (leaf) => {
    return {
      [GOAL]: `${attacker} has ${data.done} in ${turnsText(player.turns())}.`,
      [OVER]: `The game ends here, and ${attacker} has not ${data.done}.`,
      [TURNS]: `${attacker} has no turn left, and has not ${data.done}.`,
    }[leaf];
  };

  const state = () => {
    const found = node(target());
    if (!found) return ending(target());
    if (found.kind === PLAN) return "A plan proves the rest.";
    return player.turns() ? `Turns of ${attacker} so far: ${player.turns()}.` : "";
  };

  const heading = (found) => {
    const who = player.role(found.edges[0].step);
    const count = found.edges.length;
    if (answers(found)) return `The move of ${who}`;
    if (found.kind === KEYS) return count === 1 ? `The key of ${who}` : `The ${count} keys of ${who}`;
    return count === 1 ? `The only move of ${who}` : `The ${count} moves of ${who}`;
  };

  const showPlan = (found) => {
    get("plan").hidden = !found || !found.plan;
    if (get("plan").hidden) return;
    const [planner, other] = strategy.side === "attack" ? [attacker, defender] : [defender, attacker];
    get("plan-note").textContent = `A plan of ${planner} proves this: it works whatever ${other} plays. `
      + (found.kind === PLAN ? "From here there are too many lines to play through. The rest of the plan is:" : "");
    const rest = found.plan.map((move, ply) => ({ move, ply })).slice(found.kind === PLAN ? found.ply : 0);
    get("plan-moves").replaceChildren(...rest.map(({ move, ply }) => {
      const item = element("li", move === null ? `any move of ${other}` : move);
      item.classList.toggle("any", move === null);
      if (ply === found.ply) item.setAttribute("aria-current", "step");
      return item;
    }));
  };

  const shows = (found) => found.kind === KEYS || answers(found);
  return {
    root: strategy.root, note: strategy.note, node, answers, mover, heading, state, shows, also: showPlan,
  };
};

// Play through a proof: either side's strategy. The page's address may keep the line.
const playProof = (data, player, engine, inAddress = false) => {
  const keep = (strategy) => lineKept.keep(data.strategies.indexOf(strategy) + 1, player.texts);
  const show = (strategy) => {
    const guide = engine.after(proofGuide(data, strategy, player));
    player.begin(inAddress ? { ...guide, played: () => keep(strategy), gone: () => keep(strategy) } : guide);
  };
  const [number, kept] = inAddress ? [lineKept.number(), lineKept.texts()] : [1, []];
  const first = data.strategies[number - 1] ? number - 1 : 0;
  const labels = data.strategies.map((each, place) => {
    const choice = element("input", "", { type: "radio", name: "side" });
    choice.checked = place === first;
    choice.addEventListener("change", () => show(each));
    return element("label", [choice, each.title]);
  });
  get("sides").replaceChildren(get("sides").firstElementChild, ...labels);
  get("sides").hidden = labels.length < 2;
  if (!labels.length) player.begin(null);
  else {
    show(data.strategies[first]);
    const plies = player.plies(kept);
    if (plies.length) player.lay(plies, plies.length, "");
  }
};
