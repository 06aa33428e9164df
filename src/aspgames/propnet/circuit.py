"""Ground rules as a circuit: each atom the disjunction of its rules, each rule a conjunction.

A literal is a node's number, negative for its negation. There is one kind of gate, the conjunction;
a disjunction is the negation of one. Equal gates are one gate, constants are folded, and what
nothing depends on is left behind by the compiler. Atoms that depend on each other positively
(reachability, say) form a ``Loop``, which is iterated to its least fixpoint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import clingo

from ..errors import RulesError
from .open_grounding import GroundRules

TRUE = 1
FALSE = -1


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
        if FALSE in distinct or any(-literal in distinct for literal in distinct):
            return FALSE
        if len(distinct) <= 1:
            return distinct.pop() if distinct else TRUE
        key = tuple(sorted(distinct))
        known = self._known.get(key)
        if known is None:
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


def build(ground: GroundRules) -> tuple[Circuit, Outputs]:
    """The circuit of ground rules, and what its literals mean.

    Raises ``RulesError`` for rules that choose, constrain, or recur through negation.
    """
    circuit = Circuit()
    names = {atom: symbol for symbol, atom in ground.shown if atom}
    literals = _inputs(circuit, ground, names)
    bodies = _bodies(ground, literals)
    sums: dict[int, list[tuple[int, list[tuple[int, int]]]]] = {}
    for head, bound, weighted in ground.sums:
        sums.setdefault(head[0], []).append((bound, weighted))
        bodies.setdefault(head[0], [])

    def define(atom: int) -> int:
        """The literal of an atom whose dependencies have theirs."""
        ways = [circuit.conjunction([_literal(literals, b) for b in body]) for body in bodies[atom]]
        for bound, weighted in sums.get(atom, ()):
            ways.append(circuit.at_least(bound, [(_literal(literals, b), w) for b, w in weighted]))
        return circuit.disjunction(ways)

    def uses(atom: int) -> Iterator[int]:
        for body in bodies[atom]:
            yield from body
        for _, weighted in sums.get(atom, ()):
            yield from (literal for literal, _ in weighted)

    for component in _components(bodies, uses):
        if len(component) == 1 and component[0] not in map(abs, uses(component[0])):
            literals[component[0]] = define(component[0])
            continue
        members = set(component)
        for atom in component:
            if any(literal < 0 and -literal in members for literal in uses(atom)):
                raise RulesError(_recursion(names, component))
        variables = [circuit.new_input() for _ in component]
        literals.update(zip(component, variables, strict=True))
        first = circuit.size + 1
        definitions = [define(atom) for atom in component]
        circuit.loops.append(Loop(variables, definitions, first, circuit.size + 1))
    return circuit, _outputs(ground, literals)


def _inputs(
    circuit: Circuit, ground: GroundRules, names: Mapping[int, clingo.Symbol]
) -> dict[int, int]:
    """A node for each fluent and each move that is left open."""
    literals: dict[int, int] = {}
    for choice, head, _ in ground.rules:
        if not choice:
            continue
        for atom in head:
            symbol = names.get(atom)
            if symbol is None or symbol.name not in ("true", "does"):
                what = "something" if symbol is None else str(symbol)
                raise RulesError(f"the rules choose {what}: they settle no successor")
            if atom not in literals:
                node = literals[atom] = circuit.new_input()
                if symbol.name == "true":
                    circuit.true[str(symbol.arguments[0])] = node
                else:
                    role, move = symbol.arguments
                    circuit.does[str(role), str(move)] = node
    return literals


def _bodies(ground: GroundRules, inputs: Mapping[int, int]) -> dict[int, list[list[int]]]:
    bodies: dict[int, list[list[int]]] = {}
    for choice, head, body in ground.rules:
        if choice:
            continue
        if len(head) != 1:
            raise RulesError("the rules constrain or choose: they settle no successor")
        if head[0] in inputs:
            raise RulesError("a rule derives true/1 or does/2, which are given")
        bodies.setdefault(head[0], []).append(body)
    return bodies


def _literal(literals: Mapping[int, int], number: int) -> int:
    """The circuit's literal for one of the grounder's; an atom without a rule is false."""
    found = literals.get(abs(number), FALSE)
    return found if number > 0 else -found


def _outputs(ground: GroundRules, literals: Mapping[int, int]) -> Outputs:
    outputs = Outputs()
    for symbol, atom in ground.shown:
        literal = literals.get(atom, FALSE) if atom else TRUE
        terms = symbol.arguments
        if literal == FALSE:
            continue
        match symbol.name:
            case "legal":
                outputs.legal[str(terms[0]), str(terms[1])] = literal
            case "next":
                outputs.next[str(terms[0])] = literal
            case "goal":
                if terms[1].type is not clingo.SymbolType.Number:
                    raise RulesError(f"{symbol}: a goal must be a number")
                outputs.goal[str(terms[0]), terms[1].number] = literal
            case "to_move":
                outputs.to_move[str(terms[0])] = literal
            case "terminal":
                outputs.terminal = literal
    return outputs


def _components(nodes: Iterable[int], uses: Callable[[int], Iterable[int]]) -> Iterator[list[int]]:
    """The strongly connected components of the dependencies, each after those that it uses.

    Tarjan's algorithm (1972), with a stack of its own instead of recursion.
    """
    known = set(nodes)
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    open_nodes: list[int] = []
    is_open: set[int] = set()
    for root in known:
        if root in index:
            continue
        work = [(root, iter({abs(u) for u in uses(root)} & known))]
        index[root] = low[root] = len(index)
        open_nodes.append(root)
        is_open.add(root)
        while work:
            node, rest = work[-1]
            for used in rest:
                if used not in index:
                    index[used] = low[used] = len(index)
                    open_nodes.append(used)
                    is_open.add(used)
                    work.append((used, iter({abs(u) for u in uses(used)} & known)))
                    break
                if used in is_open:
                    low[node] = min(low[node], index[used])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[node])
                if low[node] == index[node]:
                    start = (
                        open_nodes.index(node) if open_nodes[-1] != node else len(open_nodes) - 1
                    )
                    component = open_nodes[start:]
                    del open_nodes[start:]
                    is_open.difference_update(component)
                    yield component


def _recursion(names: Mapping[int, clingo.Symbol], component: Sequence[int]) -> str:
    shown = [str(names[atom]) for atom in component if atom in names]
    what = ", ".join(shown[:5]) or "predicates that aren't shown"
    return f"the rules recur through negation: {what} depend on their own negation"
