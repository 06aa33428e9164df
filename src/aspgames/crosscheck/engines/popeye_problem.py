"""A chess problem in the language of Popeye, read word by word.

Words may be shortened, and capitals don't matter. The options in ``_OPTIONS`` are read.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...asp.terms import shorten
from ...runtime.errors import BadRequest
from .peers import Peer
from .popeye_engine import CORNERS, first_side

SHORTEST = 3
"""Letters of a word that is shortened."""
TWINS = ("twin", "zeroposition")
"""The commands that begin a twin."""
_SHOWN = ("setplay", "try", "variation")
_OPTIONS = (
    *_SHOWN, "nocastling", "enpassant", "halfduplex", "noboard", "movenumbers", "nothreat",
    "noshortvariations", "intelligent", "maxsolutions", "maxtime", "beep",
)  # fmt: skip
_PLACED = re.compile(r"([a-z][a-z0-9]?)((?:[a-h][1-8])*)")
_SQUARES = re.compile(r"(?:[a-h][1-8])+")
_FORSYTH = re.compile(r"([+-]?)(\.[A-Za-z0-9]{2}|[A-Za-z])|([0-9]+)|(/)")


@dataclass
class PopeyeProblem:
    """A chess problem as its author wrote it."""

    line: int
    """The number of its first line."""
    error: str = ""
    """A sentence about a part that can't be read; empty if there is none."""
    texts: list[str] = field(default_factory=list)
    """The author, the origin, the title."""
    pieces: dict[str, str] = field(default_factory=dict)
    """Squares with the pieces' names, as in Forsyth notation: ``e1`` with ``K``."""
    stipulation: str = ""
    conditions: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    """Their whole names, with the squares or the number that follows."""
    twins: list[list[str]] = field(default_factory=list)
    """The words that say how each twin differs from the problem."""
    alone: bool = True
    """Whether it is a problem itself, and not only what its twins differ from."""
    label: str = ""
    """Which twin it is: ``a``, ``b`` and so on; empty without twins."""
    _side: str = ""
    _name: str = ""

    @property
    def wants_all(self) -> bool:
        """Whether it asks for set play, tries or variations."""
        return any(name in self.options for name in _SHOWN)

    @property
    def mover(self) -> str:
        """The side that begins: ``white`` or ``black``."""
        white = (first_side(self.stipulation) == "w") != ("halfduplex" in self.options)
        return "white" if white else "black"

    def read(self, line: int, command: str, word: str | None) -> None:
        """Read a word after a command, or the command itself; keep the first error."""
        try:
            if command == "sstipulation":
                raise BadRequest("sstipulation isn't read here")
            if word is None:
                self._begin(command)
            elif command in TWINS:
                self.twins[-1].append(word)
            elif command == "pieces":
                self.place(word.lower())
            elif command == "forsyth":
                self._read_forsyth(word)
            elif command == "option":
                self._read_option(word)
            elif command == "condition":
                self.conditions.append(word.lower())
            else:
                self.stipulation = word.lower()
        except BadRequest as error:
            self.error = self.error or f"line {line}: {error}"

    def _begin(self, command: str) -> None:
        self._name = self._side = ""
        if command in TWINS:
            self.alone &= command == "twin"
            self.twins.append([])

    def place(self, word: str) -> None:
        """Read a side, a piece, or its squares. Raises ``BadRequest`` for another word."""
        if side := whole_word(word, ("white", "black")):
            self._side, self._name = side, ""
            return
        found = _PLACED.fullmatch(word)
        if not self._side or not found:
            raise BadRequest(f"{shorten(word)!r} is no piece of White or Black")
        waits = self._name and _SQUARES.fullmatch(word)
        name, squares = ("", word) if waits else (found[1], found[2])
        self._name = name or self._name
        named = f".{self._name}" if len(self._name) > 1 else self._name
        for square in re.findall("..", squares):
            self.pieces[square] = named.upper() if self._side == "white" else named

    def _read_forsyth(self, word: str) -> None:
        place = end = 0
        for found in _FORSYTH.finditer(word):
            colour, name, blanks, slash = found.groups()
            if found.start() != end or (name and place >= 64):
                break
            end = found.end()
            if slash:
                place += -place % 8
            elif name:
                letters = name.strip(".")
                white = colour == "+" or (not colour and letters[0].isupper())
                square = f"{'abcdefgh'[place % 8]}{8 - place // 8}"
                self.pieces[square] = name.upper() if white else name.lower()
                place += 1
            else:
                place += min(int(blanks[:3]), 64)
        if end != len(word):
            raise BadRequest(f"{shorten(word)!r} is no Forsyth notation of 64 squares")

    def _read_option(self, word: str) -> None:
        if option := whole_word(word, _OPTIONS):
            self._name = option
            self.options[option] = ""
        elif self._name and re.fullmatch(r"[0-9]+|(?:[a-hA-H][1-8])+", word):
            self.options[self._name] += word.lower()
        else:
            raise BadRequest(f"the option {shorten(word)!r} isn't read here")

    def fen(self, peer: Peer) -> str:
        """The position, in the letters of a game. Raises ``BadRequest`` for a piece without one."""
        if strange := sorted(set(self.pieces.values()) - peer.letters.keys()):
            raise BadRequest(f"the rules have no piece {', '.join(strange)}")
        letters = {square: peer.letters[name] for square, name in self.pieces.items()}
        rows = []
        for row in "87654321":
            text = "".join(letters.get(file + row, "1") for file in "abcdefgh")
            rows.append(re.sub("1+", lambda blanks: str(len(blanks[0])), text))
        rights = [right for right, corner in CORNERS.items() if self._castles(right, corner)]
        passed = self.options.get("enpassant", "")[2:4]
        return f"{'/'.join(rows)} {self.mover[0]} {''.join(rights) or '-'} {passed or '-'} 0 1"

    def _castles(self, right: str, corner: str) -> bool:
        stays, king = self.options.get("nocastling", ""), f"e{corner[1]}"
        rook, its_king = ("R", "K") if right.isupper() else ("r", "k")
        in_place = self.pieces.get(corner) == rook and self.pieces.get(king) == its_king
        return in_place and corner not in stays and king not in stays


def whole_word(word: str, words: Sequence[str]) -> str | None:
    """The only one of ``words`` that begins so; None if there is none, or several."""
    found = [each for each in words if each.startswith(word.lower())]
    return found[0] if len(found) == 1 and len(word) >= SHORTEST else None
