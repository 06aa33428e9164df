"""The report on a game: findings, each proved or only sampled, and a summary."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from urllib.parse import quote

from .._version import __version__
from ..runtime.json_lines import JsonObject

ERROR, WARNING, NOTE = "error", "warning", "note"
"""``error``: not a game, or unplayable; ``warning``: likely a mistake; ``note``: good to know."""


@dataclass(frozen=True)
class Witness:
    """A position that shows an error, and the moves to it."""

    moves: tuple[Mapping[str, str], ...]
    """The joint moves from the start to the position: roles and terms."""
    facts: tuple[str, ...]
    fen: str | None


@dataclass(frozen=True)
class Finding:
    """One finding."""

    kind: str
    """Its kind, a word that is stable between versions: see ``docs/check.md``."""
    severity: str
    """``error``, ``warning`` or ``note``."""
    sentence: str
    proved: bool = True
    """Whether it is proved; else random games show it."""
    file: str | None = None
    line: int | None = None
    games: int | None = None
    """The number of random games, if it is sampled."""
    states: int | None = None
    """The number of states in these games."""
    witness: Witness | None = None
    column: int | None = None
    """The column, for a syntax error."""


@dataclass
class Report:
    """All findings about a game, and a summary."""

    game: str
    """The game's name."""
    const: Mapping[str, int | str] = field(default_factory=dict)
    """Every constant with its value."""
    findings: list[Finding] = field(default_factory=list)
    """Errors first, then warnings and notes."""
    proved: list[str] = field(default_factory=list)
    """The proved properties, in sentences."""
    sampled: list[str] = field(default_factory=list)
    """The properties that held in all random games."""
    not_looked_at: list[str] = field(default_factory=list)
    """The checks left out, and why."""
    bound: int | None = None
    """The plies within which play always ends; None without a proof."""
    games: int = 0
    """The number of random games that ended."""
    states: int = 0
    """The number of states in random games."""
    longest: int = 0
    """The plies of the longest random game."""

    @property
    def verdict(self) -> str:
        """``no_game`` after an error, ``game`` if there is none, else ``unknown``.

        ``unknown`` means that no random game ended within the limits, and that there is no proof
        that play ends.
        """
        if any(finding.severity == ERROR for finding in self.findings):
            return "no_game"
        return "game" if self.games or self.bound is not None else "unknown"

    def sort(self) -> None:
        """Put errors first."""
        self.findings.sort(key=lambda finding: (ERROR, WARNING, NOTE).index(finding.severity))


def check_report(report: Report) -> JsonObject:
    """The report as a JSON object."""
    first = {"game": report.game, "const": report.const, "verdict": report.verdict}
    return first | asdict(report)


def sarif_report(report: Report, folder: Path) -> JsonObject:
    """The findings in SARIF 2.1.0, the format that editors and code hosts read.

    ``folder`` is the folder of the game's file; the paths of other files are their names.
    """

    def place(finding: Finding) -> list[JsonObject]:
        if not finding.file:
            return []
        path = folder / finding.file
        uri = quote((path if path.is_file() else Path(finding.file)).as_posix())
        found: JsonObject = {"artifactLocation": {"uri": uri}}
        if finding.line:
            column = {"startColumn": finding.column} if finding.column else {}
            found["region"] = {"startLine": finding.line, **column}
        return [{"physicalLocation": found}]

    results = [
        {
            "ruleId": finding.kind,
            "level": finding.severity,
            "message": {"text": finding.sentence},
            "locations": place(finding),
        }
        for finding in report.findings
    ]
    rules = [{"id": kind} for kind in sorted({finding.kind for finding in report.findings})]
    driver = {"name": "aspgames", "version": __version__, "rules": rules}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }
