"""The Game Description Language: rule sheets in KIF, read and written as encodings."""
