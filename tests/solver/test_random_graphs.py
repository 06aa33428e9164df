"""Puzzles on random graphs with loops, against a fixpoint: answers, certificates, changed ones."""

import copy
import gzip
import json
import math
import random
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from aspgames import Game, load
from aspgames.puzzle.goal import Goal, GoalKind
from aspgames.puzzle.problem import Puzzle
from aspgames.puzzle.proof.certificate import certificate, write_stream
from aspgames.puzzle.proof.stream import verify_stream
from aspgames.puzzle.proof.verify import Verification, verify
from aspgames.puzzle.solution import Solution
from aspgames.puzzle.solved import Solved
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import AspgamesError, BadRequest, Rejected, TooLarge
from aspgames.runtime.workers.task_runner import TaskRunner
from aspgames.solver.grounded_puzzle import SolvedByGrounder
from aspgames.solver.jobs.job_search import Efforts, JobSearch
from aspgames.solver.search.kernel_search import DEPTH_FIRST, UNBOUNDED
from aspgames.solver.search.puzzle_search import Search
from aspgames.solver.solvers import open_puzzle
from aspgames.solver.table import table_file
from aspgames.solver.table.lookup import Table
from aspgames.solver.table.table_check import verify_whole
from aspgames.solver.table.table_maker import make_table
from aspgames.solver.table.table_puzzle import SolvedByTable
from engine_helpers import write
from false_certificates import game, rules_of, stream_of
from goals_by_hand import Shape, reaches
from helpers import Stopping
from thoroughly import amount

NAMES = "abcdefghijkl"
GOALS = ("win", "trap", "score>=50", "score>=100", "score>=0")
EACH_KIND = [kind + ">=50" * (kind is GoalKind.SCORE) for kind in GoalKind]
OPPOSED = "goal(black,100-V) :- true(at(N)), value(N,V)."
GRAPHS = 4 * len(EACH_KIND)
ALL_GRAPHS = amount(700, 8000)
CHANGES = 4
"""The changed certificates of each graph."""


@dataclass(frozen=True)
class Node:
    white: bool
    targets: tuple[str, ...]
    ends: bool
    value: int


@dataclass(frozen=True)
class Graph:
    """A random puzzle; play starts at a, and White attacks."""

    nodes: Mapping[str, Node]
    single: bool
    goal: str
    within: int | None

    @property
    def text(self) -> str:
        def words(node: Node) -> str:
            return f"{'w' if node.white else 'b'} {node.value}{' end' if node.ends else ''}"

        return " / ".join(f"{n} {words(x)}: {' '.join(x.targets)}" for n, x in self.nodes.items())

    @property
    def rules(self) -> str:
        rules = rules_of(self.text, roles="white" if self.single else "white;black")
        return rules + OPPOSED * ("score" not in self.goal and not self.single)

    def puzzle(self, game: Game) -> Puzzle:
        return Puzzle.of(game.initial, "white", self.goal, self.within)

    def reached(self, name: str) -> bool:
        node, scores = self.nodes[name], "score" in self.goal
        black = None if self.single or scores else 100 - node.value
        sides, moves = "w" if node.white else "b", bool(node.targets)
        return reaches(self.goal, Shape(sides, moves, node.ends, node.value, black))

    def after(self, name: str, child: str, turns: Mapping[str, float]) -> float:
        begins = self.nodes[child].white and (self.single or not self.nodes[name].white)
        return turns[child] + (begins and not self.reached(child))

    def met(self) -> list[str]:
        """The nodes to which play leads."""
        found = ["a"]
        for name in found:
            after = () if self.nodes[name].ends else self.nodes[name].targets
            found += [child for child in after if child not in found]
        return found

    def turns(self) -> dict[str, float]:
        """The fewest turns that the attacker begins after each node, from above: a fixpoint."""
        found = {name: 0 if self.reached(name) else math.inf for name in self.nodes}
        for _ in range(len(found) ** 2):
            for name, node in self.nodes.items():
                after = [self.after(name, child, found) for child in node.targets]
                if after and not node.ends and not self.reached(name):
                    found[name] = min(after) if node.white else max(after)
        return found

    def answer(self) -> tuple[str, float | None, set[str]]:
        found, root = self.turns(), self.nodes["a"]
        distance = found["a"] + (root.white and not self.reached("a"))
        if distance > (math.inf if self.within is None else self.within) or distance == math.inf:
            return "not_forced", None, set()
        keys = {c for c in root.targets if self.after("a", c, found) <= found["a"]}
        return "forced", distance, keys if root.white and distance else set()

    def brackets(self, found: Verification | Solution) -> bool:
        """Whether bounds of the distance, and moves that suffice for ``at_most``, are true."""
        (verdict, distance, _), turns = self.answer(), self.turns()
        most, refuted = found.at_most or 0, -1 if found.not_within is None else found.not_within
        left = most - self.nodes["a"].white
        won = all(self.after("a", key, turns) <= left for key in found.keys)
        return verdict == "forced" and won and refuted < (distance or 0) <= most

    def allows(self, line: tuple[str, ...], distance: float) -> bool:
        """Whether a line is play that reaches the goal in so many turns."""
        begun, here = int(self.nodes["a"].white and not self.reached("a")), "a"
        for child in line:
            if self.reached(here) or self.nodes[here].ends or child not in self.nodes[here].targets:
                return False
            begun, here = begun + int(self.after(here, child, dict.fromkeys(NAMES, 0))), child
        return self.reached(here) and begun == distance


