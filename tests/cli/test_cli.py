"""The command line, used as a user does.

Most runs are separate processes. For many inputs of one kind, the command line is called in this
process, from the same folder of odd files.
"""

import os
import re
import shlex
import signal
import time
from pathlib import Path

import clingo
import pytest

from aspgames.cli.program import aspgames as group
from aspgames.composer.book import page_net
from aspgames.game.picture.shapes import SHAPES
from cli_helpers import (
    PUZZLE,
    SOLVE,
    TICTACTOE,
    WON_IN_ONE,
    Call,
    Run,
    assert_refused,
    check,
    in_shell,
    jsonl,
    path_to_program,
    run,
)
from helpers import FIVE
from new_process import python
from paths import ROOT
from terminal import Terminal
from workers_helpers import begin

COMPUTED = "cell(1,1+1,white) control(white)"  # clingo's parser would compute it
SMALL = ["-c", "width=4", "-c", "height=5"]  # a Breakthrough that is quick to count
FOREVER = ["perft", "breakthrough", "--depth", "9"]


def test_a_byte_order_mark_is_ignored(call: Call, tmp_path: Path) -> None:
    mark = b"\xef\xbb\xbf"
    rules, position = tmp_path / "marked.lp", tmp_path / "marked.fen"
    rules.write_bytes(mark + TICTACTOE.encode())
    position.write_bytes(mark + b"3/3/3 w\r\n")
    for words in (["legal", str(rules)], ["legal", "tictactoe", f"@{position}"]):
        assert call(*words).code == 0
    solved = call("solve", "--puzzles", "-", stdin=mark + jsonl(PUZZLE))
    assert solved.json["verdict"] == "forced"


# --- the output of each verb ----------------------------------------------------------------------


def test_games(call: Call) -> None:
    listed = check(call("games", "--json").json, "games")
    names = [game["game"] for game in listed]
    assert names == sorted(names)
    assert {*FIVE, "othello", "queens", "fairy/atomic", "fairy/camel"} <= set(names)
    by_name = {game["game"]: game for game in listed}
    assert [game["game"] for game in listed if game["title"] == "Chess"] == ["chess"]
    assert by_name["fairy/camel"]["title"] == "Chess with camels"
    assert by_name["breakthrough"]["const"] == {"width": 8, "height": 8}
    assert by_name["amazons"]["const"] == {"stuck": "mover", "width": 10, "height": 10}
    assert by_name["amazons"]["board"] == {"width": 10, "height": 10}
    text = call("games").out
    assert [line.split()[0] for line in text.splitlines()] == names


@pytest.mark.parametrize("verb", ["legal", "show"])
def test_state_as_json(call: Call, verb: str) -> None:
    state = check(call(verb, "breakthrough", *SMALL, "--json").json, "state")
    assert state["game"] == "breakthrough"
    assert state["const"] == {"width": 4, "height": 5}
    assert state["fen"] == "pppp/pppp/4/PPPP/PPPP w"
    assert state["facts"] == sorted(state["facts"])
    assert len(state["facts"]) == 17
    assert (state["to_move"], state["terminal"]) == ("white", False)
    assert state["goals"] == {"white": 0, "black": 0}
    assert state["legal"]["black"] == ["noop"]
    assert state["legal"]["white"] == sorted(state["legal"]["white"])
    assert len(state["legal"]["white"]) == 10


def test_legal_as_text(call: Call) -> None:
    lines = call("legal", "breakthrough", *SMALL).out.splitlines()
    assert lines[0] == "white to move, 10 legal moves"
    moves = "a2-a3 a2-b3 b2-a3 b2-b3 b2-c3 c2-b3 c2-c3 c2-d3 d2-c3 d2-d3"
    assert " ".join(lines[1:]).split() == moves.split()


def test_show_as_text(call: Call) -> None:
    lines = call("show", "skirmish").out.splitlines()
    assert lines[0].split() == ["8", *".nbrrbn."]
    assert lines[2].split() == ["6", *"..#..#.."]
    assert lines[8].split() == list("abcdefgh")
    assert lines[9].startswith("white to move")


def test_play(call: Call) -> None:
    play = ["play", "amazons", "startpos", "d1-d7/g7", "move(7,10,7,8,4,8)"]
    state = check(call(*play, "--json").json, "state")
    assert state["fen"] == "3q6/10/3*2q3/q2Q2*2q/10/10/Q8Q/10/10/6Q3 w"
    assert state["to_move"] == "white"
    text = call(*play).out.splitlines()
    assert text[-1] == f"FEN: {state['fen']}"
    assert text[3].split() == ["7", *"q..Q..*..q"]


