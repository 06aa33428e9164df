"""One hard puzzle for many processes: a tree of positions here, and searches of its leaves there.

``search.JobSearch`` is the search, ``solve.solve`` answers a puzzle with it or without.
"""
