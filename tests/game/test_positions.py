"""Positions given as text: their meaning, and the refusal of invalid ones, with the place."""

import re
from itertools import combinations
from pathlib import Path

import pytest

import aspgames
from cli_helpers import Call
from helpers import facts, words

GAMES = ["amazons", "amazons_10x10", "amazons_8x8", "breakthrough", "skirmish"]
AMAZONS = GAMES[:3]
SPLIT = GAMES[1:3]

START = {
    "amazons": "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w",
    "amazons_10x10": "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w",
    "amazons_8x8": "2q2q2/8/q6q/8/8/Q6Q/8/2Q2Q2 w",
    "breakthrough": "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w",
    "skirmish": "1nbrrbn1/2pppp2/2#2#2/8/8/2#2#2/2PPPP2/1NBRRBN1 w 0 0 1",
}

EMPTY = {
    "amazons": "10/10/10/10/10/10/10/10/10/10",
    "amazons_10x10": "10/10/10/10/10/10/10/10/10/10",
    "amazons_8x8": "8/8/8/8/8/8/8/8",
    "skirmish": "8/8/2#2#2/8/8/2#2#2/8/8",
}

# The fluent for White on move, and two contents of squares.
ON_MOVE = dict.fromkeys(GAMES, "control(white)") | dict.fromkeys(SPLIT, "turn(white,move)")
THINGS = dict.fromkeys(GAMES, ("white", "black")) | {"skirmish": ("rook(white)", "rook(black)")}


def position(game: str, text: str, **constants: int | str) -> aspgames.State:
    return aspgames.load(game, **constants).position(text)


def refusal(game: str, text: str, **constants: int | str) -> str:
    with pytest.raises(aspgames.BadPosition) as caught:
        position(game, text, **constants)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    return message


# --- refused --------------------------------------------------------------------------------------

ONE_PLY = ["amazons", "breakthrough", "skirmish"]
FIRING = "cell(1,4,white) cell(4,4,arrow) cell(5,5,black) turn(white,fire)"
ROOKS = "cell(1,1,rook(white)) cell(8,8,rook(black)) control(white)"
TWO_THINGS = {game: "cell(1,4,{}) cell(5,5,{})".format(*things) for game, things in THINGS.items()}

Refused = tuple[str, str, list[str]]
"""A game, a text that isn't one of its positions, and the words that the refusal must have."""


def _on_move(game: str, text: str, *named: str) -> Refused:
    """A text, with White on move."""
    return game, f"{text} {ON_MOVE[game]}", [*named]


