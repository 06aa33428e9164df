#!/usr/bin/env bash
# pyformlang==1.0.11 (pip)
#
# Expected: `get_words` of a context-free grammar gives the words of its language, which are made of terminals. A rule
# A -> A adds no word. `to_normal_form` gives a grammar in Chomsky's normal form: each rule has one terminal or two variables.
#
# What happens: a rule A -> A isn't removed in the normal form, where it is taken for a rule with a terminal. So `get_words`
# gives words with the variable A in them: the grammar S -> S, S -> a has the words "S" and "a". `contains` says yes to them,
# too, even for a terminal of that name. All of it is silent.
#
# Two grammars, then 400 random ones: how many give other words than those found by applying the rules until no new word of
# up to three letters appears, for grammars with a rule A -> A and without.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q pyformlang==1.0.11

cat >seen <<'END'
S -> S, S -> a: words S a, contains True True
  normal form: S -> S, S -> Terminal(a)
S -> aA, A -> A, A -> b: words aA ab, contains True True
  normal form: A -> A, A -> Terminal(b), S -> a#CNF# A, a#CNF# -> Terminal(a)
186 grammars with a rule A -> A: words wrong in 15
214 grammars without a rule A -> A: words wrong in 0
END

cat >run.py <<'END'
import random

from pyformlang.cfg import CFG, Terminal


def grammar(rules):
    return CFG.from_text("\n".join(f"{left} -> {' '.join(right)}" for left, right in rules))


def words(rules):
    return sorted("".join(symbol.value for symbol in word) for word in grammar(rules).get_words(3))


def by_rules(rules):
    """The words of up to three letters, from the rules applied until there is no new one."""
    language = {"S": set(), "A": set(), "B": set()}
    while True:
        before = sum(map(len, language.values()))
        for left, right in rules:
            made = {""}
            for symbol in right:
                made = {one + other for one in made for other in language.get(symbol, {symbol}) if len(one + other) <= 3}
            language[left] |= made
        if before == sum(map(len, language.values())):
            return sorted(language["S"])


for rules in [("S", "S"), ("S", "a")], [("S", "aA"), ("A", "A"), ("A", "b")]:
    given = words(rules)
    print(f"{', '.join(f'{left} -> {right}' for left, right in rules)}: words {' '.join(given)},", end=" ")
    print("contains", *(grammar(rules).contains(list(map(Terminal, word))) for word in given))
    print(f"  normal form: {', '.join(sorted(map(str, grammar(rules).to_normal_form().productions)))}")

choose = random.Random(1)
counts = {True: [0, 0], False: [0, 0]}
for _ in range(400):
    rules = [(left, "".join(choose.choices("abSAB", k=choose.choice([1, 2])))) for left in "SAB" for _ in range(2)]
    counted = counts[any(left == right for left, right in rules)]
    counted[0] += 1
    counted[1] += words(rules) != by_rules(rules)
for with_itself, (grammars, wrong) in counts.items():
    print(f"{grammars} grammars {'with' if with_itself else 'without'} a rule A -> A: words wrong in {wrong}")
END

venv/bin/python run.py | diff seen -
