"""Reading ``.lp`` files and what they include.

Includes are resolved here, beside the including file first and among the encodings that come with
aspgames second (clingo itself would look into the current directory first, where anything might
lie).
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..runtime.errors import RulesError

_SKIPPED = r'%\*[^\0]*?\*%|%[^\n\0]*|"(?:\\.|[^"\\\n\0])*"'  # comments and strings
_INCLUDE = re.compile(rf'#include\s+"([^"\n]+)"\s*\.|{_SKIPPED}')
_QUIET = re.compile(_SKIPPED)


@dataclass(frozen=True)
class Source:
    """One file of an encoding: where it was found, and its text with the includes taken out."""

    path: Path
    text: str

    @property
    def name(self) -> str:
        """The path as clingo takes it, which knows no other text than UTF-8."""
        return os.fsencode(self.path).decode("utf-8", "backslashreplace")

    @property
    def bare(self) -> str:
        """The text without comments and strings; its lines keep their numbers."""
        return _QUIET.sub(_blank, self.text)


@cache
def encodings_folder() -> Path:
    """The folder of the encodings that come with aspgames: in the package, or beside ``src``."""
    package = Path(__file__).parents[1]
    installed = package / "encodings"
    return installed if installed.is_dir() else package.parents[1] / "encodings"


def is_file(path: Path) -> bool:
    """Whether there is such a file; a name that no file can have is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def read_sources(path: Path) -> tuple[Source, ...]:
    """A file and all that it includes, included ones first, each once. Raises ``RulesError``."""
    sources: dict[Path, Source] = {}
    _collect(path, sources, ())
    return tuple(sources.values())


def sentences_for(path: Path) -> Path:
    """Where the sentences for what a file says are, if they are a file: ``why/NAME.lp`` beside it.

    Of the encodings that come with aspgames all lie in one folder ``why``, as they do themselves.
    """
    home = encodings_folder() if path.is_relative_to(encodings_folder()) else path.parent
    return home / "why" / path.relative_to(home)


def _collect(path: Path, sources: dict[Path, Source], including: tuple[Path, ...]) -> None:
    if path in including:
        raise RulesError(f"{path} includes itself")
    if path in sources:
        return
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise RulesError(f"{path} can't be read: {reason}") from None
    for match in _INCLUDE.finditer(text):
        if not match[1]:
            continue  # a comment or a string
        candidates = [folder / match[1] for folder in (path.parent, encodings_folder())]
        found = next((file for file in candidates if is_file(file)), None)
        if found is None:
            raise refusal(path, text, match.start(), f"there is no file {match[1]!r} to include")
        _collect(found.resolve(), sources, (*including, path))
    sources[path] = Source(path, _INCLUDE.sub(lambda m: _blank(m) if m[1] else m[0], text))


def _blank(found: re.Match[str]) -> str:
    """Nothing but a match's line breaks, so that lines keep their numbers."""
    return "\n" * found[0].count("\n")


def refusal(path: Path, text: str, place: int, what: str) -> RulesError:
    """What is wrong at a place in the text of a file, with the line's number."""
    line = text.count("\n", 0, place) + 1
    return RulesError(f"{path}:{line}: {what}")
