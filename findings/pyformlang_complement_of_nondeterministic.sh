#!/usr/bin/env bash
# pyformlang==1.0.11 (pip)
#
# Expected: `get_complement` of an automaton accepts just the words that the automaton doesn't, and `get_difference` the words
# of one automaton that the other doesn't accept. Both are methods of automata with epsilon transitions, as
# `Regex.to_epsilon_nfa` makes them, and their comments ask for no other kind.
#
# What happens: the complement only exchanges final and other states. A nondeterministic automaton accepts a word if one of
# its ways ends in a final state, so a word is often accepted by both. The complement of (a|b)* accepts all words, and
# the difference of a regular expression and itself isn't empty. All of it is silent. After `minimize` all is right.
#
# Three expressions and their complements, the difference of one with itself, then 300 random expressions and pairs: how many
# answers differ on the words of up to four letters from those of Python's `re`.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q pyformlang==1.0.11

cat >seen <<'END'
(a|b)*: - a b aa ab ba bb
  complement: - a b aa ab ba bb
  of the minimal automaton: no word
(a|b): a b
  complement: - a b aa ab ba bb
  of the minimal automaton: - aa ab ba bb
a*b(a|b)*: b ab ba bb
  complement: - a b aa ab ba bb
  of the minimal automaton: - a aa
ab* without ab*: a ab
a(a|b) without a(a|b): aa ab
300 expressions: language wrong in 0, complement in 228, difference in 171, difference of minimal automata in 0
END

cat >run.py <<'END'
import itertools
import random
import re

from pyformlang.finite_automaton import Symbol
from pyformlang.regular_expression import Regex

WORDS = ["".join(letters) for length in range(5) for letters in itertools.product("ab", repeat=length)]


def accepted(automaton):
    return [word for word in WORDS if automaton.accepts([Symbol(letter) for letter in word])]


def automaton(expression):
    """The automaton of an expression of Python, in which letters in a row need spaces for pyformlang."""
    return Regex(" ".join(expression)).to_epsilon_nfa()


def show(words):
    return " ".join(word or "-" for word in words if len(word) < 3)


def by_re(expression):
    return [word for word in WORDS if re.fullmatch(expression, word)]


for expression in "(a|b)*", "(a|b)", "a*b(a|b)*":
    of_all = automaton(expression)
    print(f"{expression}: {show(accepted(of_all))}")
    print(f"  complement: {show(accepted(of_all.get_complement())) or 'no word'}")
    print(f"  of the minimal automaton: {show(accepted(of_all.minimize().get_complement())) or 'no word'}")
print(f"ab* without ab*: {show(accepted(automaton('ab*').get_difference(automaton('ab*')))) or 'no word'}")
print(f"a(a|b) without a(a|b): {show(accepted(automaton('a(a|b)').get_difference(automaton('a(a|b)')))) or 'no word'}")


def random_expression(choose, depth):
    if depth == 0 or choose.random() < 0.2:
        return choose.choice("ab")
    parts = [random_expression(choose, depth - 1) for _ in range(2)]
    return choose.choice([f"({parts[0]}|{parts[1]})", parts[0] + parts[1], f"({parts[0]})*"])


choose = random.Random(1)
languages = complements = differences = minimal = 0
for _ in range(300):
    one, other = random_expression(choose, 3), random_expression(choose, 3)
    alphabet = set(one) & {"a", "b"}
    words = [word for word in WORDS if set(word) <= alphabet]
    missing = [word for word in words if word not in by_re(one)]
    languages += accepted(automaton(one)) != by_re(one)
    complements += [word for word in accepted(automaton(one).get_complement()) if word in words] != missing
    right = [word for word in by_re(one) if word not in by_re(other)]
    differences += accepted(automaton(one).get_difference(automaton(other))) != right
    minimal += accepted(automaton(one).minimize().get_difference(automaton(other).minimize())) != right
print(f"300 expressions: language wrong in {languages}, complement in {complements}, difference in {differences},", end=" ")
print(f"difference of minimal automata in {minimal}")
END

venv/bin/python run.py | diff seen -
