"""What every package uses and that knows nothing of games: errors, limits, cache, processes."""
