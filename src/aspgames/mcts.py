"""Tree search for learners: many games at once, leaves evaluated by your own function.

>>> import aspgames
>>> batch = aspgames.Batch(aspgames.load("connect_four"), 3)
>>> def evaluate(observation, legal):
...     return legal, [0] * len(legal)
>>> int(aspgames.mcts.search(batch, evaluate, simulations=20).visits.sum())
60
"""

from .agents.mcts.puct import Evaluate, TreeResult, search

__all__ = ["Evaluate", "TreeResult", "search"]
