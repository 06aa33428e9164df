"""Explanations: the sentence for every clause, and reasons that suffice, are needed, and vanish."""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import aspgames
from aspgames import BadMove, IllegalMove, Reason, RulesError, State
from aspgames.asp.sources import companion, encodings_folder
from aspgames.game.explain import minimal_reasons
from aspgames.gdl.rulebook import RuleLine
from cli_helpers import TICTACTOE, Call, assert_refused, check, run, write_rules
from engine_helpers import write
from helpers import FIVE
from paths import ROOT

SLOW = pytest.mark.slow
FIRE = "3q2q3/10/10/q8q/3Q6/10/Q8Q/10/10/6Q3 w fire d6"

# For each condition of each rule for legal/2: a position where only this condition forbids a move,
# the sentence of the reason, and its facts.
FORBIDDEN = [
    # one-phase Amazons
    ("amazons", "startpos", "noop", "it is white's turn", "control(white)"),
    ("amazons", "startpos", "e5-e6/e5", "no white amazon stands on e5", "nothing on e5"),
    ("amazons", "startpos", "d1-d10/d9", "d10 is occupied by a black amazon", "cell(4,10,black)"),
    ("amazons", "10/10/10/10/10/10/10/3*6/10/3Q2q3 w", "d1-d7/d8",
     "the way from d1 to d7 is blocked on d3 by an arrow", "cell(4,3,arrow)"),
    (
        "amazons", "startpos", "d1-d9/d10",
        "the arrow would land on d10, where a black amazon stands", "cell(4,10,black)",
    ),
    ("amazons", "startpos", "d1-d4/a4", "the arrow would land on a4, where a white amazon stands",
     "cell(1,4,white)"),
    ("amazons", "10/10/10/10/10/10/10/10/6*3/3Q2q3 w", "d1-d2/h2",
     "the shot from d2 to h2 is blocked on g2 by an arrow", "cell(7,2,arrow)"),
    ("amazons", "startpos", "d1-e3/e2", "no line of the board leads from d1 to e3", ""),
    ("amazons", "startpos", "d1-d4/e6", "no line of the board leads from d4 to e6", ""),
    ("amazons", "startpos", "d1-d11/d1", "d11 is off the board", ""),
    # two-phase Amazons
    ("amazons_10x10", "startpos", "/d5", "white moves first, and shoots then", "turn(white,move)"),
    ("amazons_10x10", FIRE, "d6-d7", "white has moved, and shoots now", "turn(white,fire)"),
    ("amazons_10x10", FIRE, "/d10", "d10 is occupied by a black amazon", "cell(4,10,black)"),
    (
        "amazons_10x10", FIRE, "/e9",
        "no line leads to e9 from d6, where the amazon that has just moved stands",
        "just_moved(4,6)",
    ),
    ("amazons_10x10", FIRE, "/d11", "d11 is off the board", ""),
    ("amazons_8x8", "startpos", "a1-a2", "no white amazon stands on a1", "nothing on a1"),
    ("amazons_8x8", "8/8/8/2*5/8/8/2Q5/6q1 w", "c2-c8",
     "the way from c2 to c8 is blocked on c5 by an arrow", "cell(3,5,arrow)"),
    ("amazons_8x8", "startpos", "c1-e2", "no line of the board leads from c1 to e2", ""),
    # Breakthrough
    ("breakthrough", "startpos", "noop", "it is white's turn", "control(white)"),
    ("breakthrough", "startpos", "a7-a8", "no white piece stands on a7", "cell(1,7,black)"),
    ("breakthrough", "8/8/8/8/p7/P7/8/8 w", "a3-a4",
     "straight ahead leads to empty squares only, and on a4 stands a black piece",
     "cell(1,4,black)"),
    ("breakthrough", "startpos", "a1-b2", "on b2 stands a white piece, of one's own side",
     "cell(2,2,white)"),
    ("breakthrough", "startpos", "a2-a4",
     "a white piece goes one square ahead, straight or aslant, and not from a2 to a4", ""),
    ("breakthrough", "startpos", "h2-i3", "i3 is off the board", ""),
    # Skirmish
    ("skirmish", "startpos", "noop", "it is white's turn", "control(white)"),
    ("skirmish", "startpos", "d7-e6", "no white piece stands on d7", "cell(4,7,pawn(black))"),
    ("skirmish", "startpos", "e4-e5", "no white piece stands on e4", "nothing on e4"),
    ("skirmish", "startpos", "b1-d2", "on d2 stands a white pawn, of one's own side",
     "cell(4,2,pawn(white))"),
    ("skirmish", "startpos", "d1-d7", "the way from d1 to d7 is blocked on d2 by a white pawn",
     "cell(4,2,pawn(white))"),
    *(
        (
            "skirmish",
            f"8/8/2#2#2/8/3{glyph}4/2#2#2/8/r6K w 0 0 1",
            move,
            f"a white {kind} on d4 doesn't go to {move[-2:]}: {manner}",
            f"cell(4,4,{kind}(white))",
        )
        for glyph, kind, move, manner in [
            ("R", "rook", "d4-e5", "a rook slides straight"),
            ("B", "bishop", "d4-d5", "a bishop slides diagonally"),
            ("Q", "queen", "d4-e6", "a queen slides straight or diagonally"),
            ("K", "king", "d4-d6", "a king goes one square"),
            ("N", "knight", "d4-d5", "a knight jumps two squares one way and one the other"),
            ("P", "pawn", "d4-d5", "a pawn moves by capturing only, one square diagonally forward"),
        ]
    ),
    ("skirmish", "startpos", "c1-c3", "c3 is off limits", ""),
    ("skirmish", "startpos", "c1-c5", "the way from c1 to c5 leads over c3, which is off limits",
     ""),
    ("skirmish", "startpos", "d2-h7", "no piece goes from d2 to h7", ""),
    ("skirmish", "startpos", "h1-i1", "i1 is off the board", ""),
    ("othello", "startpos", "p4", "p4 is off the board", ""),
    ("chess", "startpos", "e2-e9", "e9 is off the board", ""),
    ("checkers", "startpos", "e4", "it is neither a step nor a jump", ""),
    ("checkers", "startpos", "e6-d4", "no step leads from e6 to d4", ""),
]  # fmt: skip


