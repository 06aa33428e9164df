"""Ground rules as a circuit: each atom the disjunction of its rules, each rule a conjunction.

A literal is a node's number, negative for its negation. There is one kind of gate, the conjunction;
a disjunction is the negation of one. Equal gates are one gate, constants are folded, and what
nothing depends on is left behind by the compiler. Atoms that depend on each other positively
(reachability, say) form a ``Loop``, which is iterated to its least fixpoint.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from ..errors import RulesError
from .open_grounding import GroundRules

TRUE = 1
FALSE = -1

Meaning = TypeVar("Meaning")


@dataclass(frozen=True)
class Loop:
    """Atoms that depend on each other: ``gates`` from ``first`` on compute one round."""

    variables: Sequence[int]
    definitions: Sequence[int]
    first: int
    """The first gate that may depend on the variables."""
    end: int
    """The gate after the last that belongs to the round."""


@dataclass
class Circuit:
    """Nodes in an order in which each comes after what it depends on. Node 1 is the constant."""

    gates: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """The literals of each gate's conjunction; nodes without a gate are inputs."""
    loops: list[Loop] = field(default_factory=list)
    true: dict[str, int] = field(default_factory=dict)
    """The inputs for the fluents of the state."""
    does: dict[tuple[str, str], int] = field(default_factory=dict)
    """The inputs for the moves, by role and move."""
    size: int = 1
    _known: dict[tuple[int, ...], int] = field(default_factory=dict)

    def new_input(self) -> int:
        """A node without a gate."""
        self.size += 1
        return self.size

    def conjunction(self, literals: Iterable[int]) -> int:
        """The literal that is true when all the given ones are."""
        distinct = set(literals)
        distinct.discard(TRUE)
        if FALSE in distinct:
            return FALSE
        if len(distinct) <= 1:
            return distinct.pop() if distinct else TRUE
        key = tuple(sorted(distinct))
        known = self._known.get(key)
        if known is None:
            if any(-literal in distinct for literal in key):
                return FALSE
            self.size += 1
            known = self._known[key] = self.size
            self.gates[known] = key
        return known

    def disjunction(self, literals: Iterable[int]) -> int:
        """The literal that is true when any of the given ones is."""
        return -self.conjunction([-literal for literal in literals])

    def at_least(self, bound: int, weighted: Sequence[tuple[int, int]]) -> int:
        """The literal that is true when the weights of the true literals reach a bound."""
        # A negative weight on a literal is a positive one on its complement, and a higher bound.
        bound -= sum(weight for _, weight in weighted if weight < 0)
        weighted = [(lit, w) if w > 0 else (-lit, -w) for lit, w in weighted if w]
        needed = [{bound}]
        for _, weight in weighted:
            needed.append({b for have in needed[-1] for b in (have, have - weight) if b > 0})
        rest: dict[int, int] = {}
        for (literal, weight), bounds in zip(
            reversed(weighted), reversed(needed[:-1]), strict=True
        ):
            rest = {
                b: self.disjunction(
                    [_rest(rest, b), self.conjunction([literal, _rest(rest, b - weight)])]
                )
                for b in bounds
            }
        return _rest(rest, bound)

    def assuming(self, values: Mapping[int, int]) -> tuple[Circuit, dict[int, int]]:
        """The circuit with some nodes held at literals, and what became of each node."""
        found = Circuit()
        became = {TRUE: TRUE, **values}
        places = {}
        for node in range(TRUE + 1, self.size + 1):
            places[node] = found.size + 1
            if node not in became:
                gate = self.gates.get(node)
                became[node] = (
                    found.new_input()
                    if gate is None
                    else found.conjunction([now(became, literal) for literal in gate])
                )
        places[self.size + 1] = found.size + 1
        for loop in self.loops:
            variables = [became[variable] for variable in loop.variables]
            definitions = [now(became, literal) for literal in loop.definitions]
            found.loops.append(Loop(variables, definitions, places[loop.first], places[loop.end]))
        return found, became


def now(became: Mapping[int, int], literal: int) -> int:
    """What became of a literal, given what became of each node."""
    return became[literal] if literal > 0 else -became[-literal]


def needed(circuit: Circuit, outputs: Sequence[int]) -> set[int]:
    """The nodes that outputs depend on; a loop is needed as a whole."""
    loop_of = {variable: loop for loop in circuit.loops for variable in loop.variables}
    needed: set[int] = set()
    work = [abs(literal) for literal in outputs]
    while work:
        node = work.pop()
        if node not in needed:
            needed.add(node)
            work += map(abs, circuit.gates.get(node, ()))
            if node in loop_of:
                work += map(abs, loop_of[node].definitions)
                work += loop_of[node].variables
    return needed


