"""Findings in the text of the rules, before any play."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from ..asp.grounding import unsafe_variables
from ..gdl.encoding import Encoding
from ..gdl.lint import kinds_of_mistakes
from ..runtime.errors import RulesError, one_line
from .check_report import ERROR, WARNING, Finding

if TYPE_CHECKING:
    from ..asp.statements import Rule, Signature

_PLACE = r"(?P<file>[^\n]*?\.\w+):(?P<line>[0-9]+)(?::(?P<column>[0-9]+)[0-9:-]*)?: ?(?P<rest>.*)\Z"
_LOOP = "loop_through_negation"


def refused(error: RulesError, kind: str = "syntax") -> Finding:
    """The finding for an error from clingo or from reading the files."""
    return _placed(kind, ERROR, str(error))


def unsafe(encoding: Encoding) -> Iterator[Finding]:
    """All rules that clingo refuses, such as rules with unsafe variables."""
    import clingo
    from clingo import ast

    messages: list[str] = []
    control = clingo.Control(logger=lambda _, message: messages.append(message))
    try:
        with ast.ProgramBuilder(control) as builder:
            for part in encoding.parts.values():
                for statement in part:
                    builder.add(statement)
        control.ground([("nothing", [])])  # checks all rules, and grounds none
    except RuntimeError:
        for message in messages:
            head, *notes = message.strip().split("\n")
            if said := unsafe_variables(message):
                yield _placed("unsafe", ERROR, said)
            elif "error:" in head:
                yield _placed("syntax", ERROR, one_line(" ".join((head, *notes))))


def in_text(encoding: Encoding) -> Iterator[Finding]:
    """Likely mistakes, missing predicates, and loops through negation."""
    from ..asp.statements import rule_of

    rules = [rule_of(statement) for statement in encoding.statements("base")]
    if not any(("role", 1) in rule.heads for rule in rules):
        main = encoding.sources[-1].path.name
        yield Finding("missing", ERROR, "there is no role/1, so nobody can play", file=main)
    for kind, place, sentence in kinds_of_mistakes(encoding):
        if kind != _LOOP:
            severity = ERROR if kind == "missing" else WARNING
            file, colon, line = place.rpartition(":")
            if colon and line.isdecimal():
                yield Finding(kind, severity, sentence, file=file, line=int(line))
            else:
                yield Finding(kind, severity, sentence, file=place)
    yield from _loops(rules)


def _placed(kind: str, severity: str, message: str) -> Finding:
    """A finding from a message that may begin with a file and a line."""
    if found := re.match(_PLACE, message, re.DOTALL):
        rest = found["rest"].removeprefix("error: ")
        file, line = Path(found["file"]).name, int(found["line"])
        column = int(found["column"]) if found["column"] else None
        return Finding(kind, severity, one_line(rest), file=file, line=line, column=column)
    return Finding(kind, severity, one_line(message))


def _loops(rules: Sequence[Rule]) -> Iterator[Finding]:
    """Each loop through negation once, with its predicates in order."""
    from ..asp.statements import unstratified

    known: set[frozenset[Signature]] = set()
    for rule, negated in unstratified(rules):
        for head in rule.heads:
            way = _way(rules, negated, head)
            if way is None or frozenset(way) in known:
                continue
            known.add(frozenset(way))
            places = [_place_of(rules, *pair) for pair in pairwise(way)]
            steps = [f"{_shown(head)} needs not {_shown(negated)}"]
            steps += [
                f"{_shown(one)} for {_shown(other)} ({place})"
                for one, other, place in zip(way, way[1:], places, strict=False)
            ]
            begin = rule.statement.location.begin
            yield Finding(
                _LOOP,
                WARNING,
                f"a loop through negation: {', '.join(steps)}",
                file=Path(begin.filename).name,
                line=begin.line,
            )


def _way(rules: Sequence[Rule], start: Signature, end: Signature) -> list[Signature] | None:
    """The shortest path from a predicate to one that it depends on."""
    ways: dict[Signature, list[Signature]] = {start: [start]}
    for predicate in (queue := [start]):
        if predicate == end:
            return ways[end]
        for rule in rules:
            for other in sorted(rule.body) if predicate in rule.heads else ():
                if other not in ways:
                    ways[other] = [*ways[predicate], other]
                    queue.append(other)
    return None


def _place_of(rules: Sequence[Rule], head: Signature, body: Signature) -> str:
    """The place of a rule by which a predicate depends on another."""
    found = next(rule for rule in rules if head in rule.heads and body in rule.body)
    begin = found.statement.location.begin
    return f"{Path(begin.filename).name}:{begin.line}"


def _shown(signature: Signature) -> str:
    return f"{signature[0]}/{signature[1]}"
