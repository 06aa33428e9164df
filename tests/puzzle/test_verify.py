"""Certificates: those of a brute-force search are valid; every wrong change is found."""

import copy
import json
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pytest

import aspgames
from aspgames import Game, State
from aspgames.puzzle.problem import Puzzle
from aspgames.puzzle.proof import plans as planning
from aspgames.puzzle.proof import stepper as stepping
from aspgames.puzzle.proof import strategy as strategies
from aspgames.puzzle.proof import verify as verifying
from aspgames.puzzle.proof.certificate import certificate as certificate_of
from aspgames.puzzle.proof.plans import PlacedPlan, counterexample
from aspgames.puzzle.proof.stepper import Probe, Stepper
from aspgames.puzzle.proof.verify import verify
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import (
    AspgamesError,
    BadRequest,
    LimitReached,
    Rejected,
    RulesError,
    UnknownGame,
)
from aspgames.solver.search.puzzle_search import Search
from brute_force import Json, Tree, is_valid, write
from cli_helpers import DOCS, check
from engine_helpers import write as write_game
from helpers import corner
from paths import ROOT, TESTS
from thoroughly import amount

TICTACTOE = "tictactoe"
CLIMB = str(TESTS / "data/climb.lp")
SKIRMISH = "cell(1,1,knight(white)) cell(8,8,knight(black)) cell(2,3,pawn(black)) "


@dataclass(frozen=True)
class Case:
    """A puzzle of few states."""

    game: str
    position: str
    attacker: str
    goal: str
    within: int | None
    constants: tuple[tuple[str, int], ...] = ()

    @cached_property
    def puzzle(self) -> Puzzle:
        state = aspgames.load(self.game, **dict(self.constants)).position(self.position)
        return Puzzle.of(state, self.attacker, self.goal, self.within)


BOARD = (("width", 3), ("height", 4))
CASES = [
    Case("amazons_8x8", corner("q.. *.* Q*.", 8, "w"), "white", "trap", 3),
    Case("amazons", corner("q.. *.* Q*.", 10, "b"), "white", "trap", None),
    Case("amazons", corner(".q. *.* Q.*", 10, "w"), "white", "win", 3),
    Case("amazons", corner("**** Q.*q *...", 10, "w"), "white", "score>=100", None),
    Case("amazons_8x8", corner("q.* *.* Q.*", 8, "w"), "white", "trap", 2),
    Case("amazons_8x8", corner("q.* .** Q.*", 8, "w fire a1"), "white", "trap", 2),
    Case("amazons_8x8", corner("q.. *.* Q**", 8, "b"), "white", "win", 2),
    Case("amazons_8x8", corner("q.. *.* Q**", 8, "b fire a3"), "black", "win", 1),
    Case("breakthrough", "1p1/P1p/1pP/P2 w", "white", "win", 4, BOARD),
    Case("breakthrough", "1p1/p1P/1p1/P1P b", "white", "win", 3, BOARD),
    Case("breakthrough", "p2/2P/p2/1P1 w", "black", "win", 2, BOARD),
    Case("breakthrough", "2p/P2/3/1p1/2P w", "white", "win", None, (("width", 3), ("height", 5))),
    Case("breakthrough", "pp1/3/3/1PP b", "black", "win", 2, BOARD),
    Case(TICTACTOE, "XO1/1X1/1O1 w", "white", "win", None),
    Case(TICTACTOE, "XO1/1X1/2O b", "white", "win", None),
    Case(TICTACTOE, "X2/1OO/2X b", "white", "win", 3),
    Case(TICTACTOE, "XO1/OX1/1O1 w", "black", "score>=100", 2),
    Case("skirmish", f"{SKIRMISH} step(58) control(white)", "white", "score>=20", 2),
    Case(CLIMB, "step(0) control(white)", "white", "win", 4),
    Case(CLIMB, "step(1) control(black)", "white", "win", 4),
    Case(CLIMB, "step(1) control(white)", "white", "score>=100", 2),
    # distance 0: the state reaches the goal, or does so after every reply
    Case("amazons", corner("q* ** .Q", 10, "b"), "white", "trap", 0),
    Case("breakthrough", "1p1/P2/3/p2 b", "black", "win", None, BOARD),
    Case("breakthrough", "3/3/1p1/3 b", "black", "win", 0, BOARD),
    Case("breakthrough", "3/3/p2/3 b", "white", "score>=0", 0, BOARD),
    Case("skirmish", "cell(1,1,knight(white)) cell(2,3,pawn(black)) control(white)", "black",
         "trap", 0),
]  # fmt: skip


