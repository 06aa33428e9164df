"""A cross-check of many files of rules, such as the hand-ins of a class."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from ..game.game import Game
from ..game.loading import SentGame
from ..gdl.encoding import is_own_file
from ..runtime.arguments import counted
from ..runtime.budget import SECONDS
from ..runtime.errors import AspgamesError, BadRequest
from ..runtime.json_lines import JsonObject
from ..runtime.process_messages import time_limit, within
from ..runtime.workers.task_runner import Show
from ..runtime.workers.worker_pool import Workers
from .compare.comparison_walk import Plan
from .crosscheck_report import KINDS, result_report
from .crosscheck_run import Result, crosscheck
from .engines.rules_engine import RulesEngine

_MOST_MOVES = 3  # in a row
_LAST_SECONDS = 60.0  # seconds to reduce and explain a disagreement, after the time for comparing


@dataclass(frozen=True)
class HandIn:
    """A file of rules, compared, or with the reason why it can't be."""

    file: str
    agrees: bool
    """Whether something was compared, and no disagreement found."""
    texts: tuple[str, ...]
    """Its rows in a table: the smallest wrong position, and the rule."""
    report: JsonObject

    @classmethod
    def failed(cls, file: str, error: AspgamesError) -> "HandIn":
        """A file that can't be compared."""
        return cls(file, False, (str(error),), {"error": str(error)})


def hand_in_files(folder: Path) -> list[str]:
    """The files of rules in a folder, and in the folders in it, such as one for each student.

    Their paths from the folder, in order, without hidden ones. Raises ``BadRequest`` if there is
    none.
    """
    files = [
        str(file.relative_to(folder))
        for file in sorted(chain(folder.glob("*"), folder.glob("*/*")))
        if is_own_file(file.name) and not file.name.startswith(".") and not file.is_dir()
    ]
    if not files:
        raise BadRequest(f"there are no rules in {str(folder)!r}: files that end with .lp or .kif")
    return files


def check_hand_ins(
    game: Game, folder: Path, files: Sequence[str], plan: Plan, progress: Show
) -> Iterator[HandIn]:
    """Compare each file of rules in a folder with the rules of a game.

    The plan's time is for each file.

    Another process does it, which ends where a file's rules never end.
    """
    with time_limit(None), Workers(1) as pool:
        for file in files:
            progress(file)
            try:
                sent = SentGame.of(game)
                yield pool.submit(_check, sent, folder / file, file, plan, _LAST_SECONDS).result()
            except AspgamesError as error:
                yield HandIn.failed(file, error)


def _check(sent: SentGame, path: Path, file: str, plan: Plan, after: float) -> HandIn:
    game, engine = sent.load(), RulesEngine(str(path))
    try:
        with within(f"{file} can't be read", plan.seconds or SECONDS):
            engine.check(game)
        with time_limit(None if plan.seconds is None else plan.seconds + after):
            result = crosscheck(game, engine, plan)
    except AspgamesError as error:
        return HandIn.failed(file, error)
    agrees = bool(result.tally.positions and not result.findings)
    return HandIn(file, agrees, tuple(_texts(result, agrees)), {"result": result_report(result)})


def hand_ins_report(game: Game, found: Sequence[HandIn]) -> JsonObject:
    """The comparisons as JSON."""
    rows = [{"file": one.file, "agree": one.agrees} | one.report for one in found]
    return {"game": game.name, "const": dict(game.constants), "hand_ins": rows}


def _texts(result: Result, agrees: bool) -> Iterator[str]:
    if not result.findings:
        compared = counted(result.tally.positions, "position")
        yield f"agrees: {compared}" if agrees else "nothing was compared in time"
    for finding, view in zip(result.findings, result_report(result)["disagreements"], strict=True):
        moves = [
            f"{word} {', '.join(item['text'] for item in items[:_MOST_MOVES])}"
            for word, items in (("lacks", view["missing"]), ("has also", view["extra"]))
            if items and finding.shrunk.kind == "legal"
        ]
        played = f" after {' '.join(view['moves_text'])}" if view["moves_text"] else ""
        where = view["fen"] or " ".join(view["position"])
        rules = ", ".join(dict.fromkeys(rule["place"] for rule in view["decided_by"]))
        differs = "; ".join(moves) or f"differs in {KINDS[finding.shrunk.kind]}"
        yield f"{differs}: {where}{played}" + (f"  ({rules})" if rules else "")
