"""``aspgames judge``: whether puzzles are sound, and how good."""

from collections.abc import Iterator, Sequence
from typing import Any

from ..composer.judging import EFFORT, Judging
from ..runtime.errors import BadRequest
from ..runtime.json_lines import JsonObject, encode
from .exit_codes import BAD_INPUT, NO, UNDECIDED, YES, worst
from .files import input_name
from .output import print_answer, status_line
from .parameters import TIME
from .verb import ParameterGroup, argument, option, verb
from .work_options import WorkerOptions, resume_option, stoppable


class _JudgeOptions(ParameterGroup):
    puzzles: str = argument(metavar="FILE")
    seconds: float | None = TIME
    effort: int = option("--effort N", "Evaluations for each question about a puzzle.", EFFORT)
    resume: str | None = resume_option()


@verb(example="aspgames judge examples/puzzles/composed/breakthrough.jsonl")
def command(wanted: _JudgeOptions, workers: WorkerOptions, as_json: bool) -> int:
    """Judge puzzles: are they sound, and how good are they?

    The judgement lists keys, cooks and shorter solutions; duals of the main play; tries; natural
    moves that fail; moves that take a turn longer; replies by the turns they lose in; superfluous
    pieces, and the smallest form; difficulty and score.

    FILE ('-': standard input) has puzzles as 'aspgames solve --puzzles' reads them. --time is for
    each.

    Exit codes: 0 all are sound, 1 one isn't, 2 a line was bad, 3 one stayed undecided.
    """
    if wanted.effort < 1:
        raise BadRequest(f"--effort must be 1 or more, not {wanted.effort}")
    codes = set()
    judging = Judging(wanted.seconds, wanted.effort)
    with (
        workers.lines_of(wanted.puzzles) as stream,
        status_line() as show,
        stoppable(),
        workers.executor() as executor,
    ):
        found = workers.answers(stream, judging, executor, wanted.resume, show)
        for place, (_, _, puzzle) in enumerate(found, start=1):
            show("")
            codes.add(exit_code(puzzle))
            print_answer(puzzle, f"{place}: " + "\n".join(sentences(puzzle)), as_json)
    if not codes:
        raise BadRequest(f"there are no puzzles in {input_name(wanted.puzzles)}")
    return worst(codes)


def exit_code(puzzle: JsonObject) -> int:
    """The exit code for one puzzle."""
    if "error" in puzzle:
        return BAD_INPUT
    if puzzle["judged"]["verdict"] == "unknown":
        return UNDECIDED
    return YES if puzzle["judged"]["sound"] else NO


def _soundness(judged: JsonObject) -> str:
    if judged["sound"] or judged["verdict"] == "unknown":
        return "sound" if judged["sound"] else "undecided"
    if judged["shorter"] or (judged["distance"] is not None and not judged["keys"]):
        return "short"
    return "cooked" if judged["keys"] else "no solution"


def play_lines(judged: JsonObject) -> Iterator[str]:
    """The play after each key, the set play, and the tries with their refutations."""
    for play in judged["play"]:
        threats = play["threats"]
        about = "zugzwang" if play["variations"] and threats is not None else ""
        about = f"threat: 2.{' / '.join(threats)}" if threats else about
        yield f"1.{play['key']}  {about}".rstrip() if play["key"] else "set play:"
        yield from _variations(play["variations"], 1, threats or ())
    yield from (f"1.{each['move']}? {each['refutation']}!" for each in judged["tries"])


def _variations(variations: list[Any], turn: int, threats: Sequence[str] = ()) -> Iterator[str]:
    """The replies that prevent the threats, those with the same play after them in one line."""
    alike: dict[str, list[Any]] = {}
    for one in variations:
        if not set(one["answers"]).intersection(threats):
            alike.setdefault(encode([one["answers"], one["then"]]), []).append(one)
    for same in alike.values():
        answers = " / ".join(same[0]["answers"])
        dual = " (dual)" * (len(same[0]["answers"]) > 1)
        replies = ", ".join(one["reply"] for one in same)
        yield f"{'  ' * turn}{turn}...{replies}" + f"  {turn + 1}.{answers}{dual}" * bool(answers)
        yield from _variations(same[0]["then"], turn + 1)


def sentences(puzzle: JsonObject) -> Iterator[str]:
    """A judgement in words: a line for the puzzle, then a line for each remark."""
    if "error" in puzzle:
        yield puzzle["error"]
        return
    judged = puzzle["judged"]
    turns = "" if judged["distance"] is None else f" in {judged['distance']}"
    verdict = judged["verdict"].replace("_", " ")
    what = f"{puzzle['game']}, {puzzle['attacker']} {puzzle['goal']}"
    yield f"{_soundness(judged)}: {what}, {verdict}{turns}"
    remarks = {
        "key": judged["keys_text"][:1] if judged["sound"] else (),
        "keys": judged["keys_text"] if not judged["sound"] else (),
        "cooks": judged["cooks"],
        "shorter than": [str(puzzle.get("within"))] if judged["shorter"] else (),
        "main play": [" ".join(judged["line_text"])] if judged["line_text"] else (),
        "duals": [
            f"{', '.join(dual['moves'])} ({dual['turns']} to go)" for dual in judged["duals"][:5]
        ],
        "natural": judged["natural"],
        "slower": judged["slower"],
        "replies": [f"{number} in {t}" for t, number in judged["variations"].items()],
        "superfluous": judged["superfluous"],
        "smallest": [judged["smallest"]] if judged["smallest"] else (),
    }
    for name, values in remarks.items():
        if values:
            yield f"    {name}: {'; '.join(values)}"
    yield from (f"    {line}" for line in play_lines(judged))
    if judged["keys"]:
        yield f"    difficulty {judged['difficulty']:.1f}, score {judged['score']:.1f}"
