"""Perft on nets: walks every path, 512 states at a time.

Each ply has its own net, grounded from the fluents that can hold after so many plies. There the
side on move and all other certain fluents are constants, which leaves a fraction of the game's net.
The walk is depth first, so memory is bounded at any depth (``native/walk.inc.c``).
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from threading import Lock

from ..gdl.predicates import CHANCE
from ..gdl.reasoner import without_a_move
from ..gdl.reasoner.net_answer import consequences_of
from ..gdl.reasoner.reference_perft import Spread
from ..gdl.rules import Facts, Joint, Rules
from ..runtime.budget import UNLIMITED, Budget
from ..runtime.errors import LimitReached, RulesError
from .gate_tables import Tables
from .kernel import Owned, kernel
from .single_state import Single
from .state_nets import kept, key_of
from .threads import number_of, run

_BATCHES_OF_A_STEP = 16  # of states, in one step
_PIECES_OF_A_THREAD = 16  # of work for each thread


class PlyNets:
    """The nets of a state and of those after each number of plies."""

    def __init__(self, rules: Rules, facts: Facts) -> None:
        self.rules, self._facts = rules, facts
        self._known: list[Tables] = []
        self._lock = Lock()

    def after(self, ply: int, budget: Budget) -> Tables:
        """The net after so many plies."""
        with self._lock:
            while ply >= len(self._known):
                self._known.append(self._tables(len(self._known), budget))
            return self._known[ply]

    def _tables(self, ply: int, budget: Budget) -> Tables:
        key = key_of(self.rules, f"ply {ply}", " ".join(self._facts))
        fluents = self._known[-1].after if ply else 0

        def make() -> Tables:
            if not ply:
                return _tables(self.rules, self._facts, (), budget)
            before = self._known[-1].names
            return _tables(self.rules, tuple(before.lasting), tuple(before.after), budget)

        return kept(key, lambda tables: tables.fluents == fluents, make)


def _tables(rules: Rules, certain: Facts, possible: Facts, budget: Budget) -> Tables:
    """The net of a ply; equal plies share one net."""
    found = _made.get((rules, certain, possible))
    if found is None:
        from .net import Net  # imports clingo, which a stored net doesn't need

        found = Net(rules, certain, possible, closed=False, budget=budget).tables()
        if len(_made) >= _MOST_KEPT_NETS:
            _made.clear()
        _made[rules, certain, possible] = found
    return found


_made: dict[tuple[Rules, Facts, Facts], Tables] = {}
_MOST_KEPT_NETS = 64


_plies = lru_cache(maxsize=16)(PlyNets)


class _WalkPiece:
    """Counts the paths from some states of one ply, or collects the states at their ends.

    There may be thousands of pieces, so each uses memory only while it runs.
    """

    def __init__(
        self,
        plies: PlyNets,
        ply: int,
        rows: bytes,
        count: int,
        depth: int,
        collect: bool = False,
        budget: Budget = UNLIMITED,
    ) -> None:
        """``budget`` limits the making of nets."""
        self._plies, self._ply, self._collect, self._budget = plies, ply, collect, budget
        self._rows = kernel().array("uint64_t[]", rows)  # the kernel reads them during the walk
        self._count, self._depth = count, kernel().limit(depth, 32)
        self._blocks: list[Tables] = []
        self._walk: Owned | None = None
        self.paths = self.states = 0
        self.ended = False

    def step(self) -> bool:
        """Count in some batches; returns whether there is more to do."""
        library = kernel()
        if not self._walk:
            walk = library.walk_new(self._depth, self._rows, self._count, self._collect)
            if not walk:
                raise LimitReached(f"there is no memory for a count of {self._depth:,} plies")
            self._walk = library.owned(walk, "walk_free", self._rows, self._blocks)
        pointer = self._walk.pointer
        status = library.check(library.walk_run(pointer, _BATCHES_OF_A_STEP))
        if status == library.WANTS_NET:
            # Make the net of a ply when the walk first reaches the ply: most games end before.
            level = len(self._blocks)
            tables = self._plies.after(self._ply + level, self._budget)
            self._blocks.append(tables)
            net, roles = tables.address, tables.names.roles
            if CHANCE in roles:
                library.walk_watch(pointer, roles.index(CHANCE))
            status = library.check(library.walk_net(pointer, level, net))
        if (stuck := library.walk_stuck(pointer)) >= 0:
            facts = self._blocks[stuck].facts(self.collected(stuck)[0])
            raise without_a_move(self._plies.rules.encoding, CHANCE, facts)
        self.paths = library.walk_paths(pointer)
        self.states = library.walk_states(pointer)
        self.ended = status == library.DONE
        if self.ended and not self._collect:
            self._walk = None  # free the memory: a finished walk waits for the others
        return not self.ended

    def collected(self, ply: int = -1) -> tuple[bytes, int]:
        """The collected states, as rows of a ply's net, and their number."""
        assert self._walk
        ffi = kernel().ffi
        place = ffi.new("uint64_t **")
        count: int = kernel().walk_collected(self._walk.pointer, place)
        size = self._blocks[ply].row_bytes * count
        return (bytes(ffi.buffer(place[0], size)) if size else b""), count


