"""Certificates of verdicts, and the checker, which must be trusted.

Nothing here imports the search or the network, directly or indirectly. The checker grounds the
rules in its own way (why: ``docs/certificates.md``).
"""
