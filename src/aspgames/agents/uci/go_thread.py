"""Runs the work of a ``go`` command in its own thread, and prints one ``bestmove``."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from threading import Lock, Thread, Timer
from time import monotonic

from ...game.game import State
from ...game.move import Move
from ...puzzle.problem import Puzzle
from ...runtime.budget import Stoppable
from ...runtime.errors import AspgamesError, Interrupted, one_line
from ..mcts.player import Line, Player, Thought
from .go_command import Going
from .uci_turns import made_whole, turn_text

Tell = Callable[[str], None]

_OFTEN = 0.1  # seconds between two info lines if the best move has changed
_SELDOM = 1.0  # seconds between two info lines if it has not
_EARLIER = 0.03  # seconds reserved for the last info line
_AFTER_ALL = 1000  # random games for a move if the solver finds none


class GoJob:
    """A running ``go`` command.

    ``stop`` prints the best move so far at once; the thinking thread may end later.
    """

    def __init__(self, tell: Tell, best: str, holds: bool, before: Thread | None) -> None:
        """Create a job; ``start`` runs it.

        Args:
            tell: Prints one line.
            best: The first best move; empty for a job without ``bestmove``.
            holds: Whether ``bestmove`` waits for ``stop`` or ``hit``.
            before: The work begins after this thread ends.
        """
        self.budget = Stoppable()
        self._tell, self._best, self._holds, self._before = tell, best, holds, before
        self._lock = Lock()
        self._finished = self._answered = False
        self._timer: Timer | None = None
        self.thread = Thread(daemon=True)

    def start(self, work: Callable[[GoJob], None], seconds: float | None) -> None:
        """Run ``work`` in a new thread; answer after ``seconds`` at the latest."""

        def run() -> None:
            if self._before:
                self._before.join()
            try:
                work(self)
            except (Interrupted, OSError):  # the result is no longer needed
                pass
            except (AspgamesError, MemoryError, RecursionError) as error:
                self._tell(f"info string {one_line(str(error)) or 'too large'}")
            except Exception as error:  # an interface does not show tracebacks
                self._tell(f"info string a defect of aspgames: {one_line(repr(error))}")
            self._finish()

        self.thread = Thread(target=run, daemon=True)
        self.thread.start()
        self.limit(seconds)

    def limit(self, seconds: float | None) -> None:
        """Stop after ``seconds`` from now; None for no limit."""
        if seconds is not None:
            self._timer = Timer(seconds, self.stop)
            self._timer.daemon = True
            self._timer.start()

    @property
    def is_open(self) -> bool:
        """Whether the job has not answered yet."""
        return not self._answered

    @property
    def answers(self) -> bool:
        """Whether the job prints a ``bestmove``."""
        return bool(self._best)

    @property
    def holds(self) -> bool:
        """Whether the answer waits for ``stop`` or ``ponderhit``."""
        return self._holds

    def improve(self, best: str) -> None:
        """Store a better answer."""
        self._best = best

    def inform(self, line: str) -> None:
        """Print an ``info`` line, unless the job has answered."""
        with self._lock:
            if not self._answered:
                self._tell(f"info {line}")

    def hit(self, seconds: float | None) -> None:
        """Handle ``ponderhit``: answer when the work ends, after ``seconds`` at the latest."""
        self._holds = False
        if self._finished:
            self._answer()
        else:
            self.limit(seconds)

    def stop(self) -> None:
        """Answer now."""
        self.budget.stop()
        self._answer()

    def drop(self) -> None:
        """End the job without an answer."""
        self.budget.stop()
        with self._lock:
            self._answered = True
        self._end_timer()

    def _finish(self) -> None:
        self._finished = True
        if not self._holds:
            self._answer()

    def _answer(self) -> None:
        with self._lock:
            if self._answered:
                return
            self._answered = True
            if self._best:
                self._tell(f"bestmove {self._best}")
        self._end_timer()

    def _end_timer(self) -> None:
        if self._timer:
            self._timer.cancel()


@dataclass(frozen=True)
class Thinking:
    """A search by the engine, with its ``info`` lines."""

    player: Player
    state: State
    going: Going
    among: Collection[str]
    """The terms of the moves to choose from; empty for all moves."""
    lines: int
    """The number of lines printed."""
    seconds: float | None

    def __call__(self, job: GoJob) -> None:
        """Think until the job's budget ends or the search reaches a limit."""
        state, limits = self.state, self.going.numbers
        role = state.to_move
        assert role is not None
        started, told, best = monotonic(), -math.inf, ""
        depth = limits.get("depth", math.inf)
        thought: Thought | None = None
        thoughts = self.player.think(
            state, role, self._budget(job), limits.get("nodes"), self.among
        )
        for number, thought in enumerate(thoughts):
            if number == 0 and not thought.certain:
                continue  # the first thought is random
            passed, changed = monotonic() - started, thought.move != best
            is_due = thought.certain or passed - told >= (_OFTEN if changed else _SELDOM)
            if changed or is_due or depth < math.inf:
                best, lines = thought.move, thought.lines(self.lines)
                job.improve(_answer(state, thought, lines))
                if is_due:
                    self._inform(job, thought, lines, passed)
                    told = passed
                if lines and len(lines[0].plies) >= depth:
                    break
        if thought and not thought.certain and (lines := thought.lines(self.lines)):
            job.improve(_answer(state, thought, lines))
            self._inform(job, thought, lines, monotonic() - started)

    def _budget(self, job: GoJob) -> Stoppable:
        """The player's budget; it ends shortly before the job stops."""
        seconds = self.seconds and max(self.seconds / 2, self.seconds - _EARLIER)
        return Stoppable(seconds, None, job.budget)

    def _inform(self, job: GoJob, thought: Thought, lines: Sequence[Line], passed: float) -> None:
        speed = round(thought.games / max(passed, 1e-3))
        for number, line in enumerate(lines, start=1):
            job.inform(
                f"depth {len(line.plies)} multipv {number} score {score(line)} "
                f"nodes {thought.games} nps {speed} hashfull {round(1000 * thought.fullness)} "
                f"time {round(1000 * passed)} pv {' '.join(texts(line.plies))}"
            )


