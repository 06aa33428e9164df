"""SGF: written here, read by sgfmill, read again; files as Little Golem and HexGui have them."""

from random import Random
from typing import Any

import pytest

import aspgames
from aspgames.play.formats.registry import format_named
from cli_helpers import Call
from format_helpers import converted, random_game, read_again, written

sgf: Any = pytest.importorskip("sgfmill.sgf")
sgf_grammar: Any = pytest.importorskip("sgfmill.sgf_grammar")

GAMES = [
    ("hex", {"size": 5}),
    ("othello", {}),
    ("gomoku", {"width": 7, "height": 7}),
    ("lines_of_action", {}),
]


@pytest.mark.quick(2)
@pytest.mark.parametrize(("name", "const"), GAMES)
def test_what_is_written_is_read_by_sgfmill_and_again(name: str, const: dict[str, Any]) -> None:
    game = aspgames.load(name, **const)
    games = [random_game(game, Random(number), 60) for number in range(3)]
    later = games[0].states[3]
    if name == "lines_of_action":
        assert not format_named("sgf").begins(later)  # a count of plies is no stone
    else:
        games.append(random_game(game, Random(3), 60, later))
    text = written("sgf", games)
    found = read_again("sgf", game, text)
    assert [each.states for each in found] == [each.states for each in games]
    assert [each.goals for each in found] == [each.goals for each in games]
    assert written("sgf", found) == text
    trees = [sgf.Sgf_game.from_coarse_game_tree(t) for t in sgf_grammar.parse_sgf_collection(text)]
    for tree, ours in zip(trees, games, strict=True):
        first = 3 * (ours.states[0] == later)
        assert tree.get_root().get("GM") == int(game.vocabulary.formats["sgf"][0])
        nodes = tree.get_main_sequence()[1:]
        assert [node.properties() for node in nodes] == [
            ["BW"[(n + first) % 2]] for n in range(len(nodes))
        ]
        texts = [node.get_raw(*node.properties()).decode() for node in nodes]
        shown = zip(ours.states, ours.plies, strict=False)
        assert texts == [state.move_text(ply).replace("x", "-") for state, ply in shown]
        roles = sorted(game.roles, key=lambda role: role != game.initial.to_move)
        goals = [ours.goals[role] for role in roles] if ours.goals else [50, 50]
        assert tree.get_winner() == {100: "b", 50: None, 0: "w"}[goals[0]]


LITTLE_GOLEM = """\
(;FF[4]EV[hex.mc]PB[Anna]PW[Ben \\[x\\]]SZ[3]RE[W]GC[ game #1]SO[http://www.littlegolem.com];W[ba];B[swap];W[aa];B[bb];W[ac];B[cb])
(;FF[4]EV[hex.mc]PB[Anna]PW[Ben]SZ[3]RE[B]SO[http://www.littlegolem.com];W[ab];B[ba];W[bb];B[resign])
"""
HEXGUI = """\
(;FF[4]AP[HexGui:0.8]GM[11]SZ[3]C[a comment (; with
brackets \\] in it];B[b1];W[swap-pieces];B[a1]C[x];W[B2](;B[a3];W[c2])(;B[c2]))
(;GM[11]SZ[3:3]
;B[b2];W[swap-sides];W[a1];B[b1];W[resign])
"""


def test_games_of_little_golem_and_hexgui(call: Call) -> None:
    found = converted(
        call, "hex", "-c", "size=3", "-", "--from", "sgf", stdin=LITTLE_GOLEM + HEXGUI
    )
    swapped, plain, hexgui, sides = found
    won, lost = {"white": 100, "black": 0}, {"white": 0, "black": 100}
    # The stone b1 becomes the other side's a2, which goes on to b2 and c2: here b1, b2, b3.
    assert swapped["moves_text"] == hexgui["moves_text"] == ["b1", "a1", "b2", "c1", "b3"]
    assert swapped["result"] == hexgui["result"] == won
    assert (swapped["headers"]["PB"], swapped["headers"]["PW"]) == ("Ben [x]", "Anna")
    assert plain["moves_text"] == ["a2", "b1", "b2"]
    assert plain["result"] == won
    assert plain["headers"]["PB"] == "Anna"
    assert sides["moves_text"] == ["b2", "a1", "b1"]
    assert sides["result"] == won
    assert lost not in [each["result"] for each in found]
    given = LITTLE_GOLEM.replace("RE[W]", "").replace("RE[B]", "").encode()
    run = call("convert", "hex", "-c", "size=3", "-", "--from", "sgf", "--to", "sgf", stdin=given)
    assert [line.count("RE[B+]") for line in run.out.splitlines()] == [1, 1]


