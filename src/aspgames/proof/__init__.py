"""Certificates of verdicts, and the checker, which is what must be trusted.

Nothing here imports the search or the engine, not by a detour either; what is found there as well,
such as open grounding, is written here once more (why: ``docs/certificates.md``).
"""
