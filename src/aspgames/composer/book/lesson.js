"use strict";

// --- a puzzle to solve, as the player's guide: see lesson.py -------------------------------------

// `told(event)` is called for events: "right", "wrong", "solved", "begun", "back".
const lessonGuide = (data, player, told) => {
  const [ANSWER, TRY] = [0, 6];
  const { root, nodes, solver, helped } = data.lesson;
  const { attacker, defender } = player;
  const winner = named(data.roles[solver]);
  const other = named(data.roles[1 - solver]);

  const node = (number) => {
    if (number < 0) return null;
    const [kind, ...rest] = nodes[number];
    const width = kind === TRY ? 3 : 2;
    const edges = [];
    for (let i = 0; i < rest.length; i += width) {
      edges.push({ step: rest[i], target: rest[i + 1], good: kind === TRY ? Boolean(rest[i + 2]) : null });
    }
    return { kind, edges };
  };

  const note = helped ? "Your turn: find the line. You play both sides."
    : `Your turn: find ${defender ? `${winner}'s` : "the"} move.`;
  const wrongAt = () => player.line.findIndex(({ good }) => good === false);
  const target = () => player.line.at(-1)?.target ?? root;
  const ends = (number) => !node(number)?.edges.length;
  const solved = () => player.line.length > 0 && wrongAt() < 0 && ends(target());

  const mover = (number) => (number >= 0 && !helped ? solver
    : { [TURNS]: data.attacker, [GOAL]: data.goalMover }[number] ?? null);

  // Why a wrong move fails (see threats.py): a sentence, and the squares of an arrow.
  const reasonOf = (number) => {
    const { nothing, turns, threat, attempt, why: refusal, answer } = data.lesson.reasons?.[number] || {};
    if (turns) return [[`Now ${attacker} forces it in ${turnsText(turns)}. `], []];
    if (nothing || attempt) {
      const why = nothing ? "The move threatened nothing: no other answer would lose either. " : `Now ${attacker} can't do it in time. `;
      const tried = attempt?.flatMap((step) => [whole(player.text(step)), " "]) ?? [];
      return [[why, ...(attempt ? ["After ", ...tried, `${other} has `, whole(player.text(answer)), ". "] : [])], attempt ? player.squares(answer) : []];
    }
    if (threat === undefined) return [[`Now ${attacker} ${solver === data.attacker ? "can't do it in time" : "forces it"}. `], []];
    const fails = refusal ? [`${refusal}. `] : [`${other} then has `, whole(player.text(answer)), ". "];
    return [["The threat ", whole(player.text(threat)), " fails: ", ...fails], player.squares(answer ?? threat)];
  };

  // The message after a wrong move and its answer.
  const failure = () => {
    const place = wrongAt();
    const tried = player.line.slice(place);
    const [wrong] = tried;
    const answered = tried.findIndex(({ good }) => good === null);
    const begun = [whole(player.text(wrong.step)), " is wrong: "];
    const leaf = target();
    const retry = ends(leaf) ? "Take the move back." : "Play on, or take the move back.";
    const played = answered < 0 ? [] : [`${other} answers `, whole(player.text(tried[answered].step)), ". "];
    if (helped) return [...begun, "from here it takes more turns, even if both sides help."];
    if (solver === data.attacker) {
      if (leaf === TURNS) return [...begun, ...played, `${attacker} has no turn left.`];
      if (leaf === OVER) return [...begun, ...played, "The game ends here without the goal."];
      if (!defender) return [...begun, "from here it takes more turns, if it can be done at all."];
    }
    if (leaf === GOAL) return [...begun, ...played, `${attacker} has ${data.done}.`];
    const [reason, arrow] = reasonOf(tried[answered - 1]?.target);
    if (answered === tried.length - 1) player.point(arrow);
    return [...begun, ...played, ...reason, retry];
  };

  // The book's own move in place of another right one.
  const instead = (edge) => (edge.target === AS_WELL ? best(player.here()) : edge);

  const played = (plies, chosen) => {
    const failed = wrongAt();
    if (failed >= 0) {
      player.say(...failure());
      told("wrong");
      return;
    }
    const last = player.line.at(-1);
    const right = plies.find(({ good }) => good);
    const replies = plies.filter(({ good }) => good === null);
    const said = right ? [whole(player.text(chosen.step)), " is right. "] : [];
    if (right && right !== chosen) said.push("So is ", whole(player.text(right.step)), ", and the book continues with it. ");
    if (solved()) {
      const done = solver === data.attacker
        ? `${attacker} has ${data.done} in ${turnsText(player.turns())}.`
        : `${winner} holds.`;
      player.say(...said, ...replies.flatMap(({ step }) => [`${player.role(step)}: `, whole(player.text(step)), ". "]),
        "Solved! ", done);
      told("solved");
      return;
    }
    if (replies.includes(last)) said.push(`${other} plays `, whole(player.text(last.step)), ". ");
    player.say(...said, right ? "Go on." : note);
    told(right ? "right" : "begun");
  };

  // --- why a move is illegal ---------------------------------------------------------------------

  const why = (trial, held) => {
    const holding = new Set(held);
    const fits = data.illegal.find(([squares, present, absent]) => (
      squares.length === trial.length && squares.every((square, at) => square === trial[at])
      && present.every((fluent) => holding.has(fluent))
      && !absent.some((fluent) => holding.has(fluent))));
    return fits ? fits[3] : "";
  };

  // --- hints -------------------------------------------------------------------------------------

  const best = (found) => found?.edges.find(({ good, target: to }) => good && to !== AS_WELL);

  // The hint after so many others: each one says more, and the last one is the move.
  const hint = (given) => {
    const found = player.here();
    const edge = best(found);
    if (!edge) return null;
    const squares = player.squares(edge.step);
    const name = player.board?.name;
    const tells = [];
    if (name && squares.length > 1) {
      const what = player.board.called(squares[0]);
      tells.push([squares.slice(0, 1), what ? `It is the ${what} on ${name(squares[0])}.` : `It begins on ${name(squares[0])}.`]);
      tells.push([squares.slice(0, 2), `It goes from ${name(squares[0])} to ${name(squares[1])}.`]);
    } else if (name && squares.length) {
      const file = squares[0].split(",")[0];
      const alike = found.edges.map(({ step }) => player.squares(step)[0]).filter((square) => square.split(",")[0] === file);
      tells.push([alike, `It is on the ${name(squares[0]).replace(/\d+/, "")} file.`]);
    } else {
      tells.push([[], `It begins with ${player.text(edge.step)[0]}.`]);
    }
    tells.push([squares, ["The move is ", whole(player.text(edge.step)), "."]]);
    return tells[Math.min(given, tells.length - 1)];
  };

  // The plies of the solution, after the right moves played so far.
  const solution = () => {
    const right = wrongAt() < 0 ? player.line : player.line.slice(0, wrongAt());
    const plies = [...right];
    let at = plies.at(-1)?.target ?? root;
    while (!ends(at)) {
      const found = node(at);
      const edge = found.kind === ANSWER ? found.edges[0] : best(found);
      plies.push(edge);
      at = edge.target;
    }
    return { plies, from: right.length };
  };

  return {
    root, note, node, mover, played, instead, why, hint, solution, wrongAt, solved,
    gone: () => told("back"),
    opens: true, tries: true, steps: false,
    answers: ({ kind }) => kind === ANSWER,
    heading: (found) => `The moves of ${player.role(found.edges[0].step)}`,
    also: () => { get("plan").hidden = true; },
  };
};