def test_play_to_the_end(call: Call) -> None:
    state = check(call("play", "breakthrough", WON_IN_ONE, "d7-d8", "--json").json, "state")
    assert state["terminal"]
    assert state["goals"] == {"white": 100, "black": 0}
    assert state["legal"] == {"white": [], "black": []}
    assert state["to_move"] == "black"


@pytest.mark.parametrize("reasoner", ["grounder", "propnet"])
def test_perft(call: Call, reasoner: str) -> None:
    asked = ["perft", "skirmish", "--depth", "3", "--reasoner", reasoner, "--json"]
    plain = check(call(*asked).json, "perft")
    assert plain == {"game": "skirmish", "depth": 3, "nodes": 300}
    split = check(call(*asked, "--divide").json, "perft")["divide"]
    assert split["move(3,1,1,3)"] == 60
    assert (len(split), sum(split.values())) == (6, 300)


def test_perft_as_text(call: Call) -> None:
    assert call("perft", "breakthrough", "--depth", "2").out == "484 nodes\n"
    lines = call("perft", "skirmish", "--depth", "2", "--divide").out.splitlines()
    assert "b1-a3: 6" in lines
    assert lines[-1] == "36 nodes"


@pytest.mark.parametrize("threads", ["1", "3"])
def test_the_number_of_threads_changes_no_answer(call: Call, threads: str) -> None:
    asked = ["skirmish", "--threads", threads, "--json"]
    split = call("perft", *asked, "--depth", "4", "--divide").json
    assert split["nodes"] == sum(split["divide"].values()) == 2544
    assert call("perft", *asked, "--depth", "3").json["nodes"] == 300
    played, again = (
        call("playout", *games, "-n", "900", "--json").json
        for games in (asked, ["skirmish", "--threads", "2"])
    )
    assert played["games"] == 900
    assert (played["results"], played["lengths"]) == (again["results"], again["lengths"])
    suite = call("perft", "--suite", "skirmish", "--depth", "3", "--threads", threads)
    assert suite.code == 0


@pytest.mark.parametrize("reasoner", ["grounder", "propnet"])
def test_playout(call: Call, reasoner: str) -> None:
    asked = ["playout", "breakthrough", "-c", "width=3", "-c", "height=4", "-n", "20"]
    asked += ["--seed", "3", "--reasoner", reasoner]
    report = check(call(*asked, "--json").json, "playout")
    assert (report["game"], report["games"], report["seed"]) == ("breakthrough", 20, 3)
    assert sum(result["games"] for result in report["results"]) == 20
    assert sum(report["lengths"].values()) == 20
    plies = sum(int(length) * games for length, games in report["lengths"].items())
    assert (report["states"], report["mean_length"]) == (plies + 20, plies / 20)
    again = call(*asked, "--json").json
    assert (again["results"], again["lengths"]) == (report["results"], report["lengths"])
    lines = call(*asked).out.splitlines()
    assert sum(int(line.split(": ")[1].split()[0]) for line in lines if "games (" in line) == 20
    assert f"{report['states']} states" in lines[-1]


def test_playouts_without_end(call: Call, tmp_path: Path) -> None:
    """Two roles walk in a circle of five squares, for ever."""
    rules = tmp_path / "circle.lp"
    rules.write_text("""
        role(white;black).  init(at(0)).  legal(white,(1;2)).  legal(black,noop).
        next(at((N+D)\\5)) :- true(at(N)), does(white,D).  terminal :- true(at(9)).
    """)
    asked = ["playout", str(rules), "-n", "20"]
    found = call(*asked)
    assert (found.code, found.out.splitlines()[0]) == (
        0,
        "20 of 20 games were broken off after 1,000 plies.",
    )
    assert found.err.splitlines()[-1] == (
        "aspgames: warning: 20 of 20 games were broken off after 1,000 plies; see max_plies "
        "or --max-plies"
    )
    report = check(call(*asked, "--max-plies", "7", "--json").json, "playout")
    assert (report["games"], report["broken_off"], report["is_biased"]) == (0, 20, True)
    assert (report["max_plies"], report["states"]) == (7, 160)


def test_an_end_with_clashing_goals_is_shown(call: Call, tmp_path: Path) -> None:
    rules = tmp_path / "clash.lp"
    rules.write_text("""
        role(white;black).  init(first).  legal(white,(a;b)).  legal(black,noop).
        next(over).  next(clash) :- does(white,b).  terminal :- true(over).
        goal(white,100).  goal(black,0).  goal(black,50) :- true(clash).
    """)
    report = check(call("playout", str(rules), "-n", "50", "--json").json, "playout")
    (result,) = report["results"]
    assert result["goals"] == {"white": 100, "black": 0}
    assert (report["games"], result["games"]) == (50, 50 - report["unsettled"])
    assert report["unsettled_position"] == ["clash", "over"]
    told = "game over, but the rules give black several goals"
    lines = call("playout", str(rules), "-n", "50").out
    assert f"{report['unsettled']} games ended without a result. The first of these ends:" in lines
    played = ["play", str(rules), "startpos", "b"]
    for shown in (lines, call(*played).out, call("show", str(rules), "over clash").out):
        assert told in shown
    assert check(call(*played, "--json").json, "state")["goals"] == {"white": 100, "black": None}


