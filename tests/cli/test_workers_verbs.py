"""``perft``, ``playout`` and ``verify`` with many processes: the same results as with one."""

import concurrent.futures
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import aspgames
from aspgames import Workers
from aspgames.cli import main
from aspgames.play.perft import divide, perft
from aspgames.play.playout import playouts
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import BadRequest, OutOfTime
from aspgames.runtime.workers.journal import Journal
from cli_helpers import DOCS, ENDLESS, FILES, Call, assert_refused, check, run
from workers_helpers import kept

SMALL = aspgames.load("breakthrough", width=4, height=5).initial
CERTIFICATE = DOCS.parent / "examples/puzzles/breakthrough_3x4.certificate.json"
SHEET = DOCS.parent / "examples/tictactoe.kif"
JOINT = "rock_paper_scissors"


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    with Workers(2) as found:
        yield found


# --- perft ----------------------------------------------------------------------------------------


@pytest.mark.quick(2)
@pytest.mark.parametrize("reasoner", [None, "propnet", "grounder"])
@pytest.mark.parametrize("depth", [1, 2, 4])
def test_counts_are_the_same(workers: Workers, reasoner: str | None, depth: int) -> None:
    state = aspgames.load("breakthrough", width=3, height=4).initial
    alone = divide(state, depth, reasoner=reasoner)
    told: list[int] = []
    found = divide(state, depth, reasoner=reasoner, executor=workers, progress=told.append)
    assert (list(found.items()), list(told[-1:])) == (
        list(alone.items()),
        [sum(alone.values())] if depth > 1 else [],
    )
    assert perft(state, depth, reasoner=reasoner, executor=workers) == sum(alone.values())
    assert perft(state, 0, executor=workers) == 1


@pytest.mark.parametrize("game", [str(SHEET), str(JOINT), "amazons_8x8", "skirmish"])
def test_counts_of_all_kinds_of_games_are_the_same(workers: Workers, game: str) -> None:
    state = aspgames.load(game).initial
    depth = 3 if game == str(SHEET) else 2
    assert divide(state, depth, executor=workers) == divide(state, depth)


def test_a_game_that_is_over_counts_nothing(workers: Workers) -> None:
    over = aspgames.load("breakthrough").position("P7/8/8/8/8/8/p7/8 b")
    assert over.is_terminal
    assert (perft(over, 3, executor=workers), divide(over, 3, executor=workers)) == (0, {})


def test_pieces_that_are_kept_are_not_counted_again(workers: Workers, tmp_path: Path) -> None:
    file = tmp_path / "kept"
    wanted = perft(SMALL, 5)
    assert perft(SMALL, 5, executor=workers, resume=file) == wanted
    pieces = kept(file)
    assert len(pieces) > 100
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("DELETE FROM results WHERE rowid > 50")
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        assert perft(SMALL, 5, executor=threads, resume=file) == wanted
    assert sorted(kept(file)) == sorted(pieces)
    with Journal(file) as journal:
        journal.keep(pieces[0], journal.find(pieces[0]) + 1000)
    assert perft(SMALL, 5, resume=file) == wanted + 1000, "it was counted again"


@pytest.mark.slow
def test_damaged_results_are_computed_again(workers: Workers, tmp_path: Path) -> None:
    file, wanted = tmp_path / "kept", perft(SMALL, 4)
    perft(SMALL, 4, resume=file)
    for executor in (None, workers):
        with closing(sqlite3.connect(file)) as database, database:
            database.execute("UPDATE results SET result = replace(result, '1', '2')")
        with pytest.warns(UserWarning, match="kept has damaged results"):
            assert perft(SMALL, 4, executor=executor, resume=file) == wanted
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE results SET result = 'null' WHERE rowid < 4")
    words = ["perft", "breakthrough", "-c", "width=4", "-c", "height=5", "--depth", "4"]
    told = "aspgames: warning: kept has damaged results: they are computed again\n"
    for error in (told, ""):
        found = run(*words, "--resume", "kept", cwd=tmp_path)
        assert (found.code, found.out, found.err) == (0, f"{wanted} nodes\n", error)


def test_time_that_is_over_leaves_the_moves_that_are_counted(workers: Workers) -> None:
    state = aspgames.load("breakthrough").initial
    into: dict[str, int] = {}
    with pytest.raises(OutOfTime):
        divide(state, 30, executor=workers, budget=Budget(0.3), into=into)
    assert into == {}


def test_a_worker_that_cannot_be_had_is_told() -> None:
    for wrong in (3, "workers", object):
        with pytest.raises(BadRequest, match="an executor is one of"):
            perft(SMALL, 3, executor=wrong)  # type: ignore[arg-type]
    done = Workers(1)
    done.shutdown()
    with pytest.raises(RuntimeError):
        perft(SMALL, 3, executor=done)


def test_a_count_on_the_command_line(call: Call) -> None:
    asked = ["perft", "breakthrough", "--depth", "3", "--divide", "--json"]
    alone = check(call(*asked).json, "perft")
    for more in (["--resume", "kept"], ["--workers", "1", "--resume", "kept"]):
        assert call(*asked, *more).json == alone
    assert call(*asked[:4], "--workers", "1").out == f"{alone['nodes']} nodes\n"


