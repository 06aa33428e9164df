"""Rule books of one player against chance: what the player sees, against the rules in Python."""

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest

import aspgames
from aspgames import State
from thoroughly import amount


def hidden(name: str, move: str, **constants: int) -> State:
    """The state after chance has hidden something."""
    start = aspgames.load(name, **constants).initial
    assert start.to_move == "random"
    assert sum(chance for _, chance in start.chance) == 1
    return start.play(move)


@pytest.mark.parametrize(
    ("name", "constants", "codes"),
    [("mastermind", {"pegs": 4, "colours": 3}, 3**4), ("bulls_and_cows", {"digits": 2}, 90)],
)
def test_a_guess_is_answered_as_by_hand(name: str, constants: dict[str, int], codes: int) -> None:
    chances = dict(aspgames.load(name, **constants).initial.chance)
    assert {*chances.values()} == {Fraction(1, codes)}
    random, moves = Random(name), sorted(move.term for move in chances)
    for _ in range(5):
        hide = random.choice(moves)
        state = hidden(name, hide, **constants)
        secret = hide[5:-1].zfill(constants.get("digits", 0))
        for guess in random.sample([move.term for move in state.legal_moves], 4):
            code = guess[6:-1].zfill(constants.get("digits", 0))
            right = sum(map(str.__eq__, code, secret))
            common = (Counter(code) & Counter(secret)).total() - right
            assert state.sees(guess) == {"player": (f"answer({right},{common})",)}
            assert state.play(guess).is_terminal == (code == secret)


def test_the_balance() -> None:
    game = aspgames.load("counterfeit_coin", coins=4, weighings=1)
    for coin in range(1, 5):
        for kind, sinks in (("heavy", True), ("light", False)):
            state = game.initial.play(f"make({coin},{kind})")
            weighings = [move.term for move in state.legal_moves if move.term[:5] == "weigh"]
            assert len(weighings) == 9  # 6 of one coin each, 3 of two
            for move in weighings:
                pans = {
                    side: int(number) >> (coin - 1) & 1
                    for side, number in zip(("left", "right"), move[6:-1].split(","), strict=True)
                }
                down = [side for side, has in pans.items() if any(pans.values()) and has == sinks]
                expected = f"down({down[0]})" if down else "balanced"
                assert state.sees(move)["player"] == (expected,)
                after = state.play(move)
                assert {str(move)[:4] for move in after.legal_moves} == {"name"}
                assert after.play(f"name({coin},{kind})").goals["player"] == 100


def test_the_host_opens_a_door_without_the_car() -> None:
    chosen = hidden("monty_hall", "hide(1)").play("choose(2)")
    assert [(str(move), str(chance)) for move, chance in chosen.chance] == [("open(3)", "1")]
    chosen = hidden("monty_hall", "hide(1)").play("choose(1)")
    assert [chance for _, chance in chosen.chance] == [Fraction(1, 2)] * 2
    assert chosen.sees("open(3)") == {"player": ("opened(3)",)}
    ends = {move: chosen.play("open(3)").play(move).goals["player"] for move in ("stay", "switch")}
    assert ends == {"stay": 100, "switch": 0}


def test_the_rabbit_hops() -> None:
    state = hidden("rabbit", "hide(2)")
    assert state.play("look(2)").goals["player"] == 100
    assert [str(move) for move, _ in state.play("look(3)").chance] == ["hop(1)", "hop(3)"]


def ships(width: int, height: int, player: int, action: int) -> str:
    """The name of an action of battleship. White's sea is on the left, Black's on the right."""
    kind, place = divmod(action, width * height)
    far = (width + 1) * (player == (1 if kind else 0))
    x, y = place % width + 1 + far, place // width + 1
    return f"place({x},{y},{(None, 'right', 'down')[kind]})" if kind else f"shoot({x},{y})"


HIDDEN: dict[str, tuple[str, dict[str, Any], int]] = {
    "phantom_tictactoe": ("phantom_ttt(obstype=reveal-numturns)", {}, 1),
    "dark_hex": ("dark_hex(obstype=reveal-numturns)", {}, 1),
    "battleship": (
        "battleship(board_width=2,board_height=2,ship_sizes=[1;2],ship_values=[1;1],num_shots=3,"
        "allow_repeated_shots=false)", {}, 2,
    ),
    "battleship with room for later ships": (
        "battleship(board_width=3,board_height=2,ship_sizes=[1;2;2],ship_values=[1;1;1],num_shots=2,"
        "allow_repeated_shots=false)", {"width": 3, "ships": 122, "shots": 2}, 3,
    ),
    "battleship with repeats": (
        "battleship(board_width=3,board_height=2,ship_sizes=[2;1;1],ship_values=[1;1;1],"
        "num_shots=8)", {"width": 3, "ships": 211, "shots": 8, "repeats": "yes"}, 3,
    ),
}  # fmt: skip
"""OpenSpiel's game, our constants, and the most that a side wins there."""


