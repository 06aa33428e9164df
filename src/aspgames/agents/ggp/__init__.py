"""The HTTP protocol of General Game Playing: a player, and a manager that plays matches.

Messages are KIF texts; any player works with any manager. See ``docs/ggp.md``.
"""
