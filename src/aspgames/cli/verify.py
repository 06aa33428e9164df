"""``aspgames verify``: certificates of puzzles."""

from concurrent.futures import Future

from ..puzzle.certificates import CertificateTask, check, check_stream
from ..puzzle.proof.claim import MOST_BYTES
from ..puzzle.proof.stream import MAGIC
from ..runtime.budget import UNLIMITED, Budget
from ..runtime.errors import AspgamesError, BadRequest, ExecutorFailed, LimitReached, one_line
from ..runtime.json_lines import JsonObject, error_report
from ..runtime.process_messages import tell
from ..runtime.workers.task_runner import Progress, TaskRunner
from .exit_codes import BAD_INPUT, NO, UNDECIDED, YES, worst
from .files import input_name, opened, read_text
from .output import print_answer, status_line
from .parameters import TIME
from .verb import ParameterGroup, argument, option, verb
from .work_options import WorkerOptions, resume_option


class _VerifyOptions(ParameterGroup):
    files: tuple[str, ...] = argument(metavar="FILE...", nargs=-1, required=True)
    rules: str | None = option(
        "--rules GAME", "The game, where the certificate names rules in another place."
    )
    resume: str | None = resume_option()
    seconds: float | None = TIME


@verb(
    example='aspgames solve breakthrough "8/3P4/8/8/8/8/p7/8 w" --attacker white --goal win '
    "--within 3 --certificate proof.json && aspgames verify proof.json"
)
def command(wanted: _VerifyOptions, workers: WorkerOptions, as_json: bool) -> int:
    """Check certificates of puzzles with clingo alone.

    The checker plays each move of a certificate. All replies must be in it, and a plan must hold
    against all replies. FILE '-' is standard input. Several files get one line each, in order;
    --time then limits each file. A single streamed certificate (.gz) is checked in parts, which
    --workers shares.

    Exit codes: 0 proved, 1 rejected (with the reason), 2 bad input, 3 undecided within the limits,
    130 interrupted. With several files: 2 if one was bad, else 1 if one was rejected, else 3 if one
    stayed undecided, else 0.
    """
    files, rules, seconds = wanted.files, wanted.rules, wanted.seconds
    if files.count("-") > 1:
        raise BadRequest("standard input is one certificate")
    if len(files) == 1 and _is_stream(files[0]):
        return _verify_stream(wanted, workers, as_json)
    with status_line() as show, workers.way(wanted.resume, "certificates", show, UNLIMITED) as way:
        if way is None and len(files) == 1:
            found = check(
                CertificateTask(*_text(files[0]), rules, seconds),
                lambda edges, plans: show(f"{edges:,} edges, {plans:,} plans"),
            )
            return _tell_one(*found, as_json)
        tell(seconds=None)  # the limit applies to each certificate
        if way is not None and way.progress:
            way.progress.total = len(files)
        codes = set()
        tasks = (_task(name, rules, seconds) for name in files)
        for name, future in zip(files, (way or TaskRunner()).map(check, tasks), strict=True):
            show("")
            codes.add(_tell(name, future, as_json))
        return worst(codes)


def _is_stream(name: str) -> bool:
    if name == "-":
        return False
    with opened(name, "rb") as file:
        return bool(file.read(len(MAGIC)) == MAGIC)


def _verify_stream(wanted: _VerifyOptions, workers: WorkerOptions, as_json: bool) -> int:
    """Check one streamed certificate, in parts."""
    budget, what = Budget(wanted.seconds), "parts of the certificate"
    with (
        opened(wanted.files[0], "rb") as file,
        status_line() as show,
        workers.way(wanted.resume, what, show, budget) as way,
    ):
        runner = way or TaskRunner(progress=Progress(what), show=show)
        return _tell_one(*check_stream(file, wanted.rules, budget, runner), as_json)


def _task(name: str, rules: str | None, seconds: float | None) -> CertificateTask:
    try:
        return CertificateTask.to_send(*_text(name), rules, seconds)
    except AspgamesError as error:
        return CertificateTask(name, "", rules, seconds, error=error)


def _text(name: str) -> tuple[str, str]:
    if _is_stream(name):
        raise BadRequest(f"{name} is a streamed certificate: verify each of them alone")
    return input_name(name), read_text(name, MOST_BYTES)


def _tell(name: str, future: Future[tuple[JsonObject, str]], as_json: bool) -> int:
    """Print the result for a file, or the error; returns the exit code."""
    try:
        report, sentence = future.result()
    except ExecutorFailed:
        raise
    except AspgamesError as error:
        text = one_line(str(error))
        text = text if text.startswith(name) else f"{name}: {text}"
        print_answer({"file": name} | error_report(error), text, as_json)
        return UNDECIDED if isinstance(error, LimitReached) else BAD_INPUT
    return _tell_one({"file": name} | report, f"{name}: {sentence}", as_json)


def _tell_one(report: JsonObject, sentence: str, as_json: bool) -> int:
    print_answer(report, sentence, as_json)
    return YES if report["verified"] else NO