def random_graph(seed: int) -> Graph:
    """A graph. Even seeds have all goals in turn, first forced in one turn or more, then not."""
    rng = random.Random(seed)
    if seed % 2:
        return drawn(rng)
    turn, place = divmod(seed // 2, len(EACH_KIND))
    found = drawn(rng, EACH_KIND[place])
    while bool(found.answer()[1]) == bool(turn % 2) or len(found.met()) < 3:
        found = drawn(rng, EACH_KIND[place])
    return found


def drawn(rng: random.Random, ending: str | None = None) -> Graph:
    """A graph of random nodes. With ``ending``, that is the goal, and nodes without a move end."""
    names = NAMES[: rng.randint(1, len(NAMES))]
    single = rng.random() < 0.2 and ending is None
    shares = rng.choice((0.2, 0.5, 0.8))
    nodes = {}
    for name in names:
        targets = rng.sample(names, min(len(names), rng.choice((0, 1, 1, 2, 2, 3))))
        ends, value = rng.random() < 0.15, rng.choice((0, 0, 0, 0, 49, 50, 100))
        if ending and not targets:
            ends, value = True, rng.choice((0, 50, 100))
        nodes[name] = Node(single or rng.random() < shares, tuple(sorted(targets)), ends, value)
    goals = ["draw" if single and goal == "trap" else goal for goal in GOALS]
    within = rng.choice((None, None, 0, 1, 2, 3, 5))
    goal = rng.choice((*goals, "win", "score>=50"))
    return Graph(nodes, single, ending or goal, within)


def changed(found: Any, rng: random.Random) -> Any:
    """A certificate with one change."""
    found = copy.deepcopy(found)
    places = [*_places(found)]
    holder, key = rng.choice(places)
    old = holder[key]
    if rng.random() < 0.2:
        del holder[key]
    elif isinstance(old, int):
        holder[key] = old + rng.choice((-1, 1, 2))
    elif isinstance(old, list):
        old.append(rng.choice((*NAMES, None, "over", 0)))
    elif isinstance(old, dict):
        old[rng.choice((*NAMES, "plan", "move"))] = rng.choice(("goal", "over", "turns", 0, 1))
    else:
        moves = (*NAMES, "goal", "over", "turns", "forced", "not_forced", 0, 1, 2, None)
        holder[key] = rng.choice(moves)
    return found


def _places(holder: Any) -> Iterator[tuple[Any, Any]]:
    fixed = ("certificate", "game", "const", "rules", "position", "attacker", "goal")
    items = holder.items() if isinstance(holder, dict) else enumerate(holder)
    for key, value in items:
        if key not in fixed:
            yield holder, key
            if isinstance(value, (dict, list)):
                yield from _places(value)


def is_true(graph: Graph, found: Verification) -> bool:
    within = found.puzzle.within
    truth = Graph(graph.nodes, graph.single, graph.goal, within).answer()
    if found.distance is None and found.at_most is not None:
        return graph.brackets(found)
    said = (found.verdict, found.distance, set(found.keys))
    return said == truth and (truth[1] is None or graph.allows(found.line, truth[1]))


def prove(graph: Graph, search: Solved) -> Any:
    """Check the answer and the line, and return the certificate, which is accepted."""
    verdict, distance, keys = graph.answer()
    with search:
        found = search.run()
        assert (found.verdict, found.distance, set(found.keys)) == (verdict, distance, keys)
        if distance is not None:
            assert graph.allows(found.line, distance)
            assert len({"a", *found.line}) == len(found.line) + 1
        proof = certificate(search, found)
    own = search.puzzle.state.game
    assert is_true(graph, verify(proof, Budget(20), load=lambda _name, _constants: own))
    return proof


def streamed(solved: Solved, solution: Solution) -> Any:
    """The lines of a streamed certificate."""
    file = BytesIO()
    write_stream(solved, solution, file)
    return [*map(json.loads, gzip.decompress(file.getvalue()).splitlines())]


def of_stream(lines: Any, own: Game) -> Verification:
    return verify_stream(stream_of(lines), Budget(20), lambda *_: own, TaskRunner())


def check_limits(seed: int) -> int:
    """Whatever a limit leaves is true and certified; returns the number of such bounds."""
    graph, bounds, rng = random_graph(seed), 0, random.Random(seed)
    own, (verdict, distance, keys) = game(graph.rules), graph.answer()
    for checks, grounder in product(range(seed % 2, 20, amount(4, 2)), (False, True)):
        budget = Stopping(math.inf)
        search = (
            SolvedByGrounder(graph.puzzle(own), budget, lambda _: None)
            if grounder
            else Search(graph.puzzle(own), budget, threads=1)
        )
        budget.looks = checks
        found = search.run()
        if found.is_complete:
            assert (found.verdict, found.distance, set(found.keys)) == (verdict, distance, keys)
        elif found.verdict == "unknown":
            least = math.inf if distance is None else distance
            assert found.not_within is None or found.not_within < least
        else:
            bounds += 1
            assert graph.brackets(found)
            budget.looks = math.inf
            proof = certificate(search, found)
            told = verify(proof, Budget(20), load=lambda _name, _constants: own)
            assert (told.at_most, told.not_within) == (found.at_most, found.not_within)
            if not graph.single:
                told = of_stream(streamed(search, found), own)
                assert (told.at_most, told.not_within) == (found.at_most, None)
            with suppress(AspgamesError):
                wrong = changed(proof, rng)
                assert is_true(graph, verify(wrong, Budget(20), load=lambda *_: own)), wrong
    return bounds


def check(seed: int) -> None:
    graph = random_graph(seed)
    own = game(graph.rules)

    search = Search(graph.puzzle(own), Budget(20), threads=1 + seed % 2)
    proof = prove(graph, search)
    rng = random.Random(seed)
    for _ in range(CHANGES):
        wrong = changed(proof, rng)
        with suppress(AspgamesError):
            assert is_true(graph, verify(wrong, Budget(20), load=lambda *_: own)), wrong
    if graph.single:
        return
    lines = streamed(search, search.run())
    assert is_true(graph, of_stream(lines, own))
    for _ in range(CHANGES):
        wrong = changed(lines, rng)
        with suppress(AspgamesError):
            assert is_true(graph, of_stream(wrong, own)), wrong


def check_jobs(seed: int, folder: Path) -> None:
    graph = random_graph(seed)
    own = write(graph.rules, folder, f"graph{seed}.lp")
    tiny = Efforts(first=0, here=0, least=1)
    with ThreadPoolExecutor(1) as executor:
        prove(graph, JobSearch(graph.puzzle(own), Budget(20), executor, efforts=tiny))


def for_table(graph: Graph, stuck: bool) -> Graph:
    """A graph for a table: the sides take turns. Nodes without a move end unless ``stuck``."""

    def node(old: Node) -> Node:
        targets = [c for c in old.targets if graph.single or graph.nodes[c].white != old.white]
        value = 100 if old.value == 100 else 0
        return Node(old.white, tuple(targets), old.ends or not (targets or stuck), value)

    return replace(graph, nodes={n: node(old) for n, old in graph.nodes.items()}, goal="win")


def check_table(seed: int, folder: Path) -> None:
    graph = for_table(random_graph(seed), stuck=seed % 4 == 0)
    own = game(graph.rules + OPPOSED * (not graph.single))
    table = make_table(own.initial, folder / f"table{seed}", with_symmetries=False).table
    assert table.about.stuck == any(
        not (graph.nodes[name].ends or graph.nodes[name].targets) for name in graph.met()
    )
    if table.about.stuck:
        with pytest.raises(BadRequest, match="a role can be stuck before the end"):
            SolvedByTable(graph.puzzle(own), table)
        table_file.write(folder / "false", replace(table.about, stuck=False), table.parts())
        with pytest.raises(Rejected, match="a role is stuck"):
            verify_whole(Table(folder / "false"), own, 1, Budget())
    else:
        prove(graph, SolvedByTable(graph.puzzle(own), table))


@pytest.mark.quick(5)
@pytest.mark.parametrize("seed", range(8))
def test_random_graphs_by_table(seed: int, tmp_path: Path) -> None:
    check_table(seed, tmp_path)


# 8, 14: in one turn, an attacker goes round, and no job can decide that.
@pytest.mark.parametrize("seed", [8, 14, 21, 24])
def test_random_graphs_by_jobs(seed: int, tmp_path: Path) -> None:
    check_jobs(seed, tmp_path)


def test_each_goal_is_drawn_both_forced_and_refuted() -> None:
    graphs = [random_graph(seed) for seed in range(GRAPHS)]
    kinds = {(Goal.parse(g.goal).kind, bool(g.answer()[1])) for g in graphs}
    assert kinds == {(kind, forced) for kind in GoalKind for forced in (False, True)}


@pytest.mark.quick(10)
@pytest.mark.parametrize("seed", range(GRAPHS))
def test_random_graphs(seed: int) -> None:
    check(seed)


@pytest.mark.quick(4)
@pytest.mark.parametrize("seed", [35, 45, 93, 98, 111, 141, 172, 186])
def test_depth_first_search_leaves_loops(seed: int) -> None:
    """Bounds of all nodes are true without the breadth-first search, which settles loops."""
    rng = random.Random(seed)
    names, share, nodes = NAMES[: rng.randint(4, 12)], rng.choice((0.6, 0.8, 0.9)), {}
    for name in names:
        white, count = rng.random() < share, rng.choice((1, 2, 2, 3))
        nodes[name] = Node(white, tuple(sorted(rng.sample(names, count))), False, 0)
    nodes[names[-1]] = Node(True, (), True, 100)
    graph = Graph(nodes, False, "win", None)
    puzzle = graph.puzzle(game(graph.rules))
    search = Search(puzzle, Budget(), threads=1)
    places = {name: search.table.state_of((f"at({name})",)) for name in graph.met()}
    for turns in (0, 1, 2, UNBOUNDED):
        search.work(places["a"], turns, 200, DEPTH_FIRST)
        for name, place in places.items():
            lower, upper = search.table.bounds(place)
            assert lower <= min(graph.turns()[name], UNBOUNDED + 1) <= upper


def test_bounds_at_a_limit_are_true() -> None:
    assert sum(map(check_limits, (3, 24, 33, 67))) > 2


@pytest.mark.quick(5)
@pytest.mark.parametrize("seed", range(GRAPHS, 2 * GRAPHS))
def test_the_grounder_finds_the_same(seed: int) -> None:
    """The search for rules without a net; its certificates are accepted."""
    graph = random_graph(seed)
    prove(graph, SolvedByGrounder(graph.puzzle(game(graph.rules)), Budget(20), lambda _: None))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(GRAPHS, ALL_GRAPHS, 97 * 4))
def test_many_random_graphs(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + amount(12, 97)):
        check(seed)
        check_limits(seed)
    for seed in range(first, first + amount(2, 9)):
        check_table(seed, tmp_path)
        check_jobs(seed, tmp_path)


def test_without_a_net_the_grounder_goes_on() -> None:
    """A net that would be too large; a search that a file keeps still needs one."""
    graph = random_graph(2)
    puzzle = graph.puzzle(game(graph.rules))
    with open_puzzle(puzzle, Budget(20), most_rules=1) as solved:
        assert isinstance(solved, SolvedByGrounder)
    with pytest.raises(TooLarge, match=r"--workers, --dask and --resume need a net$"):
        open_puzzle(puzzle, Budget(20), most_rules=1, resume="search")


def test_a_later_question_to_the_grounder_has_limits_of_its_own() -> None:
    asked = Puzzle.read(load("breakthrough", width=3, height=5).initial, "white", "win", None)
    solved = SolvedByGrounder(asked, Budget(5), lambda _: None)
    solved.root.children()  # which now belong to the first question
    assert solved.at(asked.state, None, Budget(1e-6)).run().verdict == "unknown"
    assert solved.positions < 100
