"""Perft counts from the start that independent engines agree on."""

# Sequences of exactly 1, 2, 3 plies from the start. In `amazons` a ply is a move and its arrow; in
# the split games it is a move or an arrow.
TABLE = """
amazons            2176
amazons_10x10        80    2176  168420
amazons_8x8          60    1232   70386
breakthrough         22     484   11132
skirmish              6      36     300
"""

ROWS = [
    (game, depth, int(count))
    for game, *counts in (line.split() for line in TABLE.strip().splitlines())
    for depth, count in enumerate(counts, start=1)
]
"""A game, a depth, and the number of sequences of that many plies."""
