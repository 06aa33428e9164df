"""What the program's exit codes mean."""

from __future__ import annotations

YES, NO, BAD_INPUT, UNDECIDED, FAILED, DEFECT, INTERRUPTED = 0, 1, 2, 3, 4, 70, 130
