"""The parameters of ``aspgames solve``, shared by its modes."""

from functools import cached_property
from typing import Any, NamedTuple

from ..game.notation.notations import Notation
from ..puzzle.goal import GOAL_LIST
from ..puzzle.problem import Puzzle
from ..puzzle.stipulation import STIPULATION_HELP, read_stipulation
from ..runtime.budget import Budget
from ..runtime.errors import BadRequest
from ..runtime.json_lines import JsonObject
from .exit_codes import NO, UNDECIDED, YES
from .files import STREAM
from .parameters import LINKS, OPTIONAL_GAME, WrittenParameters, read_constants, read_position
from .verb import ParameterGroup, argument, memory_bytes, option
from .work_options import THREADS, WorkerOptions, resume_option

VERDICT_CODES = {
    "forced": YES,
    "not_forced": NO,
    "possible": YES,
    "impossible": NO,
    "unknown": UNDECIDED,
}


def attacker_option(text: str = "The side that forces the goal; a lone role needs no name.") -> Any:
    """A field for a puzzle's attacker."""
    return option("--attacker ROLE", text)


def goal_option(required: bool = False) -> Any:
    """A field for a puzzle's goal."""
    return option("--goal", f"{GOAL_LIST} (also score:N).", required=required)


def within_option(text: str, required: bool = False) -> Any:
    """A field for a puzzle's number of turns."""
    return option("--within K", text, required=required)


class AskedPuzzle(NamedTuple):
    """A puzzle from the command line."""

    puzzle: Puzzle
    written: Notation
    asked: JsonObject
    """The puzzle as the user wrote it; the answer repeats it."""
    helped: bool = False
    """Whether its stipulation says that both sides help."""


class PuzzleParameters(WrittenParameters):
    """One puzzle; with ``--puzzles`` all these parameters are left out."""

    game: str = OPTIONAL_GAME
    position: str = argument(default="")
    attacker: str | None = attacker_option()
    goal: str | None = goal_option()
    within: int | None = within_option("The attacker's own turns; default: any number.")
    chance: str | None = option(
        "--chance P", "In a game with chance: the least probability to force, such as 2/3 (1)."
    )
    stipulation: str | None = option(
        "--stipulation TEXT", f"In place of these three: {STIPULATION_HELP}."
    )

    @property
    def is_question(self) -> bool:
        """Whether any part of a puzzle but its game is given."""
        question = (
            self.position,
            self.attacker,
            self.goal,
            self.within,
            self.stipulation,
            self.chance,
        )
        return any(part not in ("", None) for part in question)

    @cached_property
    def question(self) -> AskedPuzzle:
        """The puzzle. Raises ``BadRequest`` if a part is missing."""
        attacker, goal, within, helped = self.attacker or "", self.goal, self.within, False
        if self.stipulation is not None:
            if not self.game or any(x is not None for x in (self.attacker, goal, within)):
                raise BadRequest(
                    "--stipulation goes with GAME, without --attacker, --goal and --within"
                )
        else:
            if self.game and not attacker and len(self.loaded.players) == 1:
                attacker = self.written.text(self.loaded.players[0])
            given = {"GAME": self.game, "--attacker": attacker, "--goal": goal}
            if missing := [name for name, value in given.items() if not value]:
                raise BadRequest(f"give {', '.join(missing)}, or --puzzles FILE")
        written, given_position = self.written, self.position or "startpos"
        position, state = read_position(self.loaded, given_position, self.notation)
        if self.stipulation is not None:
            role, goal, within, helped = read_stipulation(self.stipulation, state)
            attacker = written.text(role)
        asked: JsonObject = {"game": self.game, "position": position}
        asked |= {"attacker": attacker, "goal": goal, "within": within}
        if self.constants:
            asked["const"] = read_constants(self.constants)
        if self.notation != "lp":
            asked["notation"] = self.notation
        if self.chance is not None:
            asked["chance"] = self.chance
        if self.stipulation is not None:
            asked["stipulation"] = self.stipulation
        puzzle = Puzzle.read(state, written.term(attacker), goal, within, self.chance or 1)
        return AskedPuzzle(puzzle, written, asked, helped)


class AnswerOptions(ParameterGroup):
    """The requested parts of an answer."""

    first: bool = option(
        "--first", "Find the verdict alone: stop at the first proof, which --certificate writes."
    )
    helped: bool = option("--together", "Find the shortest line if both sides help.")
    all_lines: bool = option("--all-lines", "Print the full tree of best play.")
    problem: bool = option(
        "--problem",
        "Print key, threat, variations, duals, set play and tries, and whether it is sound.",
    )
    certificate: str | None = option(
        "--certificate FILE",
        "Write a proof that 'aspgames verify' checks; to FILE.gz, one of any size.",
    )
    html: str | None = option("--html FILE", "Write the proof as a page to click through.")
    links: tuple[str, ...] = LINKS

    @property
    def files(self) -> dict[str, str]:
        """The files for proofs, by content."""
        found = {"Certificate": self.certificate, "Page": self.html}
        return {what: name for what, name in found.items() if name is not None}

    @property
    def is_given(self) -> bool:
        """Whether any of them is requested."""
        return bool(self.first or self.helped or self.all_lines or self.problem or self.files)

    def refuse_for_chance(self, helped: bool) -> None:
        """Raise ``BadRequest`` for what puzzles with chance don't have."""
        if helped or self.helped or self.all_lines or self.problem or self.html:
            raise BadRequest(
                "in a game with chance there is the answer and its certificate: leave --together, "
                "--all-lines, --problem and --html out"
            )
        if (self.certificate or "").endswith(STREAM):
            raise BadRequest("a game with chance has no streamed certificate: leave .gz out")

    def refuse_contradictions(self) -> None:
        """Raise ``BadRequest`` for contradictory options."""
        if sum((self.first, self.helped, self.all_lines)) > 1:
            raise BadRequest("--first, --together, --all-lines don't go together")
        if self.links:
            if self.html is None:
                raise BadRequest("--link is for the page of --html")
            from ..composer.book.page_template import link_bar  # loaded only if necessary

            link_bar(self.links)  # refuses what isn't a link
        if self.files and self.helped:
            raise BadRequest(
                "--together and --certificate or --html don't go together: a line needs no proof"
            )
        if self.problem and (self.first or self.all_lines or self.files):
            raise BadRequest("--problem prints its own answer: leave the other options for it out")


class EffortOptions(WorkerOptions):
    """The limits of a puzzle, and the processes that solve it."""

    seconds: float | None = option(
        "--time SECONDS",
        "Give up after this time; with --puzzles or --popeye, the limit is for each problem.",
    )
    positions: int | None = option("--positions N", "Give up after N positions.")
    memory: float | None = option("--memory MIB", "Limit the memory for visited states (4096).")
    threads: int | None = THREADS
    table: str | None = option(
        "--table FILE", "Look it up in a table that 'aspgames table' has made."
    )
    resume: str | None = resume_option(
        "Keep the search in FILE, and continue with it; with --puzzles, --workers or --dask: keep "
        "results."
    )

    def budget(self) -> Budget:
        """A budget that starts now. Raises ``BadRequest`` for invalid limits."""
        return Budget(self.seconds, self.positions)

    @property
    def bytes(self) -> float | None:
        """The limit on memory [bytes]."""
        return memory_bytes(self.memory)
