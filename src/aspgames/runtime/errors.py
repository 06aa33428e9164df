"""The errors, one class for each kind."""


class AspgamesError(Exception):
    """The base of all errors. The message is one line: the fault, and its place.

    Errors about wrong values are also ``ValueError``.
    """

    kind = "bad_request"
    """The ``kind`` in JSON answers."""
    ply: int | None = None
    """The ply of a record that is wrong, from 1."""


class Interrupted(BaseException):
    """The user interrupts the computation, with Ctrl-C on the command line."""


class RulesError(AspgamesError):
    """An encoding is unreadable, can't be grounded, or leaves open what follows from a state."""

    kind = "bad_rules"


class UnsupportedRules(RulesError):
    """The rules have words of a later game description language that nothing here can follow."""


class BadJson(AspgamesError, ValueError):
    """A line isn't a JSON object."""

    kind = "bad_json"


class UnknownGame(AspgamesError, ValueError):
    """No game of that name, or no such file."""

    kind = "unknown_game"


class BadConstant(AspgamesError, ValueError):
    """The game has no constant of that name, or the value is invalid."""

    kind = "bad_constant"


class BadPosition(AspgamesError, ValueError):
    """The text isn't a position, or the game can't have the position."""

    kind = "bad_position"


class BadMove(AspgamesError, ValueError):
    """The text isn't a move of the game."""

    kind = "bad_move"


class UnknownMove(BadMove):
    """The term isn't a move of the game; each notation describes its moves."""

    def __init__(self, message: str, term: str = "") -> None:
        super().__init__(message)
        self.term = term


class IllegalMove(AspgamesError, ValueError):
    """The move isn't legal in the state."""

    kind = "illegal_move"


class BadRequest(AspgamesError, ValueError):
    """A request is invalid: an unknown goal, a negative depth and the like."""


class BadRecord(BadRequest):
    """A record of a game, or a position in a file, can't be read."""

    kind = "bad_record"

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line
        """The line of the file, from 1; 0 if unknown."""


class LimitReached(AspgamesError):
    """There is no answer within a limit on time, memory, positions or length."""

    kind = "limit"


class TooLarge(LimitReached):
    """There are too many ground rules for a net."""


class OutOfTime(LimitReached):
    """There is no answer within the time limit."""


class Rejected(AspgamesError):
    """A certificate doesn't prove its claim; the message names the place."""

    kind = "rejected"


class EngineFailed(AspgamesError):
    """A cross-checked engine crashed, hung or sent malformed lines; the message tells when."""

    kind = "engine_failed"


class ExecutorFailed(AspgamesError):
    """The executor failed, such as a cluster whose scheduler is gone."""

    kind = "limit"


class NotBuilt(AspgamesError):
    """The library of C functions is missing, broken or of another version."""


def one_line(message: str) -> str:
    """A message on one line, with any user's text in it."""
    line = " ".join(message.split())
    return line if len(line) <= 400 else line[:397] + "..."
