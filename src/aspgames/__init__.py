"""Board games whose rules are answer-set programs, with clingo's grounder as the rules engine.

>>> import aspgames
>>> game = aspgames.load("breakthrough", width=4, height=5)
>>> state = game.initial.play("a2-a3")
>>> state.to_move, len(state.legal_moves)
('black', 9)
"""

from importlib import import_module
from typing import Any

from ._version import __version__ as __version__

# Each public name's module. A name is imported when it is first used, so that a program (such as
# the command line) starts without what it doesn't use. Type checkers read ``__init__.pyi``.
_MODULES = {
    "analysis.check": ("check",),
    "analysis.check_report": ("Finding", "Report"),
    "analysis.properties": ("Properties", "properties"),
    "game.explain": ("Explanation", "Reason"),
    "game.game": ("Game", "State", "games", "load"),
    "game.move": ("Move",),
    "game.symmetry": ("Symmetry",),
    "play.batch": ("Batch",),
    "play.game_record": ("Record",),
    "play.perft": ("divide", "perft"),
    "play.playout": ("Playouts", "playouts"),
    "puzzle.solution": ("Solution",),
    "runtime.errors": (
        "AspgamesError",
        "BadConstant",
        "BadMove",
        "BadPosition",
        "BadRequest",
        "IllegalMove",
        "LimitReached",
        "RulesError",
        "UnknownGame",
    ),
    "runtime.workers.dask_cluster": ("Cluster",),
    "runtime.workers.worker_pool": ("Workers",),
    "solver.solvers": ("solve",),
    "solver.puzzles": ("solve_puzzles",),
    "solver.table.lookup": ("Table",),
    "solver.table.table_maker": ("make_table",),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}
_ENTRY_POINTS = ("data", "gymnasium", "openspiel", "pettingzoo", "record")

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name in _ENTRY_POINTS:
        return import_module(f".{name}", __name__)
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
