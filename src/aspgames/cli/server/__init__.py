"""The server that answers JSON lines."""
