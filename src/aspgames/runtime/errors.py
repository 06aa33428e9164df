"""What can go wrong, one class a kind; a message is one line: what is wrong, and where."""

from __future__ import annotations


class AspgamesError(Exception):
    """Anything that aspgames refuses; the message is one line: what is wrong, and where."""

    kind = "bad_request"
    """The word that JSON answers carry, one a class."""


class Interrupted(BaseException):
    """The user has had enough: Ctrl-C on the command line."""


class RulesError(AspgamesError):
    """An encoding can't be read or grounded, or doesn't settle what follows from a state."""

    kind = "bad_rules"


class BadJson(AspgamesError):
    """A line that is no JSON object."""

    kind = "bad_json"


class UnknownGame(AspgamesError):
    """No game of that name, or no such file."""

    kind = "unknown_game"


class BadConstant(AspgamesError):
    """The game has no constant of that name, or the value makes no sense."""

    kind = "bad_constant"


class BadPosition(AspgamesError):
    """The text is no position, or one that the game can't have."""

    kind = "bad_position"


class BadMove(AspgamesError):
    """The text is no move of the game."""

    kind = "bad_move"


class UnknownMove(BadMove):
    """A term that is no move of the game; each notation says what moves look like in it."""

    def __init__(self, message: str, term: str = "") -> None:
        super().__init__(message)
        self.term = term


class IllegalMove(AspgamesError):
    """A move that isn't legal in the state."""

    kind = "illegal_move"


class BadRequest(AspgamesError):
    """A question that makes no sense, such as an unknown goal or a negative depth."""

    kind = "bad_request"


class LimitReached(AspgamesError):
    """A limit on time, positions or length was reached before there was an answer."""

    kind = "limit"


class TooLarge(LimitReached):
    """There are more ground rules than a net may be made of."""


class OutOfTime(LimitReached):
    """The time that a computation was given is over."""


class Rejected(AspgamesError):
    """A certificate that doesn't prove what it says; the message names the place."""

    kind = "rejected"


class EngineFailed(AspgamesError):
    """An engine that is cross-checked crashed, hung or spoke nonsense; the message says when."""

    kind = "engine_failed"


class ExecutorFailed(AspgamesError):
    """Who is to do the work can't go on, such as a cluster whose scheduler is gone."""

    kind = "limit"


class NotBuilt(AspgamesError):
    """The library of C functions is missing, broken, or not of this version."""

    kind = "bad_request"


def one_line(message: str) -> str:
    """A message on one line, however much of a user's text is in it."""
    line = " ".join(message.split())
    return line if len(line) <= 400 else line[:397] + "..."
