"""A match at the prompt: the effect of each line."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict

from ..agents.match.match import Match, Ply, Point
from ..agents.match.match_record import (
    facts_text,
    match_record,
    match_report,
    move_report,
    result_report,
    setting_report,
)
from ..agents.match.opponent import Opponent, PlayerKind
from ..agents.match.study import Advice, Study, advise, review
from ..game.board import parse_square
from ..game.notation.joint_moves import is_joint
from ..game.notation.move_text import first_square, named_squares
from ..game.reports import state_report, view_report
from ..game.view import View
from ..puzzle.question import turns_text
from ..runtime.errors import AspgamesError, BadMove, BadRequest, IllegalMove, Interrupted
from ..runtime.json_lines import JsonObject, encode, error_report
from ..runtime.process_messages import within
from .files import RECORD, write_file
from .match_texts import advice_text, beginning_text, ending_text, unfinished_text
from .output import in_columns, print_json, print_position, print_text, print_view, status_line
from .work_options import stoppable

_SPARE_SECONDS = 10.0  # seconds for everything except a search, such as the legality of a move


class MatchSession:
    """Carries out the person's commands, line by line, and lets the opponent move."""

    def __init__(
        self, match: Match, opponent: Opponent, study: Study, as_json: bool, seconds: float | None
    ) -> None:
        """``study`` gives hints; ``seconds`` limits each hint."""
        self.match = match
        self.over = False
        """Whether the person has left."""
        self._opponent = opponent
        self._study = study
        self._as_json = as_json
        self._seconds = seconds
        self._hinted: Point | None = None
        self._saved = set[str]()
        self.commands: dict[str, tuple[Callable[[str], None], str, str]] = {
            "play": (self._play, "MOVE", "play a move; MOVE alone works, too"),
            "hint": (self._hint, "", "what can be forced; a second time, the move for it"),
            "moves": (self._moves, "[SQUARE]", "the legal moves, or those from a square"),
            "why": (self._why, "MOVE", "why a move is legal or not"),
            "undo": (self._undo, "", "take back your last move and what came after it"),
            "show": (self._show, "", "the board"),
            "fen": (self._fen, "", "the position as a FEN"),
            "facts": (self._facts, "", "the position as facts"),
            "save": (self._save, "FILE", "write the match: as a record (.pgn), else as JSON"),
            "help": (self._help, "", "this list"),
            "quit": (self._quit, "", "leave the match"),
        }
        """The functions by name, each with its argument and its help."""

    @property
    def prompt(self) -> str:
        """The text before the person's line."""
        return f"{self.match.written.text(self.match.person)}> "

    @property
    def _against(self) -> PlayerKind | None:
        """The kind of opponent; None if the opponent has no role."""
        return self._opponent.kind if self.match.others else None

    def begin(self) -> None:
        """Show the position, and let the opponent move if it is on move."""
        setting = setting_report(self.match, self._against, self.match.written)
        with self._limited():
            self._event("start", beginning_text(self.match, self._against), **setting)
            self._board()
            self._go_on()

    def obey(self, line: str | None) -> None:
        """Carry out a line. An error is one line of output."""
        with self._limited():
            self._obey(line)

    def _limited(self) -> AbstractContextManager[None]:
        """A time limit from outside: a grounder checks no limit itself."""
        return within("no answer", 2 * (self._seconds or 0) + _SPARE_SECONDS)

    def _obey(self, line: str | None) -> None:
        try:
            if line is None:
                raise BadRequest("the line is too long, or not UTF-8 text")
            name, _, rest = line.partition(" ")
            if name in self.commands:
                action, takes, _ = self.commands[name]
                if rest.strip() and not takes:
                    raise BadRequest(f"{name} takes nothing after it")
                if takes and takes[0] != "[" and not rest.strip():
                    raise BadRequest(f"give {name} {takes}")
                action(rest.strip())
            elif line:
                self._play(line)
        except (AspgamesError, RecursionError, MemoryError) as error:
            report = error_report(error)
            self._event("error", report["error"], kind=report["kind"])

    def leave(self) -> None:
        """Report the state of an unfinished match."""
        if self.match.outcome is None:
            self._event("end", unfinished_text(self.match), **self._result())

    # --- output -----------------------------------------------------------------------------------

    def _event(self, name: str, text: str | None = None, /, **fields: object) -> None:
        """Print an event: its text for people, if any, or its fields as JSON."""
        if not self._as_json:
            if text is not None:
                print_text(text)
        else:
            fields = {"event": name, **fields}
            print_json(fields if text is None else fields | {"text": text})

    def _board(self, plies: Iterable[Ply] = ()) -> None:
        """Show the position, with the squares of some plies marked; not as JSON.

        In a puzzle, the attacker's remaining turns are below it.
        """
        if self._as_json:
            return
        match, state = self.match, self.match.state
        forms = state.game.vocabulary.notation
        print_text("")
        if isinstance(known := match.known(), View):
            print_view(known, match.written, as_json=False)
            print_text("")
            return
        moves = [move for ply in plies for move in ply.moves]
        marked = [s for move in moves for s in named_squares(forms, move.term)]
        print_position(state, match.written, marked)
        left = match.left(match.point)
        if match.puzzle and left is not None and match.outcome is None:
            attacker = match.written.text(match.puzzle.attacker)
            print_text(f"{attacker} has {turns_text(left)} left")
        print_text("")

    # --- playing ----------------------------------------------------------------------------------

    def _play(self, text: str) -> None:
        try:
            plies = self.match.play(text)
        except BadMove as error:
            raise BadMove(f"{error}, nor a command ('help' lists them)") from None
        first = len(self.match.moves) - len(plies) + 1
        for number, ply in enumerate(plies, start=first):
            written = self.match.written
            report = move_report(self.match, ply, self.match.points[number], written)
            note = None if ply.role else f"Played: {ply.text_in(written)}"
            self._event("move", note, by="person", **report)
        if plies:
            self._board(plies)
        elif self.match.asked:
            chosen = [self.match.written.text(role) for role in self.match.chosen]
            self._event("chosen", f"Chosen: {', '.join(chosen)}", roles=chosen)
        self._go_on()

    def _go_on(self) -> None:
        plies = []
        while self.match.outcome is None and self.match.asked is None:
            with self._thinking(f"{self._opponent.kind} thinks"):
                choice = self._opponent.choose(self.match)
            plies.append(self.match.reply(choice.move))
            written, ply = self.match.written, plies[-1]
            who = f"{written.text(ply.role)} plays" if ply.role else "Played:"
            note = f"  ({choice.note})" if choice.note else ""
            text: str | None = f"{who} {ply.text_in(written)}{note}"
            if self.match.state.game.hidden:
                text = None
            report = move_report(self.match, ply, self.match.point, written)
            self._event("move", text, by=self._opponent.kind, note=choice.note, **report)
        if plies:
            self._board(plies)
        if self.match.outcome is not None:
            self._end()

    def _end(self) -> None:
        """Report the end of the match; in a puzzle against a solver also the best result."""
        least, lost_by = None, None
        if self.match.puzzle and self._opponent.kind is PlayerKind.SOLVER:
            with self._thinking("Looking back"):
                least, lost_by = review(self._study, self.match, self._seconds)
        text = ending_text(self.match, least, lost_by)
        self._event("end", text, **self._result(least, lost_by))

    def _result(self, least: int | None = None, lost_by: int | None = None) -> JsonObject:
        return result_report(self.match, self.match.written) | {"least": least, "lost_by": lost_by}

    @contextmanager
    def _thinking(self, what: str) -> Iterator[None]:
        """Show that a search is running; Ctrl-C stops it."""
        with status_line() as show, stoppable():
            self._study.progress = show
            show(what)
            yield

    # --- questions --------------------------------------------------------------------------------

    def _hint(self, _rest: str) -> None:
        match = self.match
        if match.outcome is not None:
            raise BadRequest("the match is over: there is nothing to hint at")
        self._refuse_hidden("hint")
        with self._thinking("Looking for a hint"):
            try:
                advice = advise(self._study, match, self._seconds)
            except Interrupted:
                advice = None
        if advice is None:
            raise BadRequest("no hint: stopped")
        whole = self._hinted is match.point
        self._hinted = match.point
        self._event("hint", advice_text(match, advice, whole), **self._advice_report(advice))

    def _moves(self, square: str) -> None:
        if self.match.outcome is not None:
            raise IllegalMove("the match is over: nobody is to move")
        moves = list(self.match.choices)
        if square:
            forms = self.match.state.game.vocabulary.notation
            place = parse_square(square)
            moves = [m for m in moves if place and first_square(forms, m.term) == place]
            if not moves:
                raise BadRequest(f"there is no move from {square}")
        written = self.match.written
        words = in_columns(written.move_text(m) for m in moves)
        self._event("moves", words, moves=[written.text(m.term) for m in moves])

    def _why(self, asked: str) -> None:
        self._refuse_hidden("why")
        text = self.match.written.term(asked)
        found = self.match.state.why(text, None if is_joint(text) else self.match.person)
        self._event("why", str(found), move=asked, explanation=asdict(found))

    def _show(self, _rest: str) -> None:
        self._board(self.match.moves[-1:])
        if self._as_json:
            known = self.match.known()
            report = view_report(known) if isinstance(known, View) else state_report(known)
            self._event("state", **self.match.written.report(report))

    def _refuse_hidden(self, name: str) -> None:
        if self.match.state.game.hidden:
            raise BadRequest(f"{name} would tell what you don't know ('show' has what you know)")

    def _fen(self, _rest: str) -> None:
        self._refuse_hidden("fen")
        fen = self.match.state.fen
        if fen is None:
            raise BadRequest("the position has no FEN ('facts' gives its facts)")
        self._event("fen", fen)

    def _facts(self, _rest: str) -> None:
        self._refuse_hidden("facts")
        self._event("facts", " ".join(facts_text(self.match.state, self.match.written)))

    # --- other commands ---------------------------------------------------------------------------

    def _undo(self, _rest: str) -> None:
        plies = self.match.undo()
        self._event("undo", plies=plies)
        self._board()

    def record(self, name: str) -> None:
        """Write the match to a file: as JSON, or as a record (.pgn). Raises ``BadRequest``."""
        if name.endswith(RECORD):
            write_file(name, str(match_record(self.match, self._against)))
        else:
            write_file(name, encode(match_report(self.match, self._against)) + "\n")

    def _save(self, name: str) -> None:
        if os.path.isfile(name) and name not in self._saved:
            raise BadRequest(f"{name} is there already: name another file")
        self.record(name)
        self._saved.add(name)
        self._event("saved", f"Saved: {name}", file=name)

    def _help(self, _rest: str) -> None:
        lines = [
            f"  {f'{name} {takes}':<16} {said}" for name, (_, takes, said) in self.commands.items()
        ]
        self._event("help", "\n".join(lines))

    def _quit(self, _rest: str) -> None:
        self.over = True

    # --- texts ------------------------------------------------------------------------------------

    def _advice_report(self, advice: Advice) -> dict[str, object]:
        text, found = self.match.written.text, advice.solution
        known = {"at_most": found.at_most, "not_within": found.not_within}
        return (known if found.at_most is not None else {}) | {
            "attacker": text(advice.attacker),
            "goal": advice.goal.text,
            "verdict": found.verdict,
            "distance": found.distance,
            "moves": list(map(text, advice.moves)),
            "losing": list(map(text, advice.losing)),
            "lost_by": advice.lost_by,
        }