REFUSED: dict[str, list[Refused]] = {
    "two things on one square": [
        _on_move(game, f"cell(2,5,{one}) cell(2,5,{other})", "b5", one, other)
        for game, things in THINGS.items()
        for more in [["arrow"] * (game in AMAZONS) + ["pawn(white)"] * (game == "skirmish")]
        for one, other in combinations([*things, *more], 2)
    ],
    "off the board": [
        _on_move(game, thing := f"cell({square},{THINGS[game][0]})", thing, "off the board")
        for game in GAMES
        for last in ["10" if game in ("amazons", "amazons_10x10") else "8"]
        for beyond in [int(last) + 1]
        for square in ("0,1", "1,0", "-1,1", "1,-1", "99,99", f"{beyond},1", f"1,{beyond}")
    ],
    "off limits": [
        _on_move("skirmish", f"cell({square},{piece})", name)
        for square, name in [("3,3", "c3"), ("6,3", "f3"), ("3,6", "c6"), ("6,6", "f6")]
        for piece in ("pawn(white)", "knight(black)", "queen(white)")
    ],
    "a pawn on its last rank": [
        _on_move("skirmish", f"cell({'abcdefgh'.index(file) + 1},{y},pawn({side}))", f"{file}{y}")
        for file in "adh"
        for y, side in [(8, "white"), (1, "black")]
    ],
    "won by both sides": [
        ("breakthrough", text, ["both sides have won"])
        for text in ("8/8/8/8/8/8/8/8 w", "control(black)", "7P/8/8/8/8/8/8/p7 w")
    ],
    "no side on move": [
        (game, text, ["no side is on move"])
        for game in GAMES
        for text in (TWO_THINGS[game], START[game].split()[0])
    ],
    "two sides on move": [
        *((g, f"{TWO_THINGS[g]} control(white) control(black)", ["on move"]) for g in ONE_PLY),
        *(
            (game, f"{TWO_THINGS[game]} {text}", ["on move"])
            for game in SPLIT
            for text in (
                "turn(white,move) turn(black,move)",
                "turn(white,move) turn(black,fire) just_moved(5,5)",
                "turn(white,fire) turn(black,fire) just_moved(5,5)",
            )
        ),
    ],
    "one side in both phases": [
        (game, f"cell(1,4,white) turn(white,move) turn(white,fire){more}", ["phase"])
        for game in SPLIT
        for more in ("", " just_moved(1,4)")
    ],
    "an unknown fluent": [
        _on_move(game, fluent, fluent)
        for games, fluents in [
            (GAMES, ["hand(white)", "cell(1,4)", "cell", "moon", "cell(1,4,purple)"]),
            (AMAZONS, ["cell(a,4,white)"]),
            ([*AMAZONS, "breakthrough"], ["cell(1,4,pawn(white))", "step(1)", "captures(white,0)"]),
            (ONE_PLY, ["control(red)", "turn(white,move)", "just_moved(1,4)"]),
            (SPLIT, ["control(white)", "turn(white,sleep)", "turn(red,move)", "turn(white)"]),
            (["breakthrough"], ["cell(1,4,arrow)"]),
            (["skirmish"], ["cell(1,4,white)", "cell(1,4,rook)", "cell(1,4,rook(red))"]),
            (["skirmish"], ["cell(1,4,arrow)", "captures(red,1)", "captures(1)"]),
        ]
        for game in games
        for fluent in fluents
    ],
    "a fire phase without just_moved": [
        (game, f"cell(1,4,white) cell(5,5,black) turn({side},fire)", ["just_moved"])
        for game in SPLIT
        for side in ("white", "black")
    ],
    "just_moved on an empty square, an enemy, an arrow": [
        (game, f"{FIRING} just_moved({square})", ["just_moved", name])
        for game in SPLIT
        for square, name in [("1,5", "a5"), ("5,5", "e5"), ("4,4", "d4")]
    ],
    "just_moved of the other side": [
        (game, f"{TWO_THINGS[game]} turn(black,fire) just_moved(1,4)", ["a4", "black"])
        for game in SPLIT
    ],
    "just_moved given twice": [
        (game, f"{FIRING} cell(2,4,white) just_moved(1,4) just_moved(2,4)", ["a4", "b4"])
        for game in SPLIT
    ],
    "just_moved off the board": [
        (game, f"{FIRING} {moved}", [moved])
        for game in SPLIT
        for beyond in [["11,4", "1,11"], ["9,4", "1,9"]][: 1 + (game == "amazons_8x8")]
        for square in ["0,4", "1,0", "-1,4", *beyond]
        for moved in [f"just_moved({square})"]
    ],
    "a fire phase without a shot": [
        (game, facts("white a1", things, "turn(white,fire)", "just_moved(1,1)"), ["a1"])
        for game in SPLIT
        for things in ("arrow a2 b2 b1", "white a2 b2 b1", "black a2 b2 b1")
    ],
    "just_moved in a move phase": [
        (game, f"{TWO_THINGS[game]} turn({side},move) just_moved(1,4)", ["just_moved", "a4"])
        for game in SPLIT
        for side in ("white", "black")
    ],
    "a counter out of range": [
        ("skirmish", f"{ROOKS} {counter}", [counter])
        for counter in (
            *("step(0)", "step(61)", "step(-1)", "step(600)", "step(many)"),
            *("captures(white,-1)", "captures(white,60)"),
            *("captures(black,60)", "captures(black,600)"),
        )
    ],
    "a counter given twice": [
        ("skirmish", f"{ROOKS} {counter.format(4)} {counter.format(7)}", [*named, "4", "7"])
        for counter, named in [
            ("step({})", []),
            ("captures(white,{})", ["white"]),
            ("captures(black,{})", ["black"]),
        ]
    ],
    "malformed facts": [
        (game, text, [place])
        for game in ONE_PLY
        for text, place in [
            ("cell(1,4,white) cell(5,5,black", "character 17"),
            ("cell(1,4,white)) control(white)", "character 16"),
            ("control(white) cell(1,Y,white)", "character 16"),
            ("control(white) 17", "no fluent 17"),
            ('control(white) "17"', 'no fluent "17"'),
            ("control(white) cell(1..2,4,white)", "character 16"),
            ("control(white) cell(1,,4,white)", "character 16"),
            ("control(white) (1,4)", "no fluent (1,4)"),
            ("control(white) -cell(1,4,white)", "-cell(1,4,white)"),
            ("control(white) true(cell(1,4,white),yes)", "true(cell(1,4,white),yes)"),
            ("nonsense", "nonsense"),
            ("start", "start"),
            ("", "empty"),
            (" \n ", "empty"),
        ]
    ],
    "an unknown trailing field of a FEN": [
        (game, f"{START[game]} {trailing}", [trailing.split()[-("fire" in trailing)], "the FEN"])
        for games, fields in [
            (GAMES, ["hello"]),
            ([*AMAZONS, "breakthrough"], ["- - 0 1 2", "KQkq - 0 1", "- - 0", "- - 0 -1"]),
            (["amazons"], ["fire d1"]),
            (["breakthrough"], ["fire a1"]),
            (["skirmish"], ["- - 0 1", "7"]),
            (["amazons_8x8"], ["fire j9", "fire 31", "burn c1"]),
        ]
        for game in games
        for trailing in fields
    ],
    "an unknown side in a FEN": [
        (game, f"{START[game].split()[0]} {side}", [side])
        for game in GAMES
        for side in ("x", "W", "white", "-")
    ],
    "a counter of a FEN out of range": [
        ("skirmish", f"{EMPTY['skirmish']} {trailing}", [named])
        for trailing, named in [
            *(("w 60 0 1", "60"), ("w 0 60 1", "60"), ("w 60", "60"), ("w 0 60", "60")),
            *(("w -1 0 1", "-1"), ("w 0 0 61", "61"), ("w 0 0 0", "0"), ("w 0 0 one", "one")),
        ]
    ],
    "other squares off limits in a FEN": [
        ("skirmish", "8/8/2#2#2/8/8/8/8/8 w", ["c3"]),
        ("skirmish", "8/8/2#2#2/8/8/2#2P2/8/8 w", ["f3"]),
        ("skirmish", "8/8/2#2#2/8/3#4/2#2#2/8/8 w", ["d4"]),
        ("amazons_8x8", "8/8/2#5/8/8/8/8/8 w", ["c6"]),
        ("breakthrough", "8/8/2#5/8/8/8/8/8 w", ["c6"]),
    ],
    "a rank of another length": [
        ("amazons", "10/55/10/10/10/10/10/10/10/Q9 w", ["rank 9", "55 squares"]),
        ("amazons_8x8", "8/8/8/8//8/8/Q7 w", ["rank 4", "0 squares"]),
        ("breakthrough", "pppppppp/8/8/8/8/8/8/PPPPPPPPP w", ["rank 1", "9 squares"]),
    ],
    "an unknown letter in a FEN": [
        (game, f"{'/'.join([*ranks[:4], odd, *ranks[5:]])} {side}", [f"'{glyph}'", odd])
        for games, glyphs in [
            (AMAZONS, "PpKk+.?"),
            (["breakthrough"], "QqNn*."),
            (["skirmish"], "AaXx*."),
        ]
        for game in games
        for glyph in glyphs
        for board, side in [START[game].split()[:2]]
        for ranks in [board.split("/")]
        for odd in [f"3{glyph}{6 if len(ranks) == 10 else 4}"]
    ],
}