def test_playout_within_a_time(call: Call) -> None:
    found = call("playout", "breakthrough", "-n", "1000000000", "--time", "0.2")
    assert (found.code, found.err.count("\n")) == (3, 1)
    assert found.err.startswith("aspgames: no answer within 0.2 seconds")
    assert found.out == "" or found.out.startswith("Stopped: ")


def test_moves_are_not_broken_on_a_narrow_terminal(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "6")
    moves = {f"mark({x},{y})" for x in (1, 2, 3) for y in (1, 2, 3)}
    assert moves < set(call("legal", "tictactoe.lp").out.split())


# --- sources of positions and puzzles -------------------------------------------------------------


@pytest.mark.parametrize("verb", ["legal", "show", "play", "perft --depth 1"])
def test_every_verb_takes_a_position_from_elsewhere(call: Call, verb: str) -> None:
    name, *flags = verb.split()
    file = call(name, "breakthrough", "@start.txt", *flags)
    piped = call(name, "breakthrough", "-", *flags, stdin=b"startpos")
    assert file == piped == call(name, "breakthrough", "startpos", *flags)
    assert file.code == 0


# --- limits and interruptions ---------------------------------------------------------------------


def test_a_depth_that_recursion_does_not_reach(folder: Path) -> None:
    result = run("perft", "endless.lp", "--depth", "1200", cwd=folder)
    if result.code:  # The correct answer is fine, too: there is one sequence of each length.
        assert_refused(result, code=3)
    else:
        assert result.out == "1 node\n"


def test_perft_over_time(tmp_path: Path) -> None:
    result = run(*FOREVER, "--time", "0.3", cwd=tmp_path)
    assert_refused(result, "0.3 seconds", code=3)


WAITING = [
    pytest.param(line, marks=pytest.mark.slow) for line in (["serve"], ["solve", "--puzzles", "-"])
]


@pytest.mark.parametrize("line", [FOREVER, *WAITING], ids=str)
def test_ctrl_c(tmp_path: Path, line: list[str]) -> None:
    with begin(*line, cwd=tmp_path) as process:
        time.sleep(0.5)  # it works by then, unless the machine is busy; it must end at any time
        process.send_signal(signal.SIGINT)
        process.wait(10)  # the input stays open: its end could be seen before the signal
        out, err = process.communicate()
    assert_refused(Run(process.returncode, out.decode(), err.decode()), code=130)


def test_ctrl_c_while_clingo_is_clearing_away(tmp_path: Path) -> None:
    # Python drops exceptions inside __del__; this sends the signal there.
    script = """if True:
        import signal, clingo
        from aspgames.cli import main
        release, calls = clingo.Control.__del__, []
        def interrupted(control):
            release(control)
            calls.append(control)
            if len(calls) == 20:
                signal.raise_signal(signal.SIGINT)
        clingo.Control.__del__ = interrupted
        main(["perft", "breakthrough", "--depth", "9", "--time", "3",
            "--reasoner", "grounder"])
    """
    assert_refused(python(script, cwd=tmp_path), code=130)


SECONDS = {"book", "check", "crosscheck", "ggp-player", "table", "train"}  # the examples take some


# --- help and completion --------------------------------------------------------------------------


def test_help_of_a_verb_in_two_forms(call: Call) -> None:
    assert call("help", "legal").out == call("legal", "--help").out
    assert call("help").out == call("--help").out


def test_help_lists_the_verbs_and_the_exit_codes(call: Call) -> None:
    result = call("--help")
    assert result.code == 0
    for word in [*group.commands, "Exit codes", "130"]:
        assert word in result.out


