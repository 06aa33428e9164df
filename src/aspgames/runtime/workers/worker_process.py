"""The process of a worker: it does one task after the other until its input ends.

A task is its length, and a function with its arguments, pickled. An answer is ``=``, its length,
and a pair, pickled: True with the result, or False with the exception. Between answers, lines of
JSON report the process's activity (see ``tell``).
"""

import os
import pickle
import select
import signal
import struct
import threading
from io import FileIO

from ..process_messages import CAN_FORK, tell_through

LENGTH = struct.Struct(">Q")
ANSWER = b"="
"""The first byte of an answer; no line of JSON begins with it."""


def main() -> None:
    """Do the tasks from standard input, and end at its end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles Ctrl-C
    answers = os.dup(1)
    os.dup2(2, 1)  # printed text is not an answer
    tell_through(answers)
    if CAN_FORK:
        threading.Thread(target=_end_with_the_input, daemon=True).start()
    source = FileIO(0, closefd=False)
    while head := _exactly(source, LENGTH.size):
        _write(answers, _answer(_exactly(source, *LENGTH.unpack(head))))
    os._exit(0)


def _end_with_the_input() -> None:
    """End this process when its parent closes the input, even in the middle of a task."""
    poll = select.poll()
    poll.register(0, 0)  # only the end is an event
    poll.poll()
    os._exit(0)


def _exactly(stream: FileIO, size: int) -> bytes:
    """Exactly ``size`` bytes; empty if the stream ends before."""
    found = bytearray()
    while len(found) < size:
        part = stream.read(min(size - len(found), 1 << 20))
        if not part:
            return b""
        found += part
    return bytes(found)


def _answer(task: bytes) -> bytes:
    try:
        function, arguments, named = pickle.loads(task)
        return pickle.dumps((True, function(*arguments, **named)))
    except Exception as error:
        try:
            answer = pickle.dumps((False, error))
            pickle.loads(answer)  # some exceptions can't be unpickled
        except Exception:
            return pickle.dumps((False, RuntimeError(repr(error))))
        return answer


def _write(descriptor: int, answer: bytes) -> None:
    left = memoryview(ANSWER + LENGTH.pack(len(answer)) + answer)
    try:
        while left:
            left = left[os.write(descriptor, left) :]
    except OSError:  # the parent process has ended
        os._exit(0)