@pytest.mark.parametrize(
    ("what", "game"),
    dict.fromkeys((what, game) for what, rows in REFUSED.items() for game, *_ in rows),
)
def test_an_invalid_position_is_refused(what: str, game: str) -> None:
    for text, named in (row[1:] for row in REFUSED[what] if row[0] == game):
        message = refusal(game, text)
        for word in named:
            assert word in message, text


# --- things on squares ----------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_fact_given_twice_is_one_fact(game: str) -> None:
    once = f"cell(2,5,{THINGS[game][0]}) cell(3,2,{THINGS[game][1]}) {ON_MOVE[game]}"
    assert position(game, f"{once} {once}") == position(game, once)


@pytest.mark.parametrize("square", ["5,1", "1,6"])
def test_the_edges_are_those_of_the_board_that_the_constants_make(square: str) -> None:
    text = f"cell({square},white) cell(1,4,black) control(white)"
    assert f"cell({square},white)" in refusal("breakthrough", text, width=4, height=5)
    assert position("breakthrough", text).facts


@pytest.mark.parametrize(
    ("text", "squares"),
    [("7P/8/8/8/8/8/8/p7 w", {"h8", "a1"}), ("1P6/8/8/8/8/8/8/1p6 b", {"b8", "b1"})],
)
def test_the_squares_on_which_both_sides_have_won_are_named(text: str, squares: set[str]) -> None:
    assert set(re.findall("[a-h][1-8]", refusal("breakthrough", text))) == squares


