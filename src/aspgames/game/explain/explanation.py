"""Explanations and their reasons, also as text."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from ...gdl.rulebook import RuleLine

_SHOWN_REASONS = (5, 3, 3)
"""The most reasons in a text, for a claim, for a reason, and for a reason's reason."""


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
    value: str = ""
    """The values of its aggregate or variables: ``it is 2``, ``H is 2``; empty if it has none."""
    sentence: str = ""
    """The encoding's sentence; empty if it has none."""
    lines: tuple[RuleLine, ...] = ()
    """The rules with this condition."""
    facts: tuple[str, ...] = ()
    """The state's fluents that decide the condition, sorted."""
    absent: tuple[str, ...] = ()
    """Absent fluents that decide the condition, sorted. If another fluent takes the place of one,
    as on a square, that fluent is among the facts instead."""
    empty: tuple[tuple[str, str], ...] = ()
    """The absent fluents that would place a piece on an empty square, each with its name."""
    instead: tuple[tuple[str, str], ...] = ()
    """The absent fluents whose place another fluent takes that doesn't exclude them."""
    because: "tuple[Reason, ...]" = ()
    """The reasons for this one: those with sentences, or all if this one has no sentence."""

    def with_other(self, other: "Reason") -> "Reason":
        """This reason merged with one of the same text."""
        return replace(
            self,
            lines=tuple(dict.fromkeys((*self.lines, *other.lines))),
            facts=tuple(sorted({*self.facts, *other.facts})),
            absent=tuple(sorted({*self.absent, *other.absent})),
            empty=tuple(sorted({*self.empty, *other.empty})),
            instead=tuple(sorted({*self.instead, *other.instead})),
            because=merged((*self.because, *other.because)),
        )

    @property
    def text(self) -> str:
        """The sentence, or else the condition and whether it holds."""
        end = f": {self.value}" if self.value else ""
        return (
            self.sentence or f"{self.condition} {'holds' if self.holds else 'does not hold'}{end}"
        )

    @property
    def told(self) -> str:
        """The text, with the sentences of its own reasons."""
        alike = [r.because if r.text == self.text else (r,) for r in self.because]
        deeper = [reason.text for reason in chain.from_iterable(alike) if reason.sentence]
        return f"{self.text}: {_first(deeper, ', ')}" if deeper else self.text

    @property
    def rests_on(self) -> list[str]:
        """The facts and absent fluents as text, what stands in the place of one in brackets."""
        instead, squares = dict(self.instead), dict(self.empty)
        absent = [f for f in self.absent if f not in squares and instead.get(f) not in self.facts]
        other = [f"not {f} (but {instead[f]})" if f in instead else f"not {f}" for f in absent]
        free = dict.fromkeys(squares.values())
        names = f"nothing on {_first(list(free), ' ')}"
        return [*self.facts, *other, *([names] if free else [])]

    @property
    def brief(self) -> str:
        """The text; without a sentence, also what the reason rests on."""
        itself = self.condition in (f"true({fluent})" for fluent in (*self.facts, *self.absent))
        if self.sentence or (itself and not self.instead):
            return self.text
        facts = [fact for _, fact in self.instead] if itself else self.rests_on
        return f"{self.text}: {_first(facts, ', ')}" if facts else self.text


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
        """The claim and its first five reasons on one line."""
        reasons = _first([reason.brief for reason in _ranked(self.reasons)], "; ")
        return f"{self.claim}: {reasons}" if reasons else self.claim

    @property
    def told(self) -> str:
        """The reasons on one line, with the sentences of their own reasons."""
        return "; ".join(dict.fromkeys(reason.told for reason in self.reasons))

    def __str__(self) -> str:
        """Over several lines: the first reasons, each with its rules and facts."""
        end = ", whatever the position" if self.never else ""
        return "\n".join([f"{self.claim}{end}", *_lines(self.reasons, "  ", _SHOWN_REASONS, set())])


def merged(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """The reasons, those with the same text as one."""
    found: dict[str, Reason] = {}
    for reason in reasons:
        first = found.get(reason.text)
        found[reason.text] = first.with_other(reason) if first else reason
    return tuple(found.values())


def _ranked(reasons: Iterable[Reason]) -> list[Reason]:
    """Sentences first, then what stands somewhere, then what doesn't."""
    return sorted(
        reasons, key=lambda r: (not r.sentence, not (r.facts or r.instead), len(r.absent))
    )


def _first(texts: Sequence[str], mark: str) -> str:
    """The first of some texts, and the number of the others."""
    shown, more = texts[: _SHOWN_REASONS[0]], len(texts) - _SHOWN_REASONS[0]
    return mark.join([*shown, f"and {more} more"] if more > 0 else shown)


def _lines(
    reasons: Iterable[Reason], indent: str, shown: Sequence[int], seen: set[RuleLine]
) -> Iterator[str]:
    """The reasons over several lines; ``shown`` has the most of each level, ``seen`` the rules."""
    ranked = _ranked(reasons)
    for reason in ranked[: shown[0]]:
        yield f"{indent}{reason.text}"
        for line in reason.lines:
            yield f"{indent}  {line.place}" + (f"  {line.rule}" if line not in seen else "")
            seen.add(line)
        because = reason.because if len(shown) > 1 else ()
        if not because and (facts := reason.rests_on):
            yield f"{indent}  {_first(facts, '  ')}"
        if because:
            yield from _lines(because, indent + "  ", shown[1:], seen)
    if len(ranked) > shown[0]:
        yield f"{indent}and {len(ranked) - shown[0]} more"
