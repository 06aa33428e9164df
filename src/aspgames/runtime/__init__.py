"""Common parts of all packages that know nothing of games: errors, limits, cache, processes."""
