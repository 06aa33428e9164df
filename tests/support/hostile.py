"""Harmful rule files: they never end, take all memory, or kill the process that reads them."""

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

FATAL_RULES = {
    "a quotient out of range": "p((-2147483647-1)/(-1)). terminal :- p(-1).",
    "a remainder out of range": "p((-2147483647-1)\\(-1)). terminal :- p(-1).",
    "a constant out of range": "#const n=-2147483648/(-1). terminal :- n = 1.",
    "many signs": "p(" + "-" * 20_000 + "1). terminal :- p(-1).",
    "many complements": "p(" + "~" * 50_000 + "1). terminal :- p(-1).",
    "many powers": "p(2" + "**1" * 50_000 + "). terminal :- p(-1).",
}
"""Rules that crash clingo 5.8, or nearly do."""

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
role(a). role(b). init(c(~2147483647)). terminal :- true(e).
to_move(a) :- true(c(_)).  legal(a,m) :- true(c(_)).  legal(b,noop) :- true(c(_)).
to_move(b) :- true(d(_)).  legal(b,m) :- true(d(_)).  legal(a,noop) :- true(d(_)).
next(d(N)) :- true(c(N)).
next(e) :- true(d(N)), N/(0-1) = 3.
legal(b,x(M)) :- true(d(N)), M = N/(0-1).
"""
"""A game whose start is harmless; the state after the first move crashes clingo."""
