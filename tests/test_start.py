"""The start of the package and the program: their imports, and Ctrl-C during them."""

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import pytest

import aspgames
from aspgames.cli import main
from aspgames.cli.program import SHORT_HELPS
from aspgames.cli.program import aspgames as program
from cli_helpers import Run, assert_refused
from new_process import imported_by, imported_by_program, python

HEAVY = {"clingo", "numpy", "prompt_toolkit", "resvg_py"}


def test_the_package_is_imported_without_what_it_may_not_need() -> None:
    modules = imported_by("import aspgames")
    assert not modules & (HEAVY | {"click", "importlib.metadata"})
    assert not modules & {f"aspgames.{m}" for m in ("board", "encoding", "game", "state", "why")}


def test_the_version_needs_no_click() -> None:
    modules = imported_by_program("--version")
    assert not modules & (HEAVY | {"importlib.metadata", "click", "aspgames.game.game"})


def test_the_version_is_printed_as_click_does(capsys: pytest.CaptureFixture[str]) -> None:
    for run in (main, program.main):
        with pytest.raises(SystemExit) as ended:
            run(["--version"])
        assert ended.value.code == 0
        assert capsys.readouterr().out == f"aspgames {aspgames.__version__}\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is full")
def test_the_version_cannot_be_printed() -> None:
    script = (
        "import sys; sys.stdout = open('/dev/full', 'w'); from aspgames.cli import main; main()"
    )
    assert_refused(python(script, "--version"), "can't be written")


def test_the_help_imports_no_verb() -> None:
    modules = imported_by_program("--help")
    assert not modules & (HEAVY | {"importlib.metadata", "aspgames.game.game"})
    assert {m for m in modules if m.startswith("aspgames.cli.")} == {
        "aspgames.cli.exit_codes",
        "aspgames.cli.program",
        "aspgames.cli.start",
    }


def test_a_verb_imports_no_other_one() -> None:
    modules = imported_by_program("legal", "breakthrough")
    assert not modules & (HEAVY - {"clingo"})
    assert {f"aspgames.cli.{verb}" for verb in SHORT_HELPS} & modules == {"aspgames.cli.legal"}


def test_a_puzzle_imports_what_its_search_needs() -> None:
    puzzle = ("solve", "breakthrough", "8/3P4/8/8/8/8/p7/8 w", "--attacker", "white", "--goal")
    modules = imported_by_program(*puzzle, "win")
    assert "aspgames.solver.search.puzzle_search" in modules
    assert not modules & (HEAVY - {"clingo"} | {"concurrent.futures", "logging"})
    unused = ("composer", "puzzle.proof", "play.formats", "runtime.workers")
    assert not [m for m in modules for each in unused if m.startswith(f"aspgames.{each}")]


def test_a_chess_problem_needs_no_clingo_once_the_rules_were_used(tmp_path: Path) -> None:
    problem = (
        "Begin Pieces White Kd5 Rh1 Pb7 Black Kd7 Stipulation #2 Option SetPlay Try Variation End"
    )
    (tmp_path / "problem.inp").write_text(problem)
    for clingo in ({"clingo"}, set()):
        modules = imported_by_program("solve", "--popeye", str(tmp_path / "problem.inp"))
        assert modules & HEAVY <= clingo


def test_what_was_read_of_a_game_before_needs_no_clingo() -> None:
    script = """if True:
        import aspgames, pickle
        game = aspgames.load("amazons_10x10")
        print(game.initial.fen, game.position("startpos").facts, game.parse_move("d1-d7"))
        print(pickle.loads(pickle.dumps(game.initial)) == game.initial, hash(game) is None)
        print(aspgames.load("breakthrough", width="4", height=5).initial.fen)
    """
    assert python(script).err == ""
    assert not imported_by(script) & (HEAVY | {"importlib.metadata", "aspgames.asp.grounding"})


