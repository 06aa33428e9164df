"""A grounder that ends its process by a signal where a program derives ``fatal``.

Python imports this module when it starts, if this folder is in ``PYTHONPATH``: the switch by which
tests see what becomes of a crash of clingo. No input that really crashes it is kept here.
"""

import os
import signal
from typing import Any

import clingo

_ground = clingo.Control.ground


def _ground_or_die(control: clingo.Control, *arguments: Any, **named: Any) -> None:
    _ground(control, *arguments, **named)
    if any(control.symbolic_atoms.by_signature("fatal", 0)):
        os.kill(os.getpid(), signal.SIGFPE)


clingo.Control.ground = _ground_or_die  # type: ignore[method-assign, assignment]
