"""Notations: positions and moves of random play are the same after writing and reading."""

import contextlib
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aspgames
from aspgames import BadConstant, BadMove, BadPosition, Game, IllegalMove, State
from aspgames.asp.canonical import canonical
from aspgames.asp.symbols import parse_symbol
from aspgames.game.board import parse_square, square_name
from aspgames.game.notation.fen import format_fen, parse_fen
from aspgames.game.notation.joint_moves import is_joint, parse_joint
from aspgames.game.notation.move_text import (
    capture_square,
    first_square,
    format_move,
    named_squares,
    parse_move,
    possible_terms,
    squares_among,
    with_squares,
)
from aspgames.game.notation.term_input import parse_facts, parse_move_term
from cli_helpers import write_rules
from helpers import few_or_many

GAMES = [
    aspgames.load("amazons"),
    aspgames.load("amazons", stuck="either"),
    aspgames.load("amazons_10x10"),
    aspgames.load("amazons_8x8"),
    aspgames.load("breakthrough"),
    aspgames.load("breakthrough", width=3, height=11),
    aspgames.load("skirmish"),
]


@st.composite
def states(draw: st.DrawFn) -> State:
    """A state met in random play: a few plies from the start, or from deep in a game."""
    game = draw(st.sampled_from(GAMES))
    rng = random.Random(draw(st.integers(0, 10_000)))
    state = game.initial
    for _ in range(draw(st.integers(0, 25))):
        if not state.legal_moves:
            break
        state = state.play(rng.choice(state.legal_moves))
    return state


@few_or_many(5, 100, state=states())
def test_states_and_moves_survive_being_written_and_read(state: State) -> None:
    game = state.game
    assert state.fen is not None
    assert game.position(state.fen) == state
    assert game.position(" ".join(state.facts)) == state
    assert game.position(", ".join(f"true({fact})" for fact in state.facts) + ".") == state
    for move in state.legal_moves[:200]:
        assert game.parse_move(move.text) == move.term
        assert game.parse_move(move.term) == move.term
    assert len({move.text for move in state.legal_moves}) == len(state.legal_moves)


@settings(max_examples=100)
@given(st.from_regex(r"\A-?[a-z_0-9][a-zA-Z0-9_']{0,3}(\([-a-z0-9_,() ]{0,12}\))?\Z"))
def test_terms_are_read_as_clingo_reads_them(text: str) -> None:
    symbol = parse_symbol(text)
    assert canonical(text) == (None if symbol is None else str(symbol))


def test_the_keyword_of_negation_is_no_term() -> None:
    state = aspgames.load("breakthrough").initial
    for error, ask in (
        (BadPosition, lambda: state.why_next("a2-a3", "not")),
        (BadConstant, lambda: aspgames.load("breakthrough", width="not")),
    ):
        with pytest.raises(error, match="'not'"):
            ask()
    assert canonical("nota(notb)") == "nota(notb)"


@pytest.mark.parametrize(
    ("fact", "fluents"),
    [
        ("true(a)", ("a",)),
        ("true(f(1,g(b)))", ("f(1,g(b))",)),
        ("true(true(a))", ("true(a)",)),
        ("true(a,b)", ("true(a,b)",)),
        ("true((a,b))", ("(a,b)",)),
        ("true( f( 7 ) )", ("f(7)",)),
        ("true", ("true",)),
    ],
)
def test_true_is_taken_off_a_fact(fact: str, fluents: tuple[str, ...]) -> None:
    assert parse_facts(fact) == fluents


@given(st.integers(1, 800), st.integers(1, 9999))
def test_squares_survive_being_written_and_read(file: int, rank: int) -> None:
    assert parse_square(square_name((file, rank))) == (file, rank)


@pytest.mark.parametrize(
    ("square", "name"), [((1, 1), "a1"), ((4, 10), "d10"), ((26, 2), "z2"), ((27, 3), "aa3")]
)
def test_squares_have_the_names_of_chess(square: tuple[int, int], name: str) -> None:
    assert square_name(square) == name


