"""Rules that never end or crash; limits, signals, and clean-up."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from aspgames.cli import legal as legal_verb
from aspgames.cli.program import aspgames as program
from aspgames.runtime.process_messages import resident_bytes
from aspgames.runtime.watchdog import Watchdog
from cli_helpers import (
    Call,
    Oracle,
    Run,
    assert_refused,
    check,
    in_shell,
    run,
    serving,
    started,
    write_rules,
)
from hostile import (
    DIES_LATER,
    DYING,
    ENDLESS_RULES,
    FATAL_RULES,
    GROWING_STATES,
    GROWS_FAST,
    HEAD,
    STRANGE_RULES,
)
from new_process import python
from paths import ROOT
from workers_helpers import is_running, members, wait_for, workers_of

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="nobody watches there")


def test_reading_takes_as_long_as_the_work_may() -> None:
    for seconds in (None, 1000.0):
        watchdog = Watchdog(seconds, float("inf"))
        watchdog.hear(b'{"within": ["the rules can\'t be read", -1]}')
        assert bool(watchdog.trouble(os.getpid())) is (seconds is None)


# --- rules ----------------------------------------------------------------------------------------


def some(names: Iterable[str], *fast: str) -> list[ParameterSet]:
    slow = pytest.mark.slow
    return [pytest.param(name, marks=() if name in fast else slow) for name in names]


@pytest.mark.sample(3)
@pytest.mark.parametrize("what", some(ENDLESS_RULES, "counts up"))
def test_rules_that_never_end_have_a_limit_on_time(tmp_path: Path, what: str) -> None:
    write_rules(tmp_path, HEAD + ENDLESS_RULES[what])
    result = run("legal", "own.lp", "--time", "0.2", cwd=tmp_path)
    assert_refused(result, "within 0.2 s", code=3)


def test_rules_that_take_all_memory_have_a_limit(tmp_path: Path) -> None:
    write_rules(tmp_path, HEAD + ENDLESS_RULES["counts up"])
    result = run("legal", "own.lp", "--memory", "50", cwd=tmp_path)
    assert_refused(result, "within 50 MiB of memory", code=3)


def test_rules_that_clingo_does_not_survive(tmp_path: Path) -> None:
    write_rules(tmp_path, HEAD + FATAL_RULES)
    assert run("legal", "own.lp", cwd=tmp_path).code == 0
    found = run("legal", "own.lp", cwd=tmp_path, environment=DYING)
    assert_refused(found, "clingo didn't survive it (SIGFPE)", code=2)


def test_a_state_that_clingo_does_not_survive(tmp_path: Path) -> None:
    write_rules(tmp_path, DIES_LATER)
    assert run("legal", "own.lp", cwd=tmp_path, environment=DYING).code == 0
    found = run("play", "own.lp", "startpos", "m", cwd=tmp_path, environment=DYING)
    assert_refused(found, "survive", code=2)


ALL = {
    **{what: HEAD + rules for what, rules in (ENDLESS_RULES | STRANGE_RULES).items()},
    "fatal": HEAD + FATAL_RULES,
    **GROWING_STATES,
}
VERBS: dict[str, Sequence[str]] = {
    "legal": (),
    "show": (),
    "play": ("startpos", "m"),
    "why": ("startpos", "m"),
    "perft": ("--depth", "2"),
    "playout": ("-n", "3"),
    "record": ("-n", "3", "-o", "games.parquet"),
    "solve": ("startpos", "--attacker", "a", "--goal", "win", "--within", "2"),
    "match": ("--as", "a"),
    "crosscheck": ("--against", "grounder"),
    "check": ("-n", "3"),
}


PAIRS = [
    (what, verb)
    for number, what in enumerate(ALL)
    for place, verb in enumerate(VERBS)
    if (number + place) % 4 == 0
    and (verb not in ("crosscheck", "match") or what not in {**ENDLESS_RULES, **GROWING_STATES})
]
"""A quarter of the cases: each verb with rules of each kind. Two verbs would take the whole time
limit with some kinds, and half a minute more."""


@pytest.mark.sample(20)
@pytest.mark.slow
@pytest.mark.parametrize(("what", "verb"), PAIRS)
def test_no_rules_bring_a_verb_down(tmp_path: Path, what: str, verb: str) -> None:
    write_rules(tmp_path, ALL[what])
    limits = ("--time", "1", "--memory", "2000")
    arguments = verb, "own.lp", *VERBS[verb], *limits
    result = run(*arguments, cwd=tmp_path, stdin=b"m\nhint\nm\n", environment=DYING)
    assert result.code in (0, 1, 2, 3), result
    assert "Traceback" not in result.err
    if result.code == 2 or not result.out:
        assert result.err.startswith("aspgames: ")
        errors = [line for line in result.err.splitlines() if ": warning: " not in line]
        assert len(errors) == 1


# --- signals --------------------------------------------------------------------------------------


def at_work(folder: Path, *arguments: str) -> subprocess.Popen[Any]:
    """The program working on rules that never end, in its own process group."""
    write_rules(folder, HEAD + ENDLESS_RULES["counts up"])
    words = [sys.executable, "-c", IMPATIENT, *arguments]
    process = subprocess.Popen(words, cwd=folder, stderr=subprocess.PIPE, start_new_session=True)
    wait_for(lambda: len(members(process.pid)) == 2)
    if "own.lp" in arguments:
        wait_for(lambda: sum(map(ticks, members(process.pid))) > STARTED)
    return process


IMPATIENT = """
from aspgames.cli import main, supervisor
supervisor._SLOW_SECONDS = 0.5
main()
"""
"""The program, which waits half a second, not five, for what has noticed Ctrl-C to end."""
STARTED = 35  # hundredths of a second; Python starts in 15, and clingo grounds then


def ticks(number: int) -> int:
    """The processor time of a process; 0 after its end."""
    try:
        fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return int(fields[11]) + int(fields[12])


linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="it looks into /proc")


@linux
@pytest.mark.parametrize("everybody", [False, True], ids=["one", "group"])
@pytest.mark.parametrize(
    "number",
    [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)],
    ids=["int", "term"],
)
def test_what_never_ends_can_be_stopped(
    tmp_path: Path, number: signal.Signals, everybody: bool
) -> None:
    """A terminal sends Ctrl-C to all processes of the group; other programs send it to one."""
    process = at_work(tmp_path, "legal", "own.lp")
    (os.killpg if everybody else os.kill)(process.pid, number)
    _, err = process.communicate(timeout=20)
    assert process.returncode == (130 if number == signal.SIGINT else -signal.SIGTERM)
    assert err == b"aspgames: interrupted\n"
    assert not members(process.pid)


@linux
def test_who_is_killed_leaves_nobody_at_work(tmp_path: Path) -> None:
    process = at_work(tmp_path, "legal", "own.lp")
    process.kill()
    process.communicate(timeout=20)
    wait_for(lambda: not members(process.pid))


@linux
def test_a_server_that_is_killed_leaves_no_worker(tmp_path: Path) -> None:
    process = started("serve", cwd=tmp_path)
    wait_for(lambda: workers_of(process.pid))
    workers = workers_of(process.pid)
    process.kill()
    process.communicate(timeout=20)
    wait_for(lambda: not any(map(is_running, workers)))


@linux
def test_a_terminated_crosscheck_ends_its_engines(tmp_path: Path) -> None:
    write_rules(
        tmp_path, "trap '' HUP TERM INT\necho $$ > alive\nwhile :; do sleep 1; done\n", "deaf.sh"
    )
    words = ["crosscheck", "breakthrough", "--against", "cmd:sh deaf.sh", "--engine-timeout", "90"]
    process = started(*words, cwd=tmp_path)
    wait_for(lambda: (tmp_path / "alive").exists() and (tmp_path / "alive").read_text())
    process.terminate()
    process.communicate(timeout=20)
    assert process.returncode == -signal.SIGTERM
    engine = int((tmp_path / "alive").read_text())
    wait_for(lambda: not members(engine))


# --- output ---------------------------------------------------------------------------------------


BAD = "the output can't be written: Bad file descriptor"
FULL = "the output can't be written: No space left on device"


@pytest.mark.parametrize(
    ("verb", "said"),
    [
        ("legal breakthrough >&-", BAD),
        ("serve >&-", BAD),
        ("--version >&-", BAD),
        ("games >/dev/full", FULL),
        ("serve >/dev/full", FULL),
        ("legal breakthrough - <&-", "standard input is closed"),
        ("serve <&-", "standard input is closed"),
    ],
)
def test_streams_that_are_closed_or_full(tmp_path: Path, verb: str, said: str) -> None:
    result = in_shell(f"""echo '{{"op":"hello"}}' | PROGRAM {verb}""", tmp_path)
    assert_refused(result, said, code=result.code)
    assert result.code != 0


@pytest.mark.parametrize("output", ["/dev/full", "."])
def test_results_cannot_be_written(tmp_path: Path, output: str) -> None:
    puzzle = b'{"game":"breakthrough"}\n'
    result = run("solve", "--puzzles", "-", "--output", output, cwd=tmp_path, stdin=puzzle)
    assert_refused(result, "can't be written")


@linux
def test_a_pipe_with_a_name_gets_the_whole_output(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with started("export", "nim", "-o", "pipe", cwd=tmp_path) as writer:
        try:
            reader = in_shell("timeout 60 cat pipe", tmp_path)
            assert "(role white)" in reader.out
            assert writer.wait(60) == 0
        finally:
            writer.kill()


@pytest.mark.parametrize("size", ["1000000000,1000000000", "0,3", "3,-3", "a,b"])
def test_a_board_that_can_not_be_drawn(call: Call, folder: Path, size: str) -> None:
    write_rules(folder, HEAD + f"#program board. board({size}).")
    assert_refused(call("show", "own.lp"), "board")


@linux
def test_a_folder_whose_name_is_not_utf_8(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"nowhere\xff")
    folder.mkdir()
    write_rules(folder, HEAD)
    assert run("legal", "own.lp", cwd=folder).code == 0
    assert run("why", "own.lp", "startpos", "m", cwd=folder).code == 0
    write_rules(folder, HEAD + "terminal :- not p(X).")
    assert_refused(run("legal", "own.lp", cwd=folder), "own.lp:2", "unsafe")


# --- the supervisor itself ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("work", "code", "said"),
    [
        ("time.sleep(20)", 3, "from 0 to 1\n"),
        ("os.kill(os.getppid(), signal.SIGINT); time.sleep(20)", 130, "interrupted\n"),
        ("tell(known=None); time.sleep(20)", 3, ""),
    ],
)
def test_what_is_known_of_killed_work_is_printed(work: str, code: int, said: str) -> None:
    patch = "signal.signal(signal.SIGINT, lambda *_: None)"
    known = "tell(known=('from 0 to 1', 'interrupted'))"
    result = watched(f"{known}; {work}", 0.3, None, 0.2, before=patch)
    assert (result.code, result.out, result.err.count("\n")) == (code, said, 1)


SLOW_NET = """n(1..900). next(large) :- does(random,die(6)).
goal(player,1) :- true(large), n(A), n(B), n(C), n(D), A*B*C*D = 3."""


@pytest.mark.slow
def test_a_puzzle_whose_net_takes_too_long_has_bounds(folder: Path) -> None:
    write_rules(folder, (ROOT / "tests/data/dice.lp").read_text() + SLOW_NET)
    for more, said in (
        ((), "at least 0 and at most 1.\n"),
        (("--json",), '"probability_at_most": "1"'),
    ):
        result = run("solve", "own.lp", "--goal", "win", "--time", "1", *more, cwd=folder)
        assert (result.code, said in result.out) == (3, True), result
    with oracle(folder, (ROOT / "tests/data/dice.lp").read_text() + SLOW_NET) as found:
        asked = {"op": "solve", "game": "own", "position": "startpos", "goal": "win", "time": 0.5}
        answer = found.ask({**asked, "chance": None, "id": 7})
    assert [answer[key] for key in ("id", "verdict", "probability_at_most")] == [7, "unknown", "1"]


def watched(work: str, *limits: float | None, before: str = "") -> Run:
    """The result of a supervised program."""
    script = f"""if True:
        import os, signal, sys, time
        from aspgames.cli import supervisor
        from aspgames.runtime.process_messages import tell, within
        {before}
        code = supervisor.supervise(*{limits!r})
        if code is None:
            {work}
            code = 7
        sys.exit(code)
    """
    return python(script)


def test_the_exit_code_and_the_output_are_those_of_the_work() -> None:
    assert watched("print('done')") == Run(7, "done\n", "")


SAVED = "tell(saving=9); time.sleep(1.2); tell(saving=None)"


@pytest.mark.parametrize(
    ("work", "code", "words"),
    [
        (SAVED, 7, ""),
        (f"os.kill(os.getppid(), signal.SIGINT); tell(heard=True); {SAVED}", 7, ""),
        (f"{SAVED}; time.sleep(20)", 3, "no answer within 0.3 seconds"),
        ("tell(saving=0.1); time.sleep(20)", 3, "no answer within 0.3 seconds"),
    ],
)
def test_work_that_is_being_saved_is_not_ended(work: str, code: int, words: str) -> None:
    """Until the save ends, or nothing is heard of it."""
    patch = "supervisor._SLOW_SECONDS = 0.6; signal.signal(signal.SIGINT, lambda *_: None); "
    result = watched(work, 0.3, None, 0.2, before=patch)
    if code == 7:
        assert result == Run(7, "", "")
    else:
        assert_refused(result, words, code=code)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("work", "code", "words"),
    [
        ("time.sleep(20)", 3, "no answer within 0.3 seconds"),
        ("tell(seconds=None); time.sleep(0.8)", 7, ""),
        (
            "tell(seconds=None); tell(seconds=0.1); time.sleep(20)",
            3,
            "no answer within 0.1 seconds",
        ),
        (
            "tell(within=('f.lp can\\'t be read', .1)); time.sleep(20)",
            3,
            "f.lp can't be read within",
        ),
        ("tell(within=('this', .1)); tell(within=None); tell(seconds=9); time.sleep(0.8)", 7, ""),
        ("tell(over=7); time.sleep(20)", 7, ""),
        ("os.kill(os.getpid(), signal.SIGFPE)", 2, "clingo didn't survive it (SIGFPE)"),
        ("os.kill(os.getpid(), signal.SIGKILL)", 3, "ended from elsewhere (SIGKILL)"),
    ],
)
def test_what_becomes_of_work(work: str, code: int, words: str) -> None:
    result = watched(work, 0.3, None, 0.2)
    if code == 7:
        assert result == Run(7, "", "")
    else:
        assert_refused(result, words, code=code)


@pytest.mark.parametrize(
    ("words", "late"),
    [
        (["legal", "amazons"], 0.0),
        (["why", "amazons", "startpos", "--terminal"], 0.0),
        (["perft", "amazons", "--depth", "1"], None),
    ],
)
def test_only_verbs_that_end_by_themselves_get_more_time(
    words: list[str], late: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[tuple[float | None, ...]] = []

    def supervised(*limits: float | None) -> int:
        given.append(limits)
        return 0

    monkeypatch.setattr("aspgames.cli.verb.supervise", supervised)
    program.main([*words, "--time", "2"], standalone_mode=False, obj=True)
    assert given == [(2.0, None, late)]


def test_memory_is_looked_at(tmp_path: Path) -> None:
    del tmp_path
    assert_refused(watched("x = b'1' * 300_000_000; time.sleep(20)", None, 2e8), "190.7", code=3)
    assert resident_bytes(os.getpid()) > 1e6
    assert resident_bytes(2**22 + 1) == 0


@linux
def test_what_the_work_has_started_ends_with_it() -> None:
    """Even if the work ends by itself without ending the process."""
    start = "import subprocess; p = subprocess.Popen(['sleep', '60'], start_new_session=True)"
    result = watched(f"{start}; tell(started=p.pid); print(p.pid)")
    assert result.code == 7
    wait_for(lambda: not members(int(result.out)))


@pytest.mark.slow
def test_a_second_ctrl_c_is_not_needed_by_who_goes_on() -> None:
    """The process heard the signal and continues: the supervisor doesn't kill it."""
    work = """signal.signal(signal.SIGINT, lambda *_: tell(heard=True)); \
os.kill(os.getppid(), signal.SIGINT); time.sleep(0.5); tell(heard=False); time.sleep(6)"""
    assert watched(work) == Run(7, "", "")


