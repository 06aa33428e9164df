"""Random circuits drawn by hypothesis, an independent evaluator, and the engine's tables of them.

A drawing's nodes are numbered from 1: the constant true, the fluents, the gates over fluents, the
moves, and the gates over moves. A literal is a node's number, negative for its complement. The
evaluator shares no code with the engine. A value is a pair of numbers with one bit for each state:
the first has the states in which it is certainly true, the second those in which it may be true.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate, product
from operator import and_, or_

from hypothesis import strategies as st

from aspgames.propnet.circuit import FALSE, TRUE, Circuit, Outputs
from aspgames.propnet.gate_tables import Tables
from aspgames.propnet.kernel import kernel
from aspgames.propnet.table_writer import write_tables

Pair = tuple[int, int]


@dataclass(frozen=True)
class Gate:
    """A conjunction or a disjunction; ``operands`` are literals."""

    all: bool
    operands: tuple[int, ...]


@dataclass(frozen=True)
class Sum:
    """Whether the weights of true literals reach a bound."""

    bound: int
    weighted: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Knot:
    """Nodes that depend on each other: one variable for each definition, then gates."""

    gates: tuple[Gate, ...]
    definitions: tuple[int, ...]


Part = Gate | Sum | Knot


@dataclass(frozen=True)
class Drawing:
    """A random net. Fluents, moves and roles are counted from 0."""

    fluents: int
    turns: int
    """The number of first fluents, which show whose turn it is."""
    clock: int
    """The number of last fluents, which form a clock; the game is over when the last one holds."""
    before: tuple[Part, ...]
    moves: tuple[int, ...]
    """The number of each role's moves."""
    after: tuple[Part, ...]
    legal: tuple[int, ...]
    terminal: int
    goals: tuple[tuple[int, int, int], ...]
    """Role, value and literal; at most one literal of a role is true."""
    to_move: tuple[int, ...]
    marks: tuple[tuple[int, ...], ...]
    """The fluents that mark each move."""
    next: tuple[int, ...]

    @property
    def start(self) -> int:
        """The first state, one bit for each fluent; the clock's first fluent holds."""
        others = self.fluents - self.clock
        return (0b10001 & (1 << others) - 1) | bool(self.clock) << others

    @property
    def bounds(self) -> list[tuple[int, int]]:
        """Each role's first move, and the one after its last."""
        ends = list(accumulate(self.moves))
        return [(end - count, end) for end, count in zip(ends, self.moves, strict=True)]

    @property
    def roles(self) -> list[int]:
        return [role for role, count in enumerate(self.moves) for _ in range(count)]


def new_input(circuit: Circuit) -> int:
    return int(kernel().circuit_input(circuit.handle))


def evaluate(
    drawing: Drawing, fluents: Sequence[Pair], moves: Sequence[Pair], ones: int
) -> Callable[[int], Pair]:
    """A function from literals to values; ``ones`` has one bit for each state."""
    values: list[Pair] = [(0, 0), (ones, ones), *fluents]

    def value(literal: int) -> Pair:
        low, high = values[abs(literal)]
        return (low, high) if literal > 0 else (ones & ~high, ones & ~low)

    def gate(part: Gate) -> Pair:
        lows, highs = zip(
            (ones, ones) if part.all else (0, 0), *map(value, part.operands), strict=True
        )
        join = and_ if part.all else or_
        return reduce(join, lows), reduce(join, highs)

    def reached(part: Sum, side: int) -> int:
        weights = [(value(lit if w > 0 else -lit)[side], abs(w)) for lit, w in part.weighted]
        bound = part.bound - sum(w for _, w in part.weighted if w < 0)
        lanes = range(ones.bit_length())
        return sum(1 << n for n in lanes if sum(w for v, w in weights if v >> n & 1) >= bound)

    def compute(parts: Iterable[Part]) -> None:
        for part in parts:
            if isinstance(part, Gate):
                values.append(gate(part))
            elif isinstance(part, Sum):
                values.append((reached(part, 0), reached(part, 1)))
            else:
                start, count = len(values), len(part.definitions)
                now, then = [(0, 0)] * count, None
                while now != then:
                    del values[start:]
                    values.extend(now)
                    values.extend((0, 0) for _ in part.gates)
                    for place, inner in enumerate(part.gates, start + count):
                        values[place] = gate(inner)
                    now, then = [value(literal) for literal in part.definitions], now

    compute(drawing.before)
    values.extend(moves)
    compute(drawing.after)
    return value


