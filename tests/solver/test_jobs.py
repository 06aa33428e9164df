"""One puzzle searched by jobs: the same answer as without, for any executor and any failure."""

import json
import math
import random
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import aspgames
from aspgames.puzzle.problem import Puzzle
from aspgames.puzzle.proof import certificate as certifying
from aspgames.puzzle.proof.certificate import certificate
from aspgames.puzzle.proof.verify import verify
from aspgames.puzzle.solution import Solution
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import BadRequest, ExecutorFailed, LimitReached, Rejected
from aspgames.runtime.workers.journal import Journal
from aspgames.solver.jobs.job_results import JobQuestion
from aspgames.solver.jobs.job_search import Efforts, JobSearch
from aspgames.solver.search.puzzle_search import Search
from cli_helpers import PUZZLE, Call, assert_refused, run
from game_texts import FAR
from helpers import few_fast
from paths import TESTS
from proofs import proved, puzzle_of
from puzzle_files import SAMPLE
from workers_helpers import kept as kept_tasks

TINY = Efforts(first=0, here=0, least=50)
"""So small that even an easy puzzle needs a tree."""


class Here(Executor):
    """Does each task at once, in this process."""

    number = 1

    def __init__(self, fails: int = 0, how: BaseException | None = None) -> None:
        self.left, self.how = fails, how or LimitReached("it was too much")
        """The number of tasks that fail before the others succeed."""
        self.asked: list[Any] = []

    def submit(self, fn: Any, /, *args: Any, **_named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.asked += args
        self.left -= 1
        if self.left >= 0:
            future.set_exception(self.how)
        else:
            future.set_result(json.loads(json.dumps(fn(*args))))
        return future


def questions(executor: Here) -> set[tuple[Any, float]]:
    return {(a.facts, a.turns) for a in executor.asked if isinstance(a, JobQuestion)}


def told(solution: Solution) -> tuple[Any, ...]:
    """The results that must be the same for all executors."""
    return (
        solution.verdict,
        solution.distance,
        solution.keys,
        solution.line,
        solution.keys_text,
        solution.line_text,
        solution.replies,
    )


SMALL = {"game": "breakthrough", "const": {"width": 3, "height": 4}, "goal": "win"}
SECOND_WINS = puzzle_of(SMALL, position="startpos", attacker="black")
FIRST_LOSES = puzzle_of(SMALL, position="startpos", attacker="white")
KEYS = puzzle_of(SMALL, position="1p1/3/P1P/3 w", attacker="white")


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    ("puzzle", "within"),
    [
        (KEYS, None),
        (KEYS, 1),
        (FIRST_LOSES, 1),
        pytest.param(KEYS, 2, marks=SLOW),
        pytest.param(FIRST_LOSES, None, marks=SLOW),
        pytest.param(SECOND_WINS, 2, marks=SLOW),
        pytest.param(SECOND_WINS, None, marks=SLOW),
    ],
)
def test_answers_and_certificates_are_those_of_one_search(
    puzzle: Puzzle, within: int | None
) -> None:
    puzzle = Puzzle.of(puzzle.state, puzzle.attacker, puzzle.goal.text, within)
    executor = Here()
    with JobSearch(puzzle, Budget(), executor, efforts=TINY) as search:
        solution = search.run()
        proved(search, solution)
    assert told(solution) == told(Search(puzzle, Budget()).run())
    assert executor.asked
    with JobSearch(puzzle, Budget(), Here(), efforts=TINY) as search:
        assert search.run(first=True).verdict == solution.verdict


def test_the_progress_has_all_jobs_and_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aspgames.solver.search.pace._LEAST_EFFORT", 1)
    lines: list[str] = []
    with (
        ThreadPoolExecutor(2) as pool,
        JobSearch(SECOND_WINS, Budget(), pool, lines.append, efforts=TINY) as search,
    ):
        search.run()
    running = [line for line in lines if " running, " in line]
    assert sum(" 2 running, " in line for line in running) > len(running) / 2
    assert any(" left (" in line for line in running)


@pytest.mark.sample(4)
@pytest.mark.slow
@pytest.mark.parametrize("asked", SAMPLE[::3])
def test_puzzles_whose_answers_are_known(asked: dict[str, Any]) -> None:
    puzzle = puzzle_of(asked)
    with ThreadPoolExecutor(2) as pool, JobSearch(puzzle, Budget(), pool, efforts=TINY) as search:
        solution = search.run()
        proved(search, solution)
    assert asked["answer"] == {
        "verdict": solution.verdict,
        "distance": solution.distance,
        "keys": len(solution.keys),
    }
    assert told(solution) == told(Search(puzzle, Budget()).run())


