"""What the tests of the command line and of the oracle share: running it, and its JSON Schemas."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

DOCS = Path(__file__).parents[1] / "docs"
PROGRAM = [sys.executable, "-m", "aspgames"]
TIMEOUT = 60.0  # seconds; nothing here takes a tenth of that unless it hangs


@dataclass(frozen=True)
class Run:
    """What a run of the command line came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON value on standard output."""
        return strict_json(self.out)


def run(
    *arguments: str | bytes,
    cwd: Path,
    stdin: bytes = b"",
    environment: dict[str, str] | None = None,
    timeout: float = TIMEOUT,
) -> Run:
    """Run ``aspgames`` as a process of its own."""
    done = subprocess.run(
        [*PROGRAM, *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        timeout=timeout,
        env=os.environ | (environment or {}),
        check=False,
    )
    return Run(done.returncode, done.stdout.decode(), done.stderr.decode())


def path_to_program(folder: Path) -> dict[str, str]:
    """An environment in which a shell finds the program that is being tested as ``aspgames``."""
    folder.mkdir()
    command = folder / "aspgames"
    command.write_text(f'#!/bin/sh\nexec {shlex.join(PROGRAM)} "$@"\n')
    command.chmod(0o755)
    return os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


def strict_json(text: str | bytes) -> Any:
    """JSON as the standard has it: Python's ``NaN`` and ``Infinity`` are none."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    return json.loads(text, parse_constant=refuse)


@cache
def schema(name: str) -> Draft202012Validator:
    """The schema of that name in ``docs/schemas``."""
    files = sorted((DOCS / "schemas").glob("*.schema.json"))
    contents = {file.name: json.loads(file.read_text(encoding="utf-8")) for file in files}
    resources = ((key, Resource.from_contents(value)) for key, value in contents.items())
    found = contents[f"{name}.schema.json"]
    Draft202012Validator.check_schema(found)
    return Draft202012Validator(found, registry=Registry().with_resources(resources))


def check(value: Any, name: str) -> Any:
    """The value, which must be as the schema of that name has it."""
    schema(name).validate(value)
    return value


def jsonl(*values: object) -> bytes:
    """Values as JSON lines."""
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

# The token goes to and fro for ever.
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
