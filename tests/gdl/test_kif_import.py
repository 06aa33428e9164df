"""Rule sheets in KIF as encodings for people: the text, the game, and its board."""

import re
import textwrap
from pathlib import Path

import pytest

import aspgames
from aspgames import BadMove
from aspgames.gdl.kif.readable_encoding import encoding_of_sheet
from cli_helpers import Call, assert_refused
from gdl_helpers import PAWNS, WALK, imported, in_lockstep, sheet
from paths import ROOT

EXAMPLE = ROOT / "examples/tictactoe.kif"


def text(folder: Path, rules: str) -> str:
    return encoding_of_sheet(sheet(folder, rules))


CELLS = "(init (cell 1 1 x)) (init (cell 2 2 x))"


def board_lines(folder: Path, rules: str) -> list[str]:
    """The statements for the board of a sheet with these rules, and a role."""
    told = text(folder, f"(role white) (role black) {rules}").partition("#program board.")[2]
    return [line for line in told.splitlines() if line and not line.startswith(("title", "%"))]


@pytest.mark.parametrize(
    "rules", [EXAMPLE.read_text(), PAWNS, WALK], ids=["marks", "pawns", "walk"]
)
def test_what_is_imported_is_the_same_game(tmp_path: Path, rules: str) -> None:
    file = sheet(tmp_path, rules)
    in_lockstep(aspgames.load(file), imported(file), games=3, plies=30)


def test_an_import_reads_like_the_sheet(tmp_path: Path) -> None:
    told = text(
        tmp_path,
        """;;; A game for one.
;;
;;; It has two rules.

;***********
;* The rules
;***********
(role me) (role you) ; both play
(init (at 1))
#
(<= (legal me (go ?x ?y)) ; says who
    (true (at ?x)) (or (near ?x ?y) (not (near ?y ?x))) (near ?y ?z) (distinct ?x ?y))

; nothing follows
;---------------
""".replace("#\n", ""),
    )
    base, _, board = told.partition("#program board.")
    assert (
        base
        == f"""% Sheet: the rules of the sheet sheet.kif.

% A game for one.
%
% It has two rules.

% --- The rules {"-" * 84}
role(me).  role(you).  % both play
init(at(1)).
% says who
legal(me,go(X,Y)) :- true(at(X)), near(X,Y), near(Y,_), X != Y.
legal(me,go(X,Y)) :- true(at(X)), not near(Y,X), near(Y,_), X != Y.

% nothing follows

% {"-" * 98}
"""
    )
    assert board == '\n\ntitle("Sheet").\n'


@pytest.mark.parametrize(
    ("comment", "line"),
    [
        ("; *** Moves ***", f"% --- Moves {'-' * 88}"),
        (";;;;;;;\n;;;\n;; Moves\n;;;\n;;;;;;;", f"% --- Moves {'-' * 88}"),
        (";;; --- Moves ---", f"% --- Moves {'-' * 88}"),
        ("; (init (cell 1 1 b))", "% (init (cell 1 1 b))"),
        (";%* no block *%", "% %* no block *%"),
        ("; naïve \x0c \x00 \u2028 text", "% naïve       text"),
        ("; ----------", None),
        (";", None),
    ],
)
def test_comments_and_rulers(tmp_path: Path, comment: str, line: str | None) -> None:
    file = sheet(tmp_path, f"(role me)\n\n{comment}\n(init (at 1))\n")
    lines = encoding_of_sheet(file).split("\n")
    between = lines[lines.index("role(me).") + 1 : lines.index("init(at(1)).")]
    assert between == ["", line] if line else between == [""]
    assert imported(file).initial.facts == ("at(1)",)


def test_a_long_comment_stands_above_its_own_rule(tmp_path: Path) -> None:
    comment = f"says who of ?Who or ?where-to goes {'far ' * 20}".strip()
    told = text(
        tmp_path,
        f"(role me)\n(<= (legal ?who (go ?where-to)) (role ?who) (at ?where-to)) ; {comment}\n"
        "(at 1)\n",
    )
    changed = comment.replace("?Who", "Who").replace("?where-to", "Where_to")
    above, rule, below = told.partition("legal(Who,go(Where_to)) :-")
    written = "\n".join(textwrap.wrap(changed, 98)).replace("\n", "\n% ")
    assert above.endswith(f"role(me).\n% {written}\n")
    assert rule
    assert "%" not in below.partition("#program")[0].partition("at(1).")[0]


def test_what_is_no_utf_8_may_stand_in_comments(tmp_path: Path) -> None:
    file = sheet(tmp_path, "")
    file.write_bytes(b"; caf\xe9\n(role me)\n")
    assert "% caf" in encoding_of_sheet(file)
    assert imported(file).roles == ("me",)


