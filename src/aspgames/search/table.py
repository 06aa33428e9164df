"""For now."""

NEVER = 30_000
