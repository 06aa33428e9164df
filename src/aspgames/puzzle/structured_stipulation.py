"""Stipulations in structured form, such as ``black 3h[3a[#]d]h``.

A branch has the number of its half-moves and the letters of those that alternate: ``h`` in help
play, ``s`` in a series, ``a`` and ``d`` of attacker and defender. In brackets stands what a
half-move reaches, in braces what holds before the next one.
"""

import re
from dataclasses import dataclass

from ..asp.terms import shorten
from ..runtime.errors import BadRequest

GOALS = re.compile(r"#=|==|00|ep|c81|ct|<>|z[a-h][1-8]|[#=~x+]")
"""The goals that rules of reference have, but those of proof games."""
STRUCTURED = re.compile(r"(white|black) .+")
_TOKEN = re.compile(rf"\s*({GOALS.pattern}|[0-9]+|hh|ad|da|\?\+\?|[][{{}}()!|&>/:hsad-])")
_CLASSIC = re.compile(
    rf"(?:(exact-)|([0-9]+)->)?(ser-|pser-|phser-)?(reci-h|hs|h|s|r|)(?:\(({GOALS.pattern})\))?"
    rf"({GOALS.pattern})([0-9]+)(\.5)?"
)
_MOST_HALF_MOVES = 400


@dataclass(frozen=True)
class Leaf:
    """A goal."""

    goal: str


@dataclass(frozen=True)
class Not:
    """What must not be."""

    node: "Node"


@dataclass(frozen=True)
class Both:
    """Two parts with ``&`` or ``|``."""

    sign: str
    left: "Node"
    right: "Node"


@dataclass(frozen=True)
class Branch:
    """Play of at most so many half-moves."""

    letters: str
    """``h``, ``s``, ``ad`` or ``da``."""
    least: int
    most: int
    forks: "tuple[Node | None, Node | None]"
    """What the first and the second kind of half-moves reach."""
    limits: "tuple[Node | None, Node | None]"
    """What holds after the first and the second kind, before another half-move."""
    early: bool = False
    """Whether the play around it ends where it can be solved."""
    silent: bool = False
    """Whether its half-moves aren't shown."""
    turned: bool = False
    """Whether the side on move changes before it."""
    parries: bool = False
    """Whether the second kind of half-moves is left out unless that side is in check."""

    @property
    def battles(self) -> bool:
        """Whether a defender plays against the attacker."""
        return "a" in self.letters


Node = Leaf | Not | Both | Branch


def is_test(node: Node | None) -> bool:
    """Whether it has no half-moves."""
    if isinstance(node, Both):
        return is_test(node.left) and is_test(node.right)
    return is_test(node.node) if isinstance(node, Not) else isinstance(node, Leaf)


def _battles(node: Node) -> bool:
    """Whether it is play against a defender, or a combination with such play."""
    if isinstance(node, Both):
        return _battles(node.left) or _battles(node.right)
    return isinstance(node, Branch) and node.battles


