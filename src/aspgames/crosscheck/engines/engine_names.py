"""From what the command line calls an engine to the engine."""

from __future__ import annotations

from collections.abc import Callable

from ...runtime.errors import BadRequest
from .engine import Engine
from .fairy_engine import FairyEngine
from .json_lines_engine import JsonLinesEngine
from .openspiel_engine import OpenSpielEngine
from .own_engine import OwnEngine
from .perftree_engine import PerftreeEngine
from .uci_engine import UciEngine

_NAMED: dict[str, Callable[[], Engine]] = {"openspiel": OpenSpielEngine, "fairy": FairyEngine}
_OTHER_REASONER = {"grounder": "propnet", "propnet": "grounder"}
_COMMANDS: dict[str, Callable[[str, float], Engine]] = {
    "cmd": JsonLinesEngine,
    "uci": UciEngine,
    "perftree": PerftreeEngine,
}


def open_engine(name: str, timeout: float) -> Engine:
    """The engine of a name, ``cmd:…``, ``uci:…`` or ``perftree:…``; ``timeout`` in seconds.

    Raises ``BadRequest`` for any other, for a package that is missing and for a program that can't
    be run.
    """
    if not timeout > 0:
        raise BadRequest(f"the engine's time must be above zero, not {timeout:g}")
    kind, colon, command = name.partition(":")
    if colon and kind in _COMMANDS:
        return _COMMANDS[kind](command, timeout)
    if name in _OTHER_REASONER:
        return OwnEngine(name, timeout)
    if name not in _NAMED:
        known = ", ".join([*_NAMED, *_OTHER_REASONER, *(f"{kind}:COMMAND" for kind in _COMMANDS)])
        raise BadRequest(f"there is no engine {name[:60]!r}; there are: {known}")
    return _NAMED[name]()


def other_reasoner(engine: Engine) -> str | None:
    """The reasoner that our side must have against an engine: not the engine's own."""
    return _OTHER_REASONER.get(engine.name)
