"""Games for OpenSpiel (``pip install aspgames[openspiel]``)."""

from .rl.openspiel_games import LONGEST, SHORT_NAME, Observer, SpielGame, SpielState, load

__all__ = ["LONGEST", "SHORT_NAME", "Observer", "SpielGame", "SpielState", "load"]
