"""``cmd:COMMAND LINE``: a program that speaks the JSON lines of ``aspgames serve``.

``moves:COMMAND LINE``: the same for a program that can't set up a position.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import islice, product
from typing import Any

from ...game.game import Game
from ...game.notation.joint_moves import format_joint, is_joint, parse_joint
from ...game.notation.term_input import parse_facts, parse_move_term
from ...runtime.errors import AspgamesError, EngineFailed, one_line
from ...runtime.json_lines import JsonObject, decode, encode, is_of
from .engine import Answer, Engine, Question, Refusal
from .engine_process import LineProcess, command_words

_FIELDS = {
    "facts": list[str],
    "to_move": str | None,
    "terminal": bool,
    "goals": dict[str, int],
    "legal": dict[str, list[str]],
}
"""The fields of an answer, with their types."""
_UNCERTAIN = {"chance": list[list[str]], "sees": dict[str, list[str]]}
"""Fields that an answer may have in a game with chance or hidden information."""
_REQUESTS_AHEAD = 32  # requests sent before the first answer


@dataclass(frozen=True)
class _Request:
    """A pending request; its text is made for error messages only, because it takes long."""

    number: int
    question: Question

    def __str__(self) -> str:
        return f"request {self.number}: {self.question}"


class JsonLinesEngine(Engine):
    """A program that answers requests ``legal`` and ``play``, and perhaps ``perft``."""

    whole_turns = False
    plays_on = False
    kind = "cmd"
    needed: Set[str] = _FIELDS.keys()
    """The fields that an answer must have."""

    def __init__(self, command: str, timeout: float) -> None:
        """Start the program; ``timeout`` is for each answer [s]."""
        self.name = f"{self.kind}:{command}"
        self._process = LineProcess(command_words(command), timeout)
        self._number = 0
        self._owed: deque[_Request] = deque()

    def check(self, game: Game) -> None:
        """Accept every game: the program refuses those that it doesn't have."""

    def answers(self, questions: Sequence[Question]) -> Iterator[Answer | Refusal]:
        """Its answers. Requests are sent ahead, so that the program needn't wait."""
        self._settle()
        waiting = iter(questions)
        self._send(islice(waiting, _REQUESTS_AHEAD))
        while self._owed:
            yield self._receive()
            self._send(islice(waiting, 1))

    def divide(self, question: Question, depth: int) -> Mapping[str, int] | None:
        """The counts of the request ``perft``; None if the program refuses it."""
        if question.turns:
            question = Question(question.game, question.after, (), question.after, question.made)
        self._settle()
        self._post(
            self._request(question) | {"op": "perft", "depth": depth, "divide": True}, question
        )
        answer = self._take(self._owed.popleft())
        if "error" in answer:
            return None
        counts: Any = answer.get("divide")
        if not is_of(counts, dict[str, int]):
            raise EngineFailed(f"its answer to perft {depth} of {question} has no counts 'divide'")
        return {_ply(move, question): count for move, count in counts.items()}

    def close(self) -> None:
        """End the program. Raises ``EngineFailed`` if there are more answers than requests."""
        silent = self._owed or self._process.is_silent()
        self._process.close()
        if not silent:
            raise EngineFailed(f"the engine gave more answers than the {self._number} asked for")

    def _send(self, questions: Iterator[Question]) -> None:
        for question in questions:
            self._post(self._request(question), question)

    def _post(self, request: JsonObject, question: Question) -> None:
        self._number += 1
        self._owed.append(_Request(self._number, question))
        self._process.send(encode({"id": self._number} | request))

    def _receive(self) -> Answer | Refusal:
        request = self._owed.popleft()
        answer = self._take(request)
        if "error" in answer:
            return Refusal(one_line(str(answer["error"])))
        return _read(answer, request, self.needed)

    def _take(self, what: _Request) -> JsonObject:
        line = self._process.receive(what)
        with _reading(what):
            answer = decode(line.encode())
        if answer.get("id", what.number) != what.number:
            raise EngineFailed(f"the engine answers out of order: {answer['id']!r} to {what}")
        return answer

    def _request(self, question: Question) -> JsonObject:
        game, moves = (
            question.game,
            [parse_joint(ply) if is_joint(ply) else ply for ply in question.plies],
        )
        request: JsonObject = {"op": "play" if moves else "legal", "game": game.name}
        if game.constants:
            request["const"] = dict(game.constants)
        facts = " ".join(question.facts) or "empty"
        request["position"] = facts if self.sets_up else "startpos"
        return request | ({"moves": moves} if moves else {})

    def _settle(self) -> None:
        """Drop the answers to abandoned requests."""
        while self._owed:
            self._take(self._owed.popleft())
        if not self._process.is_silent():
            raise EngineFailed(f"the engine gave more answers than the {self._number} asked for")


