"""Finds likely mistakes in users' own rules, each a sentence with its place.

clingo accepts all of them: a misspelt word is a predicate that never holds. So these are guesses,
and the game can still be played.
"""

from typing import NamedTuple

from ..asp.sources import encodings_folder
from .encoding import Encoding

_TELINGO = ("initial", "dynamic", "always", "final")


class Mistake(NamedTuple):
    """A likely mistake."""

    kind: str
    """A word of ``docs/check.md``."""
    file: str
    line: int | None
    """None if something is missing in the file."""
    sentence: str
    certain: bool = False
    """Whether it is no guess: terms grow without end, whatever is played."""

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.sentence}"


def mistakes(encoding: Encoding) -> list[Mistake]:
    """Likely mistakes in the order of the lines. Files that come with aspgames are not examined."""
    if not own_files(encoding):
        return []
    question = "\n".join(["mistakes", *(source.text for source in encoding.explaining)])

    def look() -> list[tuple[str, str, int | None, str, bool]]:
        from .linter import Linter

        return list(Linter(encoding, own_files(encoding)).found())

    return [Mistake(*each) for each in encoding.remembered(question, {}, look)]


def growing(encoding: Encoding) -> list[str]:
    """The mistakes about terms that may grow without end."""
    return [str(mistake) for mistake in mistakes(encoding) if mistake.kind == "growing"]


def no_roles(encoding: Encoding) -> str:
    """Why nobody can play: there are no roles, or the program has telingo's parts."""
    parts = [part for part in _TELINGO if encoding.parts.get(part)]
    if not parts:
        return "there is no role/1, so nobody can play"
    text = "its part is telingo's" if len(parts) == 1 else "these parts are telingo's"
    form = "aspgames import writes the rules of one step, with role/1, init/1, legal/2 and next/1"
    return f"there is no role/1, and {text}: {', '.join(parts)}; {form}"


def own_files(encoding: Encoding) -> set[str]:
    """The names of the user's own files."""
    sources = *encoding.sources, *encoding.explaining
    return {s.name for s in sources if encodings_folder() not in s.path.parents}
