"""The work of a ``go`` command; it prints one ``bestmove``."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from threading import Lock, Timer
from time import monotonic

from ...game.move import Move
from ...game.state import State
from ...puzzle.problem import Puzzle
from ...runtime.budget import Budget
from ...runtime.errors import AspgamesError, one_line
from ..mcts.player import Player, played
from ..mcts.thoughts import Line, Thought
from .uci_turns import begins, made_whole, turn_text

_MOVES_LEFT = 25  # the assumed number of moves left without ``movestogo``
_RESERVED_SHARE = 0.2  # the part of the clock that a move never uses
LEAST_SECONDS = 0.001
"""The least time for a move [s]."""

_NUMBERS = {
    "wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime", "perft",
}  # fmt: skip
_HIGHEST_NUMBER = 10**12
Tell = Callable[[str], None]
_SECONDS_CHANGED = 0.1  # seconds between two info lines if the best move has changed
_SECONDS_UNCHANGED = 1.0  # seconds between two info lines if it has not
_LAST_LINE_SECONDS = 0.03  # seconds reserved for the last info line
_GAMES_AFTER_SOLVER = 1000  # random games for a move if the solver finds none


@dataclass
class Going:
    """The arguments of a ``go`` command."""

    searchmoves: list[str] = field(default_factory=list)
    ponder: bool = False
    infinite: bool = False
    numbers: dict[str, int] = field(default_factory=dict)
    """The given ones of ``wtime``, ``depth`` and so on."""
    wrong: str = ""
    """A message for the first malformed argument."""

    @staticmethod
    def read(words: list[str]) -> "Going":
        """Read the words after ``go``; malformed arguments are skipped."""
        found, known = Going(), {"searchmoves", "ponder", "infinite", *_NUMBERS}
        parts: list[tuple[str, list[str]]] = [("", [])]
        for word in words:
            if word in known:
                parts.append((word, []))
            else:
                parts[-1][1].append(word)
        for name, rest in parts:
            if name == "searchmoves":
                found.searchmoves += rest
                continue
            if name in _NUMBERS:
                number = _number(rest.pop(0) if rest else None)
                if number is None:
                    found.wrong = found.wrong or f"go {name} takes a whole number"
                else:
                    found.numbers[name] = number
            elif name:
                setattr(found, name, True)
            if rest:
                found.wrong = found.wrong or f"go has no {rest[0][:40]!r}"
        return found

    @property
    def waits(self) -> bool:
        """Whether the move waits for ``stop`` or ``ponderhit``."""
        return self.infinite or self.ponder

    @property
    def limits(self) -> set[str]:
        """The names of the given limits, which end the search."""
        return set(self.numbers) - {"winc", "binc", "movestogo"}

    def seconds(self, first_role: bool, overhead: float, most: float | None) -> float | None:
        """The time for the move of the first or the second role [s]; None for no limit."""
        get = self.numbers.get
        left, gain = get("wtime" if first_role else "btime"), get("winc" if first_role else "binc")
        found = None
        if "movetime" in self.numbers:
            found = self.numbers["movetime"] / 1000 - overhead
        elif left is not None:
            clock = max(0.0, left / 1000 - overhead)
            share = clock / max(1, get("movestogo") or _MOVES_LEFT) + 0.8 * (gain or 0) / 1000
            found = min(share, (1 - _RESERVED_SHARE) * clock)
        return most if found is None else max(LEAST_SECONDS, min(found, most or found))


def _number(word: str | None) -> int | None:
    """A whole number; negative numbers become 0: interfaces send them for expired clocks."""
    digits = (word or "").removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 20):
        return None
    return 0 if word != digits else min(int(digits), _HIGHEST_NUMBER)


class GoJob:
    """A ``go`` command that waits, runs or has answered."""

    def __init__(self, tell: Tell, best: str, holds: bool, seconds: float | None) -> None:
        """Start the clock of a job, which answers after ``seconds`` unless it ``holds``.

        A job that holds answers after ``stop`` or ``ponderhit``. ``best`` is the first best move;
        it is empty for a job without ``bestmove``.
        """
        self.budget = Budget()
        self.best = best
        self.holds = holds
        self.is_open = True
        """Whether the job has not answered yet."""
        self._tell, self._lock = tell, Lock()
        self._finished = False
        self._seconds = seconds
        self._timer: Timer | None = None
        if not holds:
            self._start_clock()

    def _start_clock(self) -> None:
        if self._seconds is not None:
            self._timer = Timer(self._seconds, self.end)
            self._timer.daemon = True
            self._timer.start()

    def inform(self, line: str) -> None:
        """Print a line, unless the job has answered."""
        with self._lock:
            if self.is_open:
                self._tell(line)

    def hit(self) -> None:
        """Handle ``ponderhit``: answer when the work ends, or when the time is over."""
        if self.holds:
            self._start_clock()
            self.holds = False
            if self._finished:
                self.end()

    def finish(self) -> None:
        """The work has ended."""
        self._finished = True
        if not self.holds:
            self.end()

    def end(self, answers: bool = True) -> None:
        """Stop the work, and print the best move so far if the job ``answers``."""
        self.budget.stop()
        with self._lock:
            if self.is_open and self.best and answers:
                self._tell(f"bestmove {self.best}")
            self.is_open = False
        if self._timer:
            self._timer.cancel()


@dataclass(frozen=True)
class Thinking:
    """A search by the engine, with its ``info`` lines."""

    player: Player
    state: State
    going: Going
    wanted: Sequence[tuple[Move, ...]]
    """The turns to choose from, or their first plies; empty for all turns."""
    lines: int
    seconds: float | None

    def __call__(self, job: GoJob) -> None:
        """Think until the job's budget ends or the search reaches a limit."""
        state, limits = self.state, self.going.numbers
        role = state.to_move
        assert role is not None
        started, reported, best = monotonic(), -math.inf, ""
        depth = limits.get("depth", math.inf)
        thought: Thought | None = None
        thoughts = self.player.think(
            state, role, self._budget(job), limits.get("nodes"), self.among, self.lines
        )
        for number, thought in enumerate(thoughts):
            if number == 0 and not thought.certain:
                continue  # the first thought is random
            passed, changed = monotonic() - started, thought.move != best
            is_due = thought.certain or passed - reported >= (
                _SECONDS_CHANGED if changed else _SECONDS_UNCHANGED
            )
            if changed or is_due or depth < math.inf:
                best, lines = thought.move, thought.lines(self.lines)
                job.best = self.answer(thought, lines)
                if is_due:
                    self._inform(job, thought, lines, passed)
                    reported = passed
                if lines and (thought.depth or len(lines[0].plies)) >= depth:
                    break
        if thought and not thought.certain and (lines := thought.lines(self.lines)):
            job.best = self.answer(thought, lines)
            self._inform(job, thought, lines, monotonic() - started)

    @property
    def among(self) -> set[str]:
        """The terms of the moves to choose from; empty for all moves."""
        return {plies[0].term for plies in self.wanted}

    def answer(self, thought: Thought, lines: Sequence[Line]) -> str:
        """The arguments of ``bestmove``: the whole turn, and the other side's expected turn."""
        if lines and lines[0].plies[0][1].term == thought.move:
            return self.best(lines[0].plies)
        state = self.state
        return self.best([(state, state.legal_move(state.to_move or "", thought.move))])

    def best(self, plies: Sequence[tuple[State, Move]]) -> str:
        """The arguments of ``bestmove`` for a line; its first turn is completed."""
        state, turn = plies[0][0], 1
        alone = len(state.game.roles) == 1
        while not alone and turn < len(plies) and plies[turn][1].role == plies[0][1].role:
            turn += 1
        whole = made_whole(state, [move for _, move in plies[:turn]])
        if self.wanted and not begins(whole, self.wanted):
            first = next(each for each in self.wanted if each[0] == whole[0])
            return turn_text(state, made_whole(state, first))
        ponder = next(texts(plies[turn:]), "")
        return turn_text(state, whole) + (f" ponder {ponder}" if ponder else "")

    def _budget(self, job: GoJob) -> Budget:
        """The player's budget; it ends shortly before the job stops."""
        seconds = self.seconds and max(self.seconds / 2, self.seconds - _LAST_LINE_SECONDS)
        return Budget(seconds, None, job.budget)

    def _inform(self, job: GoJob, thought: Thought, lines: Sequence[Line], passed: float) -> None:
        speed = round(thought.games / max(passed, 1e-3))
        deepest = f"seldepth {thought.deepest} " if thought.depth else ""
        for number, line in enumerate(lines, start=1):
            depth = thought.depth or len(line.plies)
            job.inform(
                f"info depth {depth} {deepest}multipv {number} score {score(line)} "
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

        thinking, state = self.thinking, self.thinking.state
        role, within = state.to_move or "", thinking.going.numbers["mate"]
        try:
            puzzle = Puzzle.of(state, role, self.goal, max(1, within))
            found = open_puzzle(puzzle, job.budget, memory=self.memory, threads=self.threads).run()
        except AspgamesError as error:
            message = one_line(str(error))
        else:
            among, force = thinking.among, f"{puzzle.goal.words().force}{puzzle.limit}"
            if found.verdict == "forced" and found.distance and found.line:
                keys = [key for key in found.keys if not among or key in among]
                line = found.line if found.line[0] in keys else keys[:1]
                if line:
                    plies = tuple(played(state, line))
                    job.best = thinking.best(plies)
                    job.inform(
                        f"info depth {len(plies)} score mate {found.distance} "
                        f"nodes {found.positions} time {round(1000 * found.seconds)} "
                        f"pv {' '.join(texts(plies))}"
                    )
                    return
                message = f"{role} can {force}, but not fastest by these moves"
            elif found.verdict == "not_forced":
                message = f"{role} can't {force}"
            else:
                message = f"whether {role} can {force} is undecided"
        job.inform(f"info string {message}")
        for thought in thinking.player.think(
            state, role, job.budget, _GAMES_AFTER_SOLVER, thinking.among
        ):
            job.best = thinking.answer(thought, thought.lines(1))


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