@dataclass(frozen=True)
class Solving:
    """Solves a puzzle for ``go mate``; without a forced line, the engine chooses a move."""

    thinking: Thinking
    goal: str
    memory: float
    threads: int

    def __call__(self, job: GoJob) -> None:
        """Solve the puzzle whose attacker is the side on move."""
        from ...solver.solvers import open_puzzle  # loaded only when needed

        state, within = self.thinking.state, self.thinking.going.numbers["mate"]
        try:
            puzzle = Puzzle.of(state, state.to_move, self.goal, max(1, within))
            found = open_puzzle(puzzle, job.budget, memory=self.memory, threads=self.threads).run()
        except AspgamesError as error:
            job.inform(f"string {one_line(str(error))}")
        else:
            if found.verdict == "forced" and found.distance and found.line:
                plies = tuple(_played(state, found.line))
                job.improve(_best(plies))
                told = " ".join(texts(plies))
                nodes = f"nodes {found.positions} time {round(1000 * found.seconds)}"
                job.inform(f"depth {len(plies)} score mate {found.distance} {nodes} pv {told}")
                return
            force = f"{puzzle.goal.force}{puzzle.limit}"
            if found.verdict == "not_forced":
                job.inform(f"string {state.to_move} can't {force}")
            else:
                job.inform(f"string whether {state.to_move} can {force} is undecided")
        thinking, role = self.thinking, state.to_move or ""
        for thought in thinking.player.think(state, role, job.budget, _AFTER_ALL, thinking.among):
            job.improve(_answer(state, thought, thought.lines(1)))


def score(line: Line) -> str:
    """A line's UCI score: 400 centipawns for each factor of ten in the odds of winning."""
    if line.turns is not None:
        return f"mate {line.turns}"
    share = min(max(line.mean, 1e-4), 1 - 1e-4)
    return f"cp {round(400 * math.log10(share / (1 - share)))}"


def texts(plies: Sequence[tuple[State, Move]]) -> Iterator[str]:
    """The text of each turn of a line."""
    turn: list[tuple[State, Move]] = []
    for ply, following in pairwise([*plies, None]):
        assert ply is not None
        turn.append(ply)
        alone = len(ply[0].game.roles) == 1
        if following is None or following[1].role != ply[1].role or alone:
            yield turn_text(turn[0][0], [move for _, move in turn])
            turn = []


def _answer(state: State, thought: Thought, lines: Sequence[Line]) -> str:
    """The arguments of ``bestmove``: the whole turn, and the other side's expected turn."""
    if lines and lines[0].plies[0][1].term == thought.move:
        return _best(lines[0].plies)
    return _best(((state, state.legal_move(state.to_move or "", thought.move)),))


def _best(plies: tuple[tuple[State, Move], ...]) -> str:
    """The arguments of ``bestmove`` for a line; an incomplete first turn is completed."""
    state, turn = plies[0][0], 1
    alone = len(state.game.roles) == 1
    while not alone and turn < len(plies) and plies[turn][1].role == plies[0][1].role:
        turn += 1
    found = turn_text(state, made_whole(state, [move for _, move in plies[:turn]]))
    ponder = next(texts(plies[turn:]), "")
    return f"{found} ponder {ponder}" if ponder else found


def _played(state: State, terms: Sequence[str]) -> Iterator[tuple[State, Move]]:
    for term in terms:
        move = state.legal_move(state.to_move or "", term)
        yield state, move
        state = state.play(move)
