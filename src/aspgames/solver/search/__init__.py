"""The search for answers to puzzles; users don't need to trust it.

Other packages use ``puzzle_search.Search``, whose positions ``puzzle.solved`` describes, and
``puzzle_tables.PuzzleTables`` for the search in a page.
"""
