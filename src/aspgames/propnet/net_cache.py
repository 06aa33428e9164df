"""Nets on disk for later processes, and the limits that nets exceeded."""

import json
import time
from collections.abc import Callable
from contextlib import suppress

from ..gdl.reasoner import Facts, Rules
from ..runtime import cache
from ..runtime.budget import MOST_RULES
from ..runtime.errors import TooLarge
from ..runtime.json_lines import is_of
from .gate_tables import FORMAT, Tables

Fits = Callable[[Tables], bool]
"""Tells whether a net is of the wanted kind."""

_WORTH = 0.02  # seconds; nets that are made faster are not stored
_REFUSED = "refused"  # the kind of an entry with the limit that a net exceeded


def key_of(rules: Rules, *more: str) -> str:
    """The key of a net: equal exactly for equal rules, constants and further texts."""
    constants = (f"{name}={value!r}" for name, value in sorted(rules.constants.items()))
    return "\n".join((str(FORMAT), rules.encoding.fingerprint, *constants, "", *more))


def facts_key(facts: Facts) -> str:
    """The part of a key that names the state from which a net is made."""
    return " ".join(facts)


def kept_already(key: str, fits: Fits) -> Tables | None:
    """The net on disk under a key, or None.

    A damaged file, or a net that does not fit, counts as absent.
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
    """The net on disk under a key; if it is missing, make and store it.

    ``make`` raises ``TooLarge`` for more than ``most_rules`` ground rules. The limit is stored,
    too: later requests with no larger limit fail at once.
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
    """The largest limit on ground rules known to be too low for a net."""
    return _refused(key)[0]


def _refused(key: str) -> tuple[int, str]:
    """The same, and the message of the error."""
    with suppress(ValueError):
        found = json.loads(bytes(cache.get(key, _REFUSED) or b"null"))
        if is_of(found, tuple[int, str]):
            return found[0], found[1]
    return 0, ""


def knows(facts: Facts) -> Fits:
    """A test for nets that know the state with these facts, and all successors of their states."""
    return lambda tables: tables.after == tables.fluents and tables.row(facts) is not None
