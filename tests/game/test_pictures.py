"""Positions as pictures: pieces, squares, colours, and the text alternative."""

import math
import random
import re
import struct
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

import aspgames
from aspgames import BadMove, BadRequest, RulesError, State
from aspgames.game.board import square_name
from aspgames.game.picture.placement import CELL_SHAPES, Placement
from aspgames.game.picture.shapes import SHAPES
from aspgames.game.picture.themes import COLOURS, DARK, LIGHT, THEME_LIST, THEMES, Ink, Theme
from aspgames.runtime import call_arguments
from cli_helpers import Call, assert_refused
from colours import contrast
from engine_helpers import write
from gdl_helpers import PAWNS
from helpers import FIVE, matches_snapshot
from paths import ROOT, TESTS

DATA = TESTS / "data"
TICTACTOE = ROOT / "encodings/gallery/tictactoe.lp"
TRAP = (
    "****2**1*/1*1Q***Q**/****1q***1/*********q/1**1Q*****/1****1****/1*****Q*2/1*3*****/"
    "***1*2*q*/q**1*2*** w"
)
SVG = "{http://www.w3.org/2000/svg}"


def parsed(svg: str) -> ElementTree.Element:
    """The picture, which must be XML, with all that it refers to in it."""
    root = ElementTree.fromstring(svg)
    defined = {f"#{node.get('id')}" for node in root.iter() if node.get("id")}
    assert {use.get("href") for use in root.iter(f"{SVG}use")} == defined
    return root


