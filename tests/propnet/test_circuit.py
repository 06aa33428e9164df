"""Compares circuits in C with short evaluators and with clingo's answers."""

import itertools
from collections.abc import Mapping, Sequence

import clingo
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from aspgames.propnet.circuit import FALSE, TRUE, Circuit, Outputs, build, now, unchanging
from aspgames.propnet.open_grounding import GroundRules
from aspgames.runtime.errors import LimitReached, RulesError
from circuits import new_input

INPUTS = 4


def evaluate(circuit: Circuit, inputs: Mapping[int, bool]) -> dict[int, bool]:
    """The value of each node, from the definitions of gate and loop."""
    values = {TRUE: True, **inputs}

    def round_of(nodes: range) -> None:
        for node in circuit.gates.keys() & nodes:
            values[node] = False
        for node in nodes:
            if node in circuit.gates:
                values[node] = all(values[abs(lit)] == (lit > 0) for lit in circuit.gates[node])

    start = TRUE + 1
    for loop in circuit.loops:
        round_of(range(start, loop.first))
        values |= dict.fromkeys(loop.variables, False)
        old: list[bool] = []
        while old != (old := [values[variable] for variable in loop.variables]):
            round_of(range(loop.first, loop.end))
            new = [values[abs(lit)] == (lit > 0) for lit in loop.definitions]
            values |= dict(zip(loop.variables, new, strict=True))
        start = loop.end
    round_of(range(start, circuit.size + 1))
    return values


def holds(values: Mapping[int, bool], literal: int) -> bool:
    return values[abs(literal)] == (literal > 0)


Plan = list[tuple[int, list[tuple[int, bool]]]]
"""Gates by the places, among the literals made before, of what they conjoin, and its signs."""

plans = st.lists(
    st.tuples(
        st.integers(-6, 6), st.lists(st.tuples(st.integers(0, 40), st.booleans()), max_size=5)
    ),
    max_size=30,
)


def make(plan: Plan) -> tuple[Circuit, list[int], list[tuple[int, list[int]]]]:
    """A circuit, its inputs, and the literals that should be each conjunction of literals."""
    circuit = Circuit()
    inputs = [new_input(circuit) for _ in range(INPUTS)]
    literals = [TRUE, *inputs]
    expected = []
    for _, chosen in plan:
        operands = [literals[n % len(literals)] * (1 if sign else -1) for n, sign in chosen]
        literals.append(circuit.conjunction(operands))
        expected.append((literals[-1], operands))
    return circuit, inputs, expected


def assignments(inputs: Sequence[int]) -> list[dict[int, bool]]:
    product = itertools.product((False, True), repeat=len(inputs))
    return [dict(zip(inputs, values, strict=True)) for values in product]


@given(plans)
def test_a_conjunction_is_true_when_all_its_literals_are(plan: Plan) -> None:
    circuit, inputs, expected = make(plan)
    for given_values in assignments(inputs):
        values = evaluate(circuit, given_values)
        for literal, operands in expected:
            assert holds(values, literal) == all(holds(values, lit) for lit in operands)


@given(plans)
def test_gates_are_in_order_reduced_and_never_made_twice(plan: Plan) -> None:
    circuit, inputs, _ = make(plan)
    assert circuit.gates.keys() | {TRUE, *inputs} == set(range(1, circuit.size + 1))
    assert len(set(circuit.gates.values())) == len(circuit.gates)
    for node, gate in circuit.gates.items():
        assert len({abs(literal) for literal in gate} - {TRUE}) == len(gate) >= 2
        assert all(abs(literal) < node for literal in gate)
        assert circuit.conjunction(reversed(gate)) == node


@given(plans, st.dictionaries(st.integers(2, 20), st.sampled_from([TRUE, FALSE])))
def test_a_circuit_with_nodes_held_computes_the_same(plan: Plan, held: dict[int, int]) -> None:
    circuit, inputs, _ = make(plan)
    held = {node: value for node, value in held.items() if node in inputs}
    found, became = circuit.assuming(held)
    assert became.keys() == set(range(1, circuit.size + 1))
    for given_values in assignments(inputs):
        if all(given_values[node] == (value == TRUE) for node, value in held.items()):
            values = evaluate(circuit, given_values)
            open_inputs = {became[n]: v for n, v in given_values.items() if n not in held}
            then = evaluate(found, open_inputs)
            for node in range(1, circuit.size + 1):
                assert holds(then, became[node]) == values[node]


def never_change(
    circuit: Circuit, follows: Mapping[int, int], start: Mapping[int, int]
) -> dict[int, int]:
    """The expected result of ``unchanging``, by repeated evaluation in three-valued logic."""
    known = dict(start)
    while True:
        values = {TRUE: TRUE, **{node: known.get(node, 0) for node in follows}}
        for node, gate in circuit.gates.items():
            values[node] = min(now(values, literal) for literal in gate)
        opened = [node for node in known if now(values, follows[node]) != known[node]]
        if not opened:
            return known
        for node in opened:
            del known[node]


