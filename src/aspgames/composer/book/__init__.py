"""Interactive pages: the proof of one puzzle, and a training book of many puzzles."""

from .book_entry import entry, helped_entry
from .proof_page import book
from .training_page import training_book

__all__ = ["book", "entry", "helped_entry", "training_book"]
