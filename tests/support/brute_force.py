"""Puzzles and certificates by brute force, state by state with the grounding reasoner.

``Tree`` is an AND/OR search, ``write`` makes a certificate from it, and ``is_valid`` checks a
certificate on every line: slow, short, and without shared code with the tested package.
"""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from aspgames import State
from aspgames.puzzle.problem import Puzzle

Json = dict[str, Any]
Plan = list[str | None]


@dataclass(frozen=True)
class Seen:
    """The properties of a state that a search needs."""

    reached: bool
    over: bool
    attacks: bool
    moves: dict[str, State]


def reached(state: State, attacker: str, goal: str) -> bool:
    if goal == "trap":
        mover = state.to_move
        return mover not in (None, attacker) and not state.consequences.legal[str(mover)]
    if goal == "win":
        return state.is_terminal and state.goals[attacker] == 100
    if goal == "lose":
        return state.is_terminal and state.goals[attacker] == 0 < max(state.goals.values())
    return state.goals[attacker] >= int(goal.removeprefix("score>="))


class Tree:
    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.known: dict[State, Seen] = {}
        self.answers: dict[tuple[State, float], bool] = {}

    def see(self, state: State) -> Seen:
        if state not in self.known:
            moves = {move.term: state.play(move) for move in state.legal_moves}
            attacks = state.to_move == self.puzzle.attacker
            stands = reached(state, self.puzzle.attacker, self.puzzle.goal.text)
            self.known[state] = Seen(stands, not moves, attacks, moves)
        return self.known[state]

    def left(self, state: State, child: State, turns: float) -> float:
        """The turns that the attacker may still begin after a child."""
        return turns - (self.see(child).attacks and not self.see(state).attacks)

    def forces(self, state: State, turns: float) -> bool:
        """Whether the attacker forces the goal if it may begin ``turns`` more turns."""
        seen = self.see(state)
        if seen.reached or seen.over or turns < 0:
            return seen.reached
        key = state, turns
        if key not in self.answers:
            results = (self.forces(c, self.left(state, c, turns)) for c in seen.moves.values())
            self.answers[key] = any(results) if seen.attacks else all(results)
        return self.answers[key]

    def within(self, turns: float) -> bool:
        """Whether the attacker forces the goal from the puzzle's position in ``turns`` turns."""
        state = self.puzzle.state
        return self.forces(state, turns - self.see(state).attacks)

    def distance(self, most: int) -> int | None:
        return next((turns for turns in range(most + 1) if self.within(turns)), None)

    def keys(self, distance: int) -> set[str]:
        seen = self.see(self.puzzle.state)
        if distance == 0 or not seen.attacks:
            return set()
        return {m for m, child in seen.moves.items() if self.forces(child, distance - 1)}

    def line(self, state: State, turns: float) -> list[str]:
        """A line in which the defender holds out longest."""
        seen = self.see(state)
        if seen.reached:
            return []
        children = [(m, c, self.left(state, c, turns)) for m, c in seen.moves.items()]
        if seen.attacks:
            move, child, left = next(c for c in children if self.forces(c[1], c[2]))
        else:
            longest = (c for c in children if not self.forces(c[1], c[2] - 1))
            move, child, left = next(longest, children[0])
        return [move, *self.line(child, left)]

    # --- plans ------------------------------------------------------------------------------------

    def plan_holds(self, state: State, plan: Sequence[object], turns: float, attacks: bool) -> bool:
        """Whether a plan of the attacker or the defender holds on every line."""
        own = [(move is not None) == attacks for move in plan]  # whether the attacker is on move
        begun = sum(own[ply] and not own[ply - 1] for ply in range(1, len(plan)))
        if attacks and begun > turns:
            return False
        states = {state}
        for move in plan:
            following: set[State] = set()
            for each in states:
                seen = self.see(each)
                if seen.reached:
                    if not attacks:
                        return False
                elif each.is_terminal:
                    if attacks:
                        return False
                elif seen.attacks != ((move is not None) == attacks):
                    return False
                elif move is not None:
                    if move not in seen.moves:
                        return False
                    following.add(seen.moves[str(move)])
                elif seen.over and attacks:
                    return False
                else:
                    following.update(seen.moves.values())
            states = following
        if attacks:
            return all(self.see(each).reached for each in states)
        begun += bool(own) and not own[-1]
        return not any(self.see(s).reached for s in states) and all(
            s.is_terminal or (self.see(s).attacks and (self.see(s).over or begun > turns))
            for s in states
        )

    def plans(
        self, state: State, turns: float, attacks: bool, most: int, plan: Plan | None = None
    ) -> Iterator[Plan]:
        """All plans of at most ``most`` plies that hold."""
        plan = plan or []
        if self.plan_holds(state, plan, turns, attacks):
            yield plan
        elif len(plan) < most:
            for move in self._next(state, plan, attacks):
                yield from self.plans(state, turns, attacks, most, [*plan, move])

    def _next(self, state: State, plan: Plan, attacks: bool) -> Plan:
        """The possible next elements of a plan, from one of its lines."""
        for move in plan:
            seen = self.see(state)
            if seen.over:
                return []
            state = seen.moves[move] if move in seen.moves else next(iter(seen.moves.values()))
        seen = self.see(state)
        if seen.over or (attacks and seen.reached):
            return []
        return list(seen.moves) if seen.attacks == attacks else [None]


