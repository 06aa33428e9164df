"""States as values: equal, hashable, immutable, and readable in another process."""

import pickle
import random
from pathlib import Path

import pytest

import aspgames
from aspgames import BadMove, BadPosition, Game, IllegalMove, Move, RulesError, State
from aspgames.game.text_view import board_text
from engine_helpers import write
from new_process import python


def test_states_are_equal_when_game_constants_and_facts_are() -> None:
    game = aspgames.load("breakthrough")
    one = game.initial.play("a2-a3").play("h7-h6").play("b2-b3")
    other = game.initial.play("b2-b3").play("h7-h6").play("a2-a3")
    assert one == other
    assert hash(one) == hash(other)
    assert len({one, other, game.initial}) == 2
    small = aspgames.load("amazons")
    assert small.position("startpos") != aspgames.load("amazons", stuck="either").initial
    assert small.initial != "startpos"


@pytest.mark.parametrize(
    "state",
    [
        aspgames.load("breakthrough", width=4, height=5).initial.play("a2-a3"),
        aspgames.load("amazons_8x8").initial.play("c1-c4"),
    ],
    ids=lambda state: str(state.game),
)
def test_states_pickle_as_text_that_another_process_reads(state: State, tmp_path: Path) -> None:
    assert pickle.loads(pickle.dumps(state)) == state
    pickled = tmp_path / "state"
    pickled.write_bytes(pickle.dumps(state))
    assert b"clingo" not in pickled.read_bytes()
    code = (
        "import pickle, sys; state = pickle.load(open(sys.argv[1], 'rb'));"
        "print(state.fen, len(state.legal_moves))"
    )
    found = python(code, str(pickled), cwd=tmp_path)
    assert found.out == f"{state.fen} {len(state.legal_moves)}\n", found.err


def test_a_pickled_state_is_refused_when_its_rules_have_changed(tmp_path: Path) -> None:
    pickled = pickle.dumps(write("role(solo). init(a).", tmp_path).initial)
    write("role(solo). init(b).", tmp_path)
    with pytest.raises(RulesError, match="have changed"):
        pickle.loads(pickled)


@pytest.mark.parametrize("move", ["dance", "a2", "move(1,2)", "fire(1,2)", "move(a,b,c,d)"])
def test_what_looks_like_no_move_of_the_game_is_refused_as_none(move: str) -> None:
    with pytest.raises(BadMove, match="is no move of breakthrough"):
        aspgames.load("breakthrough").initial.play(move)


def test_a_move_of_the_other_side_is_refused_also_as_an_object() -> None:
    state = aspgames.load("breakthrough").initial
    (noop,) = state.legal["black"]
    with pytest.raises(IllegalMove, match="is a move of black"):
        state.play(noop)


def test_nothing_is_played_when_the_game_is_over() -> None:
    over = aspgames.load("breakthrough").position("4P3/8/8/8/8/8/p7/8 b")
    for move in ("a2-a1", {}, {"white": "noop"}, {"white": "noop", "black": "a2-a1"}):
        with pytest.raises(IllegalMove, match="the game is over"):
            over.play(move)


def test_games_say_what_they_are() -> None:
    game = aspgames.load("breakthrough", width=5)
    assert (game.name, game.title, game.roles) == (
        "breakthrough",
        "Breakthrough",
        ("white", "black"),
    )
    assert game.constants == {"height": 8, "width": 5}
    assert repr(game) == "load('breakthrough', height=8, width=5)"
    assert aspgames.load("breakthrough", width="5") is game
    assert "amazons" in aspgames.games()


SMALL = aspgames.load("breakthrough", width=3, height=4)


def test_a_state_is_printed_as_its_board() -> None:
    assert str(SMALL.initial) == board_text(SMALL.initial.scene)
    assert str(SMALL.initial).splitlines()[3:] == ["1 P P P", "  a b c", "white to move"]
    assert repr(SMALL.initial) == "<breakthrough: ppp/ppp/PPP/PPP w>"


def test_several_moves_are_played_one_after_the_other() -> None:
    start = aspgames.load("breakthrough").initial
    first = start.legal_moves[0]
    assert start.play() == start
    assert start.play(first, "h7-h6", {"white": "b2b3"}) == start.play(first).play("h7-h6").play(
        "b2-b3"
    )
    with pytest.raises(IllegalMove, match=r"^move 2: a2xa3 is not legal for black"):
        start.play("a2-a3", "a2-a3")
    with pytest.raises(BadMove, match=r"^move 3: 'h7 h6' is no move: moves look like a2-a3$"):
        start.play("a2-a3", "a7-a6", "h7 h6")


@pytest.fixture(params=["net", "grounder"])
def game(request: pytest.FixtureRequest) -> Game:
    whole = aspgames.load("breakthrough", width=3, height=4)
    if request.param == "grounder":
        return whole.without_nets
    assert whole.moves
    return whole


def test_a_move_equals_moves_alone_as_sets_find_it(game: Game) -> None:
    state = game.position("1p1/3/P1P/3 w")
    move = state.legal_moves[0]
    same = Move("white", "move(1,2,1,3)", "a2-a3")
    for equal in (same, state.legal["white"][0]):
        assert move == equal
        assert equal in {move}
    others: list[object] = [str(move), move.term, Move("black", move.term, None), None, 5]
    for other in others:
        assert move != other
        assert other not in {move}