def group(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [g for g in root.iter(f"{SVG}g") if g.get("class") == f"aspgames-{name}"]


def pieces(root: ElementTree.Element) -> dict[tuple[float, float], tuple[str, str]]:
    """By place in squares from the upper left corner: a piece's colour, and its shape or letter."""
    found = {}
    for name in (*COLOURS, "nobody"):
        for each in (node for part in group(root, name) for node in part):
            x, y = (float(each.get(key, "nan")) // 100 for key in "xy")
            shown = each.get("href", "").removeprefix("#shape-") or each.text or ""
            if not each.tag.endswith("circle"):  # the side on move
                assert (x, y) not in found
                found[x, y] = name, shown
    return found


# --- snapshots ------------------------------------------------------------------------------------


def load(name: str, position: str = "startpos") -> State:
    return aspgames.load(name).position(position)


SNAPSHOTS = {
    "amazons": lambda: load("amazons", TRAP).svg(last_move="d9-e8/d9"),
    "amazons_8x8": lambda: load("amazons_8x8").play("c1-c4").svg(theme="dark", last_move="c1-c4"),
    "breakthrough": lambda: load("breakthrough").svg(
        theme="auto", bottom="black", marked=["a3"], arrows=[("a2", "a3"), ("b2", "c3", "#036")]
    ),
    "skirmish": lambda: load("skirmish").svg(size=300, coordinates=False),
    "tictactoe": lambda: load(str(TICTACTOE), "X1O/1X1/O2 w").svg(),
    "climb": lambda: load(str(DATA / "climb.lp")).svg(theme="dark"),
}


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_a_picture_is_as_it_was(name: str) -> None:
    svg = SNAPSHOTS[name]()
    parsed(svg)
    matches_snapshot(svg, DATA / f"pictures/{name}.svg")


# --- pieces and squares ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*FIVE, str(TICTACTOE)])
def test_every_piece_is_drawn_once_on_its_square_in_its_owners_colour(name: str) -> None:
    game = aspgames.load(name)
    board, chance = game.board, random.Random(1)
    assert board is not None
    state = game.initial
    for _ in range(8):
        upright, turned = pieces(parsed(state.svg())), pieces(parsed(state.svg(bottom="black")))
        expected = {}
        for (x, y), content in state.occupied.items():
            owner = next((role for role in ("white", "black") if role in content), "nobody")
            expected[x - 1, board.height - y] = (owner, board.pictures[content])
        assert upright == expected
        last_x, last_y = board.width - 1, board.height - 1
        assert turned == {(last_x - x, last_y - y): piece for (x, y), piece in expected.items()}
        if not state.is_terminal:
            state = state.play(chance.choice(state.legal_moves))


def test_the_last_move_is_tinted_however_it_is_given() -> None:
    state = load("amazons")
    move = next(m for m in state.legal_moves if m.text == "d1-d7/g7")
    by_text = state.svg(last_move="d1-d7/g7")
    assert state.svg(last_move=move) == state.svg(last_move=move.term) == by_text
    (tint,) = group(parsed(by_text), "last")
    starts = [f"M{100 * x} {100 * (10 - y)}" for x, y in ((3, 1), (3, 7), (6, 7))]
    assert tint[0].get("d") == "".join(f"{start}h100v100h-100z" for start in starts)
    assert not group(parsed(state.svg()), "last")


@pytest.mark.parametrize(("written", "move"), [("lp", "go(a,1,2)"), ("kif", "(go a 1 2)")])
def test_the_last_move_of_a_sheet(tmp_path: Path, call: Call, written: str, move: str) -> None:
    """Its files are letters, and its moves have no text."""
    sheet, picture = tmp_path / "pawns.kif", tmp_path / "pawns.svg"
    sheet.write_text(PAWNS)
    run = call(
        *("show", str(sheet), "--notation", written, "--last-move", move, "--svg", str(picture))
    )
    assert (run.code, run.err) == (0, "")
    ((tint,),) = group(parsed(picture.read_text()), "last")
    assert tint.get("d") == "M0 300h100v100h-100z"
    assert sorted(pieces(parsed(picture.read_text())).values()) == [
        *(("black", "k"), ("black", "p"), ("white", "K"), ("white", "P"))
    ]


def test_the_last_move_of_a_sheet_with_pieces_in_its_moves(tmp_path: Path, call: Call) -> None:
    """The piece may be left out. A move that no position allows with any piece is refused."""
    sheet, picture = tmp_path / "pawns.kif", tmp_path / "pawns.svg"
    sheet.write_text(PAWNS.replace("(go ?x ?y ?v)", "(go ?p ?x ?y ?x ?v)"))
    drawn = set()
    for move in ("a1-a2", "wp:a1-a2", "go(wp,a,1,a,2)"):
        assert call("show", str(sheet), "--last-move", move, "--svg", str(picture)).code == 0
        drawn.add(picture.read_text())
    ((tint,),) = group(parsed(drawn.pop()), "last")
    assert (tint.get("d"), drawn) == ("M0 300h100v100h-100zM0 200h100v100h-100z", set())
    for move, told in {
        "a1-b2": "a1-b2 is legal in no position of pawns",
        "bp:a1-a2": "bp:a1-a2 is legal in no position of pawns",
        "a1-a9": "a1-a9 names no squares of pawns, so it can't be shown",
    }.items():
        assert_refused(call("show", str(sheet), "--last-move", move, "--svg", str(picture)), told)


def test_a_last_move_without_a_name_may_look_like_a_constant(tmp_path: Path) -> None:
    rules = "role(white). legal(white,put(1,2,5)). terminal. goal(white,0). init(cell(1,1,5))."
    board = '#program board. board(2,2). glyph(5,"5"). notation(put,"@:?").'
    state = write(rules + board, tmp_path).initial
    assert state.svg(last_move="a2") == state.svg(last_move="a2:5")


def test_the_last_move_where_counters_have_no_end(tmp_path: Path) -> None:
    """Then the moves that the rules allow are known by their arguments."""
    rules = "role(white). init(step(0)). next(step(N+1)) :- true(step(N)). goal(white,0)."
    rules += "n(1). n(2). legal(white,put(X,Y)) :- n(X), n(Y). terminal :- true(step(-1))."
    board = '#program board. board(3,3). notation(put,"@").'
    state = write(rules + board, tmp_path).initial
    assert group(parsed(state.svg(last_move="b2")), "last")
    with pytest.raises(BadMove, match="c2 is legal in no position of"):
        state.svg(last_move="c2")


def test_who_is_to_fire_is_marked_as_the_encoding_says() -> None:
    state = load("amazons_10x10").play("d1-d7")
    ((ring,),) = group(parsed(state.svg()), "marked")
    assert (ring.get("cx"), ring.get("cy")) == ("350", "350")
    ((other,),) = group(parsed(load("amazons").svg(marked=["a1"])), "marked")
    assert (other.get("cx"), other.get("cy")) == ("50", "950")


def test_coordinates_turn_with_the_board_and_can_be_left_out() -> None:
    state = aspgames.load("breakthrough", width=3, height=4).initial

    def letters(svg: str) -> list[str]:
        (beside,) = group(parsed(svg), "text")
        return [node.text or "" for node in sorted(beside, key=lambda n: float(n.get("x", "")))]

    assert letters(state.svg())[4:] == ["a", "b", "c"]
    assert letters(state.svg(bottom="black"))[4:] == ["c", "b", "a"]
    bare = parsed(state.svg(coordinates=False))
    assert not list(bare.iter(f"{SVG}text"))


def test_the_side_on_move_has_a_stone_on_its_side() -> None:
    game = aspgames.load("breakthrough")

    def stone(state: State, bottom: str) -> tuple[str, bool]:
        root = parsed(state.svg(bottom=bottom))
        found = [
            (name, float(node.get("cy", "")) > 400)
            for name in ("white", "black")
            for part in group(root, name)
            for node in part.iter(f"{SVG}circle")
            if part[0].tag.endswith("circle")
        ]
        (only,) = found
        return only

    assert stone(game.initial, "white") == ("white", True)
    assert stone(game.initial, "black") == ("white", False)
    assert stone(game.initial.play("a2-a3"), "white") == ("black", False)


def test_the_picture_says_in_words_what_it_shows() -> None:
    root = parsed(load("skirmish", "7r/2p5/2#2#2/8/8/2#2#2/8/3R4 b 1 0 7").svg())
    assert root.get("role") == "img"
    title, words = (root.findtext(f"{SVG}{name}") for name in ("title", "desc"))
    assert title == "Skirmish: black to move"
    assert words == (
        "black to move. black pawn: c7. white rook: d1. black rook: h8. "
        "Off limits: c3, c6, f3, f6. "
        "Also: captures by black: 0, captures by white: 1, step 7 of 60."
    )
    assert root[0].tag == f"{SVG}title"
    empty = parsed(load("amazons", "control(white)").svg())
    assert "The board is empty." in (empty.findtext(f"{SVG}desc") or "")


# --- a user's own games ---------------------------------------------------------------------------

LETTERS = """\
role(black).  role(white).  board(2,2).
init(cell(1,1,stone(black))).  init(cell(2,2,wall)).  init(cell(2,1,white)).
legal(R,wait) :- role(R).
#program board.
glyph(stone(black),"S").  glyph(wall,"<").
"""


def test_without_shapes_glyphs_are_drawn_in_the_colours_of_the_roles(tmp_path: Path) -> None:
    game = write(LETTERS, tmp_path)
    for more, stone, wall, other in [
        ("", "black", "nobody", "white"),  # colours by the names of the roles
        ('colour(black,"blue"). colour(white,red).', "blue", "nobody", "red"),
        ("belongs_to(stone(black),white). belongs_to(wall,black).", "white", "black", "white"),
    ]:
        expected = {(0, 1): (stone, "S"), (1, 0): (wall, "<"), (1, 1): (other, "?")}
        assert pieces(parsed(write(LETTERS + more, tmp_path).initial.svg())) == expected
    text = LETTERS.replace("role(black)", "role(me)").replace("wall", "block(red)")
    game = write(text, tmp_path)
    expected = {(0, 1): ("black", "S"), (1, 0): ("red", "<"), (1, 1): ("white", "?")}
    assert pieces(parsed(game.initial.svg())) == expected
    assert game.initial.scene.colour("me") == "black"


def test_what_a_users_game_says_is_text_and_nothing_else(tmp_path: Path) -> None:
    hostile = '</title><script>alert(1)</script> & "quoted" ]]> \x01'
    text = LETTERS + f'title("{hostile.replace(chr(34), chr(92) + chr(34))}"). '
    game = write(text + 'glyph(white,"<b>&\'").', tmp_path)
    root = parsed(game.initial.svg(theme="auto"))
    assert not list(root.iter(f"{SVG}script"))
    assert (root.findtext(f"{SVG}title") or "").startswith(hostile.replace("\x01", "\ufffd"))
    assert pieces(root)[1, 1] == ("white", "<b>&'")
    facts = write('role(white). init(name("</svg><x>")). legal(white,w).', tmp_path, "facts.lp")
    assert 'name("</svg><x>")' in [t.text for t in parsed(facts.initial.svg()).iter(f"{SVG}text")]


def test_a_picture_has_the_chances_of_rolls() -> None:
    rolls = aspgames.load("pig").initial.play("roll")
    lines = [each.text for each in parsed(rolls.svg()).iter(f"{SVG}text")]
    assert lines[-6:] == [f"chance: die({n}) 1/6" for n in range(1, 7)]
    said = parsed(aspgames.load("einstein", size=3).initial.svg()).find(f"{SVG}desc")
    assert said is not None
    assert "Chance: roll(1) 1/3, roll(2) 1/3, roll(3) 1/3." in str(said.text)
    assert "hance" not in aspgames.load("pig").initial.svg()


def test_a_game_without_a_board_has_its_facts_listed(tmp_path: Path) -> None:
    many = write("role(white). init(f(1..100)). legal(white,w).", tmp_path).initial
    lines = [node.text for node in parsed(many.svg()).iter(f"{SVG}text")]
    assert lines[:3] == ["own", "white to move", "f(1)"]
    assert lines[-1] == "and 40 more"
    assert "f(77)" in (parsed(many.svg()).findtext(f"{SVG}desc") or "")
    with pytest.raises(BadRequest, match="for games with a board"):
        many.svg(marked=["a1"])


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('picture(wall,"quen").', "there is no picture 'quen'; there are: disc"),
        ('colour(white,"pink").', "there is no colour 'pink'; there are: white"),
    ],
)
def test_a_shape_or_colour_that_there_is_not_is_named(
    tmp_path: Path, line: str, words: str
) -> None:
    state = write(LETTERS + line, tmp_path).initial
    assert state.facts, "only pictures are refused"
    with pytest.raises(RulesError, match=words):
        state.svg()


