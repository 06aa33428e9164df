"""Nets that are kept on disk from one process to the next."""

from __future__ import annotations

import time
from collections.abc import Callable

from .. import cache
from ..reasoner import Facts, Rules
from .tables import FORMAT, Tables

Fits = Callable[[Tables], bool]
"""Says whether a net is of the kind that is wanted."""

_WORTH = 0.02  # seconds that a net must have taken to be kept


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


def kept(key: str, fits: Fits, make: Callable[[], Tables]) -> Tables:
    """The net that is kept under a key; where there is none, it is made, and kept."""
    found = kept_already(key, fits)
    if found:
        return found
    start = time.perf_counter()
    made = make()
    if time.perf_counter() - start > _WORTH:
        cache.put(key, "net", made.pack())
    return made


def is_closed(tables: Tables) -> bool:
    """Whether states of a net lead to states of it."""
    return tables.after == tables.fluents


def knows(facts: Facts) -> Fits:
    """Says whether a net is closed, and has the state with these facts."""
    return lambda tables: is_closed(tables) and tables.row(facts) is not None