@pytest.fixture(autouse=True)
def few_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sooner than in use there is no end of a game's fluents."""
    monkeypatch.setattr("aspgames.game.fluents._MOST_RULES", 20_000)


def rests_on(reason: Reason) -> set[str]:
    """Its facts, and ``nothing on`` each square of its absent pieces."""
    empty = {f"nothing on {square}" for _, square in reason.empty}
    return {*reason.facts, *empty}


@pytest.mark.parametrize(
    ("game", "position", "move", "sentence", "fact"),
    FORBIDDEN,
    ids=lambda value: value[:24] if isinstance(value, str) else None,
)
def test_each_clause_says_what_it_forbids(
    game: str, position: str, move: str, sentence: str, fact: str
) -> None:
    state = aspgames.load(game).position(position)
    found = state.why(move)
    (reason,) = found.reasons
    assert reason.sentence == sentence
    assert not found.holds
    assert found.never == (fact == "")
    assert rests_on(reason) == ({fact} if fact else set())


@pytest.mark.parametrize(("game", "position", "move", "sentence", "_fact"), FORBIDDEN[1::6])
def test_an_illegal_move_is_refused_with_its_reason(
    game: str, position: str, move: str, sentence: str, _fact: str
) -> None:
    with pytest.raises((IllegalMove, BadMove), match=f": {sentence}$") as refused:
        aspgames.load(game).position(position).play(move)
    assert "\n" not in str(refused.value)


def test_a_pawn_needs_an_enemy_to_capture() -> None:
    state = aspgames.load("skirmish").position("8/8/2#2#2/8/3P4/2#2#2/8/r6K w 0 0 1")
    (reason,) = state.why("d4-e5").reasons
    assert [inner.sentence for inner in reason.because] == ["no black piece stands on e5"]
    assert rests_on(reason) == {"cell(4,4,pawn(white))", "nothing on e5"}


def test_two_reasons_where_one_is_not_enough() -> None:
    # It is Black's amazon, and would move if Black were on move.
    first, second = aspgames.load("amazons").initial.why("a7-a6/a7").reasons
    assert (first.sentence, first.facts) == ("it is not black's turn", ("control(white)",))
    assert second.sentence == "no white amazon stands on a7"
    assert second.facts == ("cell(1,7,black)",)


def test_the_smallest_of_several_sets_of_reasons_is_given() -> None:
    # A pawn on d3 and no enemy on e4 would do, but one's own king on e4 does by itself.
    game = aspgames.load("skirmish")
    state = game.position("8/8/2#2#2/8/4K3/2#P1#2/8/r7 w 0 0 1")
    (reason,) = state.why("d3-e4").reasons
    assert reason.sentence == "on e4 stands a white king, of one's own side"


@pytest.mark.parametrize(
    ("game", "position", "move", "sentences"),
    [
        ("amazons", "startpos", "d1-e1/c1",
         ["it is white's turn", "the shot from e1 to c1 is free: the amazon has left d1"]),
        ("amazons", "startpos", "d1-d7/d2",
         ["it is white's turn", "the shot from d7 to d2 is free"]),
        ("amazons_10x10", "startpos", "d1-d9",
         ["it is white's turn to move", "a white amazon stands on d1",
          "the way from d1 to d9 is free"]),
        ("amazons_10x10", FIRE, "/d1",
         ["white has moved, and shoots now", "the amazon on d6 has just moved",
          "the way from d6 to d1 is free"]),
        ("breakthrough", "startpos", "a2-a3",
         ["it is white's turn", "a white piece stands on a2", "a3 is straight ahead and empty"]),
        ("breakthrough", "8/8/8/8/1p6/P7/8/8 w", "a3xb4",
         ["it is white's turn", "a white piece stands on a3",
          "b4 is aslant ahead, and no white piece stands there"]),
        ("skirmish", "startpos", "b1-a3",
         ["it is white's turn", "a white knight stands on b1",
          "a knight jumps two squares one way and one the other",
          "no white piece stands on a3"]),
    ],
)  # fmt: skip
def test_a_legal_move_has_its_derivation(
    game: str, position: str, move: str, sentences: list[str]
) -> None:
    found = aspgames.load(game).position(position).why(move)
    assert found.holds
    assert [reason.sentence for reason in found.reasons] == sentences


CAPTURES = "8/8/2#2#2/8/3R4/2#2#2/8/r7 w 3 12 30"
STUCK = "q*8/**8/10/10/10/10/10/10/10/9Q b"