def test_how_a_game_looks_is_no_part_of_its_rules(tmp_path: Path) -> None:
    plain = write(LETTERS, tmp_path, "plain.lp").encoding
    looks = write("% A comment.\n" + LETTERS + 'picture(wall,"burnt").', tmp_path).encoding
    other = write("init(more).\n" + LETTERS, tmp_path, "other.lp").encoding
    assert looks.fingerprint == plain.fingerprint != other.fingerprint


# --- colours, sizes, refusals ---------------------------------------------------------------------


def test_the_colours_are_those_of_the_theme() -> None:
    state = load("skirmish")
    light, dark, auto = (state.svg(theme=theme) for theme in ("light", "dark", "auto"))
    for theme, svg in ((LIGHT, light), (DARK, dark)):
        root = parsed(svg)
        assert group(root, "light")[0].get("fill") == theme.light
        pawns = group(root, "black")[0]
        assert (pawns.get("fill"), pawns.get("color")) == (theme.black.fill, theme.black.lines)
        assert "prefers-color-scheme" not in svg
    style = parsed(auto).findtext(f"{SVG}style") or ""
    assert style.startswith("@media screen and (prefers-color-scheme:dark)")
    assert f".aspgames-auto .aspgames-light{{fill:{DARK.light}}}" in style
    assert parsed(auto).get("class") == "aspgames-auto"
    assert group(parsed(auto), "light")[0].get("fill") == LIGHT.light


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_there_is_to_see_can_be_seen(theme: str) -> None:
    def fill(name: str) -> str:
        return group(root, name)[0].get("fill") or ""

    before = load("skirmish")
    for state in (before, before.play(before.legal_moves[0])):
        root = parsed(state.svg(theme=theme))
        page, squares = fill("background"), (fill("light"), fill("dark"))
        assert contrast(fill("text"), page) >= 4.5
        hatch = group(root, "hatch")[0].get("stroke") or ""
        assert contrast(fill("hole"), hatch) >= 3
        # A square off limits looks like none of the others.
        assert min(contrast(fill("hole"), square) for square in squares) >= 3
        # The stone of the side on move: by itself, or by the ring around it.
        stone, ring = group(root, str(state.to_move))[-1], group(root, "frame")[-1]
        assert stone[0].tag == ring[0].tag == f"{SVG}circle"
        assert contrast(ring.get("stroke") or "", page) >= 3
        assert contrast(stone.get("fill") or "", page) >= 3 or (
            contrast(ring.get("stroke") or "", stone.get("fill") or "") >= 3
        )
    assert contrast(fill("white"), fill("black")) >= 3


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_owners_pieces_can_be_seen_on_every_square(theme: Theme) -> None:
    for name in (*COLOURS, "nobody"):
        ink = getattr(theme, name)
        for square in (theme.light, theme.dark):
            assert max(contrast(ink.fill, square), contrast(ink.outline, square)) >= 4.5, name
        assert contrast(ink.fill, ink.lines) >= 3, name
    for mark in (theme.marked, theme.arrow, theme.line):
        assert min(contrast(mark, square) for square in (theme.light, theme.dark)) >= 3


