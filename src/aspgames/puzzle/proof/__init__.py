"""Certificates of verdicts, and the checker, which is what must be trusted.

Nothing here imports the search or the engine, not by a detour either: the rules are grounded in a
way of its own (why: ``docs/certificates.md``).
"""