class MovesEngine(JsonLinesEngine):
    """A program that can't set up a position: it gets ``startpos`` and all moves from there.

    It must tell the legal moves; what else it tells is compared, too.
    """

    sets_up = False
    kind = "moves"
    needed = frozenset({"legal"})


@lru_cache(maxsize=1 << 14)
def _known_term(move: str) -> str:
    return parse_move_term(move)


@contextmanager
def _reading(what: object) -> Iterator[None]:
    """Turns errors of parsers into failures of the engine."""
    try:
        yield
    except AspgamesError as error:
        raise EngineFailed(f"the engine's answer: {error}; {what}") from None


def _ply(move: str, question: Question) -> str:
    """A move, or a joint move, in canonical form."""
    with _reading(question):
        if not is_joint(move):
            return _known_term(move)
        joint = {role: _known_term(each) for role, each in parse_joint(move).items()}
    roles = dict.fromkeys((*question.game.roles, *joint))
    return format_joint({role: joint[role] for role in roles if role in joint})


def _pairs(answer: JsonObject, what: _Request) -> Iterator[tuple[str, Fraction]]:
    """The moves of ``random`` with their probabilities."""
    for pair in answer["chance"]:
        try:
            move, text = pair
            yield move, Fraction(text)
        except (ValueError, ZeroDivisionError):
            raise EngineFailed(
                f"the engine's answer: in 'chance' a pair is a move and a fraction, not {pair}; "
                f"{what}"
            ) from None


def _read(answer: JsonObject, what: _Request, needed: Set[str]) -> Answer:
    """The answer, which must have the needed fields of the protocol."""
    fields = _FIELDS | _UNCERTAIN
    given = fields.keys() & answer.keys()
    for key, kind in fields.items():
        if key in needed - given or (key in given and not is_of(answer[key], kind)):
            state = "wrong" if key in given else "missing"
            raise EngineFailed(f"the engine's answer: {key!r} is {state}; {what}")
    with _reading(what):
        facts = parse_facts(" ".join(answer["facts"])) if "facts" in given else None
        legal = {role: frozenset(map(_known_term, m)) for role, m in answer["legal"].items()}
    for key, role in product(("goals", "legal"), what.question.game.roles):
        if key in given and role not in answer[key]:
            raise EngineFailed(f"the engine's answer: {key!r} has no {role!r}; {what}")
    for role, moves in answer["legal"].items():
        if len(set(moves)) != len(moves):
            raise EngineFailed(f"the engine's answer: a move of {role} is there twice; {what}")
    chance = sees = None
    if "chance" in given and what.question.game.chance:
        with _reading(what):
            chance = frozenset(f"{_known_term(move)} {p}" for move, p in _pairs(answer, what))
    if "sees" in given:
        percepts = [(role, each) for role, seen in answer["sees"].items() for each in seen]
        with _reading(what):
            sees = frozenset(f"sees({role},{_known_term(each)})" for role, each in percepts)
    return Answer(
        chance=chance,
        sees=sees,
        facts=facts,
        to_move=(answer["to_move"] or "") if "to_move" in given else None,
        terminal=answer.get("terminal"),
        goals=answer.get("goals"),
        legal=legal,
    )