@pytest.mark.parametrize(("written", "again"), [("lp", "empty"), ("kif", " empty ")])
def test_the_empty_position_can_be_given(
    call: Call, tmp_path: Path, written: str, again: str
) -> None:
    sheet = tmp_path / "start.kif"
    sheet.write_text(
        "(role me) (<= (legal me (mark ?x)) (n ?x)) (n 1) (n 2) (goal me 0)"
        "(<= (next (marked ?x)) (does me (mark ?x))) (<= terminal (true (marked 1)))"
    )
    options = ["--notation", written, "--json"]
    assert aspgames.load(str(sheet)).position("empty") == aspgames.load(str(sheet)).initial
    start = call("legal", str(sheet), "startpos", *options).json
    assert start["facts"] == []
    assert call("legal", str(sheet), again, *options).json == start
    refused = call("legal", str(sheet), "", *options)
    assert refused.code == 2
    assert "give 'startpos', 'empty'" in refused.err


@pytest.mark.parametrize("game", EMPTY)
def test_an_empty_board_is_a_position(game: str) -> None:
    state = position(game, f"{EMPTY[game]} b")
    assert not any(fact.startswith("cell") for fact in state.facts)
    assert state.to_move == "black"
    assert position(game, ON_MOVE[game]).to_move == "white"


@pytest.mark.parametrize(
    ("game", "text", "pieces"),
    [
        ("amazons", "QQQQQQQQQQ/10/10/10/10/10/10/10/10/10 w", 10),
        ("amazons_8x8", "qqqqqqqq/qqqqqqqq/8/8/8/8/8/QQ6 w", 18),
        ("breakthrough", "8/pppppppp/pppppppp/pppppppp/PPPPPPPP/PPPPPPPP/PPPPPPPP/8 w", 48),
        ("skirmish", "qqqqqqqq/kkkkkkkk/2#2#2/8/8/2#2#2/8/KKKKKKKK w", 24),
    ],
)
def test_any_number_of_pieces_is_a_position(game: str, text: str, pieces: int) -> None:
    facts = position(game, text).facts
    assert len([fact for fact in facts if fact.startswith("cell")]) == pieces


