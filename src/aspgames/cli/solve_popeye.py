"""``solve --popeye``: chess problems in the language of Popeye."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import accumulate, chain, islice
from operator import mul
from pathlib import Path

from ..composer.bounded_search import Undecided
from ..composer.lookahead_play import STIPULATION as ANY_STIPULATION
from ..composer.lookahead_play import LookaheadPlay, Task, shown_sign
from ..composer.problem_play import CHECKED, Attack, Line, MoveGoalPlay, ProblemPlay
from ..composer.structured_play import StructuredPlay
from ..crosscheck.engines.peers import Peer, needed_peer
from ..crosscheck.engines.popeye_input import peer_for, rule_book
from ..crosscheck.engines.popeye_problem import MOVE_GOAL, PopeyeProblem
from ..crosscheck.engines.popeye_reference import (
    cells,
    position_facts,
    reference_rules,
    refuse_together,
    unknown_parts,
)
from ..crosscheck.engines.problem_files import problems_in
from ..crosscheck.engines.problem_writing import SOLVED, ending_of, file_text, unsolved
from ..game.game import Game
from ..game.loading import load_game
from ..game.state import State
from ..play.formats.property_lists import old_text
from ..puzzle.problem import Puzzle
from ..puzzle.question import others
from ..puzzle.stipulation import STIPULATION, STIPULATION_HELP, read_stipulation, series_constants
from ..puzzle.structured_stipulation import STRUCTURED, Branch, read_structure, structured
from ..runtime.budget import MOST_RULES, Budget
from ..runtime.errors import AspgamesError, BadRequest, LimitReached
from ..runtime.json_lines import JsonObject, error_report
from ..runtime.process_messages import tell
from ..runtime.temporary_files import TemporaryFolder
from .exit_codes import BAD_INPUT, NO, UNDECIDED, YES, worst
from .files import read_bytes, write_file
from .output import print_json, print_text, warn
from .popeye_text import Phase, PopeyeText, diagram, numbers
from .solve_one import solve_one, solve_problem, solve_together
from .solve_options import AnswerOptions, EffortOptions, PuzzleParameters

_MOST_BYTES = 16_000_000  # bytes of a file
_EFFORT = 10**8  # evaluations for each question, which the time limits instead
_MOST_LINES = 100_000
_LEAST_SECONDS = 1.0  # for the answer beside what is printed [s]
_NO_EFFECT = (
    "intelligent", "maxflightsquares", "noshortvariations", "nosymmetry",
    "keepmatingpiece", "trivialtriesavoid",
)  # fmt: skip
"""Options of Popeye's search that are read and change nothing here."""
_WHOLE_LENGTH = {"startmovenumber", "uptomovenumber"}
"""Options with which no shorter lines are printed."""
_REFERENCE_ONLY = ("quodlibet", "threat", "nontrivial", *_WHOLE_LENGTH)
"""Options that only the rules of reference have."""


def solve_popeye(
    name: str, game: Game | None, effort: EffortOptions, as_json: bool, output: str | None
) -> int:
    """Solve each problem of a file ('-': standard input); returns the exit code.

    The rules are those of ``game``, or of the rule books that have the conditions and pieces. The
    solutions are printed as Popeye prints them. As JSON, where an option asks for set play, tries
    or variations, the whole solution is printed. ``output`` is a file for the problems and their
    solutions.
    """
    ending = ending_of(output) if output else ""
    if output and as_json:
        raise BadRequest("--output has the solutions as printed: leave --json out")
    if output and Path(output).exists():
        raise BadRequest(f"{output} exists already: remove it, or name another file")
    problems = problems_in(old_text(read_bytes(name, _MOST_BYTES)))
    if output and ending not in SOLVED:
        return _convert(problems, output, ending)
    if game is not None:
        needed_peer(game, "popeye")  # refused once, not for every problem
    tell(seconds=None)  # the limit applies to each problem
    codes = {YES}
    with TemporaryFolder() as folder:
        printer = _Printer(Path(folder), effort)
        try:
            for problem in problems:
                codes.add(printer.solve(problem, game, as_json))
        finally:
            if output:
                write_file(output, file_text(ending, printer.solved))
    return worst(codes - {NO})


