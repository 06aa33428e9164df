"""Games, states and moves, and how people read and write them."""