@pytest.mark.quick(4)
@pytest.mark.parametrize(
    "verb",
    [
        pytest.param(verb, marks=pytest.mark.slow if verb in SECONDS else ())
        for verb in sorted(group.commands)
    ],
)
def test_the_example_of_a_help_text_runs_as_it_stands(
    call: Call, folder: Path, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Compiling the kernel takes half a minute. Slow tests open pages with the real kernel.
    monkeypatch.setattr(page_net, "web_kernel", lambda: b"kernel")
    monkeypatch.setattr("aspgames.propnet.web_kernel.is_compiled", lambda: True)
    (folder / "examples").symlink_to(ROOT / "examples")
    text = call(verb, "--help").out
    example = re.search(r"^ *Example:\n *(\S.*)$", text, re.MULTILINE)
    assert example, f"{verb} --help has no example"
    assert f"aspgames {verb}" in example[1]
    words = shlex.split(example[1])
    if not {"|", "&&"} & set(words):
        done = call(*words[1:])
    else:
        done = in_shell(example[1], folder, path_to_program(folder / "bin"))
    assert (done.code, done.err) == (0, "")
    assert done.out


without_json = {"book", "page", "serve", "import", "export", "ggp-player", "uci"}


@pytest.mark.parametrize("verb", sorted(set(group.commands) - without_json))
def test_every_verb_that_prints_a_result_has_json(call: Call, verb: str) -> None:
    assert "--json" in call(verb, "--help").out


@pytest.mark.parametrize(
    ("words", "completed"), [("aspgames le", "legal"), ("aspgames legal break", "breakthrough")]
)
def test_completion_in_the_shell(tmp_path: Path, words: str, completed: str) -> None:
    asked = {
        "_ASPGAMES_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    result = run(cwd=tmp_path, environment=asked)
    assert result.code == 0
    assert result.out.split() == [f"plain,{completed}"]


# --- output that goes nowhere ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "reader"),
    [
        ("PROGRAM perft breakthrough --depth 1 --divide", "head -c 1"),
        ("PROGRAM legal amazons --json", "true"),
        ("PROGRAM solve --puzzles puzzles.jsonl", "head -n 1"),
        ('yes \'{"op":"legal","game":"amazons"}\' | PROGRAM serve', "head -n 1"),
    ],
)
def test_a_reader_that_has_seen_enough(folder: Path, command: str, reader: str) -> None:
    """That is no mistake, nor a negative answer, which click's exit code 1 would mean."""
    (folder / "puzzles.jsonl").write_bytes(jsonl(*[PUZZLE] * 50))
    result = in_shell(f"{{ {command}; echo $? >&2; }} | {reader}", folder)
    assert result.code == 0
    assert result.err in (("141\n",) if "serve" in command else ("141\n", "0\n"))


@pytest.mark.parametrize(
    "words",
    [
        ["convert", "chess", "own.pgn", "--to", "pgn", "-o"],
        ["page", "own.lp", "-o"],
        ["book", "own.jsonl", "-o"],
        ["export", "own.lp", "--format", "lp", "-o"],
        ["import", "own.kif", "-o"],
        ["crosscheck", "own.lp", "--against", "propnet", "--report"],
        ["solve", "own.lp", "--attacker", "white", "--goal", "win", "--certificate"],
        ["solve", "--puzzles", "own.jsonl", "--resume", "kept.jsonl", "--output"],
        ["match", "hex", "--from-record", "own.pgn", "--record"],
        ["show", "hex", "@own.txt", "--svg"],
        ["record", "hex", "@own.parquet:0", "--output"],
    ],
)
def test_the_file_that_is_read_is_not_overwritten(
    call: Call, folder: Path, words: list[str]
) -> None:
    name = next(word for word in words if "own." in word).strip("@:0")
    (folder / name).write_text("kept")
    assert_refused(call(*words, f"./{name}"), f"{name} is the file that is read")
    assert (folder / name).read_text() == "kept"


@pytest.mark.parametrize(
    "words",
    [
        ["compose", "chess", "--goal", "win", "--within", "2", "-o", "new", "--resume", "./new"],
        ["book", "own.jsonl", "-o", "new", "--pdf", "new"],
    ],
)
def test_two_outputs_have_two_names(call: Call, folder: Path, words: list[str]) -> None:
    (folder / "own.jsonl").write_text("{}")
    assert_refused(call(*words), "new can't hold two things")
    assert not (folder / "new").exists()


# --- bad input ------------------------------------------------------------------------------------

# The error: the command line, and words that the message must contain.
BAD_LINE: dict[str, tuple[list[str], list[str]]] = {
    "no arguments": ([], ["verb"]),
    "unknown verb": (["legl"], ["legl", "Did you mean 'legal'?"]),
    "unknown option": (["legal", "amazons", "--jsn"], ["--jsn", "--json"]),
    "missing option": (["perft", "amazons"], ["--depth"]),
    "missing engine": (["crosscheck", "amazons"], ["--against"]),
    "missing output": (["record", "amazons"], ["--output"]),
    "missing goal": (["compose", "amazons", "--within", "1"], ["--goal"]),
    "missing game": (["legal"], ["GAME"]),
    "missing position": (["play", "amazons"], ["POSITION"]),
    "extra argument": (["show", "amazons", "startpos", "more"], ["more"]),
    "unknown game": (["legal", "breakthrouh"], ["breakthrouh", "did you mean breakthrough?"]),
    "a variant": (["legal", "atomic"], ["there is no game 'atomic'; did you mean fairy/atomic?"]),
    "no variant": (["legal", "shared/board"], ["there is no game 'shared/board'"]),
    "no game": (["legal", ""], ["breakthrough"]),
    "a move in place of a position": (
        ["play", "chess", "Nf3"],
        ["Nf3 is a move: did you forget startpos?"],
    ),
    "a FEN without its first field": (
        ["legal", "tictactoe", "3/3/3"],
        ["no side is on move: add b or w"],
    ),
    "game over two lines": (["legal", "ama\nzons"], ["did you mean amazons?"]),
    "missing file": (["legal", "missing.lp"], ["missing.lp"]),
    "folder": (["legal", "folder.lp"], ["folder.lp"]),
    "syntax error": (["legal", "syntax.lp"], ["syntax.lp:2"]),
    "unsafe rule": (["legal", "unsafe.lp"], ["unsafe.lp:3: the variables M, R are unsafe: "]),
    "unsafe blank": (["legal", "blank.lp"], ["blank.lp:2: _ is unsafe: nothing that holds"]),
    "file not UTF-8": (["legal", "not_utf8.lp"], ["not_utf8.lp", "UTF-8"]),
    "file with NUL": (["legal", "nul.lp"], ["nul.lp"]),
    "nobody plays": (["legal", "nobody.lp"], ["nobody.lp", "role"]),
    "missing include": (["legal", "include_missing.lp"], ["include_missing.lp:2", "missing.lp"]),
    "include of itself": (["legal", "include_itself.lp"], ["include_itself.lp", "itself"]),
    "circle of includes": (["legal", "include_circle.lp"], ["itself"]),
    "script": (["legal", "script.lp"], ["script.lp", "script"]),
    "included script": (["legal", "include_script.lp"], ["script.lp", "script"]),
    "two answer sets": (["legal", "two_answers.lp"], ["answer set"]),
    "no answer set": (["legal", "no_answer.lp"], ["no answer set"]),
    "board without numbers": (["legal", "board_words.lp"], ["board"]),
    "call of a function": (["legal", "call.lp"], ["call.lp:2", "external"]),
    "sentence with gaps": (["legal", "sentence.lp", "b"], ["refused"]),
    "refusal without sentence": (["legal", "refusal.lp", "b"], ["refused"]),
    "notation of numbers": (["play", "notation.lp", "startpos", "a1"], ["notation"]),
    "unknown constant": (["legal", "breakthrough", "-c", "depth=8"], ["depth", "height, width"]),
    "constant of no game": (["legal", "skirmish", "-c", "width=8"], ["width", "none"]),
    "constant of bytes": (["legal", "breakthrough", "-c", "width=\udcff"], []),
    "no equals sign": (["legal", "breakthrough", "-c", "width"], ["width", "NAME=VALUE"]),
    "no name": (["legal", "breakthrough", "-c", "=4"], ["NAME=VALUE"]),
    "no value": (["legal", "breakthrough", "-c", "width="], ["NAME=VALUE"]),
    "set twice": (["legal", "breakthrough", "-c", "width=4", "-c", "width=4"], ["width", "twice"]),
    "divide at depth 0": (["perft", "skirmish", "--depth", "0", "--divide"], ["1"]),
    "no playouts": (["playout", "breakthrough", "-n", "-1"], ["-1"]),
    "negative seed": (["playout", "breakthrough", "--seed", "-1"], ["-1"]),
    "unknown reasoner": (["playout", "breakthrough", "--reasoner", "oracle"], ["oracle"]),
    "no plies": (["playout", "breakthrough", "--max-plies", "0"], ["plies"]),
    "no threads": (["perft", "skirmish", "--depth", "1", "--threads", "0"], ["threads", "not 0"]),
    "threads of a suite": (["perft", "--suite", "skirmish", "--threads", "0"], ["threads"]),
    "a million threads": (["playout", "skirmish", "--threads", "1000000"], ["1 to 1024"]),
    "negative positions": ([*SOLVE, "--positions", "-1"], ["positions", "-1"]),
    "negative within": ([*SOLVE, "--within", "-1"], ["within", "-1"]),
    "bad goal": ([*SOLVE[:-1], "mate"], ["mate", "trap", "win", "score>=N"]),
    "bad score": ([*SOLVE[:-1], "score>=lots"], ["score>=lots"]),
    "bad attacker": ([*SOLVE, "--attacker", "red"], ["white", "black", "red"]),
    "nothing to solve": (["solve"], ["GAME", "--puzzles"]),
    "puzzle and puzzles": ([*SOLVE, "--puzzles", "-"], ["--puzzles"]),
    "puzzles and constant": (["solve", "--puzzles", "-", "-c", "width=4"], ["--puzzles"]),
    "puzzles missing": (["solve", "--puzzles", "missing.jsonl"], ["missing.jsonl"]),
    "puzzles a folder": (["solve", "--puzzles", "folder.lp"], ["folder.lp"]),
    "puzzles in no time": (["solve", "--puzzles", "-", "--time", "0"], ["time"]),
    "trap for one": (
        ["solve", "alone.lp", "startpos", "--attacker", "white", "--goal", "trap"],
        ["trap"],
    ),
    "puzzle of moves at once": (
        ["solve", "at_once.lp", "startpos", "--attacker", "white", "--goal", "win"],
        ["at a time"],
    ),
    "serve a missing file": (["serve", "--load", "missing.lp"], ["missing.lp"]),
    "serve a bad file": (["serve", "--load", "syntax.lp"], ["syntax.lp:2"]),
    "serve a script": (["serve", "--load", "script.lp"], ["script"]),
    "serve a name twice": (
        ["serve", "--load", "amazons.lp"], ["amazons", "--load NAME=amazons.lp with another"]
    ),
    "serve under a name twice": (
        ["serve", "--load", "a=tictactoe.lp", "--load", "a=tictactoe.lp"], ["'a' already"]
    ),
    "serve without a name": (["serve", "--load", "=tictactoe.lp"], ["has no name"]),
    "a file without its ending": (["legal", "hexapawn"], ["'hexapawn'", "mean hexapawn.lp?"]),
    "a value between allowed ones": (
        ["legal", "even.lp", "-c", "n=5"], ["n must be 4, 6, 8 or 10, not 5"]
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_LINE)
def test_bad_command_line(call: Call, folder: Path, name: str) -> None:
    arguments, words = BAD_LINE[name]
    assert_refused(call(*arguments), *words)
    assert not (folder / "written-by-a-script").exists()


@pytest.mark.parametrize("name", ["no arguments", "script", "constant of bytes"])
def test_bad_command_line_as_a_process(folder: Path, name: str) -> None:
    arguments, words = BAD_LINE[name]
    assert_refused(run(*map(os.fsencode, arguments), cwd=folder), *words)


# The error: the game, the position, and words that the message must contain.
BAD_POSITION: dict[str, tuple[str, str, list[str]]] = {
    "empty": ("breakthrough", "", ["empty"]),
    "off the board": ("breakthrough", "cell(9,1,white) control(white)", ["cell(9,1,white)"]),
    "missing file": ("breakthrough", "@missing", ["missing"]),
    "no file name": ("breakthrough", "@", []),
    "folder": ("breakthrough", "@folder.lp", ["folder.lp"]),
    "file not UTF-8": ("breakthrough", "@not_utf8.txt", ["not_utf8.txt", "UTF-8"]),
    "NUL in a file": ("breakthrough", "@nul.txt", []),
    "endless file name": ("breakthrough", f"@{'x' * 300}", ["xxx"]),
    "anonymous": ("breakthrough", "cell(_,1,white) control(white)", ["cell(_,1,white)"]),
    "pool": ("breakthrough", "cell((1;2),1,white) control(white)", ["cell((1;2),1,white)"]),
    "huge number": ("breakthrough", f"cell({'9' * 20},1,white) control(white)", ["9" * 20]),
    "deep parentheses": ("breakthrough", "f(" * 5000 + "x" + ")" * 5000, ["parentheses"]),
    "a rule": ("breakthrough", "control(white) :- true(x).", [":-"]),
    "a negation": ("breakthrough", "not control(white)", ["not"]),
    "letters of no ASCII": ("breakthrough", "cell(ä,1,white)", ["ä"]),
    "digits of no ASCII": ("breakthrough", "٨/8/8/8/8/8/8/8 w", ["٨"]),
    "an escape sequence": ("breakthrough", 'cell(1,1,"\x1b[2J") control(white)', [r'"\x1b[2J"']),
    "an endless word": ("breakthrough", "x" * 100_000, ["xxx"]),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_POSITION)
def test_bad_position(call: Call, name: str) -> None:
    game, position, words = BAD_POSITION[name]
    assert_refused(call("legal", game, position), *words)


@pytest.mark.parametrize("name", ["off the board", "missing file"])
@pytest.mark.parametrize("verb", ["legal", "show", "play", "perft --depth 1"])
def test_every_verb_refuses_a_bad_position(call: Call, verb: str, name: str) -> None:
    game, position, words = BAD_POSITION[name]
    name, *flags = verb.split()
    assert_refused(call(name, game, position, *flags), *words)


@pytest.mark.parametrize("verb", ["legal breakthrough -", "play breakthrough -"])
def test_standard_input_that_is_no_text(folder: Path, verb: str) -> None:
    assert_refused(run(*verb.split(), cwd=folder, stdin=b"\xff\xfe\x00"), "standard input", "UTF-8")


def test_a_file_of_a_million_lines(call: Call, folder: Path) -> None:
    (folder / "million.txt").write_text("cell(1,1,white)\n" * 1_000_000)
    assert_refused(call("legal", "breakthrough", "@million.txt"), "longer")


@pytest.mark.parametrize(
    "arguments",
    [
        ["legal", "breakthrough", COMPUTED],
        ["legal", "breakthrough", "-c", "width=3+1"],
        ["play", "breakthrough", "startpos", "move(1,2,1,2+1)"],
        ["legal", "umlaut.lp"],
        ["legal", "byte_order_mark.lp"],
        ["legal", "deep.lp"],
    ],
    ids=str,
)
def test_what_could_take_the_process_down(folder: Path, arguments: list[str]) -> None:
    (folder / "byte_order_mark.lp").write_bytes(b"\xef\xbb\xbf{")
    (folder / "deep.lp").write_text(f"role(w). init({'f(' * 300}a{')' * 300}).\n")
    assert_refused(run(*arguments, cwd=folder))


# The error: the position, the moves, and words that the message must contain.
BAD_MOVES: dict[str, tuple[str, list[str], list[str]]] = {
    "unreadable": ("startpos", ["a2->a3"], ["move 1", "a2->a3"]),
    "empty": ("startpos", [""], ["move 1"]),
    "off the board": ("startpos", ["i2-i3"], ["i2", "off the board"]),
    "illegal": ("startpos", ["a2-a4"], ["a2-a4", "not from a2 to a4"]),
    "wrong side at move 2": ("startpos", ["a2-a3", "b2-b3"], ["move 2", "black"]),
    "after the end": (WON_IN_ONE, ["d7-d8", "a2-a1"], ["move 2", "over"]),
    "deep parentheses": ("startpos", ["(" * 5000], ["(((("]),
    "endless": ("startpos", ["x" * 100_000], ["xxx"]),
    "past 32 bits": ("startpos", ["move(4294967297,2,1,3)"], ["4294967297"]),
    "letters of no ASCII": ("startpos", ["a\uff12-a\uff13"], ["\uff12"]),
    "bytes": ("startpos", ["\udcff"], ["move 1"]),
}


@pytest.mark.parametrize("name", BAD_MOVES)
def test_bad_moves(call: Call, name: str) -> None:
    position, moves, words = BAD_MOVES[name]
    assert_refused(call("play", "breakthrough", position, *moves), *words)


# --- the user's own games -------------------------------------------------------------------------


def test_play_in_an_own_game_without_a_board(call: Call) -> None:
    moves = ["mark(1,1)", "mark(2,1)", "mark(1,2)", "mark( 2 , 2 )", "mark(1,3)"]
    state = check(call("play", "tictactoe.lp", "startpos", *moves, "--json").json, "state")
    assert state["terminal"]
    assert state["goals"] == {"xplayer": 100, "oplayer": 0}
    assert state["fen"] is None
    again = call("legal", "tictactoe.lp", " ".join(state["facts"]), "--json")
    assert again.json == state
    assert (
        "game over: xplayer 100, oplayer 0" in call("play", "tictactoe.lp", "startpos", *moves).out
    )
    assert "true" not in call("show", "tictactoe.lp").out


def test_includes_are_looked_for_beside_the_file_not_in_the_current_folder(
    call: Call, folder: Path
) -> None:
    (folder / "inner").mkdir()
    (folder / "common.lp").write_text("role(wrong).\n")
    (folder / "inner" / "common.lp").write_text("role(right).\n")
    for number, text in enumerate(
        ['#include "common.lp".', 'init(a). #include "common.lp".', '#include\n  "common.lp".']
    ):
        (folder / "inner" / f"game{number}.lp").write_text(f"{text}\nlegal(R,m) :- role(R).\n")
        state = call("legal", f"inner/game{number}.lp", "--json").json
        assert state["legal"] == {"right": ["m"]}, text


def test_a_constant_computed_from_another(call: Call, folder: Path) -> None:
    (folder / "squares.lp").write_text(
        "#const n = 3.\n#const area = n*n.\nrole(a). init(left(area)). legal(a,m)."
    )
    assert call("legal", "squares.lp", "--json").json["facts"] == ["left(9)"]
    assert call("legal", "squares.lp", "-c", "n=4", "--json").json["facts"] == ["left(16)"]


def test_facts_that_are_printed_can_be_read(call: Call, folder: Path) -> None:
    (folder / "odd.lp").write_text(
        'role(a). init(3). init("x y"). init(p("(",-1)). legal(a,(4;"go on";m(-2))). '
        'next(done) :- does(a,4). next(gone) :- does(a,"go on").'
    )
    state = check(call("legal", "odd.lp", "--json").json, "state")
    again = call("legal", "odd.lp", " ".join(state["facts"]), "--json")
    assert again.code == 0, again.err
    assert again.json == state
    for move in state["legal"]["a"]:
        assert call("play", "odd.lp", "startpos", move).code == 0


def test_a_file_with_the_name_of_a_builtin_game_is_reached_by_its_path(call: Call) -> None:
    assert call("legal", "amazons.lp", "--json").json["facts"] == ["a"]
    assert len(call("legal", "amazons", "--json").json["facts"]) == 9


# --- facts for answer-set programs ----------------------------------------------------------------


def test_facts_are_a_graph_for_clingraph(call: Call) -> None:
    control = clingo.Control()
    facts = call("show", "skirmish", "--facts").out
    control.add("base", [], facts + (ROOT / "examples/clingraph.lp").read_text())
    control.ground()
    atoms = [atom.symbol for atom in control.symbolic_atoms]
    assert len([a for a in atoms if a.match("node", 1)]) == 60  # four of 64 are off limits
    labels = {str(a.arguments[1]): a.arguments[3].string for a in atoms if a.match("attr", 4)
              and str(a.arguments[2]) == "label" and str(a.arguments[1]) != "default"}  # fmt: skip
    assert (labels["(2,1)"], labels["(2,8)"], len(labels)) == ("N", "n", 20)


def test_facts_without_a_board(call: Call) -> None:
    assert call("show", "nim", "--facts").out.startswith("true(")
    assert_refused(call("show", "nim", "--facts", "--json"), "standard output takes one of")
    assert_refused(call("show", "nim", "--facts", "--notation", "kif"), "leave --notation out")


# --- terminals ------------------------------------------------------------------------------------


def test_errors_and_reports_are_in_colours_on_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "own.lp").write_text("role(a).\nlegal(a,X) :-\n")
    shown = {}
    for words in ("legal own.lp", "check own.lp", "why breakthrough startpos a2-a4", "show konane"):
        terminal = Terminal(words.split(), tmp_path, whole=True)
        terminal.end()
        shown[words.split()[0]] = terminal.shown
    assert shown["legal"].startswith("\x1b[31m\x1b[1maspgames:\x1b[0m own.lp:2: the full stop")
    assert "\x1b[31m\x1b[1mErrors\x1b[0m" in shown["check"]
    assert "\x1b[1ma2-a4 is not legal for white, whatever the position\x1b[0m" in shown["why"]
    assert {"\x1b[35m\x1b[1mO", "\x1b[94m\x1b[1mX"} <= set(re.findall(r"\S+[XO]", shown["show"]))


def test_without_colours_on_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    for words in ("show konane", "legal none", "why breakthrough startpos a2-a4"):
        terminal = Terminal(words.split(), tmp_path, whole=True)
        terminal.end()
        assert terminal.shown
        assert "\x1b[3" not in terminal.shown
        assert "\x1b[1m" not in terminal.shown


def test_boards_in_unicode_on_request(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASPGAMES_BOARD", "unicode")
    ranks = call("show", "chess").out.splitlines()
    assert (ranks[0], ranks[1], ranks[7]) == (
        "8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜",
        "7 ♟ ♟ ♟ ♟ ♟ ♟ ♟ ♟",
        "1 ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖",
    )
    assert "● ○" in call("show", "othello").out
    assert "▣" in call("show", "sokoban").out
    assert "w" in call("show", "tictactoe", "startpos").out


def test_every_shape_has_symbols() -> None:
    upright = [name for name in SHAPES if not name[-1].isdigit()]
    assert {len(SHAPES[name][0]) for name in upright} == {2}


def test_paths_in_messages_are_relative(call: Call, folder: Path) -> None:
    (folder / "own.lp").write_text("role(a).\nlegal(a,X) :-\n")
    for name in ("own.lp", str(folder / "own.lp")):
        assert call("legal", name).err.startswith("aspgames: own.lp:2: ")


def test_an_error_in_a_folder_that_is_gone(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    told = "aspgames: there is no game 'none'; did you mean konane?\n"
    assert in_shell("rmdir ../gone; PROGRAM legal none", folder) == Run(2, "", told)
