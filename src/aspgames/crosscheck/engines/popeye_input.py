"""Files of chess problems in the language of Popeye, and the rule book for a problem.

Popeye's manual, ``py-engl.txt``, describes the language.
"""

import re
from collections.abc import Iterator

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


def rule_book(problem: PopeyeProblem) -> Game:
    """The rule book with a problem's conditions and pieces, and the fewest others.

    Raises ``BadRequest`` if there is none.
    """
    names = set(problem.pieces.values())
    fitting = [
        (len(known.glyphs), path)
        for path, known in peers_of("popeye").items()
        if _fits(problem, known) and names <= known.glyphs.keys()
    ]
    if fitting:
        path = min(fitting)[1]
        return load_game(path.stem if path.stem in games() else str(path), {})
    common = set[str].intersection(*(set(known.glyphs) for known in peers_of("popeye").values()))
    words = [*problem.conditions, *sorted(names - common)]
    raise BadRequest(f"no rule book has {' and '.join(words)}: write one, and give it as GAME")


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
    given = " ".join(problem.conditions)
    promotions = known.settings.get("PromOnly", _CHESS_PROMOTIONS).lower().split()
    asked = _PROMOTIONS.search(given)
    words, left = known.name.lower().split(), _PROMOTIONS.sub("", given).split()
    return (
        (asked is None or set(asked[1].split()) == set(promotions))
        and len(words) == len(left)
        and all(
            len(short) >= SHORTEST and word.startswith(short)
            for word, short in zip(words, left, strict=True)
        )
    )
