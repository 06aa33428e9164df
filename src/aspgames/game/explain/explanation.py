"""Explanations and their reasons, also as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ...gdl.rulebook import RuleLine


@dataclass(frozen=True)
class Reason:
    """A condition that holds or fails, and so decides the claim.

    >>> import aspgames
    >>> reason = aspgames.load("breakthrough").initial.why("a4-a5").reasons[0]
    >>> reason.text, reason.holds
    ('no white piece stands on a4', False)
    """

    condition: str
    """The condition's atom: ``empty(5,7)``."""
    holds: bool
    sentence: str
    """The encoding's sentence; empty if it has none."""
    lines: tuple[RuleLine, ...]
    """The rules with this condition."""
    facts: tuple[str, ...]
    """The state's fluents that decide the condition, sorted."""
    absent: tuple[str, ...]
    """Absent fluents that decide the condition, sorted. If another fluent takes the place of one,
    as on a square, that fluent is among the facts instead."""
    empty: tuple[tuple[str, str], ...]
    """The absent fluents that would place a piece, each with the square's name."""
    because: tuple[Reason, ...]
    """The reasons for this one: those with sentences, or all if this one has no sentence."""

    def with_other(self, other: Reason) -> Reason:
        """This reason merged with one of the same text."""
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
        """The sentence, or else the condition and whether it holds."""
        return self.sentence or f"{self.condition} {'holds' if self.holds else 'does not hold'}"


@dataclass(frozen=True)
class Explanation:
    """Why a claim is true: each reason is needed, and together they suffice.

    >>> import aspgames
    >>> explanation = aspgames.load("breakthrough").initial.why("a4-a5")
    >>> explanation.holds, explanation.summary
    (False, 'a4-a5 is not legal for white: no white piece stands on a4')
    """

    claim: str
    """The explained claim: ``d1-d9 is not legal for white``."""
    condition: str
    """Its atom: ``legal(white,move(4,1,4,9))``."""
    holds: bool
    never: bool
    """Whether the rules show that it fails in every position."""
    reasons: tuple[Reason, ...]
    whole: bool = True
    """Whether the reasons' facts suffice wherever they hold: no opaque condition, such as an
    aggregate, takes part."""

    @property
    def summary(self) -> str:
        """The claim and its reasons on one line."""
        reasons = "; ".join(dict.fromkeys(reason.text for reason in self.reasons))
        return f"{self.claim}: {reasons}" if reasons else self.claim

    def __str__(self) -> str:
        """Over several lines: each reason with its rules and facts."""
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
    """The absent fluents; those of an empty square as ``nothing on a4``."""
    squares = dict(reason.empty)
    other = [f"not {fluent}" for fluent in reason.absent if fluent not in squares]
    names = " ".join(dict.fromkeys(squares[f] for f in reason.absent if f in squares))
    return other + ([f"nothing on {names}"] if names else [])