def sentences(reasons: tuple[Reason, ...]) -> Iterator[str]:
    for reason in reasons:
        yield reason.sentence
        yield from sentences(reason.because)


def test_the_end_is_explained() -> None:
    stuck = aspgames.load("amazons").position(STUCK)
    assert list(sentences(stuck.why_terminal().reasons)) == [
        "black is stuck",
        "it is black's turn",
        "no black amazon has an empty square beside it",
        "a9 is occupied by an arrow",
        "b9 is occupied by an arrow",
        "b10 is occupied by an arrow",
    ]
    assert stuck.why("j1-j2/j1", role="white").claim.endswith("legal for white: the game is over")
    going = aspgames.load("amazons").initial.why_terminal()
    assert not going.holds
    assert next(sentences(going.reasons)) == "black is not stuck"


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("name", "position", "told"),
    [
        ("breakthrough", "3P4/8/8/8/8/8/p7/8 b", "white stands on its last row, on d8"),
        ("breakthrough", "8/8/8/8/8/8/P7/8 b", "black has no piece left"),
        ("breakthrough", "startpos", "white is not on its last row, and black has pieces left"),
        *(
            pytest.param("skirmish", f"8/8/2#2#2/8/3R4/2#2#2/{end}", told, marks=SLOW)
            for end, told in [
                ("8/r7 w 0 0 60", "it is step 60, the last"),
                ("8/8 w 0 0 5", "black has no piece left"),
                ("p7/8 w 0 0 5", "no black piece can move"),
            ]
        ),
        ("clobber", "oo4/6/6/6/6 w", "white can't move"),
        ("clobber", "startpos", "white can move"),
        ("peg_solitaire", "cell(3,1,peg) cell(5,7,peg)", "player can't move"),
        ("ataxx", "/".join(["ppppppP"] * 7) + " b", "white can't move"),
        ("minichess", "4k/4P/4K/5/5 b - - 100 1", "the last 100 moves made no progress"),
        ("minichess", "4k/4P/4K/5/5 b - - 0 1", "black can't move, and is not in check"),
        ("minichess", "R3k/5/4K/5/5 b - - 0 1", "black is in check and can't move"),
    ],
)
def test_the_end_has_sentences(name: str, position: str, told: str) -> None:
    state = aspgames.load(name).position(position)
    assert told in list(sentences(state.why_terminal().reasons))


@pytest.mark.parametrize(
    ("game", "position", "role", "value", "sentence"),
    [
        ("amazons", STUCK, "white", 100, "black is stuck"),
        ("amazons", "startpos", "white", 0, "black is not stuck"),
        ("breakthrough", "startpos", "black", 0,
         "black is not on its last row, and white has pieces left"),
        ("skirmish", CAPTURES, "white", 30, "white has made 3 captures"),
        ("skirmish", CAPTURES, "black", 100, "black has made 12 captures"),
    ],
)  # fmt: skip
def test_a_goal_is_explained(
    game: str, position: str, role: str, value: int, sentence: str
) -> None:
    state = aspgames.load(game).position(position)
    found = state.why_goal(role)
    assert found.claim == f"{role} has {value}"
    assert next(sentences(found.reasons)) == sentence


@pytest.mark.parametrize(
    ("game", "position", "move", "fluent", "holds", "rule", "said"),
    [
        (
            *("amazons_10x10", FIRE, "/d7", "cell(4,7,arrow)", True),
            *("next(cell(U,V,arrow))", "does(white,fire(4,7)) holds"),
        ),
        (
            *("amazons_10x10", FIRE, "/d7", "cell(7,2,white)", False),
            *("next(cell(X,Y,C))", "nothing stands on g2"),
        ),
        (
            *("skirmish", "startpos", "b1-a3", "captures(white,1)", False),
            *("captures(R)", "nothing stands on a3"),
        ),
        (
            *("skirmish", "startpos", "b1-a3", "cell(2,1,knight(white))", False),
            *("next(cell(X,Y,K))", "does(_,move(2,1,_,_)) holds"),
        ),
    ],
)
def test_what_follows_is_explained(
    game: str, position: str, move: str, fluent: str, holds: bool, rule: str, said: str
) -> None:
    state = aspgames.load(game).position(position)
    found = state.why_next(move, fluent)
    assert found.holds == holds == (fluent in state.play(move).facts)
    assert (rule, said) in {
        (line.rule.partition(" ")[0], reason.text) for reason, line in lines(found.reasons)
    }


def lines(reasons: tuple[Reason, ...]) -> Iterator[tuple[Reason, RuleLine]]:
    for reason in reasons:
        yield from ((reason, line) for line in reason.lines)
        yield from lines(reason.because)


# --- along random play ----------------------------------------------------------------------------


def shapes(state: State, random: Random, count: int) -> list[str]:
    """Moves of the right shape: any squares at all in the forms of the game's moves."""
    board = state.game.board
    assert board
    squares = list(product(range(1, board.width + 1), range(1, board.height + 1)))
    near = list(state.occupied)
    found = []
    for _ in range(count):
        name, form = random.choice(sorted(state.game.vocabulary.notation.items()))
        chosen = [random.choice(squares) for _ in range(form.count("@"))]
        if random.random() < 0.7:
            chosen[0] = random.choice(near)
        if random.random() < 0.5:
            chosen[1:] = [
                (max(x + random.randint(-1, 1), 1), max(y + random.randint(-1, 1), 1))
                for x, y in chosen[:-1]
            ]
        found.append(f"{name}({','.join(f'{x},{y}' for x, y in chosen)})")
    return found


