"""The program's exit codes, and error messages with exit codes."""

YES, NO, BAD_INPUT, UNDECIDED, FAILED = 0, 1, 2, 3, 4
DEFECT, INTERRUPTED = 70, 130
UNREAD = 141
"""The reader of the output is gone: a shell's code for a program that SIGPIPE ended."""


def fail(message: str, code: int) -> int:
    """Print an error on standard error; returns the exit code."""
    from .text_style import ERROR, print_message  # loaded only if necessary

    print_message(message, ERROR)
    return code
