"""Whole turns as engines know them: by label, by coordinates, and by the FEN before them."""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from random import Random

from ...game.board import square_name
from ...game.game import Game
from ...game.notation.joint_moves import format_joint, parse_joint
from ...game.notation.move_text import named_squares
from ...game.notation.uci_notation import coordinates
from ...game.state import State
from ...runtime.errors import BadMove, BadRequest
from .engine import Question, Turn

Options = Mapping[str, Turn]
"""The turns of a position, by their labels."""


def label_of(game: Game, turn: Turn) -> str:
    """The label of a turn: its squares, or else its terms, then signs such as ``=q`` or ``<``."""
    forms, named = game.vocabulary.notation, list[str]()
    for ply in turn:
        squares = named_squares(forms, ply) if "?" not in _form(game, ply) else []
        named = joined(named, [*map(square_name, squares)] if squares else [ply])
    signs = re.findall(r"=.+|[^\w@&?/+-]", _form(game, turn[-1]))
    return " ".join(named) + "".join(signs)


def _form(game: Game, ply: str) -> str:
    return game.vocabulary.notation.get(ply.partition("(")[0], "")


def joined(begun: Sequence[str], names: Sequence[str]) -> list[str]:
    """The names of a turn with an action's names, which may begin where the turn ended."""
    goes_on = len(names) > 1 and names[:1] == begun[-1:]
    return [*begun, *names[goes_on:]]


def uci_moves(question: Question) -> list[str]:
    """The turns played in a question, in UCI notation."""
    return [coordinates(label_of(question.game, turn)) for turn in question.turns]


def from_bottom(game: Game, text: str) -> str:
    """A text with ranks as Fairy-Stockfish counts them, from the bottom; the inverse, too."""
    board = game.board
    if board is None or board.first_rank == "bottom":
        return text
    return re.sub("([a-z])([1-9][0-9]*)", lambda s: f"{s[1]}{board.height + 1 - int(s[2])}", text)


def needed_fen(game: Game) -> str:
    """The FEN of a game's start. Raises ``BadRequest`` for a game without FEN."""
    if game.initial.fen is None:
        raise BadRequest(f"{game.name} has no FEN, so an engine can't be given its positions")
    return game.initial.fen


def turn_fen(state: State) -> str | None:
    """The FEN of a position at the beginning of a turn; None within a turn."""
    fields = needed_fen(state.game).count(" ")
    return state.fen if state.fen and state.fen.count(" ") == fields else None


class JointMoves(Options):
    """The joint moves of several roles, by their texts (``white=rock,black=paper``)."""

    def __init__(self, moves: Mapping[str, Sequence[str]]) -> None:
        self._moves = moves

    def __iter__(self) -> Iterator[str]:
        for terms in product(*self._moves.values()):
            yield format_joint(dict(zip(self._moves, terms, strict=True)))

    def __getitem__(self, text: str) -> Turn:
        try:
            joint = parse_joint(text)
        except BadMove:
            raise KeyError(text) from None
        if list(joint) != list(self._moves):
            raise KeyError(text)
        if not all(move in self._moves[role] for role, move in joint.items()):
            raise KeyError(text)
        return (text,)

    def __len__(self) -> int:
        """Their number, at most ``sys.maxsize``, the largest length."""
        return min(prod(map(len, self._moves.values())), sys.maxsize)

    def draw(self, random: Random) -> str:
        """A joint move, chosen uniformly."""
        return format_joint({role: random.choice(moves) for role, moves in self._moves.items()})


def some(options: Options, count: int, random: Random) -> list[Turn]:
    """At most ``count`` different turns, chosen at random."""
    if isinstance(options, JointMoves) and len(options) > 1000:
        labels = [*dict.fromkeys(options.draw(random) for _ in range(count))]
    else:
        labels = random.sample(sorted(options), min(count, len(options)))
    return [options[label] for label in labels]
