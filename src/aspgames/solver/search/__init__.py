"""The search for answers to puzzles; nothing here needs to be trusted.

Other packages use ``puzzle_search.Search``, whose positions ``puzzle.solved`` describes, and
``cooperation.together``.
"""
