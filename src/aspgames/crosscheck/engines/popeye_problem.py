"""A chess problem in the language of Popeye, read word by word."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ...asp.terms import shorten
from ...puzzle.structured_stipulation import STRUCTURED, structured
from ...runtime.errors import BadRequest
from ...runtime.json_lines import JsonObject
from .peers import Peer
from .popeye_fens import CORNERS, first_side
from .popeye_words import ATTRIBUTES, COLOURS, CONDITIONS, ENGLISH, OPTIONS, meaning

TWINS = ("twin", "zeroposition")
"""The commands that begin a twin."""
MARKS = {
    "=": "neutral", "^": "royal", "!": "uncapturable", "*": "kamikaze", "~": "paralysing",
    "@": "chameleon", "%": "halfneutral", "&": "functionary",
}  # fmt: skip
"""What is before a piece's name, by its attribute."""
_SHOWN = ("setplay", "try", "defence", "variations")
_NUMBERS = {
    "defence": 1, "threat": 1, "maxsolutions": 1, "maxflightsquares": 1, "maxtime": 1,
    "startmovenumber": 1, "uptomovenumber": 1, "nontrivial": 2, "intelligent": 1, "beep": 1,
}  # fmt: skip
"""The numbers after options, at most."""
_UNREAD = (
    "goalisend", "castlingmutuallyexclusive", "nullmoves",
)  # fmt: skip
"""Options that change what a solution is, and aren't known here."""
SQUARES = re.compile(r"(?:[a-h][1-8])+")
_FORSYTH = re.compile(r"([=+-]?)(\.[A-Za-z0-9]{2}|[A-Za-z])|([0-9]+)|(/)")
MOVE_GOAL = re.compile(r"(ser-h?|h|s|)(~|x|\+|00|ep|z[a-h][1-8])([0-9]{1,2})(\.[05])?")
"""Stipulations whose goal is a kind of move: any, a capture, a check, castling, en passant, a
square."""
_TURNED = re.compile(r"(?:white|black) *- *[0-9:]+[ad]")
"""Play against a defender in which the other side begins."""
_BATTLE = re.compile(r"((?:semi-r|[rs]|)(?:#=|==|[#=~x+]|00|ep|z[a-h][1-8])[0-9]+)\.5")
_INTENDED = re.compile(r"([0-9]+(?:[.][0-9]+)+)|([0-9]+)sol[.]?")
_KIND_OF = r"(?!Anti(?!podean)|Mars|Danger)\w+"
"""What makes a kind of circe of the condition before, and no condition of its own."""
_WITH_LENGTH = re.compile(r".*[^0-9.].*[0-9]|[0-9.]+")
_ARRAY = "rsbqkbsr/pppppppp/32/PPPPPPPP/RSBQKBSR"


def bare_name(name: str) -> str:
    """The letters of a piece, without its side and its attributes."""
    return name.strip("".join([".", *MARKS])).lower().removeprefix("w.")


def colour_of(name: str) -> str:
    """The side of a piece, by its name: ``white``, ``black`` or ``neutral``."""
    return "neutral" if "=" in name else "black" if name == name.lower() else "white"


def squares_in(word: str) -> list[str]:
    """The squares in a word such as ``a1b2``; none in other words."""
    return re.findall("..", word) if SQUARES.fullmatch(word) else []


