"""What a worker's process does: a task after the other, until nobody has one for it any more.

A task comes as its length and a pickled function with its arguments; the answer is a ``=``, its
length, and whether it went well with the result or what was raised, pickled. In between, lines of
JSON say what is done (see ``tell``).
"""

from __future__ import annotations

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
"""What an answer begins with; no line of JSON does."""


def main() -> None:
    """Do the tasks that come through standard input, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # that is the affair of who has the results
    answers = os.dup(1)
    os.dup2(2, 1)  # what is printed is no answer
    tell_through(answers)
    if CAN_FORK:
        threading.Thread(target=_end_with_the_input, daemon=True).start()
    source = FileIO(0, closefd=False)
    while head := _exactly(source, LENGTH.size):
        _write(answers, _answer(_exactly(source, *LENGTH.unpack(head))))
    os._exit(0)


def _end_with_the_input() -> None:
    """End this process as soon as nobody can give it tasks any more, also in the middle of one."""
    poll = select.poll()
    poll.register(0, 0)  # not what there is to read: only that the other end is closed
    poll.poll()
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