@cache
def tree_of(puzzle: Puzzle) -> Tree:
    """The puzzle's tree; trees of one position and goal share their results."""
    tree = Tree(puzzle)
    if puzzle.within is not None:
        same = tree_of(replace(puzzle, within=None))
        tree.known, tree.answers = same.known, same.answers
    return tree


@cache
def written(case: Case) -> tuple[Json, ...]:
    """The case's certificate, without plans and with some."""
    tree = tree_of(case.puzzle)
    seeds = range(1 if case.game == "skirmish" else 3)  # a ply of skirmish has 50,000 rules
    return tuple(write(tree, 8, random.Random(seed) if seed else None) for seed in seeds)


@pytest.fixture(autouse=True)
def prepare_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cache the rules' preparation, as thousands of certificates have the same few positions."""
    monkeypatch.setattr(aspgames.Game, "from_facts", lambda game, facts: state_of(game, facts))
    monkeypatch.setattr(verifying, "Stepper", stepper)


def state_of(game: Game, facts: Iterable[str]) -> State:
    """The cached answers of ``Game.from_facts``."""
    found = _state_of(game, tuple(facts))
    if isinstance(found, AspgamesError):
        raise found
    return found


@cache
def _state_of(game: Game, facts: tuple[str, ...]) -> State | AspgamesError:
    try:
        return game.position(" ".join(facts))
    except AspgamesError as error:
        return error


def stepper(puzzle: Puzzle, budget: Budget | None = None) -> Stepper:
    found = _stepper(replace(puzzle, within=None))
    found.budget = budget or Budget()
    return found


@cache
def _stepper(puzzle: Puzzle) -> Stepper:
    return Stepper(puzzle, Budget())


def failure(puzzle: Puzzle, *plans: PlacedPlan) -> tuple[PlacedPlan, str] | None:
    return counterexample(puzzle, plans, stepper(puzzle).fluents, Budget())


@pytest.mark.quick(4)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_true_certificate_is_accepted(case: Case) -> None:
    for certificate in written(case):
        assert is_valid(tree_of(case.puzzle), certificate)
        check(certificate, "certificate")
        found = verify(json.loads(json.dumps(certificate)))
        assert (found.verdict, found.distance) == (certificate["verdict"], certificate["distance"])
        assert (found.keys, found.line) == (tuple(certificate["keys"]), tuple(certificate["line"]))
        sides = [
            certificate[side]["nodes"] for side in ("attack", "defence") if side in certificate
        ]
        assert found.nodes == sum(map(len, sides))
        assert found.plans == json.dumps(sides).count('"plan"')


# --- mutations ------------------------------------------------------------------------------------

Mutation = Callable[[Json, random.Random], None]


def _nodes(certificate: Json, kind: str) -> list[Any]:
    """The parts of a certificate with a given key."""
    found: list[Any] = []

    def walk(part: Any) -> None:
        if isinstance(part, dict):
            if kind in part:
                found.append(part)
            for each in part.values():
                walk(each)
        elif isinstance(part, list):
            for each in part:
                walk(each)

    walk([certificate.get(side) for side in ("attack", "defence")])
    return found


def _targets(certificate: Json) -> list[tuple[Json, str]]:
    """The places of all edges' targets."""
    places = [(node, "to") for node in _nodes(certificate, "to")]
    for kind in ("replies", "moves"):
        places += [(node[kind], move) for node in _nodes(certificate, kind) for move in node[kind]]
    return places


def _moves(certificate: Json) -> list[str]:
    moves = {node["move"] for node in _nodes(certificate, "move")}
    for kind in ("replies", "moves"):
        moves.update(move for node in _nodes(certificate, kind) for move in node[kind])
    return [*sorted(moves), "noop", "move(9,9,9,9)"]


def change_move(certificate: Json, chance: random.Random) -> None:
    chance.choice(_nodes(certificate, "move"))["move"] = chance.choice(_moves(certificate))


def change_replies(certificate: Json, chance: random.Random) -> None:
    """Drop, rename or add a reply."""
    replies = chance.choice(_nodes(certificate, "replies"))["replies"]
    way, old = chance.random(), chance.choice(list(replies))
    target = replies.pop(old) if way < 0.7 else chance.choice([*replies.values(), 1])
    if way > 0.35:
        replies[chance.choice(_moves(certificate))] = target


