"""The program at a terminal."""

import fcntl
import os
import pty
import re
import select
import subprocess
import termios
import time
from pathlib import Path

from cli_helpers import PROGRAM, TIMEOUT


class Terminal:
    """The program with standard error on a terminal, or if ``whole`` with all its streams."""

    def __init__(self, arguments: list[str], folder: Path, whole: bool = False) -> None:
        self._end, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [*PROGRAM, *arguments],
            cwd=folder,
            stdin=theirs if whole else None,
            stdout=theirs if whole else subprocess.PIPE,
            stderr=theirs,
            env=os.environ | {"TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", "COLUMNS": "80"},
            start_new_session=whole,
            # The source of Ctrl-C.
            preexec_fn=(lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0)) if whole else None,
        )
        os.close(theirs)
        self.shown = ""
        self._left = ""
        """The text read but not awaited yet, without escape sequences."""

    def wait_for(self, pattern: str) -> str:
        """Read until a text is shown; later output stays for the next call."""
        stop = time.monotonic() + TIMEOUT
        while not (found := re.search(pattern, self._left)):
            assert self._read(stop), self._left
        self._left = self._left[found.end() :]
        return found[0]

    def type(self, keys: str) -> None:
        os.write(self._end, keys.encode())

    def end(self) -> tuple[int, str]:
        """The exit code and standard output, after the program's end."""
        stop = time.monotonic() + TIMEOUT
        try:
            while self._read(stop):
                pass
            out, _ = self.process.communicate(timeout=TIMEOUT)
        finally:
            self.process.kill()
            os.close(self._end)
        return self.process.returncode, (out or b"").decode()

    def _read(self, stop: float) -> bool:
        ready, _, _ = select.select([self._end], [], [], max(0, stop - time.monotonic()))
        try:
            text = os.read(self._end, 10_000).decode() if ready else ""
        except OSError:  # the other end is closed
            return False
        self.shown += text
        self._left += re.sub(r"\[[0-9;?]*[A-Za-z]", "", text)
        return bool(text)
