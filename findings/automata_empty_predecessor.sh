#!/usr/bin/env bash
# automata-lib==9.2.0 (pip)
#
# Expected: `DFA.predecessor` gives "the first string accepted by the DFA that comes before the input string" in
# lexicographical order, or None if there is none. So the answer is accepted, and the empty word comes before all others.
#
# What happens: before a word made only of the first letter of the alphabet, such as "a" or "aa", the empty word is mistaken.
# It may be the answer although the automaton doesn't accept it, or missing although it does. All of it is silent, and
# `successor` is right.
#
# Four languages: the predecessor of some words, and whether the automaton accepts it. Then 200 random finite languages, with
# all words of up to three letters: how many predecessors and successors differ from those in the sorted list of words.
# Seen on 2026-12-01: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q automata-lib==9.2.0

cat >seen <<'END'
['']: before 'a' None, right is ''; before 'aa' None, right is ''; before 'b' '', right is '';
['', 'b']: before 'a' None, right is ''; before 'aa' None, right is ''; before 'b' '', right is '';
['a', 'bb']: before 'a' '' (not accepted), right is None; before 'aa' 'a', right is 'a'; before 'b' 'a', right is 'a';
['', 'a', 'ab']: before 'a' '', right is ''; before 'aa' 'a', right is 'a'; before 'b' 'ab', right is 'ab';
3000 questions: predecessor wrong in 184 (39 not accepted, 145 missed), successor in 0
END

cat >run.py <<'END'
import itertools
import random

from automata.fa.dfa import DFA

WORDS = ["".join(letters) for length in range(4) for letters in itertools.product("ab", repeat=length)]


def of(language):
    return DFA.from_finite_language({"a", "b"}, set(language))


for language in [""], ["", "b"], ["a", "bb"], ["", "a", "ab"]:
    automaton = of(language)
    print(f"{language}:", end="")
    for word in "a", "aa", "b":
        given = automaton.predecessor(word)
        right = max((each for each in language if each < word), default=None)
        refused = given is not None and not automaton.accepts_input(given)
        print(f" before {word!r} {given!r}{' (not accepted)' if refused else ''}, right is {right!r};", end="")
    print()

choose = random.Random(1)
before = after = questions = not_accepted = missed = 0
for _ in range(200):
    language = choose.sample(WORDS, choose.randint(1, 5))
    automaton = of(language)
    for word in WORDS:
        questions += 1
        given, right = automaton.predecessor(word), max((each for each in language if each < word), default=None)
        before += given != right
        not_accepted += given is not None and given not in language
        missed += given is None and right is not None
        after += automaton.successor(word) != min((each for each in language if each > word), default=None)
print(f"{questions} questions: predecessor wrong in {before} ({not_accepted} not accepted, {missed} missed), successor in {after}")
END

venv/bin/python run.py | diff seen -
