"""Perft counts from the start that independent engines agree on.

In `amazons` a ply is a move and its arrow; in the split games it is a move or an arrow.
"""

PERFT = {
    "amazons": [2_176, 4_307_152],
    "amazons_10x10": [80, 2_176, 168_420, 4_307_152],
    "amazons_8x8": [60, 1_232, 70_386, 1_331_198, 77_251_700],
    "skirmish": [6, 36, 300, 2_544, 25_222],
    "breakthrough": [22, 484, 11_132, 256_036, 6_182_818, 149_264_638],
}
"""The numbers of sequences of 1, 2, 3, … plies."""
