"""Certificates of verdicts, and the checker, which is what must be trusted."""
