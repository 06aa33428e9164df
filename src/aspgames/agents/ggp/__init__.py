"""The HTTP protocol of General Game Playing: a player, and a manager that plays matches.

Messages are KIF texts, so any player meets any manager; see ``docs/ggp.md``.
"""