@pytest.mark.sample(6)
@pytest.mark.parametrize("seed", few_fast(4, 12))
@pytest.mark.parametrize(
    "puzzle", [KEYS, puzzle_of(SMALL, position="1p1/3/P1P/3 w", attacker="black")]
)
def test_forged_results_make_no_certificate_that_is_accepted(
    puzzle: Puzzle, seed: int, tmp_path: Path
) -> None:
    """The checksums are right: a false answer is possible, a false proof isn't."""
    chance, truth = random.Random(seed), Search(puzzle, Budget()).run()
    with JobSearch(puzzle, Budget(), Here(), resume=tmp_path / "kept", efforts=TINY) as search:
        search.run()
    with Journal(tmp_path / "kept") as journal:
        for key in kept_tasks(tmp_path / "kept"):
            found, bound = journal.find(key), chance.choice([0, 1, 2, None, -1])
            if chance.random() < 0.3:
                found["known"][chance.randrange(2)] = bound
            if found["children"] and chance.random() < 0.3:
                chance.choice(found["children"])[chance.randrange(2)] = bound
            if chance.random() < 0.1:
                found["children"] = found["children"][1:]
            journal.keep(key, found)
    try:
        with JobSearch(puzzle, Budget(9), Here(), resume=tmp_path / "kept", efforts=TINY) as search:
            proof = json.loads(json.dumps(certificate(search, search.run())))
        accepted = verify(proof)
    except (BadRequest, LimitReached, Rejected):
        return
    assert (accepted.verdict, accepted.distance) == (truth.verdict, truth.distance)


def test_a_certificate_that_is_too_large_is_given_up_when_that_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first parts are enough; the search doesn't wait for the others."""
    with JobSearch(FIRST_LOSES, Budget(), Here(), efforts=TINY) as search:
        solution = search.run()
        # More than one part of this puzzle has, and fewer than all have together.
        monkeypatch.setattr(certifying, "_MOST_NODES", 200)
        with pytest.raises(LimitReached, match="would have more than 200 nodes"):
            certificate(search, solution)
        assert 0 < len(search.parts) < len(search._wanted)


def test_an_easy_puzzle_needs_no_job() -> None:
    executor = Here()
    with JobSearch(SECOND_WINS, Budget(), executor) as search:
        solution = search.run()
        assert certificate(search, solution)["distance"] == solution.distance
    assert solution.verdict == "forced"
    assert not executor.asked
    assert len(search.tree) == 0


