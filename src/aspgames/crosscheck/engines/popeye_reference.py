"""A problem in the rules of reference: any conditions and pieces that they have, together."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from zlib import crc32

from ...asp.sources import encodings_folder, read_sources
from ...game.board import parse_square
from ...game.game import Game
from ...game.loading import load_game
from ...game.picture.drawing import draw
from ...game.picture.scene import Scene
from ...runtime.errors import BadRequest
from .popeye_fens import CORNERS
from .popeye_problem import MARKS, SQUARES, PopeyeProblem, bare_name, colour_of, squares_in

_FOLDER = "shared/problems"
_CHESS = "qrbs"
_NEVER = "k p bp mp po st du"
"""What pawns never become."""
_NUMBERED = ("sat", "strictsat", "roleexchange")
"""Conditions with numbers."""
_PROMOTIONS = ("promonly", "noiprom")
_LENGTH = re.compile(r"[0-9]{1,3}(\.[0-9]{1,2})?|-")
_APART = (
    ("imitator", "a=>b", "imitators aren't known in proof games a=>b"),
    ("antisupercirce", "00", "castling isn't known in antisupercirce as the goal"),
    ("anti(super)?circe", "z[a-h][1278]", "anticirce isn't known with that square as the goal"),
)
"""Conditions, stipulations, and why they aren't known together."""
_STATED = re.compile("c81|ct|<>")
"""Goals that have rules of their own."""
_UNIT = re.compile(r"unit\((\w+),\"?(\w+)\"?,(\w+)\)")


@cache
def _kinds() -> frozenset[str]:
    from ...asp.grounding import Query  # imports clingo
    from ...asp.parsing import parse

    path = encodings_folder() / _FOLDER / "kinds.lp"
    statements = [s for source in read_sources(path) for s in parse(source)]
    known = ("known", 1)
    return frozenset(
        str(symbol.arguments[0]).strip('"') for symbol in Query(statements, {}, (known,))()[known]
    )


def lengths(condition: str) -> dict[str, int]:
    """The lengths that BGL allows [hundredths of a square], for a side or for ``both``."""
    name, *numbers = condition.lower().split()
    if name != "bgl" or not all(_LENGTH.fullmatch(number) for number in numbers):
        return {}
    sides = {1: ("both",), 2: ("white", "black")}.get(len(numbers), ())
    given = {side: number for side, number in zip(sides, numbers, strict=False) if number != "-"}
    return {side: round(100 * float(number)) for side, number in given.items()}


@cache
def _conditions() -> Mapping[str, str]:
    """The files of conditions, by their names in lower case without blanks and signs."""
    folder = encodings_folder() / _FOLDER / "conditions"
    return {path.stem.replace("_", ""): path.name for path in sorted(folder.glob("*.lp"))}


def _file(condition: str) -> str | None:
    """The file of a condition with its parameters; None if there is none."""
    if lengths(condition):
        return _conditions()["bgl"]
    words = [word for word in condition.lower().split() if not SQUARES.fullmatch(word)]
    if words[0] in _NUMBERED:
        words = [word for word in words if not word.isdigit()]
    short = re.sub(r"[^a-z0-9]", "", "".join(words).replace("chess", ""))
    short = re.sub("klusive?", "clusive", short)
    short = re.sub("typ(?=[1-9a-c]$)", "type", short)
    found = _conditions().get(short)
    if found is None and " " in condition:
        longer = [name for each, name in _conditions().items() if each.startswith(short)]
        return longer[0] if len(longer) == 1 else None
    return found


def unknown_parts(problem: PopeyeProblem) -> list[str]:
    """The conditions and pieces of a problem that the rules of reference don't have."""
    given = [each for each in problem.conditions if each.split()[0].lower() not in _PROMOTIONS]
    unknown = [each for each in given if _file(each) is None]
    names = {bare_name(name) for name in _all_names(problem)}
    return unknown + sorted(name.upper() for name in names - _kinds())


def _all_names(problem: PopeyeProblem) -> list[str]:
    return [*problem.pieces.values(), *problem.first_pieces.values()]


def refuse_together(problem: PopeyeProblem) -> None:
    """Raise ``BadRequest`` if a condition isn't known with the problem's stipulation."""
    for condition, goal, words in _APART:
        known = not any(re.match(condition, each.lower()) for each in problem.conditions)
        if not known and re.search(goal, problem.solved):
            raise BadRequest(f"{problem.place_text()}: {words}")


def reference_rules(problem: PopeyeProblem, folder: Path) -> Game:
    """The rules of reference with a problem's conditions and pieces."""
    return _loaded(folder, "reference", _rules_text(problem))


