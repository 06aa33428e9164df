"""Alpha-beta search with a value that is learned by play: for two roles that move by turns."""
