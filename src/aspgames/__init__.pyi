from . import data as data
from . import gymnasium as gymnasium
from . import openspiel as openspiel
from . import pettingzoo as pettingzoo
from . import record as record
from ._version import __version__ as __version__
from .analysis.check import check as check
from .analysis.check_report import Finding as Finding
from .analysis.check_report import Report as Report
from .analysis.properties import Properties as Properties
from .analysis.properties import properties as properties
from .game.explain import Explanation as Explanation
from .game.explain import Reason as Reason
from .game.game import Game as Game
from .game.game import State as State
from .game.game import games as games
from .game.game import load as load
from .game.move import LegalMoves as LegalMoves
from .game.move import Move as Move
from .game.move import Moves as Moves
from .game.symmetry import Symmetry as Symmetry
from .play.batch import Batch as Batch
from .play.game_record import Record as Record
from .play.perft import divide as divide
from .play.perft import perft as perft
from .play.playout import Playouts as Playouts
from .play.playout import playouts as playouts
from .puzzle.solution import Solution as Solution
from .runtime.budget import Budget as Budget
from .runtime.errors import AspgamesError as AspgamesError
from .runtime.errors import BadConstant as BadConstant
from .runtime.errors import BadMove as BadMove
from .runtime.errors import BadPosition as BadPosition
from .runtime.errors import BadRequest as BadRequest
from .runtime.errors import IllegalMove as IllegalMove
from .runtime.errors import LimitReached as LimitReached
from .runtime.errors import RulesError as RulesError
from .runtime.errors import UnknownGame as UnknownGame
from .runtime.workers.dask_cluster import Cluster as Cluster
from .runtime.workers.worker_pool import Workers as Workers
from .solver.puzzles import solve_puzzles as solve_puzzles
from .solver.solvers import solve as solve
from .solver.table.lookup import Table as Table
from .solver.table.table_maker import make_table as make_table

__all__ = [
    "AspgamesError",
    "BadConstant",
    "BadMove",
    "BadPosition",
    "BadRequest",
    "Batch",
    "Budget",
    "Cluster",
    "Explanation",
    "Finding",
    "Game",
    "IllegalMove",
    "LegalMoves",
    "LimitReached",
    "Move",
    "Moves",
    "Playouts",
    "Properties",
    "Reason",
    "Record",
    "Report",
    "RulesError",
    "Solution",
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
