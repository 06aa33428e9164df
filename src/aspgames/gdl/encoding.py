"""An encoding: the files of a game, with its program parts and its constants."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..asp.canonical import canonical
from ..asp.sources import Source, companion, encodings_folder, is_file, read_sources
from ..asp.terms import LARGEST, Constants
from ..runtime import cache
from ..runtime.arguments import quote
from ..runtime.errors import BadConstant, RulesError, UnknownGame

if TYPE_CHECKING:
    from ..asp.clingo_api import AST
    from ..asp.rewrite.move_bounds import Dependent
    from ..asp.statements import Signature


SHEETS = (".kif", ".gdl")
"""The suffixes of rule sheets in KIF."""

OWN = (".lp", *SHEETS)
"""The suffixes of users' own games: encodings and rule sheets."""

_GAMES = "", "gallery"
"""Where the games that come with aspgames are, within the folder of encodings."""

_KIND = "rules"  # of answers in the cache
_NAME = re.compile(r"\w+")
_NUMBER = re.compile(r"-?[0-9]+\Z")


def is_own_file(name: str) -> bool:
    """Whether a name is that of a user's own file, with one of ``OWN``."""
    return name.lower().endswith(OWN)


def is_sheet_file(name: str) -> bool:
    """Whether a file's name is that of a rule sheet in KIF."""
    return name.lower().endswith(SHEETS)


def games() -> list[str]:
    """The names of the built-in games, sorted."""
    folder = encodings_folder()
    return sorted(file.stem for part in _GAMES for file in (folder / part).glob("*.lp"))


def variants() -> list[str]:
    """The names of the built-in variants of games, sorted: ``fairy/atomic``."""
    files = (encodings_folder() / "gallery").glob("*/*.lp")
    return sorted(f"{file.parent.name}/{file.stem}" for file in files)


@dataclass(frozen=True)
class Encoding:
    """A game's files, included ones first. Two encodings are equal when their files' texts are."""

    name: str
    """The game's name: the file's stem."""
    reference: str
    """The argument of ``load``: the name of a built-in game, else the file's absolute path."""
    sources: tuple[Source, ...]

    def with_rules(self, text: str) -> Encoding:
        """The encoding with some more rules."""
        return replace(self, sources=(Source(Path("more.lp"), text), *self.sources))

    @property
    def is_sheet(self) -> bool:
        """Whether it was read from a rule sheet in KIF."""
        return is_sheet_file(self.reference)

    @cached_property
    def fingerprint(self) -> str:
        """A hexadecimal SHA-256 of the rules: the statements of the base part without comments.

        Pictures, notation and comments don't change it.
        """
        return str(self.remembered("fingerprint", {}, self._fingerprint))

    @cached_property
    def parts(self) -> Mapping[str, tuple[AST, ...]]:
        """The statements of each ``#program`` part: ``base``, ``board``, ``position``, …

        The base part is in our words (``asp.rewrite.dialects``).
        """
        return {**self._parsed, "base": self._adapted[0]}

    @property
    def adaptations(self) -> Sequence[tuple[str, str]]:
        """What was written otherwise than in our words: the file and line, and a sentence."""
        return self._adapted[1]

    @cached_property
    def _parsed(self) -> Mapping[str, tuple[AST, ...]]:
        from ..asp.parsing import parse_parts

        return parse_parts(self.sources)

    @cached_property
    def _adapted(self) -> tuple[tuple[AST, ...], Sequence[tuple[str, str]]]:
        base = self._parsed.get("base", ())
        if self.is_sheet or not is_own_file(self.reference):
            return base, ()
        from ..asp.rewrite.dialects import adapted  # for users' own files

        return adapted(base)

    @cached_property
    def explaining(self) -> tuple[Source, ...]:
        """The files of sentences (``why/NAME.lp``) beside the sources.

        Raises ``RulesError`` if one can't be read.
        """
        files = [file for s in self.sources if is_file(file := companion(s.path, "why"))]
        return tuple(dict.fromkeys(source for file in files for source in read_sources(file)))

    @cached_property
    def sentences(self) -> tuple[AST, ...]:
        """The statements of these files; they add to a part ``why``."""
        from ..asp.parsing import parse_parts

        return tuple(s for part in parse_parts(self.explaining).values() for s in part)

    @cached_property
    def constants(self) -> Constants:
        """The constants that ``#const`` defines, with their default values."""
        return self._evaluate({})

    def statements(self, *parts: str) -> tuple[AST, ...]:
        """The statements of some parts, and the definitions of all constants."""
        from ..asp.nodes import kind_of

        chosen = [s for part in parts for s in self.parts.get(part, ())]
        others = (s for part, found in self.parts.items() if part not in parts for s in found)
        elsewhere = [s for s in others if kind_of(s) == "Definition"]
        return tuple(elsewhere + chosen)

    def checked(
        self, constants: Constants, *parts: str, only: Sequence[Signature] = ()
    ) -> Sequence[AST]:
        """As ``statements``; arithmetic outside clingo's 32 bits raises ``RulesError``.

        If ``only`` some predicates are asked about, rules that they don't need get no check.
        """
        from ..asp.rewrite.overflow import with_checks

        return with_checks(self.statements(*parts), self._unproved(constants, parts, only))

    def bounded(self, constants: Constants) -> tuple[Sequence[AST], frozenset[Dependent], bool]:
        """The base part as ``checked``, with bounds of ``legal/2`` where arithmetic has no other.

        Returns also the fluents on which this depends (``asp.rewrite.move_bounds``), and whether
        ``base/1`` may bound what has none.
        """
        from ..asp.rewrite.move_bounds import with_move_bounds
        from ..asp.rewrite.overflow import with_checks
        from ..asp.statements import rule_of

        statements = self.statements("base")
        numbers = self._unproved(constants, ("base",))
        found, numbers, dependent = with_move_bounds(statements, numbers)
        by_base = bool(numbers) and any(("base", 1) in rule_of(one).heads for one in statements)
        return with_checks(found, numbers), dependent, by_base

    def _unproved(
        self, constants: Constants, parts: Sequence[str], only: Sequence[Signature] = ()
    ) -> Sequence[int]:
        """The numbers of the statements with unproved arithmetic.

        It is looked for in all parts at once: one may add to a predicate of another.
        """
        from ..asp.rewrite.overflow import unproved

        every = () if self.is_sheet else self.statements(*self.parts)
        ask = partial(unproved, every, constants, only)
        found = every and self.remembered(f"unproved arithmetic {only}", constants, ask)
        chosen = {id(every[n]) for n in found}
        return [n for n, one in enumerate(self.statements(*parts)) if id(one) in chosen]

    def remembered(self, question: str, constants: Constants, ask: Callable[[], Any]) -> Any:
        """The answer of ``ask``, as JSON, from the cache if the same question was asked before.

        So later processes need no clingo. Questions are the same if the encoding's texts, the
        constants, and the versions of aspgames and clingo are. Errors of ``ask`` are raised, and
        not kept.
        """
        texts = [source.text for source in self.sources]
        key = json.dumps([question, self.name, texts, sorted(constants.items())])
        kept = cache.get(key, _KIND)
        if kept is not None:
            return json.loads(bytes(kept))
        answer = json.dumps(ask(), default=sorted)  # sets
        cache.put(key, _KIND, answer.encode())
        return json.loads(answer)

    def settle_constants(self, given: Constants) -> Constants:
        """All constants with the values in force.

        Raises ``BadConstant`` for a name that the encoding doesn't define.
        """
        for name in given:
            if name not in self.constants:
                has = ", ".join(self.constants) or "none"
                raise BadConstant(f"{self.name} has no constant {name!r} (it has: {has})")
        values = {name: constant_value(value) for name, value in given.items()}
        return self._evaluate(values) if values else self.constants

    def _evaluate(self, given: Constants) -> Constants:
        def ask() -> dict[str, str]:
            from ..asp.constants import evaluate
            from ..asp.rewrite.overflow import endless_range

            values = evaluate(self.statements(), given)
            every = (statement for part in self.parts.values() for statement in part)
            known = {name: constant_value(value) for name, value in values.items()}
            if not self.is_sheet and (found := endless_range(every, known)):
                raise RulesError(f"{found}: numbers go up to {LARGEST:,}, so end it below")
            return values

        terms = self.remembered("constants", given, ask)
        return {name: constant_value(term) for name, term in terms.items()}

    def __reduce__(self) -> tuple[object, ...]:
        # Only the texts: clingo's objects mean nothing to another process.
        return _encoding, (self.name, self.reference, self.sources)

    def _fingerprint(self) -> str:
        rules = "\n".join(map(str, self.statements("base")))
        return sha256(rules.encode()).hexdigest()


