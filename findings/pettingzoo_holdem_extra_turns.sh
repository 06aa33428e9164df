#!/usr/bin/env bash
# pettingzoo==1.27.0, rlcard==1.2.0, pygame==2.6.1 (pip)
#
# Expected: in `texas_holdem_v4`, limit hold'em for two or more players, a betting round is over when all players who
# haven't folded have acted and have paid the same. So when one raises and the others call, the next cards are dealt.
#
# What happens: a player who folded is still waited for. Each round after the fold asks for one more action of the
# others, until the end of the game: whoever raised and was called is on move again and may raise the own bet, and
# the first to check may bet after all have checked. With two folds among four players each of the others acts twice.
# With two players a fold ends the game, so tests of two players don't show it.
#
# Each line: a game up to the second round, by the number of cards on the table. The player who begins has number 0.
# After the folds and raises all check, or call if they can't. In the last line player 1 raises the own raise.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q pettingzoo==1.27.0 rlcard==1.2.0 pygame==2.6.1

cat >seen <<'END'
2 players: 0 cards: 0 call, 1 check; 3 cards: 0 check, 1 check
3 players: 0 cards: 0 call, 1 call, 2 check; 3 cards: 0 check, 1 check, 2 check
3 players, a fold: 0 cards: 0 fold, 1 call, 2 check, 1 check; 3 cards: 2 check, 1 check, 2 check
4 players, 2 folds: 0 cards: 0 fold, 1 fold, 2 call, 3 check, 2 check, 3 check; 3 cards: 2 check, 3 check, 2 check, 3 check
3 players, a fold and raises: 0 cards: 0 fold, 1 raise, 2 call, 1 raise, 2 call, 1 check; 3 cards: 2 check, 1 check, 2 check
END

cat >run.py <<'END'
from pettingzoo.classic import texas_holdem_v4

NAMES = ["call", "raise", "fold", "check"]


def play(players, first):
    """The rounds of a game in which the actions `first` are followed by checks and calls."""
    env = texas_holdem_v4.env(num_players=players)
    env.reset(seed=1)
    rounds, begins, plan = {}, None, list(first)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        number = int(agent.split("_")[1])
        begins = number if begins is None else begins
        mask = observation["action_mask"]
        name = plan.pop(0) if plan else "check" if mask[3] else "call"
        cards = len(env.unwrapped.env.game.public_cards)
        rounds.setdefault(cards, []).append(f"{(number - begins) % players} {name}")
        env.step(NAMES.index(name))
    return "; ".join(f"{cards} cards: {', '.join(actions)}" for cards, actions in list(rounds.items())[:2])


print("2 players:", play(2, []))
print("3 players:", play(3, []))
print("3 players, a fold:", play(3, ["fold"]))
print("4 players, 2 folds:", play(4, ["fold", "fold"]))
print("3 players, a fold and raises:", play(3, ["fold", "raise", "call", "raise"]))
END

venv/bin/python run.py 2>/dev/null | diff seen -
