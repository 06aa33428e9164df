"""The program's exit codes, and the error message that goes with one."""

from __future__ import annotations

from contextlib import suppress

from ..runtime.errors import one_line

YES, NO, BAD_INPUT, UNDECIDED, FAILED = 0, 1, 2, 3, 4
DEFECT, INTERRUPTED = 70, 130
UNREAD = 141
"""Nobody reads the output any more: a shell's code for a program that SIGPIPE has ended."""


def fail(message: str, code: int) -> int:
    """Print on standard error why the program ends; returns the exit code."""
    import click  # removes control characters where this is no terminal

    with suppress(OSError):
        click.echo(f"aspgames: {one_line(message)}", err=True)
    return code