def random_states(game: aspgames.Game, random: Random, count: int) -> list[State]:
    state, seen = game.initial, list[State]()
    while not state.is_terminal and len(seen) < 120:
        seen.append(state)
        state = state.play(random.choice(state.legal_moves))
    return random.sample(seen, min(count, len(seen)))


def changed(state: State, reason: Reason) -> State:
    """The state without the facts of a reason, and with its absent fluents."""
    facts = (set(state.facts) - set(reason.facts)) | set(reason.absent)
    return state.game.state(tuple(sorted(facts)))


def other_state(state: State, kept: set[str], random: Random) -> State:
    """One in which some things are as they are, and everything else is at random."""
    thing = state.game.explainer.thing
    values: dict[str, list[str]] = {}
    for fluent in sorted(state.game.vocabulary.base):
        values.setdefault(thing(fluent), []).append(fluent)
    facts = [fact for fact in state.facts if thing(fact) in kept]
    for name, fluents in values.items():
        if name not in kept and (
            random.random() < 0.3 or state.game.vocabulary.placement(fluents[0]) is None
        ):
            facts.append(random.choice(fluents))
    return state.game.state(tuple(sorted(facts)))


def assert_reasons_hold(state: State, term: str, random: Random) -> None:
    """The reasons against a move are necessary and sufficient."""
    mover = state.to_move
    assert mover
    found = state.why(term)
    assert not found.holds
    assert found.reasons
    thing = state.game.explainer.thing
    kept = set()
    for reason in found.reasons:
        kept |= {thing(fluent) for fluent in (*reason.facts, *reason.absent)}
        assert bool(reason.facts or reason.absent) != found.never, found
        if not found.never:
            (again,) = state.game.explainer.legal(changed(state, reason).facts, mover, {term: ""})
            assert signature(reason) not in map(signature, again.reasons), found
    for _ in range(3):
        other = other_state(state, kept, random)
        assert term not in other.consequences.legal.get(mover, ()), (found, other.facts)


def signature(reason: Reason) -> tuple[object, ...]:
    return reason.condition, reason.sentence, reason.facts, reason.absent


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("name", "states", "moves"),
    [
        ("amazons_8x8", 1, 4),
        ("breakthrough", 2, 6),
        *(pytest.param(name, 2, 8, marks=SLOW) for name in FIVE),
    ],
)
def test_along_random_play(name: str, states: int, moves: int) -> None:
    random = Random(name)
    illegal = never = 0
    for state in random_states(aspgames.load(name), random, states):
        legal = {move.term for move in state.legal_moves}
        for term in shapes(state, random, moves):
            if term in legal:
                assert state.why(term).holds
                continue
            assert_reasons_hold(state, term, random)
            illegal += 1
            never += state.why(term).never
    assert illegal > never > 0


@pytest.mark.parametrize("name", ["skirmish", pytest.param("minichess", marks=SLOW)])
def test_moves_explained_together_have_the_same_reasons(name: str) -> None:
    random = Random(name)
    (state,) = random_states(aspgames.load(name), random, 1)
    legal = [move.term for move in state.legal_moves[:2]]
    terms = list(dict.fromkeys([*legal, *shapes(state, random, 10)]))
    together = list(state.why_moves(terms))
    assert together == [state.why(term) for term in terms]
    assert len({found.holds for found in together}) == 2


def test_no_piece_of_checkers_goes_back_before_it_is_a_king() -> None:
    state = aspgames.load("checkers").initial.play("b6-c5").play("c3-d4")
    assert state.why("c5-b6").summary.endswith("the man on c5 goes only ahead")
    assert state.why("d4-e5").summary.endswith("no black piece stands on d4")


def test_reasons_are_as_few_as_can_be() -> None:
    """With one thing less, some state allows the move."""
    game = aspgames.load("breakthrough", width=3, height=4)
    random = Random(1)
    state = game.position("1p1/p1P/1P1/P2 w")
    thing = game.explainer.thing
    tried = 0
    for term in sorted(set(shapes(state, random, 120))):
        found = state.why(term)
        if found.holds or found.never:
            continue
        kept = {thing(f) for reason in found.reasons for f in (*reason.facts, *reason.absent)}
        for left_out in kept:
            assert any(
                term in other_state(state, kept - {left_out}, random).consequences.legal["white"]
                for _ in range(400)
            ), (term, found)
            tried += 1
    assert tried > 5


# --- games of one's own ---------------------------------------------------------------------------


def test_without_sentences_the_rules_are_shown(tmp_path: Path) -> None:
    state = write(TICTACTOE, tmp_path).initial.play("mark(1,1)")
    found = state.why("mark(1,1)")
    (reason,) = found.reasons
    assert reason.text == "true(cell(1,1,b)) does not hold"
    (line,) = reason.lines
    assert line.rule == "legal(R,mark(X,Y)) :- true(control(R)), true(cell(X,Y,b))."
    assert line.place == "own.lp:9"
    assert not found.never, "the game doesn't say which fluents there are"
    assert "own.lp:9  legal(R,mark(X,Y))" in str(found)
    over = state.why_terminal()
    assert not over.holds
    assert any(reason.condition == "line(x)" for reason in over.reasons)
    with pytest.raises(IllegalMove, match=r"true\(cell\(1,1,b\)\) does not hold"):
        state.play("mark(1,1)")


