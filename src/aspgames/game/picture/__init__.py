"""Positions as pictures."""

from .drawing import Arrow, draw, empty_board
from .scene import Scene
from .themes import COLOURS, DARK, LIGHT, Ink, Theme

__all__ = ["COLOURS", "DARK", "LIGHT", "Arrow", "Ink", "Scene", "Theme", "draw", "empty_board"]
