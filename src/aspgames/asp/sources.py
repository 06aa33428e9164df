"""Reads ``.lp`` files and the files that they include.

An included file is first looked up beside the including file, then among the encodings of aspgames.
(clingo itself would look in the current directory first, which may contain any file.)
"""

import os
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..runtime.arguments import utf8_text
from ..runtime.errors import RulesError

SKIPPED = r'%\*[^\0]*?\*%|%[^\n\0]*|"(?:\\.|[^"\\\n\0])*"'  # comments and strings
_INCLUDE = re.compile(rf'#include\s+"([^"\n]+)"\s*\.|{SKIPPED}')
_QUIET = re.compile(SKIPPED)


@dataclass(frozen=True)
class Source:
    """One file of an encoding: its path, and its text without the includes."""

    path: Path
    text: str

    @property
    def name(self) -> str:
        """The path as clingo accepts it, in UTF-8."""
        return os.fsencode(self.path).decode("utf-8", "backslashreplace")

    @property
    def bare(self) -> str:
        """The text without comments and strings; lines keep their numbers."""
        return _QUIET.sub(_blank, self.text)


@cache
def encodings_folder() -> Path:
    """The folder of the encodings that come with aspgames: in the package, or beside ``src``."""
    package = Path(__file__).parents[1]
    installed = package / "encodings"
    return installed if installed.is_dir() else package.parents[1] / "encodings"


def is_file(path: Path) -> bool:
    """Whether the file exists; False also for invalid names."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def read_sources(path: Path) -> tuple[Source, ...]:
    """A file and all included files, each once, included files first. Raises ``RulesError``."""
    sources: dict[Path, Source] = {}
    _collect(path, sources, ())
    return tuple(sources.values())


def companion(path: Path, folder: str) -> Path:
    """The path of a file about an encoding: ``why/NAME.lp`` or ``peers/NAME.lp`` beside it.

    For the encodings of aspgames, such a folder has the same subfolders as ``encodings``.
    """
    home = encodings_folder() if path.is_relative_to(encodings_folder()) else path.parent
    return home / folder / path.relative_to(home)


def _collect(path: Path, sources: dict[Path, Source], including: tuple[Path, ...]) -> None:
    if path in including:
        raise RulesError(f"{path} includes itself")
    if path in sources:
        return
    text = utf8_text(path, RulesError)
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
    """Only the line breaks of a match, so that lines keep their numbers."""
    return "\n" * found[0].count("\n")


def refusal(path: Path, text: str, place: int, what: str) -> RulesError:
    """The error for a place in a file, with file and line."""
    line = text.count("\n", 0, place) + 1
    return RulesError(f"{path}:{line}: {what}")
