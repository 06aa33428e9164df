"""Awkward encodings: features that nets must support, but no included game has."""

AWKWARD = {
    "moves that are never legal": """
        role(solo).  init(at(1)).
        legal(solo,go)      :- true(at(_)).
        legal(solo,stay(X)) :- true(at(X)), not true(at(X)).
        next(at(X))         :- does(solo,stay(X)), true(at(_)).
        next(at(N+1))       :- does(solo,go), true(at(N)), N < 5.
        terminal            :- true(at(5)).
        goal(solo,100)      :- terminal.
    """,
    "recursion through the state": """
        role(solo).  to_move(solo).
        edge(1..4,1..4).  edge(X,X+1) :- X = 4..7.
        init(at(1)).  init(open(X,Y)) :- edge(X,Y), X < Y.
        legal(solo,cut(X,Y)) :- true(open(X,Y)).
        legal(solo,turn(X,Y)) :- true(open(X,Y)), edge(Y,X).
        next(at(X))     :- true(at(X)).
        next(open(X,Y)) :- true(open(X,Y)), not does(solo,cut(X,Y)), not does(solo,turn(X,Y)).
        next(open(Y,X)) :- does(solo,turn(X,Y)).
        reach(X)        :- true(at(X)).
        reach(Y)        :- reach(X), true(open(X,Y)).
        terminal        :- not reach(8).
        goal(solo,N)    :- N = #count { X : reach(X) }.
    """,
    "recursion through the moves": """
        role(a;b).  init(at(a,1)).  init(at(b,4)).  link(X,X+1) :- X = 1..5.  link(6,1).
        legal(R,(stay;push(X))) :- role(R), link(X,_).
        wave(R,X) :- true(at(R,X)).
        wave(R,Y) :- wave(R,X), link(X,Y), does(R,push(X)).
        wave(R,Y) :- wave(R,X), link(X,Y), does(S,push(X)), R != S, not does(R,stay).
        next(at(R,Y)) :- wave(R,Y), not passed(R,Y).
        passed(R,X)   :- wave(R,X), wave(R,Y), link(X,Y).
        goal(R,X)     :- X = #sum { Y : true(at(R,Y)) }, role(R).
    """,
    "simultaneous moves of three roles": """
        role(a;b;c).  init(round(0)).
        legal(R,(rock;paper)) :- role(R), R != c.
        legal(c,noop)         :- not true(round(1)).
        legal(c,(rock;noop))  :- true(round(1)).
        beats(paper,rock).
        next(won(R))     :- does(R,M), does(S,N), beats(M,N).
        next(round(N+1)) :- true(round(N)), N < 3.
        terminal         :- true(round(3)).
        goal(R,100)      :- true(won(R)).
    """,
    "several on move, or nobody, or another one than who may choose": """
        role(a;b;c).  init(step(0)).  init(on(a)).  init(on(b)).
        to_move(R) :- true(on(R)).
        legal(R,(x;y)) :- true(on(R)).
        legal(R,noop)  :- role(R), not true(on(R)), not true(step(2)).
        legal(c,z)     :- true(step(2)).
        next(on(R))     :- does(R,x).
        next(on(c))     :- does(a,y), does(b,y).
        next(step(N+1)) :- true(step(N)), N < 4.
        goal(R,N)       :- role(R), N = #count { S : true(on(S)), S != R }.
    """,
    "turns that take turns": """
        role(r(1..10)).  init(turn(1)).  init(left(7)).
        to_move(r(N)) :- true(turn(N)).
        legal(r(N),(take;skip(1..2))) :- true(turn(N)).
        legal(r(N),noop) :- role(r(N)), not true(turn(N)).
        next(turn((N+S) \\ 10 + 1)) :- true(turn(N)), does(r(N),skip(S)).
        next(turn(N \\ 10 + 1))     :- true(turn(N)), does(r(N),take).
        next(left(L-1)) :- true(left(L)), does(_,take), L > 0.
        next(left(L))   :- true(left(L)), not does(_,take).
        terminal        :- true(left(0)).
        goal(r(N),10*N) :- terminal, true(turn(N)).
    """,
    "nested terms and moves legal for nobody": """
        role(white;black).  to_move(white).
        init(box(f(g(1),"a, b"),-3)).
        legal(R,take(T))   :- true(box(T,N)), role(R), N > 0.
        legal(white,wait)  :- not true(box(f(g(1),"a, b"),0)).
        legal(black,noop).
        next(box(T,N+1))   :- true(box(T,N)), N < 1, not does(white,take(T)).
        next(seen(T,R))    :- true(box(T,0)), role(R).
        goal(R,N*10)       :- role(R), N = #count { T : true(seen(T,R)) }.
    """,
    "texts with all that texts may have": r"""
        role("the first";"2nd").  word("a\nb";"c\"d";"e\\";"é ☃";"";(1,);()).
        init(said("a\nb")).  init(said(#inf)).
        legal("the first",say(W)) :- word(W), not true(said(W)).
        legal("2nd",noop).
        next(said(W)) :- true(said(W)).
        next(said(W)) :- does(_,say(W)).
        terminal      :- true(said("e\\")), true(said("")).
        goal(R,N)     :- role(R), N = #count { W : true(said(W)) }.
    """,
    "sums with bounds on both sides": """
        role(solo).  to_move(solo).  coin(1;2;5).
        init(left(C)) :- coin(C).
        legal(solo,spend(C)) :- true(left(C)).
        next(left(C))  :- true(left(C)), not does(solo,spend(C)).
        middle         :- 2 <= #sum { C : true(left(C)) } <= 6.
        odd            :- #count { C : true(left(C)) } != 2.
        terminal       :- middle, odd.
        goal(solo,100) :- #min { C : true(left(C)) } > 1.
    """,
    "sums over moves": """
        role(r(1..4)).  init(pot(0)).
        legal(r(N),bid(0..2)) :- role(r(N)).
        next(pot(0))  :- #sum { B,R : does(R,bid(B)) } < 3.
        next(high(R)) :- does(R,bid(2)), #count { S : does(S,bid(2)) } <= 2.
        next(pot(1))  :- #sum { B,R : does(R,bid(B)); -3 : does(r(1),bid(2)) } >= 4.
        next(pot(2))  :- #count { R : does(R,bid(0)) } != 1, true(pot(0)).
        terminal      :- true(high(_)), true(pot(1)).
        goal(R,M)     :- role(R), M = #sum { 10 : true(high(R)); -5 : true(pot(0)) }.
    """,
    "no fluents at all": """
        role(a;b).  legal(R,(x;y)) :- role(R).  legal(b,z).  goal(a,7).
    """,
    "always the same": """
        role(solo).  init(here).  init(there).
        legal(solo,wait).  next(here).  next(there).  goal(solo,1) :- true(here).
    """,
    "a role without moves": """
        role(a;b).  init(n(0)).  to_move(a).
        legal(a,(x;y)).  legal(b,noop) :- true(n(0)).
        next(n(1)).  goal(R,50) :- role(R).
    """,
    "a lone move that isn't always legal": """
        role(a;b).  init(fuel(3)).  to_move(a).
        legal(a,go)   :- true(fuel(N)), N > 0.
        legal(a,leak) :- true(fuel(3)).
        legal(b,noop).
        next(fuel(0)) :- does(a,leak).
        next(fuel(N-1)) :- true(fuel(N)), N > 0, does(a,go).
        terminal      :- true(fuel(7)).
        goal(a,N)     :- true(fuel(N)).
    """,
    "over at once": """
        role(a;b).  init(n(0)).  to_move(a).  legal(a,(x;y)).  legal(b,noop).
        next(n(1)).  terminal :- true(n(0)).  goal(a,30).
    """,
}
