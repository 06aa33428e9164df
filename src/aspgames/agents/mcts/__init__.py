"""An engine for any game: Monte-Carlo tree search, with the solver beside it.

``player`` chooses moves. It uses a tree of random games (``tree_search``, ``tree_arrays``), the
solver (``forced_moves``), or, without a tree, random games after each move (``flat_search``).
"""
