"""How much a test looks at: a sample, or all among the slow tests or with ``--thorough``."""

import random
import re
import zlib
from collections import defaultdict

import pytest

CHOSEN = False
"""Whether ``--thorough`` is given. It is known before a file of tests is imported."""


def amount(usual: int, thorough: int) -> int:
    """The size of a sample."""
    return thorough if CHOSEN else usual


def left_out(items: list[pytest.Item]) -> list[pytest.Item]:
    """The slow cases beyond those that their test's ``mark.sample`` asks for, drawn by its name."""
    cases = defaultdict[tuple[str, int], list[pytest.Item]](list)
    for item in items:
        if item.get_closest_marker("slow") and (mark := item.get_closest_marker("sample")):
            cases[item.nodeid.partition("[")[0], mark.args[0]].append(item)
    found: list[pytest.Item] = []
    for (name, number), each in cases.items():
        found += random.Random(name).sample(each, max(0, len(each) - number))
    return [] if CHOSEN else found


def make_slow(items: list[pytest.Item]) -> None:
    """Mark the cases beyond those that their test's ``mark.quick`` keeps, drawn by its name."""
    cases = defaultdict[tuple[str, int], list[pytest.Item]](list)
    for item in items:
        if (mark := item.get_closest_marker("quick")) and not item.get_closest_marker("slow"):
            cases[item.nodeid.partition("[")[0], mark.args[0]].append(item)
    for (name, number), each in cases.items():
        for item in random.Random(name).sample(each, max(0, len(each) - number)):
            item.add_marker("slow")


def part(text: str) -> tuple[int, int]:
    """The number of a part, from 0, and of all parts, of ``K/N``."""
    if not (match := re.fullmatch(r"(\d+)/(\d+)", text)) or not 0 < int(match[1]) <= int(match[2]):
        raise ValueError(f"{text!r} is not K/N with K from 1 to N")
    return int(match[1]) - 1, int(match[2])


def other_parts(items: list[pytest.Item], number: int, parts: int) -> set[pytest.Item]:
    """The tests outside a part. Each is drawn by its own name, wherever the repository lies."""

    def part_of(item: pytest.Item) -> int:
        return zlib.crc32(item.nodeid.replace(str(item.config.rootpath), "").encode()) % parts

    return {item for item in items if part_of(item) != number}
