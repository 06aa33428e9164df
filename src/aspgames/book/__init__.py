"""The proof book: a puzzle's answer as a page to click through."""

from .page import book

__all__ = ["book"]