def _rest(rest: Mapping[int, int], bound: int) -> int:
    return TRUE if bound <= 0 else rest.get(bound, FALSE)


@dataclass
class Outputs:
    """What a circuit computes: literals, by what they mean. Whatever is missing is false."""

    legal: dict[tuple[str, str], int] = field(default_factory=dict)
    next: dict[str, int] = field(default_factory=dict)
    goal: dict[tuple[str, int], int] = field(default_factory=dict)
    to_move: dict[str, int] = field(default_factory=dict)
    terminal: int = FALSE

    def where(self, became: Mapping[int, int]) -> Outputs:
        """The outputs of the same circuit simplified, given what became of each node."""

        def left(literals: Mapping[Meaning, int]) -> dict[Meaning, int]:
            return {key: new for key, old in literals.items() if (new := now(became, old)) != FALSE}

        return Outputs(
            left(self.legal),
            left(self.next),
            left(self.goal),
            left(self.to_move),
            now(became, self.terminal),
        )


def unchanging(circuit: Circuit, outputs: Outputs, facts: Collection[str]) -> dict[int, int]:
    """The inputs that are the same in every state that can follow from one, and what they are.

    Each literal is true, false or open. Begin with the given state, and with no move: a move opens
    when it may be legal, a fluent when it may become something else, and a gate when it is no
    longer decided by what isn't open. (Loops are open from the start.)
    """
    value = [0] * (2 * circuit.size + 1)  # of each literal, from the end on for the negative ones

    def decide(node: int, found: int) -> None:
        value[node], value[-node] = found, -found

    decide(TRUE, TRUE)
    follows: dict[int, int] = {}
    for fluent, node in circuit.true.items():
        decide(node, TRUE if fluent in facts else FALSE)
        follows[node] = outputs.next.get(fluent, FALSE)
    for move, node in circuit.does.items():
        decide(node, FALSE)
        follows[node] = outputs.legal.get(move, FALSE)
    users: dict[int, list[int]] = {}
    """The gates that use a literal, and the inputs that follow it."""
    false = [0] * (circuit.size + 1)
    """How many of a gate's literals are false."""
    for node, gate in circuit.gates.items():
        values = [value[literal] for literal in gate]
        false[node] = values.count(FALSE)
        decide(node, FALSE if false[node] else 0 if 0 in values else TRUE)
        for literal in gate:
            users.setdefault(literal, []).append(node)
    for node, literal in follows.items():
        users.setdefault(literal, []).append(node)
    work = [node for node, literal in follows.items() if value[literal] != value[node]]
    while work:
        opened = work.pop()
        if not value[opened]:
            continue
        refuted = -value[opened] * opened
        for node in users.get(refuted, ()):
            false[node] -= 1
        decide(opened, 0)
        affected = (*users.get(opened, ()), *users.get(-opened, ()))
        work += [node for node in affected if value[node] and false[node] <= 0]
    return {node: value[node] for node in follows if value[node]}


def build(ground: GroundRules) -> tuple[Circuit, Outputs]:
    """The circuit of ground rules, and what its literals mean.

    Raises ``RulesError`` for rules that choose, constrain, or recur through negation.
    """
    builder = _Builder(ground)
    builder.run()
    return builder.circuit, _outputs(ground, builder.literals)


