"""Files of chess problems in the language of Popeye, and the rule book for a problem.

Popeye's manual, ``py-engl.txt``, describes the language.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from ...asp.sources import encodings_folder
from ...asp.terms import shorten
from ...game.game import Game
from ...game.loading import load_game
from ...gdl.encoding import games
from ...runtime.errors import BadRequest
from .peers import Peer, PeerRules, needed_peer, peers_of
from .popeye_problem import TWINS, PopeyeProblem, bare_name
from .popeye_reference import unknown_parts
from .popeye_twins import twins
from .popeye_words import BEGINNINGS, CHANGES, COMMANDS, meaning, unique

_SHOWN_TEXTS = ("author", "origin", "title", "award")
_TEXTS = (*_SHOWN_TEXTS, "remark", "protocol", "latex", "latexpieces")
_ENDS = ("nextproblem", "endproblem")
_SEPARATORS = re.compile(r"[\s;,]+")
_COUNTED = re.compile(r"\b([0-9]+)\s+(sol|lös|loes)[a-zö]*\b\.?", re.IGNORECASE)
"""A number of intended solutions, such as ``2 sol.``."""
_CHESS_PROMOTIONS = "Q R B S"
_SPOILS = "spoils(X,Y,U,V,K) :- goes(X,Y,U,V), promotes(X,Y,V), K = "


def read_problems(text: str) -> Iterator[PopeyeProblem]:
    """The problems in a text, with their twins, in order; text between problems is left out.

    The first word of a problem chooses the language. Raises ``BadRequest`` unless the text begins
    with a problem.
    """
    problem: PopeyeProblem | None = None
    command, language = "", "english"
    for number, line in enumerate(text.splitlines(), start=1):
        words = list(filter(None, _SEPARATORS.split(_COUNTED.sub(r"\1sol", line))))
        for place, word in enumerate(words):
            begun = None
            if problem is None:
                begun = unique(word, BEGINNINGS)
                if not command and not begun:
                    raise BadRequest(f"line {number}: give BeginProblem before {shorten(word)!r}")
                language = BEGINNINGS[begun] if begun else language
            elif not (command in TWINS and meaning(word, CHANGES[language])):
                begun = meaning(word, COMMANDS[language]) if len(word) > 2 else None
            command = begun or command
            if problem is not None and command in _ENDS:
                yield from twins(problem)
            if begun in BEGINNINGS or (problem is not None and command == "nextproblem"):
                problem = PopeyeProblem(number, language)
            elif command == "endproblem" or problem is None:
                problem = None
            elif command in _TEXTS:
                if command in _SHOWN_TEXTS:
                    shown = problem.texts.setdefault(command, [])
                    shown.append(" ".join(line.split()[place + 1 :]))
                break
            else:
                problem.read(number, command, None if begun else word)
    if problem is not None:
        problem.error = problem.error or "EndProblem is missing"
        yield from twins(problem)
    elif not command:
        raise BadRequest("there is no problem: it begins with BeginProblem")


def rule_book(problem: PopeyeProblem, folder: Path) -> Game | None:
    """The rule book with a problem's conditions and pieces, and the fewest others.

    Where no single one has them, a file in ``folder`` includes several. None if only the rules of
    reference have them.

    Raises ``BadRequest`` if those don't either; the message names all that is missing.
    """
    books = peers_of("popeye")
    names = set(problem.pieces.values())
    fitting = [
        (len(known.glyphs), path)
        for path, known in books.items()
        if not problem.missing and _fits(problem, known) and names <= known.glyphs.keys()
    ]
    given, promotions = _conditions(problem)
    if fitting:
        path = min(fitting)[1]
        if promotions not in (None, _promotions(books[path])):
            return _together([path], folder, promotions)
        return _loaded(path.stem if path.stem in games() else str(path))
    common = set[str].intersection(*(set(known.glyphs) for known in books.values()))
    wanted = names | {f".{name}" if len(name) > 1 else name for name in promotions or ()}
    known_names = {known.name.lower() for known in books.values()}
    all_names = set[str].union(*(set(known.glyphs) for known in books.values()))
    strange = [each for each in given if each.lower() not in known_names]
    strange += sorted(bare_name(name).upper() for name in names - all_names)
    unknown = unknown_parts(problem)
    missing = [*map(problem.where, (each for each in unknown if each in strange)), *problem.missing]
    if missing:
        text = ", ".join(missing)
        raise BadRequest(f"no rule book has {text}: write one, and give it as GAME")
    if strange and not unknown:
        return None
    parts = [
        path
        for path, known in books.items()
        if (known.name and any(word.lower() == known.name.lower() for word in given))
        or (not known.name and wanted & (known.glyphs.keys() - common))
    ]
    alone = [books[path].name for path in parts if books[path].alone]
    if len(parts) > 1 and (len(alone) < 2 or not any(alone)):
        game = _together(parts, folder, promotions)
        peer = needed_peer(game, "popeye")
        distinct = len(set(peer.letters.values())) == len(peer.letters)
        if _fits(problem, peer) and names <= peer.letters.keys() and distinct:
            return game
    if unknown:
        text = ", ".join(map(problem.where, [*problem.conditions, *strange, *unknown]))
        raise BadRequest(f"no rule book has together {text}: write one, and give it as GAME")
    return None


@cache
def _loaded(name: str) -> Game:
    return load_game(name, {})


def _together(parts: Sequence[Path], folder: Path, promotions: set[str] | None) -> Game:
    """A game with the rules of several rule books, perhaps with fewer promotions."""
    home, books = encodings_folder(), peers_of("popeye")
    others = set[str]().union(*(_promotions(books[path]) for path in parts)) - (promotions or set())
    never = sorted(
        content
        for path in parts
        for glyph, content in books[path].glyphs.items()
        if promotions and glyph.strip(".").lower() in others
    )
    title = [path.stem for path in parts] + ["only", *sorted(promotions or ())] * bool(never)
    file = folder / f"{'+'.join(title)}.lp"
    for kind in (Path(), Path("peers")):
        (folder / kind).mkdir(exist_ok=True)
        lines = (f'#include "{(kind / path.relative_to(home)).as_posix()}".\n' for path in parts)
        (folder / kind / file.name).write_text("".join(lines), encoding="utf-8")
    with file.open("a", encoding="utf-8") as rules:
        for content in dict.fromkeys(never):
            rules.write(f"{_SPOILS}{content}.\n")
    return load_game(str(file), {})


def _promotions(known: PeerRules) -> set[str]:
    """The letters of the pieces that pawns may become."""
    return set(known.settings.get("PromOnly", _CHESS_PROMOTIONS).lower().split())


def peer_for(problem: PopeyeProblem, game: Game) -> Peer:
    """A game in Popeye. Raises ``BadRequest`` unless it has the problem's conditions."""
    peer = needed_peer(game, "popeye")
    promotions = _conditions(problem)[1]
    if not _fits(problem, peer) or promotions not in (None, _promotions(peer)):
        given = " ".join(problem.conditions) or "no condition"
        settings = (f"{name} {value}" for name, value in peer.settings.items())
        ours = " ".join(filter(None, [peer.name, *settings])) or "no condition"
        raise BadRequest(f"{game.name} has {ours}, the problem {given}")
    return peer


def _fits(problem: PopeyeProblem, known: PeerRules) -> bool:
    """Whether its conditions are a game's, and the promotions that it names are among them."""
    given, promotions = _conditions(problem)
    return (promotions or set()) <= _promotions(known) and _words([known.name]) == _words(given)


def _words(conditions: Sequence[str]) -> list[str]:
    return sorted(" ".join(conditions).lower().split())


def _conditions(problem: PopeyeProblem) -> tuple[list[str], set[str] | None]:
    """The conditions of a problem, and the pieces that it names for promotions."""
    given, promotions = [], None
    for condition in problem.conditions:
        name, *parameters = condition.split()
        if name == "PromOnly":
            promotions = set(parameters)
        elif name != "NoIProm":  # which is about imitators
            given.append(condition.removesuffix(" calvet"))
    return given, promotions
