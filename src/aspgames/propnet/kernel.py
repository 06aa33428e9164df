"""The functions of the library, with their types. What they do is said in the C files."""

from __future__ import annotations

import ctypes
import functools
from ctypes import (
    POINTER,
    Structure,
    c_char_p,
    c_double,
    c_int,
    c_int32,
    c_int64,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
)
from typing import Any

from . import native_library

NO_MEMORY = -1
TWO_GOALS = -2
DOES_ASKED = -2

_TABLES: dict[str, tuple[Any, list[Any]]] = {
    "aspgames_tables_begin": (c_void_p, [c_int32] * 5 + [c_void_p]),
    "aspgames_tables_phase": (c_int, [c_void_p, c_int32, c_void_p]),
    "aspgames_tables_size": (c_int64, [c_void_p]),
    "aspgames_tables_end": (None, [c_void_p, c_void_p]),
    "aspgames_search_begin": (
        c_void_p,
        [c_int32, c_int32, c_int32, c_void_p, c_int32, c_int32, c_int32] + [c_void_p] * 3,
    ),
    "aspgames_search_phase": (c_int, [c_void_p, c_int32, c_void_p]),
    "aspgames_tables_check": (c_int, [c_void_p, c_int64]),
    "aspgames_single_new": (c_void_p, [c_void_p]),
    "aspgames_single_out": (c_void_p, [c_void_p]),
    "aspgames_single_moves": (c_void_p, [c_void_p]),
    "aspgames_single_row": (c_void_p, [c_void_p]),
    "aspgames_single_free": (None, [c_void_p]),
    "aspgames_ask": (c_int, [c_void_p, c_char_p]),
    "aspgames_play": (c_int, [c_void_p, c_char_p]),
    "aspgames_play_one": (c_int, [c_void_p, c_char_p, c_int32, c_int32]),
    "aspgames_evaluate_one": (None, [c_void_p, c_int32, c_int32, c_int32, c_void_p]),
    "aspgames_states_new": (c_void_p, [c_int32]),
    "aspgames_states_free": (None, [c_void_p]),
    "aspgames_states_clear": (None, [c_void_p]),
    "aspgames_states_count": (c_int64, [c_void_p]),
    "aspgames_states_rows": (c_void_p, [c_void_p]),
    "aspgames_states_bytes": (c_int64, [c_void_p, c_int64]),
    "aspgames_states_reserve": (c_int, [c_void_p, c_int64]),
    "aspgames_states_add": (None, [c_void_p, c_void_p, c_int64, c_void_p, c_void_p]),
    "aspgames_states_find": (None, [c_void_p, c_void_p, c_int64, c_void_p]),
    "aspgames_states_give_back": (c_int64, [c_void_p, c_int64]),
    "aspgames_observe": (None, [c_void_p, c_void_p, c_int64, c_void_p]),
    "aspgames_induce": (
        c_int,
        [c_void_p, c_int64, c_int64, c_void_p, c_void_p, c_void_p, c_int64, c_void_p, c_void_p],
    ),
    "aspgames_tree_select": (None, [c_void_p, c_int64, c_int32, c_void_p]),
    "aspgames_tree_update": (None, [c_void_p, c_void_p, c_int64, c_int32, c_void_p, c_void_p]),
    "aspgames_tree_settle": (None, [c_void_p, c_void_p, c_int64]),
    "aspgames_check_values": (
        c_int64,
        [c_void_p, c_void_p, c_int64, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p],
    ),
}