class _Builder:
    """Gives each atom a literal, after those that it depends on."""

    def __init__(self, ground: GroundRules) -> None:
        self.ground = ground
        self.circuit = Circuit()
        self.literals: dict[int, int] = {}
        """The circuit's literals for the grounder's."""
        for atom, literal in _inputs(self.circuit, ground).items():
            self.set(atom, literal)
        for atom in ground.facts:
            self.set(atom, TRUE)

    def set(self, atom: int, literal: int) -> None:
        self.literals[atom] = literal
        self.literals[-atom] = -literal

    def run(self) -> None:
        """Depth first, with a stack of its own instead of recursion."""
        entered: set[int] = set()
        for root in (*self.ground.bodies, *self.ground.sums):
            work = [root]
            while work:
                atom = work[-1]
                if atom in self.literals:
                    work.pop()
                elif not (missing := self.missing(atom)):
                    self.set(atom, self.define(atom))
                elif atom in entered:
                    self.resolve(atom)
                else:
                    entered.add(atom)
                    work += missing

    def uses(self, atom: int) -> list[int]:
        """The literals on which an atom depends."""
        used = [literal for body in self.ground.bodies.get(atom, ()) for literal in body]
        for _, weighted in self.ground.sums.get(atom, ()):
            used += [literal for literal, _ in weighted]
        return used

    def missing(self, atom: int) -> list[int]:
        """The atoms on which an atom depends and that have no literal yet."""
        known = self.literals
        return [abs(literal) for literal in self.uses(atom) if literal not in known]

    def define(self, atom: int) -> int:
        """The literal of an atom whose dependencies have theirs; without a rule it is false."""
        known, circuit = self.literals, self.circuit
        ways = [
            circuit.conjunction([known[literal] for literal in body])
            for body in self.ground.bodies.get(atom, ())
        ]
        for bound, weighted in self.ground.sums.get(atom, ()):
            ways.append(circuit.at_least(bound, [(known[lit], w) for lit, w in weighted]))
        return ways[0] if len(ways) == 1 else circuit.disjunction(ways)

    def resolve(self, root: int) -> None:
        """Define an atom that depends on itself, and all that it depends on."""
        for component in _components(root, self.missing):
            if len(component) == 1 and component[0] not in map(abs, self.uses(component[0])):
                self.set(component[0], self.define(component[0]))
                continue
            members = set(component)
            for atom in component:
                if any(literal < 0 and -literal in members for literal in self.uses(atom)):
                    raise RulesError(_recursion(self.ground, members))
            variables = [self.circuit.new_input() for _ in component]
            for atom, variable in zip(component, variables, strict=True):
                self.set(atom, variable)
            first = self.circuit.size + 1
            definitions = [self.define(atom) for atom in component]
            end = self.circuit.size + 1
            self.circuit.loops.append(Loop(variables, definitions, first, end))


def _inputs(circuit: Circuit, ground: GroundRules) -> dict[int, int]:
    """A node for each fluent and each move that is left open."""
    names = {atom: texts for texts, atom in ground.shown if atom}
    literals: dict[int, int] = {}
    for atom in dict.fromkeys(ground.choices):
        texts = names.get(atom, ("something",))
        if atom in ground.bodies or atom in ground.sums:
            raise RulesError("a rule derives true/1 or does/2, which are given")
        match texts:
            case "true", fluent:
                literals[atom] = circuit.true[fluent] = circuit.new_input()
            case "does", role, move:
                literals[atom] = circuit.does[role, move] = circuit.new_input()
            case _:
                raise RulesError(f"the rules choose {_term(texts)}: they settle no successor")
    return literals


def _outputs(ground: GroundRules, literals: Mapping[int, int]) -> Outputs:
    outputs = Outputs()
    for texts, atom in ground.shown:
        literal = literals.get(atom, FALSE) if atom else TRUE
        if literal == FALSE:
            continue
        match texts:
            case "legal", role, move:
                outputs.legal[role, move] = literal
            case "next", fluent:
                outputs.next[fluent] = literal
            case "goal", role, value:
                if not value.removeprefix("-").isdecimal():
                    raise RulesError(f"{_term(texts)}: a goal must be a number")
                outputs.goal[role, int(value)] = literal
            case "to_move", role:
                outputs.to_move[role] = literal
            case ("terminal",):
                outputs.terminal = literal
    return outputs


def _term(texts: Sequence[str]) -> str:
    name, *arguments = texts
    return f"{name}({','.join(arguments)})" if arguments else name


def _components(root: int, uses: Callable[[int], Iterable[int]]) -> Iterator[list[int]]:
    """The strongly connected components that a node depends on, each after those that it uses.

    Tarjan's algorithm (1972), with a stack of its own instead of recursion.
    """
    index = {root: 0}
    low = {root: 0}
    open_nodes = [root]
    is_open = {root}
    work = [(root, iter(uses(root)))]
    while work:
        node, rest = work[-1]
        for used in rest:
            if used not in index:
                index[used] = low[used] = len(index)
                open_nodes.append(used)
                is_open.add(used)
                work.append((used, iter(uses(used))))
                break
            if used in is_open:
                low[node] = min(low[node], index[used])
        else:
            work.pop()
            if work:
                above = work[-1][0]
                low[above] = min(low[above], low[node])
            if low[node] == index[node]:
                start = len(open_nodes) - 1 - open_nodes[::-1].index(node)
                component = open_nodes[start:]
                del open_nodes[start:]
                is_open.difference_update(component)
                yield component


def _recursion(ground: GroundRules, component: set[int]) -> str:
    shown = sorted(_term(texts) for texts, atom in ground.shown if atom in component)
    what = ", ".join(shown[:5]) or "predicates that aren't shown"
    return f"the rules recur through negation: {what} depend on their own negation"
