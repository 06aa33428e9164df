"""Helpers for tests of the command line and the oracle: runs, and JSON Schemas."""

import json
import os
import queue
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from paths import ROOT

DOCS = ROOT / "docs"
PROGRAM = [sys.executable, "-m", "aspgames"]
TIMEOUT = 60.0  # seconds; tests take less than a tenth of it unless they hang


@dataclass(frozen=True)
class Run:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON value on standard output."""
        return strict_json(self.out)

    @property
    def lines(self) -> list[Any]:
        """The JSON values on standard output, one a line."""
        return [strict_json(line) for line in self.out.splitlines()]


Call = Callable[..., Run]


def run(
    *arguments: str | bytes,
    cwd: Path | None,
    stdin: bytes = b"",
    environment: dict[str, str] | None = None,
    timeout: float = TIMEOUT,
    program: Sequence[str] = PROGRAM,
) -> Run:
    done = subprocess.run(
        [*program, *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        timeout=timeout,
        env=os.environ | (environment or {}),
        check=False,
    )
    return Run(done.returncode, done.stdout.decode(), done.stderr.decode())


def started(*arguments: str, cwd: Path, **settings: Any) -> subprocess.Popen[Any]:
    """The running program, with pipes."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen([*PROGRAM, *arguments], cwd=cwd, **pipes | settings)


class Oracle:
    """The running server."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.pid, self._process = process.pid, process
        self._answers: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._answers.put(line)
        self._answers.put(b"")

    def ask(self, request: object, seconds: float = 5 * TIMEOUT) -> Any:
        """The answer to one request, bytes or a value. It must come before the next request."""
        line = request if isinstance(request, bytes) else jsonl(request)
        assert self._process.stdin
        self._process.stdin.write(line)
        self._process.stdin.flush()
        received = self._answers.get(timeout=seconds)
        assert received, f"the oracle has died: {self._process.wait()}"
        return strict_json(received)


@contextmanager
def serving(folder: Path, *arguments: str) -> Iterator[Oracle]:
    process = started("serve", *arguments, cwd=folder, stderr=None, start_new_session=True)
    try:
        yield Oracle(process)
    finally:
        process.kill()
        process.wait()


def in_shell(command: str, folder: Path, environment: dict[str, str] | None = None) -> Run:
    """The result of a shell command in which PROGRAM is the program."""
    words = ("-c", command.replace("PROGRAM", shlex.join(PROGRAM)))
    return run(*words, cwd=folder, environment=environment, program=["sh"])


def assert_refused(result: Run, *words: str, code: int = 2) -> None:
    """Assert that the only output is a one-line error with these words."""
    assert "Traceback" not in result.err
    assert result.code == code, result
    assert result.out == ""
    assert result.err.startswith("aspgames: ")
    assert result.err.count("\n") == 1
    assert result.err.endswith("\n")
    assert len(result.err) < 600, "nobody reads so long a line"
    assert result.err[:-1].isprintable()
    for word in words:
        assert word in result.err


def write_rules(folder: Path, text: str, name: str = "own.lp") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def path_to_program(folder: Path) -> dict[str, str]:
    """An environment in which a shell finds the tested program as ``aspgames``."""
    folder.mkdir()
    command = folder / "aspgames"
    command.write_text(f'#!/bin/sh\nexec {shlex.join(PROGRAM)} "$@"\n')
    command.chmod(0o755)
    return os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


def strict_json(text: str | bytes) -> Any:
    """Read standard JSON, without Python's ``NaN`` and ``Infinity``."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    return json.loads(text, parse_constant=refuse)


@cache
def schema(name: str) -> Draft202012Validator:
    files = sorted((DOCS / "schemas").glob("*.schema.json"))
    contents = {file.name: json.loads(file.read_text(encoding="utf-8")) for file in files}
    resources = ((key, Resource.from_contents(value)) for key, value in contents.items())
    found = contents[f"{name}.schema.json"]
    Draft202012Validator.check_schema(found)
    return Draft202012Validator(found, registry=Registry().with_resources(resources))


def check(value: Any, name: str) -> Any:
    schema(name).validate(value)
    return value


def jsonl(*values: object) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


TICTACTOE = """\
% Tic-tac-toe in the Game Description Language's own words, without a board.
role(xplayer).  role(oplayer).
mark(xplayer,x).  mark(oplayer,o).
other(xplayer,oplayer).  other(oplayer,xplayer).

init(cell(1..3,1..3,b)).
init(control(xplayer)).

legal(R,mark(X,Y)) :- true(control(R)), true(cell(X,Y,b)).
legal(R,noop)      :- role(R), not true(control(R)).

next(cell(X,Y,M)) :- does(R,mark(X,Y)), mark(R,M).
next(cell(X,Y,M)) :- true(cell(X,Y,M)), M != b.
next(cell(X,Y,b)) :- true(cell(X,Y,b)), not does(_,mark(X,Y)).
next(control(S))  :- true(control(R)), other(R,S).

line(M) :- mark(_,M), true(cell(X,1,M)), true(cell(X,2,M)), true(cell(X,3,M)).
line(M) :- mark(_,M), true(cell(1,Y,M)), true(cell(2,Y,M)), true(cell(3,Y,M)).
line(M) :- mark(_,M), true(cell(1,1,M)), true(cell(2,2,M)), true(cell(3,3,M)).
line(M) :- mark(_,M), true(cell(1,3,M)), true(cell(2,2,M)), true(cell(3,1,M)).

open     :- true(cell(_,_,b)).
terminal :- line(_).
terminal :- not open.

goal(R,100) :- mark(R,M), line(M).
goal(R,0)   :- mark(R,M), other(R,S), mark(S,N), line(N), not line(M).
goal(R,50)  :- role(R), not line(_).
"""

