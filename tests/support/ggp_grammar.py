"""Reads rule sheets as ggp-base does, strictly: an oracle for the sheets that are written.

ggp-base (github.com/ggp-org/ggp-base) is the software of General Game Playing's managers and of
most players. Its reader (``Game.preprocessRulesheet``, ``SymbolFactory``, ``GdlFactory``) minds
capitals, and knows no ``and``. Its ``StaticValidator`` refuses what GDL's specification forbids.
This module does the same in a different way and shares no code with aspgames. Names that nothing
defines get a warning from ggp-base, and nothing here.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

Term = Any
"""A text, or a list of terms."""
Signature = tuple[str, int]

ARITIES = {"role": 1, "terminal": 0, "goal": 2, "legal": 2, "does": 2, "init": 1, "true": 1}
ARITIES |= {"next": 1, "base": 1, "input": 2}
OTHER_WORDS = ("<=", "distinct", "not", "or")
STATE = ("true", "does", "next", "legal", "goal", "terminal")


def read(text: str) -> list[Term]:
    """The rules of a sheet."""
    lines = re.split(r"[\n\r]", text)
    plain = f"( {' '.join(line.partition(';')[0] for line in lines)} )"
    tokens = re.sub(r"([()])", r" \1 ", plain).split()
    stack: list[list[Term]] = [[]]
    for token in tokens:
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    ((rules,),) = stack
    return [_keywords_in_small_letters(rule) for rule in rules]


def _keywords_in_small_letters(term: Term) -> Term:
    if isinstance(term, str):
        return term.lower() if term.lower() in {*ARITIES, *OTHER_WORDS} else term
    return [*map(_keywords_in_small_letters, term)]


def check(text: str) -> list[str]:
    """What the validator has against a sheet; nothing for a valid one."""
    wrong: list[str] = []
    arities: dict[bool, dict[str, int]] = {True: {}, False: {}}
    needs: dict[str, set[str]] = {}
    negative: set[tuple[str, str]] = set()

    def meet(name: str, arity: int, is_sentence: bool) -> None:
        if arities[is_sentence].setdefault(name, arity) != arity:
            wrong.append(f"{name} has {arity} arguments and {arities[is_sentence][name]}")

    def meet_terms(terms: Iterable[Term]) -> None:
        for term in terms:
            if isinstance(term, list):
                if len(term) < 2:
                    wrong.append(f"{term} is written as a function without arguments")
                meet(term[0], len(term) - 1, is_sentence=False)
                meet_terms(term[1:])

    def meet_sentence(sentence: Term) -> str:
        name, terms = (sentence, []) if isinstance(sentence, str) else (sentence[0], sentence[1:])
        if sentence == [name]:
            wrong.append(f"{name} is written as a relation without arguments")
        meet(name, len(terms), is_sentence=True)
        meet_terms(terms)
        return str(name)

    def meet_literal(literal: Term, head: str, is_negative: bool) -> None:
        word = literal[0] if isinstance(literal, list) else ""
        if word == "distinct":
            assert len(literal) == 3
            meet_terms(literal[1:])
        elif word in ("not", "or"):
            if word == "not" and (len(literal) != 2 or literal[1][0] in ("not", "or", "distinct")):
                wrong.append(f"{literal} negates something else than a sentence")
            for part in literal[1:]:
                meet_literal(part, head, is_negative or word == "not")
        else:
            name = meet_sentence(literal)
            needs[head].add(name)
            if is_negative:
                negative.add((head, name))

    rules = [
        (r[1], r[2:]) if isinstance(r, list) and r[0] == "<=" else (r, None) for r in read(text)
    ]
    for head, body in rules:
        name = meet_sentence(head)
        needs.setdefault(name, set())
        for literal in body or ():
            meet_literal(literal, name, is_negative=False)
        if body == []:
            wrong.append(f"{head} is a rule without a body")
        free = {*_variables(head), *_bound_elsewhere(body or ())} - _supported(body or ())
        if free:
            wrong.append(f"{sorted(free)} are unsafe in {head}")
    sentences = arities[True]
    for name, arity in ARITIES.items():
        if (
            sentences.get(name, arity if name not in ("role", "terminal", "goal", "legal") else -1)
            != arity
        ):
            wrong.append(f"{name} takes {arity} arguments")
        if name in arities[False]:
            wrong.append(f"{name} is used as a function")
    above = {name: _reached(name, needs) for name in sentences}
    wrong += [f"{a} needs not {b}, which needs {a}" for a, b in negative if a in above.get(b, ())]
    wrong += [f"{n} is in the head of a rule" for n in ("role", "true", "does") if needs.get(n)]
    used = set().union(*needs.values())
    wrong += [f"{name} is in a body" for name in ("init", "next", "base", "input") if name in used]
    wrong += [
        f"{name} depends on the state"
        for name in ("init", "base", "input")
        if above.get(name, set()) & {*STATE}
    ]
    wrong += [f"{n} depends on does" for n in ("terminal", "legal", "goal") if "does" in above[n]]
    for head, body in rules:
        if body and not _recursion_is_bounded(head, body, above):
            wrong.append(f"the recursion of {head} may have no end")
    return wrong


def _variables(term: Term) -> Iterator[str]:
    if isinstance(term, str):
        if term[0] == "?":
            yield term
    else:
        for part in term:
            yield from _variables(part)


def _bound_elsewhere(body: Iterable[Term]) -> Iterator[str]:
    """The variables of negations and of ``distinct``."""
    for literal in body:
        if isinstance(literal, list) and literal[0] in ("not", "distinct"):
            yield from _variables(literal)
        elif isinstance(literal, list) and literal[0] == "or":
            yield from _bound_elsewhere(literal[1:])


def _supported(body: Iterable[Term]) -> set[str]:
    """The variables to which positive sentences give a value."""
    found: set[str] = set()
    for literal in body:
        if isinstance(literal, list) and literal[0] == "or":
            found |= set.intersection(*(_supported([part]) for part in literal[1:]))
        elif isinstance(literal, str) or literal[0] not in ("not", "distinct"):
            found |= {*_variables(literal)}
    return found


def _reached(name: str, needs: dict[str, set[str]]) -> set[str]:
    """What a relation depends on, and the relation itself."""
    found, work = {name}, [name]
    while work:
        more = needs.get(work.pop(), set()) - found
        found |= more
        work += more
    return found


def _recursion_is_bounded(head: Term, body: list[Term], above: dict[str, set[str]]) -> bool:
    """Section 4.5 of the specification: the restriction of recursion."""
    name = head if isinstance(head, str) else head[0]
    plain = [b for b in body if isinstance(b, list) and b[0] not in ("not", "or", "distinct")]
    cyclic = [literal for literal in plain if name in above[literal[0]]]
    given = [term for literal in plain if literal not in cyclic for term in literal[1:]]
    given += [] if isinstance(head, str) else head[1:]
    return all(
        term in given or not [*_variables(term)] for literal in cyclic for term in literal[1:]
    )
