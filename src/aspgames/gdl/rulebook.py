"""Rules as their files show them: place, text, and the comment above."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..asp.clingo_api import AST
from ..asp.nodes import span_of
from .encoding import Encoding


@dataclass(frozen=True)
class RuleLine:
    """A rule as its file shows it."""

    place: str
    """The file's name and the line in it: ``slides.lp:8``."""
    comment: str
    """The comment above the rule or its group of rules; empty without one."""
    rule: str


def line_of(encoding: Encoding, statement: AST) -> RuleLine:
    """The place, text and comment of a statement of an encoding."""
    file, first, last = span_of(statement)
    path = Path(file)
    texts = [source.text for source in encoding.sources if source.name == file]
    lines = texts[0].splitlines() if texts else []
    shown = " ".join(line.strip() for line in lines[first - 1 : last])
    return RuleLine(
        place=f"{path.name}:{first}",
        comment=_comment_above(lines, first - 1),
        rule=shown or str(statement),
    )


def _comment_above(lines: Sequence[str], place: int) -> str:
    end = place
    while end > 0 and lines[end - 1].strip() and not lines[end - 1].startswith("%"):
        end -= 1
    start = end
    while start > 0 and lines[start - 1].startswith("%") and "---" not in lines[start - 1]:
        start -= 1
    return " ".join(line.lstrip("% ").strip() for line in lines[start:end])