# --- writing --------------------------------------------------------------------------------------


def write(tree: Tree, most: int, chance: random.Random | None = None) -> Json:
    """The certificate of a puzzle; ``chance`` adds random plans and numbered leaves.

    ``most`` must exceed the number of turns in the game.
    """
    puzzle = tree.puzzle
    game = puzzle.state.game
    limit = most if puzzle.within is None else puzzle.within
    distance = tree.distance(limit)
    forced = distance is not None
    keys = tree.keys(distance) if distance is not None else set()
    root_turns = (distance or 0) - tree.see(puzzle.state).attacks
    certificate: Json = {
        "certificate": 1,
        "game": game.encoding.reference,
        "const": dict(game.constants),
        "rules": game.encoding.fingerprint,
        "position": list(puzzle.state.facts),
        "attacker": puzzle.attacker,
        "goal": puzzle.goal.text,
        "within": puzzle.within,
        "verdict": "forced" if forced else "not_forced",
        "distance": distance,
        "keys": sorted(keys),
        "line": tree.line(puzzle.state, root_turns) if forced else [],
    }
    if distance is not None:
        certificate["attack"] = _Writing(tree, True, keys, chance).strategy(distance)
        if distance > 0:
            certificate["defence"] = _Writing(tree, False, keys, chance).strategy(distance - 1)
    else:
        turns = math.inf if puzzle.within is None else puzzle.within
        certificate["defence"] = _Writing(tree, False, set(), chance).strategy(turns)
    return certificate


class _Writing:
    """The nodes of one strategy, children first; the order is reversed at the end."""

    def __init__(
        self, tree: Tree, attacks: bool, keys: set[str], chance: random.Random | None
    ) -> None:
        self.tree, self.attacks, self.keys, self.chance = tree, attacks, keys, chance
        self.nodes: list[Any] = []
        self.numbers: dict[tuple[State, float], Any] = {}

    def strategy(self, turns: float) -> Json:
        state = self.tree.puzzle.state
        root = self.node(state, turns - self.tree.see(state).attacks, is_root=True)
        if root != len(self.nodes) - 1:
            self.nodes.append(root)
        last = len(self.nodes) - 1

        def turned(part: Any) -> Any:
            if isinstance(part, dict):
                return {k: v if k in ("move", "plan") else turned(v) for k, v in part.items()}
            return last - part if isinstance(part, int) else part

        return {"nodes": [turned(node) for node in reversed(self.nodes)]}

    def node(self, state: State, turns: float, is_root: bool = False) -> Any:
        """The target of an edge to a state: a number, or a leaf."""
        key = state, turns
        if key not in self.numbers:
            made = self.make(state, turns, is_root)
            is_leaf = isinstance(made, str) or "plan" in made
            if not is_leaf or (self.chance and self.chance.random() < 0.3):
                self.nodes.append(made)
                made = len(self.nodes) - 1
            self.numbers[key] = made
        return self.numbers[key]

    def make(self, state: State, turns: float, is_root: bool) -> Any:
        tree, seen = self.tree, self.tree.see(state)
        separates = is_root and bool(self.keys)
        if not separates:
            if seen.reached:
                return "goal"
            if seen.over:
                return "over"
            if turns < 0:
                return "turns"
            if self.chance and self.chance.random() < 0.5:
                plan = next(tree.plans(state, turns, self.attacks, 5), None)
                if plan is not None:
                    return {"plan": plan}
        children = list(seen.moves.items())
        if self.chance:
            self.chance.shuffle(children)
        if separates and self.attacks:
            return {
                "moves": {m: self.child(state, c, turns) for m, c in children if m in self.keys}
            }
        if seen.attacks == self.attacks:
            left = {m: tree.left(state, c, turns) for m, c in children}
            move, child = next(
                (m, c) for m, c in children if tree.forces(c, left[m]) == self.attacks
            )
            return {"move": move, "to": self.child(state, child, turns)}
        if separates:
            return {
                "replies": {
                    move: "turns"
                    if move in self.keys and turns < 0
                    else self.child(state, child, turns + (move not in self.keys))
                    for move, child in children
                }
            }
        return {"replies": {move: self.child(state, child, turns) for move, child in children}}

    def child(self, state: State, child: State, turns: float) -> Any:
        return self.node(child, self.tree.left(state, child, turns))


