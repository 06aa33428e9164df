"""What a worker's process does: a task after the other, until nobody has one for it any more.

A task comes as its length and a pickled function with its arguments; the answer is a ``=``, its
length, and whether it went well with the result or what was raised, pickled. In between, lines of
JSON say what is done (see ``tell``).
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import threading
from io import FileIO
from queue import SimpleQueue

from ..processes import tell_through

LENGTH = struct.Struct(">Q")
ANSWER = b"="
"""What an answer begins with; no line of JSON does."""


def main() -> None:
    """Do the tasks that come through standard input, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # that is the affair of who has the results
    answers = os.dup(1)
    os.dup2(2, 1)  # what is printed is no answer
    tell_through(answers)
    tasks: SimpleQueue[bytes] = SimpleQueue()
    source = FileIO(0, closefd=False)
    threading.Thread(target=_read, args=(source, tasks), daemon=True).start()
    while True:
        _write(answers, _answer(tasks.get()))


def _read(stream: FileIO, tasks: SimpleQueue[bytes]) -> None:
    """Read tasks; with the stream the process ends, also in the middle of one."""
    while head := _exactly(stream, LENGTH.size):
        tasks.put(_exactly(stream, *LENGTH.unpack(head)))
    os._exit(0)


def _exactly(stream: FileIO, size: int) -> bytes:
    """So many bytes; none if the stream ends before."""
    found = bytearray()
    while len(found) < size:
        part = stream.read(min(size - len(found), 1 << 20))
        if not part:
            return b""
        found += part
    return bytes(found)


def _answer(task: bytes) -> bytes:
    """What is answered to a task, whatever comes of it."""
    try:
        function, arguments, named = pickle.loads(task)
        return pickle.dumps((True, function(*arguments, **named)))
    except Exception as error:
        try:
            answer = pickle.dumps((False, error))
            pickle.loads(answer)  # there are exceptions that come out otherwise, or not at all
        except Exception:
            return pickle.dumps((False, RuntimeError(repr(error))))
        return answer


def _write(descriptor: int, answer: bytes) -> None:
    left = memoryview(ANSWER + LENGTH.pack(len(answer)) + answer)
    try:
        while left:
            left = left[os.write(descriptor, left) :]
    except OSError:  # nobody wants it any more
        os._exit(0)
