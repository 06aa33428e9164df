"""Pages to click through: the proof book of one puzzle, and a book of many to train with."""

from .book_entry import entry, helped_entry
from .proof_page import book
from .training_page import training_book

__all__ = ["book", "entry", "helped_entry", "training_book"]