OWN = """
role(white). role(black).
init(pile(3)). init(control(white)).
to_move(R) :- true(control(R)).
other(white,black). other(black,white).
base(pile(0..9)). base(control(R)) :- role(R). base(lock(1..2)).
legal(R,take(N)) :- to_move(R), true(pile(M)), N = 1..M, free.
legal(R,noop) :- role(R), not to_move(R).
free :- #count { L : true(lock(L)) } < 2.
next(pile(M-N)) :- does(_,take(N)), true(pile(M)), N <= M.
next(control(S)) :- true(control(R)), other(R,S).
terminal :- true(pile(0)).
goal(R,100) :- role(R), true(pile(0)), not to_move(R).
"""


def test_an_aggregate_is_not_looked_into(tmp_path: Path) -> None:
    game = write(OWN.replace(", N <= M", ""), tmp_path)  # fluents without a bound, too
    absent = {fluent for reason in game.initial.why("take(4)").reasons for fluent in reason.absent}
    assert absent == {f"pile({n})" for n in range(4, 10)}
    locked = game.position("pile(3) control(white) lock(1) lock(2)")
    (reason,) = locked.why("take(2)").reasons
    assert reason.text == "free does not hold"
    assert game.initial.why("take(2)").holds
    never = game.initial.why("take(77)")
    assert not never.never, "an aggregate may say anything"
    assert game.initial.why("take(4)").whole
    assert not game.initial.why("take(2)").whole
    assert "N = (1..M) does not hold: M is 3, N is 77" in str(never)
    (reason,) = game.initial.why_goal("white").reasons
    assert (reason.condition, reason.holds) == ("true(pile(0))", False)


DROPS = """
role(red). role(blue). col(1..3). row(1..3). init(control(red)). to_move(R) :- true(control(R)).
height(X,H) :- col(X), H = #count { Y : true(cell(X,Y,_)) }.
legal(R,drop(X)) :- to_move(R), col(X), #count { Y : true(cell(X,Y,_)) } < 2.
legal(R,push(X)) :- H < 2, to_move(R), height(X,H), row(H+1).
legal(R,pull(X)) :- to_move(R), col(X), H = #count { Y : true(cell(X,Y,_)) }, H >= 1.
legal(R,sink(X)) :- to_move(R), col(X), not 1 { true(cell(X,1..3,_)) }.
legal(R,cap(X)) :- to_move(R), col(X), height(X,3).
legal(R,lid(X)) :- to_move(R), col(X), some_height(3).
some_height(H) :- col(X), H = #count { Y : true(cell(X,Y,_)) }.
legal(R,link(X)) :- to_move(R), col(X), true(cell(X+1,Y,R)) : row(Y), Y < 2.
legal(R,noop) :- role(R), not to_move(R).
next(cell(X,H+1,R)) :- does(R,drop(X)), height(X,H), row(H+1).
next(cell(X,Y,R)) :- true(cell(X,Y,R)).
next(control(blue)) :- true(control(red)).
next(control(red)) :- true(control(blue)).
terminal :- #count { X,Y : true(cell(X,Y,_)) } >= 6.
goal(R,50) :- role(R).
#program board.
board(3,3). glyph(red,"R"). glyph(blue,"b"). notation(push,"P").
"""


@pytest.mark.parametrize(
    ("move", "text"),
    [
        ("drop(1)", "2 > #count { Y: true(cell(1,Y,_)) } does not hold: it is 2"),
        ("drop(9)", "col(9) does not hold"),
        ("push(1)", "H < 2 does not hold: H is 2"),
        ("pull(3)", "H >= 1 does not hold: H is 0"),
        ("sink(1)", "1 <= { true(cell(1,(1..3),_)) } holds: it is 2"),
        ("cap(1)", "height(1,3) does not hold: it is height(1,2)"),
        ("lid(1)", "some_height(3) does not hold"),
        (
            "link(1)",
            "true(cell(2,Y,red)): row(Y), Y < 2 does not hold: true(cell(2,1,red)) does not hold",
        ),
        (
            "link(3)",
            "true(cell(4,Y,red)): row(Y), Y < 2 does not hold: true(cell(4,1,red)) does not hold",
        ),
    ],
)
def test_the_first_condition_that_fails_has_its_values(
    tmp_path: Path, move: str, text: str
) -> None:
    state = write(DROPS, tmp_path).position("control(red) cell(1,1,red) cell(1,2,blue)")
    (reason,) = state.why(move).reasons
    assert reason.text == text
    with pytest.raises(IllegalMove, match=re.escape(f"is not legal for red: {text}")):
        state.play(move)


def test_a_condition_of_two_rules_is_one_reason(tmp_path: Path) -> None:
    twice = DROPS.replace("#program board", "legal(R,drop(X)) :- to_move(R), col(X), col(X+1).$")
    rules = twice.replace("$", "\n#program board")
    (reason,) = write(rules, tmp_path).initial.why("drop(9)").reasons
    assert reason.text == "col(9) does not hold"
    assert len(reason.lines) == 2


def test_a_count_is_told_with_the_end(tmp_path: Path) -> None:
    (reason,) = write(DROPS, tmp_path).position("control(red) cell(3,1,red)").why_terminal().reasons
    assert reason.text.endswith("#count { X,Y: true(cell(X,Y,_)) } does not hold: it is 1")
    assert reason.value == "it is 1"