def constant_value(value: object) -> int | str:
    """A constant's value: a whole number as ``int``, any other ground term as text."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        error = f"{quote(value)} is no value of a constant: give a whole number or a name"
        raise BadConstant(error)
    term = canonical(str(value))
    if term is None:
        raise BadConstant(f"{str(value)[:60]!r} is no value of a constant")
    return int(term) if _NUMBER.match(term) else term


def read_encoding(reference: str) -> Encoding:
    """Read a game by the name of a built-in one, or by the path of a user's own file.

    Raises ``UnknownGame`` for an unknown name or path, ``RulesError`` if a file can't be read.
    """
    builtin = [encodings_folder() / part / f"{reference}.lp" for part in _GAMES]
    is_name = _NAME.fullmatch(reference) or reference in variants()
    if is_name and (found := next(filter(is_file, builtin), None)):
        path = found
    elif is_own_file(reference):
        path = Path(reference).absolute()
        if not is_file(path):
            raise UnknownGame(f"there is no file {reference!r}")
        reference = str(path)
    elif os.path.isdir(reference):
        raise UnknownGame(f"{reference!r} is a folder: give a game's file")
    elif is_file(Path(reference)):
        raise UnknownGame(f"{reference!r} ends in none of {', '.join(OWN)}: is it a game's file?")
    else:
        from difflib import get_close_matches

        paths = {reference, reference.removesuffix(Path(reference).suffix)}
        files = (f"{path}{ending}" for path in sorted(paths) for ending in OWN)
        stems = {Path(name).name: name for name in [*variants(), *games()]}
        close = get_close_matches(Path(reference).name, stems, n=1)
        near = [*filter(is_file, map(Path, files)), *(stems[name] for name in close)]
        hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(games())}"
        raise UnknownGame(f"there is no game {reference[:80]!r}; {hint}")
    return _encoding(path.stem, reference, _sources(path))


def _sources(path: Path) -> tuple[Source, ...]:
    """The texts of a game's files; a rule sheet is translated to an encoding."""
    if not is_sheet_file(path.name):
        return read_sources(path)
    from .kif.sheet_encoding import program_of_sheet  # few games are sheets

    return (Source(path, program_of_sheet(path)),)


@lru_cache(maxsize=64)
def _encoding(name: str, reference: str, sources: tuple[Source, ...]) -> Encoding:
    """One object for the same texts, so that they are parsed once."""
    return Encoding(name, reference, sources)
