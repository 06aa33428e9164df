"""PettingZoo environments (``pip install aspgames[rl]``): a game's roles as agents.

>>> from aspgames.pettingzoo import env
>>> game = env("breakthrough", width=4, height=5)
>>> game.reset()
>>> game.agent_selection, game.possible_agents
('white', ['white', 'black'])
"""

from .rl.pettingzoo_environments import SimultaneousEnv, TurnEnv, env, parallel_env, raw_env

__all__ = ["SimultaneousEnv", "TurnEnv", "env", "parallel_env", "raw_env"]