# --- counters -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fact",
    [
        *("step(1)", "step(60)", "captures(white,0)", "captures(white,59)", "captures(black,59)"),
        *("cell(4,1,pawn(white))", "cell(4,8,pawn(black))"),
    ],
)
def test_counters_at_their_limits_and_pawns_on_their_first_rank_are_positions(fact: str) -> None:
    assert fact in position("skirmish", f"{ROOKS} {fact}").facts


@pytest.mark.parametrize(
    ("text", "counters"),
    [
        (ROOKS, "captures(white,0) captures(black,0) step(1)"),
        (f"{ROOKS} captures(black,4) step(9)", "captures(white,0) captures(black,4) step(9)"),
        (f"{EMPTY['skirmish']} w", "captures(white,0) captures(black,0) step(1)"),
        (f"{EMPTY['skirmish']} w 4", "captures(white,4) captures(black,0) step(1)"),
        (f"{EMPTY['skirmish']} w 4 7", "captures(white,4) captures(black,7) step(1)"),
    ],
)
def test_missing_captures_are_0_and_a_missing_step_is_1(text: str, counters: str) -> None:
    facts = position("skirmish", text).facts
    assert {fact for fact in facts if fact.startswith(("captures", "step"))} == words(counters)


# --- facts as text --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "cell(1,4,white) cell(5,5,black) control(white)",
        "cell(1,4,white), cell(5,5,black), control(white)",
        "cell(1,4,white). cell(5,5,black). control(white).",
        "cell(1,4,white).cell(5,5,black),control(white)",
        "true(cell(1,4,white)) true(cell(5,5,black)) true(control(white))",
        "true(cell(1,4,white)), cell(5,5,black). true(control(white)).",
        "control(white) cell(5,5,black) cell(1,4,white)",
        "  cell( 1, 4, white )\n\tcell(5,5,black)\r\ncontrol(white)\n",
    ],
)
def test_facts_are_separated_by_blanks_commas_or_full_stops(text: str) -> None:
    expected = {"cell(1,4,white)", "cell(5,5,black)", "control(white)"}
    assert set(position("amazons", text).facts) == expected
    assert set(position("breakthrough", text).facts) == expected


# --- FEN ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_the_start_as_fen(game: str) -> None:
    start = aspgames.load(game).initial
    assert start.fen == START[game]
    assert position(game, START[game]) == start
    assert position(game, "startpos") == start
    assert position(game, " ".join(start.facts)) == start


@pytest.mark.parametrize(
    ("game", "fen", "expected"),
    [
        ("amazons", "Q8q/10/10/10/10/10/10/1*8/10/10 b",
         "cell(1,10,white) cell(10,10,black) cell(2,3,arrow) control(black)"),
        ("amazons", "10/9q/10/10/10/10/10/10/Q9/10 w",
         "cell(10,9,black) cell(1,2,white) control(white)"),
        ("amazons_8x8", "8/8/8/8/8/6q1/8/Q6* w",
         "cell(1,1,white) cell(8,1,arrow) cell(7,3,black) turn(white,move)"),
        ("amazons_10x10", "10/10/10/3Q6/10/10/10/10/10/q9 w fire d7",
         "cell(4,7,white) cell(1,1,black) turn(white,fire) just_moved(4,7)"),
        ("amazons_8x8", "8/3q4/8/8/8/8/8/8 b fire d7",
         "cell(4,7,black) turn(black,fire) just_moved(4,7)"),
        ("breakthrough", "8/p7/8/8/8/8/8/6P1 b", "cell(1,7,black) cell(7,1,white) control(black)"),
        (
            "skirmish",
            "pnbrqk2/8/2#2#2/8/8/2#2#2/8/2PNBRQK b 4 7 33",
            "cell(1,8,pawn(black)) cell(2,8,knight(black)) cell(3,8,bishop(black))"
            " cell(4,8,rook(black)) cell(5,8,queen(black)) cell(6,8,king(black))"
            " cell(3,1,pawn(white)) cell(4,1,knight(white)) cell(5,1,bishop(white))"
            " cell(6,1,rook(white)) cell(7,1,queen(white)) cell(8,1,king(white))"
            " control(black) captures(white,4) captures(black,7) step(33)",
        ),
    ],
)  # fmt: skip
def test_a_fen_goes_from_the_top_rank_to_the_bottom_and_from_left_to_right(
    game: str, fen: str, expected: str
) -> None:
    state = position(game, fen)
    assert set(state.facts) == words(expected)
    assert state.fen == fen
    assert position(game, expected) == state


