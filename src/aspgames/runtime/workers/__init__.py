"""Heavy work in many processes: tasks for any executor, results kept on disk, in order.

Nothing here knows of games. A task is a value that pickles and whose ``repr`` tells all of it; its
result is made of what JSON has.
"""