@pytest.mark.parametrize(
    ("name", "place", "neighbours"),
    [("hex", (5, 5), 6), ("y", (3, 3), 6), ("nine_mens_morris", (4, 6), 0), ("pentago", (2, 2), 4)],
)
def test_other_boards(name: str, place: tuple[int, int], neighbours: int) -> None:
    """Neighbours of the rules are one width away, nothing is outside, and sides are coloured."""
    state = aspgames.load(name).initial
    board = state.scene.vocabulary.board
    assert board is not None
    places = Placement(board)
    at = places.middles
    assert set(at) == set(board.squares) - board.holes
    width, height = places.size
    assert all(50 <= x <= width - 50 and 50 <= y <= height - 50 for x, y in at.values())
    near = [other for other in at if 99 < math.dist(at[place], at[other]) < 101]
    assert len(near) == neighbours or name == "nine_mens_morris"
    assert min(math.dist(one, other) for one, other in combinations(at.values(), 2)) > 99
    root = parsed(state.svg(marked=[square_name(place)]))
    ((ring,),) = group(root, "marked")
    assert (ring.get("cx"), ring.get("cy")) == tuple(f"{side:g}" for side in at[place])
    assert len(group(root, "white")) == (2 if name == "hex" else 1)
    assert len(group(root, "dark")) == 0


