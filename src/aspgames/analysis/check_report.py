"""What was found out about a game: findings, each proved or only sampled, and a summary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from ..runtime.json_lines import JsonObject

ERROR, WARNING, NOTE = "error", "warning", "note"
"""It is no game, or can't be played properly; likely a mistake; good to know."""


@dataclass(frozen=True)
class Witness:
    """A position that shows what is wrong, and how play comes to it."""

    moves: tuple[Mapping[str, str], ...]
    """The joint moves that lead there from the start: roles and terms."""
    facts: tuple[str, ...]
    fen: str | None


@dataclass(frozen=True)
class Finding:
    """Something that was found."""

    kind: str
    """What it is, in a word that stays the same: see ``docs/check.md``."""
    severity: str
    """``error``, ``warning`` or ``note``."""
    sentence: str
    proved: bool = True
    """Whether it is so for certain; else it is what random games showed."""
    file: str | None = None
    line: int | None = None
    games: int | None = None
    """In how many random games it was looked for, if it is sampled."""
    states: int | None = None
    """In how many of their states."""
    witness: Witness | None = None
    column: int | None = None
    """Where in the line, if it can't be read."""


@dataclass
class Report:
    """All that was found out about a game."""

    game: str
    """Its name."""
    const: Mapping[str, int | str] = field(default_factory=dict)
    """Every constant with the value in force."""
    findings: list[Finding] = field(default_factory=list)
    """Errors first, then warnings and notes."""
    proved: list[str] = field(default_factory=list)
    """What holds for certain, in sentences."""
    sampled: list[str] = field(default_factory=list)
    """What held in the random games that were played."""
    not_looked_at: list[str] = field(default_factory=list)
    """What was left out, and why."""
    games: int = 0
    """Random games that were played to their ends."""
    states: int = 0
    """States met in random games."""
    longest: int = 0
    """Plies of the longest random game."""
    bound: int | None = None
    """The plies within which play ends, whatever is played; None if that wasn't proved."""

    @property
    def verdict(self) -> str:
        """``no_game`` if there is an error, ``game`` if none was found, else ``unknown``.

        Nothing is known where no game was played to its end within the limits, and none must end.
        """
        if any(finding.severity == ERROR for finding in self.findings):
            return "no_game"
        return "game" if self.games or self.bound is not None else "unknown"

    def sort(self) -> None:
        """Put errors first."""
        self.findings.sort(key=lambda finding: (ERROR, WARNING, NOTE).index(finding.severity))


def check_report(report: Report) -> JsonObject:
    """What was found out about a game."""
    return {
        "game": report.game,
        "const": dict(report.const),
        "verdict": report.verdict,
        "findings": [asdict(finding) for finding in report.findings],
        "proved": report.proved,
        "sampled": report.sampled,
        "not_looked_at": report.not_looked_at,
        "bound": report.bound,
        "games": report.games,
        "states": report.states,
        "longest": report.longest,
    }