_LANES: dict[str, tuple[Any, list[Any]]] = {
    "aspgames_games_new": (
        c_void_p,
        [c_void_p, c_void_p, c_int64, c_uint64, c_int64, c_int64, c_void_p, c_void_p, c_void_p],
    ),
    "aspgames_phases": (None, [c_void_p, c_void_p, c_int64, c_void_p]),
    "aspgames_games_run": (c_int, [c_void_p, c_int32]),
    "aspgames_games_states": (c_int64, [c_void_p]),
    "aspgames_games_free": (None, [c_void_p]),
    "aspgames_walk_new": (c_void_p, [c_int32, c_char_p, c_int64, c_int32]),
    "aspgames_walk_block": (c_int, [c_void_p, c_int32, c_void_p]),
    "aspgames_walk_run": (c_int, [c_void_p, c_int32]),
    "aspgames_walk_paths": (c_uint64, [c_void_p]),
    "aspgames_walk_states": (c_uint64, [c_void_p]),
    "aspgames_walk_collected": (c_int64, [c_void_p, POINTER(c_void_p)]),
    "aspgames_walk_free": (None, [c_void_p]),
    "aspgames_batch_new": (c_void_p, [c_void_p]),
    "aspgames_batch_ask": (c_int, [c_void_p, c_void_p, c_int64, c_void_p]),
    "aspgames_batch_step": (c_int64, [c_void_p, c_void_p, c_int64, c_void_p]),
    "aspgames_batch_free": (None, [c_void_p]),
    "aspgames_evaluate": (None, [c_void_p, c_int32, c_int32, c_int32, c_void_p]),
    "aspgames_successors_new": (c_void_p, [c_void_p, c_void_p, c_int32]),
    "aspgames_successors_of": (c_int, [c_void_p, c_void_p, c_int64, c_void_p]),
    "aspgames_successors_rows": (c_int64, [c_void_p, POINTER(c_void_p)]),
    "aspgames_successors_least": (None, [c_void_p, c_void_p, c_int64]),
    "aspgames_successors_free": (None, [c_void_p]),
    "aspgames_search_new": (c_void_p, [c_void_p, c_int64, c_int32]),
    "aspgames_search_use": (None, [c_void_p, c_void_p]),
    "aspgames_search_run": (c_int, [c_void_p, c_void_p, c_int32, c_int32, c_int32]),
    "aspgames_search_allow": (None, [c_void_p, c_int64]),
    "aspgames_search_sweep": (c_int, [c_void_p]),
    "aspgames_search_known": (c_int, [c_void_p, c_char_p, c_int32, c_void_p]),
    "aspgames_search_parts": (c_int, [c_void_p, c_int64, c_int64, c_void_p]),
    "aspgames_search_adopt": (c_int, [c_void_p, c_int64, c_int64]),
    "aspgames_search_free": (None, [c_void_p]),
    "aspgames_worker_new": (c_void_p, [c_void_p]),
    "aspgames_worker_judge": (c_int, [c_void_p, c_char_p]),
    "aspgames_worker_expand": (c_int, [c_void_p, c_char_p]),
    "aspgames_worker_family": (c_void_p, [c_void_p]),
    "aspgames_worker_plan": (
        POINTER(c_int32),
        [c_void_p, c_char_p, c_int32, c_int32, c_int32, c_void_p],
    ),
    "aspgames_worker_free": (None, [c_void_p]),
}


class Request(Structure):
    """What a phase's tables are made from (``tables.c``)."""

    _fields_ = [
        ("circuit", c_void_p),
        ("became", c_void_p),
        ("fluents", c_void_p),
        ("does", c_void_p),
        ("legal", c_void_p),
        ("marks", c_void_p),
        ("next", c_void_p),
        ("goals", c_void_p),
        ("to_move", c_void_p),
        ("bounds", c_void_p),
        ("goal_count", c_int32),
        ("terminal", c_int32),
    ]


class SearchRequest(Structure):
    """What a phase of a puzzle's tables is made from (``search_tables.c``)."""

    _fields_ = [
        ("state", c_void_p),
        ("fluents", c_void_p),
        ("does", c_void_p),
        ("verdicts", c_void_p),
        ("legal", c_void_p),
        ("counted", c_void_p),
        ("successor", c_void_p),
        ("successor_fluents", c_void_p),
        ("successor_does", c_void_p),
        ("next", c_void_p),
        ("successor_counted", c_void_p),
        ("bounds", c_void_p),
    ]


class Family(Structure):
    """A state's moves and the states after them (``expand.h``)."""

    _fields_ = [
        ("count", c_int32),
        ("evaluated", c_int32),
        ("evaluations", c_int32),
        ("moves", POINTER(c_int32)),
        ("rows", POINTER(c_uint64)),
        ("reached", POINTER(c_uint8)),
        ("over", POINTER(c_uint8)),
        ("attacks", POINTER(c_uint8)),
    ]


