"""The claim of a certificate: a game, a position, a question and the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeGuard

from ...game.game_rules import GameRules
from ...gdl.rules import Facts
from ...runtime.errors import BadConstant, BadPosition, BadRequest, Rejected
from ..question import PuzzleQuestion

LoadGame = Callable[[str, Mapping[str, Any]], GameRules]
"""A function that loads a game by a certificate's name and constants."""

VERSION = 1
STREAM_VERSION = 2

MOST_BYTES = 1 << 26
"""The size limit of a certificate."""


class Claimed(NamedTuple):
    """The position of a certificate."""

    game: GameRules
    facts: Facts


@dataclass(frozen=True, slots=True)
class Claim:
    """The claim of a certificate. Its parts fit together; no check by play has happened yet."""

    puzzle: PuzzleQuestion[Claimed]
    """The question."""
    verdict: str
    """``forced`` or ``not_forced``; with chance also ``unknown``, where bounds leave it open."""
    distance: int | None
    """The fewest attacker's turns that force the goal; None unless claimed."""
    keys: tuple[str, ...]
    """The key moves, as terms; without a distance, moves that force the goal in ``at_most``."""
    line: tuple[str, ...]
    """A line to the goal, as terms."""
    at_most: int | None = None
    """The number of turns of the attack; None unless forced."""
    not_within: int | None = None
    """The number of turns of the defence; None without one, or for a goal that isn't forced."""
    probability_at_least: Fraction | None = None
    probability_at_most: Fraction | None = None
    """In a game with chance: bounds of the attacker's best probability within its turns."""
    expected_at_least: Fraction | None = None
    expected_at_most: Fraction | None = None
    """For the goal ``score``, in their place: bounds of the expected goal value."""


def read_claim(certificate: Mapping[str, Any], load: LoadGame, readable: int = VERSION) -> Claim:
    """Read a certificate's claim about the game that ``load`` finds, without its probabilities.

    Raises ``BadRequest`` if the object isn't a certificate, and ``Rejected`` if its parts don't
    fit.
    """
    version = certificate.get("certificate") if isinstance(certificate, Mapping) else None
    if isinstance(version, bool) or not isinstance(version, int):
        raise BadRequest('this is not a certificate: it has no version number, "certificate"')
    if version != readable:
        raise BadRequest(f"certificates of version {readable} can be checked, not of {version}")
    puzzle = _read_puzzle(certificate, load)
    verdict, distance = certificate.get("verdict"), certificate.get("distance")
    keys, line = _terms(certificate, "keys"), _terms(certificate, "line")
    if puzzle.chance is not None:
        if readable == STREAM_VERSION:
            raise Rejected("game: a certificate of a game with chance is no stream")
        return Claim(puzzle, str(verdict), distance, keys, line)
    at_most = not_within = None
    if verdict == "forced":
        name, at_most = "distance", distance
        if distance is None and certificate.get("keys_complete") is False:
            name, at_most = "at_most", certificate.get("at_most")
            not_within = certificate.get("not_within")
            if line:
                raise Rejected("line: without a distance there is none")
        if not is_whole(at_most):
            raise Rejected(f"{name}: a forced goal has one, a whole number from 0 on")
        if puzzle.within is not None and at_most > puzzle.within:
            raise Rejected(f"{name}: it is more than within")
        if distance:
            not_within = distance - 1
        if not (not_within is None or is_whole(not_within)):
            raise Rejected("not_within: it must be a whole number from 0 on, or null")
    elif verdict == "not_forced":
        for name, value in (("distance", distance), ("keys", keys), ("line", line)):
            if value not in (None, ()):
                raise Rejected(f"{name}: a goal that isn't forced has none")
    else:
        raise Rejected("verdict: it must be forced or not_forced")
    return Claim(puzzle, verdict, distance, keys, line, at_most, not_within)


def is_whole(value: Any) -> TypeGuard[int]:
    """Whether a value is a whole number of at least 0, and no truth value."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _read_puzzle(certificate: Mapping[str, Any], load: LoadGame) -> PuzzleQuestion[Claimed]:
    name, constants = certificate.get("game"), certificate.get("const", {})
    if not isinstance(name, str):
        raise Rejected("game: it must be a game's name or path")
    if not isinstance(constants, dict):
        raise Rejected("const: it must be an object of names and values")
    try:
        game = load(name, constants)
    except BadConstant as error:
        raise Rejected(f"const: {error}") from None
    if dict(game.constants) != constants:
        raise Rejected("const: it must have all constants of the game, each with its value")
    if certificate.get("rules") != game.encoding.fingerprint:
        raise Rejected(f"rules: the rules of {game.name} are not those of the certificate")
    facts = _terms(certificate, "position")
    try:
        found = game.position_check.read_facts(facts)
    except BadPosition as error:
        raise Rejected(f"position: {error}") from None
    if found != tuple(sorted(facts)):
        raise Rejected("position: it must have all facts of the state, as the game has them")
    get = certificate.get
    question = get("attacker"), get("goal"), get("within"), get("chance", 1)
    try:
        return PuzzleQuestion.read(Claimed(game, found), *question)
    except BadRequest as error:
        raise Rejected(str(error)) from None


def _terms(certificate: Mapping[str, Any], name: str) -> tuple[str, ...]:
    texts = certificate.get(name)
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise Rejected(f"{name}: it must be a list of terms")
    if len(set(texts)) < len(texts) and name != "line":
        raise Rejected(f"{name}: a term is there twice")
    return tuple(texts)
