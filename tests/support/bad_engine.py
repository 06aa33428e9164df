"""An engine for tests of the cross-check: first it answers correctly, then it fails.

python bad_engine.py FAULT AFTER
"""

import json
import os
import sys
import time
from collections.abc import Callable

out = sys.stdout


def crash(_answer: str) -> None:
    print("out of luck", file=sys.stderr, flush=True)
    sys.exit(3)


def hang(_answer: str) -> None:
    time.sleep(600)


def flood(_answer: str) -> None:
    while True:
        out.write("x" * 65536)


def close(_answer: str) -> None:
    os.close(1)
    time.sleep(600)


def out_of_order(answer: str) -> None:
    other = json.loads(answer)
    other["id"] += 1
    print(json.dumps(other), flush=True)


def twice(answer: str) -> None:
    print(f"{answer}\n{answer}", flush=True)


def twice_without_id(answer: str) -> None:
    other = json.loads(answer)
    del other["id"]
    twice(json.dumps(other))


def no_json(_answer: str) -> None:
    print("info depth 1", flush=True)


def no_text(_answer: str) -> None:
    out.buffer.write(b"\xff\xfe\n")
    out.flush()


def not_all(answer: str) -> None:
    other = json.loads(answer)
    del other["terminal"]
    print(json.dumps(other), flush=True)


def wrong_type(answer: str) -> None:
    print(json.dumps(json.loads(answer) | {"legal": "e2e4"}), flush=True)


def a_move_twice(answer: str) -> None:
    other = json.loads(answer)
    for moves in other["legal"].values():
        moves += moves
    print(json.dumps(other), flush=True)


FAULTS: dict[str, Callable[[str], None]] = {
    fault.__name__: fault
    for fault in (
        crash, hang, flood, close, out_of_order, twice, twice_without_id, no_json, no_text,
        not_all, wrong_type, a_move_twice,
    )
}  # fmt: skip


SILENT = (crash, hang, flood, close, no_json, no_text)


def main() -> None:
    fault, after = FAULTS[sys.argv[1]], int(sys.argv[2])
    server = None
    if after or fault not in SILENT:  # otherwise the engine needs no rules
        from aspgames.cli.server.oracle import Server

        server = Server()
    for number, line in enumerate(sys.stdin.buffer, start=1):
        answer = json.dumps(server.answer(line)) if server else ""
        if number > after:
            fault(answer)
        else:
            print(answer, flush=True)


if __name__ == "__main__":
    main()