def test_a_layout_of_ones_own(tmp_path: Path) -> None:
    game = write(
        LETTERS + "cell_shape(point). at((1,1),0,0). at((2,2),7,300). at(x,1,1).", tmp_path
    )
    svg = game.initial.svg(arrows=[("a1", "b2")])
    assert pieces(parsed(svg)).keys() == {(0, 3), (0, 0), (2, 2)}
    with pytest.raises(RulesError, match=r'"round".: the shapes are chequered'):
        write(LETTERS + "cell_shape(round).", tmp_path, "round.lp").initial.svg()


def test_a_theme_of_ones_own() -> None:
    ink = Ink("#123", "none", 'x" onload="')
    root = parsed(load("skirmish").svg(theme=replace(LIGHT, white=ink, dark="#abc")))
    assert group(root, "dark")[0].get("fill") == "#abc"
    assert group(root, "white")[0].get("fill") == "#123"
    assert group(root, "white")[0].get("color") == 'x" onload="'


@pytest.mark.parametrize(("game", "box"), [("amazons", (480, 466)), ("breakthrough", (276, 480))])
def test_the_size_is_that_of_the_longer_side(game: str, box: tuple[int, int]) -> None:
    constants = {"width": 4, "height": 8} if game == "breakthrough" else {}
    root = parsed(aspgames.load(game, **constants).initial.svg())
    assert (int(root.get("width", "")), int(root.get("height", ""))) == box


def test_the_docs_name_each_theme() -> None:
    (row,) = re.findall(r"^\| `theme` \|.*", (ROOT / "docs/pictures.md").read_text(), re.MULTILINE)
    assert all(f"`{name}`" in row for name in THEMES)
    assert "auto (as the reader's browser asks)" in THEME_LIST


@pytest.mark.parametrize(
    ("head", "names"),
    [
        ("picture(C,S)", [name for name in SHAPES if not name[-1].isdigit()]),
        ("cell_shape(S)", CELL_SHAPES),
    ],
)
def test_the_docs_name_each_shape(head: str, names: Sequence[str]) -> None:
    text = (ROOT / "encodings/README.md").read_text()
    (row,) = re.findall(rf"^\| `{re.escape(head)}` \|.*", text, re.MULTILINE)
    assert [name for name in names if f"`{name}`" not in row] == []