def _rules_text(problem: PopeyeProblem) -> str:
    names = {bare_name(name) for name in _all_names(problem)}
    promotions = set(_CHESS) | (names - set(_NEVER.split()))
    if "mp" in names:
        promotions = {"si", "tr", "nd", "ms"} | (names - set(_NEVER.split()))
    files, at, purses = [], list[str](), list[str]()
    for condition in problem.conditions:
        name, *parameters = condition.lower().split()
        if name == "promonly":
            promotions = set(parameters)
        elif name != "noiprom":  # which is about imitators
            files.append(_file(condition))
            for purse, length in lengths(condition).items():
                sides = ("white", "black") if purse == "both" else (purse,)
                purses += [f"purse({side},{purse})." for side in sides]
                purses.append(f"limit({purse},{length}).")
            numbers = [word for word in parameters if word.isdigit() and name in _NUMBERED]
            purses += [f"given({place},{n})." for place, n in enumerate(numbers, start=1)]
            at += [s for word in parameters for s in squares_in(word)]
    lines = [f'#include "{_FOLDER}/rules.lp".']
    lines += [f'#include "{_FOLDER}/conditions/{file}".' for file in dict.fromkeys(files)]
    if goal := _STATED.search(problem.solved):
        lines.append(f'#include "{_FOLDER}/goals/{goal[0].replace("<>", "exchange")}.lp".')
        at_first = (parse_square(square) or () for square in problem.first_pieces)
        lines += [f"stood({','.join(map(str, square))})." for square in at_first]
    given = {condition.lower().split()[0] for condition in problem.conditions}
    if "imitator" in given and not given & set(_PROMOTIONS):
        lines.append("imitator_promotions.")
    lines += purses
    lines += [f"at({','.join(map(str, parse_square(square) or ()))})." for square in at]
    pawns = any(name.endswith("p") and name in ("p", "bp", "mp") for name in names)
    lines += [
        f"kind({_term(name)})."
        for name in sorted(names | {"k", "r"} | (promotions if pawns else set()))
    ]
    lines += [f"promotee({_term(name)})." for name in sorted(promotions if pawns else ())]
    marked = {mark for name in _all_names(problem) for mark in name if mark in MARKS}
    lines += ["neutrals."] * ("=" in marked)
    lines += [f"attribute({MARKS[mark]})." for mark in sorted(marked - {"="})]
    return "\n".join(lines) + "\n"


def drawing(problem: PopeyeProblem, folder: Path) -> str:
    """The problem's diagram as SVG. Its conditions don't count, and no piece need be known."""
    texts = [text for texts in problem.texts.values() for text in texts]
    text = _rules_text(replace(problem, conditions=[])) + f'#include "{_FOLDER}/pictures.lp".\n'
    vocabulary = _loaded(folder, "diagram", text).vocabulary
    titled = replace(vocabulary, title=", ".join([*texts, problem.stipulation]))
    facts = (*cells(problem.pieces), f"control({problem.mover})")
    scene = Scene(titled, facts, f"{problem.mover} to move", problem.mover)
    return re.sub(r"\bunit (\w+) (\w+)(?=:)", _named, draw(scene))


def _named(found: re.Match[str]) -> str:
    """A piece in the words of a picture: ``royal s``, ``g``."""
    return found[1] if found[2] == "none" else f"{found[2]} {found[1]}"


@cache
def _loaded(folder: Path, what: str, text: str) -> Game:
    """The game of a file with a text; problems with the same rules share it."""
    file = folder / f"{what}_{crc32(text.encode()):x}.lp"
    file.write_text(text, encoding="utf-8")
    return load_game(str(file), {})


def _term(name: str) -> str:
    return name if name[0].isalpha() else f'"{name}"'


def content(name: str) -> str:
    """What stands on a square, by a piece's name."""
    marks = [MARKS[mark] for mark in name if mark in MARKS and mark != "="]
    return f"unit({colour_of(name)},{_term(bare_name(name))},{marks[0] if marks else 'none'})"


def cells(pieces: Mapping[str, str]) -> list[str]:
    """The facts of pieces on squares."""
    found = []
    for square, name in pieces.items():
        x, y = parse_square(square) or (0, 0)
        found.append(f"cell({x},{y},{content(name)})")
    return found


def position_facts(problem: PopeyeProblem) -> str:
    """The position in which the play begins, as facts."""
    found = cells(problem.first_pieces)
    for right, corner in CORNERS.items():
        if problem.castles(right, corner):
            side = "white" if right.isupper() else "black"
            found.append(f"right({side},{8 if corner[0] == 'h' else 1})")
    found.append(f"control({problem.mover})")
    passed = problem.options.get("enpassant", "")
    if len(passed) >= 6:
        (x, y), (u, v) = (parse_square(passed[i : i + 2]) or (0, 0) for i in (2, 4))
        found.append(f"passed({x},{y},{u},{v})")
    return " ".join(found)


class UnitNames(dict[str, tuple[str, str]]):
    """For each content of squares its colour and its letters."""

    def __init__(
        self, letters: Mapping[str, str], sides: str, attributes: Mapping[str, str]
    ) -> None:
        """``letters`` are those of a language, by the English ones; ``sides`` are the letters of
        white, black and neutral; ``attributes`` are a language's words.
        """
        super().__init__()
        self._letters = letters
        self._sides = dict(zip(("white", "black", "neutral"), sides, strict=True))
        self._attributes = {
            english: word[0] for word, english in attributes.items() if english != "neutral"
        }

    def __missing__(self, content: str) -> tuple[str, str]:
        found = _UNIT.fullmatch(content)
        if found is None:
            raise KeyError(content)
        side, kind, attribute = found.groups()
        letter, mark = self._letters[kind].upper(), self._sides[side]
        if attribute == "halfneutral":  # it has the same letters on every side
            mark, letter = f"{mark}h", f"h{self._sides['neutral']}{letter}"
        else:
            letter = f"{self._attributes.get(attribute, '')}{letter}"
            letter = f"{mark}{letter}" if side == "neutral" else letter
        self[content] = name = mark, letter
        return name
