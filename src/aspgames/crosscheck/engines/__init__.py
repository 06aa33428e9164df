"""The engines under test, our own among them, and the labels of turns."""
