"""What a role knows: views, against all plays with the same moves and percepts."""

from itertools import product
from pathlib import Path
from random import Random

import pytest

import aspgames
from aspgames import BadRequest, IllegalMove, State


def fitting(states: set[State], role: str, move: str, seen: tuple[str, ...]) -> set[State]:
    """The states after a move of a role that it perceives so."""
    found = set()
    for state in states:
        for moves in product(*state.legal.values()):
            joint = dict(zip(state.legal, moves, strict=True))
            after = state.play(joint)
            perceived = state.sees(joint)[role] if state.game.hidden else after.facts
            if joint[role].term == move and perceived == seen:
                found.add(after)
    return found


@pytest.mark.quick(4)
@pytest.mark.parametrize(
    ("name", "constants"),
    [
        ("mastermind", {"pegs": 2, "colours": 3}),
        ("rabbit", {}),
        ("kuhn_poker", {}),
        ("tictactoe", {}),
        ("rock_paper_scissors", {}),
    ],
)
@pytest.mark.parametrize("nets", [True, False])
def test_the_states_that_fit(name: str, constants: dict[str, int], nets: bool) -> None:
    game = aspgames.load(name, **constants)
    random, state = Random(name), (game if nets else game.without_nets).initial
    views = {role: state.view(role) for role in game.players}
    expected = {role: {state} for role in views}
    for _ in range(4):
        if state.is_terminal:
            break
        joint = {role: random.choice(moves) for role, moves in state.legal.items()}
        after = state.play(joint)
        seen = state.sees(joint)
        for role, view in views.items():
            percepts = seen[role] if game.hidden else after.facts
            expected[role] = fitting(expected[role], role, joint[role].term, percepts)
            views[role] = view.after(joint[role], percepts)
            assert set(views[role].states) == expected[role]
            assert after in expected[role]
            assert views[role] == view.after(joint[role].term, reversed(percepts))
        state = after


def test_what_a_view_refuses() -> None:
    view = aspgames.load("monty_hall").initial.view().after("noop").after("choose(1)")
    assert [str(move) for move in view.legal_moves] == ["noop"]
    opened = view.after("noop", ["opened(3)"])
    assert [str(move) for move in opened.legal_moves] == ["stay", "switch"]
    assert "stay" in opened.legal_moves
    assert "noop" not in opened.legal_moves
    with pytest.raises(BadRequest, match=r"no state fits opened\(1\) after noop"):
        view.after("noop", ["opened(1)"])
    with pytest.raises(IllegalMove, match="doesn't know that stay is legal"):
        view.after("stay")
    with pytest.raises(BadRequest, match="a view is of player, not 'random'"):
        aspgames.load("monty_hall").initial.view("random")


@pytest.mark.parametrize("nets", [True, False])
def test_a_role_knows_the_moves_that_are_legal_in_all_states(tmp_path: Path, nets: bool) -> None:
    (tmp_path / "card.lp").write_text("""
        role(white;random). init(deal). legal(random,(a;b;c;d)) :- true(deal).
        legal(random,noop) :- not true(deal). legal(white,noop) :- true(deal).
        legal(white,(pass;M)) :- true(card(M)). legal(white,call) :- true(card((a;b))).
        next(card(M)) :- does(random,M), true(deal). sees(white,low) :- does(random,(a;b;d)).
        terminal :- true(card(d)). terminal :- not true(deal), not true(card(_)). goal(white,0).""")
    game = aspgames.load(tmp_path / "card.lp")
    start = (game if nets else game.without_nets).initial.view("white")
    for percepts, known in (["low"], "call pass"), ((), "c pass"):
        assert " ".join(map(str, start.after("noop", percepts).legal_moves)) == known


def test_a_view_of_too_many_states_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aspgames.game.view._MOST_STATES", 1)
    start = aspgames.load("kuhn_poker").initial
    view = start.view("white")
    says = "kuhn_poker: more than 1 joint moves fit what white knows after noop; smaller constants"
    with pytest.raises(aspgames.LimitReached, match=says):
        len(view.after("noop", ["card(king)"]).states)


@pytest.mark.parametrize(
    ("at_once", "name", "constants"),
    [
        (40, "mastermind", {"pegs": 2, "colours": 3}),
        pytest.param(1, "bulls_and_cows", {"digits": 2}, marks=pytest.mark.slow),  # two words a row
    ],
)
def test_a_view_is_enumerated_in_parts(
    monkeypatch: pytest.MonkeyPatch, at_once: int, name: str, constants: dict[str, int]
) -> None:
    """The grounder, state by state, finds the same."""
    monkeypatch.setattr("aspgames.game.view._MOVES_AT_ONCE", at_once)
    game, rng = aspgames.load(name, **constants), Random(at_once)
    state = game.initial
    fast = state.view("player")
    slow = game.without_nets.position(" ".join(state.facts)).view("player")
    while not state.is_terminal:
        joint = {role: rng.choice(moves).term for role, moves in state.legal.items()}
        seen = state.sees(joint)["player"]
        fast, slow = (view.after(joint["player"], seen) for view in (fast, slow))
        state = state.play(joint)
        assert [s.facts for s in fast.states] == [s.facts for s in slow.states]
        assert [m.term for m in fast.legal_moves] == [m.term for m in slow.legal_moves]
        assert fast.going == tuple(s for s in fast.states if not s.is_terminal)
    with pytest.raises(IllegalMove):
        fast.followed_by("noop", ()).after("noop")
    assert not fast.followed_by("noop", ("never",)).states
