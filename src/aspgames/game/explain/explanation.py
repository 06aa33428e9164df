"""What an explanation is, and how people read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ...gdl.rulebook import RuleLine


@dataclass(frozen=True)
class Reason:
    """A condition that holds or fails, and so settles what it is a reason for."""

    condition: str
    """The condition's atom: ``empty(5,7)``."""
    holds: bool
    sentence: str
    """The encoding's sentence; empty where it has none."""
    lines: tuple[RuleLine, ...]
    """The rules that ask for the condition."""
    facts: tuple[str, ...]
    """The state's fluents that it rests on, sorted."""
    absent: tuple[str, ...]
    """Fluents that it rests on by their absence, sorted; where another has their place, as on a
    square, that one is among the facts instead."""
    empty: tuple[tuple[str, str], ...]
    """Those of the absent fluents that would put something on a square, each with its name."""
    because: tuple[Reason, ...]
    """The reasons for this one that the encoding has sentences for, or all if it has none."""

    def with_other(self, other: Reason) -> Reason:
        """This reason together with one of the same text."""
        return replace(
            self,
            lines=tuple(dict.fromkeys((*self.lines, *other.lines))),
            facts=tuple(sorted({*self.facts, *other.facts})),
            absent=tuple(sorted({*self.absent, *other.absent})),
            empty=tuple(sorted({*self.empty, *other.empty})),
            because=merged((*self.because, *other.because)),
        )

    @property
    def text(self) -> str:
        """The sentence, or else what is the case."""
        return self.sentence or f"{self.condition} {'holds' if self.holds else 'does not hold'}"


@dataclass(frozen=True)
class Explanation:
    """Why something is so: each reason is needed, and together they suffice."""

    claim: str
    """What is explained, as people say it: ``d1-d9 is not legal for white``."""
    condition: str
    """Its atom: ``legal(white,move(4,1,4,9))``."""
    holds: bool
    never: bool
    """Whether it fails in every position, as far as can be seen from the rules."""
    reasons: tuple[Reason, ...]
    whole: bool = True
    """Whether the reasons' facts suffice by themselves, wherever they hold: nothing that isn't
    looked into, such as an aggregate, has a part in it."""

    @property
    def summary(self) -> str:
        """One line: the claim and the sentences of its reasons."""
        reasons = "; ".join(dict.fromkeys(reason.text for reason in self.reasons))
        return f"{self.claim}: {reasons}" if reasons else self.claim

    def __str__(self) -> str:
        """Over several lines: each reason with the rule that asks for it, and the facts."""
        end = ", whatever the position" if self.never else ""
        return "\n".join([f"{self.claim}{end}", *_lines(self.reasons, "  ")])


def merged(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """The reasons, those with the same text as one."""
    found: dict[str, Reason] = {}
    for reason in reasons:
        first = found.get(reason.text)
        found[reason.text] = first.with_other(reason) if first else reason
    return tuple(found.values())


def _lines(reasons: tuple[Reason, ...], indent: str) -> Iterator[str]:
    for reason in reasons:
        yield f"{indent}{reason.text}"
        for line in reason.lines:
            yield f"{indent}  {line.place}  {line.rule}"
        if not reason.because and (facts := [*reason.facts, *_missing(reason)]):
            yield f"{indent}  {'  '.join(facts)}"
        yield from _lines(reason.because, indent + "  ")


def _missing(reason: Reason) -> list[str]:
    """What doesn't hold: where no content of a square does, nothing is on it."""
    squares = dict(reason.empty)
    other = [f"not {fluent}" for fluent in reason.absent if fluent not in squares]
    names = " ".join(dict.fromkeys(squares[f] for f in reason.absent if f in squares))
    return other + ([f"nothing on {names}"] if names else [])