@pytest.mark.parametrize(
    ("game", "text", "term"),
    [
        ("amazons", "d1-d7/g7", "move(4,1,4,7,7,7)"),
        ("amazons_10x10", "d1-d7", "move(4,1,4,7)"),
        ("amazons_10x10", "/g10", "fire(7,10)"),
        ("breakthrough", "a2-a3", "move(1,2,1,3)"),
        ("breakthrough", "a2xb3", "move(1,2,2,3)"),
        ("breakthrough", "a2-b3", "move(1,2,2,3)"),
        ("breakthrough", "a2a3", "move(1,2,1,3)"),
        ("breakthrough", "a2b3", "move(1,2,2,3)"),
        ("amazons", "d1d7g7", "move(4,1,4,7,7,7)"),
        ("amazons_10x10", "d1d10", "move(4,1,4,10)"),
        ("amazons_10x10", "g10", "g10"),
        ("skirmish", " move( 2, 1, 1, 3 ) ", "move(2,1,1,3)"),
        ("skirmish", "noop", "noop"),
    ],
)
def test_moves_are_read_as_people_write_them_and_as_terms(game: str, text: str, term: str) -> None:
    assert aspgames.load(game).parse_move(text) == term


@pytest.mark.parametrize(
    ("forms", "text", "term"),
    [
        ({"go": "@-@", "hop": "@+@"}, "a1a2", "a1a2"),  # either of the two
        ({"go": "@-@", "hop": "@+@/@"}, "a1a2b1", "hop(1,1,1,2,2,1)"),
        ({"go": "@-@", "hop": "@@"}, "a1a2", "hop(1,1,1,2)"),
        ({"go": "@-@=q"}, "a1a2=q", "go(1,1,1,2)"),
        ({"go": "@to@"}, "a1a2", "a1a2"),
        ({"go": "@ @"}, "a1 a2", "go(1,1,1,2)"),
    ],
)
def test_marks_between_squares_may_be_left_out_where_one_form_fits(
    forms: dict[str, str], text: str, term: str
) -> None:
    assert parse_move(forms, text) == term


def test_files_may_be_letters_and_a_move_may_have_a_name() -> None:
    forms = {"move": "?:&x&", "put": "@:?", "jump": "jump:&-&", "hop": "&X&+"}
    for text, term in {
        "wn:b1-a3": "move(wn,b,1,a,3)",
        "z:z40-a3": "move(z,z,40,a,3)",
        "b2:5": "put(2,2,5)",
        "jump:a1-c3": "jump(a,1,c,3)",
        "a1xc3xe5": "hop(hop(a,1,c,3),e,5)",
    }.items():
        assert parse_move(forms, text) == term
        assert format_move(forms, term, ()) == text
    assert format_move(forms, "move(wn,b,1,a,3)", {(1, 3)}) == "wn:b1xa3"
    assert parse_move(forms, "wn:b1a3") == "move(wn,b,1,a,3)"
    assert named_squares(forms, "move(wn,b,1,a,3)") == [(2, 1), (1, 3)]
    assert with_squares(forms, "move(wn,b,1,a,3)", [(1, 1), (2, 3)]) == "move(wn,a,1,b,3)"
    for term in ("move(wn,2,1,a,3)", "move(f(1),b,1,a,3)", "move(b,1,a,3)", "put(b,2,5)"):
        assert named_squares(forms, term) == []
    for text in ("wn:aa1-a3", "Wn:a1-a3", "b2:05"):
        with pytest.raises(BadMove, match="name:a2-a3 or a2:name or jump:a2-a3 or a2xa3"):
            parse_move(forms, text)
    assert possible_terms(forms, " b2", ["5", "6"]) == ["put(2,2,5)", "put(2,2,6)"]
    assert possible_terms(forms, "a1-c3", ["p", "q"]) == [
        *("move(p,a,1,c,3)", "move(q,a,1,c,3)", "jump(a,1,c,3)")
    ]