def swap_replies(certificate: Json, chance: random.Random) -> None:
    replies = chance.choice(_nodes(certificate, "replies"))["replies"]
    one, two = chance.sample(list(replies), 2)
    replies[one], replies[two] = replies[two], replies[one]


def put_leaf(certificate: Json, chance: random.Random) -> None:
    place, key = chance.choice(_targets(certificate))
    place[key] = chance.choice(["goal", "over", "turns"])


def redirect(certificate: Json, chance: random.Random) -> None:
    place, key = chance.choice(_targets(certificate))
    nodes = certificate[chance.choice(["attack", "defence"])]["nodes"]
    place[key] = chance.randrange(-1, len(nodes) + 1)


def turn_back(certificate: Json, chance: random.Random) -> None:
    """Redirect an edge to its own node or to an earlier one."""
    nodes = certificate[chance.choice(["attack", "defence"])]["nodes"]
    number = chance.randrange(len(nodes))
    place, key = chance.choice(_targets({"attack": nodes[number]}))
    place[key] = chance.randrange(number + 1)


def redirect_to_the_same_state(certificate: Json, chance: random.Random) -> None:
    """Redirect an edge to another node of its target's state, where other turns may be left."""
    nodes = certificate[chance.choice(["attack", "defence"])]["nodes"]
    puzzle = _puzzle(certificate)
    tree = tree_of(puzzle)
    states = {0: puzzle.state}
    edges = []
    for number, node in enumerate(nodes):
        for place, key in _targets({"attack": node}):
            target = place[key]
            if isinstance(target, int):
                move = node["move"] if key == "to" else key
                states[target] = tree.see(states[number]).moves[move]
                edges.append((number, place, key))
    found = [
        (place, key, other)
        for number, place, key in edges
        for other in range(number + 1, len(nodes))
        if states[other] == states[place[key]] and other != place[key]
    ]
    place, key, other = chance.choice(found)
    place[key] = other
    _drop_what_nothing_leads_to(nodes)


def _puzzle(certificate: Json) -> Puzzle:
    """The certificate's question, for any number of turns."""
    game = aspgames.load(certificate["game"], **certificate["const"])
    state = game.from_facts(certificate["position"])
    return Puzzle.of(state, certificate["attacker"], certificate["goal"])


def _drop_what_nothing_leads_to(nodes: list[Any]) -> None:
    kept: dict[int, int] = {0: 0}
    for number, node in enumerate(nodes):
        if number in kept:
            targets = [place[key] for place, key in _targets({"attack": node})]
            kept |= dict.fromkeys((t for t in targets if isinstance(t, int)), 0)
    kept = {number: place for place, number in enumerate(sorted(kept))}
    nodes[:] = [node for number, node in enumerate(nodes) if number in kept]
    for node in nodes:
        for place, key in _targets({"attack": node}):
            if isinstance(place[key], int):
                place[key] = kept[place[key]]


def change_node(certificate: Json, chance: random.Random) -> None:
    """Drop a node, or put a leaf in its place."""
    nodes = certificate[chance.choice(["attack", "defence"])]["nodes"]
    place = chance.randrange(len(nodes))
    nodes[place : place + 1] = chance.choice([[], ["goal"], ["over"], ["turns"]])


def swap_strategies(certificate: Json, chance: random.Random) -> None:
    sides = certificate["attack"], certificate["defence"]
    certificate["attack"], certificate["defence"] = chance.choice([sides, sides[::-1]])
    del certificate[chance.choice(["attack", "defence"])]


def change_within(certificate: Json, chance: random.Random) -> None:
    within = certificate["within"]
    near = 2 if within is None else within
    certificate["within"] = chance.choice([None, near + 1, max(near - 1, 0), 9, 0])


def change_distance(certificate: Json, chance: random.Random) -> None:
    certificate["distance"] = (certificate["distance"] or 0) + chance.choice([-1, 1])


def change_verdict(certificate: Json, chance: random.Random) -> None:
    certificate["verdict"] = chance.choice(["forced", "not_forced"])
    certificate["distance"] = chance.choice([None, 1])
    if chance.random() < 0.5:
        certificate["keys"], certificate["line"] = [], []