def tables_of(drawing: Drawing) -> Tables:
    """The engine's tables of a drawing: fluents ``f00``, …, moves ``m00``, …, roles ``r0``, …"""
    circuit = Circuit()
    literals = [0, TRUE]
    names = [f"f{number:02}" for number in range(drawing.fluents)]
    for name in names:
        circuit.true[name] = new_input(circuit)
        literals.append(circuit.true[name])

    def now(literal: int) -> int:
        return literals[literal] if literal > 0 else -literals[-literal]

    def gate(part: Gate) -> int:
        operands = [now(literal) for literal in part.operands]
        return circuit.conjunction(operands) if part.all else circuit.disjunction(operands)

    def build(parts: Iterable[Part]) -> None:
        for part in parts:
            if isinstance(part, Gate):
                literals.append(gate(part))
            elif isinstance(part, Sum):
                weighted = [(now(literal), weight) for literal, weight in part.weighted]
                literals.append(circuit.at_least(part.bound, weighted))
            else:
                variables = [new_input(circuit) for _ in part.definitions]
                literals.extend(variables)
                first = circuit.size + 1
                for inner in part.gates:  # a gate may use earlier ones
                    literals.extend([gate(inner)])
                definitions = [now(literal) for literal in part.definitions]
                circuit.loop(variables, definitions, first)

    build(drawing.before)
    moves = [(f"r{role}", f"m{number:02}") for number, role in enumerate(drawing.roles)]
    for move in moves:
        circuit.does[move] = new_input(circuit)
        literals.append(circuit.does[move])
    build(drawing.after)
    roles = [f"r{role}" for role in range(len(drawing.moves))]
    outputs = Outputs(
        {move: now(literal) for move, literal in zip(moves, drawing.legal, strict=True)},
        {name: now(literal) for name, literal in zip(names, drawing.next, strict=True)},
        {(roles[role], value): now(literal) for role, value, literal in drawing.goals},
        {role: now(literal) for role, literal in zip(roles, drawing.to_move, strict=True)},
        now(drawing.terminal),
    )

    def marked(term: str) -> list[str]:
        return [names[fluent] for fluent in drawing.marks[int(term[1:])]]

    turns = range(drawing.turns)
    return write_tables(roles, circuit, outputs, (), names, True, turns, marked)


@dataclass(frozen=True)
class Said:
    terminal: bool
    legal: list[list[int]]
    """The legal moves of each role."""
    goals: list[int]
    on_move: list[int]
    """The roles on move."""


def ask(drawing: Drawing, states: Sequence[int]) -> list[Said]:
    """The consequences of states; a state is a number with one bit for each fluent."""
    ones = (1 << len(states)) - 1
    value = evaluate(drawing, _lanes(states, drawing.fluents), [(0, 0)] * len(drawing.legal), ones)

    found = []
    for lane in range(len(states)):

        def holds(literal: int, lane: int = lane) -> bool:
            return bool(value(literal)[0] >> lane & 1)

        goals = [0] * len(drawing.moves)
        for role, worth, literal in drawing.goals:
            goals[role] += worth * holds(literal)
        legal = [[m for m in range(*its) if holds(drawing.legal[m])] for its in drawing.bounds]
        on_move = [role for role, literal in enumerate(drawing.to_move) if holds(literal)]
        found.append(Said(holds(drawing.terminal), legal, goals, on_move))
    return found


def play(drawing: Drawing, states: Sequence[int], joints: Sequence[Collection[int]]) -> list[int]:
    """The states after each state's joint move."""
    ones = (1 << len(states)) - 1
    made = [
        sum(1 << n for n, joint in enumerate(joints) if m in joint)
        for m in range(len(drawing.legal))
    ]
    value = evaluate(drawing, _lanes(states, drawing.fluents), [(v, v) for v in made], ones)
    following = [value(literal)[0] for literal in drawing.next]
    return [
        sum((v >> n & 1) << place for place, v in enumerate(following)) for n in range(len(states))
    ]


def joint_moves(said: Said) -> list[tuple[int, ...]]:
    """The joint moves of a state, in reverse order of roles; empty when the game is over."""
    return [] if said.terminal else list(product(*said.legal))


def _lanes(states: Sequence[int], fluents: int) -> list[Pair]:
    values = [sum((s >> f & 1) << n for n, s in enumerate(states)) for f in range(fluents)]
    return [(value, value) for value in values]


# Hypothesis draws raw numbers; they become literals when the number of nodes is known. Small
# numbers select the newest nodes, so that circuits get deep.
_raw = st.integers(0, 255)
_operands = st.lists(_raw, max_size=4) | st.lists(_raw, min_size=4, max_size=14)
_gate = st.tuples(st.booleans(), _operands)
_sum = st.tuples(st.integers(-3, 6), st.lists(st.tuples(_raw, st.integers(-3, 3)), max_size=5))
_knot = st.tuples(
    st.lists(_gate, min_size=1, max_size=5), st.lists(_raw, min_size=1, max_size=3), st.none()
)
_parts = st.lists(_gate | _gate | _sum | _knot, min_size=2, max_size=10)


