"""Games for OpenSpiel (``pip install aspgames[openspiel]``)."""

from .rl.openspiel_games import Observer, SpielGame, SpielState, load
from .rl.openspiel_types import LONGEST, SHORT_NAME

__all__ = ["LONGEST", "SHORT_NAME", "Observer", "SpielGame", "SpielState", "load"]
