"""Mirrored puzzles: the answers are mirrored, and nothing else changes."""

import random

import pytest

import aspgames
from aspgames import Solution, State, solve
from mirrors import MIRRORS, OTHER, Mirror, seen_in


def check_mirrored(
    state: State, attacker: str, goal: str, within: int, mirror: Mirror, swapped: bool = False
) -> Solution:
    """Solve the position and its mirror image, and compare the answers."""
    facts = [seen_in(mirror, state, fact, swapped) for fact in state.facts]
    image = state.game.from_facts(facts)
    answer = solve(state, attacker=attacker, goal=goal, within=within)
    by = OTHER[attacker] if swapped else attacker
    mirrored = solve(image, attacker=by, goal=goal, within=within)
    assert (mirrored.verdict, mirrored.distance) == (answer.verdict, answer.distance)
    keys = sorted(seen_in(mirror, state, key, swapped) for key in answer.keys)
    assert list(mirrored.keys) == keys
    assert dict(mirrored.replies).keys() <= {move.term for move in image.legal_moves}
    if answer.verdict == "forced":
        replies = {seen_in(mirror, state, m, swapped): turns for m, turns in answer.replies}
        assert dict(mirrored.replies) == replies
    return answer


def amazons_in_a_corner(name: str, chance: random.Random) -> State:
    """A mostly burned position: two or three amazons in a room of ten squares."""
    game = aspgames.load(name)
    size = game.board.width if game.board else 0
    squares = [(x, y) for x in range(1, size + 1) for y in range(1, size + 1)]
    room = chance.sample([s for s in squares if s[0] <= 4 and s[1] <= 3], 10)
    facts = [f"cell({x},{y},arrow)" for x, y in squares if (x, y) not in room]
    colours = ["white", "black", chance.choice(("white", "black"))]
    facts += [f"cell({x},{y},{c})" for (x, y), c in zip(room, colours, strict=False)]
    mover = chance.choice(("white", "black"))
    state = game.from_facts(
        [*facts, f"control({mover})" if name == "amazons" else f"turn({mover},move)"]
    )
    moves = state.legal_moves
    if name != "amazons" and moves and chance.random() < 0.3:
        return state.play(chance.choice(moves))
    return state


def breakthrough_of_few_pieces(chance: random.Random) -> State:
    game = aspgames.load("breakthrough", width=4, height=5)
    squares = [(x, y) for x in range(1, 5) for y in range(2, 5)]
    chance.shuffle(squares)
    colours = ["white", "white", "black", "black", chance.choice(("white", "black"))]
    facts = [f"cell({x},{y},{c})" for (x, y), c in zip(squares, colours, strict=False)]
    return game.from_facts([*facts, f"control({chance.choice(('white', 'black'))})"])


@pytest.mark.parametrize(
    "mirror",
    [pytest.param(m, marks=[pytest.mark.slow] * (place > 0)) for place, m in enumerate(MIRRORS)],
)
@pytest.mark.parametrize("name", ["amazons", "amazons_8x8"])
def test_amazons_in_a_mirror(name: str, mirror: str) -> None:
    chance = random.Random(f"{name} {mirror}")
    verdicts = set()
    for number in range(8):
        state = amazons_in_a_corner(name, chance)
        attacker = chance.choice(("white", "black"))
        verdicts.add(
            check_mirrored(state, attacker, "trap", 3, MIRRORS[mirror], number % 2 > 0).verdict
        )
    assert verdicts == {"forced", "not_forced"}


@pytest.mark.parametrize(("mirror", "swapped"), [("left to right", False), ("top to bottom", True)])
def test_breakthrough_in_a_mirror(mirror: str, swapped: bool) -> None:
    """An exchange of colours turns the board over, because pawns move forwards."""
    chance = random.Random(mirror)
    verdicts = set()
    for _ in range(12):
        state = breakthrough_of_few_pieces(chance)
        attacker = chance.choice(("white", "black"))
        verdicts.add(check_mirrored(state, attacker, "win", 3, MIRRORS[mirror], swapped).verdict)
    assert verdicts == {"forced", "not_forced"}


def test_skirmish_in_a_mirror() -> None:
    game = aspgames.load("skirmish")
    state = game.position("8/R7/2#2#2/8/1n4k1/2#2#2/8/8 w 0 0 40")
    facts = [seen_in(MIRRORS["left to right"], state, fact) for fact in state.facts]
    mirrored = solve(game.from_facts(facts), attacker="white", goal="score>=10", within=2)
    assert (mirrored.distance, mirrored.keys_text) == (2, ("h7-h4",))
