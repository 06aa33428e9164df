"""Composing puzzles from the rules of a game, and judging puzzles.

``compose`` finds puzzles in four steps:

1. *Candidates* (``candidate_search``, with ``position_changes`` and ``candidate_worth``): the ends
   of random games, the same with fewer pieces, and small changes of positions that are almost
   puzzles.
2. *Sound puzzles* (``bounded_search``, ``solution_set``): exactly one move forces the goal, in the
   wanted number of turns. One net serves many candidates. Efforts are counted in evaluations, not
   in seconds.
3. *Judgement* (``judging``, with ``judgement`` and ``economy``): duals, tries, natural moves that
   fail, variations, economy, difficulty. It also judges the puzzles of a file.
4. *Collection* (``collection``): the best puzzles by score, without twins (``puzzle_twins``), which
   are the same up to a symmetry of the rules.

The work is divided into blocks. A block depends on the seed and its number only, so the same seed
gives the same puzzles on any number of processes.

No module here knows a game: the encoding lists the contents of squares, and their terms name their
owners.
"""
