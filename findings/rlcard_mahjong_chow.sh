#!/usr/bin/env bash
# rlcard==1.2.0, numpy==2.2.6 (pip)
#
# Expected: in mahjong a player may take the tile that the player before discarded, if it makes a sequence of three with
# two tiles in the hand (a chow). The tile may be the lowest, the middle or the highest of the three.
#
# What happens: only the highest may be taken, and the 1. A player with 1 and 9 may take the 2: Python's index -1 stands
# for the 9, so a "chow" of two tiles, 1 and 2, lies on the table, and counts as one of the four sets of a win. Player 0
# never takes a chow, as the one before 0 should be -1.
#
# First all pairs of dots in the hand, for each discarded tile of dots, asked directly. Then the chows of 60 games in
# which each player takes a chow where it is offered, takes nothing else, and discards any tile.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q rlcard==1.2.0 numpy==2.2.6

cat >seen <<'END'
player 1: 1 of 7 as the lowest, 0 of 7 as the middle, 7 of 7 as the highest; 2 with 1 and 9 gives [1, 2]
player 0: 0 of 7 as the lowest, 0 of 7 as the middle, 0 of 7 as the highest; no other
chows of 60 games by tiles: [(2, 3), (3, 18)], by players: [(1, 11), (2, 5), (3, 5)]
END

cat >run.py <<'END'
import random
from collections import Counter
from types import SimpleNamespace

import numpy as np
from rlcard.games.mahjong.card import MahjongCard
from rlcard.games.mahjong.game import MahjongGame
from rlcard.games.mahjong.judger import MahjongJudger
from rlcard.games.mahjong.player import MahjongPlayer


def dots(number):
    card = MahjongCard("dots", str(number))
    card.set_index_num(number - 1)
    return card


def offered(before, discarded, pair):
    """The tiles of the chow that the player after `before` may take."""
    players = [MahjongPlayer(number, None) for number in range(4)]
    players[(before + 1) % 4].hand = [dots(number) for number in pair]
    table = SimpleNamespace(table=[dots(discarded)])
    kind, _, cards = MahjongJudger(None).judge_chow(table, players, before)
    return sorted(int(card.trait) for card in cards) if kind else None


for before in 0, 3:
    counts, wrong = Counter(), []
    for discarded in range(1, 10):
        for low in range(1, 10):
            for high in range(low + 1, 10):
                tiles = sorted([low, high, discarded])
                cards = offered(before, discarded, (low, high))
                if tiles[0] + 2 == tiles[1] + 1 == tiles[2]:
                    place = ["lowest", "middle", "highest"][tiles.index(discarded)]
                    counts[place] += cards == tiles
                elif cards:
                    wrong.append(f"{discarded} with {low} and {high} gives {cards}")
    found = ", ".join(f"{counts[place]} of 7 as the {place}" for place in ["lowest", "middle", "highest"])
    print(f"player {(before + 1) % 4}: {found}; {'; '.join(wrong) or 'no other'}")

choose = random.Random(1)
sizes, takers = Counter(), Counter()
for seed in range(60):
    game = MahjongGame()
    game.np_random = np.random.RandomState(seed)
    state, _ = game.init_game()
    while not game.is_over():
        actions = game.get_legal_actions(state)
        first = [action for action in ("chow", "stand") if action in actions]
        state, _ = game.step(first[0] if first else choose.choice(actions))
    for player in game.players:
        for cards in player.pile:
            sizes[len(cards)] += 1
            takers[player.player_id] += 1
print(f"chows of 60 games by tiles: {sorted(sizes.items())}, by players: {sorted(takers.items())}")
END

venv/bin/python run.py | diff seen -
