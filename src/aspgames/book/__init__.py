"""Pages to click through: the proof book of one puzzle, and a book of many to train with."""

from .entry import entry, helped_entry
from .page import book
from .training import training_book

__all__ = ["book", "entry", "helped_entry", "training_book"]
