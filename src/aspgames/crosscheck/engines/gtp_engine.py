"""``gtp:COMMAND LINE``: programs of the Go Text Protocol that list the legal moves.

The protocol is version 2 (https://www.lysator.liu.se/~gunnar/gtp/). It has no
command for legal moves, so a program has one of its own; ``list_commands`` tells.
"""

import re

from ...asp.terms import shorten
from ...game.game import Game
from ...game.notation.move_text import count_squares
from ...runtime.errors import BadRequest, EngineFailed
from .engine import Answer, Engine, Question, Refusal
from .engine_process import MOST_LINES, LineProcess, command_words
from .reference import refuse_unless_two_sides
from .turn_labels import from_bottom, label_of

_NAME = "gogui-rules_game_id"
_LISTS = {"gogui-rules_legal_moves": False, "all_legal": True}
"""Commands that list the legal moves, GoGui's and GNU Go's: whether they take a colour."""


class GtpEngine(Engine):
    """A program that plays from the start, with moves of one square or ``pass``.

    Squares are named as the protocol has them, without the letter I and with ranks from the bottom,
    or, by a program that lists a square on a file I at the start, as our game has them.
    """

    sets_up = False

    def __init__(self, command: str, timeout: float) -> None:
        """Start the program; ``timeout`` is for each answer [s]. Raises ``BadRequest``."""
        self.name = f"gtp:{command}"
        self._game: Game | None = None
        self._is_go_like = False  # whether squares are named as the protocol has them
        self._process = LineProcess(command_words(command), timeout)
        try:
            known = self._ask("list_commands").split()
            self._plays = self._ask(_NAME) if _NAME in known else ""
            self._list = next((name for name in _LISTS if name in known), "")
        except EngineFailed:
            self.close()
            raise
        if not self._list:
            self.close()
            raise BadRequest(
                f"{self.name} lists no legal moves: it has none of {', '.join(_LISTS)}"
            )

    def check(self, game: Game) -> None:
        """Set the size of the board. Raises ``BadRequest`` for a game without squares or sides."""
        if game == self._game:
            return
        refuse_unless_two_sides(game)
        if self._plays and self._plays.lower() not in (game.name, game.title.lower()):
            raise BadRequest(f"{self.name} plays {self._plays}, not {game.name}")
        board, forms = game.board, game.vocabulary.notation.values()
        if board is None or board.width != board.height or {*map(count_squares, forms)} != {1}:
            what = "a game on a square board whose moves have one square"
            raise BadRequest(f"{self.name} needs {what}, unlike {game.name}")
        if isinstance(said := self._answer(f"boardsize {board.width}"), Refusal):
            raise BadRequest(f"{self.name} has no board for {game.name}: {said.reason}")
        self._game, self._is_go_like = game, True
        self._ask("clear_board")
        start = self._ask(self._listing(0)).lower()
        self._is_go_like = not re.search(r"\bi[1-9]", start)

    def answer(self, question: Question) -> Answer | Refusal:
        """Its legal moves."""
        self.check(question.game)
        self._ask("clear_board", question)
        for number, turn in enumerate(question.turns):
            square = label_of(question.game, turn)
            said = self._answer(f"play {self._colour(number)} {self._vertex(square)}", question)
            if isinstance(said, Refusal):
                return said
        legal = self._ask(self._listing(len(question.turns)), question).lower().split()
        return Answer(turns=frozenset(map(self._label, legal)))

    def close(self) -> None:
        """End the program."""
        self._process.send("quit")
        self._process.close()

    def _listing(self, turns: int) -> str:
        return f"{self._list} {self._colour(turns)}" if _LISTS[self._list] else self._list

    def _colour(self, turns: int) -> str:
        """The side on move after some turns: by its name, or black begins."""
        assert self._game is not None
        first = self._game.initial.to_move
        roles = sorted(self._game.roles, key=lambda role: role != first)
        colours = roles if {*roles} == {"black", "white"} else ["black", "white"]
        return colours[turns % 2]

    def _vertex(self, square: str) -> str:
        """A square's name in the protocol."""
        if not self._is_go_like or not self._game or square == "pass":
            return square
        square = from_bottom(self._game, square)
        return (chr(ord(square[0]) + 1) if square[0] >= "i" else square[0]) + square[1:]

    def _label(self, vertex: str) -> str:
        """The label of a move that has a name in the protocol."""
        if not self._is_go_like or not self._game or vertex == "pass":
            return vertex
        file = chr(ord(vertex[0]) - 1) if vertex[0] > "i" else vertex[0]
        return from_bottom(self._game, file + vertex[1:])

    def _ask(self, command: str, what: object = "") -> str:
        """The answer to a command that can't fail. Raises ``EngineFailed`` if it does."""
        said = self._answer(command, what)
        if isinstance(said, Refusal):
            raise EngineFailed(f"the engine's answer to {command!r}: {said.reason}")
        return said

    def _answer(self, command: str, what: object = "") -> str | Refusal:
        """The answer to a command, a text of one or more lines up to an empty one."""
        self._process.send(command)
        lines: list[str] = []
        while len(lines) < MOST_LINES:
            line = self._process.receive(what or repr(command))
            if line.strip():
                lines.append(line)
            elif lines:
                text = "\n".join(lines)
                if text[0] not in "=?":
                    raise EngineFailed(f"the engine answers {shorten(text)!r} to {command!r}")
                return text[1:].strip() if text[0] == "=" else Refusal(text[1:].strip() or command)
        raise EngineFailed(f"the engine floods: {MOST_LINES} lines and more to {command!r}")
