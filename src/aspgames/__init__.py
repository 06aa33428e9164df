"""Board games whose rules are answer-set programs, with clingo's grounder as the rules engine.

>>> import aspgames
>>> game = aspgames.load("breakthrough", width=4, height=5)
>>> state = game.initial.play("a2-a3")
>>> state.to_move, len(state.legal_moves)
('black', 9)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .perft import divide, perft  # at once, or the module of that name would be ``aspgames.perft``

if TYPE_CHECKING:
    from .batch import Batch
    from .errors import (
        AspgamesError,
        BadConstant,
        BadMove,
        BadPosition,
        BadRequest,
        IllegalMove,
        LimitReached,
        RulesError,
        UnknownGame,
    )
    from .game import Game, State, games, load
    from .jobs.solve import solve
    from .move import Move
    from .playout import Playouts, playouts
    from .puzzle.solution import Solution
    from .puzzles import solve_puzzles
    from .record import Record
    from .symmetry import Symmetry
    from .table.lookup import Table
    from .table.make import make_table
    from .wellformed.check import check
    from .wellformed.properties import Properties, properties
    from .wellformed.report import Finding, Report
    from .why import Explanation, Reason
    from .work.cluster import Cluster
    from .work.workers import Workers

__version__ = "0.1.0"

__all__ = [
    "AspgamesError",
    "BadConstant",
    "BadMove",
    "BadPosition",
    "BadRequest",
    "Batch",
    "Cluster",
    "Explanation",
    "Finding",
    "Game",
    "IllegalMove",
    "LimitReached",
    "Move",
    "Playouts",
    "Properties",
    "Reason",
    "Record",
    "Report",
    "Solution",
    "RulesError",
    "State",
    "Symmetry",
    "Table",
    "UnknownGame",
    "Workers",
    "check",
    "divide",
    "games",
    "load",
    "make_table",
    "perft",
    "playouts",
    "properties",
    "solve",
    "solve_puzzles",
]

# Where the other names come from: they are imported when they are asked for, so that a program
# that begins (the command line is one) waits for nothing that it doesn't use.
_HOMES = {
    "batch": ("Batch",),
    "game": ("Game", "State", "games", "load"),
    "playout": ("Playouts", "playouts"),
    "puzzle.solution": ("Solution",),
    "puzzles": ("solve_puzzles",),
    "move": ("Move",),
    "record": ("Record",),
    "jobs.solve": ("solve",),
    "symmetry": ("Symmetry",),
    "table.lookup": ("Table",),
    "table.make": ("make_table",),
    "wellformed.check": ("check",),
    "wellformed.properties": ("Properties", "properties"),
    "wellformed.report": ("Finding", "Report"),
    "why": ("Explanation", "Reason"),
    "work.cluster": ("Cluster",),
    "work.workers": ("Workers",),
}


def __getattr__(name: str) -> Any:
    if name in ("data", "gymnasium", "pettingzoo", "record"):
        return import_module(f".{name}", __name__)
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = next((module for module, names in _HOMES.items() if name in names), "errors")
    found = globals()[name] = getattr(import_module(f".{home}", __name__), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
