"""Files of chess problems in the language of Popeye, and the rule book for a problem.

Popeye's manual, ``py-engl.txt``, describes the language.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ...asp.sources import encodings_folder
from ...asp.terms import shorten
from ...game.game import Game, games
from ...game.loading import load_game
from ...runtime.errors import BadRequest
from .peers import Peer, PeerRules, needed_peer, peers_of
from .popeye_problem import SHORTEST, TWINS, PopeyeProblem, whole_word
from .popeye_twins import CHANGES, twins

_SHOWN_TEXTS = ("author", "origin", "title", "award")
_TEXTS = (*_SHOWN_TEXTS, "remark", "protocol")
_ENDS = ("nextproblem", "endproblem")
_COMMANDS = (
    *_TEXTS, *_ENDS, *TWINS, "beginproblem", "pieces", "forsyth", "condition", "option",
    "stipulation", "sstipulation",
)  # fmt: skip
_PROMOTIONS = re.compile(r"\bpromo\w*((?: [a-z][a-z0-9]?\b)+)")
_CHESS_PROMOTIONS = "Q R B S"


def read_problems(text: str) -> Iterator[PopeyeProblem]:
    """The problems in a text, with their twins, in order; text between problems is left out.

    Raises ``BadRequest`` unless the text begins with one.
    """
    problem: PopeyeProblem | None = None
    command = ""
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split()
        for place, word in enumerate(words):
            changes = command in TWINS and whole_word(word, CHANGES)
            begun = None if changes else whole_word(word, _COMMANDS)
            if not command and begun != "beginproblem":
                raise BadRequest(f"line {number}: give BeginProblem before {shorten(word)!r}")
            command = begun or command
            if problem is not None and command in _ENDS:
                yield from twins(problem)
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
        yield from twins(problem)
    elif not command:
        raise BadRequest("there is no problem: it begins with BeginProblem")


def rule_book(problem: PopeyeProblem, folder: Path) -> Game:
    """The rule book with a problem's conditions and pieces, and the fewest others.

    Where no single one has them, a file in ``folder`` includes several.

    Raises ``BadRequest`` if there is none.
    """
    books = peers_of("popeye")
    names = set(problem.pieces.values())
    fitting = [
        (len(known.glyphs), path)
        for path, known in books.items()
        if _fits(problem, known) and names <= known.glyphs.keys()
    ]
    if fitting:
        path = min(fitting)[1]
        return load_game(path.stem if path.stem in games() else str(path), {})
    common = set[str].intersection(*(set(known.glyphs) for known in books.values()))
    given, promotions = _conditions(problem)
    wanted = names | {f".{name}" if len(name) > 1 else name for name in promotions or ()}
    parts = [
        path
        for path, known in books.items()
        if (known.name and any(_means(word, known.name) for word in given))
        or (not known.name and wanted & (known.glyphs.keys() - common))
    ]
    alone = [books[path].name for path in parts if books[path].alone]
    if len(parts) > 1 and (len(alone) < 2 or not any(alone)):
        game = _together(parts, folder)
        peer = needed_peer(game, "popeye")
        distinct = len(set(peer.letters.values())) == len(peer.letters)
        if _fits(problem, peer) and names <= peer.letters.keys() and distinct:
            return game
    words = [*problem.conditions, *sorted(names - common)]
    raise BadRequest(f"no rule book has {' and '.join(words)}: write one, and give it as GAME")


def _together(parts: Sequence[Path], folder: Path) -> Game:
    """A game with the rules of several rule books."""
    home = encodings_folder()
    file = folder / f"{'+'.join(path.stem for path in parts)}.lp"
    for kind in (Path(), Path("peers")):
        (folder / kind).mkdir(exist_ok=True)
        lines = (f'#include "{(kind / path.relative_to(home)).as_posix()}".\n' for path in parts)
        (folder / kind / file.name).write_text("".join(lines), encoding="utf-8")
    return load_game(str(file), {})


def peer_for(problem: PopeyeProblem, game: Game) -> Peer:
    """A game in Popeye. Raises ``BadRequest`` unless it has the problem's conditions."""
    peer = needed_peer(game, "popeye")
    if not _fits(problem, peer):
        given = " ".join(problem.conditions) or "no condition"
        settings = (f"{name} {value}" for name, value in peer.settings.items())
        ours = " ".join(filter(None, [peer.name, *settings])) or "no condition"
        raise BadRequest(f"{game.name} has {ours}, the problem {given}")
    return peer


def _fits(problem: PopeyeProblem, known: PeerRules) -> bool:
    """Whether its conditions are a game's, and, if it names them, its promotions."""
    given, promotions = _conditions(problem)
    ours = set(known.settings.get("PromOnly", _CHESS_PROMOTIONS).lower().split())
    words = known.name.split()
    return (
        (promotions is None or promotions == ours)
        and len(words) == len(given)
        and all(any(_means(short, word) for short in given) for word in words)
    )


def _conditions(problem: PopeyeProblem) -> tuple[list[str], set[str] | None]:
    """The conditions of a problem, and the pieces that it names for promotions."""
    given = " ".join(problem.conditions)
    promotions = _PROMOTIONS.search(given)
    return _PROMOTIONS.sub("", given).split(), promotions and set(promotions[1].split())


def _means(short: str, word: str) -> bool:
    """Whether a word of a problem is a condition of ours, perhaps shortened."""
    return len(short) >= SHORTEST and word.lower().startswith(short)