REFUSED = [
    ({"theme": "pink"}, BadRequest, f"theme must be {' or '.join(THEMES)}, not 'pink'"),
    ({"arrows": [("a1", "a2", 5)]}, BadRequest, "is no colour"),
    ({"size": 0}, BadRequest, "size must be from 16"),
    ({"bottom": "red"}, BadRequest, "bottom must be white or black"),
    ({"marked": ["a9"]}, BadRequest, "'a9' is no square of the board"),
    ({"arrows": [("a1", "zz")]}, BadRequest, "'zz' is no square"),
    ({"arrows": [("a1", "a1")]}, BadRequest, "another square"),
    ({"arrows": [("a1",)]}, BadRequest, "an arrow has two squares"),
    ({"arrows": ["a1b2"]}, BadRequest, "an arrow has two squares"),
    ({"arrows": [("a1", "a2", 'x" onload="')]}, BadRequest, "is no colour"),
    ({"last_move": "nonsense("}, BadMove, "nonsense"),
    ({"last_move": "noop"}, BadMove, "names no squares"),
    ({"last_move": "move(1,1,9,9)"}, BadMove, "names no squares"),
    ({"last_move": "a2-h8"}, BadMove, "a2-h8 is legal in no position of skirmish"),
]


@pytest.mark.parametrize(("options", "error", "words"), REFUSED, ids=lambda value: str(value)[:40])
def test_what_makes_no_sense_is_refused(
    options: dict[str, object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        load("skirmish").svg(**options)  # type: ignore[arg-type]


def test_notebooks_show_the_picture() -> None:
    state = load("skirmish")
    assert state._repr_svg_() == state.svg(theme="auto"), "dark in a dark notebook"


# --- the command line -----------------------------------------------------------------------------


def test_show_writes_pictures(call: Call, folder: Path) -> None:
    state = load("breakthrough")
    options = ["--size", "200", "--theme", "dark", "--bottom", "black", "--last-move", "a2-a3"]
    options += ["--arrow", "a2-b3", "--arrow", "c2-c3:red", "--mark", "h8", "--no-coordinates"]
    result = call("show", "breakthrough", "--svg", "a.svg", "--png", "a.png", *options)
    assert result.code == 0, result.err
    assert result.out.endswith("white to move\nPicture: a.svg\nPicture: a.png\n")
    svg = (folder / "a.svg").read_text()
    assert svg == state.svg(
        size=200,
        theme="dark",
        bottom="black",
        last_move="a2-a3",
        arrows=[("a2", "b3"), ("c2", "c3", "red")],
        marked=["h8"],
        coordinates=False,
    )
    png = (folder / "a.png").read_bytes()
    assert png.startswith(b"\x89PNG\r\n")
    assert struct.unpack(">II", png[16:24]) == (200, 200)
    assert call("show", "breakthrough", "--svg", "-").out == state.svg()
    assert sorted(file.name for file in folder.glob("*a.[sp]*")) == ["a.png", "a.svg"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--size", "100"], "give --svg FILE or --png FILE"),
        (["--mark", "a1"], "give --svg FILE or --png FILE"),
        (["--svg", "-", "--json"], "standard output takes one of"),
        (["--svg", "-", "--png", "-"], "standard output takes one of"),
        (["--svg", "no/such/folder.svg"], "no/such/folder.svg can't be written"),
        (["--svg", "folder.lp"], "folder.lp can't be written"),
        (["--svg", ""], "a file without a name can't be written"),
        (["--svg", "a.svg", "--arrow", "a1"], "--arrow a1: give two squares"),
        (["--svg", "a.svg", "--theme", "pink"], "theme"),
    ],
)
def test_pictures_that_make_no_sense(
    call: Call, folder: Path, arguments: list[str], words: str
) -> None:
    result = call("show", "skirmish", *arguments)
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert words in result.err
    assert not (folder / "a.svg").exists()


def test_a_missing_package_is_named(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_name: str) -> None:
        raise ImportError

    monkeypatch.setattr(call_arguments, "import_module", missing)
    result = call("show", "skirmish", "--png", "a.png")
    assert result.code == 2
    assert 'pip install "aspgames[png]"' in result.err
    assert call("show", "skirmish", "--svg", "a.svg").code == 0
