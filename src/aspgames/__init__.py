"""Board games whose rules are answer-set programs, with clingo's grounder as the rules engine.

>>> import aspgames
>>> game = aspgames.load("breakthrough", width=4, height=5)
>>> state = game.initial.play("a2-a3")
>>> state.to_move, len(state.legal_moves)
('black', 9)
"""

from importlib.metadata import version

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
from .game import Game, games, load
from .move import Move
from .perft import divide, perft
from .playout import Playouts, playouts
from .puzzle.solution import Solution
from .puzzle.solve import solve
from .state import State
from .why import Explanation, Reason

__version__ = version("aspgames")

__all__ = [
    "AspgamesError",
    "BadConstant",
    "BadMove",
    "BadPosition",
    "BadRequest",
    "Explanation",
    "Game",
    "IllegalMove",
    "LimitReached",
    "Move",
    "Playouts",
    "Reason",
    "Solution",
    "RulesError",
    "State",
    "UnknownGame",
    "divide",
    "games",
    "load",
    "perft",
    "playouts",
    "solve",
]