class _Pen:
    """Makes literals and parts from raw numbers."""

    def __init__(self, fluents: int) -> None:
        self.size = 1 + fluents
        self.parts: list[Part] = []

    def literal(self, raw: int, first_of_knot: int | None = None) -> int:
        """A literal of an existing node; a knot doesn't negate its own nodes."""
        node = self.size - raw // 2 % self.size
        return -node if raw & 1 and (first_of_knot is None or node < first_of_knot) else node

    def gate(self, raw: tuple[bool, list[int]], first_of_knot: int | None = None) -> Gate:
        operands = [self.literal(number, first_of_knot) for number in raw[1]]
        if len(operands) > 3:  # otherwise most wide gates would be constant
            operands = list({abs(literal): literal for literal in operands}.values())
        self.size += 1
        return Gate(raw[0], tuple(operands))

    def add(self, part: Gate | Sum) -> int:
        """Add a part of one node; returns the node."""
        self.parts.append(part)
        self.size += 1
        return self.size

    def draw(self, raw: tuple[object, ...]) -> None:
        match raw:
            case (bool() as all_of, list(operands)):
                self.parts.append(self.gate((all_of, operands)))
            case (int(bound), list(weighted)):
                self.add(Sum(bound, tuple((self.literal(number), w) for number, w in weighted)))
            case (list(gates), list(definitions), None):
                first = self.size + 1
                self.size += len(definitions)
                inner = tuple(self.gate(gate, first) for gate in gates)
                ends = tuple(self.literal(number, first) for number in definitions)
                self.parts.append(Knot(inner, ends))


@st.composite
def drawings(draw: st.DrawFn, clock: int = 0) -> Drawing:
    """Draw a net with some fluents, moves and gates, some of them recursive."""
    turns = draw(st.integers(0, 3))
    fluents = turns + draw(st.integers(1, 9)) + clock
    moves = tuple(draw(st.lists(st.integers(1, 5), min_size=1, max_size=3)))
    pen = _Pen(fluents)

    def some(count: int, newest: int = 128) -> tuple[int, ...]:
        numbers = draw(st.lists(_raw, min_size=count, max_size=count))
        return tuple(pen.literal(number % (2 * newest)) for number in numbers)

    for raw in draw(_parts):
        pen.draw(raw)
    legal, to_move, (terminal,) = list(some(sum(moves))), some(len(moves)), some(1)
    orderly = turns > 1 and draw(st.booleans())
    for role, end in enumerate(accumulate(moves)):
        if orderly and role < turns:
            # A waiting role has only its last move; the role on move always has its first.
            first = end - moves[role]
            ways = [(2 + role,), *((2 + role, literal) for literal in legal[first + 1 : end])]
            legal[first:end] = [pen.add(Gate(True, way)) for way in ways]
            legal[end - 1] = -2 - role
        elif draw(st.integers(0, 3)):
            legal[end - 1] = TRUE  # so that games continue
    goals = []
    for role in range(len(moves)):
        one, other = some(2)
        goals += [(role, 10, one), (role, 20, pen.add(Gate(True, (-one, other))))]
    if clock:
        seldom = pen.add(Gate(True, (terminal, *some(2), clock - fluents - 2)))
        terminal = pen.add(Gate(False, (seldom, 1 + fluents)))
        # The first role's goal encodes fluents of the last state, so it depends on all moves.
        told = range(2, 2 + min(4, fluents - clock))
        goals = goals[2:]
        for value, signs in enumerate(product((-1, 1), repeat=len(told))):
            literals = tuple(sign * node for sign, node in zip(signs, told, strict=True))
            goals.append((0, value, pen.add(Gate(True, literals))))
    before = tuple(pen.parts)
    pen.parts.clear()
    moved = pen.size
    pen.size += sum(moves)
    for raw in draw(_parts):
        pen.draw(raw)
    following = some(fluents, newest=pen.size - moved if draw(st.booleans()) else 128)
    if orderly:
        # The moves decide whose turn is next; exactly one role has the turn.
        one, other = following[:2]
        ways = [(one,), (-one, other), (-one, -other)] if turns > 2 else [(one,), (-one,)]
        following = (*(pen.add(Gate(True, way)) for way in ways), *following[turns:])
    if clock:
        first = 2 + fluents - clock  # the node of the clock's first fluent
        following = (*following[:-clock], FALSE, *range(first, first + clock - 1))
    marking = st.lists(st.integers(0, fluents - 1), max_size=2).map(tuple)
    marks = tuple(draw(st.lists(marking, min_size=sum(moves), max_size=sum(moves))))
    return Drawing(
        fluents,
        turns,
        clock,
        before,
        moves,
        tuple(pen.parts),
        tuple(legal),
        terminal,
        tuple(goals),
        to_move,
        marks,
        following,
    )