def _convert(problems: Iterator[PopeyeProblem], output: str, ending: str) -> int:
    """Write problems to a file, unsolved, or diagrams to files; returns the exit code."""
    texts, errors = unsolved(problems, ending)
    for error in errors:
        warn(error)
    for number, text in enumerate(texts, start=1):
        path = Path(output)
        file = output if number == 1 else str(path.with_stem(f"{path.stem}_{number}"))
        write_file(file, text)
    return BAD_INPUT if errors else YES


def _check(problem: PopeyeProblem) -> None:
    if problem.error:
        raise BadRequest(problem.error)
    for option, count in ("threat", 1), ("nontrivial", 2):
        if option in problem.options and len(problem.options[option].split()) != count:
            wanted = f"the option {option} needs {count} number{'s' * (count - 1)}"
            raise BadRequest(f"{problem.place_text()}: {wanted}")
    if not (problem.pieces and problem.stipulation):
        raise BadRequest(f"{problem.place_text()}: a problem has pieces and a stipulation")
    asked = structured(problem.solved)
    if STRUCTURED.fullmatch(asked):
        read_structure(asked[6:])
    elif not (_has_rule_book(problem) or ANY_STIPULATION.fullmatch(asked)):
        where = problem.place_text(problem.lines.get("stipulation", 0))
        text = f"the stipulation must be {STIPULATION_HELP}, or with a goal x + ~ z(square) 00 ep"
        text += f", not {problem.stipulation!r}"
        raise BadRequest(f"{where}: {text}")


def _has_rule_book(problem: PopeyeProblem) -> bool:
    """Whether a rule book's play has the stipulation."""
    series = problem.solved.startswith("ser-")
    goals = MOVE_GOAL.fullmatch(problem.solved) and not series
    helps = problem.solved.startswith("h")
    only = {*_REFERENCE_ONLY, *["setplay"] * series, *["maxsolutions"] * helps}
    special = only & problem.options.keys()
    if problem.after_key or special or problem.solved.startswith("s="):
        return False
    if goals:  # there, a draw with bare kings ends the play
        return bool(unknown_parts(problem))
    return bool(STIPULATION.fullmatch(problem.solved))


def _without_kings(rules: Game, sides: Sequence[str], folder: Path) -> Game:
    """The rules, with facts for sides that may have no king."""
    path = rules.encoding.sources[-1].path
    file = folder / f"{path.stem}_{'_'.join(sides)}.lp"
    facts = "".join(f"kingless({side}).\n" for side in sides)
    file.write_text(f'#include "{path}".\n{facts}', encoding="utf-8")
    return load_game(str(file), rules.constants)


def _solve(
    problem: PopeyeProblem,
    rules: Game,
    name: str,
    peer: Peer,
    effort: EffortOptions,
    printed: JsonObject,
) -> int:
    """Print the answer by a rule book of this ``name``, beside what was printed of it."""
    constants = series_constants(problem.solved, problem.mover)
    asked = PuzzleParameters(
        loaded=rules,
        game=name,
        constants=tuple(f"{name}={value}" for name, value in constants.items()),
        position=problem.fen(peer),
        attacker=None,
        goal=None,
        within=None,
        stipulation=problem.solved,
        notation="lp",
        goal_choice=None,
        chance=None,
    ).question
    asked = asked._replace(asked=asked.asked | printed)
    if problem.wants_all:
        try:
            return solve_problem(asked, asked.helped, effort, as_json=True)
        except LimitReached:
            print_json(asked.asked)
            return UNDECIDED if printed["undecided"] else YES
    if asked.helped:
        return solve_together(asked, effort, as_json=True)
    return solve_one(asked, _ANSWER, effort, as_json=True)


_ANSWER = AnswerOptions(
    first=False, helped=False, all_lines=False, problem=False, certificate=None, html=None
)


