#!/usr/bin/env bash
# cardarena-tournament-core==1.5.0 (pip)
#
# Expected: `Swiss` pairs players "avoiding rematches where possible" (its docstring). So two players meet again only if
# there is no way to pair all without a rematch. And a bye, worth a win, goes to players who have had none.
#
# What happens: each player in turn gets the first opponent who is left and new, and nothing is taken back. If the last
# two have met, they play again, though another opponent for somebody above would avoid it. With six players that is
# so in the third round of nearly every other tournament. The bye goes to whoever remains, also the second time.
#
# 200 tournaments of each size, with random results. A round counts if it has a rematch, and if trying all pairings
# finds one without. With an odd number: in how many tournaments of four rounds somebody has two byes. The second line is
# the first such tournament of six players.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q cardarena-tournament-core==1.5.0

cat >seen <<'END'
6 players, needless rematches in round 3: 90, round 4: 38
  0-1 2-3 4-5 | 1-3 0-4 2-5 | 0-3 1-2 4-5
8 players, needless rematches in round 3: 30, round 4: 79
12 players, needless rematches in round 3: 0, round 4: 53
16 players, needless rematches in round 3: 0, round 4: 38
5 players, needless rematches in round 3: 0, round 4: 41; two byes: 144
7 players, needless rematches in round 3: 0, round 4: 13; two byes: 112
END

cat >run.py <<'END'
import random
from collections import Counter

from cardarena_tournament_core import MatchupOutcome, Player, Swiss


def can_avoid(players, met):
    """Whether all players can be paired without a rematch, with at most one left over."""
    if len(players) < 2:
        return True
    first, *others = players
    if len(players) % 2 and can_avoid(others, met):
        return True
    return any(
        {first, other} not in met and can_avoid([each for each in others if each != other], met) for other in others
    )


choose = random.Random(1)
for size in 6, 8, 12, 16, 5, 7:
    players = [Player(id=str(number), name=str(number)) for number in range(size)]
    avoidable, twice, example = Counter(), 0, ""
    for _ in range(200):
        swiss, met, byes, history = Swiss(players), [], Counter(), []
        for number in 1, 2, 3, 4:
            current = swiss.pair()
            pairs = []
            for match in current.matchups:
                if match.player2 is None:
                    byes[match.player1.id] += 1
                    continue
                pairs.append({match.player1.id, match.player2.id})
                match.outcome = choose.choice([MatchupOutcome.PLAYER1_WINS, MatchupOutcome.PLAYER2_WINS])
            history.append(" ".join("-".join(sorted(pair)) for pair in pairs))
            if any(pair in met for pair in pairs) and can_avoid([player.id for player in players], met):
                avoidable[number] += 1
                example = example or " | ".join(history)
            met += pairs
            swiss.submit_results(current)
        twice += max(byes.values(), default=0) > 1
    found = ", ".join(f"round {number}: {avoidable[number]}" for number in (3, 4))
    print(f"{size} players, needless rematches in {found}" + (f"; two byes: {twice}" if size % 2 else ""))
    if size == 6:
        print(f"  {example}")
END

venv/bin/python run.py | diff seen -
