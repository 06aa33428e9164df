"""Temporary folders and files that the next run removes or replaces if this process is killed."""

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import IO

_PREFIX = "aspgames-"
_LOCK = "lock"


class TemporaryFolder(TemporaryDirectory[str]):
    """A temporary folder, with a file that is locked as long as this process runs.

    Making one removes the folders that this user's killed processes have left.
    """

    def __init__(self) -> None:
        for folder in Path(gettempdir()).glob(f"{_PREFIX}*"):
            with suppress(OSError):  # another process removes it, or works in it
                _sweep(folder)
        super().__init__(prefix=_PREFIX)
        begun = Path(self.name, "unlocked")
        self._locked = lock(begun)
        begun.rename(begun.with_name(_LOCK))

    def cleanup(self) -> None:
        """Remove the folder."""
        super().cleanup()
        if self._locked:
            self._locked.close()


@contextmanager
def unfinished(target: Path) -> Iterator[Path]:
    """A file beside ``target`` for its new content, which the caller then renames.

    Only one process at a time has it. An exception removes it.
    """
    part = target.with_name(f".{target.name}.part")
    with lock(part) or nullcontext():
        try:
            yield part
        except BaseException:
            part.unlink(missing_ok=True)
            raise


def lock(path: Path) -> IO[str] | None:
    """A file, made if necessary and locked until it is closed or this process ends.

    Raises ``OSError`` if another process has locked it. Returns None on Windows, without locks.
    """
    try:
        import fcntl
    except ImportError:
        return None
    file = path.open("a")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        if isinstance(error, BlockingIOError):
            error.strerror = "another process is writing it"
        raise
    return file


def _sweep(folder: Path) -> None:
    """Remove a folder whose process is dead."""
    about = folder.lstat()
    if not stat.S_ISDIR(about.st_mode) or not hasattr(os, "getuid") or about.st_uid != os.getuid():
        return
    if (folder / _LOCK).is_file() and (locked := lock(folder / _LOCK)):
        with locked:
            shutil.rmtree(folder)
