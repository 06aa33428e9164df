"""Tasks for tests of workers: other processes import them from here."""

import os
import random
import signal
import subprocess
import time
from pathlib import Path

from aspgames.runtime.errors import BadPosition
from aspgames.runtime.process_messages import tell


def late(task: int) -> int:
    """Return the number after a varying delay."""
    time.sleep(random.Random(task).random() / 20)
    return task


def noted(task: tuple[str, int]) -> int:
    """Return the number, and note the call in a file in the folder."""
    folder, number = task
    with open(Path(folder, str(number)), "a") as file:
        file.write(f"{os.getpid()}\n")
    time.sleep(0.02)
    return number


def dies_at_first(task: tuple[str, int]) -> int:
    """Like ``noted``, but number 3 kills its process at the first attempt."""
    number = noted(task)
    if number == 3 and len(Path(task[0], "3").read_text().splitlines()) == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def dies(task: tuple[str, int]) -> int:
    """Like ``noted``, but number 3 kills its process each time."""
    if noted(task) == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return task[1]


def crashes(task: tuple[str, int]) -> int:
    """Like ``noted``, but the process of number 3 dies like after a division by zero."""
    if noted(task) == 3:
        os.kill(os.getpid(), signal.SIGFPE)
    return task[1]


def grows(task: tuple[str, int]) -> int:
    """Like ``noted``, but number 3 takes all memory."""
    taken = []
    while noted(task) == 3:
        taken.append(b"x" * (50 << 20))
    return task[1]


def takes_long(task: tuple[str, int]) -> int:
    """Like ``noted``, but number 3 exceeds the time that it announces."""
    tell(seconds=0.1)
    if noted(task) == 3:
        time.sleep(1000)
    tell(seconds=None)
    return task[1]


def refuses(task: tuple[str, int]) -> int:
    """Like ``noted``, but number 3 is refused."""
    if noted(task) == 3:
        raise BadPosition("three is too many")
    return task[1]


def prints(text: str) -> str:
    """Print the text and return it."""
    print(text, flush=True)
    os.system("echo from another process")
    return text


def starts_another(folder: str) -> None:
    """Start a long-running process, note its id, and kill the own process."""
    process = subprocess.Popen(["sleep", "1000"], start_new_session=True)
    tell(started=process.pid)
    Path(folder, str(process.pid)).touch()
    os.kill(os.getpid(), signal.SIGKILL)
