"""Nets that are kept on disk from one process to the next, and which would be too large."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

from ..gdl.reasoner import Facts, Rules
from ..runtime import cache
from ..runtime.budget import MOST_RULES
from ..runtime.errors import TooLarge
from .gate_tables import FORMAT, Tables

Fits = Callable[[Tables], bool]
"""Says whether a net is of the kind that is wanted."""

_WORTH = 0.02  # seconds that a net must have taken to be kept
_REFUSED = "refused"  # the kind of an entry that says what a net would be too large for


def key_of(rules: Rules, *more: str) -> str:
    """A text that is the same for the same rules, constants and further texts alone."""
    constants = (f"{name}={value!r}" for name, value in sorted(rules.constants.items()))
    return "\n".join((str(FORMAT), rules.encoding.fingerprint, *constants, "", *more))


def facts_key(facts: Facts) -> str:
    """The part of a key that says from which state a net is made."""
    return " ".join(facts)


def kept_already(key: str, fits: Fits) -> Tables | None:
    """The net that is kept under a key, if there is one.

    A file may hold anything; one that isn't a net that ``fits`` is none.
    """
    found = cache.get(key, "net")
    if found is None:
        return None
    try:
        tables = Tables.unpack(found)
        return tables if fits(tables) else None
    except ValueError:
        return None


def kept(key: str, fits: Fits, make: Callable[[], Tables], most_rules: int = MOST_RULES) -> Tables:
    """The net that is kept under a key; where there is none, it is made, and kept.

    Where it has more than ``most_rules`` ground rules, ``make`` raises ``TooLarge``. That is kept,
    too: who allows no more of them later has it raised at once.
    """
    found = kept_already(key, fits)
    if found:
        return found
    refused, told = _refused(key)
    if most_rules <= refused:
        raise TooLarge(told)
    start = time.perf_counter()
    try:
        made = make()
    except TooLarge as error:
        cache.put(key, _REFUSED, json.dumps([most_rules, str(error)]).encode())
        raise
    if time.perf_counter() - start > _WORTH:
        cache.put(key, "net", made.pack())
    return made


def most_refused(key: str) -> int:
    """The most ground rules for which a net was too large, as far as that is known."""
    return _refused(key)[0]


def _refused(key: str) -> tuple[int, str]:
    """The same, and what was told of it."""
    found = cache.get(key, _REFUSED)
    if found is None:
        return 0, ""
    most_rules, told = json.loads(bytes(found))
    return most_rules, told


def is_closed(tables: Tables) -> bool:
    """Whether states of a net lead to states of it."""
    return tables.after == tables.fluents


def knows(facts: Facts) -> Fits:
    """Says whether a net is closed, and has the state with these facts."""
    return lambda tables: is_closed(tables) and tables.row(facts) is not None
