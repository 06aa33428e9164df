"""A cross-check of many files of rules, such as the hand-ins of a class."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..game.game import Game
from ..gdl.encoding import OWN
from ..runtime.arguments import counted
from ..runtime.errors import AspgamesError, BadRequest, Interrupted
from ..runtime.json_lines import JsonObject
from ..runtime.process_messages import time_limit
from .compare.comparison_walk import Plan
from .crosscheck_report import KINDS, result_report
from .crosscheck_run import Result, Show, crosscheck
from .engines.rules_engine import RulesEngine

_MOST_MOVES = 3  # in a row
_AFTER = 60.0  # seconds to reduce and explain a disagreement, after the time for comparing


@dataclass(frozen=True)
class HandIn:
    """A file of rules, with the result of its comparison or the reason why there is none."""

    file: str
    result: Result | None
    error: str = ""

    @property
    def agrees(self) -> bool:
        """Whether something was compared, and no disagreement found."""
        found = self.result
        return bool(found and found.tally.positions and not found.findings)


def hand_in_files(folder: Path) -> list[Path]:
    """The files of rules in a folder, in the order of names. Raises ``BadRequest`` if none."""
    files = sorted(f for f in folder.iterdir() if f.name.endswith(OWN) and f.is_file())
    if not files:
        raise BadRequest(f"there are no rules in {str(folder)!r}: files that end with .lp or .kif")
    return files


def check_hand_ins(
    game: Game, files: Sequence[Path], plan: Plan, progress: Show
) -> Iterator[HandIn]:
    """Compare each file of rules with the rules of a game. The plan's time is for each file."""
    for file in files:
        engine = RulesEngine(str(file))
        try:
            with time_limit(None if plan.seconds is None else plan.seconds + _AFTER):
                engine.check(game)
                progress(file.name)
                result = crosscheck(game, engine, plan)
        except AspgamesError as error:
            yield HandIn(file.name, None, str(error))
            continue
        yield HandIn(file.name, result)
        if result.interrupted:
            raise Interrupted


def hand_ins_report(game: Game, found: Sequence[HandIn]) -> JsonObject:
    """The comparisons as JSON."""
    rows = [
        {"file": one.file, "agree": one.agrees}
        | ({"error": one.error} if one.result is None else {"result": result_report(one.result)})
        for one in found
    ]
    return {"game": game.name, "const": dict(game.constants), "hand_ins": rows}


def hand_in_text(one: HandIn, width: int) -> str:
    """Rows of a table, whose first column is so wide: the smallest wrong position, and the rule."""
    return "\n".join(f"{one.file:{width}}  {text}" for text in _texts(one))


def hand_ins_summary(found: Sequence[HandIn], files: int) -> str:
    """The last line of the table of so many files."""
    right = sum(one.agrees for one in found)
    return f"{right} of {counted(files, 'file')} agree with the rules"


def _texts(one: HandIn) -> Iterator[str]:
    if one.result is None:
        yield one.error
        return
    if not one.result.findings:
        compared = counted(one.result.tally.positions, "position")
        yield f"agrees: {compared}" if one.agrees else "nothing was compared in time"
    for finding, told in zip(
        one.result.findings, result_report(one.result)["disagreements"], strict=True
    ):
        moves = [
            f"{word} {', '.join(item['text'] for item in items[:_MOST_MOVES])}"
            for word, items in (("lacks", told["missing"]), ("has also", told["extra"]))
            if items and finding.shrunk.kind == "legal"
        ]
        played = f" after {' '.join(told['moves_text'])}" if told["moves_text"] else ""
        where = told["fen"] or " ".join(told["position"])
        rules = ", ".join(dict.fromkeys(rule["place"] for rule in told["decided_by"]))
        differs = "; ".join(moves) or f"differs in {KINDS[finding.shrunk.kind]}"
        yield f"{differs}: {where}{played}" + (f"  ({rules})" if rules else "")