def test_a_defect_is_told_in_one_line(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 1 would mean a negative answer."""

    def defective(*_: object) -> None:
        raise KeyError("nobody thought of it")

    monkeypatch.setattr(legal_verb, "status", defective)
    result = call("legal", "breakthrough")
    assert_refused(result, "a defect of aspgames", "nobody thought of it", "test_limits", code=70)


@pytest.mark.parametrize("limit", ["--time", "--memory"])
@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_refuses_a_senseless_limit(call: Call, verb: str, limit: str) -> None:
    arguments = [word for word in VERBS[verb] if word not in ("--time", "1")]
    for value in ("0", "-1", "nan", "inf"):
        told = "a finite number above zero"
        assert_refused(call(verb, "breakthrough", *arguments, limit, value), told)


# --- the oracle -----------------------------------------------------------------------------------

START_THEN_ENDLESS = HEAD + "p(0) :- true(x). p(N+1) :- p(N). terminal :- p(-1)."


@contextmanager
def oracle(folder: Path, rules: str, *options: str) -> Iterator[Oracle]:
    """The server with a game, ``own.lp``."""
    write_rules(folder, rules)
    with serving(folder, "--load", "own.lp", *options) as found:
        yield found


def test_the_oracle_survives_what_clingo_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", DYING["PYTHONPATH"])
    with oracle(tmp_path, DIES_LATER) as found:
        for _ in range(6):  # after some requests a net pays, which crashes clingo
            legal = found.ask({"op": "legal", "game": "own"})
            assert legal["facts"] == ["c"]
            request = {"op": "play", "game": "own", "moves": ["m"], "id": [1]}
            answer = check(found.ask(request), "error")
            assert "clingo didn't survive it" in answer["error"]
            assert answer["id"] == [1]


@pytest.mark.slow
def test_the_oracle_keeps_to_the_time(tmp_path: Path) -> None:
    with oracle(tmp_path, START_THEN_ENDLESS) as found:
        late = found.ask({"op": "legal", "game": "own", "time": 0.2, "id": "x"})
        assert (check(late, "error")["kind"], late["id"]) == ("limit", "x")
        assert late["error"] == "no answer within 0.2 seconds"
        puzzle = {"game": "own", "position": "startpos", "attacker": "a", "goal": "win"}
        solve = {"op": "solve", **puzzle, "time": 0.2, "id": "y"}
        answer = check(found.ask(solve), "solution")
        assert (answer["verdict"], answer["id"]) == ("unknown", "y")
        assert found.ask({"op": "legal", "game": "breakthrough"})["to_move"] == "white"


@linux
@pytest.mark.slow
def test_the_oracle_keeps_to_its_memory(tmp_path: Path) -> None:
    with oracle(
        tmp_path, f"{START_THEN_ENDLESS} p(1..1000000000) :- true(x).", "--memory", "300"
    ) as found:
        answer = check(found.ask({"op": "legal", "game": "own", "time": 200}), "error")
    assert (answer["kind"], answer["error"]) == ("limit", "no answer within 300 MiB of memory")


@linux
@pytest.mark.slow
def test_the_oracle_begins_anew_when_it_has_grown(tmp_path: Path) -> None:
    """clingo never frees texts."""
    processes = set()
    with oracle(tmp_path, HEAD, "--memory", "120") as found:
        for number in range(40):
            constants = {"width": "x" * 1_000_000 + str(number)}
            request = {"op": "legal", "game": "breakthrough", "const": constants}
            assert found.ask(request)["kind"] == "bad_constant"
            processes.update(workers_of(found.pid))
    assert len(processes) > 1


@linux
@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "words"),
    [(GROWS_FAST + " role(R) :- p(R).", "within"), (FATAL_RULES + " role(c) :- fatal.", "survive")],
)
def test_games_that_can_not_be_read_are_refused_at_the_start(
    tmp_path: Path, rules: str, words: str
) -> None:
    write_rules(tmp_path, HEAD + rules)
    options = ("--load", "own.lp", "--memory", "160")
    result = run("serve", *options, cwd=tmp_path, environment=DYING)
    assert_refused(result, words, code=result.code)
    assert result.code in (2, 3)
