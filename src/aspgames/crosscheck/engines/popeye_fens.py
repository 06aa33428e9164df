"""FENs as Popeye's input."""

import re
from collections.abc import Mapping, Sequence

CORNERS = {"K": "h1", "Q": "a1", "k": "h8", "q": "a8"}
"""The squares of the rooks that castle, by their letters in a FEN."""


def fen_problem(
    fen: str, stipulation: str, letters: Mapping[int, str], conditions: Sequence[str]
) -> str:
    """A FEN with a stipulation, as Popeye's input; ``letters`` translates those of pieces."""
    placed, side, rights, passed = [*fen.split(), "-", "-"][:4]
    options = ["NoBoard"]
    if stays := [corner for right, corner in CORNERS.items() if right not in rights]:
        options.append(f"NoCastling {''.join(stays)}")
    if passed != "-":
        start, end = ("2", "4") if passed[1] == "3" else ("7", "5")
        options.append(f"EnPassant {passed[0]}{start}{passed}{passed[0]}{end}")
    if side != first_side(stipulation):
        options.append("HalfDuplex")
    lines = ["BeginProblem", f"Forsyth {placed.translate(letters)}", f"Stipulation {stipulation}"]
    if any(conditions):
        lines.append(f"Condition {' '.join(conditions)}")
    return "\n".join([*lines, f"Option {' '.join(options)}", "EndProblem"])


def first_side(stipulation: str) -> str:
    """The side that begins in Popeye: Black if both sides help, but not with ``.5``."""
    helped = re.match("(reci-|ser-)?h(?![sr]|dia)|a=>b", stipulation.lower())
    late = stipulation.lower().startswith(("hs", "hr")) == stipulation.endswith(".5")
    late |= stipulation.startswith("a=>b")
    return "b" if (helped or stipulation.startswith(("hs", "hr"))) and late else "w"
