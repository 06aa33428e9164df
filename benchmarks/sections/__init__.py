"""What `peers.py` measures, a module a section."""