def test_pieces_and_outcome_by_name() -> None:
    state = aspgames.load("breakthrough", width=2, height=4).position("P1/2/1p/2 b")
    assert state.pieces == {"a4": "white", "b2": "black"}
    assert state.outcome == state.goals == {"white": 100, "black": 0}
    state = aspgames.load("breakthrough").initial
    assert len(state.pieces) == 32
    assert all(state.piece_at(name) == piece for name, piece in state.pieces.items())
    assert state.outcome is None


@pytest.mark.parametrize("of_net", [False, True])
def test_a_name_that_is_no_role_is_told(of_net: bool) -> None:
    game = aspgames.load("breakthrough", width=3, height=4)
    state = (game if of_net else game.without_nets).initial
    if of_net:
        game.nets.make(state.facts)
    for answer in (state.goals, state.legal):
        with pytest.raises(KeyError, match="there is no role 'nobody', only white, black"):
            answer["nobody"]
        assert answer.get("nobody") is None


def test_legal_moves_read_moves(game: Game) -> None:
    state = game.position("1p1/3/P1P/3 w")
    moves = state.legal_moves
    assert [move.text for move in moves] == ["a2-a3", "a2-b3", "c2-b3", "c2-c3"]
    texts: list[Move | str] = ["a2-a3", "a2a3", " a2xa3 ", "move(1,2,1,3)", "move( 1,2,1,3 )"]
    for given in [*texts, moves[0]]:
        assert given in moves, given
        assert state.is_legal(given), given
    others: list[Move | str] = ["b4-a3", "a2-a4", "a2 a3", "?", "noop", *state.legal["black"]]
    for given in others:
        assert given not in moves, given
        assert not state.is_legal(given), given
    assert None not in moves
    assert "noop" in state.legal["black"]


def test_legal_moves_are_like_a_tuple(game: Game) -> None:
    state = game.position("1p1/3/P1P/3 w")
    moves = state.legal_moves
    same = tuple(moves)
    assert moves == same
    assert (hash(moves), repr(moves)) == (hash(same), repr(same))
    assert moves == game.position("1p1/3/P1P/3 w").legal_moves
    assert moves not in (same[1:], same[::-1], list(same), (*same[1:], same[0]), None)
    assert (len(moves), moves[-1], moves[1:3]) == (4, same[3], same[1:3])
    assert (moves.index(same[2]), list(reversed(moves))) == (2, list(same[::-1]))
    read = pickle.loads(pickle.dumps(moves))
    assert read == same
    assert "a2a3" in read
    with pytest.raises(IndexError):
        moves[4]


@pytest.mark.parametrize("name", ["amazons", "breakthrough", "skirmish"])
def test_moves_sort_by_their_terms(name: str) -> None:
    moves = aspgames.load(name).initial.legal_moves
    mixed = random.Random(1).sample(moves, len(moves))
    assert sorted(mixed) == list(moves)
    assert moves[0] < moves[1] <= moves[1] < max(moves)
    assert Move("black", "noop", None) < Move("white", "noop", None)
    with pytest.raises(TypeError):
        sorted([moves[0], "a2-a3"])  # type: ignore[type-var]


def test_pieces_are_looked_at_put_down_and_taken_away() -> None:
    state = SMALL.initial
    assert [state.piece_at(square) for square in ("a1", "c4")] == ["white", "black"]
    after = state.without_piece("b2").with_piece("b3", "white")
    assert after == SMALL.position("ppp/pPp/P1P/PPP w")
    assert after.piece_at("b2") is None
    assert after.without_piece("b2") == after
    assert state == SMALL.initial


def test_fluents_that_the_board_does_not_show_stay_as_they_are() -> None:
    state = aspgames.load("skirmish").position("startpos").play("b1-a3")
    changed = state.without_piece("a3").with_piece("a3", "knight( white )")
    assert changed == state


@pytest.mark.parametrize(
    ("game", "square", "content", "message"),
    [
        ("breakthrough", "i1", "white", "i1 is off the board, which is 8 wide and 8 high"),
        ("breakthrough", "A1", "white", "'A1' is no square: squares look like a2"),
        ("breakthrough", "a3", "red", "red is none of black, white"),
        ("breakthrough", "a3", "white) control(black", "is nothing that can stand on a square"),
        ("skirmish", "c3", "knight(white)", "c3 is off limits"),
        ("amazons", "a1", "queen(white)", "queen"),
    ],
)
def test_what_cannot_stand_there_is_refused(
    game: str, square: str, content: str, message: str
) -> None:
    with pytest.raises(BadPosition) as refused:
        aspgames.load(game).initial.with_piece(square, content)
    assert message in str(refused.value)


def test_a_game_without_a_board_has_no_squares(tmp_path: Path) -> None:
    rules = "role(solo). init(a). legal(solo,go) :- true(a). terminal :- not true(a)."
    state = write(rules, tmp_path).initial
    for ask in (state.piece_at, state.without_piece):
        with pytest.raises(BadPosition, match="own has no board"):
            ask("a1")
    with pytest.raises(BadMove, match="moves are written as terms, such as name or name"):
        state.play("go away")