TRON = """
role(red). role(blue). init(at(red,1,2)). init(at(blue,3,3)).
dir(n,0,1). dir(s,0,-1). dir(e,1,0). dir(w,-1,0). square(1..3,1..3).
legal(R,go(D)) :-
    true(at(R,X,Y)), dir(D,A,B), square(X+A,Y+B), not true(at(_,X+A,Y+B)), D != w.
next(at(R,X+A,Y+B)) :- does(R,go(D)), true(at(R,X,Y)), dir(D,A,B).
goal(R,50) :- role(R).
#program board.
board(3,3). glyph(red,"R"). glyph(blue,"b"). placed(at(R,X,Y),X,Y,R) :- role(R), square(X,Y).
notation(go,"D"). notation(stay,"D").
"""


@pytest.fixture(scope="module")
def tron(tmp_path_factory: pytest.TempPathFactory) -> aspgames.Game:
    return write(TRON, tmp_path_factory.mktemp("tron"))


@pytest.mark.parametrize(
    ("position", "move", "words"),
    [
        ("startpos", "red=go(n),blue=go(n)", "not legal for blue: square(3,4) does not hold"),
        ("startpos", "red=go(w),blue=go(s)", "not legal for red: square(0,2) does not hold"),
        (
            "at(red,1,3) at(blue,2,3)",
            "red=go(e),blue=go(s)",
            "not legal for red: true(at(_,2,3)) holds: at(blue,2,3)",
        ),
        ("startpos", "red=go(x),blue=go(s)", "not legal for red: dir(x,A,B) does not hold"),
        ("startpos", "red=jump(n),blue=go(s)", "jump(n) is no move of own: moves are written as"),
    ],
)
def test_a_move_that_another_role_has_is_explained(
    tron: aspgames.Game, position: str, move: str, words: str
) -> None:
    state = tron.position(position)
    with pytest.raises((IllegalMove, BadMove), match=re.escape(words)):
        state.play(move)


def test_five_reasons_are_shown(tmp_path: Path) -> None:
    text = (
        "role(me). init(on(0)). base(on(0..40)). goal(me,50). next(on(0)). "
        "legal(me,go) :- true(on(X)), X > 0. legal(me,go) :- true(on(0)), true(on(7)). "
        "legal(me,wait)."
    )
    found = write(text, tmp_path).initial.why("go")
    assert len(found.reasons) == 40
    assert found.summary.count("does not hold") == 5
    assert found.summary.endswith("; and 35 more")
    lines = str(found).splitlines()
    assert lines[-1] == "  and 35 more"
    assert sum("legal(me,go) :-" in line for line in lines) == 1, "each rule once"


def test_what_stands_in_the_place_is_named(tmp_path: Path) -> None:
    text = (
        "role(me). role(you). init(at(1,free)). init(at(2,free)). goal(R,0) :- role(R). "
        "legal(me,put(X)) :- true(at(X,free)). legal(you,noop). next(at(X,me)) :- does(me,put(X)). "
        "next(at(X,C)) :- true(at(X,C)), not does(me,put(X)). "
        '#program board. board(2,1). glyph(me,"M"). empty_square(free). '
        "placed(at(X,C),X,1,C) :- X = 1..2, C = (me;free)."
    )
    found = write(text, tmp_path).initial.play("put(1)").why("put(1)")
    (reason,) = found.reasons
    assert reason.instead == (("at(1,free)", "at(1,me)"),)
    assert not reason.empty
    assert found.summary.endswith("true(at(1,free)) does not hold: at(1,me)")
    assert "    not at(1,free) (but at(1,me))" in str(found).splitlines()


def test_what_is_so_in_every_position(tmp_path: Path) -> None:
    game = write(
        "role(white). role(black). init(on). base(on). legal(R,wait) :- role(R). "
        "legal(R,stop) :- role(R), true(on). next(on) :- true(on). goal(R,50) :- role(R).",
        tmp_path,
    )
    for found in (game.initial.why("wait", role="white"), game.initial.why_goal("white")):
        assert found.holds
        assert [reason.sentence for reason in found.reasons] == ["it is so in every position"]


@SLOW
def test_a_counter_without_end_has_reasons_for_what_there_is(tmp_path: Path) -> None:
    text = OWN.replace("base(", "% base(").replace(
        "true(pile(0)), not", "true(turns(N)), N > 70, not"
    )
    game = write(text + "init(turns(0)).\nnext(turns(N+1)) :- true(turns(N)).\n", tmp_path)
    (reason,) = game.initial.why("take(1)", role="black").reasons
    assert reason.text == "to_move(black) does not hold"
    (reason,) = game.initial.why_goal("black").reasons
    assert reason.text == "N > 70 does not hold: N is 0"
    assert [line.rule.partition(" ")[0] for line in reason.lines] == ["goal(R,100)"]


@pytest.mark.parametrize(
    "rule",
    [
        "count(N+1) :- count(N), not stop(N).",
        "count(M) :- count(N), M = N+1, 0 <= N, not stop(N).",
        "count(N-1) :- count(N), N < 9, not stop(-N).",
    ],
)
def test_a_recursion_that_only_the_state_ends_is_not_looked_into(tmp_path: Path, rule: str) -> None:
    rules = f"""role(solo). init(p(2)). legal(solo,stay). terminal :- not true(p(2)).
        next(p(X)) :- true(p(X)). count(0). {rule} stop(N) :- true(p(N)).
        goal(solo,100) :- count(2). goal(solo,100) :- count(-2)."""
    found = write(rules, tmp_path).initial.why_goal("solo")
    assert found.holds
    assert found.reasons[0].text in ("count(2) holds", "count(-2) holds")


