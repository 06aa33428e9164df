"""The search for answers to puzzles. Nothing here needs to be trusted.

``search.Search`` is for others, and ``together.together`` for the question whether both sides can
help each other; what a ``Search`` says of positions is in ``puzzle.solved``.
"""