# --- random games ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("reasoner", "games"), [(None, 20_000), ("grounder", 9), (None, 0)])
def test_random_games_are_the_same(workers: Workers, reasoner: str | None, games: int) -> None:
    alone = playouts(SMALL, games, 7, reasoner=reasoner)
    told: list[int] = []
    shared = playouts(SMALL, games, 7, reasoner=reasoner, executor=workers, progress=told.append)
    assert (shared.results, shared.lengths) == (alone.results, alone.lengths)
    assert (told[-1] if told else 0) == shared.games == games
    other = playouts(SMALL, games, 8, reasoner=reasoner, executor=workers)
    assert not games or other.lengths != alone.lengths


def test_games_that_are_kept_are_not_played_again(workers: Workers, tmp_path: Path) -> None:
    file = tmp_path / "kept"
    alone = playouts(SMALL, 30_000, 7)
    for number, executor in ((20_000, workers), (30_000, None), (30_000, workers)):
        found = playouts(SMALL, number, 7, executor=executor, resume=file)
    assert (found.results, found.lengths) == (alone.results, alone.lengths)
    assert len(kept(file)) == 5, "three blocks, of which the last was cut off, and two more"


def test_random_games_that_never_end_are_stopped(workers: Workers, tmp_path: Path) -> None:
    (tmp_path / "endless.lp").write_text(ENDLESS)
    state = aspgames.load(tmp_path / "endless.lp").initial
    with pytest.raises(OutOfTime):
        playouts(state, 10, executor=workers, budget=Budget(0.3), max_plies=10**9)


# --- certificates ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_several_certificates(tmp_path: Path) -> None:
    good = CERTIFICATE.read_text()
    wrong = json.loads(good) | {"distance": 1}
    files = {
        "good": good,
        "wrong": json.dumps(wrong),
        "none": "[]",
        "own": own_certificate(tmp_path),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    asked = ["verify", "good", "missing", "wrong", "none", "own", "good"]
    alone = run(*asked, "--json", cwd=tmp_path)
    found = alone.lines
    assert [answer["file"] for answer in found] == asked[1:]
    assert [answer.get("verified") for answer in found] == [True, None, False, None, True, True]
    for answer in found:
        check(answer, "error" if "error" in answer else "verification")
    for more in (["--workers", "2"], ["--resume", "kept"], ["--workers", "2", "--resume", "kept"]):
        shared = run(*asked, *more, "--json", cwd=tmp_path)
        again = shared.lines
        assert list(map(untimed, again)) == list(map(untimed, found))
        assert (alone.code, shared.code, shared.err) == (2, 2, "")
    assert len(kept(tmp_path / "kept")) == 3, "the same one isn't checked twice"
    told = run(*asked, "--workers", "2", cwd=tmp_path).out.splitlines()
    assert told[0].startswith("good: Verified: white can win")
    assert told[1].startswith("missing can't be opened")
    assert told[2].startswith("wrong: Rejected: ")


def untimed(answer: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in answer.items() if key != "seconds"}


def own_certificate(folder: Path) -> str:
    """A certificate of a user's own game."""
    (folder / "tictactoe.lp").write_bytes(FILES["tictactoe.lp"])
    asked = ["tictactoe.lp", "startpos", "--attacker", "xplayer", "--goal", "win", "--within", "3"]
    run("solve", *asked, "--certificate", "own", cwd=folder)
    return (folder / "own").read_text()


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("names", "code"), [(["good"], 0), (["good", "wrong"], 1), (["wrong", "none"], 2)]
)
def test_exit_codes_of_several_certificates(
    call: Call, tmp_path: Path, names: list[str], code: int
) -> None:
    good = CERTIFICATE.read_text()
    (tmp_path / "good").write_text(good)
    (tmp_path / "wrong").write_text(json.dumps(json.loads(good) | {"distance": 1}))
    (tmp_path / "none").write_text("[]")
    assert call("verify", *names, "--workers", "1").code == code


def test_certificates_that_take_too_long_are_undecided_each(call: Call) -> None:
    result = call("verify", *[str(CERTIFICATE)] * 2, "--time", "0.000001")
    assert (result.code, result.out.count("no answer within 1e-06 seconds")) == (3, 2)
    assert_refused(call("verify", "-", "-"), "standard input")


@pytest.mark.parametrize("verb", ["perft", "playout"])
def test_a_limit_on_memory_is_for_each_worker(verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float | None] = []

    class Asked(Workers):
        def __init__(self, number: int | None, *, most_bytes: float | None = None) -> None:
            asked.append(most_bytes)
            super().__init__(number, most_bytes=most_bytes)

    monkeypatch.setattr("aspgames.runtime.workers.worker_pool.Workers", Asked)
    words = [verb, "breakthrough", *(["--depth", "1"] if verb == "perft" else ["-n", "1"])]
    with pytest.raises(SystemExit):
        main([*words, "--workers", "1", "--memory", "500"])
    assert asked == [500 << 20]
