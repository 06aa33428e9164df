"""Text for people, both ways: facts, FEN and moves, as the encodings say they look."""