@pytest.mark.parametrize("text", ["a0-a1", "a1-a0", "a1-aaaaaaaaa1", "a1-a2-a3"])
def test_what_names_no_squares_has_no_form(text: str) -> None:
    with pytest.raises(BadMove, match=r"is no move: moves look like a2-a3$"):
        parse_move({"go": "@-@"}, text)


def test_where_there_are_no_forms_moves_are_terms() -> None:
    with pytest.raises(BadMove, match=r"moves are written as terms, such as name or name\(1,2\)$"):
        parse_move({}, "a2-a3")


def test_a_chain_of_squares_is_read_and_written() -> None:
    forms = {"jump": "@X@+", "promote": "@x@=q", "go": "@-@"}
    for text, term in {
        "a1xc3": "jump(1,1,3,3)",
        "a1xc3xe5xc7": "jump(jump(jump(1,1,3,3),5,5),3,7)",
        "b4-b5=q": "promote(2,4,2,5)",
        "a1-b2": "go(1,1,2,2)",
    }.items():
        assert parse_move(forms, text) == term
        assert format_move(forms, term, ()) == text
    assert parse_move(forms, "a1c3e5") == "jump(jump(1,1,3,3),5,5)"
    assert named_squares(forms, "jump(jump(1,1,3,3),5,5)") == [(1, 1), (3, 3), (5, 5)]
    for term in ("jump(1,1,3,3,5,5)", "jump(jump(1,1),3,3)", "jump(hop(1,1,3,3),5,5)", "jump(a)"):
        assert named_squares(forms, term) == []
    with pytest.raises(BadMove, match="a2xa3"):
        parse_move(forms, "a1x" + "c3x" * 1000)
    assert with_squares(forms, "jump(jump(1,1,3,3),5,5)", [(2, 1), (4, 3), (6, 5)]) == (
        "jump(jump(2,1,4,3),6,5)"
    )
    assert not is_joint("b4-b5=q")
    assert parse_joint("white=b4-b5=q,black=noop") == {"white": "b4-b5=q", "black": "noop"}


@pytest.mark.parametrize(
    ("term", "squares"),
    [
        ("go(1,2,27,4)", [(1, 2), (27, 4)]),
        ("go(1,2)", []),
        ("go(1,2,3,4,5,6)", []),
        ("go(1,2,3)", []),
        ("go(0,2,3,4)", []),
        ("go(1,2,3,0)", []),
        ("go(1,2,-3,4)", []),
        ("go(1,2,3,4,)", []),
        ("hop(1,2,3,4)", []),
        ("go", []),
    ],
)
def test_the_squares_of_a_move(term: str, squares: list[tuple[int, int]]) -> None:
    for form in ("@-@", "@x@"):
        assert named_squares({"go": form}, term) == squares
        assert first_square({"go": form}, term) == (squares[0] if squares else None)
    assert capture_square({"go": "@x@"}, term) == (squares[1] if squares else None)
    assert capture_square({"go": "x@/@"}, term) == (squares[0] if squares else None)
    assert capture_square({"go": "@-@"}, term) is None


def test_a_refused_move_is_told_the_forms() -> None:
    with pytest.raises(BadMove, match=r"^'d1 d7' is no move: moves look like /a2 or a2-a3$"):
        aspgames.load("amazons_8x8").parse_move("d1 d7")
    with pytest.raises(BadMove, match=r"^dance is no move of amazons: moves look like a2-a3/b4$"):
        aspgames.load("amazons").initial.play("dance")


@pytest.mark.parametrize("text", ["", "a2-", "a2--a3", "A2-A3", "a2-a3-a4", "move(", "X"])
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(BadMove, match="is no move"):
        aspgames.load("breakthrough").parse_move(text)


EIGHT = "8/8/8/8/8/8/8"