class PerftWalk:
    """Counts the paths from a state."""

    def __init__(
        self,
        rules: Rules,
        budget: Budget,
        progress: Callable[[int], None] = lambda _nodes: None,
        threads: int | None = None,
    ) -> None:
        """``progress`` gets the number of paths counted so far."""
        self._rules, self._budget, self._progress = rules, budget, progress
        self._threads = number_of(threads)
        self._paths = self._states = 0

    def count(self, facts: Facts, depth: int) -> int:
        """The number of paths of ``depth`` plies (at least 1) from the state with these facts."""
        plies = _plies(self._rules, facts)
        walks = self._pieces(plies, depth)
        self._run(walks)
        return sum(walk.paths for walk in walks)

    def divide(self, facts: Facts, depth: int, counts: dict[Joint, int]) -> None:
        """Count the paths behind each first joint move of a state.

        If an exception ends the count early, ``counts`` has only some of the moves.
        """
        plies = _plies(self._rules, facts)
        joints = list(_joints(plies.after(0, self._budget)))
        if depth == 1 or not joints:
            if not joints:
                self._run(self._pieces(plies, 1))  # chance may have no move
            counts.update(dict.fromkeys(joints, 1))
            return
        rows, count = self._collect(plies, 0, b"", 1)
        walks = [
            _WalkPiece(plies, 1, row, 1, depth - 1, budget=self._budget)
            for row, _ in _split(rows, count, count)
        ]
        try:
            self._run(walks)
        finally:
            pairs = zip(joints, walks, strict=True)
            counts.update((joint, walk.paths) for joint, walk in pairs if walk.ended)

    def spread(self, facts: Facts, depth: int, wanted: int) -> tuple[int, Spread]:
        """The states after some plies, once for each path, and the number of plies."""
        plies = _plies(self._rules, facts)
        joints = list(_joints(plies.after(0, self._budget)))
        rows, count = self._collect(plies, 0, b"", 1)
        groups = list(_split(rows, count, count))
        ply = 1
        while ply < depth - 1 and 0 < sum(count for _, count in groups) < wanted:
            groups = [self._collect(plies, ply, rows, count) for rows, count in groups]
            ply += 1
        tables = plies.after(ply, self._budget)
        states = (
            [tables.facts(row) for row, _ in _split(rows, count, count)] for rows, count in groups
        )
        return ply, list(zip(joints, states, strict=True))

    def count_from(self, start: Facts, ply: int, states: Sequence[Facts], depth: int) -> int:
        """The number of paths of ``depth`` plies from states ``ply`` plies after a start."""
        plies = _plies(self._rules, start)
        tables = plies.after(ply, self._budget)
        rows = [tables.row(facts) for facts in states]
        if None in rows:
            raise RulesError("a state isn't one that the start leads to")
        joined = b"".join(row for row in rows if row is not None)
        number = min(self._threads * _PIECES_OF_A_THREAD if self._threads > 1 else 1, len(rows))
        walks = [
            _WalkPiece(plies, ply, piece, size, depth, budget=self._budget)
            for piece, size in _split(joined, len(rows), number)
        ]
        self._run(walks)
        return sum(walk.paths for walk in walks)

    def _pieces(self, plies: PlyNets, depth: int) -> list[_WalkPiece]:
        """Split the work into pieces of about the same size."""
        wanted = self._threads * _PIECES_OF_A_THREAD if self._threads > 1 else 1
        ply, rows, count = 0, b"", 1
        while 0 < count < wanted and ply < depth - 2:
            rows, count = self._collect(plies, ply, rows, count)
            ply += 1
        pieces = _split(rows, count, min(wanted, count))
        return [
            _WalkPiece(plies, ply, piece, size, depth - ply, budget=self._budget)
            for piece, size in pieces
        ]

    def _collect(self, plies: PlyNets, ply: int, rows: bytes, count: int) -> tuple[bytes, int]:
        """The states one ply after some states, as rows, and their number."""
        walk = _WalkPiece(plies, ply, rows, count, 1, True, self._budget)
        self._run([walk])
        return walk.collected()

    def _run(self, walks: list[_WalkPiece]) -> None:
        paths, states = self._paths, self._states

        def check() -> None:
            now = states + sum(walk.states for walk in walks)
            self._budget.spend(now - self._states)
            self._states = now
            self._paths = paths + sum(walk.paths for walk in walks)
            self._progress(self._paths)

        run(walks, self._threads, check)


def _split(rows: bytes, count: int, pieces: int) -> Iterator[tuple[bytes, int]]:
    """Split rows, which may be empty, into pieces; yields each piece's rows and their number."""
    size = len(rows) // max(1, count)
    for piece in range(pieces):
        first, end = count * piece // pieces, count * (piece + 1) // pieces
        yield rows[first * size : end * size], end - first


def _joints(tables: Tables) -> Iterator[Joint]:
    """The joint moves of the only state of a net without open fluents, in the kernel's order."""
    names, said = tables.names, Single(tables).ask(b"")
    legal = consequences_of(said, names.roles, names.terms)
    roles = [[(role, term) for term in legal.playable(role)] for role in names.roles]
    yield from product(*roles)
