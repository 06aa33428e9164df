"""Text for people, both ways: facts, FEN and moves. What a game's texts look like, its encoding says."""
