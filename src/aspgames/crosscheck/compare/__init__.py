"""Where positions come from, and where two answers to one question differ."""
