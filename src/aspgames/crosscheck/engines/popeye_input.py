"""Reads chess problems in the language of Popeye, as its manual ``py-engl.txt`` describes it.

Words may be shortened, and capitals don't matter. Positions, stipulations, conditions, and the
options in ``_OPTIONS`` are read.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ...asp.terms import shorten
from ...game.game import Game, games
from ...game.loading import load_game
from ...runtime.errors import BadRequest
from .peers import Peer, needed_peer, peers_of
from .popeye_engine import CORNERS, first_side

_SHORTEST = 3  # letters of a word that is shortened
_SHOWN_TEXTS = ("author", "origin", "title", "award")
_TEXTS = (*_SHOWN_TEXTS, "remark", "protocol")
_UNREAD = ("sstipulation", "twin", "zeroposition")
_ENDS = ("nextproblem", "endproblem")
_COMMANDS = (
    *_TEXTS, *_ENDS, *_UNREAD, "beginproblem", "pieces", "forsyth", "condition", "option",
    "stipulation",
)  # fmt: skip
_SHOWN = ("setplay", "try", "variation")
_OPTIONS = (
    *_SHOWN, "nocastling", "enpassant", "halfduplex", "noboard", "movenumbers", "nothreat",
    "noshortvariations", "intelligent", "maxsolutions", "maxtime", "beep",
)  # fmt: skip
_PLACED = re.compile(r"([a-z][a-z0-9]?)((?:[a-h][1-8])*)")
_SQUARES = re.compile(r"(?:[a-h][1-8])+")
_PROMOTIONS = re.compile(r"\bpromo\w*(?: [qrbs]){4}")
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
    _side: str = ""
    _name: str = ""

    @property
    def wants_all(self) -> bool:
        """Whether it asks for set play, tries or variations."""
        return any(name in self.options for name in _SHOWN)

    @property
    def promotes(self) -> bool:
        """Whether pawns may be promoted to other pieces than in chess."""
        pieces, base = set(self.pieces.values()), set("KkQqRrBbSsPp")
        return (
            not pieces.isdisjoint("Pp")
            and not pieces <= base
            and not _PROMOTIONS.search(" ".join(self.conditions))
        )

    @property
    def mover(self) -> str:
        """The side that begins: ``white`` or ``black``."""
        white = (first_side(self.stipulation) == "w") != ("halfduplex" in self.options)
        return "white" if white else "black"

    def read(self, line: int, command: str, word: str | None) -> None:
        """Read a word after a command, or the command itself; keep the first error."""
        try:
            if command in _UNREAD:
                raise BadRequest(f"{command} isn't read here")
            if word is None:
                self._name = self._side = ""
            elif command == "pieces":
                self._read_pieces(word.lower())
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

    def _read_pieces(self, word: str) -> None:
        if side := _whole(word, ("white", "black")):
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
        if option := _whole(word, _OPTIONS):
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


def read_problems(text: str) -> Iterator[PopeyeProblem]:
    """The problems in a text, in order; text between problems is left out.

    Raises ``BadRequest`` unless the text begins with one.
    """
    problem: PopeyeProblem | None = None
    command = ""
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split()
        for place, word in enumerate(words):
            begun = _whole(word, _COMMANDS)
            if not command and begun != "beginproblem":
                raise BadRequest(f"line {number}: give BeginProblem before {shorten(word)!r}")
            command = begun or command
            if problem is not None and command in _ENDS:
                yield problem
            if command in ("beginproblem", "nextproblem"):
                problem = PopeyeProblem(number)
            elif command == "endproblem" or problem is None:
                problem = None
            elif command in _TEXTS:
                if command in _SHOWN_TEXTS:
                    problem.texts.append(" ".join(words[place + 1 :]))
                break
            else:
                problem.read(number, command, None if begun else word)
    if problem is not None:
        problem.error = problem.error or "EndProblem is missing"
        yield problem
    elif not command:
        raise BadRequest("there is no problem: it begins with BeginProblem")


def rule_book(problem: PopeyeProblem) -> Game:
    """The rule book with a problem's conditions and pieces, and the fewest others.

    Raises ``BadRequest`` if there is none.
    """
    names = set(problem.pieces.values())
    known = [found for found in peers_of("popeye") if _fits(problem, found[1])]
    fitting = [(len(glyphs), path) for path, _, glyphs in known if names <= glyphs]
    if fitting:
        path = min(fitting)[1]
        return load_game(path.stem if path.stem in games() else str(path), {})
    common = frozenset.intersection(*(glyphs for _, _, glyphs in peers_of("popeye")))
    words = [*problem.conditions, *sorted(names - common)]
    raise BadRequest(f"no rule book has {' and '.join(words)}: write one, and give it as GAME")


def peer_for(problem: PopeyeProblem, game: Game) -> Peer:
    """A game in Popeye. Raises ``BadRequest`` unless it has the problem's conditions."""
    peer = needed_peer(game, "popeye")
    if not _fits(problem, peer.name):
        given = " ".join(problem.conditions) or "no condition"
        raise BadRequest(f"{game.name} has {peer.name or 'no condition'}, the problem {given}")
    return peer


def _fits(problem: PopeyeProblem, name: str) -> bool:
    words, given = name.lower().split(), _PROMOTIONS.sub("", " ".join(problem.conditions)).split()
    return len(words) == len(given) and all(
        len(short) >= _SHORTEST and word.startswith(short)
        for word, short in zip(words, given, strict=True)
    )


def _whole(word: str, words: Sequence[str]) -> str | None:
    """The only one of ``words`` that begins so; None if there is none, or several."""
    found = [each for each in words if each.startswith(word.lower())]
    return found[0] if len(found) == 1 and len(word) >= _SHORTEST else None
