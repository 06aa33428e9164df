"""What the program's exit codes mean."""

from __future__ import annotations

YES, NO, BAD_INPUT, UNDECIDED, FAILED = 0, 1, 2, 3, 4
DEFECT, INTERRUPTED = 70, 130
UNREAD = 141
"""Nobody reads the output any more: what a shell says of a program that SIGPIPE has ended."""