def test_long_lines_are_wrapped(tmp_path: Path) -> None:
    facts = " ".join(f"(p{'q' * 20} {n})" for n in range(9))
    rule = f"(<= r {' '.join(f'(p{chr(113) * 20} {n})' for n in range(9))})"
    told = text(tmp_path, f"; {'word ' * 40}\n{facts}\n{rule}")
    assert max(map(len, told.split("\n"))) <= 100
    assert len(re.findall(r"\bpq+\(\d\)\.", told)) == 9 + 1


def test_names_that_no_encoding_can_have_are_told(tmp_path: Path) -> None:
    told = text(tmp_path, WALK)
    assert 'kif_name(speed_plus,"speed+").' in told
    assert 'kif_name(walk_to,"walk-to").' in told
    game = imported(sheet(tmp_path, WALK))
    assert game.kif.text("walk_to(1,0)") == "(walk-to 1 0)"


# --- the board ------------------------------------------------------------------------------------


def test_the_board_of_a_sheet_that_is_loaded() -> None:
    game = aspgames.load(EXAMPLE)
    state = game.initial.play("a2").play("b2")
    assert state.fen == "3/Wb1/3 w"
    assert game.position(state.fen) == state
    assert str(state).startswith("3 . . .\n2 W b .\n1 . . .\n  a b c\nwhite to move")
    assert (state.piece_at("a2"), state.piece_at("a1")) == ("white", None)
    assert state.occupied == {(1, 2): "white", (2, 2): "black"}
    assert state.without_piece("a2").fen == "3/1b1/3 w"
    assert "cell(1,2,blank)" in state.without_piece("a2").facts
    assert state.with_piece("a1", "black").fen == "3/Wb1/b2 w"
    assert "white: a2. black: b2." in state.svg()


def test_a_fen_says_of_each_square_what_is_there() -> None:
    game = aspgames.load(EXAMPLE)
    facts = set(game.initial.facts)
    blank = "cell(1,1,blank)"
    assert game.from_facts(facts - {blank}).fen is None
    assert game.from_facts(facts | {"cell(1,1,white)"}).fen is None
    assert game.from_facts(facts - {"cell(2,2,blank)"} | {"cell(1,1,white)"}).fen is None
    assert game.from_facts(facts - {blank} | {"cell(1,1,white)"}).fen == "3/3/W2 w"


def test_files_that_are_letters(tmp_path: Path) -> None:
    game = aspgames.load(sheet(tmp_path, PAWNS))
    assert game.initial.fen == "pk1/3/3/PK1 w 1"
    assert game.position("pk1/3/P2/1K1 b 2").facts == (
        *(f"cell(a,{y},{p})" for y, p in enumerate(("b", "wp", "b", "bp"), start=1)),
        *(f"cell(b,{y},{p})" for y, p in enumerate(("wk", "b", "b", "bk"), start=1)),
        *(f"cell(c,{y},b)" for y in range(1, 5)),
        "control(black)",
        "turn(2)",
    )
    moved = game.initial.with_piece("c3", "wk")
    assert "cell(c,3,wk)" in moved.facts
    assert "cell(c,3,b)" not in moved.facts
    with pytest.raises(aspgames.BadPosition, match="no fluent of the game says that arrow is on"):
        game.initial.with_piece("c3", "arrow")


def test_squares_that_are_counted_from_0(tmp_path: Path) -> None:
    game = aspgames.load(sheet(tmp_path, WALK))
    assert game.initial.occupied == {(1, 1): "walker", (3, 3): "rock", (2, 3): "rock"}
    assert str(game.initial).startswith("3 . r r\n2 . . .\n1 w . .")


