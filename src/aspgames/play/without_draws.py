"""A game without its draws, as most engines count it: play goes on after the 50-move rule."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..asp.clingo_api import AST
from ..asp.nodes import span_of, with_atoms
from ..asp.parsing import parse
from ..asp.sources import Source
from ..game.game import Game, game_of_encoding
from ..gdl.encoding import is_own_file

_ENDED = "aspgames_ended"
_SEVERAL = "aspgames_several"
_END = f"""
{_SEVERAL} :- role(R), role(S), R != S.
terminal   :- {_ENDED}, goal(R,M), goal(S,N), M < N.
terminal   :- {_ENDED}, not {_SEVERAL}.
"""


def without_draws(game: Game) -> Game:
    """The game, except that only a state in which the goals differ is terminal.

    A drawn state without legal moves has none here, either, so perft ends there, too. Games of one
    role are left as they are.

    >>> import aspgames
    >>> kings = aspgames.load("chess").position("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    >>> kings.is_terminal, aspgames.perft(without_draws(kings.game).state(kings.facts), 1)
    (True, 5)
    """
    encoding, path = game.encoding, Path("without_draws.lp")
    sources = (Source(path, _END), *(replace(s, text=_renamed(s)) for s in encoding.sources))
    reference = (
        encoding.reference if is_own_file(encoding.reference) else str(encoding.sources[-1].path)
    )
    return game_of_encoding(replace(encoding, sources=sources, reference=reference), game.constants)


def _renamed(source: Source) -> str:
    """A file's text with another name for the end of the game, and with each rule on its line."""
    lines = [""] * (source.text.count("\n") + 1)
    for statement in parse(source):
        lines[span_of(statement).first - 1] += f"{with_atoms(statement, _other_name)} "
    return "\n".join(lines)


def _other_name(name: str, terms: Sequence[AST]) -> tuple[str, Sequence[AST]]:
    return _ENDED if (name, len(terms)) == ("terminal", 0) else name, terms
