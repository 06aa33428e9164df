"""``popeye:COMMAND LINE``: Popeye, a program that solves chess problems.

Its manual, ``py-engl.txt``, describes its input (https://github.com/thomas-maeder/popeye). Its
notation ``~1`` asks for any move, so it lists the legal ones.
"""

import math
import re
from collections.abc import Iterator

from ...game.game import Game
from ...game.state import State
from ...runtime.errors import EngineFailed
from .engine import Answer, Engine, EngineSolution, Question, Refusal
from .engine_process import MOST_LINES, LineProcess, command_words
from .peers import Peer, needed_peer
from .popeye_fens import fen_problem
from .turn_labels import needed_fen

_DRAWN = 100  # plies without a capture or a move of a pawn
_EXTRA = 2.0  # seconds for the end of a search that stops in time
_END = "solution finished."
_FIRST_MOVE = re.compile(r"1\.\s*(?P<moved>[^.\s]\S*)|1\.{3}")
_MOVE = re.compile(r"([a-h][1-8])[-*](?:[a-h][1-8]-)?([a-h][1-8])(?:=([A-Z0-9]+))?")
_OUTER_PAWN = re.compile(r"(?i)^[^/]*p|p[^/]*$")
_NUMBER = re.compile(r"(.*?)([0-9]+)(\.5)?")


class PopeyeEngine(Engine):
    """Popeye, started for each question. It has no draws but stalemate, and takes no moves."""

    solves = True

    def __init__(self, command: str, timeout: float) -> None:
        """``timeout`` is for each answer [s]. Raises ``BadRequest`` for an empty command."""
        self.name = f"popeye:{command}"
        self._words = command_words(command)
        self._timeout = timeout
        self._peers: dict[Game, Peer] = {}

    def check(self, game: Game) -> None:
        """Find the game's condition. Raises ``BadRequest`` if Popeye doesn't have it."""
        if game not in self._peers:
            needed_fen(game)
            self._peers[game] = needed_peer(game, "popeye")

    def answer(self, question: Question) -> Answer | Refusal:
        """Its legal moves; where our game is drawn, nothing."""
        state = question.state
        if _OUTER_PAWN.search((state.fen or "").split()[0]):
            return Refusal("Popeye's pawns don't move from their first row")
        lines = self._ask(question, state, "~1")
        if isinstance(lines, Refusal):
            return lines
        if lines is None:
            raise EngineFailed(f"the engine ended before its search did; {question}")
        turns = frozenset(self._moves(state, lines))
        drawn = state.is_terminal and max((state.goals or {}).values(), default=0) < 100
        return Answer() if drawn and turns else Answer(turns=turns)

    def solve(self, question: Question, stipulation: str) -> EngineSolution | None:
        """Its solution with the fewest moves; keys unless both sides help.

        None also where our game would soon be drawn by a count of moves.
        """
        state, found = question.state, _NUMBER.fullmatch(stipulation)
        if found is None:
            return None
        kind, most, half = found.groups()
        quiet = (state.fen or "").split()[4:5]
        if quiet and int(quiet[0]) + 2 * int(most) + 1 >= _DRAWN:
            return None
        for number in range(0 if half else 1, int(most) + 1):
            lines = self._ask(question, state, f"{kind}{number}{half or ''}")
            if lines is None or isinstance(lines, Refusal):
                return None
            if kind in ("#", "=", "s#"):
                lines = [line for line in lines if line.endswith("!") or "! " in line]
            if any(map(_FIRST_MOVE.match, lines)):
                keys = None if "h" in kind else frozenset(self._moves(state, lines))
                return EngineSolution(number + bool(half), keys)
        return EngineSolution(None, frozenset())

    def _ask(
        self, question: Question, state: State, stipulation: str
    ) -> list[str] | Refusal | None:
        """The lines of its solutions; None if its time is over."""
        self.check(question.game)
        limit = ["-maxmem", "64M", "-maxtime", str(math.ceil(self._timeout))]
        process = LineProcess([*self._words, *limit], self._timeout + _EXTRA)
        try:
            process.send(problem_text(state, self._peers[question.game], stipulation))
            lines = [line.strip() for line in process.output(question, MOST_LINES)]
        finally:
            process.close()
        if not lines[0].startswith("Popeye "):
            raise EngineFailed(f"this is not Popeye: it printed {lines[0][:60]!r}")
        if not any(line.startswith(_END) for line in lines):
            return None
        said = [line for line in lines[1:] if not line.startswith((_END, "but"))]
        if said and not re.match(r"[0-9]+\.", said[0]):
            return Refusal(said[0])
        return said

    def _moves(self, state: State, lines: list[str]) -> Iterator[str]:
        """The first moves of its solutions, as labels."""
        letters = {
            theirs.strip(".").upper(): ours.lower()
            for theirs, ours in self._peers[state.game].letters.items()
        }
        row = "1" if (state.fen or "").split()[1:2] == ["w"] else "8"
        for line in lines:
            found = _FIRST_MOVE.match(line)
            moved = found["moved"] if found else None
            if moved and moved.startswith("0-0"):
                yield f"e{row} {'c' if moved.startswith('0-0-0') else 'g'}{row}"
            elif moved and (squares := _MOVE.search(moved)):
                promoted = letters.get(squares[3] or "", "")
                yield f"{squares[1]} {squares[2]}" + (promoted and f"={promoted}")


def problem_text(state: State, peer: Peer, stipulation: str) -> str:
    """A position with a stipulation, as Popeye's input."""
    theirs = {ord(ours): glyph for glyph, ours in peer.letters.items()}
    conditions = [peer.name, *(f"{name} {value}" for name, value in peer.settings.items())]
    return fen_problem(state.fen or "", stipulation, theirs, conditions)