# The token can move back and forth for ever.
ENDLESS = """\
role(white).  role(black).
other(white,black).  other(black,white).
init(control(white)).
legal(R,pass) :- true(control(R)).
legal(R,noop) :- role(R), not true(control(R)).
next(control(S)) :- true(control(R)), other(R,S).
"""

HEXAPAWN = """\
% Hexapawn: three pawns a side; a side wins on the far row, or when the other can't move.
#include "shared/board.lp".

#const size = 3.
board(size,size).

role(white).  role(black).
opponent(white,black).  opponent(black,white).
forward(white,1,size).  forward(black,-1,1).

init(cell(1..size,1,pawn(white))).
init(cell(1..size,size,pawn(black))).
init(control(white)).

legal(R,noop) :- role(R), not true(control(R)).
legal(R,go(X,Y,X,Y+D)) :-
    true(control(R)), true(cell(X,Y,pawn(R))), forward(R,D,_), empty(X,Y+D).
legal(R,go(X,Y,X+E,Y+D)) :-
    true(control(R)), true(cell(X,Y,pawn(R))), forward(R,D,_), E = (-1;1),
    opponent(R,S), true(cell(X+E,Y+D,pawn(S))).

next(cell(X,Y,C)) :- true(cell(X,Y,C)), not does(_,go(X,Y,_,_)), not does(_,go(_,_,X,Y)).
next(cell(U,V,pawn(R))) :- does(R,go(_,_,U,V)).
next(control(S)) :- true(control(R)), opponent(R,S).

able(R) :- legal(R,go(_,_,_,_)).
won(R)  :- forward(R,_,Y), true(cell(_,Y,pawn(R))).
won(S)  :- true(control(R)), not able(R), opponent(R,S).

terminal    :- won(_).
goal(R,100) :- won(R).

#program board.

glyph(pawn(white),"P").  glyph(pawn(black),"p").
fen_field(1,"w",control(white)).  fen_field(1,"b",control(black)).
base(control(R)) :- role(R).
notation(go,"@x@").
"""

# A puzzle, and its arguments on the command line.
WON_IN_ONE = "8/3P4/8/8/8/8/p7/8 w"
PUZZLE = {"game": "breakthrough", "position": WON_IN_ONE, "attacker": "white", "goal": "win"}
KEYS = ["move(4,7,3,8)", "move(4,7,4,8)", "move(4,7,5,8)"]
SOLVE = ["solve", "breakthrough", WON_IN_ONE, "--attacker", "white", "--goal", "win"]
LONG = ["solve", "breakthrough", "startpos", "--attacker", "white", "--goal", "win"]

FILES: dict[str, bytes] = {
    "start.txt": b"startpos\n",
    "fen.txt": f"{WON_IN_ONE}\n".encode(),
    "empty.txt": b"",
    "not_utf8.txt": b"control(white) \xff\xfe",
    "nul.txt": b"cell(1,1,white) control(white)\0 cell(1,2,black)",
    "syntax.lp": b"role(white).\ninit(a) :- b c.\n",
    "unsafe.lp": b"role(white).\n\nlegal(R,M) :- not true(M).\n",
    "blank.lp": b"role(white).\nlegal(white,_) :- true(b).\n",
    "not_utf8.lp": b'role(white). title("\xe4").\n',
    "umlaut.lp": "role(white).\nlegal(white,ä).\n".encode(),
    "nul.lp": b"role(white).\0 role(black).\n",
    "nobody.lp": b"init(a).\n",
    "include_missing.lp": b'role(white).\n#include "missing.lp".\n',
    "include_itself.lp": b'#include "include_itself.lp".\nrole(white).\n',
    "include_circle.lp": b'#include "circle.lp".\n',
    "circle.lp": b'#include "include_circle.lp".\n',
    "include_script.lp": b'#include "script.lp".\n',
    "script.lp": (
        b"role(white).\n#script (python)\nopen('written-by-a-script', 'w')\n#end.\n"
    ),
    "two_answers.lp": b"role(white).\n{ legal(white,m) }.\n",
    "even.lp": b"""#const n = 4. role(me). legal(me,go(n)).
#program board. allowed("n",(4;6;8;10)).""",
    "no_answer.lp": b"role(white).\n:- role(white).\n",
    "board_words.lp": b"role(white).\nboard(wide,high).\n",
    "alone.lp": b"role(white). init(a). legal(white,m).\n",
    "at_once.lp": b"role(white;black). init(a). legal(white,(l;r)). legal(black,(l;r)).\n",
    "amazons.lp": b"role(white). init(a).\n",
    "call.lp": b"role(white). init(a).\nlegal(white,X) :- true(F), X = @move(F).\n",
    "sentence.lp": b'role(white). init(a). base(b).\n#program position.\nrefused("{} {}",(a,)).\n',
    "refusal.lp": b"role(white). init(a). base(b).\n#program position.\nrefused(no,no).\n",
    "notation.lp": b"role(white). init(a).\n#program board.\nnotation(3,4).\n",
    "endless.lp": ENDLESS.encode(),
    "hexapawn.lp": HEXAPAWN.encode(),
    "tictactoe.lp": TICTACTOE.encode(),
}  # fmt: skip
