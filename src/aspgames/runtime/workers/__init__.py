"""Heavy work in many processes: tasks for any executor, their results in order and kept on disk.

Nothing here knows of games. A task is a value that pickles, and whose ``repr`` tells all that its
result depends on; a result is a JSON value.
"""