class _Printer:
    """Solves the problems of one file, and prints the solutions."""

    def __init__(self, folder: Path, effort: EffortOptions) -> None:
        self._folder, self._effort = folder, effort
        self._games: dict[tuple[Game, str], Game] = {}
        self.solved: list[tuple[PopeyeProblem, list[str]]] = []
        """The problems with the parts of their solutions."""

    def solve(self, problem: PopeyeProblem, game: Game | None, as_json: bool) -> int:
        """Solve and print a problem, or print what is wrong with it; returns the exit code."""
        if problem.label in ("", "a") and not problem.error:
            self.solved.append((problem.whole or problem, []))
        folder = self._folder
        try:
            _check(problem)
            rules = game or rule_book(problem, folder)
            peer = None
            if rules is None or not (game or _has_rule_book(problem)):
                rules = reference_rules(problem, folder)
            else:
                peer = peer_for(problem, rules) if game else needed_peer(rules, "popeye")
                if problem.kingless:
                    rules = _without_kings(rules, problem.kingless, folder)
            if as_json:
                return self.print_object(problem, rules, peer)
            return self.print_solution(problem, rules, peer)
        except AspgamesError as error:
            where = "" if str(error).startswith("line ") else f"{problem.place_text()}: "
            if as_json:
                print_json(error_report(error) | {"error": f"{where}{error}"})
            else:
                warn(f"{where}{error}")
            return UNDECIDED if isinstance(error, LimitReached) else BAD_INPUT

    def _say(self, text: str) -> None:
        """Print a part of the solution, and keep it."""
        print_text(text)
        if self.solved:
            self.solved[-1][1].append(text)

    def print_solution(self, problem: PopeyeProblem, rules: Game, peer: Peer | None) -> int:
        """Print a problem's solution; returns the exit code.

        Without ``peer``, the rules are those of reference.
        """
        if problem.label in ("", "a"):
            print_text("\n".join(["", *chain(*problem.texts.values())]))
            if "noboard" not in problem.options:
                print_text("\n".join(diagram(problem)))
        if problem.label:
            self._say(f"\n{problem.label}) {problem.change}".rstrip())
        if idle := [name for name in problem.options if name in _NO_EFFECT]:
            print_text(f"without effect here: {', '.join(idle)}")
        sound, code = True, YES
        for phase in self._phases(problem, rules, peer, self._effort.budget()):
            for text in phase.texts():
                self._say(text)
            if table := phase.changed_play():
                print_text("\n".join(table))
            sound &= phase.sound
            code = worst({code, UNDECIDED if phase.undecided else YES})
        print_text(f"\n({'+'.join(map(str, numbers(problem)))}){' C+' * sound}")
        return code

    def _phases(
        self, problem: PopeyeProblem, rules: Game, peer: Peer | None, budget: Budget
    ) -> Iterator["_Printed"]:
        """The solution for each side that is asked for."""
        sides = [problem]
        if "duplex" in problem.options:
            sides.append(replace(problem, options=problem.options | {"halfduplex": ""}))
        checked = [self._rules(rules, side) if peer else rules for side in sides]
        for side, its_rules in zip(sides, checked, strict=True):
            yield _Printed(side, its_rules, peer, budget)

    def print_object(self, problem: PopeyeProblem, rules: Game, peer: Peer | None) -> int:
        """Print the solution as JSON; returns the exit code.

        Rules of reference have the printed lines alone.
        """
        budget = self._effort.budget()
        phases = list(self._phases(problem, rules, peer, budget))
        texts = [text for phase in phases for text in phase.texts()]
        printed: JsonObject = {
            "stipulation": problem.solved,
            "solution": [line for text in texts for line in text.splitlines() if line],
            "sound": all(phase.sound for phase in phases),
            "undecided": any(phase.undecided for phase in phases),
        }
        if peer:
            path = Path(rules.encoding.reference)
            name = path.stem if self._folder in path.parents else rules.encoding.reference
            effort = EffortOptions(**vars(self._effort))
            if effort.seconds:  # what is left
                effort.seconds = max(budget.seconds_left, _LEAST_SECONDS)
            return _solve(problem, self._rules(rules, problem), name, peer, effort, printed)
        print_json(printed)
        return UNDECIDED if printed["undecided"] else YES

    def _rules(self, rules: Game, problem: PopeyeProblem) -> Game:
        """The rules with a rule that shows checks."""
        constants = series_constants(problem.solved, problem.mover)
        key = rules, str(constants)
        if key not in self._games:
            checked = rules.encoding.with_rules(CHECKED)
            game = load_game(checked.name, {**rules.constants, **constants}, checked)
            with suppress(LimitReached):  # each problem gets a net of its own then
                game.nets.all_positions(MOST_RULES)
            self._games[key] = game
        return self._games[key]


