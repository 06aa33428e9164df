#!/usr/bin/env bash
# cribbage-scorer==0.2.5 (pip)
#
# Expected: `play_calc_score_set` tells "the scores made so far in the play" of cribbage, from the cards in order. A player
# who can't play writes (0, "GO"). Points are scored when a card is laid; a go lays none. So a player who laid a third ten
# has six points for it, once.
#
# What happens: for each go the cards are scored again, so whatever the last card made, as a pair or a run, counts a second
# time, and with two gos a third time. They go to the player whose turn it would be if those who said go had never been
# there, who may be another one. All of it is silent; without a go the scores are right. With three players, a second go
# after more cards may be taken for one of the player who said the first, which raises a `ValueError`.
#
# Three tens with and without a go, and an ace after it that makes 31. Then random plays by two and three players up to 31 or
# until nobody can go on, against each card scored once by the rules: how many totals are wrong.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q cribbage-scorer==0.2.5 more-itertools==10.8.0

cat >seen <<'END'
10S 10H: count 20, {'A': 0, 'B': 3}
10S 10H 10D: count 30, {'A': 7, 'B': 2}
10S 10H 10D go: count 30, {'A': 13, 'B': 2}
10S 10H 10D go 1S: count 31, {'A': 14, 'B': 2}
2 players, without a go: 0 of 1576 wrong, 0 errors
2 players, with a go: 42 of 424 wrong, 0 errors
3 players, without a go: 0 of 1269 wrong, 0 errors
3 players, with a go: 446 of 731 wrong, 3 errors
END

cat >run.py <<'END'
import random

from cribbage_scorer.cribbage_scorer import play_calc_score_set

GO = (0, "GO")


def points(ranks):
    """What the last of these cards scores: fifteen, thirty-one, the same rank in a row, or a run."""
    count = sum(min(rank, 10) for rank in ranks)
    score = 2 * (count in (15, 31))
    same = 1
    while same < len(ranks) and ranks[-same - 1] == ranks[-1]:
        same += 1
    score += same * (same - 1)
    for length in range(len(ranks), 2, -1):
        last = sorted(ranks[-length:])
        if last == list(range(last[0], last[0] + length)):
            return score + length
    return score


def play(hands):
    """The cards and gos up to 31 or until nobody can lay a card, and the scores by the rules."""
    ranks, record, scores, playing = [], [], [0] * len(hands), list(range(len(hands)))
    player = 0
    while True:
        count = sum(min(rank, 10) for rank in ranks)
        if count == 31 or not any(min(rank, 10) + count <= 31 for each in playing for rank, _ in hands[each]):
            break
        if player in playing:
            card = next((card for card in hands[player] if min(card[0], 10) + count <= 31), GO)
            record.append(card)
            if card == GO:
                playing.remove(player)
            else:
                hands[player].remove(card)
                ranks.append(card[0])
                scores[player] += points(ranks)
                last = player
        player = (player + 1) % len(hands)
    scores[last] += count != 31  # one point for the last card
    return record, scores


def show(record):
    return " ".join("go" if card == GO else f"{card[0]}{card[1]}" for card in record)


tens = [(10, "S"), (10, "H"), (10, "D")]
for record in tens[:2], tens, [*tens, GO], [*tens, GO, (1, "S")]:
    scores, count, _ = play_calc_score_set(record, ["A", "B"])
    print(f"{show(record)}: count {count}, {scores}")

choose = random.Random(1)
deck = [(rank, suit) for rank in range(1, 14) for suit in "SHDC"]
for size in 2, 3:
    totals = {False: [0, 0, 0], True: [0, 0, 0]}
    for _ in range(2000):
        cards = choose.sample(deck, 4 * size)
        record, right = play([cards[4 * each : 4 * each + 4] for each in range(size)])
        counted = totals[GO in record]
        counted[0] += 1
        try:
            scores, _, _ = play_calc_score_set(record, list("ABC"[:size]))
            counted[1] += list(scores.values()) != right
        except ValueError:
            counted[2] += 1
    for go, (plays, wrong, errors) in totals.items():
        print(f"{size} players, {'with' if go else 'without'} a go: {wrong} of {plays} wrong, {errors} errors")
END

venv/bin/python run.py | diff seen -