class _Reader:
    def __init__(self, text: str) -> None:
        self._text, self._place = text, 0

    def _peek(self) -> str:
        found = _TOKEN.match(self._text, self._place)
        return found[1] if found else ""

    def take(self, *wanted: str) -> str:
        """The next token if it is one of these; else none."""
        found = _TOKEN.match(self._text, self._place)
        if found is None or found[1] not in wanted:
            return ""
        self._place = found.end()
        return found[1]

    def need(self, token: str) -> None:
        if not self.take(token):
            rest = shorten(self._text[self._place :]) or "nothing"
            raise BadRequest(f"{token!r} must follow in the structured stipulation, not {rest!r}")

    def end(self) -> None:
        if rest := self._text[self._place :].strip():
            raise BadRequest(f"{shorten(rest)!r} follows the structured stipulation")

    def node(self) -> Node:
        left = self._part()
        while sign := self.take("&", "|"):
            left = Both(sign, left, self._part())
        return left

    def _part(self) -> Node:
        if self.take("!"):
            return Not(self._part())
        if self.take("("):
            inner = self.node()
            self.need(")")
            return inner
        token = self._peek()
        if GOALS.fullmatch(token):
            self.take(token)
            return Leaf(token)
        early, silent, turned = (bool(self.take(sign)) for sign in (">", "/", "-"))
        most = self._number()
        least = 0
        if self.take(":"):
            least, most = most, self._number()
        letters = ""
        forks: list[Node | None] = []
        limits: list[Node | None] = []
        parries = False
        for _ in range(2):
            parries = bool(letters and self.take("?+?"))
            letter = self.take("hh", "ad", "da", "h", "s", "a", "d")
            if not letter:
                break
            letters += letter
            forks += [None] * (len(letter) - 1) + [self._bracket("[", "]")]
            limits += [None] * (len(letter) - 1) + [self._bracket("{", "}")]
            if len(letters) == 2 or letters == "s":
                break
        if letters == "s":
            letters, forks, limits = "ss", forks * 2, limits * 2
            if not all(limit is None or is_test(limit) for limit in limits):
                raise BadRequest("a condition of a series that needs moves isn't known")
        if letters not in ("hh", "ss", "ad", "da"):
            raise BadRequest(f"'hh', 's', 'ad' or 'da' must follow {most} in the stipulation")
        if not any(forks):
            raise BadRequest("a branch of the stipulation has no goal")
        pairs = (forks[0], forks[1]), (limits[0], limits[1])
        if parries and letters not in ("hh", "ad"):
            raise BadRequest("'?+?' must stand before the second 'h', or before 'd' after 'a'")
        return Branch(letters, least, most, *pairs, early, silent, turned, parries)

    def _bracket(self, opened: str, closed: str) -> Node | None:
        if not self.take(opened):
            return None
        found = self.node()
        self.need(closed)
        return found

    def _number(self) -> int:
        token = self._peek()
        if not token.isdigit() or not 0 < int(token) <= _MOST_HALF_MOVES:
            raise BadRequest(
                f"the stipulation needs a number of half-moves of at most {_MOST_HALF_MOVES}"
            )
        self.take(token)
        return int(token)


def read_structure(text: str) -> Node:
    """Read a structured stipulation after its side.

    Raises ``BadRequest``, also for other play after that of attacker and defender.
    """
    reader = _Reader(text)
    found = reader.node()
    reader.end()
    mixed = isinstance(found, Both) and _battles(found)
    if isinstance(found, Branch) and found.battles and not found.parries:
        mixed = any(isinstance(fork, Branch) and not fork.silent for fork in found.forks)
    if mixed:
        raise BadRequest("play against a defender, and other play after or beside it, isn't known")
    return found


def structured(stipulation: str) -> str:
    """The structured form of ``exact-``, ``reci-h``, ``pser-`` and ``m->``; other texts as they
    are.
    """
    found = _CLASSIC.fullmatch(stipulation)
    if found is None:
        return stipulation
    exact, before, series, kind, other, goal, number, half = found.groups()
    turns = int(number)
    parries = series in ("pser-", "phser-")
    if not (exact or before or parries or kind in ("reci-h", "hs")) or (before and not series):
        return stipulation
    if kind in ("hs", "r") and series != {"hs": "ser-", "r": "pser-"}[kind]:
        return stipulation
    if parries and (exact or kind == "reci-h"):
        return stipulation
    if kind == "reci-h":
        ends = f"1h[{other or goal}]h & {'-' if series else ''}2hh[{goal}]"
        play = ends if turns == 1 else f"{2 * turns - 2}hh[{ends}]"
        if series and turns > 1:
            play = f"{turns - 1}s[-{ends}]"
        return f"black {play}"
    side = "black" if kind in ("h", "hs") and not half else "white"
    if series:
        forms = {"": goal, "h": f"1h[{goal}]h", "s": f">1d[{goal}]a", "hs": f"1h[1d[{goal}]a]h"}
        end = forms.get(kind, f">1a[{goal}]d")
        play = f"{f'{turns}:' if exact else ''}{turns}s[{end}]"
        if parries:
            letters = "hh" if series == "phser-" or kind == "h" else "ad"
            play = f"{2 * turns - 1}{letters[0]}[{end}]?+?{letters[1]}"
            play += f"{{!1a[{goal}]d}}" * (kind == "r")
            play += f"[{goal}]" * (kind == "s" and letters == "ad")
        if before:
            side, play = "black" if side == "white" else "white", f"{before}s[{play}]"
        return f"{side} {play}"
    plies = 2 * turns - (not kind) + bool(half)
    letters = {"": f"a[{goal}]d", "s": f"ad[{goal}]", "h": f"hh[{goal}]"}[kind]
    if half:
        letters = f"h[{goal}]h"
    return f"{side} {plies}:{plies}{letters}"