def test_jobs_ask_for_the_verdict_until_it_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit then leaves a verdict, even if the distance would take much longer."""
    asked, decide = [], JobSearch.decide

    def noted(search: JobSearch, questions: Any, effort: float = math.inf) -> None:
        asked.append((questions[0][1], search.bounds[1] < math.inf))
        decide(search, questions, effort)

    monkeypatch.setattr(JobSearch, "decide", noted)
    efforts = Efforts(first=0, here=1, least=50, both=1)
    with JobSearch(FIRST_LOSES, Budget(), Here(), efforts=efforts) as search:
        assert search.run().verdict == "not_forced"
    with JobSearch(SECOND_WINS, Budget(), Here(), efforts=efforts) as search:
        assert search.run().distance == 6
    assert (1, False) in asked
    assert (math.inf, False) in asked
    assert (math.inf, True) not in asked


@pytest.mark.slow
def test_what_is_known_of_a_position_serves_its_mirror_image() -> None:
    """A mirror image has its moves in another order; their results must not be mixed up."""
    larger = {"game": "breakthrough", "const": {"width": 3, "height": 5}, "goal": "win"}
    puzzle = puzzle_of(larger, position="startpos", attacker="black")
    with JobSearch(puzzle, Budget(), Here(), efforts=Efforts(0, 3000, 3000)) as search:
        left, *_, right = (child for _, child in search.root.children())
        for _, image in left.children():
            search.tree.node(image.here)
        for _, child in right.children():
            child.forced(7)
        nodes = list(search.tree)
    alone = Search(puzzle, Budget())
    bounds = []
    for node in nodes:
        state = alone.table.state_of(tuple(node.position.fluents))
        if 0 < node.lower < math.inf:
            bounds.append(not alone.forces(state, int(node.lower) - 1))
        if node.upper < math.inf:
            bounds.append(alone.forces(state, int(node.upper)))
    assert len(bounds) > 20
    assert all(bounds)


def test_jobs_that_fail_have_their_positions_divided() -> None:
    with JobSearch(KEYS, Budget(), Here(fails=2), efforts=TINY) as search:
        assert told(search.run()) == told(Search(KEYS, Budget()).run())
    with JobSearch(KEYS, Budget(), Here(fails=100), efforts=TINY) as search:
        assert search.run().verdict == "unknown"


def test_an_executor_that_does_nothing_is_told_of() -> None:
    with (
        JobSearch(KEYS, Budget(), Here(9, CancelledError()), efforts=TINY) as search,
        pytest.raises(ExecutorFailed, match="given up"),
    ):
        search.run()
    with pytest.raises(BadRequest, match="an executor is one of"):
        aspgames.solve(KEYS.state, attacker="white", goal="win", executor=3)  # type: ignore[arg-type]


@pytest.mark.slow
def test_one_role_and_lines_that_go_round_are_for_one_process(tmp_path: Path) -> None:
    (tmp_path / "round.lp").write_text(FAR)
    asked = {"game": str(tmp_path / "round.lp"), "position": "startpos", "goal": "win"}
    for attacker in ("white", "black"):
        puzzle = puzzle_of(asked, attacker=attacker)
        with JobSearch(puzzle, Budget(), Here(), efforts=TINY) as search:
            assert told(search.run()) == told(Search(puzzle, Budget()).run())
    pegs = {"game": str(TESTS / "data/pegs.lp"), "position": "startpos"}
    puzzle = puzzle_of(pegs, attacker="player", goal="win")
    executor = Here()
    with JobSearch(puzzle, Budget(), executor, efforts=TINY) as search:
        assert told(search.run()) == told(Search(puzzle, Budget()).run())
    assert not executor.asked


# --- interrupted and continued --------------------------------------------------------------------


@pytest.mark.slow
def test_what_was_found_is_not_looked_for_again(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    first, again, last = Here(), Here(), Here()
    with JobSearch(SECOND_WINS, Budget(None, 60), first, resume=kept, efforts=TINY) as search:
        assert search.run().verdict == "unknown"
    with JobSearch(SECOND_WINS, Budget(), again, resume=kept, efforts=TINY) as search:
        solution = search.run()
        proved(search, solution)
    assert told(solution) == told(Search(SECOND_WINS, Budget()).run())
    assert first.asked
    assert not questions(first) & questions(again)
    with JobSearch(SECOND_WINS, Budget(), last, resume=kept, efforts=TINY) as search:
        assert told(search.run()) == told(solution)
    assert not last.asked


@pytest.mark.slow
def test_a_file_may_be_of_several_puzzles_and_must_be_one_of_results(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    for puzzle in (SECOND_WINS, FIRST_LOSES, SECOND_WINS):
        with JobSearch(puzzle, Budget(), Here(), resume=kept, efforts=TINY) as search:
            assert told(search.run()) == told(Search(puzzle, Budget()).run())
    kept.write_text("{}\n")
    with pytest.raises(BadRequest, match="kept is no file of kept results"):
        JobSearch(KEYS, Budget(), Here(), resume=kept)


# --- the command line -----------------------------------------------------------------------------

BOARD = ["solve", "breakthrough", "startpos", "-c", "width=3", "-c", "height=5"]
ASKED = [*BOARD, "--attacker", "black", "--goal", "win", "--workers", "2", "--resume", "kept"]


def test_the_program_answers_as_without_workers(tmp_path: Path) -> None:
    position = [PUZZLE["position"], "--attacker", PUZZLE["attacker"], "--goal", PUZZLE["goal"]]
    alone = run("solve", "breakthrough", *position, "--json", cwd=tmp_path)
    shared = run("solve", "breakthrough", *position, "--json", "--workers", "2", cwd=tmp_path)
    answers = [json.loads(each.out) for each in (alone, shared)]
    for answer in answers:
        del answer["seconds"], answer["positions"]
    assert answers[0] == answers[1]
    assert (shared.code, shared.err) == (alone.code, alone.err)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--together"], "--together is for one process"),
        (["--table", "x"], "--table is for one process"),
        (["--dask", "x:1"], "--workers and --dask don't go together"),
        (["--workers", "0"], "workers must be a whole number from 1"),
    ],
)
def test_what_cannot_be_is_refused(call: Call, options: list[str], words: str) -> None:
    assert_refused(call(*ASKED[:-2], *options), words)


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


def results(path: Path) -> int:
    return len(kept_tasks(path))


@needs_proc
@pytest.mark.slow
def test_a_board_is_solved_with_a_certificate(tmp_path: Path) -> None:
    found = run(*ASKED, "--json", "--certificate", "proof.json", cwd=tmp_path)
    answer = json.loads(found.out)
    assert (found.code, answer["verdict"], answer["distance"]) == (0, "forced", 9)
    assert len(answer["line"]) == 18
    assert results(tmp_path / "kept")
    checked = verify(json.loads((tmp_path / "proof.json").read_text()))
    assert (checked.verdict, checked.distance) == ("forced", 9)
