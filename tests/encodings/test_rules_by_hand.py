"""The encodings against rules by hand: thousands of positions, played to and made at random."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest

import aspgames
from aspgames import Game
from aspgames.gdl.reasoner import Consequences, Facts
from aspgames.propnet.batch_reasoner import BatchReasoner
from engine_helpers import alone
from rules_by_hand import OTHER, Amazons, Rules, Skirmish

Joint = Mapping[str, str]

AMAZONS = {stuck: aspgames.load("amazons", stuck=stuck) for stuck in ("either", "mover")}
SKIRMISH = aspgames.load("skirmish")


class Singly:
    """Answers states one by one, by the grounder or by a net that knows them."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def consequences(self, states: Sequence[Facts]) -> list[Consequences]:
        """See ``BatchReasoner``."""
        return [self._game.state(facts).consequences for facts in states]

    def successors(self, states: Sequence[Facts], joints: Sequence[Joint]) -> list[Facts]:
        """See ``BatchReasoner``."""
        pairs = zip(states, joints, strict=True)
        return [self._game.state(facts).play(joint).facts for facts, joint in pairs]


def assert_agreement(
    reasoner: BatchReasoner | Singly, rules: Rules, positions: Sequence[Facts], rng: random.Random
) -> None:
    """What is said of positions is the same, and what follows from some moves in each."""
    expected = [rules.said(facts) for facts in positions]
    found = reasoner.consequences(positions)
    for facts, said, by_hand in zip(positions, found, expected, strict=True):
        assert said == by_hand, facts
    assert {said.terminal for said in expected} == {True, False}
    assert {said.to_move for said in expected} == set(OTHER)
    played = []
    for facts, said in zip(positions, expected, strict=True):
        moves = [] if said.terminal else said.legal[said.to_move or ""]
        played += [
            (facts, {said.to_move or "": move, OTHER[said.to_move or ""]: "noop"}, move)
            for move in rng.sample(moves, min(4, len(moves)))
        ]
    after = reasoner.successors([facts for facts, *_ in played], [joint for _, joint, _ in played])
    for (facts, _, move), following in zip(played, after, strict=True):
        assert following == rules.after(facts, move), (facts, move)


def random_game(rules: Rules, start: Facts, rng: random.Random) -> list[Facts]:
    """The positions of a random game, as the rules by hand have it."""
    found = [start]
    while not (said := rules.said(found[-1])).terminal:
        found.append(rules.after(found[-1], rng.choice(said.legal[said.to_move or ""])))
    return found


@pytest.mark.parametrize(
    ("games", "made"), [(4, 300), pytest.param(40, 8_000, marks=pytest.mark.slow)]
)
def test_skirmish(games: int, made: int) -> None:
    rules, rng = Skirmish(), random.Random(games)
    positions = [f for _ in range(games) for f in random_game(rules, SKIRMISH.initial.facts, rng)]
    positions += [rules.made(rng) for _ in range(made)]
    batch = BatchReasoner(SKIRMISH.rules, SKIRMISH.vocabulary.base)
    assert_agreement(batch, rules, positions, rng)


@pytest.mark.parametrize("stuck", AMAZONS)
@pytest.mark.parametrize(("rooms", "games"), [(8, 1), pytest.param(50, 25, marks=pytest.mark.slow)])
def test_amazons(stuck: str, rooms: int, games: int) -> None:
    """Late in a game, where many positions are the end in one reading and not in the other."""
    rules, rng = Amazons(stuck == "either"), random.Random(rooms)
    starts = [rules.made(rng) for _ in range(rooms)]
    game = alone(AMAZONS[stuck])
    if games > 1:
        for start in starts:
            game.nets.make(start)
    found = [f for start in starts for _ in range(games) for f in random_game(rules, start, rng)]
    assert_agreement(Singly(game), rules, found, rng)


@pytest.mark.slow
@pytest.mark.parametrize("stuck", AMAZONS)
def test_amazons_from_the_start(stuck: str) -> None:
    game, rules, rng = AMAZONS[stuck], Amazons(stuck == "either"), random.Random(1)
    found = random_game(rules, game.initial.facts, rng)
    assert_agreement(Singly(game), rules, found, rng)
