#!/usr/bin/env bash
# votelib==0.4.0 (pip)
#
# Expected: the Schwartz set is the union of the smallest sets whose members nobody outside beats, "non-empty" in the
# docstring. So whoever is beaten by nobody is in it. Schulze's method elects those whose strongest path to each rival is
# no weaker than the path back, which holds for them, too. For several who are elected, votelib has the class `Tie`.
#
# What happens: `SchwartzSet` and `Schulze` count victories, so they leave out who has fewer of them, and silently decide
# between equals. Two voters with A B D C and two with D C B A leave one victory, D over C. D alone is elected, although
# nobody beats A or B. Where all pairs are tied, nobody is elected. Schulze also misses some where paths are equally strong.
#
# Both are compared with their definitions on 1000 random elections of three or four candidates: all subsets for the set,
# and strongest paths by winning votes. `missed` counts elections in which someone is left out, `other` all further
# differences. Elections without a tie between two candidates are counted apart. Then three small elections.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q votelib==0.4.0

cat >seen <<'END'
SchwartzSet, a pair is tied: same 75, missed 114, other 0
Schulze, a pair is tied: same 125, missed 64, other 0
SchwartzSet, no pair is tied: same 811, missed 0, other 0
Schulze, no pair is tied: same 788, missed 23, other 0
2 ABDC 2 DCBA: SchwartzSet D, by definition A B D
2 ABDC 2 DCBA: Schulze D, by definition A B D
2 BAC 5 ACB 2 CAB 5 CBA: SchwartzSet C, by definition A C
2 BAC 5 ACB 2 CAB 5 CBA: Schulze C, by definition A C
1 ABC 1 CBA: SchwartzSet nobody, by definition A B C
1 ABC 1 CBA: Schulze nobody, by definition A B C
END

cat >run.py <<'END'
import random
from collections import Counter
from itertools import combinations, permutations

from votelib.convert import RankedToCondorcetVotes
from votelib.evaluate.condorcet import Schulze, SchwartzSet


def preferring(votes, first, second):
    return sum(number for ballot, number in votes.items() if ballot.index(first) < ballot.index(second))


def beats(votes, first, second):
    return preferring(votes, first, second) > preferring(votes, second, first)


def schwartz_set(candidates, votes):
    found = []
    for size in range(1, len(candidates) + 1):
        for some in combinations(candidates, size):
            rest = [each for each in candidates if each not in some]
            unbeaten = not any(beats(votes, other, each) for other in rest for each in some)
            if unbeaten and not any(smaller < set(some) for smaller in found):
                found.append(set(some))
    return set.union(*found)


def schulze_winners(candidates, votes):
    path = {pair: preferring(votes, *pair) if beats(votes, *pair) else 0 for pair in permutations(candidates, 2)}
    for middle, first, last in permutations(candidates, 3):
        path[first, last] = max(path[first, last], min(path[first, middle], path[middle, last]))
    return {one for one in candidates if all(path[one, other] >= path[other, one] for other in candidates if other != one)}


def names(answer):
    """The elected, with the members of ties."""
    return {name for each in answer for name in ([each] if isinstance(each, str) else each)}


def compare(candidates, votes):
    pairs = RankedToCondorcetVotes().convert(votes)
    yield "SchwartzSet", names(SchwartzSet().evaluate(pairs)), schwartz_set(candidates, votes)
    yield "Schulze", names(Schulze().evaluate(pairs, 1)), schulze_winners(candidates, votes)


choose = random.Random(1)
counts = Counter()
for _ in range(1000):
    candidates = "ABCD"[: choose.choice([3, 4])]
    votes = {}
    for _ in range(choose.randint(2, 5)):
        votes[tuple(choose.sample(candidates, len(candidates)))] = choose.randint(1, 5)
    tied = any(preferring(votes, *pair) == preferring(votes, *reversed(pair)) for pair in combinations(candidates, 2))
    counts["tie" if tied else "no tie"] += 1
    for method, answer, right in compare(candidates, votes):
        counts[method, tied, "missed" if answer < right else "same" if answer == right else "other"] += 1
for tied in True, False:
    for method in "SchwartzSet", "Schulze":
        told = ", ".join(f"{what} {counts[method, tied, what]}" for what in ("same", "missed", "other"))
        print(f"{method}, {'a pair is tied' if tied else 'no pair is tied'}: {told}")

for text in "2 ABDC 2 DCBA", "2 BAC 5 ACB 2 CAB 5 CBA", "1 ABC 1 CBA":
    words = text.split()
    votes = {tuple(ballot): int(number) for number, ballot in zip(words[::2], words[1::2])}
    for method, answer, right in compare(sorted(words[1]), votes):
        print(f"{text}: {method} {' '.join(sorted(answer)) or 'nobody'}, by definition {' '.join(sorted(right))}")
END

venv/bin/python run.py | diff seen -
