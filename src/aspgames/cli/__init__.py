"""The command line: one small module a verb."""

from __future__ import annotations

import contextlib
import signal
import sys

from ..budget import interrupt
from ..errors import Interrupted
from .exit_codes import INTERRUPTED, YES


def main(arguments: list[str] | None = None) -> None:
    """Run a command line and exit with its code; whatever goes wrong is told in one line."""
    with contextlib.suppress(ValueError):  # not the main thread: there are no signals to handle
        signal.signal(signal.SIGINT, lambda *_: interrupt())
    sys.unraisablehook = _report_unraisable
    try:
        from .program import run  # here, where Ctrl-C during the imports is understood, too

        code = run(arguments)
    except Interrupted:
        code = INTERRUPTED
        if sys.stderr is not None:
            print("aspgames: interrupted", file=sys.stderr)
    sys.exit(code or YES)


def _report_unraisable(lost: sys.UnraisableHookArgs) -> None:
    """Say nothing of a Ctrl-C that came within a destructor: it is not lost (see ``interrupt``)."""
    if not isinstance(lost.exc_value, Interrupted):
        sys.__unraisablehook__(lost)
