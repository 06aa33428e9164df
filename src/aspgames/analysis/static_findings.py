"""Findings in the text of the rules, before any play."""

import re
from collections.abc import Iterator
from pathlib import Path

from ..asp.grounding import unsafe_variables
from ..asp.kept_program import complaints
from ..asp.statements import rule_of
from ..gdl.encoding import Encoding
from ..gdl.lint import mistakes, no_roles
from ..runtime.errors import RulesError, one_line
from .check_report import ERROR, NOTE, WARNING, Finding

_PLACE = r"(?P<file>[^\n]*?\.\w+):(?P<line>[0-9]+)(?::(?P<column>[0-9]+)[0-9:-]*)?: ?(?P<rest>.*)\Z"

_SEVERITIES = {"missing": ERROR, "adapted": NOTE, "single_variable": NOTE}


def refused(error: RulesError | str, kind: str = "syntax") -> Finding:
    """The finding for an error from clingo or from reading the files, or for its message."""
    if found := re.match(_PLACE, str(error), re.DOTALL):
        rest = found["rest"].removeprefix("error: ")
        file, line = Path(found["file"]).name, int(found["line"])
        column = int(found["column"]) if found["column"] else None
        return Finding(kind, ERROR, one_line(rest), file=file, line=line, column=column)
    return Finding(kind, ERROR, one_line(str(error)))


def unsafe(encoding: Encoding) -> Iterator[Finding]:
    """All rules that clingo refuses, such as rules with unsafe variables."""
    for message in complaints(each for part in encoding.parts.values() for each in part):
        head, *notes = message.strip().split("\n")
        if said := unsafe_variables(message):
            yield refused(said, "unsafe")
        elif "error:" in head:
            yield refused(one_line(" ".join((head, *notes))))


def in_text(encoding: Encoding) -> Iterator[Finding]:
    """Likely mistakes, missing predicates, and loops through negation."""
    rules = [rule_of(statement) for statement in encoding.statements("base")]
    is_played = any(("role", 1) in rule.heads for rule in rules)
    hint = ""
    for kind, file, line, sentence, _ in mistakes(encoding):
        if not is_played and sentence.startswith("role/1 "):
            hint = "".join(sentence.partition(";")[1:])
            continue
        severity = _SEVERITIES.get(kind, WARNING)
        yield Finding(kind, severity, sentence, True, file, line)
    if not is_played:
        text = f"{no_roles(encoding)}{hint}"
        yield Finding("missing", ERROR, text, file=encoding.sources[-1].path.name)
