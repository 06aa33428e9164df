"""Rules of games that several test files load."""

FAR = """
    role(white;black).
    init((at(0);control(white))).
    to_move(R) :- true(control(R)).
    next(control(black)) :- true(control(white)).
    next(control(white)) :- true(control(black)).
    legal(white,(around;go)) :- true(control(white)), true(at(0)).
    legal(white,go) :- true(control(white)), true(at(1..8)).
    legal(black,reply(0)) :- true(control(black)).
    legal(black,reply(1..6000)) :- true(control(black)), true(at(8)).
    legal(R,noop) :- role(R), not true(control(R)).
    next(at(N+1)) :- true(at(N)), does(white,go), N < 9.
    next(at(N)) :- true(at(N)), not does(white,go).
    terminal :- true(at(9)).
    goal(white,100) :- true(at(9)).
"""
"""Play can repeat states; the goal is nine turns away, behind a state with many moves."""

MIXED = """
    role(a;b).  init(round(0)).
    legal(R,(rock;paper;scissors)) :- role(R), not true(round(2)).
    legal(a,noop)                  :- true(round(2)), not true(won(a)).
    legal(a,(smile;frown))         :- true(round(2)), true(won(a)).
    legal(b,(left;right))          :- true(round(2)).
    to_move(R)       :- role(R), true(round(1)).
    to_move(b)       :- true(round(2)).
    beats(paper,rock).  beats(rock,scissors).  beats(scissors,paper).
    next(won(R))     :- does(R,M), does(S,N), beats(M,N).
    next(won(R))     :- true(won(R)).
    next(lost)       :- does(b,left).
    next(round(N+1)) :- true(round(N)), N < 3.
    terminal         :- true(round(3)).
    goal(R,60)       :- true(won(R)).
    goal(b,20)       :- true(lost), not true(won(b)).
"""
"""Two rounds of simultaneous moves, the second with both roles on move. Then one role is on move;
the other one also has a choice if it has won."""
