"""The Universal Chess Interface (UCI), the protocol between chess interfaces and engines.

``uci_session.py`` executes the commands. ``go_thread.py`` has the work of ``go``. It runs in a
second thread, so that the session can read further commands.
"""
