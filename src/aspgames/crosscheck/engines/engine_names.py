"""Opening an engine by its name on the command line."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from ...gdl.encoding import OWN, is_own_file
from ...runtime.errors import BadRequest

if TYPE_CHECKING:
    from .engine import Engine


class EngineKind(NamedTuple):
    """A kind of engine; its class stands in a module of this package."""

    place: str
    """``MODULE.CLASS``; the class takes a command and the time for an answer, or nothing."""
    meaning: str
    """For ``--help``."""
    command: str = ""
    """What comes after the name and a colon."""


ENGINES = {
    "openspiel": EngineKind(
        "openspiel_engine.OpenSpielEngine", "OpenSpiel's game of the same name"
    ),
    "fairy": EngineKind("fairy_engine.FairyEngine", "Fairy-Stockfish, through pyffish"),
    "pgx": EngineKind("openspiel_engine.PgxEngine", "Pgx's game of the same name, in JAX"),
    "cmd": EngineKind(
        "json_lines_engine.JsonLinesEngine",
        "a program with the JSON lines of 'aspgames serve'",
        "COMMAND LINE",
    ),
    "moves": EngineKind(
        "json_lines_engine.MovesEngine",
        "the same, for one that can't set up a position",
        "COMMAND LINE",
    ),
    "uci": EngineKind("uci_engine.UciEngine", "a UCI engine with 'go perft 1'", "COMMAND LINE"),
    "perftree": EngineKind(
        "uci_engine.PerftreeEngine", "a program called as COMMAND DEPTH FEN MOVES", "COMMAND"
    ),
    "gtp": EngineKind(
        "gtp_engine.GtpEngine",
        "a program of the Go Text Protocol that lists its legal moves",
        "COMMAND LINE",
    ),
    "popeye": EngineKind(
        "popeye_engine.PopeyeEngine", "Popeye, which solves chess problems", "COMMAND LINE"
    ),
}
"""The engines by their names on the command line."""

OTHER_REASONER = {"grounder": "propnet", "propnet": "grounder"}
"""The reasoner for our side against one of our own reasoners."""


def engine_list() -> str:
    """The engines with their meanings, a line each, for ``--help``."""
    own = {", ".join(OTHER_REASONER): "aspgames itself"}
    found = {f"{n}:{k.command}" if k.command else n: k.meaning for n, k in ENGINES.items()}
    rules = {
        f"FILE{', '.join(OWN)}": "other rules of the same game",
        "FOLDER": "a table over all rules in it, such as the hand-ins of a class",
    }
    return "\n".join(f"{name:24}{words}" for name, words in (found | own | rules).items())


def open_engine(name: str, timeout: float) -> Engine:
    """Open an engine by its name on the command line; ``timeout`` is for each answer [s].

    Raises ``BadRequest``: the name is unknown, a package is missing, or a program doesn't start.
    """
    if not timeout > 0:
        raise BadRequest(f"the engine's time must be above zero, not {timeout:g}")
    if name in OTHER_REASONER:
        from .reference import OwnEngine

        return OwnEngine(name, timeout)
    first, colon, command = name.partition(":")
    kind = ENGINES.get(first)
    if kind and bool(colon) == bool(kind.command):
        module, _, engine = kind.place.partition(".")
        made = getattr(import_module(f".{module}", __package__), engine)
        opened: Engine = made(command, timeout) if colon else made()
        return opened
    if is_own_file(name):
        from .rules_engine import RulesEngine

        return RulesEngine(name)
    known = [f"{n}:COMMAND" if kind.command else n for n, kind in ENGINES.items()]
    listed = ", ".join([*known, *OTHER_REASONER])
    raise BadRequest(f"there is no engine {name[:60]!r}; there are: {listed} and files of rules")