def change_keys(certificate: Json, chance: random.Random) -> None:
    keys = certificate["keys"]
    if keys and chance.random() < 0.6:
        dropped = keys.pop(chance.randrange(len(keys)))
        node = certificate["attack"]["nodes"][0]
        if isinstance(node, dict) and chance.random() < 0.5:
            node.get("moves", {}).pop(dropped, None)
    else:
        keys.append(chance.choice(_moves(certificate)))


def change_line(certificate: Json, chance: random.Random) -> None:
    line = certificate["line"]
    place = chance.randrange(len(line))
    if chance.random() < 0.3:
        del line[place]
    elif chance.random() < 0.3:
        line.insert(place + chance.randrange(2), chance.choice(_moves(certificate)))
    else:
        line[place] = chance.choice(_moves(certificate))


def change_plan(certificate: Json, chance: random.Random) -> None:
    plan = chance.choice(_nodes(certificate, "plan"))["plan"]
    place = chance.randrange(len(plan))
    kind = chance.random()
    if kind < 0.2:
        del plan[place]
    elif kind < 0.4:
        del plan[place:]
    elif kind < 0.6:
        plan.insert(place, chance.choice([None, *_moves(certificate)]))
    else:
        plan[place] = chance.choice([None, *_moves(certificate)])


def put_plan(certificate: Json, chance: random.Random) -> None:
    plans = [node["plan"] for node in _nodes(certificate, "plan")] + [[]]
    place, key = chance.choice(_targets(certificate))
    place[key] = {"plan": chance.choice(plans)}


def change_question(certificate: Json, chance: random.Random) -> None:
    goals, attackers = ("trap", "win", "score>=10", "score>=100"), ("white", "black")
    key, values = chance.choice([("goal", goals), ("attacker", attackers)])
    certificate[key] = chance.choice(values)


def change_position(certificate: Json, chance: random.Random) -> None:
    facts = certificate["position"]
    place = chance.randrange(len(facts))
    if chance.random() < 0.5:
        del facts[place]
    else:
        swap = {"white": "black", "black": "white", "arrow": "white"}
        old = next(word for word in ("white", "black", "arrow", "") if word in facts[place])
        facts[place] = facts[place].replace(old, swap[old]) if old else facts[place]
        facts.sort()


def change_rules(certificate: Json, chance: random.Random) -> None:
    rules = certificate["rules"]
    certificate["rules"] = rules[:-1] + chance.choice("0123456789abcdef".replace(rules[-1], ""))


def claim_less(certificate: Json, chance: random.Random) -> None:
    """A distance that is too short, with a matching line, in which the defender doesn't resist."""
    certificate["distance"] -= 1
    certificate["line"] = _line_of(certificate, certificate["distance"], chance.random() < 0.5)
    line = certificate["line"]
    if chance.random() < 0.5:
        certificate["keys"] = sorted({*certificate["keys"], *line[:1]})


def line_of_other_length(certificate: Json, chance: random.Random) -> None:
    turns = certificate["distance"] + chance.choice([-1, 1])
    certificate["line"] = _line_of(certificate, turns, True)


def _line_of(certificate: Json, turns: int, with_a_key: bool) -> list[str]:
    """A line to the goal that takes exactly so many turns, if both sides cooperate."""
    keys = tuple(certificate["keys"]) if with_a_key else ()
    if len(certificate["position"]) > 20:
        raise ValueError("there are too many lines")
    line = _first_line(_puzzle(certificate), turns, keys)
    if line is None:
        raise ValueError("there is no such line")
    return list(line)


@cache
def _first_line(puzzle: Puzzle, turns: int, keys: tuple[str, ...]) -> tuple[str, ...] | None:
    lines = _lines(tree_of(puzzle), puzzle.state, turns, False)
    return next((line for line in lines if not keys or line[:1] in [(k,) for k in keys]), None)


def _lines(tree: Tree, state: State, turns: int, attacked: bool) -> Iterator[tuple[str, ...]]:
    seen = tree.see(state)
    begins = seen.attacks and not attacked
    if seen.reached and turns == 0:
        yield ()
    elif not seen.reached and begins <= turns:
        for move, child in seen.moves.items():
            for line in _lines(tree, child, turns - begins, seen.attacks):
                yield (move, *line)


MUTATIONS: list[Mutation] = [
    change_move, change_replies, swap_replies, put_leaf, redirect, turn_back,
    redirect_to_the_same_state, change_node, swap_strategies, change_within, change_distance,
    claim_less, line_of_other_length, change_verdict, change_keys, change_line, change_plan,
    put_plan, change_question, change_position, change_rules,
]  # fmt: skip

