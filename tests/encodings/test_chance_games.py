"""Games with dice and cards, in lockstep with OpenSpiel: chances, moves, what is seen, values."""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest

import aspgames
from aspgames import State, perft
from thoroughly import amount

pyspiel: Any = pytest.importorskip("pyspiel")

PLAYERS = ("white", "black")
CARDS = ("jack", "queen", "king")
FACES = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}

Names = Callable[[State, Any, int], str]
"""The term of our move for an action of theirs."""


def pig(_state: State, other: Any, action: int) -> str:
    return f"die({action + 1})" if other.is_chance_node() else ("roll", "stop")[action]


def kuhn(_state: State, other: Any, action: int) -> str:
    return f"deal({CARDS[action]})" if other.is_chance_node() else ("pass", "bet")[action]


def leduc(_state: State, other: Any, action: int) -> str:
    if other.is_chance_node():
        return f"deal({CARDS[action // 2]},{action % 2 + 1})"
    return ("fold", "call", "raise")[action]


def liars(_state: State, other: Any, action: int) -> str:
    if other.is_chance_node():
        return f"die({action + 1})"
    text = other.action_to_string(action)
    return "liar" if text == "Liar" else f"bid({text.replace('-', ',')})"


def einstein(state: State, other: Any, action: int) -> str:
    text = other.action_to_string(other.current_player(), action)
    if other.is_chance_node():
        return f"roll({text[-1]})"
    match = re.fullmatch(r"([WB])(\d)-(\w+)\*?", text)
    assert match
    role = {"W": "white", "B": "black"}[match[1]]
    x, y = next(s for s, c in state.occupied.items() if c == f"stone({role},{match[2]})")
    if match[3] == "diag":
        u, v = (-1, 1) if role == "white" else (1, -1)
    else:
        u, v = FACES[match[3]]
    return f"move({x},{y},{x + u},{y + v})"


def placed(state: State, other: Any, rng: Random) -> State:
    """Their stones are placed at random in two moves, ours one by one."""
    for _ in range(2):
        other.apply_action(rng.choice(other.legal_actions()))
    rows = [re.findall(r"\|(..)\|", line) for line in str(other).splitlines()]
    for role in PLAYERS:
        for number in range(1, 7):
            (square,) = (
                (x, 5 - y)
                for y, row in enumerate(rows)
                for x, cell in enumerate(row, 1)
                if cell == f"{role[0]}{number}"
            )
            assert [chance for _, chance in state.chance] == [Fraction(1, 7 - number)] * (
                7 - number
            )
            state = state.play(f"place({square[0]},{square[1]})")
    return state


GAMES: dict[str, tuple[str, dict[str, int | str], Names, tuple[int, int]]] = {
    "pig": ("pig(winscore=20)", {"target": 20}, pig, (50, 50)),
    "kuhn_poker": ("kuhn_poker", {}, kuhn, (50, 25)),
    "leduc_poker": ("leduc_poker", {}, leduc, (50, 3)),
    "liars_dice": ("liars_dice", {}, liars, (50, 50)),
    "liars_dice of two": (
        "liars_dice(numdice=2,dice_sides=3)", {"dice": 2, "sides": 3}, liars, (50, 50),
    ),
    "einstein": ("einstein_wurfelt_nicht", {"setup": "random"}, einstein, (50, 50)),
}  # fmt: skip
"""Their name, our constants, their moves in our words, and our values: so many + so many a unit."""


def played(name: str, seed: int) -> Iterator[tuple[str, str, object]]:
    """Play a game in lockstep; yield at each decision the player, their view and ours."""
    theirs, constants, names, (even, unit) = GAMES[name]
    game, rng = aspgames.load(name.split()[0], **constants), Random(seed)
    state, other = game.initial, pyspiel.load_game(theirs).new_initial_state()
    players = PLAYERS[::-1] if name == "einstein" else PLAYERS
    known: dict[str, tuple[object, ...]] = dict.fromkeys(players, ())
    if name == "einstein":
        state = placed(state, other, rng)
    while not other.is_terminal():
        assert not state.is_terminal
        terms = {names(state, other, action): action for action in other.legal_actions()}
        if other.is_chance_node():
            chances = {move.term: float(chance) for move, chance in state.chance}
            assert chances == pytest.approx(
                {names(state, other, action): chance for action, chance in other.chance_outcomes()}
            )
        else:
            player = players[other.current_player()]
            assert state.to_move == player
            assert sorted(move.term for move in state.legal_moves) == sorted(terms)
            yield player, other.information_state_string() if game.hidden else "", known[player]
        term = rng.choice(sorted(terms))
        sees, mover = state.sees(term), state.to_move
        for player in known if game.hidden else ():
            known[player] += (term if mover == player else None, sees[player])
        state = state.play(term)
        other.apply_action(terms[term])
    assert state.is_terminal
    assert [state.goals[player] for player in players] == [
        even + unit * value for value in other.returns()
    ]


@pytest.mark.quick(3)
@pytest.mark.parametrize("games", [4, pytest.param(amount(60, 200), marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", GAMES)
def test_games_go_as_openspiels(name: str, games: int) -> None:
    """Both have the same chances, moves and values, and the same histories look alike."""
    seen = {views for seed in range(games) for views in played(name, seed)}
    if aspgames.load(name.split()[0]).hidden:
        assert len({(p, ours) for p, _, ours in seen}) == len(seen)
        if "of two" not in name:  # they forget in which order a side's dice fell
            assert len({(p, theirs) for p, theirs, _ in seen}) == len(seen)


@pytest.mark.parametrize(
    ("name", "constants", "size"),
    [("einstein", {"size": 3}, 3), ("einstein", {"size": 4}, 4), ("einstein", {"size": 7}, 7)],
)
def test_corners_of_other_sizes(name: str, constants: dict[str, int], size: int) -> None:
    start = aspgames.load(name, **constants).initial
    stones = 3 if size < 5 else 6
    assert [str(chance) for _, chance in start.chance] == [f"1/{stones}"] * stones
    assert len(start.occupied) == 2 * stones
    corners = {(1, size): "stone(black,1)", (size, 1): f"stone(white,{stones})"}
    assert corners.items() <= start.occupied.items()


def test_the_deals_of_kuhn_poker_are_counted() -> None:
    start = aspgames.load("kuhn_poker").initial
    assert [perft(start, depth) for depth in range(1, 6)] == [3, 6, 12, 24, 12]


@pytest.mark.parametrize(
    ("name", "position", "move", "said"),
    [
        ("einstein", "abc2/de3/f3A/3BC/2DEF w 2", "e3-d3", "2, which doesn't move stone 1"),
        ("einstein", "abc2/de3/f3A/3BC/2DEF w 2", "d2-e2", "one square, up, to the left or both"),
        ("pig", "control(white) score(white,95) turn(7)", "roll", "wins by stopping"),
        ("kuhn_poker", "startpos", "white=bet", "it is not white's turn"),
        (
            "liars_dice", "control(white) bid(1,4) rolled(white,1,2) rolled(black,1,5)", "bid(1,3)",
            "each bid is higher than the last one",
        ),
    ],
)  # fmt: skip
def test_rules_are_explained_in_words(name: str, position: str, move: str, said: str) -> None:
    explained = aspgames.load(name).position(position).why_each({"white": move.split("=")[-1]})
    assert said in str(explained["white"])