@pytest.mark.parametrize(
    "bad", ['because(C,"{} and {}",(1,)) :- fails(C).', "because(C,7,()) :- fails(C)."]
)
def test_a_sentence_that_is_none_is_refused(tmp_path: Path, bad: str) -> None:
    game = write(f"{OWN}#program why.\n{bad}\n", tmp_path)
    with pytest.raises(RulesError, match="its last arguments must be a sentence and a tuple"):
        game.initial.why("take(4)")


def test_sentences_beside_a_file_are_those_within_it(tmp_path: Path) -> None:
    sentence = 'because(to_move(R),"{} is on move",(R,)) :- holds(to_move(R)).\n'
    (tmp_path / "why").mkdir()
    (tmp_path / "why/own.lp").write_text(sentence)
    beside = write(OWN, tmp_path)
    (tmp_path / "within").mkdir()
    within = write(f"{OWN}#program why.\n{sentence}", tmp_path / "within")
    found = [game.initial.why("take(1)").reasons[0].sentence for game in (beside, within)]
    assert found == ["white is on move"] * 2
    assert beside.encoding.fingerprint == within.encoding.fingerprint


def test_sentences_are_read_when_they_are_asked_for(tmp_path: Path) -> None:
    (tmp_path / "why").mkdir()
    (tmp_path / "why/own.lp").write_text("no rule at all")
    game = write(OWN, tmp_path)
    assert len(game.initial.legal_moves) == 3
    with pytest.raises(RulesError, match=r"why/own.lp:1"):
        game.initial.why("take(1)")


def test_the_rule_books_speak_in_files_of_their_own() -> None:
    folder = encodings_folder()
    books = sorted(path for path in folder.rglob("*.lp") if "why" not in path.parts)
    talking = [book.stem for book in books if "\nbecause(" in book.read_text()]
    assert talking == ["checkers", "tictactoe"]  # a part of a single file
    spoken = {companion(book, "why") for book in books}
    assert spoken >= set((folder / "why").rglob("*.lp")) != set()


NEW_GAME = """
#include "shared/alternating.lp".
#include "shared/board.lp".
#include "shared/slides.lp".
#include "shared/lines.lp".
board(4,4).  line_length(3).  hole(4,4).
init(control(white)).  init(cell(1..2,1,white)).  init(cell(1,4,black)).
slider(X,Y,D)          :- to_move(R), true(cell(X,Y,R)), straight(D).
legal(R,move(X,Y,U,V)) :- to_move(R), true(cell(X,Y,R)), slide(X,Y,_,U,V).
legal(R,put(X,Y))      :- to_move(R), empty(X,Y).
by(2).
% A stone turns into a neighbour.
legal(R,turn(X,Y,X+D)) :- to_move(R), true(cell(X,Y,R)), by(D).
next(cell(X,Y,R)) :- true(cell(X,Y,R)), not does(_,move(X,Y,_,_)).
next(cell(X,Y,R)) :- does(R,move(_,_,X,Y)).
next(cell(X,Y,R)) :- does(R,put(X,Y)).
#program board.
glyph(white,"X").  glyph(black,"O").  notation(put,"@").  notation(move,"@-@").
"""


def test_a_new_game_speaks_with_the_words_of_the_shared_files(tmp_path: Path) -> None:
    game = write(NEW_GAME, tmp_path)
    for move, said in {
        "a4-a3": "on a4 stands a black piece",
        "b2-b3": "nothing stands on b2",
        "a1-a4": "a4 is occupied by a black piece",
        "a1-b2": "nothing slides from a1 towards b2",
        "a1-b3": "no line leads from a1 to b3",
        "a1-a5": "a5 is off the board",
        "d4": "d4 is off limits",
        "e4": "e4 is off the board",
        "turn(1,1,1)": "the rule is: A stone turns into a neighbour.",
    }.items():
        assert game.initial.why(move).summary.endswith(f" is not legal for white: {said}")
    over = game.initial.play("c1").why_terminal()
    assert over.summary == "the game is over: white has 3 in a row"


def test_a_move_that_no_position_has_fails_for_a_reason_of_no_position() -> None:
    """What stands on b1 and b3 is no reason, even where the rule asks for it first."""
    nudge = aspgames.load(ROOT / "examples/class/nudge.lp")
    for position in ("startpos", "4/4/1O2/1X2 w", "4/4/1X2/4 w"):
        found = nudge.position(position).why("b1-b3")
        assert (found.never, found.told) == (True, "no jump leads from b1 over b3")
    assert nudge.initial.why("a1-b2").told == "no jump east leads from a1 over b2"
    near = nudge.initial.why("b1-b2")
    assert (near.never, near.told) == (False, "nothing stands on b1")


# --- the command line -----------------------------------------------------------------------------


def test_the_command_line_explains(call: Call) -> None:
    run = call("why", "skirmish", "startpos", "d1-d7")
    assert run.code == 0
    assert run.out.splitlines() == [
        "d1xd7 is not legal for white",
        "  the way from d1 to d7 is blocked on d2 by a white pawn",
        "    slides.lp:5  slide(X,Y,D,U,V) :- slider(X,Y,D),    step(D,X,Y,U,V), empty(U,V).",
        "    cell(4,2,pawn(white))",
    ]
    run = call("why", "breakthrough", "startpos", "a2-a4")
    assert run.out.startswith("a2-a4 is not legal for white, whatever the position\n")


