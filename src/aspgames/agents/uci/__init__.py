"""The Universal Chess Interface (UCI), by which graphical interfaces and match runners ask engines.

``session.py`` follows the conversation, ``thinking.py`` does what ``go`` asks for in a thread of
its own, so that the conversation goes on meanwhile.
"""
