"""Certificates of verdicts, and the checker. Users must trust the checker.

This package never imports the search or the network, directly or indirectly. The checker grounds
the rules in its own way (why: ``docs/certificates.md``).
"""
