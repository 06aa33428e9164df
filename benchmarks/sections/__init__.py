"""The sections of `peers.py`, one module each."""