@given(
    plans,
    st.lists(st.integers(-40, 40), min_size=INPUTS, max_size=INPUTS),
    st.sets(st.sampled_from("fg")),
)
def test_what_never_changes_is_found(plan: Plan, following: list[int], facts: set[str]) -> None:
    circuit, inputs, expected = make(plan)
    literals = [TRUE, *inputs, *(literal for literal, _ in expected)]
    follows = {
        node: literals[abs(place) % len(literals)] * (1 if place > 0 else -1)
        for node, place in zip(inputs, following, strict=True)
    }
    circuit.true = dict(zip("fg", inputs, strict=False))
    circuit.does = {("role", move): node for move, node in zip("mn", inputs[2:], strict=True)}
    outputs = Outputs(
        legal={move: follows[node] for move, node in circuit.does.items()},
        next={fluent: follows[node] for fluent, node in circuit.true.items()},
    )
    start = {node: TRUE if fluent in facts else FALSE for fluent, node in circuit.true.items()}
    start |= dict.fromkeys(circuit.does.values(), FALSE)
    assert unchanging(circuit, outputs, facts) == never_change(circuit, follows, start)


def grounded(text: str, most_rules: int = 1_000) -> GroundRules:
    rules = GroundRules(most_rules)
    control = clingo.Control(["--warn=none"])
    control.add("base", [], text)
    rules.observe(control)
    try:
        control.ground([("base", [])])
    finally:
        rules.check()
    return rules


