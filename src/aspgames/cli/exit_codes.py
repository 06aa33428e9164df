"""The program's exit codes, and error messages with exit codes."""

from collections.abc import Collection

YES, NO, BAD_INPUT, UNDECIDED, FAILED = 0, 1, 2, 3, 4
"""``UNDECIDED`` is also the code of work that was ended from elsewhere (SIGKILL)."""
DEFECT, INTERRUPTED = 70, 130
UNREAD = 141
"""The reader of the output is gone: a shell's code for a program that SIGPIPE ended."""


def worst(codes: Collection[int]) -> int:
    """The exit code for several things: bad input before no, undecided and yes."""
    return next(code for code in (BAD_INPUT, NO, UNDECIDED, YES) if code in codes)


def fail(message: str, code: int) -> int:
    """Print an error on standard error; returns the exit code."""
    from .text_style import ERROR, print_message  # loaded only if necessary

    print_message(message, ERROR)
    return code