WIDE = (change_within, change_question, change_position)  # other trees


Certificates = Callable[[Case], tuple[Json, ...]]


def mutants(
    mutation: Mutation, chance: random.Random, count: int, certificates: Certificates
) -> Iterator[tuple[Case, Json]]:
    """Certificates with changes in one place, or in a few."""
    made = 0
    for _ in range(5 * count):
        case = chance.choice(CASES)
        certificate = copy.deepcopy(chance.choice(certificates(case)))
        before = json.dumps(certificate)
        try:
            mutation(certificate, chance)
        except (IndexError, KeyError, ValueError, TypeError):
            continue  # the certificate has no such part
        if json.dumps(certificate) != before:
            made += 1
            yield case, certificate
        if made == count:
            return


@cache
def solved(case: Case) -> tuple[Json, ...]:
    """The case's certificate, as the solver writes it."""
    search = Search(case.puzzle, Budget())
    return (json.loads(json.dumps(certificate_of(search, search.run()))),)


@pytest.mark.quick(5)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_certificate_of_the_solver_is_accepted(case: Case) -> None:
    (certificate,) = solved(case)
    check(certificate, "certificate")
    assert _is_right(case, certificate)
    verify(certificate)


# The solver repeats a state only if other turns are left, which is rare here.
BY_BOTH = [
    (mutation, certificates)
    for certificates in (written, solved)
    for mutation in MUTATIONS
    if certificates is written or mutation is not redirect_to_the_same_state
]


@pytest.mark.quick(3)
@pytest.mark.sample(14)
@pytest.mark.parametrize(
    ("mutation", "certificates"), BY_BOTH, ids=lambda function: function.__name__
)
@pytest.mark.parametrize("count", [12, pytest.param(amount(24, 60), marks=pytest.mark.slow)])
def test_a_changed_certificate_is_accepted_only_if_it_is_right_still(
    mutation: Mutation, certificates: Certificates, count: int
) -> None:
    assert rejected(mutation, min(count, 30) if mutation in WIDE else count, certificates) > 0


def rejected(mutation: Mutation, count: int, certificates: Certificates) -> int:
    """The number of changed certificates that are rejected; exactly the wrong ones must be."""
    chance = random.Random(f"{mutation.__name__} {count}")
    found = 0
    for case, certificate in mutants(mutation, chance, count, certificates):
        expected = _is_right(case, certificate)
        try:
            verify(certificate)
            accepted = True
        except Rejected as error:
            accepted = False
            one_line(error)
        assert accepted == expected, (case, certificate)
        found += not accepted
    return found


def _is_right(case: Case, certificate: Json) -> bool:
    """Whether a certificate proves its claim, and the claim is true."""
    try:
        state = case.puzzle.state.game.from_facts(certificate["position"])
        puzzle = Puzzle.of(
            state, certificate["attacker"], certificate["goal"], certificate["within"]
        )
    except AspgamesError:
        return False
    if list(state.facts) != certificate["position"]:
        return False
    if certificate["rules"] != state.game.encoding.fingerprint:
        return False
    tree = tree_of(puzzle)
    if not is_valid(tree, certificate):
        return False
    # The purpose of the rules for certificates: a valid certificate has a true claim.
    distance = tree.distance(8 if puzzle.within is None else puzzle.within)
    assert distance == certificate["distance"]
    assert (distance is None) == (certificate["verdict"] == "not_forced")
    assert distance is None or tree.keys(distance) == set(certificate["keys"])
    return True


def some_of(cases: Iterable[Case]) -> list[Any]:
    """Every sixth case for the fast tests, the others for the slow ones."""
    return [
        case if number % 6 == 0 else pytest.param(case, marks=pytest.mark.slow)
        for number, case in enumerate(cases)
    ]


# --- many questions at a time ---------------------------------------------------------------------


@pytest.mark.sample(4)
@pytest.mark.parametrize("case", some_of(CASES[::2]), ids=str)
def test_many_questions_have_the_answers_of_single_ones(case: Case) -> None:
    single, many = (Stepper(case.puzzle, Budget()) for _ in range(2))
    states = [single.start]
    for state in states:
        answer = single.ask(Probe(state, moves=True))
        states += [s for s in answer.after.values() if s not in states][: 12 - len(states)]
    moves = sorted({term for s in states for term in single.ask(Probe(s, moves=True)).after})
    tried = [*moves[:5], "noop", "unheard_of", "1+1", "(", "X"]
    questions = [Probe(s, moves=asks) for s in states for asks in (True, False)]
    questions += [Probe(s, move=term) for s in states for term in tried]
    many._fluents, many._bits = single._fluents, single._bits  # the same numbers
    many.prepare(questions)
    for question in questions:
        (found, alone) = (known.ask(question) for known in (many, single))
        assert (found.view, found.after) == (alone.view, alone.after)


