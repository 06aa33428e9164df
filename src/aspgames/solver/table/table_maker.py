"""Making a table: all states, their values, and the file."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from ...game.chance import refuse_stuck_chance
from ...game.game import Game
from ...game.state import State
from ...gdl.predicates import CHANCE
from ...gdl.rules import HIGHEST_GOAL, Facts
from ...propnet.gate_tables import Tables
from ...propnet.lanes import Ints
from ...propnet.mean_values import RollGraph
from ...propnet.percept_net import with_rules
from ...propnet.reachable_nets import net_for
from ...propnet.successors import MOST_BYTES, Successors
from ...propnet.threads import number_of
from ...propnet.weights import RULES, Weights
from ...puzzle.verdict_text import interval_text
from ...runtime.budget import MOST_RULES, UNLIMITED, Budget, resume
from ...runtime.call_arguments import file_to_replace
from ...runtime.errors import (
    BadPosition,
    BadRequest,
    Interrupted,
    LimitReached,
    RulesError,
    TooLarge,
)
from ...runtime.process_messages import machine_bytes, saving, still_saving
from ...runtime.temporary_files import unfinished
from ...runtime.workers.work_folder import WorkFolder, disk_errors
from .enumeration import Enumeration, EnumerationProgress
from .expected_values import ANY_GOAL, ExpectedValues, InMemory, bounds_of_part
from .induction import Induction
from .lookup import Bounds, Table
from .sorted_runs import Mapped, merged, packed
from .table_file import TableHeader, arrow, write

_SHARE_OF_MEMORY = 0.5  # of the machine's memory, unless a limit is given
_LAST_SECONDS = 3.0, 0.5  # the time for bounds after a limit, and after Ctrl-C [s]
_STATES_SHARE = 0.6  # of that memory; the rest is for temporary data


@dataclass(frozen=True)
class MadeTable:
    """A new table, and the effort for it."""

    table: Table
    edges: int
    """The total number of moves in all states."""
    enumeration_seconds: float
    """The time of this run [s], without earlier runs."""
    seconds: float


def make_table(
    state: State,
    path: str | PathLike[str],
    *,
    threads: int | None = None,
    most_bytes: float | None = None,
    with_symmetries: bool = True,
    budget: Budget = UNLIMITED,
    progress: Callable[[str], None] = lambda _text: None,
) -> MadeTable:
    """Find the value of every state that is reachable from a state, and write them to a file.

    A folder beside the file, whose name ends in ``.work``, keeps unfinished work. The same call
    continues it.

    Args:
        state: The first state.
        path: The file.
        threads: Defaults to one a core.
        most_bytes: The memory limit; defaults to half of the machine's memory.
        with_symmetries: Whether one state stands for all its images under symmetries of the rules.
        budget: The time limit until the file is written.
        progress: Takes a text about the progress now and then.

    Raises:
        BadRequest: Several roles choose at once, or the file is unwritable.
        BadPosition: The state does not fit the play that starts from it.
        RulesError: No net can be made from the rules, or they have hidden information.
        LimitReached: The disk is full, or time or memory runs out. With chance, a note of the
            exception has bounds of the values, as has that of ``Interrupted``.
    """
    stage = _Stage()
    try:
        return _make_table(
            state, path, threads, most_bytes, with_symmetries, budget, progress, stage
        )
    except (LimitReached, Interrupted) as error:
        if state.game.chance and not isinstance(error, TooLarge):
            resume()  # after Ctrl-C; a second one ends this, too
            seconds = _LAST_SECONDS[isinstance(error, Interrupted)]
            error.add_note(expected_goals(_known_bounds(state.game, stage, seconds)))
        raise


def expected_goals(known: Mapping[str, Bounds]) -> str:
    """The bounds of what each player can expect, for people."""
    texts = (f"{role} {interval_text(*both)}" for role, both in known.items())
    return f"expected goals: {', '.join(texts)}"


@dataclass
class _Stage:
    """The stages of the work that have begun."""

    found: Enumeration | None = None
    values: ExpectedValues | None = None


def _known_bounds(game: Game, stage: _Stage, seconds: float) -> Mapping[str, Bounds]:
    """The bounds that a stopped run knows."""
    found, roles = stage.found, game.roles
    players = [roles.index(role) for role in game.players]
    known = dict.fromkeys(players, ANY_GOAL)
    if found and found.note.expanded:

        def part(most: int) -> tuple[RollGraph, Ints, bool]:
            graph, goals = found.graph(game.vocabulary.weighted, roles.index(CHANCE), most)
            return graph, goals, len(graph) > min(found.note.expanded, most)

        known = dict(bounds_of_part(part, players, HIGHEST_GOAL, seconds))
        for place, (low, high) in stage.values.bounds().items() if stage.values else ():
            known[place] = max(low, known[place][0]), min(high, known[place][1])
    return {roles[place]: both for place, both in known.items()}


def _make_table(
    state: State,
    path: str | PathLike[str],
    threads: int | None,
    most_bytes: float | None,
    with_symmetries: bool,
    budget: Budget,
    progress: Callable[[str], None],
    stage: _Stage,
) -> MadeTable:
    begun = time.monotonic()
    state.game.refuse_unsupported(
        chance=True,
        but="a table can't hold: 'equilibrium' has the value of a small game, 'solve' that of a "
        "puzzle",
    )
    if not state.game.players:
        raise BadRequest(f"nobody plays {state.game.name} but {CHANCE}: 'playout' plays it")
    arrow()
    threads = number_of(threads)
    most_bytes = most_bytes or _SHARE_OF_MEMORY * machine_bytes()
    game, output = state.game, file_to_replace(path, "for a table")
    tables, weights = net_with_weights(game, state.facts, budget)
    row = tables.row(state.facts)
    if row is None:
        raise BadPosition("the position doesn't fit the rules: the play from it leaves it out")
    symmetries: tuple[tuple[int, ...], ...] = ()
    if with_symmetries and weights is None and tables.row_bytes <= MOST_BYTES:
        symmetries = game.proofs.permutations(
            state.facts, tables.names.fluents, tables.names.certain
        )
    work = WorkFolder(output, "table")
    task = {
        "game": game.name,
        "constants": dict(game.constants),
        "rules": game.encoding.fingerprint,
        "start": list(state.facts),
        "fluents": list(tables.names.fluents),
        "symmetries": [list(each) for each in symmetries],
    }
    with disk_errors(output):
        noted = work.begin(task)

    try:
        successors = Successors(tables, threads, symmetries, weights)
        start = np.frombuffer(row, np.uint64).reshape(1, tables.row_bytes // 8).copy()
        successors.least(start)
        with disk_errors(work.folder):
            found = Enumeration(
                work,
                successors,
                start,
                noted.get("enumeration", {}),
                _STATES_SHARE * most_bytes,
                threads,
            )
            stage.found = found
            kept = noted.get("induction", {}) if found.note.is_whole else {}
            work.keep(induction=kept)
            enumerated, before = time.monotonic(), found.note.found

            def tell(states: int, done: int) -> None:
                rate = (states - before) / max(time.monotonic() - enumerated, 1e-3)
                left = f"{states - done:,} of them unexpanded"
                progress(f"Finding states: {states:,}, {rate:,.0f} a second, {left}")

            try:
                found.run(budget, tell)
                if stuck := found.note.stuck:
                    here = found.arrays.rows.read(stuck - 1, stuck).tobytes()
                    refuse_stuck_chance(game.state(tables.facts(here)))
            except (BadRequest, RulesError):  # the same call would fail again
                work.remove()
                raise
            states = found.note.found
            room = _STATES_SHARE * most_bytes
            induction: Induction | ExpectedValues
            if game.chance:
                induction = ExpectedValues(found, game.roles, weights is not None, room)
                stage.values = induction
            else:
                induction = Induction(
                    work,
                    found.arrays,
                    states,
                    found.note.outcomes,
                    len(game.roles),
                    kept,
                    room,
                    threads,
                )
            induction.run(
                budget, lambda known: progress(f"Valuing states: {known:,} of {states:,}")
            )
            about = _header(state, tables, symmetries, found.note, induction)
            _write(output, about, found, induction.values, progress)
            work.remove()
    except MemoryError:
        raise LimitReached("there is no memory for the table") from None
    finally:
        work.release()
    return MadeTable(
        Table(output, game), found.note.edges, found.note.seconds, time.monotonic() - begun
    )


def net_with_weights(
    game: Game, facts: Facts, budget: Budget, most_rules: int = MOST_RULES
) -> tuple[Tables, Weights | None]:
    """The net of all states reachable from ``facts``; with ``weight/2``, one that tells weights."""
    if not game.vocabulary.weighted:
        return game.nets.tables_from(facts, most_rules, budget), None
    tables = net_for(with_rules(game.rules, RULES), facts, most_rules, budget).tables()
    return tables, Weights(tables, game.encoding)


def _header(
    state: State,
    tables: Tables,
    symmetries: tuple[tuple[int, ...], ...],
    note: EnumerationProgress,
    induction: Induction | ExpectedValues,
) -> TableHeader:
    game = state.game
    return TableHeader(
        game=game.encoding.reference,
        name=game.name,
        constants=dict(game.constants),
        rules=game.encoding.fingerprint,
        start=tuple(state.facts),
        roles=tuple(game.roles),
        fluents=tuple(tables.names.fluents),
        certain=tuple(tables.names.certain),
        symmetries=symmetries,
        outcomes=induction.outcomes,
        states=note.found,
        plies=tuple(note.plies),
        has_circles=induction.has_circles,
        longest=induction.longest,
        stuck=note.stuck > 0,
        one=induction.one,
    )


def _write(
    output: Path,
    about: TableHeader,
    found: Enumeration,
    values: Mapped | InMemory,
    progress: Callable[[str], None],
) -> None:
    """Write the file, and close the values. No time limit ends it: it would begin anew."""

    def blocks() -> Iterator[tuple[Any, Any]]:
        runs, written = [], 0
        for run in found.sorted_pieces("sorted"):
            UNLIMITED.check()  # a Ctrl-C
            still_saving()
            runs.append(run)
        for keys, numbers in merged(runs, found.kind):
            UNLIMITED.check()
            still_saving()
            written += len(keys)
            progress(f"Writing states: {written:,} of {about.states:,}")
            yield packed(keys, about.state_bytes), values.array[numbers]
            values.relieve()

    try:
        with saving(), unfinished(output) as part:
            write(part, about, blocks())
            part.replace(output)
    finally:
        values.close()
