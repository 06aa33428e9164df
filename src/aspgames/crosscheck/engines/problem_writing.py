"""Writes files of chess problems: Olive's, YACPDB's entries, FENs, Popeye's input and diagrams."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ...runtime.call_arguments import optional_package
from ...runtime.errors import BadRequest
from ...runtime.json_lines import JsonObject
from ...runtime.temporary_files import TemporaryFolder
from .popeye_problem import MARKS, SQUARES, PopeyeProblem, bare_name, colour_of
from .popeye_reference import drawing
from .popeye_words import ATTRIBUTES, CHANGES, COLOURS, CONDITIONS, ENGLISH, OPTION_NAMES, meaning

FORMATS = (".olv", ".json", ".fen", ".inp", ".svg")
"""The endings of files that are written: Olive's, YACPDB's, FENs, Popeye's input, diagrams."""
SOLVED = (".olv", ".json")
"""The endings of files that have solutions."""
_WORDS = {"halfneutral": "HalfNeutral"}


def piece_words(problem: PopeyeProblem) -> dict[str, list[str]]:
    """For each colour the pieces as Popeye writes them: ``Kd5``, ``Royal MAa1``."""
    found: dict[str, list[str]] = {}
    for square, name in problem.pieces.items():
        marks = [MARKS[mark] for mark in name if mark in MARKS and mark != "="]
        word = f"{bare_name(name).upper()}{square}"
        named = [_WORDS.get(mark, mark.capitalize()) for mark in marks]
        found.setdefault(colour_of(name), []).append(" ".join([*named, word]))
    return found


def entry_of(problem: PopeyeProblem, solution: str) -> JsonObject:
    """A problem with its twins and its solution, as an entry of YACPDB in English.

    Fields that the problem was read with are kept.
    """
    if problem.entry:
        return {**problem.entry, **({"solution": solution} if solution else {})}
    texts = problem.texts
    options = [
        f"{OPTION_NAMES[name]} {given}".strip()
        for name, given in problem.options.items()
        if name != "noboard"
    ]
    fields: JsonObject = {
        "authors": texts.get("author"),
        "source": {"name": " ".join(texts.get("origin", ()))} if texts.get("origin") else None,
        "algebraic": piece_words(problem),
        "stipulation": problem.stipulation,
        "options": [*problem.conditions, *options],
        "twins": {
            chr(ord("b" if problem.alone else "a") + number): " ".join(
                _english(word, problem.language) for word in words
            )
            for number, words in enumerate(problem.twins)
        },
        "solution": solution,
        "comments": [f"The play begins with {problem.origin}"] if problem.origin else None,
    }
    return {name: value for name, value in fields.items() if value}


def _english(word: str, language: str) -> str:
    """A word of a twin in English."""
    for table in (CHANGES, COLOURS, ATTRIBUTES, CONDITIONS):
        if found := meaning(word, table[language]):
            return found.title() if found.islower() else found
    length = 2 - len(word) % 2
    letters = ENGLISH[language].get(word[:length].lower(), "")
    placed = letters and (len(word) == length or SQUARES.fullmatch(word[length:].lower()))
    return f"{letters.upper()}{word[length:]}" if placed else word


def _fen(problem: PopeyeProblem) -> str:
    """A problem as a line of FEN. Raises ``BadRequest`` if it has more than that says."""
    entry = entry_of(problem, "")
    strange = {name for name in problem.pieces.values() if name.lower() not in "kqrbsp"}
    more = [*sorted(strange), *problem.conditions, *entry.get("twins", {})]
    if more:
        raise BadRequest(f"{problem.place_text()}: a FEN can't have {', '.join(more)}")
    knights = {name: name.translate({83: "N", 115: "n"}) for name in problem.pieces.values()}
    return f"{problem.placed(knights)} {problem.stipulation}"


def file_text(ending: str, solved: Sequence[tuple[PopeyeProblem, Sequence[str]]]) -> str:
    """The text of a file of problems, each with its solution. Raises ``BadRequest``."""
    if ending == ".fen":
        return "".join(f"{_fen(problem)}\n" for problem, _ in solved)
    if ending == ".inp":
        return "".join(map(_input, (problem for problem, _ in solved)))
    entries = [entry_of(problem, "\n".join(parts).strip("\n")) for problem, parts in solved]
    if ending == ".json":
        return json.dumps(entries, ensure_ascii=False, indent=1) + "\n"
    yaml = optional_package("yaml", "a YAML file", "aspgames[yaml]")

    class Dumper(yaml.SafeDumper):  # type: ignore[misc, name-defined]
        """Texts of several lines are blocks."""

    def block(dumper: Any, text: str) -> Any:
        style = "|" if "\n" in text else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    Dumper.add_representer(str, block)
    layout = {"sort_keys": False, "allow_unicode": True, "explicit_start": True}
    return str(yaml.dump_all(entries, Dumper=Dumper, **layout))


def ending_of(name: str) -> str:
    """The ending of a file that is written. Raises ``BadRequest`` for an unknown one."""
    ending = Path(name).suffix.lower()
    if ending not in FORMATS:
        raise BadRequest(f"the ending of {name!r} must be {', '.join(FORMATS)}")
    return ending


def _input(problem: PopeyeProblem) -> str:
    """A problem in Popeye's language, in English."""
    if problem.origin:
        raise BadRequest(f"{problem.place_text()}: a=>b isn't written")
    entry = entry_of(problem, "")
    pieces = entry["algebraic"].items()
    lines = ["BeginProblem"]
    lines += [f"{name.title()} {text}" for name, texts in problem.texts.items() for text in texts]
    placed = list[str]()  # an attribute holds up to the next side
    for colour, words in pieces:
        if plain := [word for word in words if " " not in word]:
            placed.append(f"{colour} {' '.join(plain)}")
        placed += [f"{colour} {word}" for word in words if " " in word]
    lines.append(f"Pieces {' '.join(placed)}")
    lines.append(f"Stipulation {problem.stipulation}")
    lines += [f"Condition {' '.join(problem.conditions)}"] * bool(problem.conditions)
    given = entry.get("options", [])[len(problem.conditions) :]
    lines += [f"Option {' '.join(given)}"] * bool(given)
    lines += [
        f"{'ZeroPosition' if label == 'a' else 'Twin'} {words}"
        for label, words in entry.get("twins", {}).items()
    ]
    return "\n".join([*lines, "EndProblem", ""])


def unsolved(problems: Iterable[PopeyeProblem], ending: str) -> tuple[list[str], list[str]]:
    """The texts of files with problems, unsolved, and what is wrong with those left out.

    Each diagram is a text of its own.
    """
    texts, errors = list[str](), list[str]()
    with TemporaryFolder() as folder:
        for problem in problems:
            try:
                if problem.error:
                    raise BadRequest(problem.error)
                if problem.label in ("", "a") and ending == ".svg":
                    texts.append(drawing(problem, Path(folder)))
                elif problem.label in ("", "a"):
                    texts.append(file_text(ending, [(problem.whole or problem, [])]))
            except BadRequest as error:
                errors.append(str(error))
    return texts if ending == ".svg" else ["".join(texts)], errors
