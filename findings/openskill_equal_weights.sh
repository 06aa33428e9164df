#!/usr/bin/env bash
# openskill==6.2.0 (pip)
#
# Expected: `weights` say how much each player of a team contributed, and are "scaled within a team" (docstring of
# `weight_bounds`). If all weights are equal, nobody contributed more, and the ratings change as without weights.
#
# What happens: that holds for teams of two and more. A player alone in a team gets the upper bound, 2, whatever the
# weight, while equal weights of a larger team get the lower bound, 1. The gain of a winner is multiplied by it and the
# loss of a loser divided. So in games of one against one with weights, winners gain twice as much and losers
# lose half as much. Ratings grow with each game: two players who win by turns have 92 after 100 games, and not 25.
#
# Each line: the changes of mu, after the first team has won, without weights and with weights that are all 1.
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q openskill==6.2.0

cat >seen <<'END'
PlackettLuce
  2 against 2: +1.96 +1.96 -1.96 -1.96, with weights +1.96 +1.96 -1.96 -1.96
  1 against 1: +2.64 -2.64, with weights +5.27 -1.32
  1 against 2: +3.71 -3.71 -3.71, with weights +7.42 -3.71 -3.71
  2 against 1: +0.75 +0.75 -0.75, with weights +0.75 +0.75 -0.37
  100 games, won by turns: mean 25.00, with weights 91.96
BradleyTerryFull
  2 against 2: +1.96 +1.96 -1.96 -1.96, with weights +1.96 +1.96 -1.96 -1.96
  1 against 1: +2.64 -2.64, with weights +5.27 -1.32
  1 against 2: +3.71 -3.71 -3.71, with weights +7.42 -3.71 -3.71
  2 against 1: +0.75 +0.75 -0.75, with weights +0.75 +0.75 -0.37
  100 games, won by turns: mean 25.00, with weights 91.96
ThurstoneMostellerFull
  2 against 2: +3.15 +3.15 -3.15 -3.15, with weights +3.15 +3.15 -3.15 -3.15
  1 against 1: +4.23 -4.23, with weights +8.46 -2.12
  1 against 2: +9.05 -9.05 -9.05, with weights +18.11 -9.05 -9.05
  2 against 1: +0.53 +0.53 -0.53, with weights +0.53 +0.53 -0.26
  100 games, won by turns: mean 25.00, with weights 86.02
END

cat >run.py <<'END'
from openskill.models import BradleyTerryFull, PlackettLuce, ThurstoneMostellerFull

for kind in (PlackettLuce, BradleyTerryFull, ThurstoneMostellerFull):
    model = kind()
    print(kind.__name__)
    for sizes in (2, 2), (1, 1), (1, 2), (2, 1):
        changes = []
        for weights in None, [[1] * size for size in sizes]:
            teams = [[model.rating(mu=25) for _ in range(size)] for size in sizes]
            rated = model.rate(teams, ranks=[1, 2], weights=weights)
            changes.append(" ".join(f"{player.mu - 25:+.2f}" for team in rated for player in team))
        print(f"  {sizes[0]} against {sizes[1]}: {changes[0]}, with weights {changes[1]}")
    means = []
    for weights in None, [[1], [1]]:
        teams = [[model.rating(mu=25)], [model.rating(mu=25)]]
        for game in range(100):
            ranks = [1, 2] if game % 2 == 0 else [2, 1]
            teams = model.rate(teams, ranks=ranks, weights=weights)
        means.append(sum(team[0].mu for team in teams) / 2)
    print(f"  100 games, won by turns: mean {means[0]:.2f}, with weights {means[1]:.2f}")
END

venv/bin/python run.py | diff seen -
