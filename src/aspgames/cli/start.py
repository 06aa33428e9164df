"""The start of the program: its signals, its errors and its exit code."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
from types import FrameType
from typing import Any

from .._version import __version__
from ..runtime.budget import interrupt, unbroken
from ..runtime.errors import Interrupted
from ..runtime.process_messages import tell
from .exit_codes import INTERRUPTED, YES

_CALLED_BY_CLINGO = ("pyclingo_", "_pyclingo_")
"""Functions in which an exception ends the process, because clingo is written in C++."""
_COLLECTION_OBJECTS = 20_000  # new objects between two garbage collections; by default 700


def start(arguments: list[str] | None) -> None:
    """Run the command line, or end at once if only the version is asked for."""
    gc.set_threshold(_COLLECTION_OBJECTS)
    sys.unraisablehook = _report_unraisable
    if sys.stdout is None:  # closed: output must fail, and not be lost
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    try:
        if (sys.argv[1:] if arguments is None else arguments) == ["--version"]:
            _print_version()
        from .program import run  # here, because it imports click

        code = run(arguments, supervised=arguments is None)
        _on_ctrl_c(signal.SIG_IGN)  # the work is done
    except Interrupted as error:
        _on_ctrl_c(signal.SIG_IGN)
        code = INTERRUPTED
        if sys.stderr is not None:
            print(
                "; ".join(["aspgames: interrupted", *getattr(error, "__notes__", ())]),
                file=sys.stderr,
            )
    code = code or YES
    tell(over=code)
    gc.freeze()  # Python's last collection would look at all objects of clingo
    sys.exit(code)


def begin_work() -> None:
    """From now on, Ctrl-C raises ``Interrupted``, so that the work can keep what it has."""
    _on_ctrl_c(_interrupted)


def _on_ctrl_c(handler: Any) -> None:
    with contextlib.suppress(ValueError):  # not the main thread: it has no signals to handle
        signal.signal(signal.SIGINT, handler)


def _interrupted(_number: int, frame: FrameType | None) -> None:
    tell(heard=True)
    while frame and not frame.f_code.co_name.startswith(_CALLED_BY_CLINGO):
        frame = frame.f_back
    with unbroken() if frame else contextlib.nullcontext():
        interrupt()


def _print_version() -> None:
    """Print the version as click would. click's import takes longer than all the rest."""
    with contextlib.suppress(OSError):  # click prints the error
        print(f"aspgames {__version__}", flush=True)
        sys.exit(YES)


def _report_unraisable(lost: sys.UnraisableHookArgs) -> None:
    """Ignore a Ctrl-C within a destructor: it is not lost (see ``interrupt``)."""
    if not isinstance(lost.exc_value, Interrupted):
        sys.__unraisablehook__(lost)
