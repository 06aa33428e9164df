#!/usr/bin/env bash
# rlcard==1.2.0, numpy==2.2.6 (pip)
#
# Expected: Mattel's rule sheet of UNO. A drawn card may be played at once if it matches the colour or the number on the
# pile, or is wild; whoever plays a wild card chooses the colour; after a Wild Draw 4 the next player draws four. A Wild
# Draw 4 may be played by a player without a card of the colour. With two players a Reverse works like a Skip.
#
# What happens: `draw` plays a card of the same colour by force, and any wild card, with a colour chosen at random. After a
# Wild Draw 4 that is drawn so, nobody draws. A drawn card of the same number is kept. A Wild Draw 4 in the hand may not
# be played beside a card that matches the number, or a plain wild card. After a Reverse of the two players, who are the
# standard game, the other is on move.
#
# The script counts this in 2000 random games of two. Before each `draw` it looks at the next card of the deck.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q rlcard==1.2.0 numpy==2.2.6

cat >seen <<'END'
drawn, same colour: 7763, of which played 7763
drawn, same number or sign: 1697, of which played 0
drawn, wild: 1260, of which played 1260, with the colour that the player has most of 412; the opponent draws after 0
drawn, wild_draw_4: 1304, of which played 1304, with the colour that the player has most of 439; the opponent draws after 0
wild_draw_4 in hand and no card of the colour: 1978, of which legal 1374
reverse with two players: 4426, of which the same player is on move 0
END

cat >run.py <<'END'
import random
from collections import Counter

import numpy as np
from rlcard.games.uno import Game

choose = random.Random(1)
count = Counter()
for seed in range(2000):
    game = Game()
    game.np_random = np.random.RandomState(seed)
    state, player = game.init_game()
    while not game.is_over():
        target, deck, hand = game.round.target, game.dealer.deck, game.players[player].hand
        actions = list(state["legal_actions"])
        if any(card.trait == "wild_draw_4" for card in hand) and not any(
            card.type != "wild" and card.color == target.color for card in hand
        ):
            count["four in hand"] += 1
            count["four legal"] += any("draw_4" in action for action in actions)
        action = choose.choice(actions)
        drawn = deck[-1] if action == "draw" and deck else None
        kind = None
        if drawn is not None:
            if drawn.type == "wild":
                kind = drawn.trait
            elif drawn.color == target.color:
                kind = "same colour"
            elif drawn.trait == target.trait:
                kind = "same number or sign"
            own = Counter(card.color for card in hand if card.type != "wild")
        before = len(game.players[1 - player].hand)
        state, after = game.step(action)
        if kind:
            count[kind] += 1
            count[kind, "played"] += game.round.target is drawn
            count[kind, "opponent draws"] += len(game.players[1 - player].hand) > before
            count[kind, "best colour"] += own[drawn.color] == max(own.values())
        if action.endswith("reverse"):
            count["reverse"] += 1
            count["again"] += after == player
        player = after

for kind in "same colour", "same number or sign":
    print(f"drawn, {kind}: {count[kind]}, of which played {count[kind, 'played']}")
for kind in "wild", "wild_draw_4":
    print(
        f"drawn, {kind}: {count[kind]}, of which played {count[kind, 'played']}, with the colour that the player has most of "
        f"{count[kind, 'best colour']}; the opponent draws after {count[kind, 'opponent draws']}"
    )
print(f"wild_draw_4 in hand and no card of the colour: {count['four in hand']}, of which legal {count['four legal']}")
print(f"reverse with two players: {count['reverse']}, of which the same player is on move {count['again']}")
END

venv/bin/python run.py | diff seen -
