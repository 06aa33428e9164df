"""States of a net whose part in C is compiled (``propnet/native/states.py.c``): ten times as fast.

They are states as all others. Those without a net, and all where the build could not compile the
part in C, are plain ``State`` objects. The checker of certificates makes no nets, so it has none of
these.
"""

from __future__ import annotations

import functools
from abc import ABCMeta
from typing import TYPE_CHECKING, Any

from ..propnet.native_library import compiled_states
from .move import LegalMoves, Move
from .state import State

if TYPE_CHECKING:
    from .game import Game
    from .move import NetMoves

    class CompiledState(State):
        """What the C code adds to a state."""

        @classmethod
        def on_net(cls, game: Game, net_moves: NetMoves | None, row: bytes) -> Any:
            """The state of a row in the net with these moves."""


@functools.cache
def compiled_state() -> type[CompiledState] | None:
    """The class of compiled states, or None if there is none."""
    compiled = compiled_states()
    if compiled is None:
        return None
    members = vars(State)
    texts = {name: each.__doc__ for name, each in members.items() if each.__doc__}
    texts["play"] = f"play($self, /, *moves)\n--\n\n{texts['play']}"
    move_list, core = compiled.types(texts)

    notation = property(lambda moves: moves._known.notation)
    own = {"__slots__": (), "_notation": notation, "__doc__": LegalMoves.__doc__}
    legal_moves = ABCMeta("LegalMoves", (move_list, LegalMoves), own)
    state: type[CompiledState] = type("State", (core, State), {"__doc__": State.__doc__})
    for made, plain in ((legal_moves, LegalMoves), (state, State)):
        made.__module__ = plain.__module__
    others = State.play, members["legal_moves"].fget, members["to_move"].fget
    compiled.use(Move, legal_moves, *others)
    return state