class KernelPart(Structure):
    """An array of a transposition table (``parts.h``)."""

    _fields_ = [("at", c_void_p), ("item", c_int64), ("count", c_int64)]


class Known(Structure):
    """What a search knows of a state (``search.c``)."""

    _fields_ = [
        (name, c_int64)
        for name in ("node", "proof", "disproof", "lower", "upper", "met", "evaluated", "left")
    ]


class Answers(Structure):
    """Where the answers for a batch of states go (``batch.h``)."""

    _fields_ = [
        ("terminal", c_void_p),
        ("on_move", c_void_p),
        ("mover", c_void_p),
        ("goals", c_void_p),
        ("legal", c_void_p),
        ("bits", c_void_p),
        ("choices", c_void_p),
        ("picks", c_void_p),
        ("keys", c_void_p),
        ("draw", c_uint64),
        ("noops", c_void_p),
        ("scope", c_int32),
        ("counts", c_void_p),
    ]


class Step(Structure):
    """What is played in a batch of states (``batch.h``)."""

    _fields_ = [
        ("moves", c_void_p),
        ("width", c_int32),
        ("choices", c_void_p),
        ("picks", c_void_p),
        ("over", c_void_p),
        ("noops", c_void_p),
        ("anew", c_void_p),
        ("anew_length", c_int64),
        ("where", c_void_p),
        ("into", c_void_p),
    ]


class Layout(Structure):
    """Where the fluents of states are shown in arrays of numbers (``observe.c``)."""

    _fields_ = [
        ("words", c_int32),
        ("width", c_int32),
        ("background", c_void_p),
        ("starts", c_void_p),
        ("places", c_void_p),
        ("values", c_void_p),
    ]


class FamilyOfState(Structure):
    """Where what is said of states and their successors goes (``successors.h``)."""

    _fields_ = [(name, c_void_p) for name in ("movers", "degrees", "starts", "goals")]


class Preferences(Structure):
    """Which outcomes roles prefer (``induction.c``)."""

    _fields_ = [
        ("outcomes", c_int32),
        ("ranks", c_void_p),
        ("hurry", c_void_p),
        ("aims", c_void_p),
        ("plies", c_uint32),
    ]


class Found(Structure):
    """What a look at some states has brought (``induction.c``)."""

    _fields_ = [
        ("settled", c_int64),
        ("open", c_int64),
        ("next", c_uint32),
        ("longest", c_uint32),
    ]


class TreeOfGames(Structure):
    """Where a tree's arrays lie (``tree.c``)."""

    _fields_ = [
        ("roles", c_int32),
        ("settles", c_int32),
        ("exploration", c_double),
        *((name, c_void_p) for name in ("parents", "firsts", "degrees", "movers", "settled")),
        *((name, c_void_p) for name in ("surest", "plies", "games", "pending", "goals", "peaks")),
    ]


@functools.cache
def kernel() -> Any:
    """The library's functions, without ``aspgames_`` and the instruction set in their names."""
    return Kernel(native_library.variant())


class Kernel:
    """The functions for one instruction set."""

    def __init__(self, variant: str) -> None:
        loaded = native_library.load()
        for name, types in _TABLES.items():
            self._take(loaded, name, name, types)
        for name, types in _LANES.items():
            self._take(loaded, name, f"{name}_{variant}", types)

    def _take(
        self, loaded: ctypes.CDLL, name: str, full: str, types: tuple[Any, list[Any]]
    ) -> None:
        function = getattr(loaded, full)
        function.restype, function.argtypes = types
        setattr(self, name.removeprefix("aspgames_"), function)


def memory(size: int) -> Any:
    """So many bytes, zeroed, at the beginning of a line of the cache, as vectors need it."""
    room = ctypes.create_string_buffer(size + 64)
    return (ctypes.c_char * size).from_buffer(room, -ctypes.addressof(room) % 64)
