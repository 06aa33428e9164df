"""Moves by search of one's own: the solver where it decides, else Monte-Carlo tree search.

``player.py`` is what others ask: it has a tree of random games (``search.py`` on ``tree.py``), the
solver beside it (``forced.py``), and where there can be no tree, random games after each of one's
own moves (``flat.py``).
"""