# --- checking -------------------------------------------------------------------------------------


def is_valid(tree: Tree, certificate: Json) -> bool:
    """Whether a certificate for the tree's puzzle has a well-formed claim and proves it.

    The certificate's game, position and question are not checked.
    """
    seen = tree.see(tree.puzzle.state)
    verdict, distance = certificate["verdict"], certificate["distance"]
    keys, line, within = certificate["keys"], certificate["line"], tree.puzzle.within
    turns = math.inf if within is None else within
    if len(set(keys)) < len(keys):
        return False
    if verdict == "not_forced":
        if distance is not None or keys or line:
            return False
        return _Checking(tree, False, []).strategy(certificate.get("defence"), turns)
    if verdict != "forced" or type(distance) is not int or not 0 <= distance <= turns:
        return False
    if bool(keys) != (seen.attacks and distance > 0) or not _line_is_right(tree, certificate):
        return False
    if not _Checking(tree, True, keys).strategy(certificate.get("attack"), distance):
        return False
    defence = certificate.get("defence")
    return distance == 0 or _Checking(tree, False, keys).strategy(defence, distance - 1)


def _line_is_right(tree: Tree, certificate: Json) -> bool:
    state = tree.puzzle.state
    line, keys = certificate["line"], certificate["keys"]
    if keys and line[:1] not in [[key] for key in keys]:
        return False
    turns, attacked = 0, False
    for move in line:
        seen = tree.see(state)
        if seen.reached or move not in seen.moves:
            return False
        turns += seen.attacks and not attacked
        attacked = seen.attacks
        state = seen.moves[move]
    return tree.see(state).reached and turns == certificate["distance"]


class _Checking:
    """Checks one side's strategy, along every path from the root."""

    def __init__(self, tree: Tree, attacks: bool, keys: list[str]) -> None:
        self.tree, self.attacks, self.keys = tree, attacks, keys
        self.nodes: list[Any] = []
        self.states: dict[int, State] = {}
        self.turns: dict[int, float] = {}

    def strategy(self, strategy: Any, turns: float) -> bool:
        if not isinstance(strategy, dict) or not strategy.get("nodes"):
            return False
        self.nodes = strategy["nodes"]
        state = self.tree.puzzle.state
        self.states[0] = state
        self.turns[0] = turns - self.tree.see(state).attacks
        return all(number in self.states and self.node(number) for number in range(len(self.nodes)))

    def node(self, number: int) -> bool:
        node, state, turns = self.nodes[number], self.states[number], self.turns[number]
        seen = self.tree.see(state)
        separates = number == 0 and bool(self.keys)
        keys = list(node) if isinstance(node, dict) else []
        if separates and keys != (["moves"] if self.attacks else ["replies"]):
            return False
        if not keys or keys == ["plan"]:
            return self.leaf(node, state, turns)
        if seen.reached or (self.attacks and turns < 0):
            return False
        if separates and self.attacks:
            moves = node["moves"]
            return set(moves) == set(self.keys) and self.edges(number, moves, turns)
        if sorted(keys) == ["move", "to"]:
            mine = seen.attacks == self.attacks
            return mine and self.edges(number, {node["move"]: node["to"]}, turns)
        if keys != ["replies"] or seen.attacks == self.attacks:
            return False
        replies = node["replies"]
        if set(replies) != set(seen.moves) or (self.attacks and not replies):
            return False
        if not separates:
            return self.edges(number, replies, turns)
        chosen = {move: to for move, to in replies.items() if move in self.keys}
        others = {move: to for move, to in replies.items() if move not in self.keys}
        if not self.edges(number, others, turns + 1):
            return False
        if turns < 0:
            return all(to == "turns" for to in chosen.values())
        return self.edges(number, chosen, turns)

    def edges(self, number: int, targets: Json, turns: float) -> bool:
        state = self.states[number]
        for move, target in targets.items():
            child = self.tree.see(state).moves.get(move)
            if child is None:
                return False
            left = self.tree.left(state, child, turns)
            if type(target) is not int:
                if not self.leaf(target, child, left):
                    return False
                continue
            if not number < target < len(self.nodes):
                return False
            if self.states.setdefault(target, child) != child:
                return False
            stricter = min if self.attacks else max
            self.turns[target] = stricter(self.turns.get(target, left), left)
        return True

    def leaf(self, leaf: Any, state: State, turns: float) -> bool:
        seen = self.tree.see(state)
        if isinstance(leaf, dict):
            if list(leaf) != ["plan"] or (self.attacks and turns < 0 and not seen.reached):
                return False
            return self.tree.plan_holds(state, leaf["plan"], turns, self.attacks)
        if self.attacks:
            return leaf == "goal" and seen.reached
        if seen.reached:
            return False
        return (leaf == "over" and seen.over) or (leaf == "turns" and seen.attacks and turns < 0)
