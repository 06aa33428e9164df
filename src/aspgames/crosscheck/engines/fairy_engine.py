"""``fairy``: Fairy-Stockfish, through ``pyffish``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...game.game import Game, State
from ...game.notation.fen import parse_fen
from ...game.notation.uci_notation import label
from ...runtime.errors import EngineFailed
from ...runtime.optional_imports import optional_package
from .engine import MID_TURN, Answer, Engine, Question, Refusal
from .peers import Peer, board_of, needed_peer
from .turn_labels import turn_fen, uci_moves


class FairyEngine(Engine):
    """Fairy-Stockfish. A game without legal moves is over, and has a result."""

    name = "fairy"

    def __init__(self) -> None:
        """Raises ``BadRequest`` if ``pyffish`` is missing."""
        self._pyffish: Any = optional_package("pyffish", "--against fairy", "pyffish")
        self._variants: dict[Game, str] = {}

    def check(self, game: Game) -> None:
        """Choose or define the game's variant. Raises ``BadRequest`` without one."""
        if game not in self._variants:
            peer = needed_peer(game, "fairy")
            name = peer.name
            if not begins_as(game, self._pyffish.start_fen(name)):
                name, text = variant(game, peer)
                if name not in self._pyffish.variants():
                    self._pyffish.load_variant_config(text)
            self._variants[game] = name

    def answer(self, question: Question) -> Answer | Refusal:
        """Its legal turns, and the positions after them."""
        game = question.game
        self.check(game)
        variant, fen = self._variants[game], turn_fen(question.before)
        if fen is None:
            return MID_TURN
        turns = uci_moves(question)
        try:
            then = self._pyffish.get_fen(variant, fen, turns) if turns else fen
            facts = parse_fen(board_of(game), then)
            legal = self._pyffish.legal_moves(variant, fen, turns)
            over = None if legal else self._pyffish.game_result(variant, fen, turns)
        except Exception as error:
            raise EngineFailed(f"pyffish: {error}; {question}") from None
        return Answer(
            facts=facts,
            terminal=not legal,
            goals=None if over is None else _goals(game.state(facts), over),
            turns=frozenset(map(label, legal)),
        )


def _goals(state: State, result: int) -> Mapping[str, int]:
    """Goal values from the result for the side on move."""
    worth = 50 if result == 0 else 100 if result > 0 else 0
    return {r: worth if r == state.to_move else 100 - worth for r in state.game.roles}


def variant(game: Game, peer: Peer) -> tuple[str, str]:
    """The name and definition of the peer's variant on another board.

    Fairy-Stockfish's language for variants is described in its ``variants.ini``.
    """
    board = board_of(game)
    name = f"{peer.name}-{board.width}x{board.height}"
    settings = {
        "maxFile": board.width,
        "maxRank": board.height,
        "startFen": f"{game.initial.fen} - - 0 1",
        **peer.settings,
    }
    # The name is new, because an existing variant can't be redefined.
    lines = [f"[{name}:{peer.name}]", *(f"{key} = {value}" for key, value in settings.items())]
    return name, "\n".join(lines) + "\n"


def begins_as(game: Game, fen: str | None) -> bool:
    """Whether a FEN is the FEN of a game's start; its last fields don't count."""
    start = (game.initial.fen or "").split()
    return fen is not None and fen.split()[: len(start)] == start