@pytest.mark.parametrize(
    ("game", "fen", "message"),
    [
        ("breakthrough", f"100/{EIGHT} w", "rank 8 has 100 squares, not 8"),
        ("breakthrough", f"1000/{EIGHT} w", "no rank has 1000 empty squares"),
        ("breakthrough", f"{'7' * 30}/{EIGHT} w", f"no rank has {'7' * 20} empty squares"),
        ("breakthrough", f"{'P' * 60}x5/{EIGHT} w",
         f"'x' in rank {'P' * 60!r} is no piece (pieces are: P p)"),
        ("breakthrough", f"8/{EIGHT} v", "field 2 of the FEN is 'v', not one of b, w"),
        ("skirmish", "8/8/2#2#2/8/8/2#2#2/8/8 w 60",
         "field 3 of the FEN is '60', not a number from 0 to 59"),
        ("breakthrough", f"8/{EIGHT} w {'x' * 70}",
         f"{'x' * 60!r} at the end of the FEN means nothing here"),
        (
            "breakthrough",
            "4/4/4/4/4 w",
            "the FEN's board is 4 wide and 5 high, the game's is 8 wide and 8 high "
            "(-c width=4 -c height=5 would fit)",
        ),
        ("breakthrough", "4/4/3/4/4 w",
         "the FEN's board is 4 wide and 5 high, the game's is 8 wide and 8 high"),
        ("skirmish", "8/8/8/8/8/2#2#2/8/8 w", "c6 is off limits"),
        ("skirmish", "8/8/2#2#2/8/8/2#2#2/8/#7 w", "a1 is not off limits"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_fen_is_said(game: str, fen: str, message: str) -> None:
    with pytest.raises(BadPosition) as refused:
        aspgames.load(game).position(fen)
    assert str(refused.value) == message


def test_what_has_no_place_in_a_fen_has_none() -> None:
    board = GAMES[4].board
    assert board
    piece = "cell(1,2,white)"
    assert format_fen(board, [piece, "control(black)"]) == f"{'8/' * 6}P7/8 b"
    for other in ("cell(1,1,ghost)", "ghost", "control(ghost)"):
        assert format_fen(board, [piece, "control(black)", other]) is None


def test_a_square_without_content_has_no_fen_where_squares_always_have_one(tmp_path: Path) -> None:
    rules = """
        role(a). init((cell(1,1,blank); cell(2,1,x))). legal(a,go). goal(a,0). next(F) :- true(F).
        terminal :- true(cell(1,1,x)).
        #program board.
        board(2,1). glyph(x,"x"). empty_square(blank).
    """
    game = aspgames.load(write_rules(tmp_path, rules))
    assert game.initial.fen == "1x"
    assert game.state(("cell(2,1,x)",)).fen is None


def test_squares_among_the_words_of_a_term_do_not_overlap() -> None:
    by_name = {("e", "2"): (5, 2), ("2", "f"): (2, 6), ("f", "4"): (6, 4)}
    for term, squares in [
        ("move(wp,e,2,f,4)", [(5, 2), (6, 4)]),
        ("move(2,f,4)", [(2, 6)]),
        ("move(e)", []),
        ("e(2,e,2)", [(5, 2)]),
    ]:
        assert squares_among(by_name, term) == squares


TWISTED = """\
role(a). legal(a,go). terminal :- true(n(3)). goal(a,0). next(F) :- true(F), any(F). init(n(1)).
next(n(N+1)) :- true(n(N)), N < 3.  any(cell(1..2,1..2,(x;y;z;five;hash;long))). any(turn(1..3)).
any(extra(1..2)).  next(F) :- any(F), does(a,go).
#program board.
board(2,2). glyph(x,"x"). glyph(y,"o"). glyph(z,"o"). glyph(five,"5"). glyph(hash,"#").
glyph(long,"ab"). fen_field(1,"w",turn(1)). fen_field(1,"w k",turn(2)). fen_field(1,"s",turn(3)).
fen_field(1,"s",n(1)). fen_field(2,"k",extra(1)). fen_field(2,"w",extra(2)). fen_field(3,"w",n(2)).
"""


@pytest.fixture(scope="module")
def twisted(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """A game with glyphs and fields that say two things, so that many positions have no FEN."""
    return aspgames.load(write_rules(tmp_path_factory.mktemp("fen"), TWISTED))


FACTS = [f"cell(1,{y},{c})" for c in ("x", "y", "z", "five", "hash", "long") for y in (1, 2)]
FACTS += ["turn(1)", "turn(2)", "turn(3)", "n(1)", "n(2)", "extra(1)", "extra(2)"]


@given(facts=st.frozensets(st.sampled_from(FACTS), max_size=5))
def test_a_fen_is_read_back_as_its_position(twisted: Game, facts: frozenset[str]) -> None:
    assert twisted.board
    fen = format_fen(twisted.board, sorted(facts))
    assert fen is None or parse_fen(twisted.board, fen) == tuple(sorted(facts))


def test_one_glyph_for_two_contents_is_no_letter_of_a_fen(twisted: Game) -> None:
    for facts, fen in [
        ("cell(1,2,x) turn(2)", "x1/2 w k"),
        ("cell(1,2,y) turn(2)", None),
        ("cell(1,2,z)", None),
        ("turn(1) turn(2)", None),  # one field, two fluents
        ("turn(3)", None),  # one text, two fluents
        ("n(1)", None),
        ("extra(1)", None),  # the second field without the first
        ("turn(2) extra(1)", "2/2 w k k"),
        ("turn(2) extra(2)", "2/2 w k w"),
        ("turn(1)", None),  # with extra(1), "w k" would say turn(2)
    ]:
        assert twisted.board
        assert format_fen(twisted.board, facts.split()) == fen, facts
    with pytest.raises(BadPosition, match="'o' in rank 'o1' is no piece"):
        twisted.position("o1/2 w")


@pytest.mark.parametrize(
    "facts",
    [
        ('a(")")', "b"),
        ('a("(")', 'b("x y, z.")'),
        (r'a("say \"hi) (\" now")', "b"),
        (r'a("\\")', 'b(" ")'),
        ('"a b"', 'b("")'),
        ("a", 'b(("(",f(" ")))'),
    ],
)
def test_quoted_texts_may_hold_anything(facts: tuple[str, ...]) -> None:
    for between in (" ", ", ", ".\n"):
        assert parse_facts(between.join(facts)) == tuple(sorted(facts))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('a b("c) d', "'b(\"c) d' (character 3) is cut off: it isn't closed"),
        ("a b(c d", "'b(c d' (character 3) is cut off: it isn't closed"),
        ('a b"', "'b\"' (character 3) is cut off: it isn't closed"),
        ("a b) c", "a ) too many at character 4 of the position"),
        ("a, &b c", "'&b' (character 4) is no fact"),
        ("f(not)", "'f(not)' (character 1) is no fact"),  # no rule can have such a term
        (f"a {'&' * 101} b", f"'{'&' * 57}...' (character 3) is no fact"),
        ("(" * 65, "too many parentheses in one another at character 65 of the position"),
        ("a" * 1_000_001, "the position is longer than 1,000,000 characters"),
    ],
)
def test_what_is_wrong_with_facts_is_said(text: str, message: str) -> None:
    with pytest.raises(BadPosition) as refused:
        parse_facts(text)
    assert str(refused.value) == message


def test_facts_may_be_as_long_and_as_deep_as_is_allowed() -> None:
    deep = "f(" * 64 + "x" + ")" * 64
    assert parse_facts(deep) == (deep,)
    assert parse_facts("a " * 500_000) == ("a",)
    long = "b" * 101
    assert parse_facts(f"true({long}) {long}") == (long,)


def test_terms_of_moves_have_a_length() -> None:
    assert parse_move_term(f" {'a' * 998} ") == "a" * 998
    with pytest.raises(BadMove, match=r"^'a{57}\.\.\.' is not a move: "):
        parse_move_term("a" * 1001)
    with pytest.raises(BadMove, match=r"^'A' is not a move: "):
        parse_move_term("A")


@given(st.text(max_size=80))
def test_any_text_is_a_position_or_refused(text: str) -> None:
    for game in (GAMES[3], GAMES[6]):
        with contextlib.suppress(BadPosition):
            assert isinstance(game.position(text), State)


@st.composite
def damaged(draw: st.DrawFn) -> tuple[Game, str]:
    """A position's text, FEN or facts, with something cut out, put in or changed."""
    state = draw(states())
    text = draw(st.sampled_from([str(state.fen), " ".join(state.facts)]))
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(len(text), start + 8)))
    return state.game, text[:start] + draw(st.text("w qP#/(),cell109", max_size=6)) + text[end:]