@pytest.mark.parametrize("game", [*AMAZONS, "breakthrough"])
@pytest.mark.parametrize("trailing", ["- - 0 1", "0 1", "- - 3 17", "3 17"])
def test_the_trailing_fields_of_fairy_stockfish_are_ignored(game: str, trailing: str) -> None:
    for fen in (START[game], *[f"{START[game]} fire c1"] * (game == "amazons_8x8")):
        assert position(game, f"{fen} {trailing}").fen == fen


def test_a_run_of_twelve_empty_squares_is_12() -> None:
    state = position("breakthrough", "12/11p/P11/12 w", width=12, height=4)
    assert set(state.facts) == {"cell(12,3,black)", "cell(1,2,white)", "control(white)"}


# --- boards of another size -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "width", "height"),
    [
        ("pppp/pppp/4/PPPP/PPPP w", 4, 5),
        ("pppppppp/8/8/8/8/8/PPPPPPPP w", 8, 7),
        ("pppppp/6/6/6/6/6/6/PPPPPP w", 6, 8),
        ("12/12/12/pppppppppppp/12/12/12/12/12/PPPPPPPPPPPP w", 12, 10),
    ],
)
def test_a_board_of_another_size_is_refused_with_the_constants_that_fit(
    fen: str, width: int, height: int
) -> None:
    message = refusal("breakthrough", fen)
    assert f"width={width}" in message
    assert f"height={height}" in message
    assert position("breakthrough", fen, width=width, height=height).facts


@pytest.mark.parametrize("fen", ["p/1/1/1/1/1/1/P w", "pp/2/PP w", "pppp/PPPP w"])
def test_no_constants_are_proposed_where_none_would_fit(fen: str) -> None:
    message = refusal("breakthrough", fen)
    assert "width=" not in message
    assert "height=" not in message


# --- constants ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "name", "value"),
    [
        ("breakthrough", "width", 1),
        ("breakthrough", "width", 0),
        ("breakthrough", "width", -8),
        ("breakthrough", "width", "wide"),
        ("breakthrough", "height", 3),
        ("breakthrough", "height", 0),
        ("breakthrough", "height", "X"),
        ("breakthrough", "height", ""),
        ("breakthrough", "width", 2**40),
        ("amazons", "stuck", "nobody"),
        ("amazons", "stuck", 1),
    ],
)
def test_a_senseless_value_of_a_constant_is_refused(game: str, name: str, value: int | str) -> None:
    with pytest.raises(aspgames.BadConstant) as caught:
        aspgames.load(game, **{name: value})
    assert str(value) in str(caught.value)


@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("breakthrough", "depth"),
        ("breakthrough", "stuck"),
        ("amazons", "depth"),
        ("amazons_10x10", "stuck"),
        ("amazons_8x8", "size"),
        ("skirmish", "width"),
    ],
)
def test_an_unknown_constant_is_refused(game: str, name: str) -> None:
    with pytest.raises(aspgames.BadConstant, match=f"'{name}'"):
        aspgames.load(game, **{name: 8})


@pytest.mark.parametrize(("width", "height"), [(2, 4), (2, 8), (8, 4), (4, 5), (12, 10), (26, 4)])
def test_breakthrough_boards_from_2_by_4_up(width: int, height: int) -> None:
    start = aspgames.load("breakthrough", width=width, height=height).initial
    assert len(start.facts) == 4 * width + 1
    assert not start.is_terminal
