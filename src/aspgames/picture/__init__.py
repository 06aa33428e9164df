"""Positions as pictures."""

from .drawing import Arrow, draw
from .scene import Scene
from .themes import COLOURS, DARK, LIGHT, Ink, Theme

__all__ = ["COLOURS", "DARK", "LIGHT", "Arrow", "Ink", "Scene", "Theme", "draw"]
