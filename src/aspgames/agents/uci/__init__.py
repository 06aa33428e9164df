"""The Universal Chess Interface (UCI), the protocol between chess interfaces and engines.

``uci_session.py`` executes the commands. ``go_thread.py`` runs ``go`` in its own thread, so that
the session can read further commands.
"""