@pytest.mark.parametrize(
    ("rules", "lines"),
    [
        ("(init (cell 1 1 x)) (init (cell 1 2 x)) (init (cell 2 1 o)) (init (cell 2 2 empty))",
         ["board(2,2).", 'glyph(o,"o").', 'glyph(x,"x").', "empty_square(empty)."]),
        (
            "(init (cell 1 1 b)) (init (cell 2 2 w))",
            [
                *("board(2,2).", 'glyph(b,"b").', 'glyph(w,"W").'),
                *("belongs_to(b,black).", "belongs_to(w,white)."),
            ],
        ),
        (
            "(init (cell 1 1 (knight white))) (init (cell 2 2 (king black)))",
            [
                *("board(2,2).", 'glyph(king(black),"k").', 'glyph(knight(white),"N").'),
                *('picture(king(black),"king").', 'picture(knight(white),"knight").'),
            ],
        ),
        (
            "(init (cell 1 1 white_rook)) (init (cell 2 2 blackrook)) (init (cell 1 2 rocket))",
            [
                "board(2,2).",
                'glyph(blackrook,"r").',
                'glyph(rocket,"o").',
                'glyph(white_rook,"R").',
                *("belongs_to(blackrook,black).", 'picture(blackrook,"rook").'),
                *("belongs_to(white_rook,white).", 'picture(white_rook,"rook").'),
            ],
        ),
        (  # a relation says whose a piece is, and what
            "(init (cell 1 1 bp)) (init (cell 2 2 wk)) (opponent white black)"
            "(whose pawn bp white) (whose king wk black)",
            [
                *("board(2,2).", 'glyph(bp,"P").', 'glyph(wk,"k").'),
                *("belongs_to(bp,white).", 'picture(bp,"pawn").'),
                *("belongs_to(wk,black).", 'picture(wk,"king").'),
            ],
        ),
        (  # moves say whose a piece is
            "(init (cell 1 1 x)) (init (cell 2 2 w)) (init (cell 1 2 wall))"
            "(<= (next (cell ?x ?y x)) (does black (put ?x ?y)))"
            "(legal black (put 1 2)) (legal black (put 2 1))",
            [
                *("board(2,2).", 'glyph(w,"w").', 'glyph(wall,"a").', 'glyph(x,"x").'),
                *("belongs_to(x,black).", 'notation(put,"@").'),
            ],
        ),
        (  # squares without facts at the start
            "(init (cell 2 2 black)) (init (cell 2 3 white)) (init (cell 3 2 white))"
            "(init (cell 3 3 black)) (<= (next (cell ?x ?y ?p)) (does ?p (put ?x ?y)))"
            "(<= (legal ?p ?m) (may ?p ?m)) (<= (may ?p (put ?x ?y)) (role ?p) (n ?x) (n ?y))"
            "(n 1) (n 2) (n 3) (n 4)",
            ["board(4,4).", 'glyph(black,"b").', 'glyph(white,"W").', 'notation(put,"@").'],
        ),
        ("(init (cell 1 1 x)) (init (cell 1 1 o)) (init (cell 2 2 x))", []),
        (
            "(init (cell 1 1 b)) (init (cell 2 2 x)) (<= (legal white (put ?x ?y)) (p ?x ?y))"
            "(<= (legal white (go 1 2 ?x ?y)) (p ?x ?y)) (p 1 2) (legal white (say 3 1))",
            [
                *("board(2,2).", 'glyph(x,"x").', "empty_square(b)."),
                *('notation(put,"@").', 'notation(go,"@-@").'),
            ],
        ),
        (
            "(init (cell 1 1 x)) (init (cell 1 2 x)) (init (cell 2 1 x)) (init (cell 2 2 nil))"
            "(<= (next (cell ?x ?y x)) (p ?x ?y)) (p 9 9)",
            ["board(2,2).", 'glyph(x,"x").', "empty_square(nil)."],
        ),
        (
            "(init (cell 1 1 x)) (init (cell 1 2 x)) (init (cell 2 1 x)) (init (cell 2 2 x))"
            "(<= (next (cell ?x ?y x)) (p ?x ?y)) (p 9 9)",
            [],
        ),
        (
            "(init (cell 1 1 x)) (init (cell 2 2 x)) (<= (legal white ?m) (true (kept ?m)))"
            "(<= (next (cell ?x ?y x)) (does white (put ?x ?y))) (init (kept (put 1 7)))",
            [],
        ),
        ("(init (cell 1 1 x)) (init (cell 3 3 x))", []),
        ("(init (cell 1 1)) (init (cell 2 2))", []),
        ("(init (cell 1 x 1)) (init (cell 2 y 2))", ["board(2,2).", "placed"]),
        ("(init (cell 1 x foo)) (init (cell 2 yy foo))", []),
        ("(init (at 1 1 x)) (init (at 2 2 x)) (init (on 1 1 x)) (init (on 2 2 x))", []),
        ("(<= (init (cell ?x ?y ?c)) (p ?x ?y ?c)) (<= (p ?x ?y (f ?c)) (p ?x ?y ?c)) (p 1 1 a)",
         []),
        ("(<= (init ?f) (p ?f)) (p (cell 1 1 x)) (init (cell 2 2 x))",
         ["board(2,2).", 'glyph(x,"x").']),
        ("(<= (init ?f) (p ?f)) (<= (p ?f) (q ?f)) (q (cell 1 1 x)) (init (cell 2 2 x))",
         ["board(2,2).", 'glyph(x,"x").']),
        # A role stands on a square, or moves draw lines between squares: a board would hide these.
        (CELLS + "(init (position white 1 2)) (init (position black 2 1))", []),
        (CELLS + "(init (line 1 1 1 2)) (<= (legal white (draw 1 1 2 1)) (true (line 1 1 1 2)))",
         []),
    ],
)  # fmt: skip
def test_what_a_plain_board_is(tmp_path: Path, rules: str, lines: list[str]) -> None:
    found = board_lines(tmp_path, rules)
    assert len(found) == len(lines) or "placed" in lines
    for line in lines:
        assert line in found or line in "\n".join(found)