def test_a_sheet_that_was_read_before_needs_no_reader(tmp_path: Path) -> None:
    file = tmp_path / "own.kif"
    for move in ("go", "stay"):  # a changed sheet must not use the result of the old one
        file.write_text(
            f"(role solo) (<= (legal solo {move}) (true (at 1))) (init (at 1)) "
            "(<= (next (at 2)) (true (at 1))) (<= terminal (true (at 2))) (goal solo 100)"
        )
        first, second = (imported_by_program("legal", str(file)) for _ in range(2))
        assert "aspgames.gdl.kif.translation" in first
        assert not second & {f"aspgames.gdl.kif.{m}" for m in ("encode", "geometry", "sheet")}
        legal = python("from aspgames.cli import main; main()", "legal", str(file), "--json")
        assert json.loads(legal.out)["legal"] == {"solo": [move]}


@pytest.mark.parametrize("verb", SHORT_HELPS)
def test_the_program_says_of_a_verb_what_the_verb_says(verb: str) -> None:
    assert program.commands[verb].get_short_help_str(1000) == SHORT_HELPS[verb]


def test_there_are_no_other_verbs() -> None:
    context = click.Context(program)
    assert set(program.list_commands(context)) == set(program.commands) == set(SHORT_HELPS)
    assert program.get_command(context, "output") is None


@pytest.mark.parametrize("name", aspgames.__all__)
def test_the_package_has_what_it_says_it_has(name: str) -> None:
    assert name in dir(aspgames)
    found = getattr(aspgames, name)
    assert found.__name__ == name
    assert found.__module__.startswith("aspgames.")


def test_the_package_has_nothing_else() -> None:
    with pytest.raises(AttributeError, match="no attribute 'undo'"):
        _ = aspgames.undo  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "module",
    [
        "aspgames.cli.start",
        "aspgames.runtime.process_messages",
        "aspgames.cli.program",
        "click",
        "aspgames.cli.legal",
        "clingo",
    ],
)
@pytest.mark.parametrize("is_wrapped", [False, True])
def test_ctrl_c_while_the_program_begins(module: str, is_wrapped: bool) -> None:
    # The signal comes during the import of the module, or of a class in it: Python would raise
    # RuntimeError then.
    script = f"""if True:
        import signal, sys
        from aspgames.cli import main
        class Pressed:
            def __set_name__(self, owner, name):
                signal.raise_signal(signal.SIGINT)
        class Finder:
            def find_spec(self, name, path=None, target=None):
                if name == {module!r}:
                    if {is_wrapped}:
                        type("Made", (), {{"pressed": Pressed()}})
                    signal.raise_signal(signal.SIGINT)
        sys.meta_path.insert(0, Finder())
        main(["legal", "breakthrough"])
    """
    assert python(script) == Run(130, "", "aspgames: interrupted\n")


def test_ctrl_c_within_a_function_that_clingo_calls() -> None:
    script = """if True:
        import clingo.core, signal
        from aspgames.cli import main
        class Message:
            def __init__(self, code):
                signal.raise_signal(signal.SIGINT)
        clingo.core.MessageCode = Message
        open("own.lp", "w").write("role(a). init(b). legal(a,m) :- true(b), X = 1/0.")
        main(["legal", "own.lp"])
    """
    with TemporaryDirectory() as folder:
        found = python(script, cwd=Path(folder))
    assert "PANIC" not in found.err
    assert found.code in (0, 130)  # the answer may need nothing else


def test_ctrl_c_while_the_program_ends() -> None:
    script = """if True:
        import atexit, signal
        from aspgames.cli import main
        atexit.register(lambda: signal.raise_signal(signal.SIGINT))
        main(["cache"])
    """
    found = python(script)
    assert (found.code, found.err) == (0, "")


def test_the_package_imports_nothing_before_it_handles_ctrl_c() -> None:
    before = imported_by("pass")
    of_its_own = {"aspgames", "aspgames._version", "aspgames.cli"}
    assert imported_by("import aspgames.cli") - before == of_its_own


def test_nothing_is_said_when_python_ends() -> None:
    # Python releases ``builtins`` last, when clingo is gone already.
    script = "import aspgames, builtins; builtins.game = aspgames.load('breakthrough')"
    assert python(script) == Run(0, "", "")
