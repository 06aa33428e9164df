"""The encodings against rules by hand: thousands of positions, played to and made at random."""

import random
from collections.abc import Mapping, Sequence
from functools import partial

import pytest

import aspgames
from aspgames import Game, perft
from aspgames.gdl.reasoner import Consequences, Reasoner
from aspgames.gdl.rules import Facts
from aspgames.propnet.net_reasoner import NetReasoner
from engine_helpers import alone
from rules_by_hand import OTHER, Amazons, Breakthrough, Rules, Skirmish
from thoroughly import amount

AMAZONS = {
    "either": (aspgames.load("amazons", stuck="either"), Amazons(either=True)),
    "mover": (aspgames.load("amazons", stuck="mover"), Amazons()),
    "10 by 10": (aspgames.load("amazons_10x10"), Amazons(split=True)),
    "8 by 8": (aspgames.load("amazons_8x8"), Amazons(split=True, size=8)),
}
SKIRMISH = aspgames.load("skirmish")
SLOW = partial(pytest.param, marks=pytest.mark.slow)


class OfStates:
    """The reasoner of a game's states: the grounder, or a net that knows them."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def consequences(self, facts: Facts) -> Consequences:
        return self._game.state(facts).consequences

    def successor(self, facts: Facts, joint: Mapping[str, str]) -> Facts:
        return self._game.state(facts).play(joint).facts


def assert_agreement(
    reasoner: Reasoner, rules: Rules, positions: Sequence[Facts], rng: random.Random
) -> None:
    """What is said of positions is the same, and what follows from some moves in each."""
    expected = [rules.said(facts) for facts in positions]
    for facts, by_hand in zip(positions, expected, strict=True):
        assert reasoner.consequences(facts) == by_hand, facts
    assert {said.terminal for said in expected} == {True, False}
    assert {said.to_move for said in expected} == set(OTHER)
    for facts, said in zip(positions, expected, strict=True):
        moves = [] if said.terminal else said.legal[said.to_move or ""]
        for move in rng.sample(moves, min(4, len(moves))):
            joint = {said.to_move or "": move, OTHER[said.to_move or ""]: "noop"}
            assert reasoner.successor(facts, joint) == rules.after(facts, move), (facts, move)


def random_game(rules: Rules, start: Facts, rng: random.Random) -> list[Facts]:
    """The positions of a random game, as the rules by hand have it."""
    found = [start]
    while not (said := rules.said(found[-1])).terminal:
        found.append(rules.after(found[-1], rng.choice(said.legal[said.to_move or ""])))
    return found


@pytest.mark.parametrize(
    ("games", "made"),
    [(4, 300), pytest.param(amount(10, 40), amount(1_500, 8_000), marks=pytest.mark.slow)],
)
def test_skirmish(games: int, made: int) -> None:
    rules, rng = Skirmish(), random.Random(games)
    positions = [f for _ in range(games) for f in random_game(rules, SKIRMISH.initial.facts, rng)]
    positions += [rules.made(rng) for _ in range(made)]
    reasoner = NetReasoner(SKIRMISH.rules, SKIRMISH.vocabulary.base)
    assert_agreement(reasoner, rules, positions, rng)


@pytest.mark.parametrize(("width", "height"), [(8, 8), (4, 5), (2, 4)])
def test_breakthrough(width: int, height: int) -> None:
    game, rng = aspgames.load("breakthrough", width=width, height=height), random.Random(width)
    rules = Breakthrough(width, height)
    positions = [f for _ in range(6) for f in random_game(rules, game.initial.facts, rng)]
    positions += [rules.made(rng) for _ in range(amount(200, 2_000))]
    reasoner = NetReasoner(game.rules, game.vocabulary.base)
    assert_agreement(reasoner, rules, positions, rng)


@pytest.mark.parametrize("name", AMAZONS)
@pytest.mark.parametrize(("rooms", "games"), [(12, 1), SLOW(amount(10, 50), amount(6, 25))])
def test_amazons(name: str, rooms: int, games: int) -> None:
    """Late in a game, where many positions are the end in one reading and not in the other."""
    (game, rules), rng = AMAZONS[name], random.Random(rooms)
    starts = [rules.made(rng) for _ in range(rooms)]
    game = alone(game)
    if games > 1:
        for start in starts:
            game.nets.make(start)
    found = [f for start in starts for _ in range(games) for f in random_game(rules, start, rng)]
    assert_agreement(OfStates(game), rules, found, rng)


@pytest.mark.parametrize("name", [SLOW("either"), SLOW("mover"), "10 by 10", "8 by 8"])
def test_amazons_from_the_start(name: str) -> None:
    (game, rules), rng = AMAZONS[name], random.Random(1)
    found = random_game(rules, game.initial.facts, rng)
    assert_agreement(OfStates(game), rules, found, rng)


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("game", "position", "counts"),
    [
        # Each side has one turn, which shuts it in: then White has lost.
        ("amazons", "7*1q/7***/10/10/10/10/10/10/***7/Q1*7 w", [1, 1, 0]),
        # The same in two plies a turn.
        ("amazons_8x8", "5*1q/5***/8/8/8/8/***5/Q1*5 w", [1, 1, 1]),
        # Two of White's moves win at once; Black has three replies to each of the others, and then
        # White has 2 + 2 moves with its pieces on a7 and h2, or 2 + 3 with those on a7 and g2.
        ("breakthrough", "8/P7/8/2p5/8/8/8/7P w", [4, 6, 27]),
        # Step 60 comes after two more turns.
        ("skirmish", "k7/8/2#2#2/8/8/2#2#2/8/K7 w 0 0 58", [3, 9, 0]),
    ],
)
def test_a_game_that_ends_on_the_way_counts_no_further(
    game: str, position: str, counts: list[int]
) -> None:
    state = aspgames.load(game).position(position)
    assert [perft(state, depth) for depth in (1, 2, 3)] == counts