@pytest.mark.parametrize(
    ("moves", "forms"),
    [
        ("(move b 2 a 1)", ['move,"&-&"']),
        ("(put b 2)", ['put,"&"']),
        ("(move p a 1 b 2)", ['move,"?:&-&"']),
        ("(put a 1 p)", ['put,"&:?"']),
        ("(move a 1 b 2 queen)", ['move,"&-&:?"']),
        ("(hop p a 1 b 2 a 1)", ['hop,"?:&-&-&"']),
        ("(move a 1 b 2)) (legal white (jump b 2 a 1)", ['move,"&-&"', 'jump,"jump:&-&"']),
        ("(move a 1 b 2)) (legal white (exit b 2 a 1)", ['move,"&-&"']),  # x marks captures
        *(((wrong), []) for wrong in ("(go a 1 2)", "(go a b 1 2)", "(put c 1)", "(say p)")),
    ],
)  # fmt: skip
def test_how_moves_between_lettered_files_are_written(
    tmp_path: Path, moves: str, forms: list[str]
) -> None:
    cells = "(init (cell a 1 p)) (init (cell b 2 p))"
    found = board_lines(tmp_path, f"{cells} (legal white {moves})")
    assert [line for line in found if line[:9] == "notation("] == [f"notation({f})." for f in forms]


def test_squares_of_a_board_that_does_not_begin_at_1_have_no_form(tmp_path: Path) -> None:
    """The move to its square (1,1) would be written a1, which the board shows as b2."""
    cells = "(init (cell 0 0 p)) (init (cell 1 1 p)) (init (cell 2 2 p))"
    assert "notation" not in "".join(board_lines(tmp_path, cells + "(legal white (put 1 1))"))


def test_moves_of_a_sheet_are_read_as_they_are_written(tmp_path: Path, call: Call) -> None:
    """Also without the piece, where one move is legal between these squares."""
    rules = PAWNS.replace("(go ?x ?y ?v)", "(go ?p ?x ?y ?x ?v)")
    game = aspgames.load(str(sheet(tmp_path, rules, "pawns")))
    texts = [str(move) for move in game.initial.legal_moves]
    assert texts == ["wk:b1-b2", "wp:a1-a2", "pass"]
    for move in game.initial.legal_moves:
        assert game.parse_move(str(move)) == move.term
        assert game.initial.play(str(move)) == game.initial.play(move)
    assert game.initial.play("a1-a2") == game.initial.play("wp:a1-a2")
    played = call("play", str(tmp_path / "pawns.kif"), "startpos", "a1-a2", "bp:a4-a3")
    assert (played.code, "3 p . ." in played.out) == (0, True)
    with pytest.raises(BadMove, match="moves look like name:a2-a3"):
        game.initial.play("a1-b2")
    twice = tmp_path / "twice.lp"
    more = "legal(white,go(wk,a,1,a,2)) :- true(control(white)).\n#program board."
    twice.write_text(encoding_of_sheet(tmp_path / "pawns.kif").replace("#program board.", more))
    with pytest.raises(BadMove, match="may be wk:a1-a2 or wp:a1-a2: say which"):
        aspgames.load(str(twice)).initial.play("a1-a2")


# --- the command line -----------------------------------------------------------------------------


def test_import_writes_a_file_or_to_standard_output(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "game.lp"
    run = call("import", str(EXAMPLE), "-o", str(file))
    assert (run.code, run.out, run.err) == (0, f"Encoding: {file}\n", "")
    assert file.read_text() == call("import", str(EXAMPLE)).out == encoding_of_sheet(EXAMPLE)
    assert call("legal", str(file)).err == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["game.txt"], "game.txt: the name of a sheet or a program ends in .kif, .gdl or .lp"),
        (["none.lp"], "none.lp can't be read: No such file or directory"),
        (["none.kif"], "none.kif can't be read: No such file or directory"),
        (["bad.kif"], "bad.kif:2:1: this ( is never closed"),
        (["empty.kif"], "empty.kif: there are no rules"),
        (["good.kif", "-o", "none/game.lp"], "none/game.lp can't be written"),
    ],
)
def test_what_cannot_be_imported(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    sheet(tmp_path, "(role me)\n(init (at 1)", "bad")
    sheet(tmp_path, "(role me)", "good")
    sheet(tmp_path, "; nothing but this", "empty")
    assert_refused(call("import", *arguments), said)
