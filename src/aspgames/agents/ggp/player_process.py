"""A process of the player: ``python -m aspgames.agents.ggp.player_process``.

It reads and writes JSON lines. The first line describes the match: ``rules`` (a sheet), ``role``,
``thinks``, ``seconds``, ``memory`` (bytes) and ``goals`` (the choice of goals, or null). Each
further line is a turn: its number ``turn``, its ``seconds``, and the ``moves`` before it in the
order of the roles, or the role's own ``move`` and ``percepts``. The answers are ``{"ready":true}``
after the rules are read; ``{"turn":N,"move":…}`` for a legal move, and again for each better one;
``{"turn":N,"done":true}`` after the last move; ``{"error":…}``. ``seconds`` of the first line is
the time for preparation, which is turn -1.

With ``thinks`` false, the process only finds a legal move as soon as possible. A process ends when
its input is closed, even during a search.
"""

import json
import os
import random
import sys
import time
from collections.abc import Iterable
from queue import SimpleQueue
from threading import Thread
from typing import Any

from ...game.game import Game
from ...game.loading import game_of_sheet
from ...game.state import State
from ...game.view import History, View, view_of
from ...gdl.kif.goal_choice import CONSTANT
from ...runtime.errors import AspgamesError, IllegalMove, RulesError, one_line
from ...runtime.process_messages import memory_text, resident_bytes
from ...runtime.stoppable import Stoppable
from ..mcts.player import Player
from ..mcts.tree_search import PlayerOptions
from .messages import PREPARING

_LOOK_SECONDS = 0.1  # seconds between looks at the memory
_TABLE = 0.2  # the part of the memory for the tree, and for each of the solver's two tables


def main() -> None:
    """Read and answer lines until the input ends."""
    lines: SimpleQueue[dict[str, Any]] = SimpleQueue()
    Thread(target=_listen, args=(lines,), daemon=True).start()
    first = lines.get()
    Thread(target=_watch_memory, args=(first["memory"],), daemon=True).start()
    try:
        _Follower(first, lines).run()
    except AspgamesError as error:
        _tell(error=one_line(str(error)))
    except (MemoryError, RecursionError):
        _tell(error="the rules are too large")
    except Exception as error:  # tracebacks are discarded here
        _tell(error=one_line(f"a defect of aspgames: {error!r}"))
    os._exit(1)  # a thread is still waiting for input


class _Follower:
    def __init__(self, first: dict[str, Any], lines: SimpleQueue[dict[str, Any]]) -> None:
        self._lines, self._thinks = lines, bool(first["thinks"])
        chosen = {CONSTANT: first["goals"]} if first["goals"] else {}
        game = game_of_sheet(first["rules"], chosen)
        self._game: Game = game if self._thinks else game.without_nets
        self._state: State | None = self._game.initial
        self._history: History = ()
        text, roles = first["role"], game.roles
        self._role = game.kif.move(text) if text else roles[0]
        if self._role not in roles:
            has = ", ".join(map(game.kif.text, roles))
            raise IllegalMove(f"the rules have no role {text}; they have {has}")
        start = self._game.initial.consequences  # most errors in rules show here
        stuck = [role for role, moves in start.legal.items() if not moves and not start.terminal]
        if stuck:
            raise RulesError(f"{game.kif.text(stuck[0])} has no move at the start")
        _tell(ready=True)
        memory = _TABLE * first["memory"]
        self._player = Player(game, PlayerOptions(seed=os.getpid(), memory=memory))
        if self._thinks:
            self._player.prepare(self._game.initial, Stoppable(first["seconds"]))
        _tell(turn=PREPARING, done=True)

    def run(self) -> None:
        while True:
            given = self._lines.get()
            arrived = time.monotonic()
            if "move" in given:
                self._perceive(given["move"], given["percepts"])
            else:
                self._follow(given.get("moves", []))
            if not self._lines.empty():
                continue  # this turn is over: a later one has arrived
            if self._state and self._state.is_terminal:
                _tell(turn=given["turn"], done=True)
                continue
            self._answer(given["turn"], given["seconds"] - (time.monotonic() - arrived))

    def _follow(self, moves: list[str]) -> None:
        if not moves:
            return
        roles = self._game.roles
        if len(moves) != len(roles):
            raise IllegalMove(f"there are {len(moves)} moves for {len(roles)} roles")
        joint = {r: self._game.kif.move(text) for r, text in zip(roles, moves, strict=True)}
        if self._state is None:
            raise IllegalMove("the manager sent percepts before, and now the moves of all roles")
        try:
            if self._game.hidden:
                seen = self._state.sees(joint)[self._role]
                self._history = (*self._history, (joint[self._role], seen))
            self._state = self._state.play(joint)
        except IllegalMove as error:
            raise IllegalMove(f"{' '.join(moves)} can't have been played: {error}") from None

    def _perceive(self, move: str, percepts: list[str]) -> None:
        if not self._game.hidden:
            raise RulesError("the manager sends percepts, but the rules have no sees/2")
        terms = sorted({self._game.kif.move(text) for text in percepts})
        self._history = (*self._history, (self._game.kif.move(move), tuple(terms)))
        self._state = None

    def _answer(self, turn: int, seconds: float) -> None:
        last = ""
        for term in self._moves(seconds):
            if term != last:
                _tell(turn=turn, move=self._game.kif.text(term))
                last = term
            if not self._lines.empty():
                return
        _tell(turn=turn, done=True)

    def _moves(self, seconds: float) -> Iterable[str]:
        """Legal moves as terms, each better than the one before."""
        known: State | View
        if self._game.hidden:
            known = view_of(self._game.initial, self._role, self._history)
        else:
            assert self._state is not None
            known = self._state
        if self._thinks and seconds > 0:
            thoughts = self._player.think(known, self._role, Stoppable(seconds))
            return (thought.move for thought in thoughts)
        moves = known.legal_moves if isinstance(known, View) else known.legal[self._role]
        legal = [move.term for move in moves]
        if isinstance(known, View) and not known.states:
            raise IllegalMove("no state fits the percepts that the manager sent")
        return [random.choice(legal)] if legal else []


def _listen(lines: SimpleQueue[dict[str, Any]]) -> None:
    for line in sys.stdin:
        lines.put(json.loads(line))
    os._exit(0)


def _watch_memory(most_bytes: float) -> None:
    while resident_bytes(os.getpid()) <= most_bytes:
        time.sleep(_LOOK_SECONDS)
    _tell(error=f"the game takes more than {memory_text(most_bytes)}")
    os._exit(1)


def _tell(**what: Any) -> None:
    """Write a line by one call, since two threads write."""
    os.write(1, json.dumps(what).encode() + b"\n")


if __name__ == "__main__":
    main()
