"""Gymnasium environments (``pip install aspgames[rl]``): one game, or many at once.

>>> from aspgames.gymnasium import env
>>> game = env("breakthrough", width=4, height=5)
>>> seen, info = game.reset(seed=1)
>>> seen.shape, int(info["action_mask"].sum())
((4, 5, 4), 10)
"""

from .agents.match.policy import ByState
from .rl.gymnasium_environments import ID, GameEnv, Opponent, VectorGameEnv, env, vector_env

__all__ = ["ID", "ByState", "GameEnv", "Opponent", "VectorGameEnv", "env", "vector_env"]
