"""``fairy``: Fairy-Stockfish, through ``pyffish``."""

from collections.abc import Mapping, Sequence
from typing import Any

from ...game.game import Game
from ...game.notation.fen import parse_fen
from ...game.notation.uci_notation import label
from ...game.state import State
from ...runtime.call_arguments import optional_package
from ...runtime.errors import EngineFailed
from .engine import MID_TURN, Answer, Engine, Question, Refusal
from .peers import Peer, board_of, needed_peer
from .turn_labels import from_bottom, label_of, needed_fen, turn_fen, uci_moves


class FairyEngine(Engine):
    """Fairy-Stockfish. A game without legal moves is over, and has a result."""

    name = "fairy"

    def __init__(self) -> None:
        """Raises ``BadRequest`` if ``pyffish`` is missing."""
        self._pyffish: Any = optional_package("pyffish", "--against fairy", "pyffish")
        self._variants: dict[Game, tuple[str, Peer]] = {}

    def check(self, game: Game) -> None:
        """Choose or define the game's variant. Raises ``BadRequest`` without one."""
        if game not in self._variants:
            peer = needed_peer(game, "fairy")
            name = peer.name
            if not begins_as(game, self._pyffish.start_fen(name)):
                name, text = variant(game, peer)
                if name not in self._pyffish.variants():
                    self._pyffish.load_variant_config(text)
            self._variants[game] = name, peer

    def answer(self, question: Question) -> Answer | Refusal:
        """Its legal turns, and the positions after them."""
        game = question.game
        self.check(game)
        (variant, peer), known = self._variants[game], turn_fen(question.before)
        if known is None:
            return MID_TURN
        fen = _written(peer, known)
        try:
            turns = self._turns(question, variant, peer, fen)
            then = self._pyffish.get_fen(variant, fen, turns) if turns else fen
            facts = parse_fen(board_of(game), _read(game, peer, then))
            legal = self._pyffish.legal_moves(variant, fen, turns)
            drawn = self._is_drawn(variant, then)
            over = None if legal else self._pyffish.game_result(variant, fen, turns)
        except Exception as error:
            raise EngineFailed(f"pyffish: {error}; {question}") from None
        return Answer(
            facts=facts,
            terminal=drawn or not legal,
            goals=_goals(game.state(facts), over or 0) if drawn or not legal else None,
            turns=frozenset() if drawn else frozenset(_label(game, peer, move) for move in legal),
        )

    def _turns(self, question: Question, variant: str, peer: Peer, fen: str) -> Sequence[str]:
        if not peer.moves:
            return [from_bottom(question.game, move) for move in uci_moves(question)]
        found: list[str] = []
        for turn in question.turns:
            wanted, legal = label_of(question.game, turn), self._pyffish.legal_moves
            named = {_label(question.game, peer, m): m for m in legal(variant, fen, found)}
            found.append(named.get(wanted, wanted))
        return found

    def _is_drawn(self, variant: str, fen: str) -> bool:
        """Whether a count of moves or the material draws the game, whatever was played."""
        material = self._pyffish.has_insufficient_material(variant, fen, [])
        return all(material) or bool(self._pyffish.is_optional_game_end(variant, fen, [])[0])


def _label(game: Game, peer: Peer, move: str) -> str:
    if move in peer.moves:
        return label_of(game, (peer.moves[move][0],))
    return label(from_bottom(game, move))


def _written(peer: Peer, fen: str) -> str:
    """Our FEN with their letters and pocket."""
    placed, side, *rest = fen.split()
    theirs = {ord(ours): glyph for glyph, ours in peer.letters.items()}
    placed = placed.translate(theirs) + peer.pocket
    return " ".join([placed, peer.sides.get(side, side), *rest])


def _read(game: Game, peer: Peer, fen: str) -> str:
    """Their FEN with our letters, and the fields that ours have."""
    start = needed_fen(game).split()
    fields = [field for field in fen.split() if field != "-" or "-" in start]
    placed, side, *rest = fields[: len(start)]
    placed = placed.partition("[")[0].translate(
        {ord(theirs): letter for theirs, letter in peer.letters.items()}
    )
    ours = {theirs: letter for letter, theirs in peer.sides.items()}
    return " ".join([placed, ours.get(side, side), *rest])


def _goals(state: State, result: int) -> Mapping[str, int]:
    worth = 50 if result == 0 else 100 if result > 0 else 0
    return {r: worth if r == state.to_move else 100 - worth for r in state.game.roles}


def variant(game: Game, peer: Peer) -> tuple[str, str]:
    """The name and definition of the peer's variant on another board.

    Fairy-Stockfish's language for variants is described in its ``variants.ini``.
    """
    board = board_of(game)
    name = f"{game.name}-{board.width}x{board.height}"
    settings = {
        "maxFile": board.width,
        "maxRank": board.height,
        "startFen": f"{_written(peer, needed_fen(game))} - - 0 1",
        **peer.settings,
    }
    # The name is new, because an existing variant can't be redefined.
    lines = [f"[{name}:{peer.name}]", *(f"{key} = {value}" for key, value in settings.items())]
    return name, "\n".join(lines) + "\n"


def begins_as(game: Game, fen: str | None) -> bool:
    """Whether a FEN is the FEN of a game's start; its last fields don't count."""
    start = (game.initial.fen or "").split()
    return fen is not None and fen.split()[: len(start)] == start
