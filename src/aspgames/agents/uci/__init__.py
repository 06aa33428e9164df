"""The Universal Chess Interface (UCI), the protocol between chess interfaces and engines.

``uci_session.py`` executes the commands. ``go_thread.py`` has the work of ``go``, which another thread does, so that
the session can read further commands.
"""
