"""Is it a game? What the rules say, what can be proved of play, and what random games show.

In the Game Description Language's terms a game is well-formed if play ends, every role always has
a move until then, and each role can win. Below is what the others use: ``transitions`` (any step
of play, for clingo's solver), ``invariants`` and ``measures`` (proofs by induction over it). Then
what is looked at: ``statics`` (the text), ``play`` (random games), ``firing`` (rules that never
fire), ``proofs``. ``check`` puts all of it into a ``report``.
"""
