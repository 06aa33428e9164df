"""An engine for any game: the solver where it decides, else Monte-Carlo tree search.

``player`` chooses moves: by a tree of random games (``tree_search`` on ``tree_arrays``), by the
solver beside it (``forced_moves``), and by random games after each move where there is no tree
(``flat_search``).
"""