def answer(text: str, facts: Sequence[int]) -> set[str]:
    """The atoms ``next(F)`` of the only answer set."""
    control = clingo.Control(["--warn=none"])
    control.add("base", [], text + "".join(f"true({fact})." for fact in facts))
    control.ground([("base", [])])
    with control.solve(yield_=True) as handle:
        (model,) = [[str(atom) for atom in model.symbols(atoms=True)] for model in handle]
    return {atom[5:-1] for atom in model if atom.startswith("next(")}


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Stratified rules for a(1) to a(8): recursion among four neighbours, negation downwards."""
    rules = []
    for head in draw(st.lists(st.integers(1, 8), min_size=1, max_size=20)):
        stratum = 4 if head <= 4 else 8
        positive = draw(st.lists(st.integers(1, stratum), max_size=3))
        negative = draw(st.lists(st.integers(1, 4), max_size=2)) if head > 4 else []
        true = draw(st.lists(st.integers(-INPUTS, INPUTS).filter(bool), max_size=2))
        body = [f"a({n})" for n in positive] + [f"not a({n})" for n in negative]
        body += [f"true({n})" if n > 0 else f"not true({-n})" for n in true]
        if draw(st.booleans()):
            weights = draw(
                st.lists(st.tuples(st.integers(1, 3), st.integers(1, INPUTS)), max_size=4)
            )
            elements = ";".join(
                f"{w},{n} : {draw(ATOM)}({n})" for w, n in weights if n <= stratum - 4
            )
            body.append(f"#sum {{ {elements} }} >= {draw(st.integers(1, 5))}")
        rules.append(f"a({head}) :- {', '.join(body or ['#true'])}.")
    return "\n".join([*rules, "next(X) :- a(X)."])


ATOM = st.sampled_from(["a", "true", "not true"])


RING = """
a(1) :- a(4), not true(1).  a(2) :- a(1).  a(3) :- a(2).  a(4) :- a(3).  a(3) :- true(2), true(3).
a(5) :- a(8), true(4).  a(6) :- a(5), not a(2).  a(7) :- a(6), true(1).  a(8) :- a(7).
a(6) :- a(4).
next(X) :- a(X).
"""


@given(programs())
@example(RING)
def test_ground_rules_become_a_circuit_with_clingos_answers(text: str) -> None:
    choices = f"{{ true(1..{INPUTS}) }}. #show true/1. #show next/1."
    circuit, outputs = build(grounded(choices + text))
    inputs = [circuit.true.get(str(n)) for n in range(1, INPUTS + 1)]
    for values in assignments(range(1, INPUTS + 1)):
        found = evaluate(circuit, {n: v for n, v in zip(inputs, values.values(), strict=True) if n})
        after = {fluent for fluent, literal in outputs.next.items() if holds(found, literal)}
        assert after == answer(text, [n for n, value in values.items() if value])


def test_what_does_not_depend_on_itself_is_no_loop() -> None:
    text = "{ true(1..2) }. a :- true(1). b :- a, not true(2). next(1) :- b."
    circuit, _ = build(grounded(text + "#show true/1. #show next/1."))
    assert (len(circuit.gates), circuit.loops) == (1, [])


def test_a_fact_is_true_whatever_other_rules_it_has() -> None:
    text = """
    { true(1..3) }. open(1,3). open(3,5). open(5,6). open(6,7). open(7,4).
    open(1,2) :- true(1). open(2,4) :- true(2).
    open(4,2) :- true(3). reach(1). reach(Y) :- reach(X), open(X,Y).
    next(X) :- reach(X). #show true/1. #show next/1.
    """  # the grounder reaches 4 from 2, and learns later that it is certain
    circuit, outputs = build(grounded(text))
    assert circuit.loops == []
    assert {fluent for fluent, literal in outputs.next.items() if literal == TRUE} == {*"134567"}


def test_a_loop_is_kept_when_nodes_are_held() -> None:
    text = """
    { true(edge(X,Y)) } :- X = 1..3, Y = 1..3, X != Y.
    reach(1). reach(Y) :- reach(X), true(edge(X,Y)).
    next(X) :- reach(X). #show true/1. #show next/1.
    """
    circuit, outputs = build(grounded(text))
    assert len(circuit.loops) == 1
    cut = circuit.true["edge(1,2)"]
    found, became = circuit.assuming({cut: FALSE})
    assert len(found.loops) == 1
    after = outputs.where(became)
    inputs = [node for node in circuit.true.values() if node != cut]
    for given_values in assignments(inputs):
        values = evaluate(circuit, {**given_values, cut: False})
        then = evaluate(found, {became[node]: value for node, value in given_values.items()})
        for fluent, literal in after.next.items():
            assert holds(then, literal) == holds(values, outputs.next[fluent])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{ a }. :- a.", "constrain or choose"),
        ("{ true(1) }. a :- not true(1). b | c :- a.", "constrain or choose"),
        ("{ true(1..3) }. 1 { a; b } 2 :- true(1).", "choose"),
        (
            "{ true(1) }. a :- not b, true(1). b :- not a, true(1). #show a/0. #show true/1.",
            "a depend",
        ),
        ("{ true(1) }. a :- true(1), not a. #show true/1.", "aren't shown depend"),
        ("{ true(1) }. { sun }. #show sun/0. #show true/1.", "choose sun:"),
        ("{ true(1) }. { sun }. #show true/1.", "choose something:"),
        ("{ true(1); true(2) }. true(1) :- true(2). #show true/1.", "derives true/1 or does/2"),
    ],
)
def test_rules_that_are_no_circuit_are_refused(text: str, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        build(grounded(text))


@pytest.mark.parametrize("length", [1, 2, 5])
def test_one_negation_anywhere_in_a_loop_is_enough(length: int) -> None:
    """In any rule of any atom of the loop, with any number of other rules."""
    for place in range(length):
        for order in (1, -1):
            text = "{ true(1..2) }. #show true/1."
            for atom in range(length):
                sign = "not " if atom == place else ""
                rules = [f"a({atom}) :- {sign}a({(atom + 1) % length}), true(1)."]
                rules += [f"a({atom}) :- true(2).", f"a({atom}) :- not true(1), not true(2)."]
                text += " ".join(rules[::order])
            with pytest.raises(RulesError, match="recur through negation"):
                build(grounded(text))
            build(grounded(text.replace(" not a", " a")))


def test_the_grounder_is_stopped_at_the_limit() -> None:
    text = "{ true(1..20) }. a(X,Y) :- true(X), true(Y)."
    assert grounded(text, most_rules=400 + 20 + 20).atoms > 400
    with pytest.raises(LimitReached, match="more than 300 ground rules"):
        grounded(text, most_rules=300)


def test_names_are_clingos_texts() -> None:
    text = r"""
    { true((F)) } :- F = (f(-1,"a, \"b\"\n",(1,)); #inf; (); -g; "ü"; h(0,(1,(2,3)))).
    next(F) :- true(F). to_move(white). terminal.
    #show true/1. #show next/1. #show to_move/1. #show terminal/0.
    """
    rules = grounded(text)
    fluents = {r'f(-1,"a, \"b\"\n",(1,))', "#inf", "()", "-g", '"ü"', "h(0,(1,(2,3)))"}
    assert {fluent for (fluent,) in rules.shown["true"].arguments} == fluents
    assert {fluent for (fluent,) in rules.shown["next"].arguments} == fluents
    named = {name: (found.arguments, [*found.atoms]) for name, found in rules.shown.items()}
    assert named["to_move"] == ([("white",)], [0])
    assert named["terminal"] == ([()], [0])


@given(
    st.lists(st.tuples(st.integers(1, INPUTS), st.booleans(), st.integers(-3, 3)), max_size=6),
    st.integers(-9, 9),
)
def test_a_sum_is_true_when_its_bound_is_reached(
    summands: list[tuple[int, bool, int]], bound: int
) -> None:
    circuit = Circuit()
    inputs = [new_input(circuit) for _ in range(INPUTS)]
    weighted = [(inputs[n - 1] * (1 if sign else -1), weight) for n, sign, weight in summands]
    literal = circuit.at_least(bound, weighted)
    for given_values in assignments(inputs):
        values = evaluate(circuit, given_values)
        total = sum(weight for lit, weight in weighted if holds(values, lit))
        assert holds(values, literal) == (total >= bound)


def test_a_sum_too_large_for_a_circuit_is_refused() -> None:
    circuit = Circuit()
    weighted = [(new_input(circuit), 2**place) for place in range(30)]
    with pytest.raises(LimitReached):
        circuit.at_least(2**29 + 1, weighted)