@pytest.mark.parametrize(
    "question",
    [
        ["a2-a4"],
        ["a2-a3"],
        ["--terminal"],
        ["--goal", "white"],
        ["a2-a3", "--next", "cell(1,3,white)"],
    ],
)
def test_json_is_as_its_schema_says(call: Call, question: list[str]) -> None:
    found = check(call("why", "breakthrough", "startpos", *question, "--json").json, "explanation")
    assert found["fen"]
    assert found["holds"] == ("a2-a3" in question or "--goal" in question)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "either a MOVE, --terminal or --goal"),
        (["a2-a3", "--terminal"], "either a MOVE, --terminal or --goal"),
        (["--terminal", "--goal", "white"], "either a MOVE"),
        (["--terminal", "--role", "white"], "--role and --next go with a MOVE"),
        (["a2-a3", "--next", "a b"], "give one fluent, not 2"),
        (["a2-a3", "--role", "red"], "no role 'red'"),
        (["--goal", "red"], "no role 'red'"),
        (["xyz"], "xyz is no move of breakthrough"),
        (["move(1,2,1,99999999999)"], "is no move"),
    ],
)
def test_bad_questions_are_refused(call: Call, arguments: list[str], words: str) -> None:
    assert_refused(call("why", "breakthrough", "startpos", *arguments), words)


def test_an_explanation_is_the_same_in_every_process() -> None:
    said = {
        run(
            *("why", "tictactoe", "3/1X1/3 b", "--terminal"),
            cwd=ROOT,
            environment={"PYTHONHASHSEED": seed},
        ).out
        for seed in "12"
    }
    assert len(said) == 1
    assert "no three in a row" in said.pop()


def test_what_is_said_of_an_empty_square_is_no_piece(tmp_path: Path) -> None:
    """Where squares hold a word for nothing, its absence doesn't mean that nothing is there."""
    game = write(
        "role(a). to_move(a). init(cell(1,1,b)). base(cell(1,1,(b;x))).\n"
        "legal(a,mark(1,1)) :- true(cell(1,1,b)). legal(a,wipe(1,1)) :- true(cell(1,1,x)).\n"
        "legal(a,wait). next(cell(1,1,x)) :- does(a,mark(1,1)). terminal :- true(never).\n"
        'goal(a,0).\n#program board.\nboard(1,1). empty_square(b). glyph(x,"X").\n',
        tmp_path,
    )
    empty = game.state(())
    (mark,), (wipe,) = empty.why("mark(1,1)").reasons, empty.why("wipe(1,1)").reasons
    assert (mark.absent, mark.empty) == (("cell(1,1,b)",), ())
    assert (wipe.absent, wipe.empty) == (("cell(1,1,x)",), (("cell(1,1,x)", "a1"),))
    assert "not cell(1,1,b)" in str(empty.why("mark(1,1)"))
    assert "nothing on a1" in str(empty.why("wipe(1,1)"))


def test_blanks_beside_another_condition_make_no_pairs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One reason for each r(X), not one for each pair of it and p(Y,Z)."""
    text = """
        role(me). n(1..20). init(s). legal(me,wait). terminal :- true(over). base(over).
        base(r(1..300)). base(p(X,Y)) :- n(X), n(Y). base(s).
        legal(me,go) :- true(r(X)), true(p(_,_)).
        next(r(X)) :- true(r(X)). next(p(X,Y)) :- true(p(X,Y)). goal(me,100).
    """
    counted = []
    choose = minimal_reasons._choice

    def choice(facts: str, instances: int) -> list[Any]:
        counted.append(instances)
        return choose(facts, instances)

    monkeypatch.setattr(minimal_reasons, "_choice", choice)
    state = write(text, tmp_path).initial
    assert not state.why("go").holds
    held = state.game.position("r(7) p(2,3) p(4,5) s")
    assert held.why("go").holds
    assert max(counted) < 1000  # 300 and 400, not 120,000


COINS = """
role(solo). coin(penny;dime;quarter). worth(penny,1). worth(dime,10). worth(quarter,25).
cheaper(A,B) :- worth(A,N), worth(B,M), N < M. init(have(C)) :- coin(C). init(lit(2)).
legal(solo,give(C)) :- true(have(C)), cheaper(D,C) : coin(D), D != C.
legal(solo,keep(C)) :- true(have(C)), not cheaper(D,C) : coin(D).
legal(solo,light(C)) :- coin(C), true(have(D)) : true(lit(D)).
-rich :- not true(have(quarter)). legal(solo,beg) :- -rich.
next(have(C)) :- true(have(C)), not does(solo,give(C)). terminal :- -rich. goal(solo,100).
"""


@pytest.mark.parametrize(
    ("move", "told"),
    [
        ("give(dime)", "cheaper(quarter,dime) does not hold"),
        ("keep(dime)", "cheaper(penny,dime) holds"),
        ("light(dime)", "true(have(2)) does not hold"),
        ("beg", "-rich does not hold"),
    ],
)
def test_conditions_of_any_form_name_what_fails(tmp_path: Path, move: str, told: str) -> None:
    explained = aspgames.load(write_rules(tmp_path, COINS)).initial.why(move)
    assert told in str(explained)
    assert "legal" in str(explained)