@few_or_many(8, 200, case=damaged())
def test_a_damaged_position_is_refused_or_survives_the_round_trip(case: tuple[Game, str]) -> None:
    game, text = case
    try:
        state = game.position(text)
    except BadPosition:
        return
    assert state.fen is not None
    assert game.position(state.fen) == state


def after(game: str, *moves: str) -> State:
    state = aspgames.load(game).initial
    for move in moves:
        state = state.play(move)
    return state


@pytest.mark.parametrize(
    ("game", "written", "ours"),
    [
        ("amazons", ["d1-d7(g7)", "a7a8,a8b8"], ["d1-d7/g7", "a7-a8/b8"]),
        ("amazons", ["d1d7(g7)", "a7-a8,a8-b8"], ["d1-d7/g7", "a7-a8/b8"]),
        ("isolation", ["c1-d2(f8)"], ["c1-d2/f8"]),
        ("connect_four", ["4", "d", "D", "7"], ["d1", "d2", "d3", "g1"]),
        ("checkers", ["11-15", "22-18", "15x22", "25x18"], ["f6-e5", "c3-d4", "e5xc3", "b2xd4"]),
    ],
)
def test_moves_are_read_in_the_forms_of_their_communities(
    game: str, written: list[str], ours: list[str]
) -> None:
    assert after(game, *written) == after(game, *ours)