@pytest.mark.quick(2)
@pytest.mark.parametrize("name", HIDDEN)
def test_hidden_moves_in_lockstep_with_openspiel(name: str) -> None:
    """Also, histories of moves and percepts look alike where OpenSpiel's information states do."""
    pyspiel = pytest.importorskip("pyspiel")
    theirs, constants, most = HIDDEN[name]
    setup, game = pyspiel.load_game(theirs), aspgames.load(name.split()[0], **constants)
    alike, different = dict[object, str](), dict[str, object]()

    def term(other: Any, action: int) -> str:
        if name.startswith("battleship"):
            return ships(constants.get("width", 2), 2, other.current_player(), action)
        row = 3 - action // 3 if name == "phantom_tictactoe" else action // 3 + 1
        return f"put({action % 3 + 1},{row})"

    for seed in range(amount(4, 200)):
        random, state, other = Random(seed), game.initial, setup.new_initial_state()
        seen: dict[str, tuple[object, ...]] = dict.fromkeys(game.roles, ())
        while not state.is_terminal:
            actions = {term(other, action): action for action in other.legal_actions()}
            assert {move.term for move in state.legal_moves} == actions.keys()
            told = other.information_state_string(other.current_player())
            assert alike.setdefault((state.to_move, seen[str(state.to_move)]), told) == told
            known = state.to_move, seen[str(state.to_move)]
            assert different.setdefault(f"{state.to_move} {told}", known) == known
            move = random.choice(sorted(actions))
            for role, percepts in state.sees(move).items():
                made = move if role == state.to_move else "noop"
                seen[role] += ((made, percepts),)
            state = state.play(move)
            other.apply_action(actions[move])
        assert other.is_terminal()
        assert [state.goals[role] for role in ("white", "black")] == [
            50 + int(50 * value / most) for value in other.returns()
        ]


def test_a_fleet_without_room_is_no_game() -> None:
    with pytest.raises(aspgames.BadPosition, match="ship 2 of black doesn't have 2 squares"):
        aspgames.load("battleship").position("AB#1v/1B#1w b 2")


@pytest.mark.slow
def test_a_fleet_that_finds_room_is_a_game() -> None:
    """On 2 x 2 squares. The first of two ships of two squares leaves a row or a column."""
    for ships, is_game in ((22, True), (222, False), (31, False), (112, True), (211, True)):
        start = aspgames.load("battleship", ships=ships).initial
        assert start.is_terminal != is_game
    for first in ("place(1,1,right)", "place(1,1,down)", "place(2,1,down)", "place(1,2,right)"):
        state = aspgames.load("battleship", ships=22).initial.play(first)
        assert len(state.play(state.legal_moves[0]).legal_moves) == 1
    state = aspgames.load("battleship", ships=112).initial.play("place(1,1,right)")
    other = state.play(state.legal_moves[0])
    assert {str(move.term) for move in other.legal_moves} == {
        "place(2,1,right)",
        "place(1,2,right)",
    }
    assert aspgames.load("battleship", width=5, height=5, ships=55554).initial.is_terminal


def test_what_a_shot_shows() -> None:
    """Each shot of random games: water, hit or sunk; the other side sees the square."""
    start = aspgames.load("battleship", width=3, ships=21, shots=6, repeats="yes").initial
    seen = Counter[str]()
    for seed in range(amount(8, 60)):
        random, state = Random(seed), start
        while not state.is_terminal:
            move = random.choice(state.legal_moves).term
            percepts, mover = state.sees(move), str(state.to_move)
            other = "black" if mover == "white" else "white"
            expected: dict[str, tuple[str, ...]] = {mover: (), other: ()}
            if move.startswith("shoot("):
                x, y = map(int, move[6:-1].split(","))
                there = state.occupied.get((x, y), "miss")
                ship = there[there.find("(") : -1]
                left = [
                    square
                    for square, content in state.occupied.items()
                    if content == f"ship{ship})" and square != (x, y)
                ]
                shown = "water" if there == "miss" else "hit" if left else "sunk"
                expected = {mover: (shown,), other: (move,)}
                seen[shown + " again" * there.startswith("hit")] += 1
            assert percepts == expected
            state = state.play(move)
    assert len(seen) == 5, "all kinds of shots, and hits twice"