@pytest.mark.quick(2)
@pytest.mark.sample(7)
@pytest.mark.parametrize("case", some_of(CASES[::2]), ids=str)
@pytest.mark.parametrize("many", [1, 3])
def test_how_much_is_asked_at_a_time_makes_no_difference(
    case: Case, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name in (
        (stepping, "_BATCH"), (strategies, "_WAVE"), (planning, "_KEPT_PLIES"), (planning, "_GROUP")
    ):  # fmt: skip
        monkeypatch.setattr(module, name, many)
    monkeypatch.setattr(verifying, "Stepper", Stepper)
    for certificate in written(case)[-1:]:
        verify(certificate)
        certificate = copy.deepcopy(certificate)
        if _targets(certificate):
            put_leaf(certificate, random.Random(2))
            if not _is_right(case, certificate):
                with pytest.raises(Rejected):
                    verify(certificate)


# --- plans ----------------------------------------------------------------------------------------


@pytest.mark.quick(1)
@pytest.mark.sample(7)
@pytest.mark.parametrize("case", some_of(c for c in CASES if c.game != "skirmish"), ids=str)
def test_plans_hold_as_on_every_line(case: Case) -> None:
    """Plans of moves that occur, checked against all lines by clingo and one by one."""
    chance = random.Random(1)
    puzzle, tree = case.puzzle, tree_of(case.puzzle)
    start = stepper(puzzle).start
    for attacks in (True, False):
        for _ in range(5):
            plan = _likely_plan(tree, attacks, chance)
            for turns in (-1, 0, 1, 2):
                holds = failure(puzzle, PlacedPlan("", attacks, start, plan, turns)) is None
                assert holds == tree.plan_holds(puzzle.state, plan, turns, attacks), (plan, turns)


def test_a_limit_on_conflicts_that_clingo_does_not_take(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tens of thousands of plans lead to such a limit."""
    monkeypatch.setattr(planning, "_MOST_CONFLICTS", 1 << 33)
    proof = ROOT / "examples/puzzles/breakthrough_3x4.certificate.json"
    assert verify(json.loads(proof.read_text())).plans


@pytest.mark.sample(7)
@pytest.mark.quick(2)
@pytest.mark.parametrize("case", some_of(c for c in CASES if c.game != "skirmish"), ids=str)
def test_of_many_plans_one_that_does_not_hold_is_found(case: Case) -> None:
    """Plans for the states after the first moves; some of them hold and some don't."""
    chance = random.Random(2)
    puzzle, tree = case.puzzle, tree_of(case.puzzle)
    known = stepper(puzzle)
    after = known.ask(Probe(known.start, moves=True)).after
    states = {known.start: puzzle.state}
    states |= {number: tree.see(puzzle.state).moves[term] for term, number in after.items()}
    right: list[PlacedPlan] = []
    wrong: list[PlacedPlan] = []
    for attacks in (True, False):
        for number, state in list(states.items())[:12]:
            for turns in (-1, 0, 1):
                plan = _likely_plan(tree, attacks, chance, state)
                holds = tree.plan_holds(state, plan, turns, attacks)
                planned = PlacedPlan(str(holds), attacks, number, plan, turns)
                (right if holds else wrong).append(planned)
    assert failure(puzzle, *right) is None
    for planned in wrong:
        several = [*right, planned]
        chance.shuffle(several)
        found = failure(puzzle, *several)
        assert found
        assert found[0] is planned
    if wrong:
        found = failure(puzzle, *right, *wrong)
        assert found
        assert found[0] in wrong


def _likely_plan(
    tree: Tree, attacks: bool, chance: random.Random, start: State | None = None
) -> list[str | None]:
    """The moves of one side in a random line, rarely with an error."""
    plan: list[str | None] = []
    state = start or tree.puzzle.state
    for _ in range(chance.randrange(4)):
        seen = tree.see(state)
        if seen.over:
            break
        move = chance.choice(list(seen.moves))
        plan.append(move if seen.attacks == attacks else None)
        state = seen.moves[move]
    if plan and chance.random() < 0.1:
        plan[chance.randrange(len(plan))] = None
    return plan


# --- invalid certificates -------------------------------------------------------------------------


def one_line(error: Exception) -> str:
    message = str(error)
    assert "\n" not in message
    return message


def _certificate() -> Json:
    return copy.deepcopy(written(CASES[0])[0])


JUNK: list[Any] = [
    None, True, 0, -1, 1, 10**30, 1.5, "", "x", "goal", "noop", "move(1,1)", "move(1,1,1,1,1,1)",
    "1+1", "f(", "\0", "ä", "\ud800", "a" * 5000, "(" * 500, [], [[]], [None], [1], ["x"],
    ["startpos"], {}, {"move": 1}, {"move": "noop", "to": 0}, {"plan": []}, {"plan": 3},
    {"plan": [None] * 1001}, {"plan": [3]}, {"plan": [], "to": 1}, {"replies": {}},
    {"replies": []}, {"moves": {}}, {"nodes": []}, {"nodes": ["goal"]}, {"nodes": [0]},
]  # fmt: skip


@pytest.mark.slow
def test_junk_anywhere_is_rejected_in_a_sentence() -> None:
    """Each value of a certificate, at any depth, is replaced by every odd value in turn."""
    chance = random.Random(5)
    certificate = _certificate()
    places: list[tuple[Any, Any]] = []

    def walk(part: Any) -> None:
        keys = (
            part if isinstance(part, dict) else range(len(part)) if isinstance(part, list) else ()
        )
        for key in keys:
            places.append((part, key))
            walk(part[key])

    walk(certificate)
    for part, key in places:
        old = part[key]
        for junk in chance.sample(JUNK, amount(2, 6)):
            part[key] = junk
            try:
                verify(certificate)
            except Rejected as error:
                one_line(error)
            except BadRequest:
                assert key == "certificate"
            except UnknownGame:
                assert key == "game"
            else:
                assert junk == old or _is_right(CASES[0], certificate), (key, junk)
        part[key] = old


def test_a_million_nodes_that_nothing_leads_to() -> None:
    certificate = _certificate()
    certificate["attack" if "attack" in certificate else "defence"]["nodes"] += ["goal"] * 10**6
    with pytest.raises(Rejected, match=r"nodes\[\d+\]: no edge leads to it"):
        verify(certificate)


def test_limits() -> None:
    with pytest.raises(LimitReached):
        verify(_certificate(), Budget(seconds=1e-9))


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    found = verify(written(CASES[0])[1], progress=lambda edges, plans: told.append((edges, plans)))
    assert told[-1] == (found.edges, found.plans)


def first_moves(game: Game) -> dict[str, list[str]]:
    """The successors of a game's first state by its moves, from the checker."""
    puzzle = Puzzle.read(game.initial, "x", "win", None)
    checker = Stepper(puzzle, Budget())
    after = checker.ask(Probe(checker.start, moves=True)).after
    return {term: [str(f) for f in checker.fluents(state)] for term, state in after.items()}


@pytest.mark.parametrize(
    ("rules", "trouble"),
    [
        ("next(a) :- not next(b). next(b) :- not next(a).", "settle"),
        ("next(a) :- true(a), not next(b). next(b) :- not next(a).", "recur through negation"),
        ("p(1) :- true(a), not p(2). p(2) :- true(a), not p(1). next(a) :- p(1).", "recur"),
        ("p(X) :- true(a), X = 1..2, not p(3-X). next(a) :- p(1).", "recur"),
        ("#const k = 1. p(1) :- true(a), not p(k). next(a) :- p(1).", "recur"),
        ("p(1) :- true(a), not q. q :- p(X), X > 0. next(a) :- p(1).", "recur"),
        ("p(1) :- true(a), not p(2). p(2) :- p(1;3). next(a) :- p(1).", "recur"),
        ("{next(a)}.", "settle"),
        ("next(a) ; next(b).", "settle"),
        (":- does(R,go).", "constraint"),
        ("true(b) :- true(a). next(b) :- true(b).", "are given"),
        ("#external e. next(a) :- e.", "settle"),
        ("next(a) :- 1 #count { R : q(R) } 1. q(R) :- does(R,_), not next(a).", "recur"),
        ("-p(a) :- true(a). next(a) :- -p(a).", "contradict"),
        ("legal(x,stay) :- does(y,noop).", "depend on what is done"),
        ("#const noop = wait. next(a) :- true(a).", "a word of the checker"),
        ("p(R) :- 1 { does(R,go) ; q } 1. {q}. next(a) :- p(R).", "settle"),
        ("p :- not not p. next(a) :- p.", "settle"),
        ("#const plan = 3. next(a) :- true(a).", "a word of the checker"),
    ],
)
def test_rules_that_settle_nothing_are_refused(rules: str, trouble: str, tmp_path: Path) -> None:
    frame = "role(x;y). init(a). to_move(x). legal(x,go). legal(y,noop). "
    with pytest.raises(RulesError, match=trouble):
        first_moves(write_game(frame + rules, tmp_path))


@pytest.mark.parametrize(
    ("rules", "after"),
    [
        ("next(n(N+1)) :- true(n(N)).", {"go": ["n(1)"]}),  # infinitely many fluents
        ("next(n(k)). #const k = 7.", {"go": ["n(7)"]}),
        ("p(1) :- true(n(_)), not p(2). p(2) :- true(n(5)). next(n(1)) :- p(1).", {"go": ["n(1)"]}),
        ("p(1) :- true(n(_)), not p(2). p(2) :- p(3). p(3) :- true(n(0)). next(n(1)) :- p(1).",
         {"go": []}),
        ("p(x,1) :- true(n(_)), not p(x,2). p(R,2) :- true(n(5)), role(R), not p(R,3)."
         " next(n(1)) :- p(x,1).", {"go": ["n(1)"]}),
        ("next(n(V0)) :- true(n(V0)), situation(V0,_). situation(0,0).", {"go": ["n(0)"]}),
        ("next(n(1)) :- goes(_,_). goes(R,M) :- does(R,M), legal(R,M).", {"go": ["n(1)"]}),
        ("next(n(1)) :- not not does(x,go), not does(y,_;_,stay).", {"go": ["n(1)"]}),
        ("next(n(1)) :- not not does(y,go).", {"go": []}),
        ("next(n(1)) :- not does(y,_). next(n(2)) :- not odd(_,_). odd(1,1) :- true(n(7)).",
         {"go": ["n(2)"]}),
        ("up(0). up(N+1) :- up(N), N < 3, true(n(_)). next(n(N)) :- up(N), not up(N+1).",
         {"go": ["n(3)"]}),
        ("next(n(C)) :- C = #count { R,M : does(R,M) ; F : true(F) }.", {"go": ["n(3)"]}),
        ("next(n(1)) :- p(1;2). p(1..2) :- true(n(_)). legal(x,stay) :- p(3).", {"go": ["n(1)"]}),
        ("next(n(1)) :- true(n(N)) : role(_), N = 0..1; does(x,go).", {"go": []}),
        ("next(n(1)) :- 2 { true(n(0)) ; does(x,go) ; does(x,stay) }.", {"go": ["n(1)"]}),
        ("even(0) :- true(n(0)). next(n(1)) :- even(0), not odd(_). odd(1) :- even(1).",
         {"go": ["n(1)"]}),
    ],
)  # fmt: skip
def test_rules_of_any_form(rules: str, after: dict[str, list[str]], tmp_path: Path) -> None:
    frame = "role(x;y). init(n(0)). to_move(x). legal(x,go). legal(y,noop). "
    state = write_game(frame + rules, tmp_path).initial
    assert first_moves(state.game) == after
    assert {m.term: list(state.play(m).facts) for m in state.legal_moves} == after


# --- the page ------------------------------------------------------------------------------------

EXAMPLE = DOCS.parent / "examples/puzzles/breakthrough_3x4.certificate.json"


def test_the_page_shows_the_example_and_what_is_printed() -> None:
    page = (DOCS / "certificates.md").read_text()
    assert EXAMPLE.read_text() in page
    certificate = json.loads(EXAMPLE.read_text())
    check(certificate, "certificate")
    del certificate["attack"]["nodes"][1]["replies"]["move(2,4,3,3)"]
    with pytest.raises(Rejected) as caught:
        verify(certificate)
    assert f"Rejected: {caught.value}" in page
    certificate = json.loads(EXAMPLE.read_text())
    certificate["attack"]["nodes"][0]["moves"]["move(3,2,2,3)"]["plan"][1] = "move(3,2,3,3)"
    with pytest.raises(Rejected) as caught:
        verify(certificate)
    assert str(caught.value).startswith("attack.nodes[0], move(3,2,2,3): the plan doesn't hold: ")