class _Printed:
    """The solution of one problem for one side."""

    def __init__(
        self, problem: PopeyeProblem, game: Game, peer: Peer | None, budget: Budget
    ) -> None:
        self._problem, self._options = problem, problem.options
        self._most = int(problem.options.get("maxsolutions") or _MOST_LINES)
        self.sound = False
        """Whether all was searched, and there is a solution and none that is shorter."""
        self.undecided = False
        """Whether a limit ended the search."""
        solved, silent = problem.solved, "nothreat" in problem.options
        self._waits = solved.endswith(".5")
        self._helps = solved.startswith(("h", "ser-h"))
        self._phases: list[Phase] = []
        self._found: list[tuple[str, ...]] = []
        self._series = 0  # the fewest plies of a series, if it is one
        self._after_key = problem.after_key
        self._play: ProblemPlay
        if peer is None:
            self._use_reference(game, budget, silent)
        else:
            self._use_rule_book(game, peer, budget, silent)
        self._play.shows_early = "matesin1" in problem.options
        self._text.use(self._play)

    def _use_rule_book(self, game: Game, peer: Peer, budget: Budget, silent: bool) -> None:
        problem, solved = self._problem, self._problem.solved
        state = game.position(problem.fen(peer))
        mover, other = state.to_move or "", others(game.roles, state.to_move)[0]
        if found := MOVE_GOAL.fullmatch(solved):
            kind, goal, turns, _ = found.groups()
            self._within = int(turns) + self._waits
            attacker = other if self._helps and not self._waits else mover
            puzzle = Puzzle.read(state, attacker, "win", self._within)
            sign = {"z": "z", "x": "x"}.get(goal[0], "")
            self._text = text = PopeyeText(problem, peer, sign)
            self._play = MoveGoalPlay(
                puzzle,
                budget,
                silent,
                partial(text.reaches, goal),
                other if kind == "s" else attacker,
            )
        else:
            attacker, goal, self._within, _ = read_stipulation(solved, state)
            puzzle = Puzzle.read(state, attacker, goal, self._within)
            self._play = ProblemPlay(puzzle, budget, _EFFORT, silent)
            self._text = PopeyeText(problem, peer, "=" if "=" in solved else "#")
        self._plies = 2 * self._within - (self._waits or not self._helps)

    def _use_reference(self, game: Game, budget: Budget, silent: bool) -> None:
        problem = self._problem
        refuse_together(problem)
        state = game.position(position_facts(problem))
        asked = structured(problem.solved)
        if STRUCTURED.fullmatch(asked):
            root = read_structure(asked[6:])
            play = StructuredPlay(state, root, budget, silent, self._options)
            self._play, self._text = play, PopeyeText(problem, None, "")
            battle = play.battle
            self._helps, self._waits = battle is None, self._waits or play.waits
            self._within, self._plies = play.task.turns, 1
            self._after_key = battle is not None and battle.letters == "da"
            self._text.defender_begins = self._after_key and not (
                isinstance(root, Branch) and root.turned
            )
            return
        task = Task.read(problem.solved)
        self._within, self._plies = task.turns, task.plies
        self._series = int(task.series) + (task.series and task.kind == "h")
        self._helps = task.plies > 0
        self._waits &= task.goal not in ("dia", "a=>b")
        self._text = PopeyeText(problem, None, shown_sign(task.goal))
        end = cells(problem.pieces) if task.goal in ("dia", "a=>b") else ()
        self._play = LookaheadPlay(
            state, task, budget, silent, end, after_key=self._after_key, options=self._options
        )

    def texts(self) -> Iterator[str]:
        """The solution, in parts; at a limit, what is known."""
        helped = self._helps or (
            not self._after_key and structured(self._problem.solved).startswith("ser-")
        )
        self._refuted = ""
        try:
            yield from self._lines() if helped else self._moves()
        except (LimitReached, Undecided) as error:
            self.undecided, self.sound = True, False
            why = str(error) or "no answer within the limits"
            yield f"undecided: {why}{self._refuted}"

    def _lines(self) -> Iterator[str]:
        play, waits, plies = self._play, self._waits, self._plies
        one_line = self._series or isinstance(play, StructuredPlay)
        turned = isinstance(play, StructuredPlay) and play.waits
        shows = "setplay" in self._options and not turned
        start = play.passed_root if shows else None
        if start and one_line and isinstance(play, LookaheadPlay):
            yield ""
            yield from (self._text.line(start, line, 1 + waits) for line in play.series_set_play())
        elif start and plies > 1:
            yield ""
            yield from (text for _, text in self._counted(start, plies - 1, 1 + waits))
        yield ""
        found = list[int]()
        for length, text in self._counted(play.root, plies, waits):
            found.append(length)
            yield text
        self.sound = bool(found) and min(found) == plies and len(found) < self._most
        if self._problem.intended:
            yield from self._unintended(plies)

    def _unintended(self, plies: int) -> Iterator[str]:
        """A line that says so, where the number of solutions isn't the intended one."""
        given = self._problem.intended
        if len(given) not in (1, plies):
            raise BadRequest(f"{plies} numbers must be intended, one for each move, or one")
        ends = [plies] if len(given) == 1 else range(1, plies + 1)
        found = [len({line[:end] for line in self._found}) for end in ends]
        wanted = list(accumulate(given, mul))
        self.sound &= found == wanted
        if found != wanted:
            yield f"\nintended: {'.'.join(map(str, given))}; solutions: {'.'.join(map(str, found))}"

    def changed_play(self) -> list[str]:
        """A table of what answers the same replies in several phases."""
        return self._text.changed_play(self._phases)

    def _counted(self, root: State, plies: int, unmade: int) -> Iterator[tuple[int, str]]:
        """Solutions with their plies, the shortest first; ``unmade``: see ``PopeyeText.line``."""
        left = self._most
        first = self._series or 2 - plies % 2
        if _WHOLE_LENGTH & self._options.keys() or self._problem.solved.startswith("exact-"):
            first = plies
        lengths = range(first, plies + 1, 1 if self._series else 2)
        for length in lengths:
            lines: list[Line] = []
            for line in islice(self._play.lines(root, length, left), left):
                lines.append(line)
                moves = tuple(term for term, _ in line if term != "pass")
                self._found += [moves] * (len(moves) == self._plies)
                yield length, self._text.line(root, line, unmade)
            left -= len(lines)
            self._refuted = f"; no others in {length} plies" if lines else self._refuted
            if not lines and left == self._most:
                self._refuted = f"; none in {length} plies"
            if left <= 0 or (lines and "stoponshortsolutions" in self._options):
                return

    def _moves(self) -> Iterator[str]:
        play, turns = self._play, self._within
        shown = "variations" in self._options
        if self._after_key:
            attack = play.attack("", play.root, turns - 1)
            self.sound = not attack.refutations
            yield "\n".join(["", *self._text.after_key(attack)])
            return
        if "setplay" in self._options:
            before, replies = play.passed_root or play.root, play.set_play(turns)
            if found := self._text.replies(before, replies, 1):
                self._phases.append(self._text.phase(before, None, replies))
                yield "\n".join(["", *found])
        for length in range(1, turns):
            if play.forced(play.root, length - 1):
                break
            self._refuted = f"; none in {length} move{'s' * (length > 1)}"
        for term, after in play.obliged():
            yield f"\n   1.{self._text.move(play.root, term, after)} ?!?"
        keys = 0
        for term, after in islice(play.keys(turns), self._most):
            keys += 1
            yield "\n".join(["", *self._attack(term, after, turns, " !", shown)])
        shortest = play.shortest(turns)
        solved = self._problem.solved  # Popeye shows no tries for other goals in one move
        plain = turns == 1 and solved != "#1" and solved[0] not in "srwb"
        if ("try" in self._options or "defence" in self._options) and not plain:
            most = int(self._options.get("defence") or 1)
            for term, after in play.tries(turns, most):
                yield "\n".join(["", *self._attack(term, after, turns, " ?", shown)])
        wanted = self._problem.intended or (1,)
        self.sound = len(wanted) == 1 and keys == wanted[0] and shortest == turns
        self.sound &= keys < self._most

    def _attack(self, term: str, after: State, turns: int, mark: str, shown: bool) -> list[str]:
        play = self._play
        if shown:
            attack = play.attack(term, after, turns - 1)
            self._phases.append(self._text.phase(play.root, attack, attack.replies))
        else:
            refuting = play.refuting(after, turns - 1) if mark == " ?" else ()
            attack = Attack(term, after, None, (), tuple(refuting))
        return self._text.attack(self._play.root, attack, 1, mark)
