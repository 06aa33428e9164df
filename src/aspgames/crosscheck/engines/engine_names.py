"""Opening an engine by its name on the command line."""

from collections.abc import Callable

from ...gdl.encoding import OWN
from ...runtime.errors import BadRequest
from .engine import Engine
from .fairy_engine import FairyEngine
from .gtp_engine import GtpEngine
from .json_lines_engine import JsonLinesEngine, MovesEngine
from .openspiel_engine import OpenSpielEngine, PgxEngine
from .popeye_engine import PopeyeEngine
from .reference import OwnEngine
from .rules_engine import RulesEngine
from .uci_engine import PerftreeEngine, UciEngine

_NAMED: dict[str, Callable[[], Engine]] = {
    "openspiel": OpenSpielEngine,
    "fairy": FairyEngine,
    "pgx": PgxEngine,
}
OTHER_REASONER = {"grounder": "propnet", "propnet": "grounder"}
"""The reasoner for our side against one of our own reasoners."""
_COMMANDS: dict[str, Callable[[str, float], Engine]] = {
    "cmd": JsonLinesEngine,
    "moves": MovesEngine,
    "uci": UciEngine,
    "perftree": PerftreeEngine,
    "gtp": GtpEngine,
    "popeye": PopeyeEngine,
}


def open_engine(name: str, timeout: float) -> Engine:
    """Open an engine by its name on the command line; ``timeout`` is for each answer [s].

    Raises ``BadRequest``: the name is unknown, a package is missing, or a program doesn't start.
    """
    if not timeout > 0:
        raise BadRequest(f"the engine's time must be above zero, not {timeout:g}")
    kind, colon, command = name.partition(":")
    if colon and kind in _COMMANDS:
        return _COMMANDS[kind](command, timeout)
    if name in OTHER_REASONER:
        return OwnEngine(name, timeout)
    if name.endswith(OWN):
        return RulesEngine(name)
    if name not in _NAMED:
        known = ", ".join([*_NAMED, *OTHER_REASONER, *(f"{kind}:COMMAND" for kind in _COMMANDS)])
        known += " and files of rules"
        raise BadRequest(f"there is no engine {name[:60]!r}; there are: {known}")
    return _NAMED[name]()
