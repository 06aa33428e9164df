"""Composing puzzles from the rules of a game alone, and judging those that there are.

``compose`` comes to puzzles in four steps, each of which few get through:

1. *Candidates* (``candidates``, ``changes``): the ends of random games, played in batches; these
   with pieces taken off; and what is near to being a puzzle, changed a little.
2. *Sound* (``looking``, ``asking``): the goal is forced in exactly so many turns, and by one move
   alone. One net serves many candidates, and efforts are counted in evaluations, not in seconds.
3. *Judged* (``judging``, with ``main_play``, ``tries``, ``economy`` and ``rating``): duals, tries,
   moves that look natural and fail, variations, economy, difficulty. The same is said of a puzzle
   from elsewhere (``file``).
4. *Kept* (``collection``): no two alike up to the symmetries of the rules (``twins``), the best by
   their score.

The work comes in blocks (``block``), each settled by the seed and its number alone; so the same
seed gives the same puzzles, whoever does the blocks and however many there are at a time.

Nothing here knows a game: what can stand on a square is what the encoding lists, and whose it is
what its term names.
"""
