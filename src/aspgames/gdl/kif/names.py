"""Symbols of a sheet as names of an answer-set program, and back.

Most symbols stay. ``speed+`` isn't a name of a program: it becomes ``speed_plus``, and the encoding
has ``kif_name(speed_plus,"speed+")``, so that KIF written later has the sheet's symbol. ``Push``
becomes ``push``, and the encoding has ``kif_name(push,"Push")``. Numbers of
a sheet become numbers if clingo allows them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...asp.terms import LARGEST
from ..predicates import GAME, GIVEN, TELLING
from .sheet import KEYWORDS, Function, SheetRule, Term, Variable


def table(pairs: str) -> dict[str, str]:
    """Words, each with the word after it."""
    words = pairs.split()
    return dict(zip(words[::2], words[1::2], strict=True))


_NOOP = "noop"  # the move of a waiting side in encodings
_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
_NUMBER = re.compile(r"(?:0|-?[1-9][0-9]{0,9})\Z")
_WORDS = table(r"""
    + plus   - minus   * times   / slash   < less      > greater   = equal       ! not    ? question
    % percent   & and   | or   ' prime   " quote   . dot   , comma   : colon   # hash   @ at
    $ dollar    ^ hat   ~ tilde   [ open   ] close   { begin   } end   \ backslash   ` tick
""")
MEANT = {
    (name, len(arguments))
    for name, arguments in (GAME | GIVEN | TELLING).items()
    if name not in (*KEYWORDS, "sees", "weight")
}
"""Predicates with a meaning in encodings that sheets don't give them."""


class SheetNames:
    """The names of one sheet's symbols."""

    def __init__(self, rules: Sequence[SheetRule], spellings: Mapping[str, str]) -> None:
        """``spellings`` has the symbols as the sheet writes them, by their lower case."""
        self._spellings = spellings
        self._constants: dict[str, None] = {}
        self._functions: dict[str, None] = {}
        self._relations: dict[tuple[str, int], None] = {}
        for rule in rules:
            self._take(rule.head)
            for literal in rule.body:
                self._take(literal.atom)
        texts = {**self._constants, **self._functions}
        self.constants = spelled(text for text in texts if not is_number(text))
        if waiting := _waiting(rules):
            self.constants[waiting] = _NOOP
        numbers = {text: text for text in self._constants if is_number(text)}
        taken = {*self.constants.values()}
        self.functions = self.constants | _apart(filter(is_number, self._functions), taken)
        self.constants |= numbers
        self.relations = self._name_relations()

    def _take(self, atom: Function) -> None:
        self._relations[atom.name, len(atom.arguments)] = None
        work: list[Term] = list(atom.arguments)
        while work:
            term = work.pop()
            if isinstance(term, Variable):
                continue
            known = self._functions if term.arguments else self._constants
            known[term.name] = None
            work += term.arguments

    def _name_relations(self) -> dict[tuple[str, int], str]:
        names = spelled(dict.fromkeys(name for name, _ in self._relations))
        found: dict[tuple[str, int], str] = {}
        for text, arity in self._relations:
            name = names[text]
            while (name, arity) in MEANT or (name != names[text] and name in names.values()):
                name += "_"
            found[text, arity] = name
        return found

    def changed(self) -> Iterator[tuple[str, str, str]]:
        """Names that differ from the sheet's symbols, with these: the predicate for both first."""
        terms = {**self.constants, **self.functions}.items()
        others = [
            (text, name) for (text, _), name in self.relations.items() if text not in KEYWORDS
        ]
        for predicate, names in (("kif_name", terms), ("kif_relation", others)):
            written = {name: self._spellings.get(text, text) for text, name in names}
            yield from ((predicate, name, t) for name, t in written.items() if name != t)


def _waiting(rules: Iterable[SheetRule]) -> str | None:
    """The move of a waiting side, if the sheet doesn't call it noop.

    It is the only move without arguments, if there is just one such move.
    """
    moves = [rule.head.arguments[1] for rule in rules if rule.head.name == "legal"]
    names = {move.name for move in moves if isinstance(move, Function) and not move.arguments}
    acting = [move for move in moves if isinstance(move, Function) and move.arguments]
    if len(names) != 1 or not acting or any(isinstance(move, Variable) for move in moves):
        return None
    (name,) = names
    return None if name == _NOOP or is_number(name) else name


def spelled(texts: Iterable[str]) -> dict[str, str]:
    """Different names for different symbols; symbols that are names stay."""
    symbols = list(texts)
    plain = {text: text for text in symbols if is_name(text)}
    return plain | _apart((text for text in symbols if text not in plain), set(plain))


def _apart(texts: Iterable[str], taken: set[str]) -> dict[str, str]:
    return {text: unused(spelling(text), taken) for text in texts}


def unused(name: str, taken: set[str]) -> str:
    """A name that isn't taken yet, and is from now on."""
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    taken.add(found)
    return found


def is_name(text: str) -> bool:
    """Whether a symbol is a name of a program."""
    return bool(_NAME.match(text)) and text != "not"


def is_number(text: str) -> bool:
    """Whether a symbol is a number as clingo writes it, within clingo's range."""
    return bool(_NUMBER.match(text)) and abs(int(text)) <= LARGEST


def spelling(text: str) -> str:
    """A name that resembles a symbol."""
    parts = re.findall(r"[a-z0-9_]+|.", re.sub(r"(?<=\w)-(?=\w)", "_", text), re.DOTALL)
    words = [part if part[0] in _PLAIN else _WORDS.get(part, f"u{ord(part):x}") for part in parts]
    name = "_".join(words)
    return name if is_name(name) else f"n_{name.lstrip('_')}"


_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_")
