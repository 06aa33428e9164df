"""Interactive pages: the proof of one puzzle, and a training book of many puzzles."""
