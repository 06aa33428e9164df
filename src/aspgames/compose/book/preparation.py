"""The puzzles of a book: each is solved, and prepared for its page."""

from __future__ import annotations

from dataclasses import dataclass

from ...puzzle.problem import Puzzle
from ...runtime.errors import BadRequest, Interrupted, LimitReached
from ...runtime.json_lines import JsonObject, error_report
from ...runtime.workers.task_runner import Show
from ...solver.puzzles import Effort

_UNDECIDED = "the puzzle stayed undecided within the limits"


@dataclass(frozen=True)
class BookEffort(Effort):
    """Prepares each puzzle for a book, within the limits of an ``Effort``."""

    def answer(self, request: JsonObject, puzzle: Puzzle, show: Show) -> JsonObject:
        """The puzzle's entry in a book: see ``book_entry.entry``. Raises ``Interrupted``."""
        from ...puzzle.proof.certificate import certificate
        from ...solver.search.cooperation import together  # loaded only if necessary
        from . import entry, helped_entry

        search = self.open(puzzle, show)
        if request.get("stipulation") == "together":
            found = together(puzzle, search.budget)
            if found.verdict == "impossible":
                raise BadRequest("even together the sides can't reach the goal")
            if found.verdict == "unknown":
                raise LimitReached(_UNDECIDED)
            return helped_entry(request, search, found)
        solution = search.run()
        if search.interrupted:
            raise Interrupted
        if not solution.is_complete:
            raise LimitReached(_UNDECIDED)
        return entry(request, search, solution, certificate(search, solution))

    def out_of_time(self, _request: JsonObject) -> JsonObject:
        """An error: the book leaves the puzzle out."""
        limit = f"the puzzle wasn't ready within {self.seconds or 0:g} seconds"
        return error_report(LimitReached(limit))
