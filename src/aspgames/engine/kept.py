"""Nets that are kept on disk from one process to the next."""

from __future__ import annotations

import time
from collections.abc import Callable

from .. import cache
from ..reasoner import Facts, Rules
from .tables import FORMAT, Tables

_WORTH = 0.02  # seconds that a net must have taken to be kept


def key_of(rules: Rules, *more: str) -> str:
    """A text that is the same for the same rules, constants and further texts alone."""
    constants = (f"{name}={value!r}" for name, value in sorted(rules.constants.items()))
    return "\n".join((str(FORMAT), rules.encoding.fingerprint, *constants, "", *more))


def facts_key(facts: Facts) -> str:
    """The part of a key that says from which state a net is made."""
    return " ".join(facts)


def kept_already(key: str) -> Tables | None:
    """The net that is kept under a key, if there is one."""
    found = cache.get(key, "net")
    return Tables.unpack(found) if found is not None else None


def kept(key: str, make: Callable[[], Tables]) -> Tables:
    """The net that is kept under a key; where there is none, it is made, and kept."""
    found = kept_already(key)
    if found:
        return found
    start = time.perf_counter()
    made = make()
    if time.perf_counter() - start > _WORTH:
        cache.put(key, "net", made.pack())
    return made