def test_stones_that_stand_before_the_first_move(call: Call) -> None:
    texts = {
        "(;GM[11]SZ[3]AB[a1][cc]AW[b2]PL[B])": "X2/1O1/2X w",
        "(;GM[11]SZ[3]AB[a1][c3]AW[b2]PL[White];W[c1])": "X2/1O1/2X b",
        "(;GM[11]SZ[3]AB[a1];AW[b2]PL[B];W[c1])": "X2/1O1/3 b",  # a move says whose it is
        "(;GM[11]SZ[3]AB[a1][c3]AW[b2])": "X2/1O1/2X b",
        "(;GM[11]SZ[3]AB[a1]AW[b2])": "X2/1O1/3 w",
    }
    found = converted(call, "hex", "-c", "size=3", "-", "--from", "sgf", stdin="\n".join(texts))
    assert [each["position"].replace("P", "X").replace("p", "O") for each in found] == [
        *texts.values()
    ]
    assert [each["moves"] for each in found if each["moves"]] == [["put(3,1)"]] * 2


def test_a_swap_after_which_the_same_colour_moves_changes_nothing_on_the_board(call: Call) -> None:
    text = "(;GM[11]SZ[3];B[b1];W[swap-pieces];W[a1];B[b2])"
    (found,) = converted(call, "hex", "-c", "size=3", "-", "--from", "sgf", stdin=text)
    assert found["moves_text"] == ["b1", "a1", "b2"]


def test_what_is_bad_is_reported_in_its_place_and_the_rest_is_read(call: Call) -> None:
    good = "(;GM[11]SZ[3];B[a1];W[b2])\n"
    bad = {
        "(;GM[1]SZ[3];B[aa])": "GM[1] is another game than hex",
        "(;GM[11]SZ[11];B[a1])": "the board is 11, and that of hex 3",
        "(;GM[11]SZ[3]AB[a4];W[b1])": "AB[a4] is no stone before the first move",
        "(;GM[11]SZ[3]AB[a1]AW[a1])": "AW[a1] is no stone before the first move",
        "(;GM[11]SZ[3];B[b1];AW[a1])": "AW[a1] is no stone before the first move",
        "(;GM[11]SZ[3]AB[a1];B[b1];W[swap])": "swap as move 2: hex has no swap there",
        "(;GM[11];B[a1];W[a1])": "ply 2, a1: ",
        "(;GM[11];B[zz])": "ply 1, z26: ",
        "(;GM[11];B[a1];W[b1];B[swap])": "swap as move 3: hex has no swap there",
        "(;GM[11];B[nonsense])": "ply 1, nonsense: ",
        "(;GM[11];B[a1];W[b1)": "this value has no end",
        "(;GM[11];B[a1];W": "the game has no end",
        "([x];B[a1])": "this value has no property",
    }
    text = "".join(f"{good}{each}\n" for each in bad) + good
    found = converted(call, "hex", "-c", "size=3", "-", "--from", "sgf", stdin=text, code=2)
    assert [each["moves_text"] for each in found[::2]] == [["a1", "b2"]] * (len(bad) + 1)
    for each, words in zip(found[1::2], bad.values(), strict=True):
        assert words in each["error"]
    assert [each["line"] for each in found[1::2]] == [2 * n + 2 for n in range(len(bad))]