@pytest.mark.slow
def test_a_jump_is_named_by_squares_that_tell_it_apart() -> None:
    state = aspgames.load("checkers").position("B:B1:W6,7,14,15,22,23")
    assert state.play("1x10x17x26") == state.play("1:17:26") == state.play("b8xd6xb4xd2")
    assert state.play("1-19-26") == state.play("b8xd6xf4xd2")
    with pytest.raises(BadMove, match="'1x26' may be b8xd6xb4xd2 or b8xd6xf4xd2: say which"):
        state.play("1x26")
    for text in ("1x18x26", "1x", "1x26x17", "10x26", "1x99", "1"):
        with pytest.raises((BadMove, IllegalMove)):
            state.play(text)
    assert state.why("1x10x17x26").holds


@pytest.mark.parametrize("text", ["pass", "--", "pa", "PA"])
def test_a_pass_has_three_names(text: str) -> None:
    state = aspgames.load("othello", size=8).position("XO6/8/8/8/8/8/8/8 w")
    assert state.play(text).to_move == "black"
    with pytest.raises((BadMove, IllegalMove)):
        aspgames.load("othello").initial.play(text)


def test_a_full_column_has_no_legal_move() -> None:
    state = aspgames.load("connect_four").initial.play(*"dddddd")
    with pytest.raises(IllegalMove, match="no move in column d is legal"):
        state.play("d")


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("game", "text", "illegal"),
    [("othello", "F5", "A1"), ("chess", "Nf3", "Nf6"), ("connect_four", "4", "8")],
)
def test_other_forms_are_read_wherever_a_move_is_taken(game: str, text: str, illegal: str) -> None:
    state = aspgames.load(game).initial
    assert state.play(text) != state
    assert state.is_legal(text)
    assert state.why(text).holds
    assert not state.is_legal(illegal)
    with pytest.raises((BadMove, IllegalMove)):
        state.why(illegal)