@dataclass
class PopeyeProblem:
    """A chess problem as its author wrote it."""

    line: int
    """The number of its first line."""
    language: str = "english"
    number: int = 1
    """Its place among the entries that begin on its first line."""
    error: str = ""
    """A sentence about a part that can't be read; empty if there is none."""
    texts: dict[str, list[str]] = field(default_factory=dict)
    """The author, the origin, the title and the award, each by its command."""
    pieces: dict[str, str] = field(default_factory=dict)
    """Squares with the pieces' English names, as in Forsyth notation: ``e1`` with ``K``."""
    origin: dict[str, str] = field(default_factory=dict)
    """Where the play to the position of a stipulation ``a=>b`` begins."""
    stipulation: str = ""
    intended: tuple[int, ...] = ()
    """The number of solutions that the author intends, or that after each move; empty: any."""
    conditions: list[str] = field(default_factory=list)
    """Conditions by their English names, each with its parameters."""
    options: dict[str, str] = field(default_factory=dict)
    """Their whole English names, with the squares or the numbers that follow."""
    twins: list[list[str]] = field(default_factory=list)
    """The words that say how each twin differs from the problem."""
    alone: bool = True
    """Whether it is a problem itself, and not only what its twins differ from."""
    label: str = ""
    """Which twin it is: ``a``, ``b`` and so on; empty without twins."""
    whole: "PopeyeProblem | None" = None
    """What a twin is a twin of."""
    entry: JsonObject = field(default_factory=dict)
    """The entry of Olive or YACPDB that it is."""
    change: str = ""
    """How a twin differs, as Popeye says it."""
    missing: dict[str, None] = field(default_factory=dict)
    """What no rules here have, such as neutral pieces, each with its line."""
    lines: dict[str, int] = field(default_factory=dict)
    """The lines of pieces, conditions and the stipulation."""
    _side: str = ""
    _name: str = ""
    _named: bool = False
    _attributes: list[str] = field(default_factory=list)

    def place_text(self, line: int = 0) -> str:
        """A line, by default the first, as error messages name it."""
        return f"line {line or self.line}" + f", entry {self.number}" * (self.number > 1)

    @property
    def wants_all(self) -> bool:
        """Whether it asks for set play, tries or variations."""
        return any(name in self.options for name in _SHOWN)

    @property
    def solved(self) -> str:
        """The stipulation that is solved: with ``WhiteToPlay`` the set play of help play.

        A half move counts only in help play.
        """
        if battle := _BATTLE.fullmatch(self.stipulation):
            return battle[1]
        found = re.fullmatch(r"(h(?:00|\D+))([0-9]+)", self.stipulation)
        if not found or "whitetoplay" not in self.options:
            return self.stipulation
        return f"{found[1]}{int(found[2]) - 1}.5"

    @property
    def first_pieces(self) -> dict[str, str]:
        """Where the pieces stand first: in a proof game, as in the start."""
        if not re.search("dia[0-9]", self.stipulation):
            return self.origin or self.pieces
        start = PopeyeProblem(self.line)
        start._read_forsyth(_ARRAY, self.line)
        return start.pieces

    @property
    def kingless(self) -> list[str]:
        """The sides that may have no king."""
        sides = {"nowk": "white", "nobk": "black"}
        return [side for option, side in sides.items() if option in self.options]

    @property
    def after_key(self) -> bool:
        """Whether the key was made already."""
        helps = self.stipulation.startswith(("h", "ser-", "dia", "a=>b", "white", "black"))
        return "postkeyplay" in self.options and not helps

    @property
    def mover(self) -> str:
        """The side that begins: ``white`` or ``black``."""
        asked = structured(self.solved)
        first = asked[0] if STRUCTURED.fullmatch(asked) else first_side(asked)
        white = (first == "w") != ("halfduplex" in self.options)
        white ^= self.after_key or bool(_TURNED.match(asked))
        white ^= "whitetoplay" in self.options and asked.startswith("a=>b")
        return "white" if white else "black"

    def read(self, line: int, command: str, word: str | None) -> None:
        """Read a word after a command, or the command itself; keep the first error."""
        try:
            if word is None:
                self._begin(line, command)
            elif command in TWINS:
                self.twins[-1].append(word)
            elif command == "pieces":
                self.place(word, line)
            elif command == "forsyth":
                self._read_forsyth(word, line)
            elif command == "option":
                self._read_option(word, line)
            elif command == "condition":
                self.read_condition(word, line)
            elif command == "stipulation":
                self.read_stipulation(word)
            elif command == "sstipulation":
                self.read_structure(word)
            else:
                raise BadRequest(f"{shorten(word)!r} is no word of Popeye's language here")
        except BadRequest as error:
            self.error = self.error or f"{self.place_text(line)}: {error}"

    def _begin(self, line: int, command: str) -> None:
        self._check_attributes()
        self._name = self._side = ""
        self._attributes = []
        if command == "initialgamearray":
            self._read_forsyth(_ARRAY, line)
        elif command in ("stipulation", "sstipulation"):
            self.stipulation, self.lines["stipulation"] = "", line
        elif command in TWINS:
            self.alone &= command == "twin"
            self.twins.append([])

    def read_stipulation(self, word: str) -> None:
        """Read a stipulation, its length, or the number intended: ``2.1.1.1`` or ``2sol``.

        Raises ``BadRequest`` for another word after it.
        """
        if self.stipulation and _WITH_LENGTH.fullmatch(self.stipulation):
            if found := _INTENDED.fullmatch(word):
                self.intended = tuple(map(int, (found[1] or found[2]).split(".")))
                return
            raise BadRequest(f"{shorten(word)!r} follows the stipulation {self.stipulation!r}")
        self.stipulation += word.lower()
        if "a=>b" in self.stipulation and not self.origin:
            self.origin, self.pieces = self.pieces, {}

    def read_structure(self, word: str) -> None:
        """Read a side, or a part of a structured stipulation. Raises ``BadRequest``."""
        if self.stipulation:
            self.stipulation += f" {word.lower()}"
            return
        side = meaning(word, COLOURS[self.language])
        if side not in ("white", "black"):
            raise BadRequest(f"a structured stipulation begins with a side, not {shorten(word)!r}")
        self.stipulation = side

    def place(self, word: str, line: int = 0) -> None:
        """Read a side, an attribute, a piece, or its squares.

        In a word of even length the piece has two letters. Raises ``BadRequest`` for another word.
        """
        letters = ENGLISH[self.language]
        length = 2 - len(word) % 2
        name, squares = word[:length].lower(), word[length:].lower()
        if self._attributes == ["totalinvisible"] and word.isdigit():
            self._miss("invisible pieces", line)
            return
        if self._name and SQUARES.fullmatch(word.lower()):
            squares = word.lower()
        elif not self._side or name not in letters or not SQUARES.fullmatch(squares or "a1"):
            self._read_side(word)
            return
        else:
            if self._named and "royal" in self._attributes:  # only the first piece is royal
                self._attributes.remove("royal")
            self._name, self._named = letters[name], True
        known = [mark for mark, attribute in MARKS.items() if attribute in self._attributes]
        for attribute in set(self._attributes) - set(MARKS.values()):
            self._miss(f"{attribute} pieces", line)
        if len(set(known) - {"="}) > 1:
            self._miss(f"{' '.join(self._attributes)} pieces", line)
        for square in re.findall("..", squares):
            self._put(square, self._name, self._side == "white", line, "".join(known))
        if squares:
            self._name = ""

    def _read_side(self, word: str) -> None:
        self._name = ""
        if side := meaning(word, COLOURS[self.language]):
            self._check_attributes()
            self._side = "white" if side in ("neutral", "totalinvisible") else side
            self._attributes, self._named = [side] if side not in ("white", "black") else [], False
        elif self._side and (attribute := meaning(word, ATTRIBUTES[self.language])):
            if self._named:  # the attributes before hold up to here, or up to the next side
                self._attributes = [each for each in self._attributes if each == "neutral"]
                self._named = False
            self._attributes.append(attribute)
        else:
            raise BadRequest(f"{shorten(word)!r} is no piece of White or Black")

    def _check_attributes(self) -> None:
        idle = [each for each in self._attributes if each not in ("neutral", "totalinvisible")]
        if idle and not self._named:
            raise BadRequest(f"{' '.join(idle)} stands before no piece")

    def _put(self, square: str, name: str, white: bool, line: int, marks: str = "") -> None:
        named = f"{marks}.{name}" if len(name) > 1 else f"{marks}{name}"
        if name.isdigit():
            named = f"{marks}w.{name}"  # a letter shows the side
        if line and square in self.pieces:  # Popeye takes the second one, and keeps a ghost
            raise BadRequest(f"two pieces stand on {square}")
        self.pieces[square] = named.upper() if white else named
        self.lines.setdefault(name.upper(), line)

    def _miss(self, what: str, line: int) -> None:
        self.missing[f"{what} (line {line})" if line else what] = None

    def _read_forsyth(self, word: str, line: int) -> None:
        place = end = 0
        letters = ENGLISH[self.language]
        for found in _FORSYTH.finditer(word):
            colour, name, blanks, slash = found.groups()
            named = letters.get((name or "").strip(".").lower())
            if found.start() != end or (name and (place >= 64 or not named)):
                break
            end = found.end()
            if slash:
                place += -place % 8
            elif named:
                white = colour == "+" or (not colour and name.strip(".")[0].isupper())
                square, neutral = f"{'abcdefgh'[place % 8]}{8 - place // 8}", colour == "="
                self._put(square, named, white or neutral, line, "=" * neutral)
                place += 1
            else:
                place += min(int(blanks[:3]), 64)
        if end != len(word):
            raise BadRequest(f"{shorten(word)!r} is no Forsyth notation of 64 squares")

    def _read_option(self, word: str, line: int) -> None:
        given = self.options.get(self._name, "").split()
        if self._name in _NUMBERS and word.isdigit() and len(given) < _NUMBERS[self._name]:
            self.options[self._name] = " ".join([*given, word])
        elif self._name in ("nocastling", "enpassant") and SQUARES.fullmatch(word.lower()):
            self.options[self._name] += word.lower()
        elif option := meaning(word, OPTIONS[self.language]):
            self._name = option
            self.options[option] = ""
            if option in _UNREAD:
                self._miss(f"the option {option}", line)
        else:
            raise BadRequest(f"the option {shorten(word)!r} isn't read here")

    def read_condition(self, word: str, line: int = 0) -> None:
        """Read a condition, or a parameter of the one before."""
        condition = meaning(word, CONDITIONS[self.language])
        last = self.conditions[-1] if self.conditions else ""
        if word.lower() in ("strict", "strikt", "stricte") and "Circe" in last:
            if last != "CageCirce":  # it is the default
                return
            condition = None
        if condition and last.endswith("Circe") and re.fullmatch(_KIND_OF + last, condition):
            self.conditions.pop()  # a kind of the condition before
        if condition or not self.conditions:
            self.conditions.append(condition or word)
            self.lines.setdefault(condition or word, line)
        else:
            letters = ENGLISH[self.language]
            self.conditions[-1] += f" {letters.get(word.lower(), word)}"

    def where(self, what: str) -> str:
        """A part of the problem, with its line."""
        line = self.lines.get(what.partition(" ")[0]) or self.line
        return f"{what} (line {line})"

    def fen(self, peer: Peer) -> str:
        """The position, in the letters of a game. Raises ``BadRequest`` for a piece without one."""
        if strange := sorted(set(self.pieces.values()) - peer.letters.keys()):
            raise BadRequest(f"the rules have no piece {', '.join(strange)}")
        return self.placed(peer.letters)

    def placed(self, letters: Mapping[str, str]) -> str:
        """The position as a FEN, with a letter for each piece."""
        rows = []
        for row in "87654321":
            text = "".join(letters.get(self.pieces.get(file + row, ""), "1") for file in "abcdefgh")
            rows.append(re.sub("1+", lambda blanks: str(len(blanks[0])), text))
        rights = [right for right, corner in CORNERS.items() if self.castles(right, corner)]
        passed = self.options.get("enpassant", "")[2:4]
        return f"{'/'.join(rows)} {self.mover[0]} {''.join(rights) or '-'} {passed or '-'} 0 1"

    def castles(self, right: str, corner: str) -> bool:
        """Whether a side may castle with the rook in a corner."""
        stays, king = self.options.get("nocastling", ""), f"e{corner[1]}"
        rook, its_king = ("R", "K") if right.isupper() else ("r", "k")
        pieces = self.first_pieces
        in_place = pieces.get(corner) == rook and pieces.get(king) == its_king
        in_place &= [*pieces.values()].count(its_king) == 1  # as in royal dynasty
        return in_place and corner not in stays and king not in stays
