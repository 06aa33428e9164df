"""Harmful rule files: they never end, take all memory, or kill the process that reads them."""

from pathlib import Path

HEAD = """\
role(a). role(b). init(x). to_move(a). legal(a,m). legal(b,noop). next(x). terminal :- true(y).
"""
START = "role(a). role(b). to_move(a). legal(b,noop). terminal :- true(y).\n"

ENDLESS_RULES = {
    "counts up": "p(0). p(N+1) :- p(N). terminal :- p(-1).",
    "a long interval": "p(1..1000000000). terminal :- p(-1).",
    "a large join": "n(1..100000). terminal :- n(X), n(Y), n(Z), X+Y+Z < 0.",
    "a sum of itself": "p(0). p(S+1) :- S = #sum { X : p(X) }. terminal :- p(-1).",
    "ever deeper terms": "p(f(x)). p(f(X)) :- p(X). terminal :- p(-1).",
    "a hard choice": """{ in(P,H) : H = 1..11 } = 1 :- P = 1..12.
        :- in(P,H), in(Q,H), P < Q. terminal.""",
}
"""Rules that clingo can't ground in useful time."""

GROWS_FAST = ENDLESS_RULES["counts up"] + " p(1..1000000000)."
"""Hundreds of MiB within seconds."""

FATAL_RULES = "fatal. terminal :- fatal, true(y)."
"""Rules that the grounder of ``DYING`` doesn't survive.

clingo 5.8.3 ends by a signal at a quotient that leaves its 32 bits, at a remainder by zero in a
term that is parsed alone (SIGFPE), and at chains of tens of thousands of signs, operators or
parentheses in a rule (SIGSEGV).
"""

DYING = {"PYTHONPATH": str(Path(__file__).parent / "dying_grounder")}
"""The environment of a process whose grounder ends it where rules derive ``fatal``."""

STRANGE_RULES = {
    "a device": '#include "/dev/zero".',
    "no answer set": "p :- not p.",
    "two answer sets": "p :- not q. q :- not p. terminal :- p.",
    "an unsafe variable": "terminal :- X < 3, not p(X).",
    "a script": "#script(python) import os #end.",
    "a theory": "&sum { x } >= 1.",
    "deep parentheses": "p(" + "f(" * 5000 + "1" + ")" * 5000 + ").",
    "a long string": 'p("' + "x" * 3_000_000 + '").',
    "a board too large": "board(1000000000,1000000000).",
    "no board at all": "board(0,-3). glyph(1,2). notation(3).",
    "a cyclic constant": "#const k=l. #const l=k.",
    "two constants": "#const k=1. #const k=2.",
    "no number": "#const k=1/0. terminal :- k = 1.",
}
"""Rules that are refused, or have little meaning."""

GROWING_STATES = {
    "a counter": START + "init(c(0)). legal(a,m). next(c(N+1)) :- true(c(N)).",
    "doubling": START + "init(c(0)). legal(a,m). next(c(f(N,N))) :- true(c(N)).",
    "many moves": START + "init(x). n(1..2000). legal(a,m(X,Y)) :- n(X), n(Y). next(x).",
    "many fluents": START + "init(x(1..3000000)). legal(a,m). next(x(1)).",
}
"""Whole games with too many states or moves."""

DIES_LATER = """\
role(a). role(b). init(c). terminal :- true(e).
to_move(a) :- true(c).  legal(a,m) :- true(c).  legal(b,noop) :- true(c).
to_move(b) :- true(d).  legal(b,m) :- true(d).  legal(a,noop) :- true(d).
next(d) :- true(c).     next(e) :- true(d).     fatal :- true(d).
terminal :- fatal, true(e).
"""
"""A game whose start is harmless; the state after the first move is fatal, too."""
