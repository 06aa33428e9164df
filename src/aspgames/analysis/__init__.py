"""Checks whether rules are a game: by the text of the rules, by proofs and by random games.

A game is well-formed if play ends, every role always has a move until then, and each role can win
(Genesereth and Thielscher 2014, *General Game Playing*). ``transitions`` is any step of play, for
clingo's solver; ``invariants`` and ``measures`` prove by induction over it. ``check`` writes a
``check_report`` from ``static_findings`` (the text), ``sampled_play`` (random games),
``dead_rules`` and ``play_proofs``. ``properties`` proves what interfaces declare about a game.
"""
