"""Heavy work in many processes: tasks for any executor, with ordered results kept on disk.

This package knows nothing of games. A task is a value that pickles, and whose ``repr`` shows
everything that its result depends on. A result is a JSON value.
"""
